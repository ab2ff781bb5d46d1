import type { Command } from 'commander';
import { resealCredentials } from '../domain/carriers/carriers.service.ts';
import { resealSecrets } from '../domain/webhooks/upkeep.service.ts';
import { newSecretsKey, openSecretBox, UnknownKey } from '../platform/secret-box.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { Answering } from './output.ts';
import { withDatabase } from './session.ts';

/** `cli secrets …`: the keys under which the database keeps what must be read again. */
export function addSecretsCommands(program: Command, answering: Answering): void {
  const secrets = program.command('secrets').description('Secrets: the keys in SECRETS_KEY that seal them');
  secrets
    .command('key')
    .description('print a new key for SECRETS_KEY; needs no database')
    .action((_options: object, command: Command) => {
      const secretsKey = newSecretsKey();
      // The key alone, so that it can be put where it belongs by `$(…)`.
      const { json } = command.optsWithGlobals<{ json?: boolean }>();
      process.stdout.write(`${json ? JSON.stringify({ secretsKey }) : secretsKey}\n`);
    });
  secrets
    .command('rotate')
    .description('seal every secret anew with the first key of SECRETS_KEY; the others are needed no more')
    .action(
      answering(() =>
        withDatabase(async ({ config, database }) => {
          const box = await openSecretBox(config);
          try {
            const webhooks = await resealSecrets(database, box);
            const carriers = await resealCredentials(database, box);
            return {
              secrets: webhooks.secrets + carriers.secrets,
              resealed: webhooks.resealed + carriers.resealed,
            };
          } catch (error) {
            if (!(error instanceof UnknownKey)) throw error;
            throw new StartupError(`${error.message}: add that key behind the first.`);
          }
        }),
      ),
    );
}
