import { z } from 'zod';
import type { TariffIssues } from '../check/check-issues.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import { atLeastOne, ruleFields } from '../format/parts.format.rules.ts';
import type { Path } from '../format/tariff-document.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { cents, money, roundToCents } from '../units.rules.ts';
import {
  bracketOf,
  brackets,
  bracketsText,
  type CompiledBrackets,
  checkBrackets,
  compileBrackets,
  reachedText,
} from './brackets.rules.ts';
import {
  boundedText,
  type CompiledBounds,
  chargeBounds,
  checkBounds,
  compileBounds,
  within,
} from './charge-bounds.rules.ts';
import type { DescribedPrice, ExplainedAmounts, LineRules, PriceNames } from './charge-kind.rules.ts';
import {
  type CompiledSum,
  chargeFields,
  checkSum,
  compileSum,
  explanationsOf,
  pricingOf,
  SUM_NEEDS,
  SUM_PARTS,
  sumOf,
} from './charge-kinds.rules.ts';
import { amountUnder } from './percentage-charge.rules.ts';

/** A price, in the one form that it has everywhere in a tariff: a sum of the ways to charge, the greatest of several, or brackets. */

const sum = z.strictObject(chargeFields).meta({ id: 'Sum', ...atLeastOne(...SUM_PARTS), dependentRequired: SUM_NEEDS });

export const chargeRule = ruleFields({
  form: {
    ...chargeFields,
    ...chargeBounds.form,
    above: z
      .number()
      .positive()
      .max(1_000_000)
      .describe('EUR that `of` leaves out; where it is no more, the line costs 0.00.')
      .optional(),
    greaterOf: z.array(sum).min(2).max(10).describe('The greatest of these.').optional(),
    ...brackets.form,
  },
  words: { ...chargeBounds.words, ...brackets.words, above: 'allowance', greaterOf: 'the greatest of' },
  units: { ...chargeBounds.units, above: 'money' },
});

export const charge = z
  .strictObject(chargeRule.form)
  .describe('The sum of the given prices; minimum and maximum apply before it is rounded to the cent.')
  .meta({
    id: 'Price',
    ...atLeastOne(...SUM_PARTS, 'greaterOf', 'brackets'),
    dependentRequired: { ...SUM_NEEDS, above: ['of'] },
  });
export type Charge = z.infer<typeof charge>;

/** A price, ready for the engine. */
export interface CompiledCharge extends CompiledBounds {
  /** One, or several of which the greatest counts. */
  readonly sums: readonly CompiledSum[];
  /** Cents that the percentage of the first sum leaves out. */
  readonly above: number;
  /** Takes the place of the sums. */
  readonly brackets: CompiledBrackets | undefined;
}

/** Checks rules that the form of a price cannot express. */
export function checkCharge(issues: TariffIssues, path: Path, price: Charge, rules: LineRules): void {
  const { greaterOf, brackets: byMeasure, minimum: _, maximum: _most, above, ...own } = price;
  checkBounds(issues, path, price, rules);
  const alone = greaterOf ? 'greaterOf' : byMeasure ? 'brackets' : undefined;
  if (alone === undefined) checkSum(issues, path, own, rules);
  else if (Object.values({ ...own, above, ...(greaterOf && byMeasure) }).some(part => part !== undefined))
    issues.add(path, 'not_allowed', `must have ${alone} or sums of its own, not both`);
  if (above !== undefined && alone === undefined && own.of === undefined)
    issues.add([...path, 'of'], 'required', 'must be given: `above` is an amount of this sum');
  for (const [i, one] of (greaterOf ?? []).entries()) checkSum(issues, [...path, 'greaterOf', i], one, rules);
  if (byMeasure) checkBrackets(issues, [...path, 'brackets'], byMeasure, rules);
}

export function compileCharge(price: Charge, names: PriceNames): CompiledCharge {
  const { greaterOf, brackets: byMeasure, above } = price;
  const { minimum, maximum } = compileBounds(price);
  return {
    sums: byMeasure ? [] : (greaterOf ?? [price]).map(one => compileSum(one, names)),
    above: cents(above),
    minimum,
    maximum,
    brackets: byMeasure && compileBrackets(byMeasure, names),
  };
}

/** Returns every sum of a price, including the sums of its brackets. */
export function allSums({ sums, brackets: byMeasure }: CompiledCharge): readonly CompiledSum[] {
  return byMeasure ? byMeasure.charges.map(bracket => bracket.sum) : sums;
}

/** Calculates the amount of a price for a shipment, rounded half up to the cent. */
export function amountOf(price: CompiledCharge, amounts: readonly number[], situation: Situation): number {
  const { sums, brackets: byMeasure, above } = price;
  if (byMeasure !== undefined) {
    const bracket = bracketOf(byMeasure, situation);
    return roundToCents(within(price, within(bracket, sumOf(bracket.sum, amounts, situation, 0))));
  }
  if (above > 0 && valueUnder(price, amounts, situation) <= above) return 0;
  let greatest = sumOf(sums[0] as CompiledSum, amounts, situation, above);
  for (let i = 1; i < sums.length; i++) {
    greatest = Math.max(greatest, sumOf(sums[i] as CompiledSum, amounts, situation, 0));
  }
  return roundToCents(within(price, greatest));
}

/** The amount in cents to which the percentage of a price applies. */
function valueUnder({ sums: [first] }: CompiledCharge, amounts: readonly number[], situation: Situation): number {
  const share = first?.percentageCharge;
  return share === undefined ? 0 : amountUnder(share, amounts, situation.shipment);
}

/** How a price comes to its amount: `2.9 % of 12.20 (base)`. */
export function chargeCalculation(price: CompiledCharge, explained: ExplainedAmounts, situation: Situation): string {
  const { words } = explained;
  const { sums, brackets: byMeasure, above } = price;
  if (byMeasure) {
    const bracket = bracketOf(byMeasure, situation);
    const most = { minimum: within(price, bracket.minimum), maximum: within(price, bracket.maximum) };
    const text = boundedText(words, most, joined(explanationsOf(bracket.sum, explained, situation, 0)));
    return `${reachedText(words, byMeasure, situation)}: ${text}`;
  }
  const value = valueUnder(price, explained.amounts, situation);
  if (above > 0 && value <= above) return words.withinAllowance(money(value), money(above));
  return boundedText(
    words,
    price,
    greatestText(
      words,
      sums.map(one => explanationsOf(one, explained, situation, above)),
    ),
  );
}

/** Describes a price before anything is shipped: `3.00 a shipment + 0.5 a kg`. */
export function chargePricing(price: CompiledCharge, described: DescribedPrice): string {
  const { words } = described;
  const { sums, brackets: byMeasure, above } = price;
  const text = byMeasure
    ? bracketsText(words, byMeasure, one => boundedText(words, one, joined(pricingOf(one.sum, described, 0))))
    : greatestText(
        words,
        sums.map(one => pricingOf(one, described, above)),
      );
  return boundedText(words, price, text);
}

/** @param sums the texts of the parts of each */
function greatestText(words: Words, sums: readonly (readonly string[])[]): string {
  const texts = sums.map(joined);
  return texts.length > 1 ? words.greaterOf(texts) : (texts[0] ?? '');
}

/** Parts of a sum; nothing at all is 0.00. */
export const joined = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(' + ') || money(0);
