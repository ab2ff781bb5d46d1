import type { Issue } from '../../platform/fault.ts';
import { parcelCountIssues } from '../orders/orders.rules.ts';
import { capCanBelong, provinceCode, provincesOfCap } from '../places/italy.rules.ts';
import { countryOfPlace } from '../places/places.rules.ts';
import { type Destination, destinationsAt } from '../tariffs/area.rules.ts';
import { COD_PAYMENTS } from '../tariffs/condition.format.rules.ts';
import { DECIMALS, MAX_GRAMS, MAX_VOLUME_CM3, scaled } from '../tariffs/units.rules.ts';
import type { Origin, ParcelKind, Shipment } from './quote-terms.rules.ts';

/** What parcels and a destination mean to the engine: whole grams and cubic centimetres, and the places of the destination. */

type Path = Issue['path'];

/** Something worth knowing that is no reason to reject the input. */
export interface Notice {
  readonly code: 'unknown_province' | 'carrier_connection_not_found';
  readonly path: Path;
  readonly message: string;
}

/** A kind of parcel: kilograms and centimetres as exact decimals, each, and how many of it. */
export interface QuoteParcel {
  readonly weight: string;
  readonly length: string;
  readonly width: string;
  readonly height: string;
  readonly quantity: number;
}

/** Where a shipment goes; `country` is ISO 3166-1 alpha-2, in upper case. */
export interface QuoteDestination {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly province?: string | null | undefined;
}

/** The parcels of a shipment, added up. */
export type Load = Pick<
  Shipment,
  'parcels' | 'parcelCount' | 'grams' | 'volumeCm3' | 'heaviestGrams' | 'longestSide' | 'sumOfSides'
>;

/** What quotes have of a shipment, beside where it goes and what it is. */
export type Terms = Pick<Shipment, 'codPayment' | 'monthlyShipments' | 'storageDays' | 'waitingMinutes'>;

/** Where nothing is said. */
export const PLAIN_TERMS: Terms = {
  codPayment: COD_PAYMENTS[0],
  monthlyShipments: 0,
  storageDays: 0,
  waitingMinutes: 0,
};

/** A warehouse, as it was written. */
interface WarehousePlace {
  readonly country: string;
  readonly postalCode: string;
  readonly city: string;
  readonly state: string;
}

/** Where a shipment from a warehouse leaves from. */
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

/** EUR as cents. */
export function centsOf(amount: string | null | undefined): number | undefined {
  return amount == null ? undefined : scaled(amount, DECIMALS.money);
}

/** What a shipment is priced for: usually one, and several where it is not certain which province the place is in. */
export type Destinations = readonly [Destination, ...Destination[]];

type DestinationFields = Partial<QuoteDestination>;

/** Whether a CAP can belong to the province that is named with it. */
export function provinceIssues({ country, postalCode = '', province }: DestinationFields): readonly Issue[] {
  const code = country === undefined ? undefined : knownProvince({ country, postalCode, province });
  if (code === undefined || !/^\d{5}$/.test(postalCode) || capCanBelong(postalCode, code)) return [];
  const others = provincesOfCap(postalCode).join(' or ');
  const message = `must belong to the province ${code}${others ? `; it belongs to ${others}` : ''}`;
  return [{ path: ['postalCode'], code: 'postal_code_not_in_province', message }];
}

/** A destination with the places that tariffs know it by. */
export function destinationsOf(place: QuoteDestination): Destinations {
  const { country, postalCode, city } = place;
  return destinationsAt({ countryCode: country, postalCode, city, province: knownProvince(place) });
}

/** The Italian province that is given, if it is known. */
function knownProvince({ country, postalCode, province }: Omit<QuoteDestination, 'city'>): string | undefined {
  return province != null && countryOfPlace(country, postalCode) === 'IT' ? provinceCode(province) : undefined;
}

/** A province that is not known is no reason to reject a destination. */
export function destinationNotices(path: Path, place: QuoteDestination): readonly Notice[] {
  const { country, postalCode, province } = place;
  if (province == null || countryOfPlace(country, postalCode) !== 'IT' || provinceCode(province) !== undefined)
    return [];
  const message = `${province} is no Italian province known here; the postal code decides.`;
  return [{ code: 'unknown_province', path: [...path, 'province'], message }];
}

/** Whether all parcels together are within what is priced. */
export function totalIssues(path: Path, parcels: readonly QuoteParcel[]): readonly Issue[] {
  const { grams, volumeCm3 } = loadOf(parcels);
  const issues = [...parcelCountIssues(path, parcels)];
  const add = (message: string) => issues.push({ path, code: 'out_of_range', message });
  if (grams > MAX_GRAMS) add(`must weigh at most ${MAX_GRAMS / 1000} kg together`);
  if (volumeCm3 > MAX_VOLUME_CM3) add(`must have at most ${MAX_VOLUME_CM3} cm³ together`);
  return issues;
}

/** Parcels added up, from decimals that their schema has read. */
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
  for (const { weight, length, width, height, quantity } of inputs) {
    const grams = scaled(weight, DECIMALS.kg) ?? 0;
    const sides = [length, width, height].map(side => scaled(side, DECIMALS.cm) ?? 0);
    const [along = 0, across = 0, up = 0] = sides;
    // A begun cubic centimetre counts whole, as does a square one.
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
      floorCm2,
      pallet: undefined,
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

/** The totals of equal parcels, whose sides are not known. */
export function loadOfEqual(grams: number, volumeCm3: number, count: number): Load {
  const sides = { longestSide: 0, secondSide: 0, sumOfSides: 0, floorCm2: 0 };
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
