import { ms, timeOf } from '../../../platform/database/statements/sql.ts';
import { companyStatement, statementForEach } from '../../../platform/database/statements/statements.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { type NewEvent, TERMINAL_STATUSES } from './events.rules.ts';
import type { EventToFold } from './fold.repository.ts';
import type { FoldState } from './fold.rules.ts';

/** A shipment that may have the number of an event: rank 1 by its main number, 2 by a secondary label. */
export interface Candidate extends FoldState {
  readonly key: string;
  readonly rank: number;
  /** The label with the number, as it was sent; null for the main number. */
  readonly label: string | null;
  readonly shipmentId: number;
  readonly carrierConnectionId: number;
  readonly carrierCode: string;
  readonly parcelCount: number;
  readonly events: number;
  /** The number of its last announced step. */
  readonly sequence: number;
  /** How many events its state was folded from; null for a state that must be folded anew. */
  readonly foldedEvents: number | null;
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
  input => `with named as materialized (
      select each.company_id as company_id, each.key, 1 as rank, null::text as label, s.id
        from ${input} cross join lateral (
          select id from shipment where company_id = each.company_id and tracking_key = each.key offset 0
        ) s
      union all
      select each.company_id, each.key, 2, l.label, l.id
        from ${input} cross join lateral (
          select shipment_id as id, min(tracking_number) as label from shipment_label
            where company_id = each.company_id and tracking_key = each.key group by shipment_id
        ) l
    )
    select s.company_id as "companyId", each.key, each.rank, each.label, s.id as "shipmentId", c.id as "carrierConnectionId",
        c.carrier_code as "carrierCode", s.parcel_number as "parcelCount", ${COUNTED_EVENTS} as events,
        s.event_sequence as sequence, s.folded_events as "foldedEvents", s.status_code as "statusCode",
        ${ms('s.status_at')} as "statusAtMs", ${ms('s.delivered_at')} as "deliveredAtMs",
        ${ms('s.first_scan_at')} as "firstScanAtMs", ${ms('s.shipped_at')} as "shippedAtMs",
        ${ms('s.folded_to')} as "foldedToMs", s.is_returning as "isReturning"
      from named each join shipment s on s.company_id = each.company_id and s.id = each.id
      join carrier_connection c on c.company_id = each.company_id and c.id = s.carrier_connection_id
      order by s.company_id, s.id for no key update of s`,
);

/** The shipments that may have some numbers, always locked in one order, so that two batches cannot deadlock. */
export function lockCandidates(tx: TenantTransaction, trackingKeys: readonly string[]): Promise<Candidate[]> {
  return tx.rowsForEach<Candidate>(LOCK_CANDIDATES, [...new Set(trackingKeys)]);
}

/** Compares codes and places as `identityOf` does. */
const comparable = (
  text: string,
) => `btrim(regexp_replace(lower(regexp_replace(normalize(${text}, NFD), '[\\u0300-\\u036f]', '', 'g')),
  '\\s+', ' ', 'g'))`;
const sameText = (one: string, other: string) => `(${one} = ${other} or ${comparable(one)} = ${comparable(other)})`;

/** Whether an event `e` is the given one. Its shipment is locked, so no other transaction adds one. */
const isGiven = (
  companyId: string,
  given: string,
) => `e.company_id = ${companyId} and e.shipment_id = ${given}.shipment_id
      and e.occurred_at = ${given}.occurred_at and (not ${given}.is_of_several or e.label is not distinct from ${given}.label)
      and ${sameText(
        `coalesce(e.carrier_status_code, case when e.is_carrier_delivery then 'delivered' else e.status_code end)`,
        `coalesce(${given}.carrier_status_code, ${given}.status_code)`,
      )}
      and ${sameText(`coalesce(e.location, '')`, `coalesce(${given}.location, '')`)}`;

const KNOWN = companyStatement(
  'known-events',
  `select t.position::integer - 1 as index
    from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[]) with ordinality
      as t(shipment_id, occurred_at, carrier_status_code, status_code, location, label, is_of_several, position)
    where exists (select from tracking_event e where ${isGiven('$1', 't')} offset 0)`,
);

/** Returns the events that are already stored. */
export async function knownEvents(tx: TenantTransaction, events: readonly NewEvent[]): Promise<ReadonlySet<NewEvent>> {
  const column = <Field extends keyof NewEvent>(field: Field) => events.map(event => event[field]);
  const rows = await tx.rows<{ index: number }>(
    KNOWN,
    column('shipmentId'),
    column('occurredAt'),
    column('carrierStatusCode'),
    column('statusCode'),
    column('location'),
    column('label'),
    column('isOfSeveral'),
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

// Rows are written in the order of arrival, which the ids keep. An event is compared with the events of its time,
// which are few; without `offset 0`, PostgreSQL could read all events of a company for it. The unique index keeps version 1.0 from storing an event twice.
const INSERT = statementForEach(
  'insert-events',
  {
    shipment_id: 'integer',
    occurred_ms: 'float8',
    status_code: 'text',
    carrier_status_code: 'text',
    description: 'text',
    location: 'text',
    note: 'text',
    label: 'text',
    is_of_several: 'boolean',
    is_carrier_delivery: 'boolean',
  },
  input => `with given as (
      select each.company_id as company_id, each.n, ${timeOf('occurred_ms')} as occurred_at, shipment_id, status_code,
          carrier_status_code, description, location, note, label, is_of_several, is_carrier_delivery
        from ${input}
    ), numbered as materialized (
      select each.*, nextval((select pg_get_serial_sequence('tracking_event', 'id')::regclass)) as id from (
        select * from given each
          where not exists (select from tracking_event e where ${isGiven('each.company_id', 'each')} offset 0) order by each.n
      ) each
    ), stored as (
      insert into tracking_event (company_id, id, shipment_id, occurred_at, status_code, carrier_status_code, description,
          location, note, label, is_carrier_delivery)
        select company_id, id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note, label,
            is_carrier_delivery
          from numbered
        on conflict do nothing returning id
    )
    select numbered.n::integer as n, id::float8 as id from numbered join stored using (id) order by id`,
);

/** A new event in the table. */
export interface StoredEvent extends EventToFold {
  readonly given: NewEvent;
}

/** Stores events, and returns those that are new. No two of them may be the same one. */
export async function insertEvents(tx: TenantTransaction, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const column = <Field extends keyof NewEvent>(field: Field) => events.map(event => event[field]);
  const rows = await tx.rowsForEach<{ n: number; id: number }>(
    INSERT,
    column('shipmentId'),
    events.map(({ occurredAt }) => occurredAt.getTime()),
    column('statusCode'),
    column('carrierStatusCode'),
    column('description'),
    column('location'),
    column('note'),
    column('label'),
    column('isOfSeveral'),
    events.map(({ isCarrierDelivery }) => isCarrierDelivery || null),
  );
  return rows.map(({ n, id }) => {
    const given = events[n - 1] as NewEvent;
    const { shipmentId, occurredAt, statusCode, isCarrierDelivery, label } = given;
    const occurredAtMs = occurredAt.getTime();
    return { id, shipmentId, occurredAtMs, statusCode, isCarrierDelivery, label, isTakenBack: false, given };
  });
}
