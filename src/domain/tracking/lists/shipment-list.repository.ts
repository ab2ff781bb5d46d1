import type {
  BoundedIds,
  Direction,
  Parameters,
  WalkedCount,
  WalkedIndex,
  WalkedRow,
} from '../../../platform/database/index-walk.ts';
import type { Tenant } from '../../../platform/database/tenancy.ts';
import {
  type AskedWalk,
  optionalConditions,
  textsOf,
  WalkStatements,
} from '../../../platform/database/walked-lists.ts';
import { joinsOfEach, SHIPMENT, type ShipmentRow } from '../tracking.repository.ts';
import { SHIPMENT_WALKS, type ShipmentWalk } from './shipment-list.rules.ts';

type Value = Parameters['of'];

const EXPECTED = 'coalesce(r.carrier_expected_at, r.expected_delivery_date)';
const HEARD = 'greatest(r.status_at, r.created_at)';
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
    stretches: value => `unnest(${textsOf(value, 'statuses')}) with ordinality as each(p1, n)`,
  },
  connection: {
    prefix: ['r.carrier_connection_id'],
    stretches: value => `(select id as p1, id as n from carrier_connection where company_id = $1
        and (${value('connectionId', 'integer')} is null or id = ${value('connectionId', 'integer')})
        and (${value('carriers', 'text[]')} is null or carrier_code = any(${textsOf(value, 'carriers')}))) as each`,
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
      `(select p as p1, status as p2, row_number() over () as n from unnest(${textsOf(value, 'statuses')}) as s(status) cross join ${BOTH}) as each`,
    key: HEARD,
    condition: 'r.delivered_at is null',
  },
  tracking_numbers: {
    ids: (value, bounded) => `select f.id from unnest(${textsOf(value, 'trackingKeys')}) as sought(key)
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

/** The values of the parameters of all statements, by name; null where the filter does not have the condition. */
export interface ShipmentConditions {
  readonly now: Date;
  readonly terminal: readonly string[];
  readonly statuses: readonly string[];
  readonly statusCodes: readonly string[] | null;
  readonly open: boolean | null;
  readonly connectionId: number | null;
  readonly carriers: readonly string[] | null;
  readonly trackingKeys: readonly string[] | null;
  readonly orderNumber: string | null;
  readonly text: string | null;
  readonly textKey: string | null;
  readonly marketplaces: readonly string[] | null;
  readonly recipient: string | null;
  readonly provinces: readonly string[] | null;
  readonly postalCodes: readonly string[] | null;
  readonly updatedSince: Date | null;
  readonly createdFrom: Date | null;
  readonly createdTo: Date | null;
  readonly shippedFrom: Date | null;
  readonly shippedTo: Date | null;
  readonly deliveredFrom: Date | null;
  readonly deliveredTo: Date | null;
  readonly expectedFrom: Date | null;
  readonly expectedTo: Date | null;
  readonly late: boolean | null;
  readonly silentSince: Date | null;
}

const RECIPIENT = 'coalesce(s.recipient, o.recipient)';
const PROVINCE = `lower(${RECIPIENT} ->> 'province')`;

/** The whole filter, whichever walk has a part of it already: a condition that is left out of one plan would show. */
function condition(value: Value): string {
  const { unless, equal, among, from, to } = optionalConditions<keyof ShipmentConditions>(value);
  const isOpen = `(s.status_code <> all(${textsOf(value, 'terminal')}))`;
  const expected = EXPECTED.replaceAll('r.', 's.');
  const shipped = 'coalesce(s.shipment_date, s.shipped_at)';
  return [
    among('statusCodes', 's.status_code'),
    unless('open', 'boolean', given => `${isOpen} = ${given}`),
    unless('connectionId', 'integer', given => `s.carrier_connection_id = ${given}`),
    among('carriers', 'c.carrier_code'),
    among('trackingKeys', 's.tracking_key'),
    equal('orderNumber', 'o.order_number'),
    unless(
      'textKey',
      'text',
      key => `(s.tracking_key = ${key} or s.parcel_id_key = ${key} or s.reference_key = ${key}
        or o.order_number = ${value('text', 'text')} or o.marketplace_order_number_key = ${key} or o.marketplace_order_id_key = ${key}
        or exists (select from shipment_label l where l.company_id = $1 and l.shipment_id = s.id and l.tracking_key = ${key}))`,
    ),
    among('marketplaces', 'o.marketplace'),
    unless('recipient', 'text', given => `position(lower(${given}) in lower(${RECIPIENT} ->> 'companyName')) > 0`),
    among('provinces', PROVINCE),
    among('postalCodes', `(${RECIPIENT} ->> 'postalCode')`),
    from('updatedSince', 's.updated_at'),
    from('createdFrom', 's.created_at'),
    to('createdTo', 's.created_at'),
    from('shippedFrom', shipped),
    to('shippedTo', shipped),
    from('deliveredFrom', 's.delivered_at'),
    to('deliveredTo', 's.delivered_at'),
    from('expectedFrom', expected),
    to('expectedTo', expected),
    unless(
      'late',
      'boolean',
      given => `(${isOpen} and coalesce(${expected} < ${value('now', 'timestamptz')}, false)) = ${given}`,
    ),
    unless('silentSince', 'timestamptz', since => `(${isOpen} and ${HEARD.replaceAll('r.', 's.')} < ${since})`),
  ].join('\n          and ');
}

const GROUP = (value: Value) =>
  `case ${value('group', 'text')} when 'status' then s.status_code when 'carrier' then c.carrier_code when 'province' then ${PROVINCE} end`;

/** Tracking is as old as what carriers last reported. */
const CAN_LAG = { canLag: true } as const;

const STATEMENTS = new WalkStatements<ShipmentWalk, ShipmentConditions>(
  'shipments',
  SHIPMENT_WALKS,
  walk => ({
    ...{ table: 'shipment', as: 's', index: WALKS[walk], joins: joinsOfEach(), condition, select: SHIPMENT },
    counted: value => ({
      joins: joinsOfEach(value('needsCarrier', 'boolean'), value('needsOrder', 'boolean')),
      group: GROUP(value),
    }),
  }),
  CAN_LAG,
);

type WalkedShipments = AskedWalk<ShipmentWalk, ShipmentConditions>;

export type ListedShipment = WalkedRow & ShipmentRow;

/** A page of shipments in the order of a walk, with up to where it was looked. */
export function walkedShipments(
  tenant: Tenant,
  asked: WalkedShipments,
  direction: Direction,
  limit: number,
): Promise<ListedShipment[]> {
  return STATEMENTS.page(tenant, asked, direction, limit);
}

/** How many shipments there are, by stretch and by group where one is named. */
export function countWalked(tenant: Tenant, asked: WalkedShipments, group: string | null): Promise<WalkedCount[]> {
  const { orderNumber, textKey, marketplaces, recipient, provinces, postalCodes, carriers } = asked.conditions;
  const ofOrder = [orderNumber, textKey, marketplaces, recipient, provinces, postalCodes];
  const needsOrder = group === 'province' || ofOrder.some(one => one !== null);
  const needsCarrier = group === 'carrier' || carriers !== null;
  return STATEMENTS.count(tenant, asked, { group, needsOrder, needsCarrier });
}
