import { keyUsed } from './domain/access/access.jobs.ts';
import { resumedCompany } from './domain/companies/companies.jobs.ts';
import { POLL_SCHEDULES, polls } from './domain/polling/poll.jobs.ts';
import { PROMISE_SCHEDULES, promiseJob } from './domain/promise/promise.jobs.ts';
import { invoiceCheckJob } from './domain/spend/invoices/invoice.jobs.ts';
import { simulationJob } from './domain/spend/simulations/simulation.jobs.ts';
import { TARIFF_SCHEDULES } from './domain/tariffs/revisions/revisions.jobs.ts';
import {
  clearEndpoint,
  deadDeliveries,
  deliveries,
  drainEndpoint,
  forwardNotice,
  probeEndpoint,
  WEBHOOK_SCHEDULES,
} from './domain/webhooks/webhooks.jobs.ts';
import { commandName } from './platform/command-name.ts';
import type { Database } from './platform/database/database.ts';
import { type Distribution, distributeTables } from './platform/database/distribution/distribution.ts';
import type { OnMigration } from './platform/database/migrations/migrations.ts';
import type { JobKind, Schedule } from './platform/jobs/job-kinds.ts';
import { installJobs } from './platform/jobs/jobs.ts';
import { missingQueues, queueTablesVersion } from './platform/jobs/pgboss-tables.ts';
import type { Queue } from './platform/jobs/queues.ts';
import { StartupError } from './platform/startup-error.ts';
import { RETENTION_SCHEDULE } from './wiring/retention-rules.ts';

/** The kinds of job that need nothing but the database; a worker works them all. */
export const JOB_KINDS: readonly JobKind<never>[] = [
  keyUsed,
  probeEndpoint,
  clearEndpoint,
  drainEndpoint,
  forwardNotice,
  promiseJob,
  simulationJob,
  invoiceCheckJob,
  resumedCompany,
];

/** What comes round by the clock. */
export const SCHEDULES: readonly Schedule[] = [
  ...WEBHOOK_SCHEDULES,
  ...POLL_SCHEDULES,
  ...PROMISE_SCHEDULES,
  ...TARIFF_SCHEDULES,
  RETENTION_SCHEDULE,
];

/** Those whose work needs more, or is a loop's of its own, after the queues of their dead letters. */
const QUEUES: readonly Queue<never>[] = [deadDeliveries, deliveries, polls];

export const ALL_QUEUES = [...JOB_KINDS, ...SCHEDULES, ...QUEUES];

/** Held by whoever changes the database's shape. */
const LOCK = 'migrate';

/** Brings the database to the shape this version needs; processes that start together follow each other. */
export function migrate(database: Database, onMigration?: OnMigration): Promise<string[]> {
  return database.locked(LOCK, () => migrateLocked(database, onMigration));
}

async function migrateLocked(database: Database, onMigration?: OnMigration): Promise<string[]> {
  const done = await database.migrate(onMigration);
  await installJobs(database.pool, ALL_QUEUES);
  return done;
}

/** Distributes the tables of a migrated database over the nodes of a cluster. @throws StartupError */
export function distribute(database: Database): Promise<Distribution> {
  return database.locked(LOCK, () => distributeTables(database));
}

/**
 * Migrates a database that has no migration at all, and leaves every other one as it is. A process that finds another one
 * at this waits for its end.
 */
export async function setUpIfEmpty(database: Database): Promise<void> {
  if ((await missingFrom(database)) === undefined) return;
  await database.locked(LOCK, async () => {
    if ((await database.appliedMigrations()).length === 0) await migrateLocked(database);
  });
}

/** @throws StartupError where the database lacks something that `migrate` would make */
export async function requireMigrated(database: Database): Promise<void> {
  const missing = await missingFrom(database);
  if (missing === undefined) return;
  throw new StartupError(
    `The database is not migrated to this version (${missing}): run \`${commandName()} migrate\` first.`,
  );
}

/** What the database lacks of the shape this version needs, in words; undefined where it lacks nothing. */
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
