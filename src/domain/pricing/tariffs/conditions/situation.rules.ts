import type { Shipment } from '../shipment-terms.rules.ts';

/** The input of conditions and prices: the shipment, and its zone, origin and weight on a version. */
export interface Situation {
  readonly shipment: Shipment;
  /** By index, or `NO_ZONE`. */
  readonly zone: number;
  /** By index; −1 for none. */
  readonly origin: number;
  readonly chargeableGrams: number;
}

/** The zone of a destination that no zone has. Not −1, which conditions have for a zone that they do not know. */
export const NO_ZONE = -2;
