import { provincesOfCap, regionOfProvince } from '../../common/places/italy.rules.ts';

/**
 * The groups of comparable deliveries: by destination, from the nearest level to the widest, and by weight. They need
 * not be exact, but tables and look-ups must use equal ones.
 */

/** From the nearest to the widest; stored by index. None is wider than the country. */
export const DESTINATION_LEVELS = ['POSTAL_CODE', 'PROVINCE', 'REGION', 'COUNTRY'] as const;
export type DestinationLevel = (typeof DESTINATION_LEVELS)[number];

/** A destination at each level; undefined for a level that it lacks: only Italy has provinces and regions here,
 * and not every country postal codes. */
export type Lane = readonly [
  postalCode: string | undefined,
  province: string | undefined,
  region: string | undefined,
  country: string,
];

/** @param postalCode as it was given */
export function laneOf(countryCode: string, postalCode: string): Lane {
  const plain = postalCode.toUpperCase().replace(/[ -]/g, '');
  if (countryCode !== 'IT') {
    return [plain === '' ? undefined : `${countryCode} ${plain}`, undefined, undefined, countryCode];
  }
  const province = provinceOfBeginning(plain.slice(0, BEGINNING));
  return [plain, province, province === undefined ? undefined : regionOfProvince(province), countryCode];
}

/** Digits that nearly always determine the province of a CAP. */
const BEGINNING = 4;
const byBeginning = new Map<string, string | undefined>();

function provinceOfBeginning(beginning: string): string | undefined {
  if (!/^\d{4}$/.test(beginning)) return undefined;
  if (byBeginning.has(beginning)) return byBeginning.get(beginning);
  let province: string | undefined;
  for (let digit = 0; digit < 10 && province === undefined; digit++)
    [province] = provincesOfCap(`${beginning}${digit}`);
  byBeginning.set(beginning, province);
  return province;
}

/** The prefixes of all CAPs with their province and region, as columns for SQL. */
export function provincesByBeginning(): Record<'beginnings' | 'provinces' | 'regions', string[]> {
  const columns = { beginnings: [] as string[], provinces: [] as string[], regions: [] as string[] };
  for (let n = 0; n < 10 ** BEGINNING; n++) {
    const beginning = String(n).padStart(BEGINNING, '0');
    const province = provinceOfBeginning(beginning);
    if (province === undefined) continue;
    columns.beginnings.push(beginning);
    columns.provinces.push(province);
    columns.regions.push(regionOfProvince(province) ?? province);
  }
  return columns;
}

/** The greatest weight of each band, kilograms: small parcels, ordinary ones, what one person carries, and pallets. */
export const WEIGHT_BANDS = [
  { kind: 'to3kg', upTo: 3 },
  { kind: 'to10kg', upTo: 10 },
  { kind: 'to30kg', upTo: 30 },
  { kind: 'over30kg', upTo: Number.POSITIVE_INFINITY },
] as const;

/** The band of parcels without a known weight. */
export const NO_WEIGHT = 'no_weight';
/** The band of all parcels. */
export const ANY_WEIGHT = 'any_weight';

/** @param weight kilograms */
export function weightBand(weight: number | null): string {
  if (weight === null) return NO_WEIGHT;
  return WEIGHT_BANDS.find(({ upTo }) => weight <= upTo)?.kind ?? NO_WEIGHT;
}
