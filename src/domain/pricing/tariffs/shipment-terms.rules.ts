import type { RecipientType } from '../../common/places/recipient.rules.ts';
import type { Destination } from './areas/area.rules.ts';

/** The input of the engine: a shipment, and what prices depend on. */

/** How cash on delivery is paid; the first if none is stated. */
export const COD_PAYMENTS = ['cash', 'bank_cheque', 'personal_cheque', 'card'] as const;
export type CodPayment = (typeof COD_PAYMENTS)[number];

/**
 * Amounts that prices may depend on and that shipments may lack, by their names in quotes, tariffs and invoices: the field
 * of a shipment in cents, and their words.
 */
const STATED_AMOUNTS = {
  goodsValue: {
    field: 'goodsCents',
    measure: 'EUR that the goods are worth, as the quote or its order states it; 0 where neither does.',
    en: 'the value of the goods',
    it: 'valore della merce',
  },
  dutiesAmount: {
    field: 'dutiesCents',
    measure: 'EUR of duties and taxes that the carrier advances, as the quote states it; 0 where it does not.',
    en: 'the duties advanced',
    it: 'dazi anticipati',
  },
} as const;
export type StatedAmount = keyof typeof STATED_AMOUNTS;
type Amount = (typeof STATED_AMOUNTS)[StatedAmount];
type AmountFields<Value> = { readonly [Field in Amount['field']]: Value };

/** The stated amounts in cents, with what stands for an amount that is not stated. */
export type StatedCents<None> = AmountFields<number | None>;

/** Something for each stated amount, by its name. */
export function forAmounts<Value>(of: (amount: Amount, name: StatedAmount) => Value): Record<StatedAmount, Value> {
  const names = Object.keys(STATED_AMOUNTS) as StatedAmount[];
  return Object.fromEntries(names.map(name => [name, of(STATED_AMOUNTS[name], name)])) as Record<StatedAmount, Value>;
}

/** Something for each stated amount, by its field of a shipment. */
export function amountFields<Value>(of: (amount: Amount, name: StatedAmount) => Value): AmountFields<Value> {
  const fields = forAmounts((amount, name) => [amount.field, of(amount, name)] as const);
  return Object.fromEntries(Object.values(fields)) as AmountFields<Value>;
}

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

/** A checked shipment, in the units of `units.rules.ts`. An amount that is not stated is undefined, and priced as 0. */
export interface Shipment extends StatedCents<undefined> {
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
