import { type Loader, listLoader, rowLoader } from '../../platform/database/loader.ts';
import type { IdPage, ListEnd, ListPage } from '../../platform/database/page.ts';
import { ms } from '../../platform/database/sql.ts';
import { companyStatement, type Reader, type Tenant } from '../../platform/database/tenancy.ts';
import type { Recipient } from '../places/recipient.rules.ts';
import type { RelationType } from './shipments.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** Tracking is as old as what carriers last reported; a replica's delay adds nothing that anyone would notice. */
const CAN_LAG = { canLag: true } as const;

/** A shipment as queries read it. Times are milliseconds since 1970: cheap on both sides of the wire. */
export interface ShipmentRow {
  readonly id: number;
  readonly trackingNumber: string;
  readonly statusCode: StatusCode;
  readonly statusAt: number | null;
  readonly shipmentDate: number | null;
  readonly expectedDeliveryDate: number | null;
  readonly deliveredDate: number | null;
  readonly parcelNumber: number;
  readonly weight: string | null;
  readonly volume: string | null;
  readonly trackingUrl: string | null;
  readonly reference: string | null;
  readonly parcelId: string | null;
  readonly orderId: number | null;
  readonly orderNumber: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly warehouseId: number | null;
  readonly carrierCompanyId: number;
  readonly carrierCode: string;
  readonly recipient: Recipient;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Read with the shipment where one record is asked for, if it is short; otherwise batched by the graph's loaders. */
  readonly timeline?: readonly EventRow[];
  /** Read with it where it has none. */
  readonly relatedShipments?: readonly RelatedRow[];
}

export interface EventRow {
  readonly id: number;
  readonly timestamp: number;
  readonly statusCode: StatusCode;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

export interface RelatedRow {
  readonly id: number;
  readonly type: RelationType;
  readonly trackingNumber: string;
  readonly carrierCode: string;
  readonly createdAt: number;
}

const SHIPMENT = `s.id, s.tracking_number as "trackingNumber", s.status_code as "statusCode", ${ms('s.status_at')} as "statusAt",
  ${ms('s.shipment_date')} as "shipmentDate", ${ms('s.expected_delivery_date')} as "expectedDeliveryDate",
  ${ms('s.delivered_at')} as "deliveredDate", s.parcel_number as "parcelNumber", s.weight, s.volume,
  s.tracking_url as "trackingUrl", s.reference, s.parcel_id as "parcelId", s.order_id as "orderId",
  o.order_number as "orderNumber", o.marketplace_order_number as "marketplaceOrderNumber", s.warehouse_id as "warehouseId",
  s.carrier_connection_id as "carrierCompanyId", c.carrier_code as "carrierCode", coalesce(s.recipient, o.recipient) as recipient,
  ${ms('s.created_at')} as "createdAt", ${ms('s.updated_at')} as "updatedAt"`;

const JOINS = `join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id
  left join customer_order o on o.company_id = s.company_id and o.id = s.order_id`;

/** An event as PostgreSQL hands it over: a tuple, since names repeated in every event cost more than their mapping. */
type EventTuple = [
  id: number,
  timestamp: number,
  statusCode: StatusCode,
  carrierStatusCode: string | null,
  description: string | null,
  location: string | null,
  note: string | null,
];

const EVENT = `json_build_array(e.id, ${ms('e.occurred_at')}, e.status_code, e.carrier_status_code, e.description, e.location, e.note)`;

/** A timeline that is longer is not read with its record, since nobody may have asked for all of it. */
const SHORT_TIMELINE = 50;

/** In no order: to sort a handful in PostgreSQL costs a tenth of the record, here next to nothing. */
const TIMELINE = `(select coalesce(json_agg(${EVENT}), '[]') from (
    select * from tracking_event where company_id = s.company_id and shipment_id = s.id limit ${SHORT_TIMELINE + 1}
  ) e)`;

/** Oldest to newest; equal times by arrival. */
function eventsOf(tuples: readonly EventTuple[]): EventRow[] {
  const events = tuples.map(([id, timestamp, statusCode, carrierStatusCode, description, location, note]) => ({
    id,
    timestamp,
    statusCode,
    carrierStatusCode,
    description,
    location,
    note,
  }));
  return events.sort((a, b) => a.timestamp - b.timestamp || a.id - b.id);
}

/**
 * Related shipments seen from `s`: those it names, and those that name it, whose type is turned round (the parent of a
 * forward, return or child; the child of a parent). What a shipment says of itself goes first where both sides speak. Of
 * those that name it there may be any number, so that a part is read: `each.max` of them after `each.after`.
 */
const RELATED = `(select coalesce(json_agg(json_build_object('id', r.id, 'type', r.type, 'trackingNumber', r.tracking_number,
    'carrierCode', rc.carrier_code, 'createdAt', ${ms('r.created_at')}) order by r.id), '[]')
  from (
    select distinct on (t.id) t.*, x.type from (
      select n.type, 1 as rank, (select t.id from shipment t where t.company_id = n.company_id
          and t.tracking_key = n.related_key order by t.id desc limit 1) as id
        from shipment_relation n where n.company_id = s.company_id and n.shipment_id = s.id
      union all
      select case n.type when 'parent' then 'child' else 'parent' end, 2, n.shipment_id
        from shipment_relation n where n.company_id = s.company_id and n.related_key = s.tracking_key
    ) x join shipment t on t.company_id = s.company_id and t.id = x.id and t.id <> s.id
    where each.after is null or t.id > each.after
    order by t.id, x.rank limit each.max
  ) r join carrier_connection rc on rc.company_id = r.company_id and rc.id = r.carrier_connection_id)`;

/**
 * Whether there is anything related at all. Most shipments have nothing, and asking costs two probes of an index, where
 * the whole of `RELATED` would cost more than the rest of the record.
 */
const HAS_RELATED = `(exists (select 1 from shipment_relation n where n.company_id = s.company_id and n.shipment_id = s.id)
  or exists (select 1 from shipment_relation n where n.company_id = s.company_id and n.related_key = s.tracking_key))`;

const RECORD = `select ${SHIPMENT}, ${TIMELINE} as timeline, ${HAS_RELATED} as "hasRelated" from shipment s ${JOINS}`;

type RecordRow = Omit<ShipmentRow, 'timeline' | 'relatedShipments'> & { timeline: EventTuple[]; hasRelated: boolean };

function recordOf({ hasRelated, timeline, ...shipment }: RecordRow): ShipmentRow {
  return {
    ...shipment,
    ...(timeline.length <= SHORT_TIMELINE && { timeline: eventsOf(timeline) }),
    ...(!hasRelated && { relatedShipments: [] }),
  };
}

const byColumn = (column: string, condition: string) =>
  `(select f.id from shipment f where f.company_id = $1 and f.${column}_key = $2 and ${condition.replaceAll('?', `f.${column}`)}
    order by f.id desc limit 1)`;
const byOrderColumn = (column: string, condition: string) =>
  `(select f.id from customer_order fo join shipment f on f.company_id = fo.company_id and f.order_id = fo.id
    where fo.company_id = $1 and fo.${column}_key = $2 and ${condition.replaceAll('?', `fo.${column}`)} order by f.id desc limit 1)`;

const alternatives = (condition: string) =>
  [
    byColumn('parcel_id', condition),
    byColumn('reference', condition),
    byOrderColumn('marketplace_order_id', condition),
    byOrderColumn('marketplace_order_number', condition),
  ].join(', ');

// A record has one statement for what nearly every caller asks with, the main number; PostgreSQL makes ready every part
// of a plan, used or not, and the other ranks are many.
export const RECORD_BY_MAIN_NUMBER = companyStatement(
  'tracking-by-main-number',
  `${RECORD} where s.company_id = $1 and s.tracking_key = $2 order by s.id desc limit 1`,
  CAN_LAG,
);

/**
 * The further ranks: secondary label, then the alternative identifiers, first those that are equal to the letter ($3),
 * then those equal when normalized ($2); within a rank the newest shipment. `coalesce` stops at the first that is found.
 */
export const RECORD_BY_OTHER_NUMBER = companyStatement(
  'tracking-by-other-number',
  `${RECORD} where s.company_id = $1 and s.id = coalesce(
    (select l.shipment_id from shipment_label l where l.company_id = $1 and l.tracking_key = $2 order by l.shipment_id desc limit 1),
    ${alternatives('? = $3')}, ${alternatives('true')})`,
  CAN_LAG,
);

export async function recordByNumber(tenant: Tenant, key: string, number: string): Promise<ShipmentRow | undefined> {
  let [row] = await tenant.rows<RecordRow>(RECORD_BY_MAIN_NUMBER, key);
  if (!row) [row] = await tenant.rows<RecordRow>(RECORD_BY_OTHER_NUMBER, key, number);
  return row && recordOf(row);
}

const RECORD_BY_ID = rowLoader<[id: number], RecordRow, ShipmentRow | undefined>(
  {
    name: 'tracking-by-id',
    key: { id: 'integer' },
    text: `${RECORD} where s.company_id = each.company_id and s.id = each.id`,
    isSplitByCompany: true,
  },
  row => row && recordOf(row),
);

/** Records, with the newest `maxEvents` of their timelines and so many of the shipments that belong to them. */
export async function recordsByIds(
  reader: Reader,
  ids: readonly number[],
  { maxEvents, maxRelated }: { maxEvents: number; maxRelated: number },
): Promise<Required<ShipmentRow>[]> {
  const found = await reader.loadAll(
    RECORD_BY_ID,
    ids.map(id => [id]),
  );
  const records = found.filter(record => record !== undefined);
  const timelineOf = await lacking(reader, records, 'timeline', TIMELINE_END, [null, maxEvents]);
  const relatedOf = await lacking(reader, records, 'relatedShipments', RELATED_SHIPMENTS, [null, maxRelated]);
  return records.map(record => ({
    ...record,
    timeline: (record.timeline ?? timelineOf.get(record.id) ?? []).slice(-maxEvents),
    relatedShipments: record.relatedShipments ?? relatedOf.get(record.id) ?? [],
  }));
}

/** The part that some records were read without, by their ids. */
async function lacking<Entry>(
  reader: Reader,
  records: readonly ShipmentRow[],
  part: 'timeline' | 'relatedShipments',
  loader: Loader<[id: number, from: number | null, max: number], readonly Entry[]>,
  bounds: [from: null, max: number],
): Promise<ReadonlyMap<number, readonly Entry[]>> {
  const ids = records.filter(record => record[part] === undefined).map(({ id }) => id);
  const found = await reader.loadAll(
    loader,
    ids.map(id => [id, ...bounds]),
  );
  return new Map(ids.map((id, i) => [id, found[i] ?? []]));
}

/** Where an order matches, but none of its shipments is of the page, there is one row without an id. */
export const RECORDS_BY_ORDER_NUMBER = companyStatement(
  'tracking-by-order-number',
  `with matching as (
      select company_id, id from customer_order
        where company_id = $1 and marketplace_order_number_key = $2 and marketplace_order_number = $3
    ), page as (
      select f.company_id, f.id from matching m join shipment f on f.company_id = m.company_id and f.order_id = m.id
        where $4::bigint is null or f.id > $4 order by f.id limit $5
    )
    select r.* from (select from matching limit 1) found
      left join (select r.* from page cross join lateral (${RECORD} where s.company_id = page.company_id and s.id = page.id) r) r on true
    order by r.id`,
  CAN_LAG,
);

/** The records, oldest first, and whether there was an order at all. */
export async function recordsByOrderNumber(
  tenant: Tenant,
  key: string,
  orderNumber: string,
  { after, limit }: ListPage<number>,
): Promise<{ orderFound: boolean; records: ShipmentRow[] }> {
  const rows = await tenant.rows<RecordRow>(RECORDS_BY_ORDER_NUMBER, key, orderNumber, after, limit);
  return { orderFound: rows.length > 0, records: rows.filter(({ id }) => id !== null).map(recordOf) };
}

export interface ShipmentFilter {
  statusCode?: string[] | null;
  carrierCompanyId?: number | null;
  orderNumber?: string | null;
  open?: boolean | null;
}

const page = (order: 'asc' | 'desc') => `select ${SHIPMENT} from shipment s ${JOINS}
  where s.company_id = $1
    and ($2::bigint is null or s.id < $2) and ($3::bigint is null or s.id > $3)
    and ($5::text[] is null or s.status_code = any($5)) and ($6::integer is null or s.carrier_connection_id = $6)
    and ($7::text is null or s.order_id = (select id from customer_order where company_id = $1 and order_number = $7))
    and ($8::boolean is null or (s.status_code <> all($9::text[])) = $8)
  order by s.id ${order} limit $4`;
const PAGE_NEWEST = companyStatement('shipments-newest', page('desc'), CAN_LAG);
const PAGE_OLDEST = companyStatement('shipments-oldest', page('asc'), CAN_LAG);

export function shipmentPage(
  tenant: Tenant,
  filter: ShipmentFilter,
  terminal: readonly StatusCode[],
  { before, after, limit, inverted }: IdPage,
): Promise<ShipmentRow[]> {
  // Newest first: what comes after a cursor has a smaller id.
  return tenant.rows<ShipmentRow>(
    inverted ? PAGE_OLDEST : PAGE_NEWEST,
    after,
    before,
    limit,
    filter.statusCode ?? null,
    filter.carrierCompanyId ?? null,
    filter.orderNumber ?? null,
    filter.open ?? null,
    terminal,
  );
}

const BY_ORDER = listLoader<[orderId: number, after: number | null, max: number], ShipmentRow>({
  name: 'shipments-of-order',
  key: { id: 'integer', after: 'bigint', max: 'integer' },
  text: `select ${SHIPMENT} from shipment s ${JOINS}
    where s.company_id = each.company_id and s.order_id = each.id and (each.after is null or s.id > each.after)
    order by s.id limit each.max`,
  order: 'r.id',
  isSplitByCompany: true,
});

/** A part of the shipments of an order, oldest first. */
export const shipmentsOfOrder = (tenant: Tenant, orderId: number, { after, limit }: ListPage<number>) =>
  tenant.load(BY_ORDER, orderId, after, limit);

const TIMELINE_END = rowLoader<
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
const RELATED_SHIPMENTS = rowLoader<
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

/** The end of a timeline, from oldest to newest. */
export function timelineEnd(tenant: Tenant, id: number, { before, limit }: ListEnd): Promise<readonly EventRow[]> {
  return tenant.load(TIMELINE_END, id, before, limit);
}

/** A part of the shipments that belong to one. */
export const relatedShipments = (tenant: Tenant, id: number, { after, limit }: ListPage<number>) =>
  tenant.load(RELATED_SHIPMENTS, id, after, limit);
