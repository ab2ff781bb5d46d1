import type { Destinations } from '../pricing/quotes/price/shipment.rules.ts';
import type { Shipment } from '../pricing/tariffs/shipment-terms.rules.ts';

/** Past shipments, ready to be priced, or with the reason why they cannot be. */

/** The kinds of numbers that find a shipment. */
export type NumberKind = 'tracking_number' | 'label' | 'parcel_id' | 'reference' | 'order_number';

/** The data that a shipment lacks for any price. */
export type MissingForPrice =
  | 'warehouse_missing'
  | 'recipient_not_quotable'
  | 'parcels_not_quotable'
  | 'weight_missing'
  | 'volume_missing'
  | 'amount_not_quotable';

/** The source of weights and sizes. */
export type MeasuredBy = 'quote' | 'order_parcels' | 'shipment_totals' | 'default_parcel';

interface Known {
  readonly id: number;
  readonly carrierConnectionId: number;
  readonly trackingNumber: string;
  readonly statusCode: string;
  readonly orderNumber: string | null;
}

/** A shipment for the engine. Its day is the day of its departure, in Italy. */
export interface Shipped extends Known {
  readonly shipment: Shipment;
  /** Several if the CAP lies in several provinces and none is named. */
  readonly destinations: Destinations;
  readonly measuredBy: MeasuredBy;
}

export interface NotPriceable extends Known {
  readonly missing: MissingForPrice;
  /** The reason for people. */
  readonly detail: string;
}

export function isPriceable(one: Shipped | NotPriceable): one is Shipped {
  return 'shipment' in one;
}
