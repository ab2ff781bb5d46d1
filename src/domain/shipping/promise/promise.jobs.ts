import type { Housekeeping, JobKind, Schedule } from '../../../platform/jobs/job-kinds.ts';
import { type JobData, type Queue, RENEWED } from '../../../platform/jobs/queues.ts';
import { computePromises } from './compute.service.ts';
import { companiesWithConnections } from './promise.repository.ts';

/** The company whose table is to be calculated. */
type PromiseJob = JobData;

/** If a worker dies, another one starts the run again; the old table stays meanwhile. */
const promiseRuns: Queue<PromiseJob> = {
  queue: 'promise.compute',
  options: { heartbeatSeconds: 10, expireInSeconds: 3600, retryLimit: 3, retryDelay: 60, deleteAfterSeconds: 3600 },
  policy: 'short',
};

/** One at a time in a worker: each needs a core of the database, and memory for sorting. */
export const promiseJob: JobKind<PromiseJob> = {
  ...promiseRuns,
  concurrency: 1,
  pollSeconds: 2,
  work: async tenant => {
    await computePromises(tenant);
  },
};

const AT_ONCE = 1_000;

/** Inserts a job for each company, unless one still waits. */
async function enqueueRuns({ database, jobs }: Housekeeping): Promise<void> {
  const companyIds = await companiesWithConnections(database);
  for (let from = 0; from < companyIds.length; from += AT_ONCE) {
    const batch = companyIds.slice(from, from + AT_ONCE);
    await database.transaction(em =>
      jobs.insert(
        em,
        promiseRuns,
        batch.map(companyId => ({ data: { companyId }, key: companyId })),
      ),
    );
  }
}

/** At night in Italy, when the deliveries of the day are known and traffic is low. */
export const PROMISE_SCHEDULES: readonly Schedule[] = [
  { queue: 'promise.nightly', options: RENEWED, cron: '30 1 * * *', work: enqueueRuns },
];
