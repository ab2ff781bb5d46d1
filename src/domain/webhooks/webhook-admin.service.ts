import type { Database } from '../../platform/database/database.ts';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { invalid } from '../../platform/fault.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import type { Caps } from '../../platform/limits/caps.ts';
import { tenantOfCompany } from '../access/access.service.ts';
import { type AttemptRow, attemptsOf, type DeliveryRow } from './deliveries/deliveries.repository.ts';
import { deliveriesPage } from './deliveries/deliveries.service.ts';
import type { DeliveryStatus } from './deliveries/verdict.rules.ts';
import type { EndpointInput, EndpointPatch } from './endpoints/endpoint.input.ts';
import { allSelections, type EndpointRow, listEndpoints } from './endpoints/endpoints.repository.ts';
import {
  createEndpoint,
  type EndpointWithSecret,
  updateEndpoint,
  type WebhookSettings,
  webhookEndpoint,
} from './endpoints/endpoints.service.ts';
import { issuesOfSelection } from './events/event.payload.ts';
import { isOfNotices } from './notices/notice.rules.ts';
import { createNoticeEndpoint, updateNoticeEndpoint } from './notices/notice-endpoints.service.ts';
import { deadDeliveries } from './webhooks.queues.ts';

export { postponeFailing } from './endpoints/endpoints.repository.ts';

export interface EndpointSummary
  extends Pick<
    EndpointRow,
    'id' | 'label' | 'url' | 'topic' | 'allCompanies' | 'events' | 'filter' | 'selection' | 'state' | 'failingSince'
  > {
  /** The status of the most recent delivery; null before the first. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** Endpoints of a company, newest first, including inactive ones. @throws Fault `validation_failed` */
export async function endpointsOfCompany(database: Database, companyId: string): Promise<EndpointSummary[]> {
  const rows = await listEndpoints(await tenantOfCompany(database, companyId), null);
  return rows.map(endpointSummary);
}

export function endpointSummary(row: EndpointRow): EndpointSummary {
  const { id, label, url, topic, allCompanies, events, filter, selection, state, failingSince } = row;
  const lastDelivery = row.lastDelivery?.status ?? null;
  return { id, label, url, topic, allCompanies, events, filter, selection, state, failingSince, lastDelivery };
}

/**
 * Creates an endpoint with the topic of its events.
 *
 * @param allCompanies whether it receives the notices of all companies
 * @throws Fault `validation_failed`, `webhook_limit_reached`
 */
export function createEndpointForEvents(
  tenant: Tenant,
  settings: WebhookSettings,
  caps: Pick<Caps, 'webhookEndpoints'>,
  { events, ...fields }: EndpointInput,
  { allCompanies }: { readonly allCompanies: boolean },
): Promise<EndpointWithSecret> {
  if (events.some(isOfNotices)) {
    return createNoticeEndpoint(tenant, settings, caps, { ...fields, notices: events }, { allCompanies });
  }
  if (!allCompanies) return createEndpoint(tenant, settings, caps, { events, ...fields });
  const message = 'must be left out, unless the events are notices';
  throw invalid([{ path: ['allCompanies'], code: 'not_allowed', message }]);
}

/** Changes the given fields of an endpoint of any topic. @throws Fault `validation_failed`, `webhook_not_found` */
export async function updateEndpointOfAnyTopic(
  tenant: Tenant,
  jobs: Jobs,
  settings: WebhookSettings,
  id: string,
  patch: EndpointPatch,
): Promise<EndpointRow> {
  const { topic } = await webhookEndpoint(tenant, id);
  if (topic === 'tracking') return updateEndpoint(tenant, jobs, settings, id, patch);
  const { events, ...fields } = patch;
  return updateNoticeEndpoint(tenant, jobs, settings, id, { ...fields, ...(events && { notices: events }) });
}

export interface DeliverySummary
  extends Pick<DeliveryRow, 'id' | 'endpointId' | 'eventType' | 'eventId' | 'status' | 'attemptCount'> {
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
  /** The outcome of the latest stored attempt, and its HTTP status, if there was a response. */
  readonly lastAttempt: Pick<AttemptRow, 'outcome' | 'status'> | null;
}

/**
 * Deliveries of a company, newest first, to one of its endpoints or to all.
 *
 * @throws Fault `validation_failed`, `webhook_not_found`
 */
export async function deliveriesOfCompany(
  database: Database,
  companyId: string,
  { endpointId, status, max }: { endpointId: string | undefined; status: DeliveryStatus | undefined; max: number },
): Promise<DeliverySummary[]> {
  const tenant = await tenantOfCompany(database, companyId);
  const endpoints =
    endpointId === undefined ? await listEndpoints(tenant, null) : [await webhookEndpoint(tenant, endpointId)];
  const filter = { status: status ? [status] : null, from: null, to: null };
  const page = { before: null, after: null, limit: max, inverted: false };
  const rows: DeliveryRow[] = [];
  for (const { id } of endpoints) rows.push(...(await deliveriesPage(tenant, id, filter, page)));
  const newest = rows.sort((a, b) => b.id - a.id).slice(0, max);
  return Promise.all(newest.map(row => summaryOf(tenant, row)));
}

async function summaryOf(tenant: Tenant, row: DeliveryRow): Promise<DeliverySummary> {
  const { id, endpointId, eventType, eventId, status, attemptCount } = row;
  const [createdAt, nextAttemptAt, deliveredAt] = [row.createdAt, row.nextAttemptAt, row.deliveredAt].map(at =>
    at === null ? null : new Date(at),
  ) as [Date, Date | null, Date | null];
  const [last] = attemptCount === 0 ? [] : await attemptsOf(tenant, id, { after: attemptCount - 1, limit: 1 });
  const lastAttempt = last ? { outcome: last.outcome, status: last.status } : null;
  return {
    id,
    endpointId,
    eventType,
    eventId,
    status,
    attemptCount,
    lastAttempt,
    createdAt,
    nextAttemptAt,
    deliveredAt,
  };
}

/** Sends failed deliveries of all companies again, by the workers. Returns how many. */
export async function redriveDeliveries(jobs: Jobs, max: number): Promise<number> {
  return jobs.redrive(deadDeliveries, max);
}

/** Counts endpoints with a selection over all companies, and those whose selection is no longer valid. */
export async function unusableSelections(
  database: Database,
): Promise<{ selections: number; unusable: readonly { companyId: string; id: string; reason: string }[] }> {
  const selections = await allSelections(database);
  const checked = await Promise.all(
    selections.map(async ({ companyId, id, selection }) => {
      const [issue] = await issuesOfSelection(selection, { isStored: true });
      return issue ? [{ companyId, id, reason: issue.message }] : [];
    }),
  );
  return { selections: selections.length, unusable: checked.flat() };
}
