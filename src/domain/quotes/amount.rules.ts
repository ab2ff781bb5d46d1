import type { CompiledCharge, CompiledLine, CompiledSum } from '../tariffs/compile.rules.ts';
import { roundToCents } from '../tariffs/units.rules.ts';
import type { Shipment } from './quote.rules.ts';

// What a line of a tariff amounts to for a shipment.

/** A line's amount, rounded half up to the cent by itself. */
export function amountOf(
  { component, charge, rates, allowance }: CompiledLine,
  amounts: readonly number[],
  shipment: Shipment,
  chargeableGrams: number,
): number {
  const { parcelCount, codCents, insuredCents, date } = shipment;
  switch (component) {
    case 'cod':
      return bounded(charge, (charge.sums[0]?.fixed ?? 0) + codCents * (charge.sums[0]?.ppm ?? 0));
    case 'insurance': {
      const value = insuredCents - allowance;
      return value <= 0 ? 0 : bounded(charge, value * (charge.sums[0]?.ppm ?? 0));
    }
    case 'fuel': {
      const ppm = rateOn(rates, date)?.ppm ?? 0;
      return bounded(charge, ppm * addUp(charge.sums[0]?.of ?? [], amounts));
    }
    default: {
      let greatest = 0;
      for (const sum of charge.sums) greatest = Math.max(greatest, sumOf(sum, amounts, parcelCount, chargeableGrams));
      return bounded(charge, greatest);
    }
  }
}

/** The rate of a line in force on a day. */
export function rateOn(rates: CompiledLine['rates'], date: string): CompiledLine['rates'][number] | undefined {
  return rates.findLast(({ from }) => from <= date);
}

function bounded({ minimum, maximum }: CompiledCharge, microCents: number): number {
  return roundToCents(Math.min(Math.max(microCents, minimum), maximum));
}

function sumOf(sum: CompiledSum, amounts: readonly number[], parcelCount: number, chargeableGrams: number): number {
  return (
    sum.fixed +
    sum.perGram * chargeableGrams +
    sum.perParcel * parcelCount +
    (sum.ppm === 0 ? 0 : sum.ppm * addUp(sum.of, amounts))
  );
}

/** The sum of lines in cents; one that is not charged counts nothing. */
export function addUp(positions: readonly number[], amounts: readonly number[]): number {
  let cents = 0;
  for (const position of positions) {
    const amount = amounts[position] as number;
    if (amount > 0) cents += amount;
  }
  return cents;
}
