import { ms } from '../../platform/database/sql.ts';
import { companyStatement, type TenantTransaction } from '../../platform/database/tenancy.ts';
import type { NewEvent } from './events.rules.ts';
import type { StatusCode } from './status.rules.ts';
import type { StatusChange } from './tracking.announcements.ts';

/** A shipment that a number of an event may mean; rank 1 is its main number, 2 a secondary label's. */
export interface Candidate {
  readonly key: string;
  readonly rank: number;
  readonly shipmentId: number;
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
  /** How many events it has. */
  readonly events: number;
}

const HOLD_CANDIDATES = companyStatement(
  'hold-event-shipments',
  `with named as (
      select tracking_key as key, 1 as rank, id from shipment where company_id = $1 and tracking_key = any($2::text[])
      union
      select tracking_key, 2, shipment_id from shipment_label where company_id = $1 and tracking_key = any($2::text[])
    )
    select n.key, n.rank, s.id as "shipmentId", c.id as "carrierCompanyId", c.carrier_code as "carrierCode",
        (select count(*)::integer from tracking_event e where e.company_id = $1 and e.shipment_id = s.id) as events
      from named n join shipment s on s.company_id = $1 and s.id = n.id
      join carrier_connection c on c.company_id = $1 and c.id = s.carrier_connection_id
      order by s.id for no key update of s`,
);

/**
 * The shipments that numbers may mean. They are held until the transaction ends, in one order for all, so that two
 * batches never wait for each other.
 */
export function holdCandidates(tx: TenantTransaction, trackingKeys: readonly string[]): Promise<Candidate[]> {
  return tx.rows<Candidate>(HOLD_CANDIDATES, [...new Set(trackingKeys)]);
}

const KNOWN = companyStatement(
  'known-events',
  `select t.position::integer - 1 as index
    from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[]) with ordinality as t(shipment_id, occurred_at, code, location, position)
    join tracking_event e on e.company_id = $1 and e.shipment_id = t.shipment_id and e.occurred_at = t.occurred_at
      and coalesce(e.carrier_status_code, e.status_code) = t.code and coalesce(e.location, '') = t.location`,
);

/** Those of the events that are stored already. */
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

// Written in the order of arrival, which the ids keep; the unique index leaves out one that is stored already. The status
// is that of the newest event by its own time, among equal times the last to arrive: a late event moves nothing back. A
// statement does not see what it inserts, so the newest is found among what was stored before and what `stored` returns.
const RECORD = companyStatement(
  'record-events',
  `with sent as (
      select * from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        with ordinality as t(shipment_id, occurred_at, status_code, carrier_status_code, description, location, note, position)
    ), stored as (
      insert into tracking_event (company_id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note)
      select c.id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note
        from sent join company c on c.id = $1 order by position
      on conflict do nothing
      returning id, shipment_id, occurred_at, status_code, carrier_status_code, location
    ), newest as (
      select distinct on (shipment_id) shipment_id, status_code, occurred_at from (
        select id, shipment_id, status_code, occurred_at from stored
        union all
        select e.id, touched.shipment_id, e.status_code, e.occurred_at from (select distinct shipment_id from stored) touched
          cross join lateral (
            select e.id, e.status_code, e.occurred_at from tracking_event e
              where e.company_id = $1 and e.shipment_id = touched.shipment_id order by e.occurred_at desc, e.id desc limit 1
          ) e
      ) event order by shipment_id, occurred_at desc, id desc
    ), moved as (
      update shipment s set status_code = n.status_code, status_at = n.occurred_at, updated_at = now(),
          delivered_at = case when n.status_code = 'delivered' then n.occurred_at end
        from newest n join shipment before on before.company_id = $1 and before.id = n.shipment_id
        where s.company_id = $1 and s.id = n.shipment_id
          and (s.status_code, s.status_at) is distinct from (n.status_code, n.occurred_at)
        returning s.id, s.status_code, before.status_code as previous
    )
    select stored.id::text, stored.shipment_id as "shipmentId", ${ms('stored.occurred_at')} as "occurredAtMs",
      coalesce(stored.carrier_status_code, stored.status_code) as code, coalesce(stored.location, '') as location,
      moved.status_code as "statusCode", moved.previous as "previousStatusCode"
    from stored left join moved on moved.id = stored.shipment_id`,
);

export interface StoredEvent {
  readonly id: string;
  readonly shipmentId: number;
  readonly occurredAtMs: number;
  readonly code: string;
  readonly location: string;
}

/** An event, and whether its shipment has another status or time of it since. */
interface RecordedRow extends StoredEvent {
  readonly statusCode: StatusCode | null;
  readonly previousStatusCode: StatusCode;
}

/**
 * Stores events and brings the current status of their shipments, which must be held, up to date with the newest.
 * Returns the events that were new, and the shipments that have another status now.
 */
export async function recordEvents(
  tx: TenantTransaction,
  events: readonly NewEvent[],
): Promise<{ stored: readonly StoredEvent[]; changes: readonly StatusChange[] }> {
  const column = <Field extends keyof NewEvent>(field: Field) => events.map(event => event[field]);
  const stored = await tx.rows<RecordedRow>(
    RECORD,
    column('shipmentId'),
    column('occurredAt'),
    column('statusCode'),
    column('carrierStatusCode'),
    column('description'),
    column('location'),
    column('note'),
  );
  const changes = new Map<number, StatusChange>();
  for (const { shipmentId, statusCode, previousStatusCode } of stored) {
    if (statusCode !== null && statusCode !== previousStatusCode) {
      changes.set(shipmentId, { shipmentId, statusCode, previousStatusCode });
    }
  }
  return { stored, changes: [...changes.values()] };
}
