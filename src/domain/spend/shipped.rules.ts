import type { Shipment } from '../quotes/quote-terms.rules.ts';
import type { Destinations } from '../quotes/shipment.rules.ts';

/** Shipments as they were made, ready to be priced, or with the reason why they can't be. */

/** Which numbers find a shipment. */
export type NumberKind = 'tracking_number' | 'label' | 'parcel_id' | 'reference' | 'order_number';

/** What a shipment lacks to be priced on any tariff. */
export type MissingForPrice =
  | 'warehouse_missing'
  | 'recipient_not_quotable'
  | 'parcels_not_quotable'
  | 'weight_missing'
  | 'volume_missing'
  | 'amount_not_quotable';

/** Where weights and sizes come from. */
export type MeasuredBy = 'quote' | 'order_parcels' | 'shipment_totals';

interface Known {
  readonly id: number;
  readonly carrierCompanyId: number;
  readonly trackingNumber: string;
  readonly statusCode: string;
  readonly orderNumber: string | null;
}

/** What the engine prices. Its day is that on which it left, in Italy. */
export interface Shipped extends Known {
  readonly shipment: Shipment;
  /** Several where the CAP lies in several provinces and none is named. */
  readonly destinations: Destinations;
  readonly measuredBy: MeasuredBy;
}

export interface NotPriceable extends Known {
  readonly missing: MissingForPrice;
  /** What is wrong with it, for people. */
  readonly detail: string;
}

export function isPriceable(one: Shipped | NotPriceable): one is Shipped {
  return 'shipment' in one;
}
