import type { JobData, Queue } from '../../../platform/jobs/queues.ts';

/** Due shipments of one connection, leased to this job until the given time. */
export interface PollJob extends JobData {
  /** The id of the carrier connection. Jobs are stored by this name, and processes of 1.0.0 read them. */
  readonly carrierCompanyId: number;
  readonly shipmentIds: readonly number[];
  readonly leasedUntil: string;
}

/** How long shipments are leased to the job that was made for them. */
export const LEASE_MINUTES = 30;

/** Other workers take over the jobs of a dead one within seconds. Older jobs have lost the lease of their shipments. */
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
