import { isAnonymized, type Recipient } from '../../common/places/recipient.rules.ts';
import { isOpenStatus } from './events.rules.ts';
import type { StatusCode } from './status.rules.ts';

/** Tells the parcels of one tracking number apart: carriers use a number again after months, for another order. */

/** A shipment that ended so long ago is not the one of a new order. */
export const REUSED_AFTER_DAYS = 90;
const DAY_MS = 86_400_000;

/** The newest shipment with a number, and what tells its parcel from another one. */
interface NumberedShipment {
  readonly statusCode: StatusCode;
  readonly statusAt: Date | null;
  readonly orderId: number | null;
  readonly recipient: Recipient | null;
}

/** The data of an item with the number; a missing field is undefined. */
interface SentForNumber {
  readonly orderId: number | null | undefined;
  readonly recipient: Recipient | null | undefined;
}

/**
 * Says whether an item describes the `same` shipment, a `new` one, or another order while the number is `in_use`. An
 * open shipment can be moved to another order, because the first order may have been wrong. Without an order on both
 * sides the destination tells parcels apart, once the shipment has ended long ago.
 */
export function shipmentOfNumber(known: NumberedShipment, sent: SentForNumber, now: Date): 'same' | 'new' | 'in_use' {
  if (isOpenStatus(known.statusCode)) return 'same';
  const isOld = known.statusAt !== null && now.getTime() - known.statusAt.getTime() >= REUSED_AFTER_DAYS * DAY_MS;
  if (sent.orderId != null && known.orderId !== null) {
    if (sent.orderId === known.orderId) return 'same';
    return isOld ? 'new' : 'in_use';
  }
  if (!isOld) return 'same';
  const isOther = sent.orderId != null || (sent.recipient != null && !hasDestination(known, sent.recipient));
  return isOther ? 'new' : 'same';
}

function hasDestination({ recipient: known }: NumberedShipment, sent: Recipient): boolean {
  if (known === null) return false;
  const fields = ['countryCode', 'postalCode', ...(isAnonymized(known) ? [] : (['address'] as const))] as const;
  return fields.every(field => comparable(known[field]) === comparable(sent[field]));
}

const comparable = (text: string) => text.toUpperCase().replace(/[\s.,-]+/gu, '');
