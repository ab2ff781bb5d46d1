import type { IdPage, ListPage } from '../../../platform/database/page.ts';
import { ms } from '../../../platform/database/sql.ts';
import { companyStatement, type Tenant } from '../../../platform/database/tenancy.ts';
import type { EventType } from '../events/event.rules.ts';
import type { AttemptOutcome, DeliveryStatus } from './verdict.rules.ts';

/** A delivery as callers see it. Times are milliseconds since 1970. */
export interface DeliveryRow {
  readonly id: number;
  readonly endpointId: string;
  readonly eventId: string;
  readonly eventType: EventType;
  readonly sequence: number;
  readonly status: DeliveryStatus;
  readonly attemptCount: number;
  readonly isParked: boolean;
  readonly nextAttemptAt: number | null;
  readonly deliveredAt: number | null;
  readonly createdAt: number;
}

export interface AttemptRow {
  readonly number: number;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly outcome: AttemptOutcome;
  readonly status: number | null;
  readonly answer: string | null;
  readonly nextAt: number | null;
}

// Numbers: an id of a delivery stays below 2^53 for longer than there will be anyone to count.
const DELIVERY = `select d.id::float8 as id, d.endpoint_id as "endpointId", d.event_id as "eventId", e.type as "eventType", e.sequence,
    d.status, d.attempts as "attemptCount", d.parked as "isParked", ${ms('d.next_attempt_at')} as "nextAttemptAt",
    ${ms('d.delivered_at')} as "deliveredAt", ${ms('d.created_at')} as "createdAt"
  from webhook_delivery d join webhook_event e on e.company_id = d.company_id and e.id = d.event_id where d.company_id = $1`;

const page = (order: 'asc' | 'desc') => `${DELIVERY} and d.endpoint_id = $2
    and ($3::bigint is null or d.id < $3) and ($4::bigint is null or d.id > $4)
    and ($6::text[] is null or d.status = any($6)) and ($7::timestamptz is null or d.created_at >= $7)
  order by d.id ${order} limit $5`;
const PAGE_NEWEST = companyStatement('webhook-deliveries-newest', page('desc'));
const PAGE_OLDEST = companyStatement('webhook-deliveries-oldest', page('asc'));

export function deliveryPage(
  tenant: Tenant,
  endpointId: string,
  filter: { readonly status: readonly DeliveryStatus[] | null; readonly since: Date | null },
  { before, after, limit, inverted }: IdPage,
): Promise<DeliveryRow[]> {
  const statement = inverted ? PAGE_OLDEST : PAGE_NEWEST;
  return tenant.rows<DeliveryRow>(statement, endpointId, after, before, limit, filter.status, filter.since);
}

const BY_ID = companyStatement('webhook-delivery', `${DELIVERY} and d.id = $2::bigint`);

export async function deliveryById(tenant: Tenant, id: number): Promise<DeliveryRow | undefined> {
  const [row] = await tenant.rows<DeliveryRow>(BY_ID, id);
  return row;
}

const ATTEMPTS = companyStatement(
  'webhook-attempts',
  `select a.delivery_id::float8 as "deliveryId", a.number, ${ms('a.started_at')} as "startedAt", a.duration_ms as "durationMs", a.outcome,
      a.status, a.answer, ${ms('a.next_at')} as "nextAt"
    from unnest($2::bigint[]) as asked(id) cross join lateral (
      select * from webhook_attempt where company_id = $1 and delivery_id = asked.id and ($3::bigint is null or number > $3)
        order by number limit $4
    ) a order by a.delivery_id, a.number`,
);

/** A part of the attempts of each delivery, first to last, in the order of the ids. */
export async function attemptsOf(
  tenant: Tenant,
  ids: readonly number[],
  { after, limit }: ListPage<number>,
): Promise<(readonly AttemptRow[])[]> {
  const rows = await tenant.rows<AttemptRow & { deliveryId: number }>(ATTEMPTS, ids, after, limit);
  const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
  return ids.map(id => byDelivery.get(id) ?? []);
}

const BODY = companyStatement('webhook-event-body', 'select body from webhook_event where company_id = $1 and id = $2');

export async function eventBody(tenant: Tenant, eventId: string): Promise<string> {
  const [row] = await tenant.rows<{ body: string }>(BODY, eventId);
  return row?.body ?? '';
}
