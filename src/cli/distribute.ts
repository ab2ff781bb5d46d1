import type { CliCommand } from './cli-command.ts';
import { YES } from './options.ts';
import type { Answering } from './output.ts';

/** `distribute`: distributes the tables over the nodes of a Citus cluster. */
export function addDistributeCommand(program: CliCommand, answering: Answering): void {
  program
    .command('distribute')
    .description(
      'distribute the tables by company over the servers of a Citus cluster, once, while the service is stopped',
    )
    .option(...YES)
    .example('distribute')
    .action(answering(distributeDatabase));
}

async function distributeDatabase({ yes }: { yes?: true }) {
  const { confirm } = await import('./confirmation.ts');
  await confirm(
    'The tables will be distributed over the servers of the cluster; there is no command that undoes it.',
    yes,
  );
  const { distribute } = await import('../migrate.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(({ database }) => distribute(database));
}
