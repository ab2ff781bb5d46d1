import type { Command } from 'commander';
import { StartupError } from '../platform/startup-error.ts';
import type { CliCommand } from './cli-command.ts';
import { operatorName, wantsJson, YES } from './options.ts';
import type { Answering } from './output.ts';

/** `secrets …`: the keys that encrypt secrets in the database. */
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
    .option(
      '--leave-unreadable',
      'leave the secrets of a key that is lost as they are, and have processes start without it',
    )
    .option(...YES)
    .example('secrets rotate')
    .action(answering(rotate));
}

async function printKey(_options: object, command: Command): Promise<void> {
  const { newSecretsKey } = await import('../platform/secrets/secret-box.ts');
  const secretsKey = newSecretsKey();
  // Only the key is printed, so that `$(…)` can pass it on.
  process.stdout.write(`${wantsJson(command) ? JSON.stringify({ secretsKey }) : secretsKey}\n`);
}

async function rotate({ leaveUnreadable = false, yes }: { leaveUnreadable?: boolean; yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  if (leaveUnreadable) {
    await confirm(
      'Secrets that SECRETS_KEY does not decrypt stay unreadable, and processes start without their key.',
      yes,
    );
  }
  const { withDatabase } = await import('./session.ts');
  const { UnknownKey } = await import('../platform/secrets/secret-box.ts');
  const { resealAll } = await import('../wiring/service-secrets.ts');
  return withDatabase(async ({ config, database }) => {
    try {
      return await resealAll(database, config, leaveUnreadable);
    } catch (error) {
      if (!(error instanceof UnknownKey)) throw error;
      throw new StartupError(
        `${error.message}: add that key behind the first, or give --leave-unreadable if it is lost.`,
      );
    }
  });
}

/** `operator …`: the users of the pages for operators. */
export function addOperatorCommands(program: CliCommand): void {
  program
    .command('operator')
    .description('Users of the pages for operators, which OPS_USERS lists')
    .command('create')
    .description('make a password, and the entry of its user for OPS_USERS, without a database')
    .argument('<name>', 'name of the user', operatorName)
    .example('operator create anna')
    .action(create);
}

async function create(name: string, _options: object, command: Command): Promise<void> {
  const { newOperator } = await import('../platform/secrets/operators.ts');
  const { password, entry } = newOperator(name);
  process.stdout.write(
    wantsJson(command)
      ? `${JSON.stringify({ name, password, entry })}\n`
      : `Password of ${name}, which is shown only now: ${password}\nAdd to OPS_USERS: ${entry}\n`,
  );
}
