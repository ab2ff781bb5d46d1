import type { RecipientType } from '../places/recipient.rules.ts';
import type { AreaTable, Destination } from '../tariffs/areas/area.rules.ts';
import type { CompiledVersion, CompiledZone } from '../tariffs/compile/compiled-tariff.rules.ts';
import type { Component } from '../tariffs/compile/tariff-lines.rules.ts';
import type { CodPayment } from '../tariffs/conditions/payments-condition.rules.ts';

/** The input and output of the engine: a shipment, and its price by a tariff or the reason why there is none. */

export interface Pallet {
  /** Empty where nobody said. */
  readonly type: string;
  readonly isStackable: boolean;
}

/** Parcels of one kind. Each weighs `grams / share`, so that totals represent `quantity` equal parcels exactly. */
export interface ParcelKind {
  readonly grams: number;
  readonly volumeCm3: number;
  readonly share: number;
  readonly quantity: number;
  /** Hundredths of a cm; 0 if only totals are known. */
  readonly longestSide: number;
  readonly secondSide: number;
  readonly sumOfSides: number;
  /** The side that stands up; 0 if only totals are known. A shipment of a quote of an earlier version does not have it. */
  readonly height: number;
  /** Length by width, in whole cm². */
  readonly floorCm2: number;
  readonly pallet: Pallet | undefined;
}

export interface Origin {
  readonly warehouseId: number;
  readonly country: string;
  /** Made on demand, because few tariffs depend on it. */
  readonly place: Destination;
}

/** A checked shipment, in the units of `units.rules.ts`. */
export interface Shipment {
  readonly origin: Origin;
  readonly destination: Destination;
  readonly parcels: readonly ParcelKind[];
  readonly parcelCount: number;
  readonly grams: number;
  readonly volumeCm3: number;
  /** Real weight of the heaviest parcel, whole grams. */
  readonly heaviestGrams: number;
  /** Greatest of any parcel, hundredths of a cm; 0 if only totals are known. */
  readonly longestSide: number;
  readonly sumOfSides: number;
  /** 0 for none. */
  readonly codCents: number;
  readonly codPayment: CodPayment;
  readonly insuredCents: number;
  /** The value of the goods, and the duties that the carrier advances; 0 where nobody said. */
  readonly goodsCents: number;
  readonly dutiesCents: number;
  /** Codes without duplicates. */
  readonly options: readonly string[];
  /** Code of the service; undefined for the cheapest that fits. */
  readonly service: string | undefined;
  /** `YYYY-MM-DD`, in Italy. */
  readonly date: string;
  /** Shipments of the month, as the caller states them; 0 if they are unknown. */
  readonly monthlyShipments: number;
  /** Undefined where nobody said. */
  readonly recipientType: RecipientType | undefined;
  /** After the shipment: days in storage and minutes of waiting. 0 in a quote. */
  readonly storageDays: number;
  readonly waitingMinutes: number;
}

/** Pallets that are priced by their number: by the position of their prices in the zone. */
export interface PricedPallets {
  readonly position: number;
  readonly count: number;
  readonly cents: number;
}

/** Parcels that bands price one by one: some of one weight. */
export interface PricedParcels {
  readonly count: number;
  readonly grams: number;
  readonly band: number;
  readonly steps: number;
  /** Price of each, without a discount. */
  readonly cents: number;
}

/** The price by weight in a zone, or by the number of pallets. */
export interface BasePrice {
  readonly ok: true;
  readonly cents: number;
  /**
   * Index into the zone's bands: the one it falls in, or the last where `steps` go beyond it. −1 for none. Where bands price
   * each parcel, these are of the dearest.
   */
  readonly band: number;
  readonly steps: number;
  /** The weight for which bands are used: less than the chargeable weight if pallets are priced by their number. */
  readonly grams: number;
  readonly pallets: readonly PricedPallets[];
  /** The dearest first; none where bands price the weight of the shipment. */
  readonly parcels: readonly PricedParcels[];
}

/** A shipment's price on a tariff, in whole cents and grams, with everything that led to it. */
export interface Price {
  readonly ok: true;
  readonly version: CompiledVersion;
  readonly zone: CompiledZone;
  /** The table whose rule chose the zone. */
  readonly zoneTable: AreaTable;
  readonly zoneRule: number;
  /** Index of the origin; −1 for none. */
  readonly origin: number;
  readonly realGrams: number;
  readonly volumetricGrams: number;
  readonly chargeableGrams: number;
  readonly base: BasePrice;
  /** By position in `version.lines`; `NOT_CHARGED` for a line that does not apply. */
  readonly amounts: readonly number[];
  readonly components: Readonly<Record<Component, number>>;
  readonly totalCents: number;
  /** The reduction of discounts that keeps the total from falling below zero. */
  readonly cutCents: number;
  readonly vatPpm: number;
  /** Position in `version.vatTable`. */
  readonly vatRule: number;
  readonly vatCents: number;
  readonly grossCents: number;
}

export type ExclusionCode =
  | 'DESTINATION_NOT_SERVED'
  | 'WEIGHT_OUT_OF_RANGE'
  | 'DIMENSIONS_OUT_OF_RANGE'
  | 'COD_NOT_SUPPORTED'
  | 'INSURANCE_NOT_SUPPORTED'
  | 'OPTION_NOT_SUPPORTED'
  | 'PROVINCE_NEEDED'
  | 'NO_TARIFF_IN_FORCE';

/** Why a tariff does not apply: the rule, and the sentence for people, in Italian. */
export interface Exclusion {
  readonly ok: false;
  readonly code: ExclusionCode;
  /** Path of the rule in the tariff. */
  readonly rule: readonly (string | number)[];
  readonly version: CompiledVersion | undefined;
  readonly reason: ExclusionReason;
}

export const NO_TARIFF: Exclusion = {
  ok: false,
  code: 'NO_TARIFF_IN_FORCE',
  rule: [],
  version: undefined,
  reason: { is: 'no_tariff' },
};

/** The reasons of exclusions; `exclusion.rules.ts` makes sentences of them. */
export type ExclusionReason =
  | { readonly is: 'no_tariff' | 'not_in_force' | 'no_zone' | 'too_dear' | 'no_cod' | 'no_insurance' }
  | { readonly is: 'only_pallets' }
  | { readonly is: 'cod_not_offered' | 'insurance_not_offered' }
  | { readonly is: 'origin'; readonly country: string }
  | { readonly is: 'not_served'; readonly why: string }
  | { readonly is: 'province'; readonly postalCode: string; readonly provinces: readonly string[] }
  | { readonly is: 'parcel_weight' | 'shipment_weight' | 'last_band'; readonly grams: number; readonly limit: number }
  | { readonly is: 'longest_side' | 'sum_of_sides' | 'girth'; readonly side: number; readonly limit: number }
  | { readonly is: 'parcel_count' | 'pallet_count'; readonly count: number; readonly limit: number }
  | { readonly is: 'cod_amount' | 'insured_value'; readonly cents: number; readonly limit: number }
  | { readonly is: 'unknown_option'; readonly option: string; readonly offered: readonly string[] }
  | { readonly is: 'option_not_offered'; readonly option: string }
  | { readonly is: 'unknown_service'; readonly service: string; readonly offered: readonly string[] }
  | { readonly is: 'service_not_offered'; readonly service: string };

/** An exclusion with the rule's path in the document. */
export function excluded(
  version: CompiledVersion | undefined,
  code: ExclusionCode,
  rule: readonly (string | number)[],
  reason: ExclusionReason,
): Exclusion {
  return {
    ok: false,
    code,
    version,
    rule: version === undefined ? rule : ['versions', version.index, ...rule],
    reason,
  };
}
