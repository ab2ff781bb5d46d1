import { keyUsed } from './domain/access/access.jobs.ts';
import type { Database } from './platform/database.ts';
import { installJobs, type JobKind } from './platform/jobs.ts';

/** Every kind of job; a worker works them all. */
export const JOB_KINDS = [keyUsed] as const satisfies readonly JobKind<never>[];

const LOCK = 0x6d696772;

/** Brings the database to the shape this version needs; processes that start together follow each other. */
export async function migrate(database: Database): Promise<string[]> {
  const client = await database.pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    const done = await database.orm.migrator.up();
    await installJobs(database.pool, JOB_KINDS);
    return done.map(({ name }) => name);
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
    client.release(true);
  }
}

/** Names of the migrations that are still to be run. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  return (await database.orm.migrator.getPending()).map(({ name }) => name);
}
