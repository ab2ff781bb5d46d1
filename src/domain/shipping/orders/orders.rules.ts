import type { Issue } from '../../../platform/fault.ts';
import type { Metadata } from '../../common/metadata.rules.ts';
import type { Recipient } from '../../common/places/recipient.rules.ts';

/** A kind of parcel of an order: kilograms and centimetres as exact decimals, and a quantity. */
export interface Parcel {
  readonly weight: string;
  readonly length: string | null;
  readonly width: string | null;
  readonly height: string | null;
  readonly quantity: number;
  /** Only for pallets. */
  readonly pallet?: ParcelPallet;
}

/** The type of pallets is null where classes of a tariff decide. */
export interface ParcelPallet {
  readonly type: string | null;
  readonly isStackable: boolean;
}

/** An order's fields as they are stored. */
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
  service: string | null;
  goodsValue: string | null;
  metadata: Metadata;
}

/** The limit for an order, and for a quote. */
export const MAX_PARCEL_KINDS = 100;
export const MAX_PARCELS = 500;

/** Whether there are too many parcels of all kinds together. */
export function parcelCountIssues(path: Issue['path'], parcels: readonly { quantity: number }[]): readonly Issue[] {
  const count = parcels.reduce((sum, parcel) => sum + parcel.quantity, 0);
  if (count <= MAX_PARCELS) return [];
  return [{ path, code: 'too_many', message: `must have at most ${MAX_PARCELS} parcels, but has ${count}` }];
}

/** Whole grams as kilograms with three decimals. */
export function kilogramsOf(grams: number): string {
  return `${Math.floor(grams / 1000)}.${String(grams % 1000).padStart(3, '0')}`;
}

/**
 * Divides the weight of several parcels into equal shares of whole grams. The remaining grams make some parcels
 * heavier.
 *
 * @returns undefined for a weight or a number that no parcels have
 */
export function sharesOf(totalKg: string, count: number): { weight: string; quantity: number }[] | undefined {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,3})0*)?$/.exec(totalKg) ?? [];
  if (whole === undefined || !Number.isInteger(count) || count < 1) return undefined;
  const grams = Number(whole + fraction.padEnd(3, '0'));
  const [each, left] = [Math.floor(grams / count), grams % count];
  const parts = [
    { weight: kilogramsOf(each + 1), quantity: left },
    { weight: kilogramsOf(each), quantity: count - left },
  ];
  return parts.filter(({ quantity }) => quantity > 0);
}
