import { z } from 'zod';
import { girthOf } from './conditions/parcel-condition.rules.ts';
import { type ExcludingVersion, type Exclusion, excluded } from './exclusion.rules.ts';
import { cm, kg, ruleFields } from './format/parts.format.rules.ts';
import type { Shipment } from './shipment-terms.rules.ts';
import { grams, MAX_GRAMS, side } from './units.rules.ts';

const limits = z
  .strictObject({
    parcelKg: kg.describe('Most real weight of a parcel.').optional(),
    shipmentKg: kg.describe('Most real weight of a shipment.').optional(),
    longestSideCm: cm.optional(),
    sumOfSidesCm: cm.optional(),
    girthCm: cm.describe('Longest side and twice the two others.').optional(),
    parcels: z.int().min(1).max(500).describe('Most parcels of a shipment.').optional(),
  })
  .describe('The limits on what the carrier takes.')
  .default({});
type Limits = z.infer<typeof limits>;

/** The heaviest and largest shipment that is carried. */
export const shipmentLimits = ruleFields({
  form: { limits },
  words: {
    shipmentKg: 'kg of a shipment',
    longestSideCm: 'longest side',
    sumOfSidesCm: 'sum of sides',
    girthCm: 'girth',
  },
  units: { parcelKg: 'kg', shipmentKg: 'kg', longestSideCm: 'cm', sumOfSidesCm: 'cm', girthCm: 'cm' },
});

/** `Infinity` where there is none. */
export interface CompiledLimits {
  readonly parcelGrams: number;
  readonly shipmentGrams: number;
  readonly longestSide: number;
  readonly sumOfSides: number;
  readonly girth: number;
  readonly parcels: number;
}

export function compileLimits(given: Limits): CompiledLimits {
  return {
    parcelGrams: grams(given.parcelKg) || MAX_GRAMS,
    shipmentGrams: grams(given.shipmentKg) || MAX_GRAMS,
    longestSide: side(given.longestSideCm) || Number.POSITIVE_INFINITY,
    sumOfSides: side(given.sumOfSidesCm) || Number.POSITIVE_INFINITY,
    girth: side(given.girthCm) || Number.POSITIVE_INFINITY,
    parcels: given.parcels ?? Number.POSITIVE_INFINITY,
  };
}

/** The reason why a shipment is too heavy or too large. */
export function checkLimits(
  version: ExcludingVersion & { readonly limits: CompiledLimits },
  shipment: Shipment,
): Exclusion | undefined {
  const { limits } = version;
  const { heaviestGrams, grams, longestSide, sumOfSides, parcelCount } = shipment;
  if (heaviestGrams > limits.parcelGrams) {
    const reason = { is: 'parcel_weight', grams: heaviestGrams, limit: limits.parcelGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'parcelKg'], reason);
  }
  if (grams > limits.shipmentGrams) {
    const reason = { is: 'shipment_weight', grams, limit: limits.shipmentGrams } as const;
    return excluded(version, 'WEIGHT_OUT_OF_RANGE', ['limits', 'shipmentKg'], reason);
  }
  if (longestSide > limits.longestSide) {
    const reason = { is: 'longest_side', side: longestSide, limit: limits.longestSide } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'longestSideCm'], reason);
  }
  if (sumOfSides > limits.sumOfSides) {
    const reason = { is: 'sum_of_sides', side: sumOfSides, limit: limits.sumOfSides } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'sumOfSidesCm'], reason);
  }
  if (limits.girth !== Number.POSITIVE_INFINITY) {
    const girth = Math.max(...shipment.parcels.map(girthOf));
    const reason = { is: 'girth', side: girth, limit: limits.girth } as const;
    if (girth > limits.girth) return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'girthCm'], reason);
  }
  if (parcelCount > limits.parcels) {
    const reason = { is: 'parcel_count', count: parcelCount, limit: limits.parcels } as const;
    return excluded(version, 'DIMENSIONS_OUT_OF_RANGE', ['limits', 'parcels'], reason);
  }
  return undefined;
}
