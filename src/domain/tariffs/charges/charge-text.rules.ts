import type { CompiledVersion } from '../compile/compiled-tariff.rules.ts';
import { amountText, measured, measureText } from '../conditions/measures.rules.ts';
import type { Situation } from '../conditions/situation.rules.ts';
import { MICRO, money } from '../units.rules.ts';
import { bracketOf, valueUnder } from './amount.rules.ts';
import type { CompiledCharge } from './charge-compile.rules.ts';
import type { ExplainedAmounts } from './charge-kind.rules.ts';
import { explanationsOf, pricingOf } from './charge-kinds.rules.ts';

/** How a price comes to its amount: `2.9 % of 12.20 (base)`. */
export function chargeCalculation(charge: CompiledCharge, price: ExplainedAmounts, situation: Situation): string {
  const { brackets, above, sums } = charge;
  if (brackets) {
    const reached = brackets.upTo.find(upTo => measured(brackets.by, situation) <= upTo) ?? 0;
    const reach = Number.isFinite(reached) ? `up to ${amountText(brackets.by, reached)}` : 'above the last bracket';
    const of = measureText(brackets.by, situation);
    return `${of}, ${reach}: ${chargeCalculation(bracketOf(charge, situation), price, situation)}`;
  }
  if (above > 0) {
    const value = valueUnder(charge, price.amounts, situation);
    if (value <= above) return `${money(value)} lie within the allowance of ${money(above)}`;
  }
  return bounded(charge, greatest(sums.map(sum => joined(explanationsOf(sum, price, situation, above)))));
}

/** Describes a price before anything is shipped: `3.00 a shipment + 0.5 a kg`. */
export function chargePricing(charge: CompiledCharge, version: CompiledVersion): string {
  const { sums, brackets, above } = charge;
  if (!brackets) return bounded(charge, greatest(sums.map(sum => joined(pricingOf(sum, version, above)))));
  const texts = brackets.charges.map((one, i) => {
    const upTo = brackets.upTo[i] ?? Number.POSITIVE_INFINITY;
    const reach = Number.isFinite(upTo) ? `up to ${amountText(brackets.by, upTo)}` : 'above';
    return `${reach}: ${chargePricing(one, version)}`;
  });
  return bounded(charge, texts.join('; '));
}

const greatest = (texts: readonly string[]) =>
  texts.length > 1 ? `the greater of ${texts.join(' and ')}` : (texts[0] ?? '');

function bounded({ minimum, maximum }: Pick<CompiledCharge, 'minimum' | 'maximum'>, text: string): string {
  const least = minimum !== 0 && Number.isFinite(minimum) ? `, at least ${money(minimum / MICRO)}` : '';
  const most = Number.isFinite(maximum) ? `, at most ${money(maximum / MICRO)}` : '';
  return text + least + most;
}

/** Parts of a sum; nothing at all is 0.00. */
export const joined = (parts: readonly (string | false)[]) => parts.filter(Boolean).join(' + ') || money(0);
