import { keyUsed } from './domain/access/access.jobs.ts';
import {
  clearEndpoint,
  deadDeliveries,
  deliveries,
  drainEndpoint,
  probeEndpoint,
  WEBHOOK_SCHEDULES,
} from './domain/webhooks/webhooks.jobs.ts';
import type { Database } from './platform/database.ts';
import { installJobs, type JobKind, type Queue, type Schedule } from './platform/jobs.ts';

/** Every kind of job; a worker works them all. */
export const JOB_KINDS: readonly JobKind<never>[] = [keyUsed, probeEndpoint, clearEndpoint, drainEndpoint];

/** What comes round by the clock. */
export const SCHEDULES: readonly Schedule[] = WEBHOOK_SCHEDULES;

/** Those that a loop of their own works, after the queues of their dead letters. */
const QUEUES: readonly Queue<never>[] = [deadDeliveries, deliveries];

/** Brings the database to the shape this version needs; processes that start together follow each other. */
export async function migrate(database: Database): Promise<string[]> {
  return database.locked('migrate', async () => {
    const done = await database.migrate();
    await installJobs(database.pool, [...JOB_KINDS, ...SCHEDULES, ...QUEUES]);
    return done;
  });
}
