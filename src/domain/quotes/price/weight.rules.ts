import type { CompiledWeight, CompiledWeightRules, Factor } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { holds } from '../../tariffs/conditions/condition.rules.ts';
import type { CompiledSetting } from '../../tariffs/conditions/condition-compile.rules.ts';
import { loadingMetres } from '../../tariffs/conditions/measures.rules.ts';
import { parcelFits } from '../../tariffs/conditions/parcel-condition.rules.ts';
import type { Situation } from '../../tariffs/conditions/situation.rules.ts';
import { roundUpTo } from '../../tariffs/units.rules.ts';
import type { ParcelKind, Shipment } from '../quote-terms.rules.ts';

/** Volumetric and chargeable weight of a shipment. */
export interface Weights {
  readonly volumetricGrams: number;
  readonly chargeableGrams: number;
}

/** Weights of the whole shipment, or the sum over parcels. */
export function weigh(weight: CompiledWeight, shipment: Shipment, zone: number, origin: number): Weights {
  if (weight.more !== undefined) return weighAll(weight.perParcel, weight.more, shipment, zone, origin);
  const { perParcel, stepGrams, numerator, denominator } = weight;
  const { parcels, grams, volumeCm3 } = shipment;
  if (!perParcel) {
    const volumetricGrams = Math.ceil((volumeCm3 * numerator) / denominator);
    return { volumetricGrams, chargeableGrams: roundUpTo(Math.max(grams, volumetricGrams), stepGrams) };
  }
  let volumetricGrams = 0;
  let chargeableGrams = 0;
  for (const parcel of parcels) {
    // Rounding up to whole grams first is safe, because the step is a whole number of grams.
    const volumetric = Math.ceil((parcel.volumeCm3 * numerator) / (denominator * parcel.share));
    const real = Math.ceil(parcel.grams / parcel.share);
    volumetricGrams += volumetric * parcel.quantity;
    chargeableGrams += roundUpTo(Math.max(real, volumetric), stepGrams) * parcel.quantity;
  }
  return { volumetricGrams, chargeableGrams };
}

function weighAll(
  perParcel: boolean,
  rules: CompiledWeightRules,
  shipment: Shipment,
  zone: number,
  origin: number,
): Weights {
  return weighByRules(perParcel, rules, { shipment, zone, origin, chargeableGrams: 0 }, shipment.parcels);
}

/** The weights of some parcels: those priced by weight if others are priced by number. */
export function weighSome(weight: CompiledWeight, situation: Situation, parcels: readonly ParcelKind[]): Weights {
  const rules = weight.more ?? {
    volumetric: weight.numerator > 0 ? [{ ...weight, ...ALWAYS }] : [],
    minimums: [],
    roundUp: [{ upTo: Number.POSITIVE_INFINITY, stepGrams: weight.stepGrams, ...ALWAYS }],
    gramsPerLoadingMetre: 0,
  };
  return weighByRules(weight.perParcel, rules, situation, parcels);
}

const ALWAYS: CompiledSetting = { condition: undefined, parcel: undefined };

function weighByRules(
  perParcel: boolean,
  rules: CompiledWeightRules,
  situation: Situation,
  parcels: readonly ParcelKind[],
): Weights {
  const { gramsPerLoadingMetre } = rules;
  const ofMetres = (some: readonly ParcelKind[]) => Math.ceil((loadingMetres(some) * gramsPerLoadingMetre) / 100);
  if (perParcel) {
    let volumetricGrams = 0;
    let chargeableGrams = 0;
    for (const parcel of parcels) {
      const byVolume = volumetricOf(factorFor(rules, situation, parcel), parcel.volumeCm3, parcel.share);
      const volumetric = Math.max(byVolume, ofMetres([{ ...parcel, quantity: 1 }]));
      const real = Math.max(Math.ceil(parcel.grams / parcel.share), minimumFor(rules, situation, parcel));
      volumetricGrams += volumetric * parcel.quantity;
      chargeableGrams += rounded(rules, situation, [parcel], Math.max(real, volumetric)) * parcel.quantity;
    }
    return { volumetricGrams, chargeableGrams };
  }
  // Volumes with one factor are added before they are weighed; parcels of a quote of totals have all of the volume.
  const volumes = new Map<Factor | undefined, number>();
  let real = 0;
  for (const parcel of parcels) {
    const factor = factorFor(rules, situation, parcel);
    const parts = parcel.quantity / parcel.share;
    volumes.set(factor, (volumes.get(factor) ?? 0) + parcel.volumeCm3 * parts);
    const minimum = minimumFor(rules, situation, parcel);
    const isLighter = Math.ceil(parcel.grams / parcel.share) < minimum;
    real += isLighter ? minimum * parcel.quantity : parcel.grams * parts;
  }
  let byVolume = 0;
  for (const [factor, volumeCm3] of volumes) byVolume += volumetricOf(factor, volumeCm3, 1);
  const volumetricGrams = Math.max(byVolume, ofMetres(parcels));
  return { volumetricGrams, chargeableGrams: rounded(rules, situation, parcels, Math.max(real, volumetricGrams)) };
}

function volumetricOf(factor: Factor | undefined, volumeCm3: number, share: number): number {
  return factor === undefined ? 0 : Math.ceil((volumeCm3 * factor.numerator) / (factor.denominator * share));
}

function factorFor({ volumetric }: CompiledWeightRules, situation: Situation, parcel: ParcelKind): Factor | undefined {
  return volumetric.find(one => settingHolds(one, situation, [parcel]));
}

function minimumFor({ minimums }: CompiledWeightRules, situation: Situation, parcel: ParcelKind): number {
  return minimums.find(one => settingHolds(one, situation, [parcel]))?.grams ?? 0;
}

function rounded(
  { roundUp }: CompiledWeightRules,
  situation: Situation,
  parcels: readonly ParcelKind[],
  grams: number,
): number {
  const step = roundUp.find(one => grams <= one.upTo && settingHolds(one, situation, parcels));
  return roundUpTo(grams, step?.stepGrams ?? 1);
}

function settingHolds(
  { condition, parcel }: CompiledSetting,
  situation: Situation,
  parcels: readonly ParcelKind[],
): boolean {
  return holds(condition, situation) && (parcel === undefined || parcels.some(one => parcelFits(parcel, one)));
}
