import type {
  BoundedIds,
  Direction,
  Parameters,
  ScanCount,
  ScannedIndex,
  ScannedRow,
} from '../../../../platform/database/lists/index-scan.ts';
import { textsOf } from '../../../../platform/database/lists/optional-conditions.ts';
import { type ScanRequest, ScanStatements } from '../../../../platform/database/lists/scanned-lists.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { listedTimeline, withEvents } from '../shipment-parts.repository.ts';
import { joinsOfEach, LISTED, type ListedShipmentRow } from '../tracking.repository.ts';
import { EXPECTED, HEARD, PROVINCE, type ShipmentConditions, shipmentCondition } from './shipment-conditions.rules.ts';
import { SHIPMENT_SCANS, type ShipmentScan } from './shipment-list.rules.ts';

type Value = Parameters['of'];

/** Whether a delay was announced: the jobs that announce delays read one half of these indexes. */
const BOTH = '(values (true), (false)) as half(p)';

/** The limit on orders with one number, because more are an error of their sender. */
const MAX_SAME = 1_000;
const ordersBy = (condition: string) =>
  `(select id from customer_order where company_id = $1 and ${condition} limit ${MAX_SAME})`;
const ofOrders = (orders: string, bounded: BoundedIds) =>
  `(select f.id from ${orders} o cross join lateral (
      select id from shipment where company_id = $1 and order_id is not null and ${bounded('id', ['order_id', 'o.id'])}) f)`;

const SCANS: Readonly<Record<ShipmentScan, ScannedIndex>> = {
  id: {},
  status: {
    prefix: ['r.status_code'],
    ranges: value => `unnest(${textsOf(value, 'statuses')}) with ordinality as each(p1, n)`,
  },
  connection: {
    prefix: ['r.carrier_connection_id'],
    ranges: value => `(select id as p1, id as n from carrier_connection where company_id = $1
        and (${value('carrierConnectionId', 'integer')} is null or id = ${value('carrierConnectionId', 'integer')})
        and (${value('carriers', 'text[]')} is null or carrier_code = any(${textsOf(value, 'carriers')}))) as each`,
  },
  created: { key: 'r.created_at' },
  updated: { key: 'r.updated_at' },
  delivered: { key: 'r.delivered_at', condition: 'r.delivered_at is not null' },
  expected: {
    prefix: ['(r.delay_told_at is null)'],
    ranges: () => `(select p as p1, p::integer as n from ${BOTH}) as each`,
    key: EXPECTED,
    condition: 'r.delivered_at is null',
  },
  silent: {
    prefix: ['(r.stall_told_at is null)', 'r.status_code'],
    ranges: value =>
      `(select p as p1, status as p2, row_number() over () as n from unnest(${textsOf(value, 'statuses')}) as s(status) cross join ${BOTH}) as each`,
    key: HEARD,
    condition: 'r.delivered_at is null',
  },
  tracking_numbers: {
    ids: value => `select f.id from unnest(${textsOf(value, 'trackingKeys')}) as sought(key)
      cross join lateral (select id from shipment where company_id = $1 and tracking_key = sought.key) f`,
  },
  order_number: {
    ids: (value, bounded) => ofOrders(ordersBy(`order_number = ${value('orderNumber', 'text')}`), bounded),
  },
  text: {
    ids: (value, bounded) => {
      const key = value('textKey', 'text');
      const by = (column: string) =>
        `(select id from shipment where company_id = $1 and ${column} is not null and ${bounded('id', [column, key])})`;
      return [
        // Each connection has one at most.
        `(select id from shipment where company_id = $1 and tracking_key = ${key})`,
        by('parcel_id_key'),
        by('reference_key'),
        `(select shipment_id from shipment_label where company_id = $1 and ${bounded('shipment_id', ['tracking_key', key])})`,
        ofOrders(ordersBy(`order_number = ${value('text', 'text')}`), bounded),
        ofOrders(ordersBy(`marketplace_order_number_key = ${key}`), bounded),
        ofOrders(ordersBy(`marketplace_order_id_key = ${key}`), bounded),
      ].join(' union all ');
    },
  },
};

const GROUP = (value: Value) =>
  `case ${value('group', 'text')} when 'status' then s.status_code when 'carrier' then c.carrier_code when 'province' then ${PROVINCE} end`;

/** Tracking data are as old as the carriers' last reports. */
const CAN_LAG = { canLag: true } as const;

const STATEMENTS = new ScanStatements<ShipmentScan, ShipmentConditions>(
  'shipments',
  SHIPMENT_SCANS,
  scan => ({
    table: 'shipment',
    as: 's',
    index: SCANS[scan],
    joins: joinsOfEach(),
    condition: shipmentCondition,
    select: value => `${LISTED}, ${listedTimeline(value('hasTimelines', 'boolean'))}`,
    counted: value => ({
      joins: joinsOfEach(value('needsCarrier', 'boolean'), value('needsOrder', 'boolean')),
      group: GROUP(value),
    }),
  }),
  CAN_LAG,
);

type ShipmentsScan = ScanRequest<ShipmentScan, ShipmentConditions>;

type ListedShipment = ScannedRow & ListedShipmentRow;

/** A page of shipments in the order of a scan, with the position up to which it looked. */
export async function scannedShipments(
  tenant: Tenant,
  asked: ShipmentsScan,
  direction: Direction,
  { limit, hasTimelines }: { readonly limit: number; readonly hasTimelines: boolean },
): Promise<ListedShipment[]> {
  return withEvents(await STATEMENTS.page<ListedShipment>(tenant, asked, direction, limit, { hasTimelines }));
}

/** The number of shipments, by range and optionally by group. */
export function countScanned(tenant: Tenant, asked: ShipmentsScan, group: string | null): Promise<ScanCount[]> {
  const { orderNumber, textKey, marketplaces, recipient, provinces, postalCodes, carriers } = asked.conditions;
  const ofOrder = [orderNumber, textKey, marketplaces, recipient, provinces, postalCodes];
  const needsOrder = group === 'province' || ofOrder.some(one => one !== null);
  const needsCarrier = group === 'carrier' || carriers !== null;
  return STATEMENTS.count(tenant, asked, { group, needsOrder, needsCarrier });
}
