import type { Parcel } from '../orders.rules.ts';

/** Takes the size of the default parcel where an order states none. */

/** Kilograms and centimetres as exact decimals. */
export interface DefaultParcel {
  readonly weight: string | null;
  readonly length: string;
  readonly width: string;
  readonly height: string;
}

/** Whether an order needs the default parcel. */
export function needsDefault(parcels: readonly Parcel[]): boolean {
  return parcels.length === 0 || parcels.some(isBare);
}

/** The parcels of an order, with the sides of the default parcel where they state none. */
export function withDefault(parcels: readonly Parcel[], { weight, ...sides }: DefaultParcel): readonly Parcel[] {
  if (parcels.length === 0) return weight === null ? [] : [{ weight, ...sides, quantity: 1 }];
  return parcels.map(parcel => (isBare(parcel) ? { ...parcel, ...sides } : parcel));
}

function isBare({ length, width, height }: Parcel): boolean {
  return length === null && width === null && height === null;
}
