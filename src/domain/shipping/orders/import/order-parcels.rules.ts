import { inUnit, unitAtEnd, withoutUnit } from '../../../common/tables/units-in-cells.rules.ts';
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

/**
 * The sides in a cell such as `40x30x20`, `40 × 30 × 20 cm`, `40/30/20` or `400*300*200 mm`, in centimetres.
 *
 * @param factor how many centimetres a number without a unit has
 */
export function sidesIn(text: string, factor = 1): [string, string, string] | undefined {
  const parts = text.toLowerCase().split(/[x×*/]/);
  if (parts.length !== 3) return undefined;
  // The unit of the last side counts for the others too, unless they have their own.
  const last = unitAtEnd(parts[2] ?? '', 'cm') ?? factor;
  const sides = parts.map(part => {
    const bare = String(withoutUnit(part.trim(), 'cm')).replace(',', '.');
    const unit = unitAtEnd(part, 'cm') ?? last;
    // `1.200` may be 1200; nothing is 1200 metres long.
    const isEither = /^[1-9]\d{0,2}\.\d{3}$/.test(bare) && unit < CM_OF_METRE;
    return /^\d{1,5}(\.\d{1,3})?$/.test(bare) && !isEither ? inUnit(bare, unit, 'cm') : undefined;
  });
  const [length, width, height] = sides;
  return length && width && height ? [length, width, height] : undefined;
}

const CM_OF_METRE = 100;
