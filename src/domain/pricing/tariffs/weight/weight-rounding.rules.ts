import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import { setting } from '../conditions/condition.format.rules.ts';
import { settingHoldsForAny } from '../conditions/condition.rules.ts';
import { checkCondition } from '../conditions/condition-check.rules.ts';
import { type CompiledSetting, compileSetting } from '../conditions/condition-compile.rules.ts';
import type { KnownCodes, Names } from '../conditions/condition-kind.rules.ts';
import { kg, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { ParcelKind, Situation } from '../shipment-terms.rules.ts';
import { grams, roundUpTo } from '../units.rules.ts';

const rounding = z.strictObject({
  when: setting.optional(),
  upToKg: kg.describe('For weights up to this; left out: for any.').optional(),
  toKg: z
    .number()
    .positive()
    .max(1_000)
    .describe('The step, at most 3 decimals. Weights are rounded up to a multiple.'),
});
type Rounding = z.infer<typeof rounding>;

/** The multiples to which weights are rounded up. */
export const weightRounding = ruleFields({
  form: {
    roundUp: z.array(rounding).min(1).max(100).describe('The first that holds counts; the last must hold always.'),
  },
  words: { roundUp: 'rounding', toKg: 'to a multiple of kg' },
  units: { toKg: 'kg' },
});

export type CompiledRounding = CompiledSetting & { readonly upTo: number; readonly stepGrams: number };

export function checkRounding(issues: TariffIssues, path: Path, rules: readonly Rounding[], known: KnownCodes): void {
  for (const [i, { when }] of rules.entries()) if (when) checkCondition(issues, [...path, i, 'when'], when, known);
  const last = rules.at(-1);
  if (!last || (last.when ?? last.upToKg) === undefined) return;
  const message = 'must have neither when nor upToKg on the last, so that one always holds';
  issues.add([...path, rules.length - 1], 'gap', message);
}

export function compileRounding(rules: readonly Rounding[], names: Names): readonly CompiledRounding[] {
  return rules.map(({ when, upToKg, toKg }) => ({
    upTo: upToKg === undefined ? Number.POSITIVE_INFINITY : grams(upToKg),
    stepGrams: grams(toKg),
    ...compileSetting(when, names),
  }));
}

/** A weight of parcels, rounded up. */
export function rounded(
  rules: readonly CompiledRounding[],
  situation: Situation,
  parcels: readonly ParcelKind[],
  weight: number,
): number {
  for (const one of rules) {
    if (weight <= one.upTo && settingHoldsForAny(one, situation, parcels)) return roundUpTo(weight, one.stepGrams);
  }
  return weight;
}
