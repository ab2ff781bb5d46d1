import type { BatchKind, JobKind, Schedule } from '../../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import { RENEWED } from '../../../platform/jobs/queues.ts';
import { deletedByAge, oldestRow, type RetentionRule } from '../../../platform/retention-rule.ts';
import { clearBacklog, drain, probe, restartStalled } from './backlog/backlog.service.ts';
import {
  type AttemptResult,
  type AttemptTools,
  attempt,
  jobsOfStopped,
  type Prepared,
  prepareAttempts,
} from './deliveries/attempt.service.ts';
import { completeAttempts } from './deliveries/attempt-results.service.ts';
import { deleteEvents } from './events/webhook-retention.repository.ts';
import { findExpiries } from './notices/expiries.service.ts';
import { writeForwardedNotice } from './notices/notices.service.ts';
import { expireSecrets } from './secrets/webhook-secrets.service.ts';
import {
  clearings,
  type DeliveryJob,
  deliveries,
  drains,
  type EndpointJob,
  type ForwardedNotice,
  forwardedNotices,
  probes,
} from './webhooks.queues.ts';

interface DeliveryTools extends AttemptTools {
  readonly jobs: Jobs;
}

export const deliveryJob = (tools: DeliveryTools): BatchKind<DeliveryJob, Prepared, AttemptResult> => ({
  ...deliveries,
  // Enough slots that a hundred hanging endpoints leave some to others, until their breakers open.
  concurrency: 1_000,
  // The limit of one endpoint, so that a slow one takes no more.
  perGroup: 10,
  // Short, for deliveries that fall due, and for lost notifications.
  pollSeconds: 1,
  prepare: leased =>
    prepareAttempts(
      tools.database,
      leased.map(({ data }) => data),
    ),
  work: ({ data }, prepared, signal) => attempt(tools, data, prepared, signal),
  complete: done => completeAttempts(tools.database, tools, done),
  revoked: leased => jobsOfStopped(tools.database, leased),
});

export const probeEndpoint: JobKind<EndpointJob> = {
  ...probes,
  concurrency: 4,
  pollSeconds: 1,
  work: (tenant, { endpointId }, jobs) => probe(tenant, endpointId, jobs),
};

export const clearEndpoint: JobKind<EndpointJob> = {
  ...clearings,
  concurrency: 1,
  pollSeconds: 0.5,
  work: (tenant, { endpointId }) => clearBacklog(tenant, endpointId),
};

export const drainEndpoint: JobKind<EndpointJob> = {
  ...drains,
  concurrency: 4,
  pollSeconds: 0.5,
  work: (tenant, { endpointId }, jobs) => drain(tenant, endpointId, jobs),
};

export const forwardNotice: JobKind<ForwardedNotice> = {
  ...forwardedNotices,
  concurrency: 4,
  pollSeconds: 1,
  work: writeForwardedNotice,
};

export const WEBHOOK_SCHEDULES: readonly Schedule[] = [
  { queue: 'webhooks.sweep', options: RENEWED, cron: '* * * * *', work: restartStalled },
  { queue: 'webhooks.expiries', options: RENEWED, cron: '7 * * * *', work: findExpiries },
  { queue: 'webhooks.secrets', options: RENEWED, cron: '*/10 * * * *', work: expireSecrets },
];

const kept: RetentionRule['kept'] = { setting: 'WEBHOOK_RETENTION_DAYS', days: ({ webhookDays }) => webhookDays };

/** Attempts come first, because they are the most; the rest cascades from events. */
export const WEBHOOK_RETENTION_RULES: readonly RetentionRule[] = [
  {
    ...deletedByAge({ table: 'webhook_attempt', key: 'company_id, delivery_id, number', at: 'started_at' }),
    what: 'attempts to deliver webhooks',
    how: 'deleted',
    kept,
  },
  {
    table: 'webhook_event',
    what: 'webhook events with their deliveries',
    how: 'deleted once no delivery of the event is still to be made',
    kept,
    remove: deleteEvents,
    oldest: oldestRow('webhook_event', 'created_at'),
  },
];
