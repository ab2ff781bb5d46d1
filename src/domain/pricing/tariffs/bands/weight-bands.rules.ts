import { z } from 'zod';
import { joined } from '../charges/charge.rules.ts';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { type ExcludingVersion, type Exclusion, excluded } from '../exclusion.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { atLeastOne, kg, MAX_BAND_KG, MAX_BANDS, price, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { cents, DECIMALS, decimalNumber, grams, kgText, MICRO, money, roundToCents, scaled } from '../units.rules.ts';
import { beyondText, type CompiledStep, priceBeyond } from './steps-beyond.rules.ts';

const perKg = z.number().min(0).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.');

const band = z
  .strictObject({
    overKg: z
      .number()
      .min(0)
      .max(MAX_BAND_KG)
      .describe('The limit of the band before, if it is to be checked.')
      .optional(),
    upToKg: kg.describe('Up to and including, kg.'),
    price: price.optional(),
    perKg: perKg.optional(),
    per100Kg: price.describe('EUR for each begun quintale of chargeable weight.').optional(),
    minimum: price.describe('EUR at least.').optional(),
  })
  .describe('The given prices are added up; the sum is at least the minimum.')
  .meta({ id: 'Band', ...atLeastOne('price', 'perKg', 'per100Kg') });
export type Band = z.infer<typeof band>;

/** Prices by weight: a price of the band, by kilogram and by quintale, and the least that they come to. */
export const weightBands = ruleFields({
  form: {
    bands: z
      .array(band)
      .max(MAX_BANDS)
      .describe('By weight, ascending. Empty where a CSV grid gives them.')
      .default([]),
  },
  words: { bands: 'band', price: 'price', per100Kg: 'price per 100 kg' },
  units: { overKg: 'kg', upToKg: 'kg', price: 'money', per100Kg: 'money' },
});

export interface CompiledBands {
  /** Grams up to and including, ascending, and the price in cents of each. */
  readonly upTo: Float64Array;
  readonly prices: Float64Array;
  /** The price of each band where it is more than one number. */
  readonly bands: readonly CompiledBand[] | undefined;
}

/** In millionths of a cent, `per100Kg` in cents. */
interface CompiledBand {
  readonly perGram: number;
  readonly per100Kg: number;
  readonly minimum: number;
}

/** The part of a zone that prices weights. */
export interface BandZone extends CompiledBands {
  /** Position in the version. */
  readonly index: number;
  readonly beyond: readonly CompiledStep[];
}

/** The price of a weight by the bands of a zone. */
export interface WeightPrice {
  readonly ok: true;
  readonly cents: number;
  /** Index into the zone's bands: the one it falls in, or the last where `steps` go beyond it. */
  readonly band: number;
  readonly steps: number;
  readonly grams: number;
}

export function checkBands(issues: TariffIssues, path: Path, bands: readonly Band[]): void {
  for (const [i, one] of bands.entries()) {
    const { overKg, upToKg } = one;
    const before = bands[i - 1]?.upToKg ?? 0;
    const at = [...path, i];
    if ((one.price ?? one.perKg ?? one.per100Kg) === undefined)
      issues.add([...at, 'price'], 'required', 'must be given, or perKg or per100Kg');
    if (upToKg <= before)
      issues.add([...at, 'upToKg'], 'overlap', `must be more than ${before}, the weight of the band before`);
    else if (overKg !== undefined && overKg !== before)
      issues.add(
        [...at, 'overKg'],
        overKg > before ? 'gap' : 'overlap',
        `must be where the band before ends, ${before}`,
      );
  }
}

export function compileBands(bands: readonly Band[]): CompiledBands {
  const isPlain = bands.every(one => (one.perKg ?? one.per100Kg ?? one.minimum) === undefined);
  const more = bands.map(one => ({
    perGram: scaled(one.perKg ?? 0, DECIMALS.eurPerKg) ?? Number.NaN,
    per100Kg: cents(one.per100Kg),
    minimum: cents(one.minimum) * MICRO,
  }));
  return {
    upTo: Float64Array.from(bands, ({ upToKg }) => grams(upToKg)),
    prices: Float64Array.from(bands, one => cents(one.price)),
    bands: isPlain ? undefined : more,
  };
}

const NOTHING_BEYOND = { steps: 0, cents: 0 };
const NONE: readonly never[] = [];

/** Neither pallets nor parcels are priced by themselves. */
interface Nothing {
  readonly pallets: readonly never[];
  readonly parcels: readonly never[];
}

/** The price of a weight in grams, or the reason why the zone has none for it. */
export function priceByWeight(
  version: ExcludingVersion,
  zone: BandZone,
  weight: number,
): (WeightPrice & Nothing) | Exclusion {
  const { upTo, beyond: steps } = zone;
  const last = upTo.length - 1;
  if (last < 0) return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index, 'bands'], { is: 'only_pallets' });
  const found = bandOf(zone, weight);
  const band = Math.min(found, last);
  const limit = upTo[band] as number;
  const beyond = found > last ? priceBeyond(steps, limit, weight) : NOTHING_BEYOND;
  if (beyond === undefined) {
    const reason = { is: 'last_band', grams: weight, limit: steps.at(-1)?.upTo ?? limit } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index, 'bands'], reason);
  }
  // Beyond the last band, the price at its limit applies.
  const cents = bandAmount(zone, band, Math.min(weight, limit)) + beyond.cents;
  return { ok: true, cents, band, steps: beyond.steps, grams: weight, pallets: NONE, parcels: NONE };
}

/** `up to 10 kg: 5.00, and 3 × 0.40 for each 10 kg begun beyond` */
export function weightPriceText(
  words: Words,
  zone: BandZone,
  { band, grams: weight }: Pick<WeightPrice, 'band' | 'grams'>,
): string {
  return bandText(words, zone, band, weight) + beyondText(words, zone.beyond, zone.upTo[band] ?? 0, weight);
}

/** The first band with a limit at or above the weight; the number of bands if there is none. */
function bandOf({ upTo }: CompiledBands, weight: number): number {
  let low = 0;
  let high = upTo.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] as number) < weight) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The price of a band in cents, for a weight in grams. */
export function bandAmount({ prices, bands }: CompiledBands, position: number, weight: number): number {
  const inBand = prices[position] as number;
  const more = bands?.[position];
  if (more === undefined) return inBand;
  const byWeight = more.perGram * weight + more.per100Kg * quintali(weight) * MICRO;
  return roundToCents(Math.max(inBand * MICRO + byWeight, more.minimum));
}

const quintali = (weight: number) => Math.ceil(weight / 100_000);

function bandText(words: Words, { upTo, prices, bands }: CompiledBands, position: number, weight: number): string {
  const limit = upTo[position] ?? 0;
  const inBand = prices[position] ?? 0;
  const charged = Math.min(weight, limit);
  const { perGram = 0, per100Kg = 0, minimum = 0 } = bands?.[position] ?? {};
  const parts = joined([
    inBand > 0 && money(inBand),
    perGram > 0 && `${decimalNumber(perGram, DECIMALS.eurPerKg)} × ${kgText(charged)}`,
    per100Kg > 0 && `${money(per100Kg)} × ${quintali(charged)} ${words.forEach('100 kg')}${words.of(kgText(charged))}`,
  ]);
  return `${words.upTo(kgText(limit))}: ${parts}${minimum > 0 ? words.atLeast(money(minimum / MICRO)) : ''}`;
}
