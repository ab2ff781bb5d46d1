import { keyUsed } from './domain/access/access.jobs.ts';
import type { Database } from './platform/database.ts';
import { installJobs, type JobKind } from './platform/jobs.ts';

/** Every kind of job; a worker works them all. */
export const JOB_KINDS = [keyUsed] as const satisfies readonly JobKind<never>[];

/** Brings the database to the shape this version needs; processes that start together follow each other. */
export async function migrate(database: Database): Promise<string[]> {
  return database.locked('migrate', async () => {
    const done = await database.migrate();
    await installJobs(database.pool, JOB_KINDS);
    return done;
  });
}
