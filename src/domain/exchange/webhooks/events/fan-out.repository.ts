import { companyStatement, statementForEach } from '../../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../../platform/database/tenancy/tenant-transaction.ts';
import { isOfTopic } from '../endpoints/endpoint.rules.ts';
import type { Subscription } from '../endpoints/endpoint-filter.rules.ts';
import type { NoticeType } from '../notices/notice.rules.ts';
import type { EventType } from './event.rules.ts';

/** Whether a company has an endpoint for tracking events, now or later by a replay. */
const hasEndpoints = (companyId: string) =>
  `exists (select 1 from webhook_endpoint w where w.company_id = ${companyId} and ${isOfTopic('w', 'tracking')}
    and w.disabled_reason is distinct from 'deleted')`;

/** The condition for the company of a loader's row. */
export const EACH_HAS_ENDPOINTS = hasEndpoints('each.company_id');

const SUBSCRIPTIONS = statementForEach(
  'webhook-subscriptions',
  { id: 'integer' },
  input => `select w.company_id as "companyId", w.id as "endpointId", w.events, w.filter
    from (select distinct each.company_id from ${input}) each
    join webhook_endpoint w on w.company_id = each.company_id and w.is_active and ${isOfTopic('w', 'tracking')}`,
);

/** The subscriptions of the active endpoints of the companies of shipments, by id. */
export async function subscriptionsOf(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
): Promise<readonly Subscription[]> {
  const subscriptions = await tx.rowsForEach<Subscription>(SUBSCRIPTIONS, shipmentIds);
  return subscriptions.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
}

export interface NewWebhookEvent {
  readonly id: string;
  readonly type: EventType | NoticeType;
  readonly shipmentId: number | null;
  readonly sequence: number;
  /** The entry of the timeline that caused it. */
  readonly trackingEventId?: number | undefined;
  readonly body: string;
}

const INSERT_EVENTS = statementForEach(
  'insert-webhook-events',
  { id: 'uuid', type: 'text', shipment_id: 'integer', sequence: 'integer', body: 'text', tracking_event_id: 'bigint' },
  input => `insert into webhook_event (company_id, id, type, shipment_id, sequence, body, tracking_event_id)
    select each.company_id, each.id, type, shipment_id, sequence, body, tracking_event_id from ${input}`,
);

export async function insertWebhookEvents(tx: TenantTransaction, events: readonly NewWebhookEvent[]): Promise<void> {
  const column = <Field extends keyof NewWebhookEvent>(field: Field) => events.map(event => event[field]);
  const trackingEventIds = events.map(({ trackingEventId }) => trackingEventId ?? null);
  await tx.rowsForEach(
    INSERT_EVENTS,
    ...[column('id'), column('type'), column('shipmentId'), column('sequence'), column('body'), trackingEventIds],
  );
}

export interface NewDelivery {
  readonly id: string;
  readonly endpointId: string;
  readonly ticket: number;
  /** It has no job, because its endpoint is paused, dead or only just revived. */
  readonly isHeldBack: boolean;
  /** When it is due, in milliseconds since 1970; left out for at once. */
  readonly dueAt?: number | null;
}

const NEW_DELIVERY =
  'd.company_id as "companyId", d.id::text, d.endpoint_id as "endpointId", d.ticket, d.parked as "isHeldBack"';

/** Whether a new delivery to an endpoint `w` waits, because the endpoint is paused, backs off or catches up. */
const STARTS_HELD_BACK = 'w.paused_at is not null or w.breaker is not null';

const EACH_WANTED = { event_id: 'uuid', endpoint_id: 'uuid' } as const;

// Waits for a concurrent deletion of the endpoint, because nobody would cancel deliveries written during it.
const active = (input: string) => `given as (
      select each.company_id as company_id, event_id, endpoint_id, each.n from ${input}
    ), active as (
      select w.* from (select distinct company_id from given order by company_id) each cross join lateral (
        select * from webhook_endpoint where company_id = each.company_id and is_active order by id for key share
      ) w
    )`;

const FAN_OUT = statementForEach(
  'fan-out',
  EACH_WANTED,
  input => `with ${active(input)}
    insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select w.company_id, each.event_id, w.id, ${STARTS_HELD_BACK}, now()
      from given each join active w on w.company_id = each.company_id and w.id = each.endpoint_id
      order by each.n
    returning ${NEW_DELIVERY}`,
);

/** An event for an endpoint. */
export interface Wanted {
  readonly eventId: string;
  readonly endpointId: string;
}

/** Writes deliveries of events to endpoints that are still active. */
export function fanOut(tx: TenantTransaction, wanted: readonly Wanted[]): Promise<NewDelivery[]> {
  return tx.rowsForEach<NewDelivery>(
    FAN_OUT,
    wanted.map(({ eventId }) => eventId),
    wanted.map(({ endpointId }) => endpointId),
  );
}

// The row of a count is locked until the transaction ends, so that the numbers of an endpoint have no gap.
const FAN_OUT_NUMBERED = statementForEach(
  'fan-out-numbered',
  EACH_WANTED,
  input => `with ${active(input)}, wanted as (
      select w.company_id, w.id, ${STARTS_HELD_BACK} as parked, each.event_id, each.n
        from given each join active w on w.company_id = each.company_id and w.id = each.endpoint_id
    ), counted as (
      insert into webhook_endpoint_count as c (company_id, endpoint_id, last)
        select company_id, id, count(*) from wanted group by company_id, id order by company_id, id
        on conflict (company_id, endpoint_id) do update set last = c.last + excluded.last
        returning company_id, endpoint_id, last
    )
    insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at, number)
      select w.company_id, w.event_id, w.id, w.parked, now(),
          c.last - count(*) over (partition by w.company_id, w.id) + row_number() over (partition by w.company_id, w.id order by w.n)
        from wanted w join counted c on c.company_id = w.company_id and c.endpoint_id = w.id
        order by w.n
      returning ${NEW_DELIVERY}`,
);

/** Writes numbered deliveries of events to endpoints with a filter that are still active. */
export function fanOutNumbered(tx: TenantTransaction, wanted: readonly Wanted[]): Promise<NewDelivery[]> {
  return tx.rowsForEach<NewDelivery>(
    FAN_OUT_NUMBERED,
    wanted.map(({ eventId }) => eventId),
    wanted.map(({ endpointId }) => endpointId),
  );
}

const beginsAnew = (dueAt: string) =>
  `status = 'pending', tries = 0, ticket = d.ticket + 1, next_attempt_at = ${dueAt}, updated_at = now()`;

const RENEW = companyStatement(
  'renew-webhook-delivery',
  `update webhook_delivery d set ${beginsAnew('now()')}, parked = ${STARTS_HELD_BACK}
    from webhook_endpoint w where d.company_id = $1 and d.id = $2::bigint and w.company_id = d.company_id and w.id = d.endpoint_id
    returning ${NEW_DELIVERY}`,
);

/** Starts a delivery again; it needs a job, unless it is held back. */
export function renewDelivery(tx: TenantTransaction, id: number): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(RENEW, id);
}

const DELIVER_TO = companyStatement(
  'deliver-to-webhook',
  `insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select w.company_id, $3, w.id, ${STARTS_HELD_BACK}, now()
      from webhook_endpoint w where w.company_id = $1 and w.id = $2
    returning ${NEW_DELIVERY}`,
);

/** Writes a delivery of one event to one endpoint, whatever it subscribes to. */
export function deliverTo(tx: TenantTransaction, endpointId: string, eventId: string): Promise<NewDelivery[]> {
  return tx.rows<NewDelivery>(DELIVER_TO, endpointId, eventId);
}

const IN_RANGE = `webhook_event e where e.company_id = $1 and e.created_at >= $2 and e.created_at < $3
  and e.type = any($4::text[]) and e.sequence > 0`;

/** All events, or those that the endpoint was sent before. */
const isMeant = (endpointId: string, onlySent: string) => `(not ${onlySent}::boolean or exists (
    select 1 from webhook_delivery b where b.company_id = $1 and b.event_id = e.id and b.endpoint_id = ${endpointId}::uuid))`;

const COUNT_RANGE = companyStatement(
  'count-webhook-events',
  `select count(*)::integer as count from (select 1 from ${IN_RANGE} and ${isMeant('$6', '$7')} limit $5) found`,
);

// Held back, to be sent oldest first and at a pace: each is due since its event. Deliveries in progress continue.
const REPLAY_RANGE = companyStatement(
  'replay-webhook-events',
  `insert into webhook_delivery as d (company_id, event_id, endpoint_id, parked, next_attempt_at)
    select e.company_id, e.id, $5, true, e.created_at from ${IN_RANGE} and ${isMeant('$5', '$6')} order by e.created_at, e.shipment_id, e.sequence
    on conflict (company_id, event_id, endpoint_id) do update set ${beginsAnew('excluded.next_attempt_at')}, parked = true
      where d.status in ('success', 'failed', 'cancelled')
    returning d.id`,
);

interface ReplayRange {
  readonly endpointId: string;
  readonly since: Date;
  readonly until: Date;
  readonly types: readonly (EventType | NoticeType)[];
  /** Only events that the endpoint was sent: its filter and its selection apply when an event is recorded. */
  readonly onlySent: boolean;
}

/** Events in a range, counted up to `max`. */
export async function countEvents(tx: TenantTransaction, range: ReplayRange, max: number): Promise<number> {
  const { endpointId, since, until, types, onlySent } = range;
  const [row] = await tx.rows<{ count: number }>(COUNT_RANGE, since, until, types, max, endpointId, onlySent);
  return row?.count ?? 0;
}

/** Holds back a delivery of each event of a range; returns how many, without those in progress. */
export async function holdBackRange(tx: TenantTransaction, range: ReplayRange): Promise<number> {
  const { endpointId, since, until, types, onlySent } = range;
  return (await tx.rows(REPLAY_RANGE, since, until, types, endpointId, onlySent)).length;
}
