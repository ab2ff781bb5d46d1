import type { Command } from 'commander';
import type { Answering } from './output.ts';

/** `cli distribute`: the tables over the nodes of a Citus cluster. */
export function addDistributeCommand(program: Command, answering: Answering): void {
  program
    .command('distribute')
    .description(
      'distribute the tables by company over the servers of a Citus cluster, once, while the service is stopped',
    )
    .action(answering(distributeDatabase));
}

async function distributeDatabase() {
  const { distribute } = await import('../migrate.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(({ database }) => distribute(database));
}
