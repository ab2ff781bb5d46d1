import type { CompanyId } from '../../platform/database/tenancy/company-id.ts';
import type { JobData, Queue } from '../../platform/jobs/queues.ts';
import type { NoticeType } from './notices/notice.rules.ts';

/** A delivery that is due. Its ticket must be the delivery's own: one that is not is of a job that was given up. */
export interface DeliveryJob extends JobData {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly ticket: number;
  /** Sent although the breaker is open, to find out. */
  readonly isProbe?: boolean;
}

export interface EndpointJob extends JobData {
  readonly endpointId: string;
}

/** Notified of deliveries that are due. */
export const DUE_CHANNEL = 'webhook_deliveries';

/** Notified of an endpoint that was paused, deleted or disabled, by its id: what is in flight is broken off. */
export const STOPPED_CHANNEL = 'webhook_stopped';

const DAY_SECONDS = 86_400;

/** Deliveries that were given up. Their jobs lie here until they are redriven. */
export const deadDeliveries: Queue<DeliveryJob> = {
  queue: 'webhooks.dead',
  options: { retentionSeconds: 30 * DAY_SECONDS, deleteAfterSeconds: DAY_SECONDS },
};

/**
 * One job for each attempt that is to come. A worker that dies leaves its jobs to others within seconds; only the death of
 * many in a row makes a job fail.
 */
export const deliveries: Queue<DeliveryJob> = {
  queue: 'webhooks.deliver',
  options: {
    heartbeatSeconds: 10,
    expireInSeconds: 120,
    retryLimit: 100,
    // As long as workers may be away: what is deleted unworked is lost.
    retentionSeconds: 90 * DAY_SECONDS,
    deleteAfterSeconds: 60,
  },
  channel: DUE_CHANNEL,
  deadLetter: deadDeliveries,
};

/** A dead endpoint is to be tried again. */
export const probes: Queue<EndpointJob> = {
  queue: 'webhooks.probe',
  options: { retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
};

/** What waits for an endpoint that gets nothing is to be parked or cancelled. */
export const clearings: Queue<EndpointJob> = {
  queue: 'webhooks.clear',
  options: { retryLimit: 100, retryDelay: 1, deleteAfterSeconds: 3600 },
};

/** What is parked for an endpoint is to go out. One waits at a time, since each sends the next. */
export const drains: Queue<EndpointJob> = {
  queue: 'webhooks.drain',
  options: { retryLimit: 5, retryDelay: 5, deleteAfterSeconds: 3600 },
  policy: 'short',
};

/** A notice of another company, for a company that is told of all. */
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
