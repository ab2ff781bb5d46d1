import type { Database } from '../../platform/database/database.ts';
import type { Jobs } from '../../platform/jobs/jobs.ts';
import { tenantOfCompany } from '../access/access.service.ts';
import type { DeliveryRow } from './deliveries/deliveries.repository.ts';
import { deliveriesPage } from './deliveries/deliveries.service.ts';
import type { DeliveryStatus } from './deliveries/verdict.rules.ts';
import { allSelections, type EndpointRow } from './endpoints/endpoints.repository.ts';
import { issuesOfSelection, listEndpoints, webhookEndpoint } from './endpoints/endpoints.service.ts';
import { deliveries } from './webhooks.queues.ts';

export { postponeFailing } from './endpoints/endpoints.repository.ts';

/** An endpoint as an operator sees it. */
export interface EndpointSummary
  extends Pick<EndpointRow, 'id' | 'label' | 'url' | 'events' | 'filter' | 'selection' | 'state' | 'failingSince'> {
  /** How far the most recent delivery has come; null before the first. */
  readonly lastDelivery: DeliveryStatus | null;
}

/** Endpoints of a company, newest first, those that are no longer active too. @throws Fault `validation_failed` */
export async function endpointsOfCompany(database: Database, companyId: string): Promise<EndpointSummary[]> {
  const rows = await listEndpoints(await tenantOfCompany(database, companyId));
  return rows.map(endpointSummary);
}

export function endpointSummary(row: EndpointRow): EndpointSummary {
  const { id, label, url, events, filter, selection, state, failingSince, lastDelivery } = row;
  return { id, label, url, events, filter, selection, state, failingSince, lastDelivery: lastDelivery?.status ?? null };
}

/** A delivery as an operator sees it. */
export interface DeliverySummary
  extends Pick<DeliveryRow, 'id' | 'endpointId' | 'eventType' | 'eventId' | 'status' | 'attemptCount'> {
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly deliveredAt: Date | null;
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
    endpointId === undefined ? await listEndpoints(tenant) : [await webhookEndpoint(tenant, endpointId)];
  const filter = { status: status ? [status] : null, since: null };
  const page = { before: null, after: null, limit: max, inverted: false };
  const rows: DeliveryRow[] = [];
  for (const { id } of endpoints) rows.push(...(await deliveriesPage(tenant, id, filter, page)));
  return rows
    .sort((a, b) => b.id - a.id)
    .slice(0, max)
    .map(summaryOf);
}

function summaryOf(row: DeliveryRow): DeliverySummary {
  const { id, endpointId, eventType, eventId, status, attemptCount } = row;
  const [createdAt, nextAttemptAt, deliveredAt] = [row.createdAt, row.nextAttemptAt, row.deliveredAt].map(at =>
    at === null ? null : new Date(at),
  ) as [Date, Date | null, Date | null];
  return { id, endpointId, eventType, eventId, status, attemptCount, createdAt, nextAttemptAt, deliveredAt };
}

/** Sends deliveries that were given up once more, of all companies; workers carry it out. Returns how many. */
export async function redriveDeliveries(jobs: Jobs, max: number): Promise<number> {
  return jobs.redrive(deliveries, max);
}

/** How many endpoints of all companies have a selection, and those whose selection can no longer be used. */
export async function unusableSelections(
  database: Database,
): Promise<{ selections: number; unusable: readonly { companyId: string; id: string; reason: string }[] }> {
  const selections = await allSelections(database);
  const checked = await Promise.all(
    selections.map(async ({ companyId, id, selection }) => {
      const [issue] = await issuesOfSelection(selection);
      return issue ? [{ companyId, id, reason: issue.message }] : [];
    }),
  );
  return { selections: selections.length, unusable: checked.flat() };
}
