import type { Database } from '../../platform/database.ts';
import type { Jobs } from '../../platform/jobs.ts';
import { tenantOfCompany } from '../access/access.service.ts';
import { type EndpointState, stateOf } from './endpoint.rules.ts';
import type { EndpointRow } from './endpoints.repository.ts';
import { webhookEndpoints } from './endpoints.service.ts';
import type { DeliveryStatus } from './verdict.rules.ts';
import { deliveries } from './webhooks.queues.ts';

/** An endpoint as an operator sees it. */
export interface EndpointSummary extends Pick<EndpointRow, 'id' | 'label' | 'url' | 'events' | 'failingSince'> {
  readonly state: EndpointState;
  /** How far the most recent delivery has come; null before the first. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** Endpoints of a company, newest first, those that are no longer active too. @throws Fault `validation_failed` */
export async function endpointsOfCompany(database: Database, companyId: string): Promise<EndpointSummary[]> {
  const rows = await webhookEndpoints(await tenantOfCompany(database, companyId));
  return rows.map(row => {
    const { id, label, url, events, failingSince, lastDelivery } = row;
    return { id, label, url, events, state: stateOf(row), failingSince, lastDelivery: lastDelivery?.status ?? null };
  });
}

/** Sends deliveries that were given up once more, of all companies; workers carry it out. Answers how many. */
export async function redriveDeliveries(jobs: Jobs, max: number): Promise<number> {
  return jobs.redrive(deliveries, max);
}
