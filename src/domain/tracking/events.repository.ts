import { ms, texts } from '../../platform/database/statements/sql.ts';
import { companyStatement, statementForEach } from '../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import {
  ANNOUNCED_STATUSES,
  type NewEvent,
  REOPENING_STATUSES,
  TERMINAL_STATUSES,
  UNSCANNED_STATUSES,
} from './events.rules.ts';
import type { StatusCode } from './status.rules.ts';
import type { MovedShipment } from './tracking.announcements.ts';

/** A shipment that may have the number of an event: rank 1 by its main number, 2 by a secondary label. */
export interface Candidate {
  readonly key: string;
  readonly rank: number;
  readonly shipmentId: number;
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
  readonly events: number;
}

/**
 * The number of events of a shipment `s`, which its row keeps: counting them reads a page for nearly each event of a
 * large table. Null until events are first recorded, and after some were deleted.
 */
const COUNTED_EVENTS = `coalesce(s.event_count, (select count(*)::integer from tracking_event e
  where e.company_id = each.company_id and e.shipment_id = s.id))`;

const LOCK_CANDIDATES = statementForEach(
  'hold-event-shipments',
  { key: 'text' },
  input => `with named as (
      select each.company_id as company_id, each.key, 1 as rank, s.id
        from ${input} join shipment s on s.company_id = each.company_id and s.tracking_key = each.key
      union
      select each.company_id, each.key, 2, l.shipment_id
        from ${input} join shipment_label l on l.company_id = each.company_id and l.tracking_key = each.key
    )
    select s.company_id as "companyId", each.key, each.rank, s.id as "shipmentId", c.id as "carrierCompanyId",
        c.carrier_code as "carrierCode",
        ${COUNTED_EVENTS} as events
      from named each join shipment s on s.company_id = each.company_id and s.id = each.id
      join carrier_connection c on c.company_id = each.company_id and c.id = s.carrier_connection_id
      order by s.company_id, s.id for no key update of s`,
);

/** The shipments that may have some numbers, always locked in one order, so that two batches cannot deadlock. */
export function lockCandidates(tx: TenantTransaction, trackingKeys: readonly string[]): Promise<Candidate[]> {
  return tx.rowsForEach<Candidate>(LOCK_CANDIDATES, [...new Set(trackingKeys)]);
}

const KNOWN = companyStatement(
  'known-events',
  `select t.position::integer - 1 as index
    from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[]) with ordinality as t(shipment_id, occurred_at, code, location, position)
    join tracking_event e on e.company_id = $1 and e.shipment_id = t.shipment_id and e.occurred_at = t.occurred_at
      and coalesce(e.carrier_status_code, e.status_code) = t.code and coalesce(e.location, '') = t.location`,
);

/** Returns the events that are already stored. */
export async function knownEvents(tx: TenantTransaction, events: readonly NewEvent[]): Promise<ReadonlySet<NewEvent>> {
  const rows = await tx.rows<{ index: number }>(
    KNOWN,
    events.map(({ shipmentId }) => shipmentId),
    events.map(({ occurredAt }) => occurredAt),
    events.map(({ carrierStatusCode, statusCode }) => carrierStatusCode ?? statusCode),
    events.map(({ location }) => location ?? ''),
  );
  const indexes = new Set(rows.map(({ index }) => index));
  return new Set(events.filter((_, index) => indexes.has(index)));
}

const COUNT_ENDINGS = companyStatement(
  'count-ending-events',
  `select shipment_id as "shipmentId", count(*)::integer as count from tracking_event
    where company_id = $1 and shipment_id = any($2::integer[]) and status_code = any($3::text[]) group by shipment_id`,
);

/** Counts the events with a terminal status by shipment; shipments without one are missing. */
export async function countEndings(
  tx: TenantTransaction,
  shipmentIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ shipmentId: number; count: number }>(COUNT_ENDINGS, shipmentIds, TERMINAL_STATUSES);
  return new Map(rows.map(({ shipmentId, count }) => [shipmentId, count]));
}

// The status is a fold over the events in the order of their own time, a terminal status last among equal times, then
// by arrival. An event with a known status changes the shipment, unless its current status is terminal and the event is
// neither terminal nor reopening. The time of the current status is the time of the last event that changed or
// confirmed it. Events before it in this order are late and change nothing, so the result equals the fold over all
// events only while none is late: the shipment's row does not have the events in between. `unknown` is the status only
// while no event of the shipment has a known one. Rows are written in the order of arrival, which the ids keep; the
// unique index skips an event that is already stored. The statement does not see its own inserts, so it finds the
// locked shipment in its former state. The row is joined to each event and not to a list of shipments: PostgreSQL
// expects ten rows of either, and would join a thousand of both row by row. An event that keeps the status changes its
// shipment too: the anonymization of old shipments finds them by their last change, and must return for the event's
// texts. The row is updated once: a second update, for the numbers of announced steps, took a fifth of PostgreSQL's
// time for a batch and a third of its WAL (by turns, half of the events being steps: 96 us and 6,100 bytes an event,
// now 70 us and 3,900).
const TERMINAL = texts(TERMINAL_STATUSES);
const REOPENING = texts(REOPENING_STATUSES);
const UNSCANNED = texts(UNSCANNED_STATUSES);
const IS_STEP = 'moves and status_code <> previous';
const IS_ANNOUNCED = `${IS_STEP} and status_code = any(${texts(ANNOUNCED_STATUSES)})`;

const RECORD = statementForEach(
  'record-events',
  {
    shipment_id: 'integer',
    occurred_at: 'timestamptz',
    status_code: 'text',
    carrier_status_code: 'text',
    description: 'text',
    location: 'text',
    note: 'text',
  },
  input => `with stored as (
      insert into tracking_event (company_id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note)
      select each.company_id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note
        from ${input} order by each.n
      on conflict do nothing
      returning company_id, id, shipment_id, occurred_at, status_code, carrier_status_code, location
    ), found as (
      select each.*, s.status_code as was, s.status_at as was_at, s.event_sequence as announced, ends,
          each.status_code = any(${REOPENING}) as reopens,
          case
            when s.status_at is null then true
            when each.status_code = 'unknown' then s.status_code = 'unknown' and each.occurred_at >= s.status_at
            when s.status_code = 'unknown' then true
            else each.occurred_at > s.status_at or (each.occurred_at = s.status_at and (ends or s.status_code <> all(${TERMINAL})))
          end as is_news
        from stored each join shipment s on s.company_id = each.company_id and s.id = each.shipment_id
        cross join lateral (select each.status_code = any(${TERMINAL}) as ends) e
    ), judged as (
      select *, is_news and case
          when status_code = 'unknown' then not bool_or(status_code <> 'unknown') over (partition by company_id, shipment_id)
          when ends or reopens then true
          else coalesce(
            coalesce(max(occurred_at) filter (where is_news and ends) over so_far, case when was = any(${TERMINAL}) then '-infinity'::timestamptz end)
              < coalesce(max(occurred_at) filter (where is_news and reopens) over so_far, '-infinity'), true)
          end as moves
        from found window so_far as (partition by company_id, shipment_id order by occurred_at, ends, id)
    ), scanned as (
      select *, lag(status_code, 1, was) over (partition by company_id, shipment_id, moves order by occurred_at, ends, id) as previous from judged
    ), after as (
      select company_id, shipment_id,
          coalesce((array_agg(status_code order by occurred_at desc, ends desc, id desc) filter (where moves))[1], was) as status_code,
          coalesce(max(occurred_at) filter (where moves), was_at) as status_at,
          max(occurred_at) filter (where moves and status_code = 'delivered' and previous <> 'delivered') as delivered_at,
          min(occurred_at) filter (where status_code <> all(${UNSCANNED})) as first_scan_at,
          min(occurred_at) filter (where status_code = 'shipped') as shipped_at,
          count(*)::integer as added, count(*) filter (where ${IS_ANNOUNCED})::integer as steps
        from scanned group by company_id, shipment_id, was, was_at
    ), changed as (
      update shipment s set status_code = each.status_code, status_at = each.status_at,
          delivered_at = case when each.status_code = 'delivered' then coalesce(each.delivered_at, s.delivered_at) end,
          first_scan_at = least(s.first_scan_at, each.first_scan_at), shipped_at = least(s.shipped_at, each.shipped_at),
          event_count = ${COUNTED_EVENTS} + each.added, event_sequence = s.event_sequence + each.steps, updated_at = now()
        from after each where s.company_id = each.company_id and s.id = each.shipment_id
    )
    select company_id as "companyId", id::text, shipment_id as "shipmentId", ${ms('occurred_at')} as "occurredAtMs",
        coalesce(carrier_status_code, status_code) as code, coalesce(location, '') as location,
        case when ${IS_STEP} then status_code end as "statusCode", previous as "previousStatusCode",
        case when ${IS_ANNOUNCED} then announced + count(*) filter (where ${IS_ANNOUNCED})
          over (partition by company_id, shipment_id order by occurred_at, ends, scanned.id) end::integer as sequence
      from scanned order by company_id, shipment_id, occurred_at, ends, scanned.id`,
);

export interface StoredEvent {
  readonly id: string;
  readonly shipmentId: number;
  readonly occurredAtMs: number;
  readonly code: string;
  readonly location: string;
}

/** An event, and the status that it gives its shipment; null if the shipment keeps its status. */
interface RecordedRow extends StoredEvent {
  readonly statusCode: StatusCode | null;
  readonly previousStatusCode: StatusCode;
  readonly sequence: number | null;
}

/**
 * Stores events and changes the statuses of their locked shipments in the order of the events' own time. Returns the
 * new events, and the steps of the changed shipments.
 */
export async function recordEvents(
  tx: TenantTransaction,
  events: readonly NewEvent[],
): Promise<{ stored: readonly StoredEvent[]; moved: readonly MovedShipment[] }> {
  const column = <Field extends keyof NewEvent>(field: Field) => events.map(event => event[field]);
  const stored = await tx.rowsForEach<RecordedRow>(
    RECORD,
    column('shipmentId'),
    column('occurredAt'),
    column('statusCode'),
    column('carrierStatusCode'),
    column('description'),
    column('location'),
    column('note'),
  );
  const moved = [...Map.groupBy(stored, ({ shipmentId }) => shipmentId)].flatMap(([shipmentId, rows]) => {
    const steps = rows.flatMap(({ id, occurredAtMs, statusCode, previousStatusCode, sequence }) =>
      statusCode === null ? [] : [{ eventId: Number(id), occurredAtMs, statusCode, previousStatusCode, sequence }],
    );
    return steps.length === 0 ? [] : [{ shipmentId, steps, newEventIds: rows.map(({ id }) => Number(id)) }];
  });
  return { stored, moved };
}
