import type {
  CompiledBand,
  CompiledByParcel,
  CompiledPallets,
  CompiledVersion,
  CompiledZone,
} from '../../tariffs/compile/compiled-tariff.rules.ts';
import type { Situation } from '../../tariffs/conditions/situation.rules.ts';
import { MICRO, roundToCents } from '../../tariffs/units.rules.ts';
import {
  type BasePrice,
  type Exclusion,
  excluded,
  type ParcelKind,
  type PricedPallets,
  type PricedParcels,
} from '../quote-terms.rules.ts';
import { weighSome } from './weight.rules.ts';

const NO_PALLETS: BasePrice['pallets'] = [];
const NO_PARCELS: BasePrice['parcels'] = [];

export function basePrice(version: CompiledVersion, zone: CompiledZone, situation: Situation): BasePrice | Exclusion {
  return zone.pallets.length === 0 ? byBands(version, zone, situation) : byNumber(version, zone, situation);
}

function byBands(version: CompiledVersion, zone: CompiledZone, situation: Situation): BasePrice | Exclusion {
  if (zone.byParcel === undefined) return byWeight(version, zone, situation.chargeableGrams);
  return byParcel(version, zone, zone.byParcel, situation, situation.shipment.parcels);
}

function byNumber(version: CompiledVersion, zone: CompiledZone, situation: Situation): BasePrice | Exclusion {
  const { parcels } = situation.shipment;
  const pallets: PricedPallets[] = [];
  for (const [position, prices] of zone.pallets.entries()) {
    const count = parcels.reduce((sum, parcel) => sum + (pricesOf(zone, parcel) === prices ? parcel.quantity : 0), 0);
    if (count === 0) continue;
    const cents = palletsCost(prices, count);
    if (cents === undefined) {
      const reason = { is: 'pallet_count', count, limit: prices.upTo.at(-1) ?? 0 } as const;
      return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['zones', zone.index, 'pallets', position], reason);
    }
    pallets.push({ position, count, cents });
  }
  if (pallets.length === 0) return byBands(version, zone, situation);
  const ofPallets = pallets.reduce((sum, { cents }) => sum + cents, 0);
  const others = parcels.filter(parcel => pricesOf(zone, parcel) === undefined);
  if (others.length === 0)
    return { ok: true, cents: ofPallets, band: -1, steps: 0, grams: 0, pallets, parcels: NO_PARCELS };
  const rest = zone.byParcel
    ? byParcel(version, zone, zone.byParcel, situation, others)
    : byWeight(version, zone, weighSome(version.weight, situation, others).chargeableGrams);
  return rest.ok ? { ...rest, cents: rest.cents + ofPallets, pallets } : rest;
}

/** Each parcel in the band of its own weight, and the prices added: the dearest whole, and the others less the discount. */
function byParcel(
  version: CompiledVersion,
  zone: CompiledZone,
  { furtherPpm }: CompiledByParcel,
  situation: Situation,
  parcels: readonly ParcelKind[],
): BasePrice | Exclusion {
  const counts = new Map<number, number>();
  for (const parcel of parcels) {
    const one = [{ ...parcel, quantity: 1 }];
    const { chargeableGrams } = weighSome(version.parcelWeight, situation, one);
    counts.set(chargeableGrams, (counts.get(chargeableGrams) ?? 0) + parcel.quantity);
  }
  const priced: PricedParcels[] = [];
  let tooHeavy: Exclusion | undefined;
  for (const grams of [...counts.keys()].sort((a, b) => b - a)) {
    const each = byWeight(version, zone, grams);
    if (each.ok) priced.push({ ...each, count: counts.get(grams) ?? 0 });
    else tooHeavy ??= each;
  }
  // A heavier parcel can be cheaper, where prices do not ascend.
  const [dearest] = priced.sort((a, b) => b.cents - a.cents);
  if (tooHeavy !== undefined || dearest === undefined) return tooHeavy ?? byWeight(version, zone, 0);
  const further = (cents: number) => roundToCents(cents * furtherPpm);
  const all = priced.reduce((sum, { count, cents }) => sum + count * further(cents), 0);
  const { band, steps, grams } = dearest;
  const cents = all - further(dearest.cents) + dearest.cents;
  return { ok: true, cents, band, steps, grams, pallets: NO_PALLETS, parcels: priced };
}

function byWeight(version: CompiledVersion, zone: CompiledZone, grams: number): BasePrice | Exclusion {
  const last = zone.upTo.length - 1;
  const found = bandOf(zone, grams);
  const band = Math.min(found, last);
  const beyond = found > last ? beyondBands(zone, grams) : NOTHING_BEYOND;
  if (last < 0) return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index, 'bands'], { is: 'only_pallets' });
  if (beyond === undefined) {
    const reason = { is: 'last_band', grams, limit: zone.beyond.at(-1)?.upTo ?? zone.upTo[last] ?? 0 } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['zones', zone.index, 'bands'], reason);
  }
  const price = zone.prices[band] as number;
  // Beyond the last band, the price at its limit applies.
  const rules = zone.bands?.[band];
  const inBand = rules === undefined ? price : bandAmount(price, rules, Math.min(grams, zone.upTo[band] as number));
  return {
    ok: true,
    cents: inBand + beyond.cents,
    band,
    steps: beyond.steps,
    grams,
    pallets: NO_PALLETS,
    parcels: NO_PARCELS,
  };
}

const NOTHING_BEYOND = { steps: 0, cents: 0 };

/** The first band with a limit at or above the weight; the number of bands if there is none. */
function bandOf({ upTo }: CompiledZone, grams: number): number {
  let low = 0;
  let high = upTo.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] as number) < grams) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The prices by number for a parcel, if it is a pallet of that kind. */
function pricesOf({ pallets }: CompiledZone, { pallet }: ParcelKind): CompiledPallets | undefined {
  return pallet && pallets.find(({ types }) => types.has(pallet.type));
}

function palletsCost({ upTo, prices, eachCents }: CompiledPallets, count: number): number | undefined {
  const found = upTo.findIndex(most => count <= most);
  if (found >= 0) return prices[found];
  return eachCents < 0 ? undefined : (prices.at(-1) ?? 0) + (count - (upTo.at(-1) ?? 0)) * eachCents;
}

/** The price of a band in cents, including its charges by weight. */
export function bandAmount(priceCents: number, { perGram, per100Kg, minimum }: CompiledBand, grams: number): number {
  const quintali = Math.ceil(grams / 100_000);
  return roundToCents(Math.max(priceCents * MICRO + perGram * grams + per100Kg * quintali * MICRO, minimum));
}

/** The price of the weight beyond the last band, by begun steps of one kind after the other. Undefined if it is too heavy. */
export function beyondBands(
  { beyond, upTo }: CompiledZone,
  grams: number,
): { readonly steps: number; readonly cents: number } | undefined {
  let from = upTo.at(-1) ?? 0;
  let [steps, cents] = [0, 0];
  for (const step of beyond) {
    const count = Math.ceil((Math.min(grams, step.upTo) - from) / step.stepGrams);
    steps += count;
    cents += count * step.stepCents;
    if (grams <= step.upTo) return { steps, cents };
    from = step.upTo;
  }
  return undefined;
}
