import { euro, percent } from '../units.rules.ts';
import type { VatOfRate } from './quote.rules.ts';

/** The VAT of a price by rate, in percent and EUR. The amounts add up to the VAT, and the taxable sums to the price. */
export interface VatShare {
  readonly rate: number;
  readonly taxable: number;
  readonly amount: number;
}

export function vatBreakdown(rates: readonly VatOfRate[]): readonly VatShare[] {
  return rates.map(({ ppm, net, vat }) => ({ rate: percent(ppm), taxable: euro(net), amount: euro(vat) }));
}
