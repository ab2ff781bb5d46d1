import { rowLoader } from '../../../platform/database/gather/loader.ts';
import type { ListEnd, ListPage } from '../../../platform/database/lists/page.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { Metadata } from '../../common/metadata.rules.ts';
import { newestOfNumber, type RelationType } from './shipments.rules.ts';
import type { StatusCode } from './status.rules.ts';

/**
 * The parts of a shipment: its timeline and its related shipments, read with its record or separately. Each part names
 * the company itself: PostgreSQL infers it through joins, but not into subqueries, which would read every partition of a
 * table that is partitioned by company.
 */

export interface EventRow {
  readonly id: number;
  readonly occurredAt: number;
  readonly statusCode: StatusCode;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
  readonly label: string | null;
}

export interface RelatedRow {
  readonly id: number;
  /** The shipment at the other end of the relation. */
  readonly shipmentId: number;
  readonly type: RelationType;
  readonly trackingNumber: string;
  readonly carrierCode: string;
  readonly createdAt: number;
}

/** An event as PostgreSQL returns it: a tuple, because repeated names in every event cost more than their mapping. */
export type EventTuple = [
  id: number,
  occurredAt: number,
  statusCode: StatusCode,
  carrierStatusCode: string | null,
  description: string | null,
  location: string | null,
  note: string | null,
  label: string | null,
];

const EVENT = `json_build_array(e.id, ${ms('e.occurred_at')}, e.status_code, e.carrier_status_code, e.description, e.location, e.note, e.label)`;

/** A longer timeline is not read with its record, because the caller may not want all of it. */
export const SHORT_TIMELINE = 50;

/** Unsorted: sorting a few events in PostgreSQL costs a tenth of the record, and almost nothing here. */
export const TIMELINE = `(select coalesce(json_agg(${EVENT}), '[]') from (
    select * from tracking_event where company_id = each.company_id and shipment_id = s.id limit ${SHORT_TIMELINE + 1}
  ) e)`;

/** Oldest to newest; equal times by arrival. */
export function eventsOf(tuples: readonly EventTuple[]): EventRow[] {
  const events = tuples.map(([id, occurredAt, statusCode, carrierStatusCode, description, location, note, label]) => ({
    id,
    occurredAt,
    statusCode,
    carrierStatusCode,
    description,
    location,
    note,
    label,
  }));
  return events.sort((a, b) => a.occurredAt - b.occurredAt || a.id - b.id);
}

/** The timeline of a shipment `s` of a list that shows timelines: a statement of their own took a tenth of a page. */
export const listedTimeline = (isShown: string) =>
  `case when ${isShown} then ${TIMELINE.replaceAll('each.company_id', '$1')} end as timeline`;

/** Turns the short timelines of the rows of a list into events, and returns the rows. */
export function withEvents<Row extends { readonly timeline?: readonly EventRow[] }>(rows: Row[]): Row[] {
  for (const row of rows as { timeline?: unknown }[]) {
    const tuples = row.timeline as readonly EventTuple[] | null;
    row.timeline = tuples !== null && tuples.length <= SHORT_TIMELINE ? eventsOf(tuples) : undefined;
  }
  return rows;
}

/** The fields of an order that webhook filters use. */
export interface FilteredOrder {
  readonly metadata: Metadata;
  readonly marketplace: string | null;
  readonly warehouseId: number | null;
}

/** The columns for webhook filters beside the columns of a record. */
export const FILTERED_BY = `, s.metadata, case when o.id is not null then json_build_object('metadata', o.metadata,
  'marketplace', o.marketplace, 'warehouseId', o.warehouse_id) end as "ofOrder"`;

/**
 * Related shipments seen from `s`: those it names, and those that name it, with the inverse type (the parent of a
 * forward, return or child; the child of a parent). If both sides name each other, the relation of `s` has priority.
 * Any number of shipments may name it, so a part is read: `each.max` of them after `each.after`.
 */
const RELATED = `(select coalesce(json_agg(json_build_object('id', r.id, 'shipmentId', s.id, 'type', r.type, 'trackingNumber', r.tracking_number,
    'carrierCode', rc.carrier_code, 'createdAt', ${ms('r.created_at')}) order by r.id), '[]')
  from (
    select distinct on (t.id) t.*, x.type from (
      select n.type, 1 as rank, (select t.id from shipment t where t.company_id = each.company_id
          and t.tracking_key = n.related_key ${newestOfNumber('t.id')} limit 1) as id
        from shipment_relation n where n.company_id = each.company_id and n.shipment_id = s.id
      union all
      select case n.type when 'parent' then 'child' else 'parent' end, 2, n.shipment_id
        from shipment_relation n where n.company_id = each.company_id and n.related_key = s.tracking_key
    ) x join shipment t on t.company_id = each.company_id and t.id = x.id and t.id <> s.id
    where each.after is null or t.id > each.after
    order by t.id, x.rank limit each.max
  ) r join carrier_connection rc on rc.company_id = each.company_id and rc.id = r.carrier_connection_id)`;

/**
 * Whether any shipment is related. Most have none, and this costs two index look-ups, while all of `RELATED` would cost
 * more than the rest of the record.
 */
export const HAS_RELATED = `(exists (select 1 from shipment_relation n where n.company_id = each.company_id and n.shipment_id = s.id)
  or exists (select 1 from shipment_relation n where n.company_id = each.company_id and n.related_key = s.tracking_key))`;

export const TIMELINE_END = rowLoader<
  [id: number, before: number | null, max: number],
  { timeline: EventTuple[] | null },
  readonly EventRow[]
>(
  {
    name: 'shipment-timeline',
    key: { id: 'integer', before: 'bigint', max: 'integer' },
    text: `select json_agg(${EVENT}) as timeline from (
      select * from tracking_event e where e.company_id = each.company_id and e.shipment_id = each.id
        and (each.before is null or (e.occurred_at, e.id) < (select b.occurred_at, b.id from tracking_event b
          where b.company_id = each.company_id and b.shipment_id = each.id and b.id = each.before))
        order by e.occurred_at desc, e.id desc limit each.max
    ) e`,
    isSplitByCompany: true,
  },
  row => eventsOf(row?.timeline ?? []),
);
export const RELATED_SHIPMENTS = rowLoader<
  [id: number, after: number | null, max: number],
  { related: RelatedRow[] },
  readonly RelatedRow[]
>(
  {
    name: 'shipment-relations',
    key: { id: 'integer', after: 'bigint', max: 'integer' },
    text: `select ${RELATED} as related from shipment s where s.company_id = each.company_id and s.id = each.id`,
    isSplitByCompany: true,
  },
  row => row?.related ?? [],
);

const EVENT_BY_ID = rowLoader<[id: number], EventRow>({
  name: 'tracking-event',
  key: { id: 'bigint' },
  text: `select e.id::float8 as id, ${ms('e.occurred_at')} as "occurredAt", e.status_code as "statusCode",
      e.carrier_status_code as "carrierStatusCode", e.description, e.location, e.note, e.label
    from tracking_event e where e.company_id = each.company_id and e.id = each.id`,
  isSplitByCompany: true,
});

export const eventById = (tenant: Tenant, id: number) => tenant.load(EVENT_BY_ID, id);

/** The end of a timeline, from oldest to newest. */
export function timelineEnd(tenant: Tenant, id: number, { before, limit }: ListEnd): Promise<readonly EventRow[]> {
  return tenant.load(TIMELINE_END, id, before, limit);
}

export const relatedShipments = (tenant: Tenant, id: number, { after, limit }: ListPage<number>) =>
  tenant.load(RELATED_SHIPMENTS, id, after, limit);

/** One related shipment, seen from another shipment. */
export async function relatedShipment(tenant: Tenant, shipmentId: number, id: number): Promise<RelatedRow | undefined> {
  const [found] = await tenant.load(RELATED_SHIPMENTS, shipmentId, id - 1, 1);
  return found?.id === id ? found : undefined;
}

// Read separately, because readers of tracking do not select it.
const METADATA = rowLoader<[id: number], { metadata: Metadata }, Metadata>(
  {
    name: 'shipment-metadata',
    key: { id: 'integer' },
    text: 'select s.metadata from shipment s where s.company_id = each.company_id and s.id = each.id',
    isSplitByCompany: true,
  },
  row => row?.metadata ?? {},
);

export const shipmentMetadata = (tenant: Tenant, id: number) => tenant.load(METADATA, id);
