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

/**
 * The parcel of each row, if it has one. A number alone is not a parcel, since it may be the number of an item. A
 * weight of the whole order stands in every row of the order, and makes one parcel; rows with weights have priority.
 */
export function parcelsInRows(
  rows: readonly (RowParcel | undefined)[],
  orderWeight: { readonly value: string; readonly at: number } | undefined,
): readonly (RowParcel | undefined)[] {
  const parcels = rows.map(row => (row && [...row.at.keys()].some(field => field !== 'quantity') ? row : undefined));
  const known = parcels.filter(parcel => parcel !== undefined);
  const isWeighed = known.some(({ at }) => at.has('weight'));
  // Parcels with different sides need a weight of each, which the schema demands.
  if (orderWeight === undefined || isWeighed || known.length > 1) return parcels;
  const [alone] = known.length === 1 ? known : rows.length === 1 ? rows : [];
  const { value: totalWeight, at } = orderWeight;
  const whole: RowParcel = { ...alone, totalWeight, at: new Map([['weight', at], ...(alone?.at ?? [])]) };
  const row = Math.max(parcels.indexOf(alone), 0);
  return parcels.map((_, i) => (i === row ? whole : undefined));
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
  const bare = text
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ ?cm\.? ?$/, '');
  const sides = bare.split(/ ?(?:cm)? ?[x×*]/).map(side => side.trim().replace(',', '.'));
  const [length, width, height, ...more] = sides;
  if (more.length > 0 || length === undefined || width === undefined || height === undefined) return undefined;
  return sides.every(side => /^\d{1,5}(\.\d{1,2})?$/.test(side)) ? [length, width, height] : undefined;
}
