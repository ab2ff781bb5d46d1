import { z } from 'zod';
import { palletType } from '../areas/place.format.rules.ts';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { amountText } from '../conditions/measures.rules.ts';
import { type ExcludingVersion, type Exclusion, excluded } from '../exclusion.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { price, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind } from '../shipment-terms.rules.ts';
import { cents, money } from '../units.rules.ts';
import { type CompiledPalletClass, palletTypesText } from './pallet-classes.rules.ts';

const prices = z
  .strictObject({
    types: z.array(palletType).min(1).max(50),
    prices: z
      .array(z.strictObject({ upTo: z.int().min(1).max(500), price }))
      .min(1)
      .max(500)
      .describe('By the number of such pallets, ascending.'),
    each: price.describe('EUR for each pallet beyond the last; left out: no more are carried.').optional(),
  })
  .meta({ id: 'PalletPrices' });
type Prices = z.infer<typeof prices>;

/** Prices of pallets by their number, and not by weight. */
export const palletPrices = ruleFields({
  form: {
    pallets: z
      .array(prices)
      .max(50)
      .describe('Pallets that are priced by their number, and not by weight.')
      .default([]),
  },
  words: { pallets: 'pallets', each: 'each beyond' },
  units: { each: 'money' },
});

export interface CompiledPallets {
  readonly types: ReadonlySet<string>;
  /** Numbers up to and including, ascending, and the price in cents of each. */
  readonly upTo: Float64Array;
  readonly prices: Float64Array;
  /** −1 where no more are carried. */
  readonly eachCents: number;
}

/** The part of a zone that prices pallets by their number. */
export interface PalletZone {
  /** Position in the version. */
  readonly index: number;
  readonly pallets: readonly CompiledPallets[];
}

/** Pallets of one of the prices: by its position in the zone. */
export interface PricedPallets {
  readonly position: number;
  readonly count: number;
  readonly cents: number;
}

export function checkPallets(issues: TariffIssues, path: Path, pallets: readonly Prices[]): void {
  const types = new Set<string>();
  for (const [i, one] of pallets.entries()) {
    for (const [j, type] of one.types.entries()) {
      if (types.has(type)) issues.add([...path, i, 'types', j], 'duplicate', `has prices already: ${type}`);
      types.add(type);
    }
    for (const [j, { upTo }] of one.prices.entries()) {
      const before = one.prices[j - 1]?.upTo ?? 0;
      if (upTo <= before)
        issues.add([...path, i, 'prices', j, 'upTo'], 'overlap', `must be more than the one before, ${before}`);
    }
  }
}

export function compilePallets(pallets: readonly Prices[]): readonly CompiledPallets[] {
  return pallets.map(one => ({
    types: new Set(one.types),
    upTo: Float64Array.from(one.prices, ({ upTo }) => upTo),
    prices: Float64Array.from(one.prices, step => cents(step.price)),
    eachCents: one.each === undefined ? -1 : cents(one.each),
  }));
}

/** The prices of the pallets among parcels; none if there are no such pallets. */
export function priceByNumber(
  version: ExcludingVersion,
  zone: PalletZone,
  parcels: readonly ParcelKind[],
): PricedPallets[] | Exclusion {
  const priced: PricedPallets[] = [];
  for (const [position, some] of zone.pallets.entries()) {
    let count = 0;
    for (const parcel of parcels) if (pricesOf(zone, parcel) === some) count += parcel.quantity;
    if (count === 0) continue;
    const found = costOf(some, count);
    if (found === undefined) {
      const reason = { is: 'pallet_count', count, limit: some.upTo.at(-1) ?? 0 } as const;
      return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['zones', zone.index, 'pallets', position], reason);
    }
    priced.push({ position, count, cents: found });
  }
  return priced;
}

/** The prices by number for a parcel, if it is a pallet of that kind. */
export function pricesOf(
  { pallets }: Pick<PalletZone, 'pallets'>,
  { pallet }: ParcelKind,
): CompiledPallets | undefined {
  return pallet && pallets.find(({ types }) => types.has(pallet.type));
}

function costOf({ upTo, prices: byNumber, eachCents }: CompiledPallets, count: number): number | undefined {
  const found = upTo.findIndex(most => count <= most);
  if (found >= 0) return byNumber[found];
  return eachCents < 0 ? undefined : (byNumber.at(-1) ?? 0) + (count - (upTo.at(-1) ?? 0)) * eachCents;
}

/** `3 pallets EUR, up to 4: 120.00`, or `6 pallets EUR: 120.00 for 4, and 2 × 35.00` */
export function palletPricesText(
  words: Words,
  palletClasses: readonly CompiledPalletClass[] | undefined,
  { pallets }: Pick<PalletZone, 'pallets'>,
  { position, count, cents: amount }: PricedPallets,
): string {
  const { types, upTo, prices: byNumber, eachCents } = pallets[position] as CompiledPallets;
  const what = `${amountText(words, 'pallets', count)} ${palletTypesText(words, types, palletClasses)}`;
  const reached = upTo.find(most => count <= most);
  if (reached !== undefined) return `${what}, ${words.upTo(String(reached))}: ${money(amount)}`;
  const last = upTo.at(-1) ?? 0;
  const further = `${count - last} × ${money(eachCents)}`;
  return `${what}: ${words.forLastPallets(money(byNumber.at(-1) ?? 0), last, further)}`;
}
