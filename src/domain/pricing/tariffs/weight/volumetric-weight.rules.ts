import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { type Setting, setting } from '../conditions/condition.format.rules.ts';
import { settingHolds } from '../conditions/condition.rules.ts';
import { checkCondition } from '../conditions/condition-check.rules.ts';
import { type CompiledSetting, compileSetting } from '../conditions/condition-compile.rules.ts';
import type { KnownCodes, Names } from '../conditions/condition-kind.rules.ts';
import { loadingMetres } from '../conditions/measures.rules.ts';
import { ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';

/** The weights that the space of parcels counts as: of their volume, and of the floor that pallets take. */
export const volumetricWeight = ruleFields({
  form: {
    volumetric: z
      .array(
        z
          .strictObject({
            when: setting.optional(),
            kgPerM3: z.int().min(1).max(1_000).describe('Factor, kg a cubic metre.').optional(),
            cm3PerKg: z.int().min(1_000).max(1_000_000).describe('Divisor, cm³ a kilogram.').optional(),
          })
          .meta({ oneOf: [{ required: ['kgPerM3'] }, { required: ['cm3PerKg'] }] }),
      )
      .max(100)
      .describe('The first that holds counts, for each parcel by itself; none: only the real weight counts.')
      .default([]),
    kgPerLoadingMetre: z.int().min(1).max(10_000).describe('Kilograms that a loading metre counts as.').optional(),
  },
  words: {
    volumetric: 'volumetric weight',
    kgPerM3: 'kg per m³',
    cm3PerKg: 'cm³ per kg',
    kgPerLoadingMetre: 'kg per loading metre',
  },
  units: {},
});

/** Volumetric grams are cm³ × `numerator` / `denominator`. */
export interface Factor {
  readonly numerator: number;
  readonly denominator: number;
}

export type CompiledFactor = Factor & CompiledSetting;

interface Ratio {
  readonly when?: Setting | undefined;
  readonly kgPerM3?: number | undefined;
  readonly cm3PerKg?: number | undefined;
}

export function checkRatios(issues: TariffIssues, path: Path, ratios: readonly Ratio[], known: KnownCodes): void {
  for (const [i, { when, kgPerM3, cm3PerKg }] of ratios.entries()) {
    if (when) checkCondition(issues, [...path, i, 'when'], when, known);
    if ((kgPerM3 === undefined) === (cm3PerKg === undefined))
      issues.add([...path, i], 'not_allowed', 'must have either kgPerM3 or cm3PerKg');
  }
}

/** 1 kg/m³ is a thousandth of a gram a cm³; a divisor of 1 cm³/kg is 1,000 g a cm³. */
export function factorOf({ kgPerM3, cm3PerKg }: Ratio): Factor {
  if (kgPerM3 !== undefined) return { numerator: kgPerM3, denominator: 1000 };
  return cm3PerKg === undefined ? { numerator: 0, denominator: 1 } : { numerator: 1000, denominator: cm3PerKg };
}

export function compileFactors(ratios: readonly Ratio[], names: Names): readonly CompiledFactor[] {
  return ratios.map(one => ({ ...factorOf(one), ...compileSetting(one.when, names) }));
}

/** The position of the factor that counts for a parcel; −1 if none does. */
export function factorFor(factors: readonly CompiledFactor[], situation: Situation, parcel: ParcelKind): number {
  let position = 0;
  for (const factor of factors) {
    if (settingHolds(factor, situation, parcel)) return position;
    position++;
  }
  return -1;
}

/** @param share equal parcels to which the volume belongs, of which one is weighed */
export function volumetricGrams({ numerator, denominator }: Factor, volumeCm3: number, share: number): number {
  return Math.ceil((volumeCm3 * numerator) / (denominator * share));
}

/** The weight in grams that the loading metres of parcels count as. */
export function loadingWeight(gramsPerMetre: number, parcels: readonly ParcelKind[]): number {
  return gramsPerMetre === 0 ? 0 : Math.ceil((loadingMetres(parcels) * gramsPerMetre) / 100);
}
