import type { JobData, Queue } from '../../platform/jobs/queues.ts';

/** Shipments of one connection that are due, and leased to this job until the time it names. */
export interface PollJob extends JobData {
  readonly carrierCompanyId: number;
  readonly shipmentIds: readonly number[];
  readonly leasedUntil: string;
}

/** How long shipments are left to the job that was made for them. */
export const LEASE_MINUTES = 30;

/** A worker that dies leaves its jobs to others within seconds. What is still here after its lease has run out was leased to another job. */
export const polls: Queue<PollJob> = {
  queue: 'tracking.poll',
  options: {
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    retryLimit: 3,
    retryDelay: 5,
    retentionSeconds: LEASE_MINUTES * 60,
    deleteAfterSeconds: 60,
  },
};
