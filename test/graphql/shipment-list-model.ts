// Lists of shipments as they are to be: every row is looked at, and none is found by an index.
import { provinceSpellings } from '../../src/domain/common/places/italy.rules.ts';
import { TERMINAL_STATUSES } from '../../src/domain/shipping/tracking/events.rules.ts';
import type { Item } from '../support/platform-side.ts';
import type { World } from '../support/world.ts';
import { conditionsIn } from './list-filters.ts';

export interface ModelShipment {
  readonly id: number;
  readonly trackingKey: string;
  readonly numbers: readonly string[];
  readonly statusCode: string;
  readonly connectionId: number;
  readonly carrierCode: string;
  readonly orderNumber: string | null;
  readonly marketplace: string | null;
  readonly recipient: {
    readonly companyName: string | null;
    readonly postalCode: string;
    readonly province: string | null;
  };
  readonly created: number;
  readonly updated: number;
  readonly shipped: number | null;
  readonly delivered: number | null;
  readonly expected: number | null;
  readonly byCarrier: number | null;
  readonly byPlatform: number | null;
  readonly heard: number;
}

const msOf = (column: string) => `round(extract(epoch from ${column}) * 1000)::float8`;

export async function modelShipments({ app }: World, companyId: string): Promise<ModelShipment[]> {
  const { rows } = await app.database.pool.query(
    `select s.id, s.tracking_key as "trackingKey", s.status_code as "statusCode", s.carrier_connection_id as "connectionId",
        c.carrier_code as "carrierCode", o.order_number as "orderNumber", o.marketplace, coalesce(s.recipient, o.recipient) as recipient,
        array_remove(array[s.tracking_key, s.parcel_id_key, s.reference_key, o.order_number, o.marketplace_order_id_key,
          o.marketplace_order_number_key], null)
          || array(select l.tracking_key from shipment_label l where l.company_id = s.company_id and l.shipment_id = s.id) as numbers,
        ${msOf('s.created_at')} as created, ${msOf('s.updated_at')} as updated, ${msOf('coalesce(s.shipment_date, s.shipped_at)')} as shipped,
        ${msOf('s.delivered_at')} as delivered, ${msOf('coalesce(s.carrier_expected_at, s.expected_delivery_date)')} as expected,
        ${msOf('s.carrier_expected_at')} as "byCarrier", ${msOf('s.expected_delivery_date')} as "byPlatform",
        ${msOf('greatest(s.status_at, s.created_at)')} as heard
      from shipment s join carrier_connection c on (c.company_id, c.id) = (s.company_id, s.carrier_connection_id)
      left join customer_order o on (o.company_id, o.id) = (s.company_id, s.order_id)
      where s.company_id = $1`,
    [companyId],
  );
  return rows;
}

interface Range {
  readonly from?: string | null;
  readonly to?: string | null;
}

/** Whether a shipment is one that a filter asks for. */
export function isWanted(shipment: ModelShipment, filter: Item, now: number): boolean {
  const isOpen = !(TERMINAL_STATUSES as readonly string[]).includes(shipment.statusCode);
  const isLate = isOpen && shipment.expected !== null && shipment.expected < now;
  const province = shipment.recipient.province?.toLowerCase();
  const checks: Record<string, (value: never) => boolean> = {
    statusCodes: (codes: string[]) => codes.includes(shipment.statusCode.toUpperCase()),
    isOpen: (open: boolean) => isOpen === open,
    carrierConnectionId: (id: number) => shipment.connectionId === id,
    carriers: (codes: string[]) => codes.includes(shipment.carrierCode),
    trackingNumbers: (numbers: string[]) => numbers.includes(shipment.trackingKey),
    orderNumber: (number: string) => shipment.orderNumber === number,
    text: (text: string) => shipment.numbers.includes(text),
    marketplaces: (names: string[]) => shipment.marketplace !== null && names.includes(shipment.marketplace),
    recipient: (name: string) => shipment.recipient.companyName?.toLowerCase().includes(name.toLowerCase()) ?? false,
    provinces: (names: string[]) => province !== undefined && names.flatMap(provinceSpellings).includes(province),
    postalCodes: (codes: string[]) => codes.includes(shipment.recipient.postalCode),
    updatedSince: (at: string) => shipment.updated >= Date.parse(at),
    updatedAt: (range: Range) => isWithin(shipment.updated, range),
    createdAt: (range: Range) => isWithin(shipment.created, range),
    shippedAt: (range: Range) => isWithin(shipment.shipped, range),
    deliveredAt: (range: Range) => isWithin(shipment.delivered, range),
    expectedDeliveryAt: (range: Range) => isWithin(shipment.expected, range),
    isLate: (late: boolean) => isLate === late,
    wasLate: (late: boolean) => {
      const dates: Record<string, number | null> = { CARRIER: shipment.byCarrier, PLATFORM: shipment.byPlatform };
      const date = filter.wasLateAgainst === undefined ? shipment.expected : dates[filter.wasLateAgainst as string];
      return shipment.delivered !== null && date != null && shipment.delivered > date === late;
    },
    wasLateAgainst: () => true,
    stalledForDays: (days: number) => isOpen && shipment.heard < now - days * 24 * 3_600_000,
  };
  return Object.entries(filter).every(([name, value]) => checks[name]?.(value as never));
}

function isWithin(at: number | null, { from, to }: Range): boolean {
  if (from != null && !(at !== null && at >= Date.parse(from))) return false;
  return to == null || (at !== null && at < Date.parse(to));
}

/** The order of a list, and the shipments that are not in it. */
const KEYS: Readonly<Record<string, (shipment: ModelShipment) => number | null>> = {
  CREATED: () => 0,
  UPDATED: ({ updated }) => updated,
  DELIVERED: ({ delivered }) => delivered,
  EXPECTED: ({ expected, delivered }) => (delivered === null ? expected : null),
  STATUS_CHANGED: ({ heard, delivered }) => (delivered === null ? heard : null),
};

function orderOf(filter: Item): string {
  const isUndelivered =
    filter.isOpen === true ||
    (filter.statusCodes !== undefined && !(filter.statusCodes as string[]).includes('DELIVERED'));
  if (['trackingNumbers', 'orderNumber', 'text'].some(name => name in filter)) return 'CREATED_DESC';
  if ('stalledForDays' in filter) return 'STATUS_CHANGED_ASC';
  if (filter.isLate === true) return 'EXPECTED_ASC';
  if ('deliveredAt' in filter || 'wasLate' in filter) return 'DELIVERED_DESC';
  if ('updatedSince' in filter || 'updatedAt' in filter) return 'UPDATED_DESC';
  if ('createdAt' in filter) return 'CREATED_DESC';
  return 'expectedDeliveryAt' in filter && isUndelivered ? 'EXPECTED_ASC' : 'CREATED_DESC';
}

/** The ids of a list, in its order. */
export function listed(all: readonly ModelShipment[], asked: Item, orderBy: string | null, now = Date.now()): number[] {
  const filter = conditionsIn(asked);
  const order = orderBy ?? orderOf(filter);
  const [, sorted = '', direction] = /^(\w+)_(ASC|DESC)$/.exec(order) ?? [];
  const isFound = ['trackingNumbers', 'orderNumber', 'text'].some(name => name in filter);
  const keyOf =
    sorted === 'CREATED' && 'createdAt' in filter && !isFound ? ({ created }: ModelShipment) => created : KEYS[sorted];
  const sign = direction === 'ASC' ? 1 : -1;
  return all
    .filter(shipment => keyOf?.(shipment) != null && isWanted(shipment, filter, now))
    .toSorted((one, other) => sign * (Number(keyOf?.(one)) - Number(keyOf?.(other)) || one.id - other.id))
    .map(({ id }) => id);
}
