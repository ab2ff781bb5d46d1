import { MEASURES, type Measure } from '../conditions/measures.rules.ts';
import { cents, MICRO, scaledSigned } from '../units.rules.ts';
import type { Bracket, Charge } from './charge.format.rules.ts';
import type { PriceNames } from './charge-kind.rules.ts';
import { type CompiledSum, compileSum } from './charge-kinds.rules.ts';

/** A price, ready for the engine. */
export interface CompiledCharge {
  /** One, or several of which the greatest counts. */
  readonly sums: readonly CompiledSum[];
  /** Cents that the percentage of the first sum leaves out. */
  readonly above: number;
  /** In millionths of a cent; −Infinity and Infinity for none. */
  readonly minimum: number;
  readonly maximum: number;
  /** Takes the place of the sums. */
  readonly brackets: CompiledBrackets | undefined;
}

export interface CompiledBrackets {
  readonly by: Measure;
  /** In units of the measure, ascending; Infinity for the last. */
  readonly upTo: Float64Array;
  readonly charges: readonly CompiledCharge[];
}

export function compileCharge(price: Charge | Bracket, names: PriceNames): CompiledCharge {
  const { greaterOf, brackets, above, minimum, maximum }: Charge = price;
  return {
    sums: brackets ? [] : (greaterOf ?? [price]).map(sum => compileSum(sum, names)),
    above: cents(above),
    minimum: minimum === undefined ? Number.NEGATIVE_INFINITY : cents(minimum) * MICRO,
    maximum: maximum === undefined ? Number.POSITIVE_INFINITY : cents(maximum) * MICRO,
    brackets: brackets && {
      by: brackets.by,
      upTo: Float64Array.from(brackets.prices, ({ upTo }) =>
        upTo === undefined
          ? Number.POSITIVE_INFINITY
          : (scaledSigned(upTo, MEASURES[brackets.by].decimals) ?? Number.NaN),
      ),
      charges: brackets.prices.map(one => compileCharge(one, names)),
    },
  };
}

/** Returns every sum of a price, including the sums of its brackets. */
export function allSums({ sums, brackets }: CompiledCharge): readonly CompiledSum[] {
  return brackets ? brackets.charges.flatMap(allSums) : sums;
}
