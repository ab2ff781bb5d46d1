import type { Command } from 'commander';
import type { Answering } from './output.ts';

/** `cli migrate`: the one command that changes the shape of a database that is not empty. */
export function addMigrateCommand(program: Command, answering: Answering): void {
  program.command('migrate').description('migrate the database to this version').action(answering(migrateDatabase));
}

async function migrateDatabase() {
  const { readConfig } = await import('../config.ts');
  const { migrate } = await import('../migrate.ts');
  const { withDatabaseAsItIs } = await import('./session.ts');
  return withDatabaseAsItIs(readConfig(), async ({ database }) => ({ migrations: await migrate(database) }));
}
