import { type Exclusion, type Price, price, type Shipment, samePrice } from '../quotes/quote.rules.ts';
import type { Destinations } from '../quotes/shipment.rules.ts';
import type { CompiledTariff } from '../tariffs/compiled-tariff.rules.ts';

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
export type MeasuredBy = 'order_parcels' | 'shipment_totals';

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

export const AMBIGUOUS = { ok: false, code: 'AMBIGUOUS_PROVINCE' } as const;

/** A price, why the tariff does not apply, or that the province must be known. */
export type ShippedPrice = Price | Exclusion | typeof AMBIGUOUS;

/**
 * What a shipment costs on a tariff.
 *
 * @param shipment as it was, or as it is assumed to have been
 */
export function priceShipped(
  tariff: CompiledTariff,
  { destinations }: Pick<Shipped, 'destinations'>,
  shipment: Shipment,
): ShippedPrice {
  const found = price(tariff, shipment);
  if (destinations.length === 1) return found;
  const [, ...others] = destinations;
  const isSame = others.every(other => samePrice(found, price(tariff, { ...shipment, destination: other })));
  return isSame ? found : AMBIGUOUS;
}
