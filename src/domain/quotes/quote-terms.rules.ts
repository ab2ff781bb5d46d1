import type { RecipientType } from '../places/recipient.rules.ts';
import type { AreaTable, Destination } from '../tariffs/areas/area.rules.ts';
import type { BasePrice } from '../tariffs/bands/base-price.rules.ts';
import type { CompiledVersion, CompiledZone } from '../tariffs/compile/compiled-tariff.rules.ts';
import type { Component } from '../tariffs/compile/tariff-lines.rules.ts';
import type { CodPayment } from '../tariffs/conditions/payments-condition.rules.ts';

/** The input and output of the engine: a shipment, and its price by a tariff. */

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
  /** The side that stands up; 0 if only totals are known. */
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
  /**
   * The value of the goods, and the duties that the carrier advances. Undefined if it is not stated, which is priced as
   * 0.
   */
  readonly goodsCents: number | undefined;
  readonly dutiesCents: number | undefined;
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
