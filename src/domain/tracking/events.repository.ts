import { ms } from '../../platform/database/sql.ts';
import { companyStatement, type TenantTransaction } from '../../platform/database/tenancy.ts';
import type { NewEvent } from './events.rules.ts';
import type { StatusChange } from './tracking.announcements.ts';

/** A shipment that a number of an event may mean; rank 1 is its main number, 2 a secondary label's. */
export interface Candidate {
  readonly key: string;
  readonly rank: number;
  readonly shipmentId: number;
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
}

const CANDIDATES = companyStatement(
  'event-shipments',
  `select distinct x.key, x.rank, s.id as "shipmentId", c.id as "carrierCompanyId", c.carrier_code as "carrierCode"
    from (
      select tracking_key as key, 1 as rank, id from shipment where company_id = $1 and tracking_key = any($2::text[])
      union all
      select tracking_key, 2, shipment_id from shipment_label where company_id = $1 and tracking_key = any($2::text[])
    ) x
    join shipment s on s.company_id = $1 and s.id = x.id
    join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id`,
);

export function candidates(tx: TenantTransaction, trackingKeys: readonly string[]): Promise<Candidate[]> {
  return tx.rows<Candidate>(CANDIDATES, [...new Set(trackingKeys)]);
}

const LOCK = companyStatement(
  'lock-shipments',
  'select id from shipment where company_id = $1 and id = any($2::integer[]) order by id for no key update',
);

/** Holds the shipments until the transaction ends, in one order for all, so that two batches never wait for each other. */
export async function lockForEvents(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<void> {
  await tx.rows(LOCK, [...new Set(shipmentIds)]);
}

const CROWDED = companyStatement(
  'crowded-shipments',
  `select t.shipment_id as "shipmentId", stored.count from unnest($2::integer[], $3::integer[]) as t(shipment_id, more)
    cross join lateral (
      select count(*)::integer as count from tracking_event e where e.company_id = $1 and e.shipment_id = t.shipment_id
    ) stored
    where stored.count + t.more > $4`,
);

/** How many events shipments have that would have more than `max` with so many more; they must be locked. */
export async function crowdedShipments(
  tx: TenantTransaction,
  more: ReadonlyMap<number, number>,
  max: number,
): Promise<ReadonlyMap<number, number>> {
  const rows = await tx.rows<{ shipmentId: number; count: number }>(CROWDED, [...more.keys()], [...more.values()], max);
  return new Map(rows.map(({ shipmentId, count }) => [shipmentId, count]));
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

// Written in the order of arrival, which the ids keep. The unique index leaves out one that is stored already.
const INSERT = companyStatement(
  'record-events',
  `with sent as (
      select * from unnest($2::integer[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
        with ordinality as t(shipment_id, occurred_at, status_code, carrier_status_code, description, location, note, position)
    ), stored as (
      insert into tracking_event (company_id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note)
      select c.id, shipment_id, occurred_at, status_code, carrier_status_code, description, location, note
        from sent join company c on c.id = $1 order by position
      on conflict do nothing
      returning *
    )
    select id::text, shipment_id as "shipmentId", ${ms('occurred_at')} as "occurredAtMs", coalesce(carrier_status_code, status_code) as code,
      coalesce(location, '') as location
    from stored where company_id = $1`,
);

export interface StoredEvent {
  readonly id: string;
  readonly shipmentId: number;
  readonly occurredAtMs: number;
  readonly code: string;
  readonly location: string;
}

/** Stores events and returns those that were new. */
export function insertEvents(tx: TenantTransaction, events: readonly NewEvent[]): Promise<StoredEvent[]> {
  const column = <Field extends keyof NewEvent>(field: Field) => events.map(event => event[field]);
  return tx.rows<StoredEvent>(
    INSERT,
    column('shipmentId'),
    column('occurredAt'),
    column('statusCode'),
    column('carrierStatusCode'),
    column('description'),
    column('location'),
    column('note'),
  );
}

// The newest by its own time, among equal times the last to arrive: a late event moves nothing back.
const REFRESH = companyStatement(
  'refresh-status',
  `update shipment s set status_code = n.status_code, status_at = n.occurred_at, updated_at = now(),
      delivered_at = case when n.status_code = 'delivered' then n.occurred_at end
    from unnest($2::integer[]) as changed(id)
    join shipment before on before.company_id = $1 and before.id = changed.id
    cross join lateral (
      select e.status_code, e.occurred_at from tracking_event e
        where e.company_id = $1 and e.shipment_id = changed.id
        order by e.occurred_at desc, e.id desc limit 1
    ) n
    where s.company_id = $1 and s.id = changed.id
      and (s.status_code, s.status_at) is distinct from (n.status_code, n.occurred_at)
    returning s.id as "shipmentId", s.status_code as "statusCode", before.status_code as "previousStatusCode"`,
);

/** Brings the current status of shipments up to date with their newest event; returns those that have another now. */
export async function refreshStatus(tx: TenantTransaction, shipmentIds: readonly number[]): Promise<StatusChange[]> {
  const refreshed = await tx.rows<StatusChange>(REFRESH, [...new Set(shipmentIds)]);
  return refreshed.filter(({ statusCode, previousStatusCode }) => statusCode !== previousStatusCode);
}
