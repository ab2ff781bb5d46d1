import type { Database } from '../platform/database/database.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import type { CliCommand } from './cli-command.ts';
import type { Answering } from './output.ts';

/** `migrate`: the only command that changes the schema of a database that is not empty. */
export function addMigrateCommand(program: CliCommand, answering: Answering): void {
  program
    .command('migrate')
    .description('migrate the database to this version')
    .option('--grant <role>', 'grant a role of the database what it needs to run the service')
    .example('migrate', 'migrate --grant shipping_app')
    .action(
      answering(migrateDatabase, {
        inWords: done => {
          if (done.migrations.length > 0) return done;
          const upToDate = `up to date, version ${SERVICE_VERSION}`;
          if (done.granted === undefined) return `Nothing to do: the database is ${upToDate}.`;
          return { database: upToDate, granted: done.granted };
        },
      }),
    );
}

async function migrateDatabase({ grant: role }: { grant?: string }) {
  const { readConfig } = await import('../config.ts');
  const { grant, grantsFor } = await import('../platform/database/server/service-role.ts');
  const { withDatabaseAsItIs } = await import('./session.ts');
  return withDatabaseAsItIs(readConfig(), async ({ database }) => {
    // A role that is missing is found before anything changes.
    const grants = role === undefined ? [] : await grantsFor(database, role);
    const migrations = await migrateWithProgress(database);
    if (role !== undefined) await grant(database, grants);
    return { migrations, ...(role !== undefined && { granted: role }) };
  });
}

async function migrateWithProgress(database: Database): Promise<string[]> {
  const { migrate } = await import('../migrate.ts');
  const { Progress } = await import('./progress.ts');
  const { lacking, missingParts, RESTORE } = await import('../platform/database/migrations/database-shape.ts');
  const { requireUsable } = await import('../platform/database/migrations/migrated-versions.ts');
  const { StartupError } = await import('../platform/startup-error.ts');
  // Before the shape is compared, which a newer version has changed.
  await requireUsable(database);
  const total = (await database.pendingMigrations()).length;
  if (total === 0) {
    const missing = await missingParts(database);
    if (missing.length > 0) throw new StartupError(`Nothing to migrate, but ${lacking(missing)}: ${RESTORE}.`);
    return migrate(database);
  }
  const progress = new Progress('migrations');
  try {
    return await migrate(database, (done, name) => progress.update(done, done / total, name));
  } finally {
    progress.end();
  }
}

/** `grant`: prints the rights of the role that runs the service; `migrate --grant` gives them. */
export function addGrantCommand(program: CliCommand, answering: Answering): void {
  program
    .command('grant')
    .description('print the SQL with which the owner of the tables lets another role run the service')
    .argument('<role>', 'role of the database that runs the service')
    .example('grant shipping_app')
    .action(answering(grant, { inWords: ({ statements }) => statements.map(one => `${one};`).join('\n') }));
}

async function grant(role: string) {
  const { grantsFor } = await import('../platform/database/server/service-role.ts');
  const { withDatabase } = await import('./session.ts');
  return withDatabase(async ({ database }) => ({ statements: await grantsFor(database, role) }));
}
