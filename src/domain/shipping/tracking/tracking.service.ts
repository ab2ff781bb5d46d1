import type { ListPage } from '../../../platform/database/lists/page.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../platform/fault.ts';
import { isPlain, soughtLine } from '../../../platform/plain-text.ts';
import { trackingKey } from '../../common/number.rules.ts';
import type { OrderRow } from '../orders/orders.repository.ts';
import { orderByNumber } from '../orders/orders.service.ts';
import {
  type DatedShipment,
  recordByNumber,
  recordsByOrderNumber,
  type ShipmentRow,
  shipmentById,
} from './tracking.repository.ts';

export { eventById, FILTERED_BY } from './shipment-parts.repository.ts';
export { recordLoader, recordsByIds, shipmentById } from './tracking.repository.ts';

/** @throws Fault `shipment_not_found` */
export async function trackByNumber(tenant: Tenant, trackingNumber: string): Promise<DatedShipment> {
  const number = soughtLine(trackingNumber);
  const record = isPlain(number) && (await recordByNumber(tenant, trackingKey(number), number));
  if (!record) throw new Fault('shipment_not_found');
  return record;
}

/**
 * Shipments of every order with exactly this marketplace order number, oldest first.
 *
 * @throws Fault `order_not_found`, or `shipment_not_found` if the orders have none yet
 */
export async function trackByOrderNumber(tenant: Tenant, sent: string, page: ListPage<number>): Promise<ShipmentRow[]> {
  const orderNumber = soughtLine(sent);
  if (!isPlain(orderNumber)) throw noneByOrderNumber('order_not_found', undefined);
  const { orderFound, records } = await recordsByOrderNumber(tenant, trackingKey(orderNumber), orderNumber, page);
  const isEnd = orderFound && page.after !== null;
  if (records.length === 0 && !isEnd) {
    const internal = await orderByNumber(tenant, orderNumber);
    throw noneByOrderNumber(orderFound ? 'shipment_not_found' : 'order_not_found', internal);
  }
  return records;
}

const NONE_BY_ORDER_NUMBER = {
  order_not_found: 'The company has no order with this number on the marketplace.',
  shipment_not_found: 'The order with this number on the marketplace has no shipment.',
} as const;

/** @param internal the company's order with the number as its internal one */
function noneByOrderNumber(code: keyof typeof NONE_BY_ORDER_NUMBER, internal: OrderRow | undefined): Fault {
  const none = `${NONE_BY_ORDER_NUMBER[code]} The marketplace's order number is meant, not the internal one.`;
  if (!internal) return new Fault(code, { detail: none });
  const { marketplaceOrderNumber: number } = internal;
  const known =
    number === null ? 'which has no number on the marketplace' : `whose number on the marketplace is ${number}`;
  return new Fault(code, { detail: `${none} This is the internal number of an order, ${known}.` });
}

/** @throws Fault `shipment_not_found` */
export async function shipment(tenant: Tenant, id: number): Promise<ShipmentRow> {
  const found = await shipmentById(tenant, id);
  if (!found) throw new Fault('shipment_not_found');
  return found;
}
