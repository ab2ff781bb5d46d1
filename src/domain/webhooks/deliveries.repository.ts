import type { IdPage } from '../../platform/page.ts';
import { companyStatement, type Tenant, type TenantTransaction } from '../../platform/tenancy.ts';
import type { EventType } from './event.rules.ts';
import type { NewDelivery } from './fan-out.repository.ts';
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

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

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
  `select delivery_id::float8 as "deliveryId", number, ${ms('started_at')} as "startedAt", duration_ms as "durationMs", outcome, status,
      answer, ${ms('next_at')} as "nextAt"
    from webhook_attempt where company_id = $1 and delivery_id = any($2::bigint[]) order by delivery_id, number`,
);

/** Attempts of each delivery, first to last, in the order of the ids. */
export async function attemptsOf(tenant: Tenant, ids: readonly number[]): Promise<(readonly AttemptRow[])[]> {
  const rows = await tenant.rows<AttemptRow & { deliveryId: number }>(ATTEMPTS, ids);
  const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
  return ids.map(id => byDelivery.get(id) ?? []);
}

const BODY = companyStatement('webhook-event-body', 'select body from webhook_event where company_id = $1 and id = $2');

export async function eventBody(tenant: Tenant, eventId: string): Promise<string> {
  const [row] = await tenant.rows<{ body: string }>(BODY, eventId);
  return row?.body ?? '';
}

const RENEWED = `status = 'pending', tries = 0, ticket = d.ticket + 1, next_attempt_at = now(), updated_at = now()`;
const NEW_DELIVERY = `d.id::text, d.endpoint_id as "endpointId", d.ticket, d.parked as "isParked"`;

const RENEW = companyStatement(
  'renew-webhook-delivery',
  `update webhook_delivery d set ${RENEWED}, parked = w.paused_at is not null or w.breaker is not null
    from webhook_endpoint w where d.company_id = $1 and d.id = $2::bigint and w.company_id = d.company_id and w.id = d.endpoint_id
    returning ${NEW_DELIVERY}`,
);

/** Has a delivery begin anew; it needs a job, unless it is parked. */
export function renewDelivery(tx: TenantTransaction, id: number): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RENEW, id);
}

const DELIVER_TO = companyStatement(
  'deliver-to-webhook',
  `insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select w.company_id, $3, w.id, w.paused_at is not null or w.breaker is not null, now()
      from webhook_endpoint w where w.company_id = $1 and w.id = $2
    returning ${NEW_DELIVERY}`,
);

/** A delivery of one event to one endpoint, whatever it subscribes to. */
export function deliverTo(tx: TenantTransaction, endpointId: string, eventId: string): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(DELIVER_TO, endpointId, eventId);
}

const IN_RANGE = `webhook_event e where e.company_id = $1 and e.created_at >= $2 and e.created_at < $3
  and e.type = any($4::text[]) and e.sequence > 0`;

const COUNT_RANGE = companyStatement(
  'count-webhook-events',
  `select count(*)::integer as count from (select 1 from ${IN_RANGE} limit $5) found`,
);

// Parked, to go out in order of age and at a pace. What is on its way already is left to go on.
const REPLAY_RANGE = companyStatement(
  'replay-webhook-events',
  `insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select e.company_id, e.id, $5, true, now() from ${IN_RANGE} order by e.created_at, e.shipment_id, e.sequence
    on conflict (company_id, event_id, endpoint_id) do update set ${RENEWED}, parked = true
      where d.status in ('success', 'failed', 'cancelled')
    returning d.id`,
);

export interface ReplayRange {
  readonly endpointId: string;
  readonly since: Date;
  readonly until: Date;
  readonly types: readonly EventType[];
}

/** Events in a range, counted up to `max`. */
export async function countEvents(tx: TenantTransaction, range: ReplayRange, max: number): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(COUNT_RANGE, range.since, range.until, range.types, max);
  return row?.count ?? 0;
}

/** Parks a delivery of each event of a range; answers how many, without those on their way already. */
export async function parkRange(tx: TenantTransaction, range: ReplayRange): Promise<number> {
  const { endpointId, since, until, types } = range;
  return (await tx.rows(REPLAY_RANGE, since, until, types, endpointId)).length;
}
