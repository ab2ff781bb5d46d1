import type { SavedPrice } from '../../saved-quotes/saved-quote.rules.ts';
import { cents, euro, percent, ppmOf, roundToCents } from '../../tariffs/units.rules.ts';
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

/** The breakdown of a stored quote. Without a stored one, it is known only if one rate gives all of the VAT. */
export function savedVatBreakdown(price: SavedPrice): readonly VatShare[] | null {
  const { vatBreakdown: kept, totalPrice, vatRate, vatAmount } = price;
  if (kept) return kept;
  if (euro(roundToCents(cents(totalPrice) * ppmOf(vatRate))) !== vatAmount) return null;
  return [{ rate: vatRate, taxable: totalPrice, amount: vatAmount }];
}
