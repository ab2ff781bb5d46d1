import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { kg, price, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { cents, grams, kgText, money } from '../units.rules.ts';

const step = z
  .strictObject({
    upToKg: kg.describe('How far the step goes; left out on the last: without limit.').optional(),
    everyKg: kg.describe('Step, kg.'),
    price: price.describe('EUR for each step begun.'),
  })
  .meta({ id: 'Step' });
type Step = z.infer<typeof step>;

/** Prices of the weight beyond the last band, by begun steps of one kind after the other. */
export const stepsBeyond = ruleFields({
  form: {
    beyond: z
      .array(step)
      .max(20)
      .describe('Beyond the last band, each step where the one before ends; without it nothing heavier is carried.')
      .default([]),
  },
  words: { beyond: 'beyond the last band', everyKg: 'for each begun kg' },
  units: { everyKg: 'kg' },
});

export interface CompiledStep {
  /** Where it ends; `Infinity` for nowhere. */
  readonly upTo: number;
  readonly stepGrams: number;
  readonly stepCents: number;
}

/** @param lastKg the limit of the last band */
export function checkSteps(issues: TariffIssues, path: Path, steps: readonly Step[], lastKg: number): void {
  let last = lastKg;
  for (const [i, { upToKg }] of steps.entries()) {
    const at = [...path, i, 'upToKg'];
    if (upToKg === undefined && i < steps.length - 1)
      issues.add(at, 'required', 'must be given on all but the last step');
    if (upToKg !== undefined && upToKg <= last) issues.add(at, 'overlap', `must be more than where it begins, ${last}`);
    last = upToKg ?? last;
  }
}

export function compileSteps(steps: readonly Step[]): readonly CompiledStep[] {
  return steps.map(one => ({
    upTo: one.upToKg === undefined ? Number.POSITIVE_INFINITY : grams(one.upToKg),
    stepGrams: grams(one.everyKg),
    stepCents: cents(one.price),
  }));
}

/** The begun steps of a kind from where it begins. */
const begun = ({ upTo, stepGrams }: CompiledStep, from: number, weight: number) =>
  Math.ceil((Math.min(weight, upTo) - from) / stepGrams);

/** Undefined if the weight is too heavy. */
export function priceBeyond(
  kinds: readonly CompiledStep[],
  limit: number,
  weight: number,
): { readonly steps: number; readonly cents: number } | undefined {
  let from = limit;
  let [steps, amount] = [0, 0];
  for (const kind of kinds) {
    const count = begun(kind, from, weight);
    steps += count;
    amount += count * kind.stepCents;
    if (weight <= kind.upTo) return { steps, cents: amount };
    from = kind.upTo;
  }
  return undefined;
}

/** `, and 3 × 0.40 for each 10 kg begun beyond` */
export function beyondText(words: Words, kinds: readonly CompiledStep[], limit: number, weight: number): string {
  let from = limit;
  const texts: string[] = [];
  for (const kind of kinds) {
    if (weight <= from) break;
    const begins = kinds.length === 1 ? '' : kgText(from);
    const count = begun(kind, from, weight);
    texts.push(words.stepsBeyond(count, money(kind.stepCents), kgText(kind.stepGrams), begins));
    from = kind.upTo;
  }
  return texts.join('');
}
