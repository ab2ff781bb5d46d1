import { type JobKind, RENEWED, type Schedule } from '../../platform/jobs/jobs.ts';
import { clearBacklog, drain, probe } from './backlog/backlog.service.ts';
import { detectDelays, sweep } from './events/delays.service.ts';
import { retain } from './retention/webhook-retention.service.ts';
import { expireSecrets } from './secrets/webhook-secrets.service.ts';
import { clearings, drains, type EndpointJob, probes } from './webhooks.queues.ts';

export { deadDeliveries, deliveries } from './webhooks.queues.ts';

export const probeEndpoint: JobKind<EndpointJob> = {
  ...probes,
  batchSize: 20,
  pollingIntervalSeconds: 1,
  work: (tenant, { endpointId }, jobs) => probe(tenant, endpointId, jobs),
};

export const clearEndpoint: JobKind<EndpointJob> = {
  ...clearings,
  batchSize: 1,
  pollingIntervalSeconds: 0.5,
  work: (tenant, { endpointId }, jobs) => clearBacklog(tenant, jobs, endpointId),
};

export const drainEndpoint: JobKind<EndpointJob> = {
  ...drains,
  batchSize: 20,
  pollingIntervalSeconds: 0.5,
  work: (tenant, { endpointId }, jobs) => drain(tenant, endpointId, jobs),
};

export const WEBHOOK_SCHEDULES: readonly Schedule[] = [
  { queue: 'webhooks.sweep', options: RENEWED, cron: '* * * * *', work: sweep },
  { queue: 'webhooks.delays', options: RENEWED, cron: '*/5 * * * *', work: detectDelays },
  { queue: 'webhooks.retention', options: RENEWED, cron: '17 * * * *', work: retain },
  { queue: 'webhooks.secrets', options: RENEWED, cron: '*/10 * * * *', work: expireSecrets },
];
