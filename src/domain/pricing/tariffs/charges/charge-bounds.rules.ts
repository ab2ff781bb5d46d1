import type { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { euro, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import { cents, MICRO, money } from '../units.rules.ts';
import { type LineRules, rejectNegative } from './charge-kind.rules.ts';

/** The minimum and the maximum of a price. */
export const chargeBounds = ruleFields({
  form: {
    minimum: euro.describe('EUR at least.').optional(),
    maximum: euro.describe('EUR at most.').optional(),
  },
  words: { minimum: 'minimum', maximum: 'maximum' },
  units: { minimum: 'money', maximum: 'money' },
});

type Given = z.infer<z.ZodObject<typeof chargeBounds.form>>;

/** In millionths of a cent; −Infinity and Infinity for none. */
export interface CompiledBounds {
  readonly minimum: number;
  readonly maximum: number;
}

export function checkBounds(issues: TariffIssues, path: Path, { minimum, maximum }: Given, rules: LineRules): void {
  const least = minimum ?? (rules.canBeNegative ? Number.NEGATIVE_INFINITY : 0);
  if (maximum !== undefined && maximum < least)
    issues.add([...path, 'maximum'], 'out_of_range', `must not be less than the minimum, ${least}`);
  rejectNegative(issues, [...path, 'minimum'], minimum, rules);
}

export function compileBounds({ minimum, maximum }: Given): CompiledBounds {
  return {
    minimum: minimum === undefined ? Number.NEGATIVE_INFINITY : cents(minimum) * MICRO,
    maximum: maximum === undefined ? Number.POSITIVE_INFINITY : cents(maximum) * MICRO,
  };
}

export function within({ minimum, maximum }: CompiledBounds, microCents: number): number {
  return Math.min(Math.max(microCents, minimum), maximum);
}

/** A price for people, with its bounds. */
export function boundedText(words: Words, { minimum, maximum }: CompiledBounds, text: string): string {
  const least = minimum !== 0 && Number.isFinite(minimum) ? words.atLeast(money(minimum / MICRO)) : '';
  const most = Number.isFinite(maximum) ? words.atMost(money(maximum / MICRO)) : '';
  return text + least + most;
}
