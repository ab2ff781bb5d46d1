import type { Command } from 'commander';
import type { CliCommand } from './cli-command.ts';
import { operatorName, wantsJson } from './options.ts';

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
