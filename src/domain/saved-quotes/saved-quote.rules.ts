import type { CarrierCode } from '../carriers/carriers.catalog.ts';

/** What is kept of a quote. Amounts are EUR before VAT where nothing else is said, weights kilograms. */

/** A line of the price. */
export interface SavedLine {
  readonly code: string;
  readonly component: 'base' | 'surcharges' | 'fuel' | 'options' | 'cod' | 'insurance';
  readonly description: string;
  readonly amount: number;
  readonly calculation: string;
}

export interface SavedPrice {
  readonly carrierCode: CarrierCode;
  readonly carrierName: string;
  /** Label of the version. */
  readonly version: string;
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
  /** Missing in quotes that were kept before it was kept with them. */
  readonly vatBreakdown?: readonly { readonly rate: number; readonly taxable: number; readonly amount: number }[];
  readonly totalPriceWithVat: number;
  readonly lines: readonly SavedLine[];
}

/** Where a shipment went, without whom it went to. */
export function placeOf({ country, postalCode, city, province }: SavedShipment['destination']) {
  return { country, postalCode, city, ...(province != null && { province }) };
}

/** What was priced, with which it can be priced again: the engine's units, and the destination as it was written. */
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
