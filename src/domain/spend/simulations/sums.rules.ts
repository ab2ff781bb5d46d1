import { compareCost } from '../../pricing/tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../pricing/tariffs/exclusion.rules.ts';
import type { Price } from '../../pricing/tariffs/price.rules.ts';

/** Sums of prices, and counts of shipments without one. */

export interface Counted {
  shipments: number;
  netCents: number;
}

/** The cost of shipments together. */
export interface Sum extends Counted {
  grossCents: number;
}

export function increase(sum: Sum, { totalCents, grossCents }: Price): void {
  sum.shipments++;
  sum.netCents += totalCents;
  sum.grossCents += grossCents;
}

/** The number of shipments without a price, by reason. */
export type NotPriced = Record<
  string,
  { shipments: number; readonly examples: string[]; readonly detail: string | null }
>;

/** Tracking numbers that are stored for each reason. */
const EXAMPLES = 3;

export function notPricedOf(
  counts: NotPriced,
  reason: string,
  trackingNumber: string,
  detail: string | null = null,
): void {
  counts[reason] ??= { shipments: 0, examples: [], detail };
  const count = counts[reason];
  count.shipments++;
  if (count.examples.length < EXAMPLES) count.examples.push(trackingNumber);
}

/** The position of the cheapest price, in the order of quotes; −1 if there is none. */
export function cheapestOf(prices: readonly (Price | Exclusion)[]): number {
  let cheapest = -1;
  let least: Price | undefined;
  for (let i = 0; i < prices.length; i++) {
    const price = prices[i] as Price | Exclusion;
    if (!price.ok) continue;
    if (least !== undefined && compareCost(price, least) >= 0) continue;
    cheapest = i;
    least = price;
  }
  return cheapest;
}
