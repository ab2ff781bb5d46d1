import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { setting } from '../conditions/condition.format.rules.ts';
import { settingHolds } from '../conditions/condition.rules.ts';
import { checkCondition } from '../conditions/condition-check.rules.ts';
import { type CompiledSetting, compileSetting } from '../conditions/condition-compile.rules.ts';
import type { KnownCodes, Names } from '../conditions/condition-kind.rules.ts';
import { kg, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';
import { grams } from '../units.rules.ts';

const minimum = z.strictObject({ when: setting, parcelKg: kg.describe('Each such parcel weighs at least this.') });
type Minimum = z.infer<typeof minimum>;

/** The least that parcels weigh, such as those that are out of gauge. */
export const minimumWeights = ruleFields({
  form: {
    minimums: z.array(minimum).max(100).describe('The first that holds counts, for each parcel by itself.').default([]),
  },
  words: { minimums: 'minimum weights', parcelKg: 'kg of a parcel' },
  units: { parcelKg: 'kg' },
});

export type CompiledMinimum = CompiledSetting & { readonly grams: number };

export function checkMinimums(issues: TariffIssues, path: Path, minimums: readonly Minimum[], known: KnownCodes): void {
  for (const [i, { when }] of minimums.entries()) checkCondition(issues, [...path, i, 'when'], when, known);
}

export function compileMinimums(minimums: readonly Minimum[], names: Names): readonly CompiledMinimum[] {
  return minimums.map(({ when, parcelKg }) => ({ grams: grams(parcelKg), ...compileSetting(when, names) }));
}

/** In grams; 0 if none holds. */
export function minimumFor(minimums: readonly CompiledMinimum[], situation: Situation, parcel: ParcelKind): number {
  for (const one of minimums) if (settingHolds(one, situation, parcel)) return one.grams;
  return 0;
}
