import type { Shipment } from '../../quotes/quote-terms.rules.ts';

/** The input of conditions and prices: the shipment, and its zone, origin and weight on a version. */
export interface Situation {
  readonly shipment: Shipment;
  /** By index. */
  readonly zone: number;
  /** By index; −1 for none. */
  readonly origin: number;
  readonly chargeableGrams: number;
}
