import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { JobData, Queue } from '../../../platform/jobs/queues.ts';
import type { NoticeType } from './notices/notice.rules.ts';

/** A due delivery. If its ticket is not the delivery's own, the job is outdated. */
export interface DeliveryJob extends JobData {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly ticket: number;
  /** Whether it is a probe, sent although the breaker is open. */
  readonly isProbe?: boolean;
}

export interface EndpointJob extends JobData {
  readonly endpointId: string;
}

const DUE_CHANNEL = 'webhook_deliveries';

/** Notified with the id of an endpoint that was paused, deleted or disabled: its attempts are aborted. */
export const STOPPED_CHANNEL = 'webhook_stopped';

const DAY_SECONDS = 86_400;

/** Deliveries that failed for good. Their jobs stay here until they are redriven. */
export const deadDeliveries: Queue<DeliveryJob> = {
  queue: 'webhooks.dead',
  options: { retentionSeconds: 30 * DAY_SECONDS, deleteAfterSeconds: DAY_SECONDS },
};

/**
 * One job for each future attempt. Other workers take over the jobs of a dead one within seconds; only the death of
 * many workers in a row makes a job fail.
 */
export const deliveries: Queue<DeliveryJob> = {
  queue: 'webhooks.deliver',
  options: {
    heartbeatSeconds: 10,
    expireInSeconds: 120,
    retryLimit: 100,
    // Longer than any absence of workers, because deleted jobs are lost.
    retentionSeconds: 90 * DAY_SECONDS,
    deleteAfterSeconds: 60,
  },
  channel: DUE_CHANNEL,
  deadLetter: deadDeliveries,
};

export const probes: Queue<EndpointJob> = {
  queue: 'webhooks.probe',
  options: { retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
};

/** Holds back or cancels the deliveries of a stopped endpoint. */
export const clearings: Queue<EndpointJob> = {
  queue: 'webhooks.clear',
  options: { retryLimit: 100, retryDelay: 1, deleteAfterSeconds: 3600 },
};

/** Sends the deliveries held back for an endpoint. One waits at a time, because each sends the next. */
export const drains: Queue<EndpointJob> = {
  queue: 'webhooks.drain',
  options: { retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
  policy: 'short',
};

/** A notice of another company, for a company that receives the notices of all. */
export interface ForwardedNotice extends JobData {
  readonly about: CompanyId;
  readonly eventId: string;
  readonly type: NoticeType;
  readonly body: string;
}

export const forwardedNotices: Queue<ForwardedNotice> = {
  queue: 'webhooks.notices',
  options: { retryLimit: 100, retryDelay: 1, retentionSeconds: 90 * DAY_SECONDS, deleteAfterSeconds: 3600 },
};
