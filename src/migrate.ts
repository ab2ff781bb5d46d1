import { keyUsed } from './domain/access/access.jobs.ts';
import { POLL_SCHEDULES, polls } from './domain/polling/poll.jobs.ts';
import {
  clearEndpoint,
  deadDeliveries,
  deliveries,
  drainEndpoint,
  probeEndpoint,
  WEBHOOK_SCHEDULES,
} from './domain/webhooks/webhooks.jobs.ts';
import type { Database } from './platform/database/database.ts';
import { IDEMPOTENCY_SCHEDULES } from './platform/idempotency.ts';
import { installJobs, type JobKind, type Queue, type Schedule } from './platform/jobs/jobs.ts';

/** The kinds of job that need nothing but the database; a worker works them all. */
export const JOB_KINDS: readonly JobKind<never>[] = [keyUsed, probeEndpoint, clearEndpoint, drainEndpoint];

/** What comes round by the clock. */
export const SCHEDULES: readonly Schedule[] = [...WEBHOOK_SCHEDULES, ...POLL_SCHEDULES, ...IDEMPOTENCY_SCHEDULES];

/** Those whose work needs more, or is a loop's of its own, after the queues of their dead letters. */
const QUEUES: readonly Queue<never>[] = [deadDeliveries, deliveries, polls];

/** Brings the database to the shape this version needs; processes that start together follow each other. */
export async function migrate(database: Database): Promise<string[]> {
  return database.locked('migrate', async () => {
    const done = await database.migrate();
    await installJobs(database.pool, [...JOB_KINDS, ...SCHEDULES, ...QUEUES]);
    return done;
  });
}
