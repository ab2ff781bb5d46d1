import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { KnownCodes, Names } from '../conditions/condition-kind.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { NO_ZONE, type ParcelKind, type Shipment, type Situation } from '../shipment-terms.rules.ts';
import { grams, kgText, roundUpTo } from '../units.rules.ts';
import {
  type CompiledMinimum,
  checkMinimums,
  compileMinimums,
  minimumFor,
  minimumWeights,
} from './minimum-weights.rules.ts';
import {
  type CompiledFactor,
  checkRatios,
  compileFactors,
  type Factor,
  factorFor,
  factorOf,
  loadingWeight,
  volumetricGrams as volumetricOf,
  volumetricWeight,
} from './volumetric-weight.rules.ts';
import {
  type CompiledRounding,
  checkRounding,
  compileRounding,
  rounded,
  weightRounding,
} from './weight-rounding.rules.ts';

/** The weight that is charged: the greatest of real and volumetric weight and of loading metres, rounded up. */

const weight = z
  .strictObject({
    per: z
      .enum(['shipment', 'parcel'])
      .describe(
        'Whether the greater weight is taken of the shipment, or of each parcel and then added. `bandsPer` of a zone says what the bands price.',
      ),
    ...volumetricWeight.form,
    ...minimumWeights.form,
    ...weightRounding.form,
  })
  .describe('How the chargeable weight is found: the greatest of real, volumetric and by loading metres, rounded up.')
  .meta({ id: 'Weight' });
type WeightRules = z.infer<typeof weight>;

export const chargeableWeight = ruleFields({
  form: { weight },
  words: { ...volumetricWeight.words, ...minimumWeights.words, ...weightRounding.words, per: 'weighed by' },
  units: { ...minimumWeights.units, ...weightRounding.units },
});

export interface CompiledWeight extends Factor {
  readonly perParcel: boolean;
  readonly stepGrams: number;
  /** Takes the place of the factor and the step. Undefined in most tariffs, so that it costs them nothing. */
  readonly more: MoreWeight | undefined;
}

interface MoreWeight {
  readonly volumetric: readonly CompiledFactor[];
  readonly minimums: readonly CompiledMinimum[];
  readonly roundUp: readonly CompiledRounding[];
  readonly gramsPerLoadingMetre: number;
}

export function checkWeight(issues: TariffIssues, path: Path, rules: WeightRules, known: KnownCodes): void {
  checkRatios(issues, [...path, 'volumetric'], rules.volumetric, known);
  checkMinimums(issues, [...path, 'minimums'], rules.minimums, known);
  checkRounding(issues, [...path, 'roundUp'], rules.roundUp, known);
}

export function compileWeight(rules: WeightRules, names: Names): CompiledWeight {
  const { volumetric, kgPerLoadingMetre, minimums, per, roundUp } = rules;
  const [first, ...others] = volumetric;
  const isPlain =
    others.length + minimums.length === 0 &&
    first?.when === undefined &&
    kgPerLoadingMetre === undefined &&
    roundUp.length === 1;
  return {
    perParcel: per === 'parcel',
    stepGrams: grams(roundUp[0]?.toKg),
    ...factorOf(first ?? {}),
    more: isPlain
      ? undefined
      : {
          volumetric: compileFactors(volumetric, names),
          minimums: compileMinimums(minimums, names),
          roundUp: compileRounding(roundUp, names),
          gramsPerLoadingMetre: grams(kgPerLoadingMetre),
        },
  };
}

/** Volumetric and chargeable weight. */
interface Weights {
  readonly volumetricGrams: number;
  readonly chargeableGrams: number;
}

/** The parts of a version and of a zone that weights depend on. */
interface WeighingVersion {
  readonly weight: CompiledWeight;
}
interface WeighingZone {
  /** Position in the version. */
  readonly index: number;
  /** Undefined where bands price the weight of the shipment. */
  readonly byParcel: object | undefined;
}

/** Whether parcels are weighed one by one, and their weights added. */
export const isPerParcel = (version: WeighingVersion, zone: WeighingZone | undefined) =>
  version.weight.perParcel || zone?.byParcel !== undefined;

/** The weights of a shipment in a zone, or in none. */
export function weigh(
  version: WeighingVersion,
  zone: WeighingZone | undefined,
  shipment: Shipment,
  origin: number,
): Weights {
  const { weight: rules } = version;
  const { parcels, grams: real, volumeCm3 } = shipment;
  const isOneByOne = isPerParcel(version, zone);
  if (rules.more === undefined) return isOneByOne ? eachPlainly(rules, parcels) : plainly(rules, real, volumeCm3, 1);
  const situation: Situation = { shipment, zone: zone?.index ?? NO_ZONE, origin, chargeableGrams: 0 };
  return isOneByOne ? eachByRules(rules.more, situation, parcels) : byRules(rules.more, situation, parcels);
}

/** The weights of some parcels: those priced by weight if others are priced by number. */
export function weighSome(rules: CompiledWeight, situation: Situation, parcels: readonly ParcelKind[]): Weights {
  const { more, perParcel } = rules;
  if (more !== undefined) return perParcel ? eachByRules(more, situation, parcels) : byRules(more, situation, parcels);
  if (perParcel) return eachPlainly(rules, parcels);
  const sumOf = (what: 'grams' | 'volumeCm3') =>
    parcels.reduce((sum, parcel) => sum + (parcel[what] * parcel.quantity) / parcel.share, 0);
  return plainly(rules, sumOf('grams'), sumOf('volumeCm3'), 1);
}

/** The weights of each parcel of a kind. */
export function weighOne(rules: CompiledWeight, situation: Situation, parcel: ParcelKind): Weights {
  const { more } = rules;
  if (more !== undefined) return oneByRules(more, situation, parcel);
  return plainly(rules, Math.ceil(parcel.grams / parcel.share), parcel.volumeCm3, parcel.share);
}

/** By one factor and one step. Rounding up to whole grams first is safe, because the step is a whole number of grams. */
function plainly(rules: CompiledWeight, real: number, volumeCm3: number, share: number): Weights {
  const volumetricGrams = volumetricOf(rules, volumeCm3, share);
  return { volumetricGrams, chargeableGrams: roundUpTo(Math.max(real, volumetricGrams), rules.stepGrams) };
}

/** Adds them without an object for each parcel, since most contracts weigh so. */
function eachPlainly(rules: CompiledWeight, parcels: readonly ParcelKind[]): Weights {
  let volumetricGrams = 0;
  let chargeableGrams = 0;
  for (const { grams: all, volumeCm3, share, quantity } of parcels) {
    const volumetric = volumetricOf(rules, volumeCm3, share);
    volumetricGrams += volumetric * quantity;
    chargeableGrams += roundUpTo(Math.max(Math.ceil(all / share), volumetric), rules.stepGrams) * quantity;
  }
  return { volumetricGrams, chargeableGrams };
}

function eachByRules(rules: MoreWeight, situation: Situation, parcels: readonly ParcelKind[]): Weights {
  let volumetricGrams = 0;
  let chargeableGrams = 0;
  for (const parcel of parcels) {
    const parcelWeights = oneByRules(rules, situation, parcel);
    volumetricGrams += parcelWeights.volumetricGrams * parcel.quantity;
    chargeableGrams += parcelWeights.chargeableGrams * parcel.quantity;
  }
  return { volumetricGrams, chargeableGrams };
}

function oneByRules(rules: MoreWeight, situation: Situation, parcel: ParcelKind): Weights {
  const { volumetric, minimums, roundUp, gramsPerLoadingMetre } = rules;
  const { grams: all, volumeCm3, share } = parcel;
  const factor = volumetric[factorFor(volumetric, situation, parcel)];
  const byVolume = factor === undefined ? 0 : volumetricOf(factor, volumeCm3, share);
  const byFloor = gramsPerLoadingMetre === 0 ? 0 : loadingWeight(gramsPerLoadingMetre, [{ ...parcel, quantity: 1 }]);
  const volumetricGrams = Math.max(byVolume, byFloor);
  const greatest = Math.max(Math.ceil(all / share), minimumFor(minimums, situation, parcel), volumetricGrams);
  return { volumetricGrams, chargeableGrams: rounded(roundUp, situation, [parcel], greatest) };
}

/** Volumes with one factor are added before they are weighed; parcels of a quote of totals have all of the volume. */
function byRules(rules: MoreWeight, situation: Situation, parcels: readonly ParcelKind[]): Weights {
  const { volumetric, minimums, roundUp, gramsPerLoadingMetre } = rules;
  const volumes = volumetric.map(() => 0);
  let real = 0;
  for (const parcel of parcels) {
    const parts = parcel.quantity / parcel.share;
    const factor = factorFor(volumetric, situation, parcel);
    if (factor >= 0) volumes[factor] = (volumes[factor] as number) + parcel.volumeCm3 * parts;
    const least = minimumFor(minimums, situation, parcel);
    real += Math.ceil(parcel.grams / parcel.share) < least ? least * parcel.quantity : parcel.grams * parts;
  }
  let byVolume = 0;
  for (let i = 0; i < volumes.length; i++) byVolume += volumetricOf(volumetric[i] as Factor, volumes[i] as number, 1);
  const volumetricGrams = Math.max(byVolume, loadingWeight(gramsPerLoadingMetre, parcels));
  return { volumetricGrams, chargeableGrams: rounded(roundUp, situation, parcels, Math.max(real, volumetricGrams)) };
}

interface WeighedPrice extends Weights {
  readonly version: WeighingVersion;
  readonly zone: WeighingZone;
  readonly realGrams: number;
}

/** How the chargeable weight was found, for people. */
export function weightText(
  words: Words,
  { version, zone, realGrams, volumetricGrams, chargeableGrams }: WeighedPrice,
): string {
  const { stepGrams, numerator, more } = version.weight;
  const hasVolume = more ? more.volumetric.length > 0 || more.gramsPerLoadingMetre > 0 : numerator > 0;
  const greater = hasVolume
    ? words.greaterWeight(kgText(realGrams), kgText(volumetricGrams))
    : words.real(kgText(realGrams));
  const subject = isPerParcel(version, zone) ? words.ofEachParcel : words.ofShipment;
  const least = more && more.minimums.length > 0 ? words.leastWeights : '';
  const step = more ? words.roundedUp : words.roundedUpTo(kgText(stepGrams));
  return `${greater}${subject}${least}${step}: ${kgText(chargeableGrams)}`;
}
