import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import {
  amountText,
  MEASURE_NAMES,
  MEASURES,
  type Measure,
  measured,
  measureText,
} from '../conditions/measures.rules.ts';
import { checkMeasure } from '../conditions/measures-condition.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { atLeastOne, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { scaledSigned } from '../units.rules.ts';
import { type CompiledBounds, chargeBounds, checkBounds, compileBounds } from './charge-bounds.rules.ts';
import type { LineRules, PriceNames } from './charge-kind.rules.ts';
import { type CompiledSum, chargeFields, checkSum, compileSum, SUM_NEEDS, SUM_PARTS } from './charge-kinds.rules.ts';

const bracket = z
  .strictObject({
    upTo: z.number().positive().max(1_000_000).describe('This or less; left out on the last.').optional(),
    ...chargeFields,
    ...chargeBounds.form,
  })
  .meta({ ...atLeastOne(...SUM_PARTS), dependentRequired: SUM_NEEDS });
export type Bracket = z.infer<typeof bracket>;

const form = z
  .strictObject({ by: z.enum(MEASURE_NAMES), prices: z.array(bracket).min(1).max(100) })
  .describe('The price of the first that reaches.')
  .meta({ id: 'Brackets' });
type Brackets = z.infer<typeof form>;

/** Prices by brackets of a measure: the first that reaches counts. */
export const brackets = ruleFields({
  form: { brackets: form.optional() },
  words: { brackets: 'brackets', upTo: 'up to' },
  units: {},
});

export interface CompiledBrackets {
  readonly by: Measure;
  /** In units of the measure, ascending; Infinity for the last. */
  readonly upTo: Float64Array;
  readonly charges: readonly CompiledBracket[];
}

interface CompiledBracket extends CompiledBounds {
  readonly sum: CompiledSum;
}

export function checkBrackets(issues: TariffIssues, path: Path, { by, prices }: Brackets, rules: LineRules): void {
  checkMeasure(issues, [...path, 'by'], by, rules.isLate);
  for (const [i, one] of prices.entries()) {
    const at = [...path, 'prices', i];
    const before = prices[i - 1]?.upTo ?? 0;
    const isLast = i === prices.length - 1;
    const { upTo, minimum: _, maximum: _most, ...sum } = one;
    const add = (code: 'gap' | 'required' | 'overlap', message: string) => issues.add([...at, 'upTo'], code, message);
    if (isLast && upTo !== undefined) add('gap', 'must be left out on the last, so that one always reaches');
    else if (!isLast && upTo === undefined) add('required', 'must be given on all but the last');
    else if (upTo !== undefined && upTo <= before) add('overlap', `must be more than the one before, ${before}`);
    checkBounds(issues, at, one, rules);
    checkSum(issues, at, sum, rules);
  }
}

export function compileBrackets({ by, prices }: Brackets, names: PriceNames): CompiledBrackets {
  const limit = (upTo: number | undefined) =>
    upTo === undefined ? Number.POSITIVE_INFINITY : (scaledSigned(upTo, MEASURES[by].decimals) ?? Number.NaN);
  return {
    by,
    upTo: Float64Array.from(prices, ({ upTo }) => limit(upTo)),
    charges: prices.map(one => ({ sum: compileSum(one, names), ...compileBounds(one) })),
  };
}

/** The charge of the first bracket that reaches. */
export function bracketOf({ by, upTo, charges }: CompiledBrackets, situation: Situation): CompiledBracket {
  const value = measured(by, situation);
  let position = 0;
  while (value > (upTo[position] as number)) position++;
  return charges[position] as CompiledBracket;
}

/** The bracket that was reached, for people: `12 kg, up to 20 kg`. */
export function reachedText(words: Words, { by, upTo }: CompiledBrackets, situation: Situation): string {
  const reached = upTo.find(most => measured(by, situation) <= most) ?? 0;
  const reach = Number.isFinite(reached) ? words.upTo(amountText(words, by, reached)) : words.aboveLast;
  return `${measureText(words, by, situation)}, ${reach}`;
}

/** All brackets for people, before anything is shipped. */
export function bracketsText(
  words: Words,
  { by, upTo, charges }: CompiledBrackets,
  textOf: (charge: CompiledBracket) => string,
) {
  const texts = charges.map((charge, i) => {
    const most = upTo[i] ?? Number.POSITIVE_INFINITY;
    return `${Number.isFinite(most) ? words.upTo(amountText(words, by, most)) : words.aboveAll}: ${textOf(charge)}`;
  });
  return texts.join('; ');
}
