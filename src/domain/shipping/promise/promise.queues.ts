import type { JobData, Queue } from '../../../platform/jobs/queues.ts';

/** The company whose table is to be calculated. */
export type PromiseJob = JobData;

/** If a worker dies, another one starts the run again; the old table stays meanwhile. */
export const promiseRuns: Queue<PromiseJob> = {
  queue: 'promise.compute',
  options: { heartbeatSeconds: 10, expireInSeconds: 3600, retryLimit: 3, retryDelay: 60, deleteAfterSeconds: 3600 },
  policy: 'short',
};
