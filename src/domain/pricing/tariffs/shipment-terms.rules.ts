import type { RecipientType } from '../../common/places/recipient.rules.ts';
import type { Destination } from './areas/area.rules.ts';

/** The input of the engine: a shipment, and what prices depend on. */

/** How cash on delivery is paid; the first if none is stated. */
export const COD_PAYMENTS = ['cash', 'bank_cheque', 'personal_cheque', 'card'] as const;
export type CodPayment = (typeof COD_PAYMENTS)[number];

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
