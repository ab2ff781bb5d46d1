import type { Config } from './config.ts';
import { FEATURES } from './features.ts';
import { commandName } from './platform/command-name.ts';
import type { Database } from './platform/database/database.ts';
import { recordMigratedVersion, requireUsable } from './platform/database/migrations/migrated-versions.ts';
import type { OnMigration } from './platform/database/migrations/migrations.ts';
import { currentRole } from './platform/database/server/service-role.ts';
import type { Schedule } from './platform/jobs/job-kinds.ts';
import { installJobs } from './platform/jobs/jobs.ts';
import { missingQueues, queueTablesVersion } from './platform/jobs/pgboss-tables.ts';
import { retentionSchedule } from './platform/retention-rule.ts';
import { StartupError } from './platform/startup-error.ts';
import type { Log } from './platform/telemetry/log.ts';

/** The kinds of job that need only the database; every worker runs all of them. */
export const JOB_KINDS = FEATURES.flatMap(({ jobs = [] }) => jobs);

/** All rules by which rows are deleted with age, in the order of a run. */
export const RETENTION_RULES = FEATURES.flatMap(({ retention = [] }) => retention);

/** Work that runs by the clock. */
export const SCHEDULES: readonly Schedule[] = [
  ...FEATURES.flatMap(({ schedules = [] }) => schedules),
  retentionSchedule(RETENTION_RULES),
];

export const ALL_QUEUES = [...JOB_KINDS, ...SCHEDULES, ...FEATURES.flatMap(({ queues = [] }) => queues)];

/** The lock of a process that changes the database's schema. */
const LOCK = 'migrate';

/** Migrates the database to this version; processes that start together wait for each other. */
export function migrate(database: Database, onMigration?: OnMigration): Promise<string[]> {
  return database.locked(LOCK, () => migrateLocked(database, onMigration));
}

async function migrateLocked(database: Database, onMigration?: OnMigration): Promise<string[]> {
  await requireUsable(database);
  const { role, mayMigrate } = await currentRole(database);
  if (!mayMigrate) {
    throw new StartupError(
      `${role} does not own the tables of the database: run \`${commandName()} migrate\` with the DATABASE_URL of the role that does.`,
    );
  }
  const done = await database.migrate(onMigration);
  await installJobs(database, ALL_QUEUES);
  await recordMigratedVersion(database);
  return done;
}

/** Migrates the database before a start, or requires that it was migrated, and logs what it does. */
export async function prepareDatabase(
  database: Database,
  { migrateOnStart }: Pick<Config, 'migrateOnStart'>,
  log: Log,
): Promise<void> {
  // A role that owns no table runs the service; another one has migrated.
  if (!migrateOnStart || !(await currentRole(database)).mayMigrate) return requireMigrated(database);
  await requireUsable(database);
  const { length: pending } = await database.pendingMigrations();
  if (pending > 0) log.info({ pending }, 'migrating the database');
  log.flush();
  const startedAtMs = performance.now();
  const { length: migrations } = await migrate(database);
  const afterMs = Math.round(performance.now() - startedAtMs);
  if (migrations > 0) log.info({ migrations, afterMs }, 'the database is migrated');
}

/** Migrates a database without any migration; if another process is doing so, it waits. */
export async function setUpIfEmpty(database: Database): Promise<void> {
  if ((await missingFrom(database)) === undefined) return;
  await database.locked(LOCK, async () => {
    if ((await database.appliedMigrations()).length === 0) await migrateLocked(database);
  });
}

/** @throws StartupError if a migration is missing, or if the database is too old or too new for this version */
export async function requireMigrated(database: Database): Promise<void> {
  await requireUsable(database);
  const missing = await missingFrom(database);
  if (missing === undefined) return;
  throw new StartupError(
    `The database is not migrated to this version (${missing}): run \`${commandName()} migrate\` first.`,
  );
}

/** The missing parts of this version's schema, in words; undefined if nothing is missing. */
async function missingFrom(database: Database): Promise<string | undefined> {
  const pending = await database.pendingMigrations();
  if (pending.length > 0) return `still to be run: ${pending.join(', ')}`;
  const { found, needed } = await queueTablesVersion(database);
  if (found === undefined) return "pg-boss' tables are missing";
  if (found < needed) return `pg-boss' tables have version ${found}, and version ${needed} is needed`;
  const queues = await missingQueues(
    database,
    ALL_QUEUES.map(({ queue }) => queue),
  );
  return queues.length > 0 ? `queues are missing: ${queues.join(', ')}` : undefined;
}
