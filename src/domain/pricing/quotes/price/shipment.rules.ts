import type { Issue } from '../../../../platform/fault.ts';
import { capCanBelong, provinceCode, provincesOfCap } from '../../../common/places/italy.rules.ts';
import { countryOfPlace } from '../../../common/places/places.rules.ts';
import { type ParcelPallet, parcelCountIssues } from '../../../shipping/orders/orders.rules.ts';
import { type Destination, destinationsAt } from '../../tariffs/areas/area.rules.ts';
import type { Language } from '../../tariffs/explanation-words.rules.ts';
import {
  amountFields,
  COD_PAYMENTS,
  type Origin,
  type ParcelKind,
  type Shipment,
  type StatedCents,
} from '../../tariffs/shipment-terms.rules.ts';
import { DECIMALS, MAX_GRAMS, MAX_VOLUME_CM3, scaled } from '../../tariffs/units.rules.ts';

/** Converts parcels and destinations for the engine: whole grams, cubic centimetres, and the destination's places. */

type Path = Issue['path'];

/** A remark on an input, or on a tariff that is tried, which is still accepted. */
export interface Notice {
  readonly code: 'unknown_province' | 'carrier_connection_not_found' | 'unknown_list' | 'unknown_index';
  readonly path: Path;
  readonly message: Readonly<Record<Language, string>>;
}

/** A kind of parcel: kilograms and centimetres as exact decimals, each, and a quantity. */
interface QuoteParcel {
  readonly weight: string;
  readonly length: string;
  readonly width: string;
  readonly height: string;
  readonly quantity: number;
  /** Only parcels of orders say it themselves. */
  readonly pallet?: ParcelPallet | undefined;
}

/** The destination of a shipment; `country` is ISO 3166-1 alpha-2, in upper case. */
export interface QuoteDestination {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province?: string | null | undefined;
}

/** The sums of a shipment's parcels. */
export type Load = Pick<
  Shipment,
  'parcels' | 'parcelCount' | 'grams' | 'volumeCm3' | 'heaviestGrams' | 'longestSide' | 'sumOfSides'
>;

/** The terms of a shipment in quotes, beside its destination and parcels. */
export type Terms = Pick<
  Shipment,
  | 'service'
  | 'codPayment'
  | keyof StatedCents<undefined>
  | 'monthlyShipments'
  | 'recipientType'
  | 'storageDays'
  | 'waitingMinutes'
>;

export const PLAIN_TERMS: Terms = {
  service: undefined,
  codPayment: COD_PAYMENTS[0],
  ...amountFields(() => undefined),
  monthlyShipments: 0,
  recipientType: undefined,
  storageDays: 0,
  waitingMinutes: 0,
};

/** The address of a warehouse, as it was written. */
interface WarehousePlace {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly state: string;
}

export function originAt(warehouseId: number, place: WarehousePlace): Origin {
  return new WarehouseOrigin(warehouseId, place);
}

class WarehouseOrigin implements Origin {
  readonly warehouseId: number;
  readonly country: string;
  readonly #written: WarehousePlace;
  #place: Destination | undefined;

  constructor(warehouseId: number, written: WarehousePlace) {
    this.warehouseId = warehouseId;
    this.country = countryOfPlace(written.country, written.postalCode);
    this.#written = written;
  }

  get place(): Destination {
    const { state, ...written } = this.#written;
    this.#place ??= destinationsOf({ ...written, province: state })[0];
    return this.#place;
  }
}

export function centsOf(amount: string | null | undefined): number | undefined {
  return amount == null ? undefined : scaled(amount, DECIMALS.money);
}

/** The destinations to price: usually one, and several if the province is uncertain. */
export type Destinations = readonly [Destination, ...Destination[]];

type DestinationFields = Partial<QuoteDestination>;

/** Checks that a CAP can belong to its province. */
export function provinceIssues({ country, postalCode = '', province }: DestinationFields): readonly Issue[] {
  const code = country === undefined ? undefined : knownProvince({ country, postalCode, province });
  if (code === undefined || !/^\d{5}$/.test(postalCode) || capCanBelong(postalCode, code)) return [];
  const others = provincesOfCap(postalCode).join(' or ');
  const message = `must belong to the province ${code}${others ? `; it belongs to ${others}` : ''}`;
  return [{ path: ['postalCode'], code: 'postal_code_not_in_province', message }];
}

/** A province in Italy that is not known, where it must be. */
export function unknownProvinceIssues(path: Path, place: DestinationFields): readonly Issue[] {
  const { country = '', postalCode = '', province } = place;
  if (!isUnknownProvince({ country, postalCode, province })) return [];
  const message = 'must be an Italian province, by its abbreviation or name, such as PA or Palermo';
  return [{ path: [...path, 'province'], code: 'unknown_province', message }];
}

function isUnknownProvince({ country, postalCode, province }: Omit<QuoteDestination, 'city'>): boolean {
  return province != null && countryOfPlace(country, postalCode) === 'IT' && provinceCode(province) === undefined;
}

/** A destination with its places in tariffs. */
export function destinationsOf(place: QuoteDestination): Destinations {
  const { country, postalCode, city } = place;
  return destinationsAt({ countryCode: country, postalCode, city, province: knownProvince(place) });
}

/** The given Italian province, if it is known. */
function knownProvince({ country, postalCode, province }: Omit<QuoteDestination, 'city'>): string | undefined {
  return province != null && countryOfPlace(country, postalCode) === 'IT' ? provinceCode(province) : undefined;
}

/** A destination with an unknown province is still accepted in the graph, which has notices. */
export function destinationNotices(path: Path, place: QuoteDestination): readonly Notice[] {
  if (!isUnknownProvince(place)) return [];
  const { province } = place;
  const message = {
    it: `${province} non è una provincia italiana nota: decide il CAP.`,
    en: `${province} is not an Italian province known here; the postal code decides.`,
  };
  return [{ code: 'unknown_province', path: [...path, 'province'], message }];
}

/** Checks that all parcels together are within the bounds of pricing. */
export function totalIssues(path: Path, parcels: readonly QuoteParcel[]): readonly Issue[] {
  const { grams, volumeCm3 } = loadOf(parcels);
  const issues = [...parcelCountIssues(path, parcels)];
  const add = (message: string) => issues.push({ path, code: 'out_of_range', message });
  if (grams > MAX_GRAMS) add(`must weigh at most ${MAX_GRAMS / 1000} kg together`);
  if (volumeCm3 > MAX_VOLUME_CM3) add(`must have at most ${MAX_VOLUME_CM3} cm³ together`);
  return issues;
}

/** Adds up parcels, from decimals that their schema has read. */
export function loadOf(inputs: readonly QuoteParcel[]): Load {
  const load = {
    parcels: [] as ParcelKind[],
    parcelCount: 0,
    grams: 0,
    volumeCm3: 0,
    heaviestGrams: 0,
    longestSide: 0,
    sumOfSides: 0,
  };
  for (const { weight, length, width, height, quantity, pallet } of inputs) {
    const grams = scaled(weight, DECIMALS.kg) ?? 0;
    const sides = [length, width, height].map(side => scaled(side, DECIMALS.cm) ?? 0);
    const [along = 0, across = 0, up = 0] = sides;
    // A started cubic centimetre counts as a whole, and so does a square one.
    const volumeCm3 = Math.ceil((along * across * up) / 1_000_000);
    const floorCm2 = Math.ceil((along * across) / 10_000);
    const longestSide = Math.max(along, across, up);
    const sumOfSides = along + across + up;
    const secondSide = sumOfSides - longestSide - Math.min(along, across, up);
    load.parcels.push({
      grams,
      volumeCm3,
      share: 1,
      quantity,
      longestSide,
      secondSide,
      sumOfSides,
      height: up,
      floorCm2,
      pallet: pallet && { type: pallet.type ?? '', isStackable: pallet.isStackable },
    });
    load.parcelCount += quantity;
    load.grams += grams * quantity;
    load.volumeCm3 += volumeCm3 * quantity;
    load.heaviestGrams = Math.max(load.heaviestGrams, grams);
    load.longestSide = Math.max(load.longestSide, longestSide);
    load.sumOfSides = Math.max(load.sumOfSides, sumOfSides);
  }
  return load;
}

/** The totals of equal parcels with unknown sides. */
export function loadOfEqual(grams: number, volumeCm3: number, count: number): Load {
  const sides = { longestSide: 0, secondSide: 0, sumOfSides: 0, height: 0, floorCm2: 0 };
  return {
    parcels: [{ grams, volumeCm3, share: count, quantity: count, ...sides, pallet: undefined }],
    parcelCount: count,
    grams,
    volumeCm3,
    heaviestGrams: Math.ceil(grams / count),
    longestSide: 0,
    sumOfSides: 0,
  };
}
