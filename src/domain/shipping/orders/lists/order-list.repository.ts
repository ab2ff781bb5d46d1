import type {
  Direction,
  Parameters,
  ScanCount,
  ScannedIndex,
  ScannedRow,
} from '../../../../platform/database/lists/index-scan.ts';
import { optionalConditions, textsOf } from '../../../../platform/database/lists/optional-conditions.ts';
import { type ScanRequest, ScanStatements } from '../../../../platform/database/lists/scanned-lists.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { ORDER_COLUMNS, type OrderRow } from '../orders.repository.ts';
import { ORDER_SCANS, type OrderScan } from './order-list.rules.ts';

type Value = Parameters['of'];

/** The limit on rows with one number; more are an error of their sender. */
const MAX_SAME = 10_000;

/** The orders of the shipments of each number: one at most of each connection. */
const ofShipments = (keys: string) =>
  `(select f.id from ${keys} as sought(key) cross join lateral (select order_id as id from shipment
      where company_id = $1 and tracking_key = sought.key limit ${MAX_SAME}) f where f.id is not null)`;

const SCANS: Readonly<Record<OrderScan, ScannedIndex>> = {
  id: {},
  marketplace: {
    prefix: ['r.marketplace'],
    ranges: value => `unnest(${textsOf(value, 'marketplaces')}) with ordinality as each(p1, n)`,
    condition: 'r.marketplace is not null',
  },
  created: { key: 'r.created_at' },
  updated: { key: 'r.updated_at' },
  number: {
    ids: value =>
      `select id from customer_order where company_id = $1 and order_number = ${value('orderNumber', 'text')}`,
  },
  marketplace_number: {
    ids: value =>
      `select id from customer_order where company_id = $1
        and marketplace_order_number_key = ${value('marketplaceOrderNumberKey', 'text')}
        and marketplace_order_number = ${value('marketplaceOrderNumber', 'text')} limit ${MAX_SAME}`,
  },
  tracking_numbers: { ids: value => ofShipments(`unnest(${textsOf(value, 'trackingKeys')})`) },
  text: {
    ids: value => {
      const key = value('textKey', 'text');
      const by = (condition: string) =>
        `(select id from customer_order where company_id = $1 and ${condition} limit ${MAX_SAME})`;
      return [
        by(`order_number = ${value('text', 'text')}`),
        by(`marketplace_order_number_key = ${key}`),
        by(`marketplace_order_id_key = ${key}`),
        ofShipments(`(select ${key})`),
      ].join(' union all ');
    },
  },
};

/** Values of the parameters of all statements, by name; null if the filter lacks the condition. */
export interface OrderConditions {
  readonly orderNumber: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly marketplaceOrderNumberKey: string | null;
  readonly trackingKeys: readonly string[] | null;
  readonly text: string | null;
  readonly textKey: string | null;
  readonly marketplaces: readonly string[] | null;
  readonly recipient: string | null;
  readonly provinces: readonly string[] | null;
  readonly postalCodes: readonly string[] | null;
  readonly updatedFrom: Date | null;
  readonly updatedTo: Date | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
}

/** The whole filter, even if the scan serves a part of it, so that no plan can leave a condition out. */
function condition(value: Value): string {
  const { unless, equal, among, from, to } = optionalConditions<keyof OrderConditions>(value);
  const hasShipment = (keys: string) =>
    `exists (select from shipment f where f.company_id = $1 and f.order_id = o.id and f.tracking_key ${keys})`;
  return [
    equal('orderNumber', 'o.order_number'),
    equal('marketplaceOrderNumber', 'o.marketplace_order_number'),
    unless('trackingKeys', 'text[]', keys => hasShipment(`= any(${keys}::text[])`)),
    unless(
      'textKey',
      'text',
      key => `(o.order_number = ${value('text', 'text')} or o.marketplace_order_number_key = ${key}
        or o.marketplace_order_id_key = ${key} or ${hasShipment(`= ${key}`)})`,
    ),
    among('marketplaces', 'o.marketplace'),
    unless('recipient', 'text', given => `position(lower(${given}) in lower(o.recipient ->> 'companyName')) > 0`),
    among('provinces', `lower(o.recipient ->> 'province')`),
    among('postalCodes', `(o.recipient ->> 'postalCode')`),
    from('updatedFrom', 'o.updated_at'),
    to('updatedTo', 'o.updated_at'),
    from('createdFrom', 'o.created_at'),
    to('createdTo', 'o.created_at'),
  ].join('\n          and ');
}

const STATEMENTS = new ScanStatements<OrderScan, OrderConditions>('orders', ORDER_SCANS, scan => ({
  table: 'customer_order',
  as: 'o',
  index: SCANS[scan],
  joins: '',
  condition,
  select: () => ORDER_COLUMNS,
  counted: () => ({ joins: '', group: 'null::text' }),
}));

type OrdersScan = ScanRequest<OrderScan, OrderConditions>;

/** A page of orders in the order of a scan, with the position up to which it looked. */
export function scannedOrders(
  tenant: Tenant,
  asked: OrdersScan,
  direction: Direction,
  limit: number,
): Promise<(ScannedRow & OrderRow)[]> {
  return STATEMENTS.page(tenant, asked, direction, limit);
}

export function countScannedOrders(tenant: Tenant, asked: OrdersScan): Promise<ScanCount[]> {
  return STATEMENTS.count(tenant, asked);
}
