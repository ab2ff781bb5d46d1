import { sharesOf } from '../orders.rules.ts';

/** The parcels of a row, as people write them: a weight of each or of all, sides apart or in one cell, and a number. */

export interface RowParcel {
  /** Kilograms as exact decimals. */
  readonly weight?: string;
  readonly totalWeight?: string;
  readonly length?: string;
  readonly width?: string;
  readonly height?: string;
  readonly quantity?: unknown;
  /** The column of each field of a parcel. */
  readonly at: ReadonlyMap<string, number>;
}

/** The parcels of the input, which the schema of orders checks. */
export function parcelsOf({ weight, totalWeight, length, width, height, quantity }: RowParcel): object[] {
  const sides = { ...(length && { length }), ...(width && { width }), ...(height && { height }) };
  const count = quantity === undefined ? 1 : quantity;
  if (weight !== undefined || totalWeight === undefined)
    return [{ ...(weight && { weight }), ...sides, quantity: count }];
  const parts = typeof count === 'number' ? sharesOf(totalWeight, count) : undefined;
  return (parts ?? [{ weight: totalWeight, quantity: count }]).map(part => ({ ...part, ...sides }));
}

/** The sides in a cell such as `40x30x20`, `40 × 30 × 20 cm` or `40*30*20`. */
export function sidesIn(text: string): [string, string, string] | undefined {
  const bare = text.toLowerCase().replace(/\s*cm\.?\s*$/, '');
  const sides = bare.split(/\s*(?:cm)?\s*[x×*]\s*/).map(side => side.trim().replace(',', '.'));
  const [length, width, height, ...more] = sides;
  if (more.length > 0 || length === undefined || width === undefined || height === undefined) return undefined;
  return sides.every(side => /^\d{1,5}(\.\d{1,2})?$/.test(side)) ? [length, width, height] : undefined;
}
