import type { JobData, Queue } from '../../platform/jobs/queues.ts';

/** The company whose table is to be calculated. */
export type PromiseJob = JobData;

/** A run that its worker does not finish is begun anew by another one; until then the old table stays. */
export const promiseRuns: Queue<PromiseJob> = {
  queue: 'promise.compute',
  options: { heartbeatSeconds: 10, expireInSeconds: 3600, retryLimit: 3, retryDelay: 60, deleteAfterSeconds: 3600 },
  policy: 'short',
};
