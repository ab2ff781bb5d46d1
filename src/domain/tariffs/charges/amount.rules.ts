import { measured } from '../conditions/measures.rules.ts';
import type { Situation } from '../conditions/situation.rules.ts';
import { roundToCents } from '../units.rules.ts';
import type { CompiledCharge } from './charge-compile.rules.ts';
import { type CompiledSum, sumOf } from './charge-kinds.rules.ts';
import { amountUnder } from './percentage-charge.rules.ts';

/** Calculates the amount of a price for a shipment, rounded half up to the cent. */
export function amountOf(
  { charge }: { readonly charge: CompiledCharge },
  amounts: readonly number[],
  situation: Situation,
): number {
  const { sums, minimum, maximum, brackets, above } = charge;
  if (brackets !== undefined) return amountOf({ charge: bracketOf(charge, situation) }, amounts, situation);
  if (above > 0 && leavesNothing(charge, amounts, situation)) return 0;
  let greatest = sumOf(sums[0] as CompiledSum, amounts, situation, above);
  for (let i = 1; i < sums.length; i++) {
    greatest = Math.max(greatest, sumOf(sums[i] as CompiledSum, amounts, situation, 0));
  }
  return roundToCents(Math.min(Math.max(greatest, minimum), maximum));
}

/** The charge of the bracket that reaches, within the bounds of the whole. */
export function bracketOf({ brackets, minimum, maximum }: CompiledCharge, situation: Situation): CompiledCharge {
  if (brackets === undefined) throw new Error('A charge has no brackets');
  const value = measured(brackets.by, situation);
  const charge = brackets.charges[brackets.upTo.findIndex(upTo => value <= upTo)] as CompiledCharge;
  const bounded = (bound: number) => Math.min(Math.max(bound, minimum), maximum);
  return { ...charge, minimum: bounded(charge.minimum), maximum: bounded(charge.maximum) };
}

/** Returns the amount in cents to which the percentage of a price applies. */
export function valueUnder({ sums: [sum] }: CompiledCharge, amounts: readonly number[], situation: Situation): number {
  const share = sum?.percentageCharge;
  return share === undefined ? 0 : amountUnder(share, amounts, situation.shipment);
}

/** Whether the allowance (`above`) leaves out the whole amount to which a percentage applies. */
function leavesNothing(charge: CompiledCharge, amounts: readonly number[], situation: Situation): boolean {
  return valueUnder(charge, amounts, situation) <= charge.above;
}
