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
  return shares(totalWeight, count).map(([of, many]) => ({ weight: of, ...sides, quantity: many }));
}

/** A weight of several parcels in equal shares of whole grams; the grams that are left make some of them heavier. */
function shares(totalKg: string, count: unknown): [weight: string, quantity: unknown][] {
  const [, whole, fraction = ''] = /^(\d{1,9})(?:\.(\d{1,3})0*)?$/.exec(totalKg) ?? [];
  if (whole === undefined || typeof count !== 'number' || !Number.isInteger(count) || count < 1)
    return [[totalKg, count]];
  const grams = Number(whole + fraction.padEnd(3, '0'));
  const [each, left] = [Math.floor(grams / count), grams % count];
  const kilograms = (of: number) => `${Math.floor(of / 1000)}.${String(of % 1000).padStart(3, '0')}`;
  const parts: [string, number][] = [
    [kilograms(each + 1), left],
    [kilograms(each), count - left],
  ];
  return parts.filter(([, quantity]) => quantity > 0);
}

/** The sides in a cell such as `40x30x20`, `40 × 30 × 20 cm` or `40*30*20`. */
export function sidesIn(text: string): [string, string, string] | undefined {
  const bare = text.toLowerCase().replace(/\s*cm\.?\s*$/, '');
  const sides = bare.split(/\s*(?:cm)?\s*[x×*]\s*/).map(side => side.trim().replace(',', '.'));
  const [length, width, height, ...more] = sides;
  if (more.length > 0 || length === undefined || width === undefined || height === undefined) return undefined;
  return sides.every(side => /^\d{1,5}(\.\d{1,2})?$/.test(side)) ? [length, width, height] : undefined;
}
