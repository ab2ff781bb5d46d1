import {
  boundsOf,
  type Direction,
  MAX_ID,
  Parameters,
  type ParameterType,
  type Stretch,
  type WalkedCount,
  type WalkedIndex,
  type WalkedRow,
  walkedCount,
  walkedPage,
} from '../../../platform/database/index-walk.ts';
import { type CompanyStatement, companyStatement, type Tenant } from '../../../platform/database/tenancy.ts';
import { ORDER_COLUMNS, type OrderRow } from '../orders.repository.ts';
import { ORDER_WALKS, type OrderWalk } from './order-list.rules.ts';

type Value = Parameters['of'];

/** Rows with one number that are found; more are a mistake of whoever wrote them. */
const MAX_SAME = 10_000;

const array = (value: Value, name: string) => `${value(name, 'text[]')}::text[]`;

/** Of each number the shipments of all connections; compared with whole rows of the index, so that no other is taken. */
const ofShipments = (keys: string) =>
  `(select f.id from ${keys} as sought(key) cross join lateral (select order_id as id from shipment
      where company_id = $1 and (tracking_key, id) > (sought.key, 0) and (tracking_key, id) < (sought.key, ${MAX_ID})
      order by tracking_key, id limit ${MAX_SAME}) f where f.id is not null)`;

const WALKS: Readonly<Record<OrderWalk, WalkedIndex>> = {
  id: {},
  marketplace: {
    prefix: ['r.marketplace'],
    stretches: value => `(select ${value('marketplace', 'text')} as p1, 1 as n) as each`,
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
  tracking_numbers: { ids: value => ofShipments(`unnest(${array(value, 'trackingKeys')})`) },
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

/** The values of the parameters of all statements, by name; null where the filter does not have the condition. */
export interface OrderConditions {
  readonly orderNumber: string | null;
  readonly marketplaceOrderNumber: string | null;
  readonly marketplaceOrderNumberKey: string | null;
  readonly trackingKeys: readonly string[] | null;
  readonly text: string | null;
  readonly textKey: string | null;
  readonly marketplace: string | null;
  readonly recipient: string | null;
  readonly provinces: readonly string[] | null;
  readonly postalCodes: readonly string[] | null;
  readonly updatedSince: Date | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
}

/** The whole filter, whichever walk has a part of it already: a condition that is left out of one plan would show. */
function condition(value: Value): string {
  const unless = (name: keyof OrderConditions, type: ParameterType, check: (given: string) => string) =>
    `(${value(name, type)} is null or ${check(value(name, type))})`;
  const equal = (name: keyof OrderConditions, column: string) => unless(name, 'text', given => `${column} = ${given}`);
  const among = (name: keyof OrderConditions, column: string) =>
    unless(name, 'text[]', given => `${column} = any(${given}::text[])`);
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
    equal('marketplace', 'o.marketplace'),
    unless('recipient', 'text', given => `position(lower(${given}) in lower(o.recipient ->> 'companyName')) > 0`),
    among('provinces', `lower(o.recipient ->> 'province')`),
    among('postalCodes', `(o.recipient ->> 'postalCode')`),
    unless('updatedSince', 'timestamptz', at => `o.updated_at >= ${at}`),
    unless('createdFrom', 'timestamptz', at => `o.created_at >= ${at}`),
    unless('createdTo', 'timestamptz', at => `o.created_at < ${at}`),
  ].join('\n          and ');
}

interface Walk {
  readonly pages: Readonly<
    Record<Direction, { readonly statement: CompanyStatement; readonly parameters: Parameters }>
  >;
  readonly count: { readonly statement: CompanyStatement; readonly parameters: Parameters };
}

function declareWalk(name: OrderWalk): Walk {
  const listed = { table: 'customer_order', as: 'o', index: WALKS[name], joins: '', condition };
  const page = (direction: Direction) => {
    const parameters = new Parameters();
    const text = walkedPage(listed, direction, ORDER_COLUMNS, parameters);
    return { statement: companyStatement(`orders-by-${name}-${direction}`, text), parameters };
  };
  const parameters = new Parameters();
  const text = walkedCount(listed, 'null::text', parameters);
  const count = { statement: companyStatement(`count-orders-by-${name}`, text), parameters };
  return { pages: { asc: page('asc'), desc: page('desc') }, count };
}

const DECLARED = Object.fromEntries(ORDER_WALKS.map(name => [name, declareWalk(name)])) as Readonly<
  Record<OrderWalk, Walk>
>;

/** What is asked of a walk: its rows between two positions, so many of them, and what they must be. */
export interface WalkedOrders {
  readonly walk: OrderWalk;
  readonly stretch: Stretch;
  readonly window: number;
  readonly conditions: OrderConditions;
}

/** The statement of a page and its values, which benches and tests explain. */
export function orderPageCall(
  { walk, stretch, window, conditions }: WalkedOrders,
  direction: Direction,
  limit: number,
): readonly [CompanyStatement, unknown[]] {
  const { statement, parameters } = DECLARED[walk].pages[direction];
  return [statement, parameters.valuesOf({ ...boundsOf(stretch), ...conditions, window, limit })];
}

/** A page of orders in the order of a walk, with up to where it was looked. */
export function walkedOrders(
  tenant: Tenant,
  walked: WalkedOrders,
  direction: Direction,
  limit: number,
): Promise<(WalkedRow & OrderRow)[]> {
  const [statement, values] = orderPageCall(walked, direction, limit);
  return tenant.rows(statement, ...values);
}

/** How many orders there are. */
export function countWalkedOrders(
  tenant: Tenant,
  { walk, stretch, window, conditions }: WalkedOrders,
): Promise<WalkedCount[]> {
  const { statement, parameters } = DECLARED[walk].count;
  return tenant.rows(statement, ...parameters.valuesOf({ ...boundsOf(stretch), ...conditions, window }));
}
