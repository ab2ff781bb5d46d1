import type { CliCommand } from './cli-command.ts';
import type { Answering } from './output.ts';

/** `migrate`: the only command that changes the schema of a database that is not empty. */
export function addMigrateCommand(program: CliCommand, answering: Answering): void {
  program
    .command('migrate')
    .description('migrate the database to this version')
    .example('migrate')
    .action(
      answering(migrateDatabase, {
        inWords: done =>
          done.migrations.length > 0 ? done : 'Nothing to do: no migration is pending, and the queues are up to date.',
      }),
    );
}

async function migrateDatabase() {
  const { readConfig } = await import('../config.ts');
  const { migrate } = await import('../migrate.ts');
  const { withDatabaseAsItIs } = await import('./session.ts');
  const { Progress } = await import('./progress.ts');
  const { lacking, missingParts, RESTORE } = await import('../platform/database/migrations/database-shape.ts');
  const { requireNewEnough } = await import('../platform/database/migrations/migrated-versions.ts');
  const { StartupError } = await import('../platform/startup-error.ts');
  return withDatabaseAsItIs(readConfig(), async ({ database }) => {
    // Before the shape is compared, which a newer version has changed.
    await requireNewEnough(database);
    const total = (await database.pendingMigrations()).length;
    if (total === 0) {
      const missing = await missingParts(database);
      if (missing.length > 0) throw new StartupError(`Nothing to migrate, but ${lacking(missing)}: ${RESTORE}.`);
      return { migrations: await migrate(database) };
    }
    const progress = new Progress('migrations');
    try {
      return {
        migrations: await migrate(database, (done, name) => progress.update(done, done / total, name)),
      };
    } finally {
      progress.end();
    }
  });
}
