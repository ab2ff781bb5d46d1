import type { Shipment } from '../../quotes/quote-terms.rules.ts';

/** What a condition or a price looks at: the shipment, and what was found of it on a version. */
export interface Situation {
  readonly shipment: Shipment;
  /** By index. */
  readonly zone: number;
  /** By index; −1 for none. */
  readonly origin: number;
  readonly chargeableGrams: number;
}
