import type { CarrierCode } from '../../shipping/carriers/carriers.catalog.ts';

/** The stored form of a quote. Amounts are EUR before VAT unless stated otherwise, weights kilograms. */

export interface SavedLine {
  readonly code: string;
  readonly component: 'base' | 'surcharges' | 'fuel' | 'options' | 'cod' | 'insurance';
  readonly description: string;
  readonly amount: number;
  /** In English. */
  readonly calculation: string;
  /** In Italian; missing in a quote that an earlier version than 1.1 saved. */
  readonly calculationIt?: string;
}

export interface SavedPrice {
  readonly carrierCode: CarrierCode;
  readonly carrierName: string;
  readonly version: string;
  /** Missing where the tariff has no services. */
  readonly service?: { readonly code: string; readonly name: string };
  readonly zone: { readonly code: string; readonly name: string };
  readonly chargeableWeight: number;
  readonly realWeight: number;
  readonly volumetricWeight: number;
  readonly basePrice: number;
  readonly fuelPrice: number;
  readonly surchargesPrice: number;
  readonly optionsPrice: number;
  readonly codPrice: number;
  readonly insurancePrice: number;
  readonly totalPrice: number;
  readonly vatRate: number;
  readonly vatAmount: number;
  readonly vatBreakdown: readonly { readonly rate: number; readonly taxable: number; readonly amount: number }[];
  readonly totalPriceWithVat: number;
  readonly lines: readonly SavedLine[];
}

/** The destination of a shipment, without the recipient. */
export function placeOf({ country, postalCode, city, province }: SavedShipment['destination']) {
  return { country, postalCode, city, ...(province != null && { province }) };
}

/** The priced shipment, from which it can be priced again: in the engine's units, with the destination as written. */
export interface SavedShipment {
  readonly warehouseId: number;
  readonly destination: {
    readonly country: string;
    readonly postalCode: string;
    readonly city: string;
    readonly province?: string | null | undefined;
  };
  /** The engine's shipment without its places. */
  readonly load: object;
}
