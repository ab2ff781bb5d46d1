import {
  type BoundedIds,
  boundsOf,
  type Direction,
  Parameters,
  type Stretch,
  type WalkedCount,
  type WalkedIndex,
  type WalkedRow,
  walkedCount,
  walkedPage,
} from '../../../platform/database/index-walk.ts';
import { type CompanyStatement, companyStatement, type Tenant } from '../../../platform/database/tenancy.ts';
import { joinsOfEach, SHIPMENT, type ShipmentRow } from '../tracking.repository.ts';
import {
  array,
  EXPECTED,
  HEARD,
  PROVINCE,
  type ShipmentConditions,
  shipmentCondition,
} from './shipment-conditions.rules.ts';
import { SHIPMENT_WALKS, type ShipmentWalk } from './shipment-list.rules.ts';

type Value = Parameters['of'];

/** Whether a delay has been announced: the jobs that announce delays look along one half of these indexes. */
const BOTH = '(values (true), (false)) as half(p)';

/** Orders with a number; more than this many with one number are a mistake, which costs no more than these. */
const MAX_SAME = 1_000;
const ordersBy = (condition: string) =>
  `(select id from customer_order where company_id = $1 and ${condition} limit ${MAX_SAME})`;
const ofOrders = (orders: string, bounded: BoundedIds) =>
  `(select f.id from ${orders} o cross join lateral (
      select id from shipment where company_id = $1 and order_id is not null and ${bounded('id', ['order_id', 'o.id'])}) f)`;

const WALKS: Readonly<Record<ShipmentWalk, WalkedIndex>> = {
  id: {},
  status: {
    prefix: ['r.status_code'],
    stretches: value => `unnest(${array(value, 'statuses')}) with ordinality as each(p1, n)`,
  },
  connection: {
    prefix: ['r.carrier_connection_id'],
    stretches: value => `(select id as p1, id as n from carrier_connection where company_id = $1
        and (${value('connectionId', 'integer')} is null or id = ${value('connectionId', 'integer')})
        and (${value('carriers', 'text[]')} is null or carrier_code = any(${array(value, 'carriers')}))) as each`,
  },
  created: { key: 'r.created_at' },
  updated: { key: 'r.updated_at' },
  delivered: { key: 'r.delivered_at', condition: 'r.delivered_at is not null' },
  expected: {
    prefix: ['(r.delay_told_at is null)'],
    stretches: () => `(select p as p1, p::integer as n from ${BOTH}) as each`,
    key: EXPECTED,
    condition: 'r.delivered_at is null',
  },
  silent: {
    prefix: ['(r.stall_told_at is null)', 'r.status_code'],
    stretches: value =>
      `(select p as p1, status as p2, row_number() over () as n from unnest(${array(value, 'statuses')}) as s(status) cross join ${BOTH}) as each`,
    key: HEARD,
    condition: 'r.delivered_at is null',
  },
  tracking_numbers: {
    ids: (value, bounded) => `select f.id from unnest(${array(value, 'trackingKeys')}) as sought(key)
      cross join lateral (select id from shipment where company_id = $1 and ${bounded('id', ['tracking_key', 'sought.key'])}) f`,
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
        by('tracking_key'),
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

interface Walk {
  readonly pages: Readonly<
    Record<Direction, { readonly statement: CompanyStatement; readonly parameters: Parameters }>
  >;
  readonly count: { readonly statement: CompanyStatement; readonly parameters: Parameters };
}

const GROUP = (value: Value) =>
  `case ${value('group', 'text')} when 'status' then s.status_code when 'carrier' then c.carrier_code when 'province' then ${PROVINCE} end`;

/** Tracking is as old as what carriers last reported. */
const CAN_LAG = { canLag: true } as const;

function declareWalk(name: ShipmentWalk): Walk {
  const listed = { table: 'shipment', as: 's', index: WALKS[name], joins: joinsOfEach(), condition: shipmentCondition };
  const page = (direction: Direction) => {
    const parameters = new Parameters();
    const text = walkedPage(listed, direction, SHIPMENT, parameters);
    return { statement: companyStatement(`shipments-by-${name}-${direction}`, text, CAN_LAG), parameters };
  };
  const parameters = new Parameters();
  const text = walkedCount(
    { ...listed, joins: joinsOfEach(parameters.of('needsCarrier', 'boolean'), parameters.of('needsOrder', 'boolean')) },
    GROUP(parameters.of),
    parameters,
  );
  const count = { statement: companyStatement(`count-shipments-by-${name}`, text, CAN_LAG), parameters };
  return { pages: { asc: page('asc'), desc: page('desc') }, count };
}

const DECLARED = Object.fromEntries(SHIPMENT_WALKS.map(name => [name, declareWalk(name)])) as Readonly<
  Record<ShipmentWalk, Walk>
>;

/** What is asked of a walk: its rows between two positions, so many of each of its stretches, and what they must be. */
export interface WalkedShipments {
  readonly walk: ShipmentWalk;
  readonly stretch: Stretch;
  readonly window: number;
  readonly conditions: ShipmentConditions;
}

export type ListedShipment = WalkedRow & ShipmentRow;

/** The statement and its values, which benches and tests explain. */
export function shipmentPageCall(
  { walk, stretch, window, conditions }: WalkedShipments,
  direction: Direction,
  limit: number,
): readonly [CompanyStatement, unknown[]] {
  const { statement, parameters } = DECLARED[walk].pages[direction];
  return [statement, parameters.valuesOf({ ...boundsOf(stretch), ...conditions, window, limit })];
}

/** A page of shipments in the order of a walk, with up to where it was looked. */
export function walkedShipments(
  tenant: Tenant,
  walked: WalkedShipments,
  direction: Direction,
  limit: number,
): Promise<ListedShipment[]> {
  const [statement, values] = shipmentPageCall(walked, direction, limit);
  return tenant.rows(statement, ...values);
}

/** How many shipments there are, by stretch and by group where one is named. */
export function countWalked(
  tenant: Tenant,
  { walk, stretch, window, conditions }: WalkedShipments,
  group: string | null,
): Promise<WalkedCount[]> {
  const { statement, parameters } = DECLARED[walk].count;
  const { orderNumber, textKey, marketplaces, recipient, provinces, postalCodes, carriers } = conditions;
  const ofOrder = [orderNumber, textKey, marketplaces, recipient, provinces, postalCodes];
  const needsOrder = group === 'province' || ofOrder.some(one => one !== null);
  const needsCarrier = group === 'carrier' || carriers !== null;
  return tenant.rows(
    statement,
    ...parameters.valuesOf({ ...boundsOf(stretch), ...conditions, window, group, needsOrder, needsCarrier }),
  );
}
