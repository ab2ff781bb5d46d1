import type { Command } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { wantsJson } from './options.ts';
import type { Answering } from './output.ts';

/** `secrets …`: the keys under which the database keeps what must be read again. */
export function addSecretsCommands(program: CliCommand, answering: Answering): void {
  const secrets = program.command('secrets').description('Keys of SECRETS_KEY, which encrypt secrets in the database');
  secrets
    .command('key')
    .description('print a new key for SECRETS_KEY, without a database')
    .example('secrets key')
    .action(printKey);
  secrets
    .command('rotate')
    .description('encrypt every secret with the first key of SECRETS_KEY, so that the others can be removed')
    .example('secrets rotate')
    .action(answering(resealAll));
}

async function printKey(_options: object, command: Command): Promise<void> {
  const { newSecretsKey } = await import('../platform/secrets/secret-box.ts');
  const secretsKey = newSecretsKey();
  // The key alone, so that it can be put where it belongs by `$(…)`.
  process.stdout.write(`${wantsJson(command) ? JSON.stringify({ secretsKey }) : secretsKey}\n`);
}

async function resealAll() {
  const { withDatabase } = await import('./session.ts');
  const { resealCredentials } = await import('../domain/carriers/carriers.service.ts');
  const { resealSecrets } = await import('../domain/webhooks/secrets/webhook-secrets.service.ts');
  const { resealRequests } = await import('../platform/idempotency.ts');
  const { openSecretBox, UnknownKey } = await import('../platform/secrets/secret-box.ts');
  return withDatabase(async ({ config, database }) => {
    const box = await openSecretBox(config);
    try {
      let [secrets, resealed] = [0, 0];
      for (const resealKind of [resealSecrets, resealCredentials, resealRequests]) {
        const kind = await resealKind(database, box);
        secrets += kind.secrets;
        resealed += kind.resealed;
      }
      return { secrets, resealed };
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      throw new StartupError(`${error.message}: add that key behind the first.`);
    }
  });
}
