import type { BatchKind, JobKind, Schedule } from '../../platform/jobs/job-kinds.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { RENEWED } from '../../platform/jobs/queues.ts';
import { clearBacklog, drain, probe } from './backlog/backlog.service.ts';
import { restartStalled } from './backlog/stalled-endpoints.service.ts';
import {
  type AttemptResult,
  type AttemptTools,
  attempt,
  jobsOfStopped,
  type Prepared,
  prepareAttempts,
} from './deliveries/attempt.service.ts';
import { settle } from './deliveries/settle.service.ts';
import { detectDelays } from './events/delays.service.ts';
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

export { deadDeliveries, deliveries } from './webhooks.queues.ts';

/** What deliveries are made with. */
interface DeliveryTools extends AttemptTools {
  readonly jobs: Jobs;
}

export const deliveryJob = (tools: DeliveryTools): BatchKind<DeliveryJob, Prepared, AttemptResult> => ({
  ...deliveries,
  // A hundred endpoints that hang leave none to others, until their breakers open.
  concurrency: 1_000,
  // For one endpoint: a slow one holds no more.
  perGroup: 10,
  // For what falls due, and for notifications that never came.
  pollSeconds: 1,
  prepare: held =>
    prepareAttempts(
      tools.database,
      held.map(({ data }) => data),
    ),
  work: ({ data }, prepared, signal) => attempt(tools, data, prepared, signal),
  settle: done => settle(tools.database, tools, done),
  revoked: held => jobsOfStopped(tools.database, held),
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
  work: (tenant, { endpointId }, jobs) => clearBacklog(tenant, jobs, endpointId),
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
  { queue: 'webhooks.delays', options: RENEWED, cron: '*/5 * * * *', work: detectDelays },
  { queue: 'webhooks.expiries', options: RENEWED, cron: '7 * * * *', work: findExpiries },
  { queue: 'webhooks.secrets', options: RENEWED, cron: '*/10 * * * *', work: expireSecrets },
];
