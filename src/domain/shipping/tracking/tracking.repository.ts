import { type Loader, listLoader, rowLoader } from '../../../platform/database/gather/loader.ts';
import { type ListPage, MAX_COUNT } from '../../../platform/database/lists/page.ts';
import { ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement } from '../../../platform/database/statements/statements.ts';
import type { Reader, Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { soughtLine } from '../../../platform/plain-text.ts';
import type { Metadata } from '../../common/metadata.rules.ts';
import { trackingKey } from '../../common/number.rules.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';
import type { OrderHeadColumns } from '../orders/order-head.rules.ts';
import type { ExpectedDates } from './estimates/estimates.rules.ts';
import {
  type EventRow,
  type EventTuple,
  eventsOf,
  type FilteredOrder,
  HAS_RELATED,
  listedTimeline,
  RELATED_SHIPMENTS,
  type RelatedRow,
  SHORT_TIMELINE,
  TIMELINE,
  TIMELINE_END,
  withEvents,
} from './shipment-parts.repository.ts';
import type { ShipmentRecord } from './shipments.entity.ts';
import { newestOfNumber } from './shipments.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** Tracking data are as old as the carriers' last reports, so a replica's delay is not noticeable. */
const CAN_LAG = { canLag: true } as const;

/** The columns of a shipment by their names in the row. Times are milliseconds since 1970: cheap on both sides of the wire. */
const COLUMNS = {
  id: 's.id',
  trackingNumber: 's.tracking_number',
  statusCode: 's.status_code',
  statusAt: ms('s.status_at'),
  firstScanAt: ms('s.first_scan_at'),
  shippedAt: ms('coalesce(s.shipment_date, s.shipped_at)'),
  platformExpectedAt: ms('s.expected_delivery_date'),
  carrierExpectedAt: ms('s.carrier_expected_at'),
  deliveredAt: ms('s.delivered_at'),
  parcelCount: 's.parcel_number',
  weight: 's.weight',
  volume: 's.volume',
  trackingUrl: 's.tracking_url',
  reference: 's.reference',
  parcelId: 's.parcel_id',
  orderId: 's.order_id',
  orderNumber: 'o.order_number',
  marketplaceOrderNumber: 'o.marketplace_order_number',
  warehouseId: 's.warehouse_id',
  carrierConnectionId: 's.carrier_connection_id',
  carrierCode: 'c.carrier_code',
  recipient: 'coalesce(s.recipient, o.recipient)',
  createdAt: ms('s.created_at'),
  updatedAt: ms('s.updated_at'),
};

const SHIPMENT = Object.entries(COLUMNS)
  .map(([name, column]) => `${column} as "${name}"`)
  .join(', ');

type Read<Stored> = Exclude<Stored, Date | undefined> | (Extract<Stored, Date> extends never ? never : number);
type ReadColumn = Exclude<keyof typeof COLUMNS & keyof ShipmentRecord, 'statusCode' | 'recipient'>;

/** A shipment as queries read it. */
export interface ShipmentRow extends ExpectedDates, Readonly<{ [Name in ReadColumn]: Read<ShipmentRecord[Name]> }> {
  readonly statusCode: StatusCode;
  readonly orderNumber: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly carrierCode: string;
  readonly recipient: Recipient;
  /** Read with a single record if it is short; otherwise batched by the graph's loaders. */
  readonly timeline?: readonly EventRow[];
  /** Read with the record if it is empty. */
  readonly relatedShipments?: readonly RelatedRow[];
  /** Read with the record for webhooks, whose filters use it; otherwise by its own loader. */
  readonly metadata?: Metadata;
  /** Read likewise, for its order; null without one. */
  readonly ofOrder?: FilteredOrder | null;
}

/** The columns of a listed shipment and of its order, which the statement joins already. */
export const LISTED = `${SHIPMENT}, o.marketplace as "orderMarketplace", o.marketplace_order_id as "orderMarketplaceId",
  o.warehouse_id as "orderWarehouseId", o.cod_amount as "orderCodAmount", o.insurance_amount as "orderInsuranceAmount",
  o.service as "orderService", o.goods_value as "orderGoodsValue",
  ${ms('o.created_at')} as "orderCreatedAt", ${ms('o.updated_at')} as "orderUpdatedAt"`;

/** A shipment of a list, with its order, and with its timeline if the list shows it. */
export type ListedShipmentRow = ShipmentRow & OrderHeadColumns;

const JOINS = `join carrier_connection c on c.company_id = s.company_id and c.id = s.carrier_connection_id
  left join customer_order o on o.company_id = s.company_id and o.id = s.order_id`;

/**
 * Joins row by row for the rows of a page, whatever PostgreSQL estimates.
 *
 * @param carrier, order conditions for the look-ups
 */
export const joinsOfEach = (carrier = 'true', order = 'true') => `left join lateral (select carrier_code
    from carrier_connection where company_id = $1 and id = s.carrier_connection_id and ${carrier} limit 1) c on true
  left join lateral (select * from customer_order
    where company_id = $1 and id = s.order_id and ${order} limit 1) o on true`;

const record = (more = '') =>
  `select ${SHIPMENT}, ${TIMELINE} as timeline, ${HAS_RELATED} as "hasRelated"${more} from shipment s ${JOINS}`;

/**
 * When a record was last confirmed or changed. Looking up the row that polls write anyway takes 7 of the statement's
 * 150 µs of CPU, where a left join took 15. A column of the shipment would take none, and each poll 15 µs and 250 bytes
 * of WAL for it, mostly without news: a shipment on the road is polled a dozen times a day, and seldom read as often.
 */
const AS_OF = `, ${ms(`greatest(s.updated_at, (select p.answered_at from tracking_poll p
    where p.company_id = each.company_id and p.shipment_id = s.id))`)} as "asOf"`;

type RecordRow = Omit<ShipmentRow, 'timeline' | 'relatedShipments'> & { timeline: EventTuple[]; hasRelated: boolean };

function recordOf({ hasRelated, timeline, ...shipment }: RecordRow): ShipmentRow {
  return {
    ...shipment,
    ...(timeline.length <= SHORT_TIMELINE && { timeline: eventsOf(timeline) }),
    ...(!hasRelated && { relatedShipments: [] }),
  };
}

const byColumn = (column: string, condition: string) =>
  `(select f.id from shipment f where f.company_id = each.company_id and f.${column}_key = each.key
    and ${condition.replaceAll('?', `f.${column}`)} order by f.id desc limit 1)`;
const byOrderColumn = (column: string, condition: string) =>
  `(select f.id from customer_order fo join shipment f on f.company_id = each.company_id and f.order_id = fo.id
    where fo.company_id = each.company_id and fo.${column}_key = each.key and ${condition.replaceAll('?', `fo.${column}`)}
    order by f.id desc limit 1)`;

const alternatives = (condition: string) =>
  [
    byColumn('parcel_id', condition),
    byColumn('reference', condition),
    byOrderColumn('marketplace_order_id', condition),
    byOrderColumn('marketplace_order_number', condition),
  ].join(', ');

/** A shipment found by its number. */
export interface DatedShipment extends ShipmentRow {
  /** When its carrier last responded about it, or it last changed. */
  readonly asOf: number;
}

type DatedRow = RecordRow & Pick<DatedShipment, 'asOf'>;

const toDated = (row: DatedRow | undefined) => row && (recordOf(row) as DatedShipment);

// The main number, which nearly every caller sends, has its own statement: PostgreSQL prepares every part of a plan,
// used or not, and the other ranks are many.
export const RECORD_BY_MAIN_NUMBER = rowLoader<[key: string], DatedRow, DatedShipment | undefined>(
  {
    name: 'tracking-by-main-number',
    key: { key: 'text' },
    text: `${record(AS_OF)} where s.company_id = each.company_id and s.tracking_key = each.key ${newestOfNumber('s.id')} limit 1`,
    ...CAN_LAG,
  },
  toDated,
);

/**
 * The further ranks: secondary label, then the alternative identifiers, first exact matches (`number`), then normalized
 * ones (`key`); within a rank the newest shipment. `coalesce` stops at the first match.
 */
export const RECORD_BY_OTHER_NUMBER = rowLoader<[key: string, number: string], DatedRow, DatedShipment | undefined>(
  {
    name: 'tracking-by-other-number',
    key: { key: 'text', number: 'text' },
    text: `${record(AS_OF)} where s.company_id = each.company_id and s.id = coalesce(
    (select l.shipment_id from shipment_label l where l.company_id = each.company_id and l.tracking_key = each.key
      order by l.shipment_id desc limit 1),
    ${alternatives('? = each.number')}, ${alternatives('true')})`,
    ...CAN_LAG,
  },
  toDated,
);

export async function recordByNumber(tenant: Tenant, key: string, number: string): Promise<DatedShipment | undefined> {
  return (await tenant.load(RECORD_BY_MAIN_NUMBER, key)) ?? tenant.load(RECORD_BY_OTHER_NUMBER, key, number);
}

/** A loader of records by their ids, with a condition on the row `s` and optional columns. */
export const recordLoader = (name: string, condition: string, more = '') =>
  rowLoader<[id: number], RecordRow, ShipmentRow | undefined>(
    {
      name,
      key: { id: 'integer' },
      text: `${record(more)} where s.company_id = each.company_id and s.id = each.id and ${condition}`,
      isSplitByCompany: true,
    },
    row => row && recordOf(row),
  );

const BY_ID = recordLoader('shipment-by-id', 'true');

export const shipmentById = (tenant: Tenant, id: number) => tenant.load(BY_ID, id);

/** Records, each with the newest `maxEvents` of its timeline, and a limited number of related shipments. */
export async function recordsByIds(
  tx: TenantTransaction,
  loader: ReturnType<typeof recordLoader>,
  wanted: readonly { readonly id: number; readonly maxEvents: number }[],
  maxRelated: number,
): Promise<Required<ShipmentRow>[]> {
  const found = await tx.loadAll(
    loader,
    wanted.map(({ id }) => [id]),
  );
  const records = found.filter(record => record !== undefined);
  const maxEvents = new Map(wanted.map(one => [one.id, one.maxEvents]));
  const eventsOf = (id: number) => maxEvents.get(id) ?? 0;
  const timelineOf = await lacking(tx, records, 'timeline', TIMELINE_END, eventsOf);
  const relatedOf = await lacking(tx, records, 'relatedShipments', RELATED_SHIPMENTS, () => maxRelated);
  return records.map(record => ({
    ...record,
    timeline: (record.timeline ?? timelineOf.get(record.id) ?? []).slice(-eventsOf(record.id)),
    relatedShipments: record.relatedShipments ?? relatedOf.get(record.id) ?? [],
    metadata: record.metadata ?? {},
    ofOrder: record.ofOrder ?? null,
  }));
}

/** The part that some records were read without, by their ids. */
async function lacking<Entry>(
  reader: Reader,
  records: readonly ShipmentRow[],
  part: 'timeline' | 'relatedShipments',
  loader: Loader<[id: number, from: number | null, max: number], readonly Entry[]>,
  maxOf: (id: number) => number,
): Promise<ReadonlyMap<number, readonly Entry[]>> {
  const ids = records.filter(record => record[part] === undefined).map(({ id }) => id);
  const found = await reader.loadAll(
    loader,
    ids.map(id => [id, null, maxOf(id)]),
  );
  return new Map(ids.map((id, i) => [id, found[i] ?? []]));
}

/** If an order matches but none of its shipments is on the page, there is one row without an id. */
export const RECORDS_BY_ORDER_NUMBER = listLoader<
  [key: string, number: string, after: number | null, max: number],
  RecordRow
>({
  name: 'tracking-by-order-number',
  key: { key: 'text', number: 'text', after: 'bigint', max: 'integer' },
  text: `with matching as (
      select id from customer_order where company_id = each.company_id
        and marketplace_order_number_key = each.key and marketplace_order_number = each.number
    ), page as (
      select f.id from matching m join shipment f on f.company_id = each.company_id and f.order_id = m.id
        where each.after is null or f.id > each.after order by f.id limit each.max
    )
    select r.* from (select from matching limit 1) found
      left join (select r.* from page cross join lateral (${record()} where s.company_id = each.company_id and s.id = page.id) r) r on true`,
  order: 'r.id',
  isSplitByCompany: true,
  ...CAN_LAG,
});

/** The records, oldest first, and whether there was an order at all. */
export async function recordsByOrderNumber(
  tenant: Tenant,
  key: string,
  orderNumber: string,
  { after, limit }: ListPage<number>,
): Promise<{ orderFound: boolean; records: ShipmentRow[] }> {
  const rows = await tenant.load(RECORDS_BY_ORDER_NUMBER, key, orderNumber, after, limit);
  return { orderFound: rows.length > 0, records: rows.filter(({ id }) => id !== null).map(recordOf) };
}

// PostgreSQL keeps one generic plan for all pages: it sees neither their length nor their cursor, and the joins are of
// one row each, whatever it estimates. Planning each page took longer than reading it. Identifiers have four bytes.
const page = (order: 'asc' | 'desc') => `select ${LISTED}, ${listedTimeline('(select $5::boolean)')} from (
    select * from shipment where company_id = $1 and id < coalesce($2::bigint, ${2 ** 31}) and id > coalesce($3::bigint, 0)
    order by id ${order} limit (select $4::bigint)
  ) s ${joinsOfEach()}
  order by s.id ${order}`;
const NEWEST = companyStatement('shipments-newest', page('desc'), CAN_LAG);
const OLDEST = companyStatement('shipments-oldest', page('asc'), CAN_LAG);

const COUNT = companyStatement(
  'count-shipments',
  `select count(*)::integer as count from (select from shipment s where s.company_id = $1 limit ${MAX_COUNT}) s`,
  CAN_LAG,
);

/** The number of shipments, up to the limit. */
export async function shipmentCount(tenant: Tenant): Promise<number> {
  const [found] = await tenant.rows<{ count: number }>(COUNT);
  return found?.count ?? 0;
}

/** A page of all shipments by their ids, between two bounds. */
export async function shipmentPage(
  tenant: Tenant,
  direction: 'asc' | 'desc',
  { low, high }: { readonly low: number | null; readonly high: number | null },
  { limit, hasTimelines }: { readonly limit: number; readonly hasTimelines: boolean },
): Promise<ListedShipmentRow[]> {
  return withEvents(await tenant.rows(direction === 'asc' ? OLDEST : NEWEST, high, low, limit, hasTimelines));
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

const COUNT_OF_ORDER = rowLoader<[orderId: number], { count: number }, number>(
  {
    name: 'count-shipments-of-order',
    key: { id: 'integer' },
    text: `select count(*)::integer as count from (select from shipment s
      where s.company_id = each.company_id and s.order_id = each.id limit ${MAX_COUNT}) s`,
  },
  row => row?.count ?? 0,
);

/** The number of shipments of an order, up to the limit. */
export const countOfOrder = (tenant: Tenant, orderId: number) => tenant.load(COUNT_OF_ORDER, orderId);

const COUNT_OF_ORDER_NUMBER = rowLoader<[key: string, number: string], { count: number }, number>(
  {
    name: 'count-shipments-of-order-number',
    key: { key: 'text', number: 'text' },
    text: `select count(*)::integer as count from (select from customer_order o
      join shipment s on s.company_id = o.company_id and s.order_id = o.id
      where o.company_id = each.company_id and o.marketplace_order_number_key = each.key
        and o.marketplace_order_number = each.number limit ${MAX_COUNT}) s`,
  },
  row => row?.count ?? 0,
);

/** The number of shipments of the orders with a number on the marketplace, up to the limit. */
export const countOfOrderNumber = (tenant: Tenant, orderNumber: string) =>
  tenant.load(COUNT_OF_ORDER_NUMBER, trackingKey(orderNumber), soughtLine(orderNumber));
