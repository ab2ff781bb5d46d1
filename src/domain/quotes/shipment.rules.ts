import { Checks } from '../checks.rules.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS } from '../orders/orders.rules.ts';
import { capCanBelong, provinceCode, provincesOfCap } from '../places/italy.rules.ts';
import { checkCountry, checkPostalCode } from '../places/recipient.rules.ts';
import { type Destination, destinationAt } from '../tariffs/area.rules.ts';
import { DECIMALS, decimalNumber, MAX_GRAMS, MAX_VALUE_CENTS, MAX_VOLUME_CM3, scaled } from '../tariffs/units.rules.ts';
import type { ParcelKind, Shipment } from './quote.rules.ts';

type Path = readonly (string | number)[];

interface DestinationInput {
  country?: string | null;
  postalCode: string;
  city: string;
  province?: string | null;
  address?: string | null;
  companyName?: string | null;
}

export interface QuoteParcelInput {
  weight: string;
  length: string;
  width: string;
  height: string;
  quantity?: number | null;
}

/** What is to be quoted: an order, or a warehouse, a destination and parcels or totals. Decimals are texts or numbers. */
export interface QuoteInput {
  orderId?: number | null;
  warehouseId?: number | null;
  destination?: DestinationInput | null;
  totalWeight?: string | null;
  totalVolume?: string | null;
  parcelNumber?: number | null;
  parcels?: QuoteParcelInput[] | null;
  codAmount?: string | null;
  insuranceAmount?: string | null;
  options?: string[] | null;
  carrierCompanyIds?: number[] | null;
  shipmentDate?: string | null;
}

/** Something worth knowing that is no reason to refuse. */
export interface Notice {
  readonly code: 'unknown_province' | 'carrier_connection_not_found';
  readonly path: Path;
  readonly message: string;
}

/** The parcels of a shipment, added up. */
export type Load = Pick<
  Shipment,
  'parcels' | 'parcelCount' | 'grams' | 'volumeCm3' | 'heaviestGrams' | 'longestSide' | 'sumOfSides'
>;

/** What both modes have: services asked for, the carriers to ask, and the day. */
interface QuoteTerms {
  /** Undefined where not said: in mode A the order's counts. */
  readonly codCents: number | undefined;
  readonly insuredCents: number | undefined;
  readonly options: readonly string[];
  readonly carrierCompanyIds: readonly number[] | undefined;
  readonly date: string;
}

export type QuoteRequest = QuoteTerms &
  (
    | { readonly mode: 'order'; readonly orderId: number }
    | {
        readonly mode: 'manual';
        readonly warehouseId: number;
        readonly destination: Destination;
        readonly load: Load;
        readonly notices: readonly Notice[];
      }
  );

const MAX_OPTIONS = 50;
const MAX_CONNECTIONS = 250;
const MAX_SIDE = 100_000; // 1,000 cm
const MANUAL_FIELDS = ['warehouseId', 'destination', 'totalWeight', 'totalVolume', 'parcelNumber', 'parcels'] as const;

/**
 * Checks a quote's input; nothing of the database is asked.
 *
 * @param today in Italy
 * @throws Fault `validation_failed`
 */
export function checkQuote(input: QuoteInput, today: string): QuoteRequest {
  const checks = new Checks();
  const terms = checkTerms(checks, input, today);
  const manual = MANUAL_FIELDS.filter(field => input[field] != null);
  const { orderId } = input;
  if (orderId != null) {
    for (const field of manual) {
      checks.add([field], 'conflicting_modes', 'must not be given with orderId: the order supplies it');
    }
    checks.throwIfAny();
    return { mode: 'order', orderId, ...terms };
  }
  if (manual.length === 0) {
    checks.add(['orderId'], 'required', 'must be given, or else warehouseId, destination, and parcels or totals');
    checks.throwIfAny();
  }
  if (input.warehouseId == null) checks.add(['warehouseId'], 'required', 'must be given, or else orderId');
  if (input.destination == null) checks.add(['destination'], 'required', 'must be given, or else orderId');
  const notices: Notice[] = [];
  const destination = input.destination
    ? checkDestination(checks, ['destination'], input.destination, notices)
    : undefined;
  const load = checkLoad(checks, input);
  checks.throwIfAny();
  return {
    mode: 'manual',
    warehouseId: input.warehouseId as number,
    destination: destination as Destination,
    load: load as Load,
    notices,
    ...terms,
  };
}

function checkTerms(checks: Checks, input: QuoteInput, today: string): QuoteTerms {
  const { options = [], carrierCompanyIds, shipmentDate } = input;
  if ((options ?? []).length > MAX_OPTIONS) checks.add(['options'], 'too_many', `must be at most ${MAX_OPTIONS}`);
  const codes = (options ?? []).slice(0, MAX_OPTIONS).map((option, i) => checks.text(['options', i], option, 40));
  if ((carrierCompanyIds ?? []).length > MAX_CONNECTIONS) {
    checks.add(['carrierCompanyIds'], 'too_many', `must be at most ${MAX_CONNECTIONS}`);
  }
  if (carrierCompanyIds?.length === 0) checks.add(['carrierCompanyIds'], 'empty', 'must name at least one connection');
  return {
    codCents: checkMoney(checks, ['codAmount'], input.codAmount),
    insuredCents: checkMoney(checks, ['insuranceAmount'], input.insuranceAmount),
    options: [...new Set(codes)].toSorted(),
    carrierCompanyIds: carrierCompanyIds ?? undefined,
    date: shipmentDate == null ? today : checkDate(checks, ['shipmentDate'], shipmentDate),
  };
}

/** An amount in EUR, or nothing. */
export function checkMoney(checks: Checks, path: Path, value: string | null | undefined): number | undefined {
  if (value == null) return undefined;
  return amount(checks, path, value, { decimals: DECIMALS.money, from: 0, to: MAX_VALUE_CENTS });
}

function amount(
  checks: Checks,
  path: Path,
  value: string,
  { decimals, from, to }: { decimals: number; from: 0 | 1; to: number },
): number {
  const given = String(value).trim();
  const count = scaled(given, decimals);
  if (count !== undefined && count >= from && count <= to) return count;
  const allowed = `must be ${from === 0 ? 'from 0' : 'above 0'} and at most ${decimalNumber(to, decimals)}, with at most ${decimals} decimals`;
  const isNumber = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(given);
  checks.add(path, isNumber ? 'out_of_range' : 'invalid_decimal', allowed);
  return from;
}

/** A calendar day, or a moment, which is on the day it has in Italy. */
function checkDate(checks: Checks, path: Path, value: string): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(value.trim());
  const issuesBefore = checks.issues.length;
  const at = checks.dateTime(path, isDay ? `${value.trim()}T12:00:00Z` : value);
  return at === null || checks.issues.length > issuesBefore ? '' : dayInItaly(at);
}

let italianDay: Intl.DateTimeFormat | undefined; // making it takes milliseconds

/** The calendar day that a moment has in Italy, `YYYY-MM-DD`. */
export function dayInItaly(at: Date): string {
  italianDay ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' });
  return italianDay.format(at);
}

/** A destination; a CAP that can't belong to its province is refused, and a province that is not known is noted. */
export function checkDestination(checks: Checks, path: Path, input: DestinationInput, notices: Notice[]): Destination {
  const countryCode = checkCountry(checks, [...path, 'country'], input.country ?? 'IT');
  const postalCode = checks.text([...path, 'postalCode'], input.postalCode, 20);
  checkPostalCode(checks, [...path, 'postalCode'], countryCode, postalCode);
  const city = checks.text([...path, 'city'], input.city);
  const provinceText = checks.optionalText([...path, 'province'], input.province ?? null);
  checks.optionalText([...path, 'address'], input.address ?? null);
  checks.optionalText([...path, 'companyName'], input.companyName ?? null);
  let province: string | undefined;
  if (countryCode === 'IT' && provinceText !== null) {
    province = provinceCode(provinceText);
    if (province === undefined) {
      const message = `${provinceText} is no Italian province known here; the postal code decides.`;
      notices.push({ code: 'unknown_province', path: [...path, 'province'], message });
    } else if (/^\d{5}$/.test(postalCode) && !capCanBelong(postalCode, province)) {
      const [first] = provincesOfCap(postalCode);
      const known = first ? `; it belongs to ${first}` : '';
      checks.add(
        [...path, 'postalCode'],
        'postal_code_not_in_province',
        `cannot belong to the province ${province}${known}`,
      );
    }
  }
  return destinationAt({ countryCode, postalCode, city, province });
}

function checkLoad(checks: Checks, input: QuoteInput): Load | undefined {
  const { totalWeight, totalVolume, parcelNumber, parcels } = input;
  if (parcels != null) {
    for (const field of ['totalWeight', 'totalVolume', 'parcelNumber'] as const) {
      if (input[field] != null) checks.add([field], 'conflicting_modes', 'must not be given with parcels');
    }
    return checkParcels(checks, ['parcels'], parcels);
  }
  if (totalWeight == null && totalVolume == null) {
    checks.add(['parcels'], 'required', 'must be given, or else totalWeight and totalVolume');
    return undefined;
  }
  if (totalWeight == null) checks.add(['totalWeight'], 'required', 'must be given with totalVolume');
  if (totalVolume == null) checks.add(['totalVolume'], 'required', 'must be given with totalWeight');
  const count = checks.integer(['parcelNumber'], parcelNumber ?? 1, 1, MAX_PARCELS);
  const grams = amount(checks, ['totalWeight'], totalWeight ?? '1', { decimals: DECIMALS.kg, from: 1, to: MAX_GRAMS });
  const hundredths = { decimals: 2, from: 1, to: MAX_VOLUME_CM3 * 100 } as const;
  const volumeCm3 = Math.ceil(amount(checks, ['totalVolume'], totalVolume ?? '1', hundredths) / 100);
  return {
    parcels: [{ grams, volumeCm3, share: count, quantity: count }],
    parcelCount: count,
    grams,
    volumeCm3,
    heaviestGrams: Math.ceil(grams / count),
    longestSide: 0,
    sumOfSides: 0,
  };
}

/** 1 to 100 kinds of parcels, at most 500 in all; weights and sides above 0. */
export function checkParcels(checks: Checks, path: Path, inputs: readonly QuoteParcelInput[]): Load | undefined {
  if (inputs.length === 0 || inputs.length > MAX_PARCEL_KINDS) {
    checks.add(
      path,
      inputs.length === 0 ? 'empty' : 'too_many',
      `must have 1 to ${MAX_PARCEL_KINDS} entries, has ${inputs.length}`,
    );
    return undefined;
  }
  const load = {
    parcels: [] as ParcelKind[],
    parcelCount: 0,
    grams: 0,
    volumeCm3: 0,
    heaviestGrams: 0,
    longestSide: 0,
    sumOfSides: 0,
  };
  for (const [i, input] of inputs.entries()) {
    const at = [...path, i];
    const quantity = checks.integer([...at, 'quantity'], input.quantity ?? 1, 1, MAX_PARCELS);
    const grams = amount(checks, [...at, 'weight'], input.weight, { decimals: DECIMALS.kg, from: 1, to: MAX_GRAMS });
    const sides = (['length', 'width', 'height'] as const).map(name =>
      amount(checks, [...at, name], input[name], { decimals: DECIMALS.cm, from: 1, to: MAX_SIDE }),
    );
    // A begun cubic centimetre counts whole.
    const volumeCm3 = Math.ceil(sides.reduce((product, side) => product * side, 1) / 1_000_000);
    load.parcels.push({ grams, volumeCm3, share: 1, quantity });
    load.parcelCount += quantity;
    load.grams += grams * quantity;
    load.volumeCm3 += volumeCm3 * quantity;
    load.heaviestGrams = Math.max(load.heaviestGrams, grams);
    load.longestSide = Math.max(load.longestSide, ...sides);
    load.sumOfSides = Math.max(
      load.sumOfSides,
      sides.reduce((sum, side) => sum + side, 0),
    );
  }
  if (load.parcelCount > MAX_PARCELS)
    checks.add(path, 'too_many', `must be at most ${MAX_PARCELS} parcels, are ${load.parcelCount}`);
  if (load.grams > MAX_GRAMS) checks.add(path, 'out_of_range', `must weigh at most ${MAX_GRAMS / 1000} kg together`);
  if (load.volumeCm3 > MAX_VOLUME_CM3)
    checks.add(path, 'out_of_range', `must have at most ${MAX_VOLUME_CM3} cm³ together`);
  return load;
}
