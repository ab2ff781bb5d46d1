import { type Checks, WEIGHT_KG } from '../checks.rules.ts';
import { keyOf } from '../number.rules.ts';
import { type Contact, checkRecipient, type Recipient, type RecipientInput } from '../places/recipient.rules.ts';

/** A kind of parcel of an order: kilograms and centimetres as exact decimals, and how many of it. */
export interface Parcel {
  readonly weight: string;
  readonly length: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly quantity: number;
}

export interface ParcelInput {
  weight: string;
  length?: string | null;
  width?: string | null;
  height?: string | null;
  quantity?: number | null;
}

/** What the platform sends of an order. A field left out stays as it is; null empties it. */
export interface OrderInput {
  orderNumber: string;
  marketplace?: string | null;
  marketplaceOrderId?: string | null;
  marketplaceOrderNumber?: string | null;
  warehouseId?: number | null;
  recipient: RecipientInput;
  parcels?: ParcelInput[] | null;
  codAmount?: string | null;
  insuranceAmount?: string | null;
}

/** An order's fields as they are stored; those not sent are absent. */
export interface OrderFields {
  orderNumber: string;
  marketplace: string | null;
  marketplaceOrderId: string | null;
  marketplaceOrderIdKey: string | null;
  marketplaceOrderNumber: string | null;
  marketplaceOrderNumberKey: string | null;
  warehouseId: number | null;
  recipient: Recipient;
  parcels: Parcel[];
  codAmount: string | null;
  insuranceAmount: string | null;
}

/** Of an order, and of a quote. */
export const MAX_PARCEL_KINDS = 100;
export const MAX_PARCELS = 500;
const SIDE_CM = { integerDigits: 5, decimals: 2 };
const MONEY = { integerDigits: 9, decimals: 2 };

export function checkOrder(
  checks: Checks,
  input: OrderInput,
): { fields: Partial<OrderFields> & { orderNumber: string }; contact: Contact } {
  const { recipient, contact } = checkRecipient(checks, ['recipient'], input.recipient);
  const fields: Partial<OrderFields> & { orderNumber: string } = {
    orderNumber: checks.text(['orderNumber'], input.orderNumber),
    recipient,
  };
  if (input.marketplace !== undefined) fields.marketplace = checks.optionalText(['marketplace'], input.marketplace);
  if (input.marketplaceOrderId !== undefined) {
    fields.marketplaceOrderId = checks.optionalText(['marketplaceOrderId'], input.marketplaceOrderId);
    fields.marketplaceOrderIdKey = keyOf(fields.marketplaceOrderId);
  }
  if (input.marketplaceOrderNumber !== undefined) {
    fields.marketplaceOrderNumber = checks.optionalText(['marketplaceOrderNumber'], input.marketplaceOrderNumber);
    fields.marketplaceOrderNumberKey = keyOf(fields.marketplaceOrderNumber);
  }
  if (input.warehouseId !== undefined) fields.warehouseId = input.warehouseId;
  if (input.parcels !== undefined) fields.parcels = checkParcels(checks, input.parcels ?? []);
  if (input.codAmount !== undefined) fields.codAmount = checks.decimal(['codAmount'], input.codAmount, MONEY);
  if (input.insuranceAmount !== undefined) {
    fields.insuranceAmount = checks.decimal(['insuranceAmount'], input.insuranceAmount, MONEY);
  }
  return { fields, contact };
}

function checkParcels(checks: Checks, parcels: ParcelInput[]): Parcel[] {
  if (parcels.length > MAX_PARCEL_KINDS) {
    checks.add(['parcels'], 'too_many', `must have at most ${MAX_PARCEL_KINDS} entries, has ${parcels.length}`);
    return [];
  }
  const checked = parcels.map((parcel, i) => {
    const side = (name: 'length' | 'width' | 'height') =>
      checks.decimal(['parcels', i, name], parcel[name] ?? null, SIDE_CM);
    return {
      weight: checks.decimal(['parcels', i, 'weight'], parcel.weight, WEIGHT_KG) ?? '0',
      length: side('length'),
      width: side('width'),
      height: side('height'),
      quantity: checks.integer(['parcels', i, 'quantity'], parcel.quantity ?? 1, 1, MAX_PARCELS),
    };
  });
  const count = checked.reduce((sum, parcel) => sum + parcel.quantity, 0);
  if (count > MAX_PARCELS) checks.add(['parcels'], 'too_many', `must be at most ${MAX_PARCELS} parcels, are ${count}`);
  return checked;
}
