import type { Price } from '../../../pricing/tariffs/price.rules.ts';
import { money } from '../../../pricing/tariffs/units.rules.ts';
import { dueFor, type Part } from './billed-parts.rules.ts';
import { ruleOfPosition } from './calculation.rules.ts';
import { OTHER_AMOUNT } from './charge-findings.rules.ts';
import type { Explanation, Finding } from './finding-codes.rules.ts';
import type { PossiblePrice, PossiblePrices } from './possible-prices.rules.ts';

/** Charges whose due amount depends on a missing term. Only an amount beyond all possible ones is a claim. */

/** A billed amount beside the amounts that can be due. */
type Comparison =
  | { readonly isWithin: true; readonly reason: Explanation }
  | { readonly isWithin: false; readonly dueCents: number; readonly reason: Explanation | undefined };

/**
 * Compares a billed amount with the due one, or with the nearest if several are possible.
 *
 * @param assumed the due amount without the missing terms
 */
export function withinPossible(
  cents: number,
  assumed: number,
  possible: PossiblePrices | undefined,
  dueOf: (price: PossiblePrice) => number,
): Comparison {
  const dues = possible ? [assumed, ...possible.prices.map(dueOf)] : [assumed];
  const [least, most] = [Math.min(...dues), Math.max(...dues)];
  if (possible === undefined || least === most) return { isWithin: false, dueCents: assumed, reason: undefined };
  const { reason } = possible;
  if (least <= cents && cents <= most) return { isWithin: true, reason };
  return { isWithin: false, dueCents: cents > most ? most : least, reason };
}

/** Whether the due amount of a part depends on a missing term. */
export function isUncertain(part: Part, price: Price, possible: PossiblePrices | undefined): boolean {
  const due = dueFor(part, price);
  return possible?.prices.some(other => dueFor(part, other.price) !== due) === true;
}

export function uncertainFindings(
  parts: readonly Part[],
  price: Price,
  possible: PossiblePrices | undefined,
): Finding[] {
  return parts.map(part => {
    const { cents, kinds } = part;
    const compared = withinPossible(cents, dueFor(part, price), possible, other => dueFor(part, other.price));
    const rule = ruleOfPosition(price, part.positions[0] ?? 0);
    if (compared.isWithin) {
      const { reason: explanation } = compared;
      return { code: 'not_checked', amountCents: 0, billedCents: cents, dueCents: cents, rule, explanation };
    }
    const { dueCents, reason } = compared;
    const bound = cents > dueCents ? 'noMoreThan' : 'noLessThan';
    const explanation: Explanation = words =>
      words.charged(money(cents), words[bound](money(dueCents), reason?.(words) ?? ''));
    const code = OTHER_AMOUNT[kinds[0] ?? 'surcharges'];
    return { code, amountCents: cents - dueCents, billedCents: cents, dueCents, rule, explanation };
  });
}
