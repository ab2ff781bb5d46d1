import { FORMER_PROVINCES } from '../../places/caps.rules.ts';
import { comuneKeys, provincesOfPlace } from '../../places/comuni.rules.ts';
import { regionOfProvince } from '../../places/italy.rules.ts';
import { countryOfPlace, EU_COUNTRIES } from '../../places/places.rules.ts';
import { findCode, findCodeWithout, type PostalTable } from './postal.rules.ts';
import { plainPostalCode } from './postal-patterns.rules.ts';
import { townKeys } from './towns.rules.ts';

/** A destination, prepared for look-ups. */
export interface Destination {
  /** The country it lies in, whatever was written: San Marino and the Vatican are not Italy. */
  readonly countryCode: string;
  /** Upper-case, without spaces and hyphens. */
  readonly postalCode: string;
  /** The keys by which its comune, or its town abroad, is looked up. */
  readonly comuneKeys: readonly string[];
  /** Italian abbreviation; undefined for a CAP of no province. */
  readonly province: string | undefined;
  /** Italian region. */
  readonly region: string | undefined;
}

/**
 * Returns the destinations that a place can mean: one, or one for each of the provinces that share its CAP where
 * neither the province nor the comune decides.
 *
 * @param place with a known abbreviation as `province`, or none
 */
export function destinationsAt(place: {
  countryCode: string;
  postalCode: string;
  city: string;
  province?: string | undefined;
}): readonly [Destination, ...Destination[]] {
  const countryCode = countryOfPlace(place.countryCode, place.postalCode);
  const postalCode = plainPostalCode(countryCode, place.postalCode);
  if (countryCode !== 'IT') {
    const comuneKeys = townKeys(countryCode, place.city, postalCode);
    return [{ countryCode, postalCode, comuneKeys, province: undefined, region: undefined }];
  }
  const destinationIn = (province: string | undefined): Destination => ({
    countryCode,
    postalCode,
    comuneKeys: comuneKeys(place.city, province, postalCode),
    province,
    region: province === undefined ? undefined : regionOfProvince(province),
  });
  const provinces = place.province === undefined ? provincesOfPlace(postalCode, place.city) : [place.province];
  const [first, ...others] = provinces;
  return [destinationIn(first), ...others.map(destinationIn)];
}

/** The kinds of rules in an area; a table has positions in this list. */
export const AREA_RULE_KINDS = [
  'postal_code',
  'postal_code_range',
  'municipality',
  'town',
  'same_province',
  'province',
  'same_region',
  'region',
  'country',
  'country_group',
  'default',
] as const;

/** Where rules stand in their area; a table has positions in it. */
export const AREA_FIELDS = [
  'postalCodes',
  'municipalities',
  'towns',
  'provinces',
  'regions',
  'countries',
  'lists',
  'sameProvince',
  'sameRegion',
  'anywhere',
] as const;

export type AreaRuleKind = (typeof AREA_RULE_KINDS)[number];

/** Keys of countries that no country has. */
export const ANYWHERE = '*';
/** Keys of the warehouse's province and region, which no province and no region has. */
export const SAME = '=';

/**
 * Areas compiled for look-ups that do not search: what they cost does not depend on how many rules there are. Plain data in
 * columns, since a thread that compiles a tariff sends it to another one: a hundred thousand objects would take too long.
 */
export interface AreaTable {
  /** The area of each rule, close together in memory: with many rules that is what a look-up waits for. */
  readonly areas: Int32Array;
  readonly kinds: Uint8Array;
  readonly texts: readonly string[];
  readonly fields: Uint8Array;
  /** Positions in the list that the field holds; −1 where the field is not a list. */
  readonly positions: Int32Array;
  readonly postal: ReadonlyMap<string, PostalTable>;
  readonly municipalities: ReadonlyMap<string, number>;
  readonly provinces: ReadonlyMap<string, number>;
  readonly regions: ReadonlyMap<string, number>;
  /** By code; and by `EU` and `ANYWHERE`, which no country has. */
  readonly countries: ReadonlyMap<string, number>;
  /** Where an area does not hold, by area; undefined where all of them hold everywhere. */
  readonly exceptions: readonly (AreaTable | undefined)[] | undefined;
  readonly isOfOrigin: boolean;
  /**
   * Whether the table has neither exceptions nor rules about the origin. Nearly all tables are plain, and this takes
   * one look.
   */
  readonly isPlain: boolean;
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
}

/**
 * The most specific rule for a place, as its position in the table; −1 for none.
 *
 * @param origin the place of departure, if rules may depend on it
 */
export function findRule(table: AreaTable, destination: Destination, origin?: { readonly place: Destination }): number {
  if (!table.isPlain) return findAmong(table, destination, table.isOfOrigin ? origin?.place : undefined);
  const { countryCode, postalCode, province = '', region = '' } = destination;
  const codes = table.postal.get(countryCode);
  const byCode = codes === undefined ? -1 : findCode(codes, postalCode);
  if (byCode >= 0) return byCode;
  const byComune = municipalityRule(table, destination);
  if (byComune !== undefined) return byComune;
  if (countryCode === 'IT') {
    const rule = provinceRule(table, province, destination) ?? table.regions.get(region);
    if (rule !== undefined) return rule;
  }
  return (
    table.countries.get(countryCode) ??
    (EU_COUNTRIES.has(countryCode) ? table.countries.get('EU') : undefined) ??
    table.countries.get(ANYWHERE) ??
    -1
  );
}

/** Finds a rule where areas have exceptions, or rules about the origin. It makes no closures: it runs for each price. */
function findAmong(table: AreaTable, destination: Destination, origin: Destination | undefined): number {
  const { countryCode, postalCode, province, region } = destination;
  const { provinces, regions, countries } = table;
  const codes = table.postal.get(countryCode);
  if (codes !== undefined) {
    const byCode =
      table.exceptions === undefined
        ? findCode(codes, postalCode)
        : findCodeWithout(codes, postalCode, rule => isOutside(table, rule, destination));
    if (byCode >= 0) return byCode;
  }
  const byComune = municipalityRule(table, destination);
  if (byComune !== undefined) return byComune;
  if (countryCode === 'IT') {
    const isSameProvince = province !== undefined && province === origin?.province;
    const isSameRegion = region !== undefined && region === origin?.region;
    const rule =
      (isSameProvince ? within(table, provinces.get(SAME), destination) : undefined) ??
      provinceRule(table, province ?? '', destination) ??
      (isSameRegion ? within(table, regions.get(SAME), destination) : undefined) ??
      within(table, regions.get(region ?? ''), destination);
    if (rule !== undefined) return rule;
  }
  return (
    within(table, countries.get(countryCode), destination) ??
    (EU_COUNTRIES.has(countryCode) ? within(table, countries.get('EU'), destination) : undefined) ??
    within(table, countries.get(ANYWHERE), destination) ??
    -1
  );
}

/** The rule, unless it is of an area that does not hold for the place. */
function within(table: AreaTable, rule: number | undefined, destination: Destination): number | undefined {
  return rule === undefined || isOutside(table, rule, destination) ? undefined : rule;
}

/** Whether a rule is of an area that does not hold for a place. */
function isOutside({ exceptions, areas }: AreaTable, rule: number, destination: Destination): boolean {
  if (exceptions === undefined) return false;
  const exception = exceptions[areas[rule] ?? -1];
  return exception !== undefined && findRule(exception, destination) >= 0;
}

function municipalityRule(table: AreaTable, destination: Destination): number | undefined {
  const { municipalities, isPlain } = table;
  if (municipalities.size === 0) return undefined;
  for (const key of destination.comuneKeys) {
    const rule = municipalities.get(key);
    if (rule !== undefined && (isPlain || !isOutside(table, rule, destination))) return rule;
  }
  return undefined;
}

/** Finds the rule of a province. Sardinia's provinces change, so a rule for a place's earlier province still holds. */
function provinceRule(table: AreaTable, province: string, destination: Destination): number | undefined {
  const { provinces, isPlain } = table;
  if (provinces.size === 0) return undefined;
  for (const one of [province, ...(FORMER_PROVINCES.get(province) ?? [])]) {
    const rule = provinces.get(one);
    if (rule !== undefined && (isPlain || !isOutside(table, rule, destination))) return rule;
  }
  return undefined;
}

/** The area that `findRule` leads to; −1 for none. */
export function areaOf({ areas }: AreaTable, rule: number): number {
  return areas[rule] ?? -1;
}

/** Returns the kind and text of a rule, and its place in its area: `['postalCodes', 4]`. */
export function ruleAt({ kinds, texts, fields, positions }: AreaTable, rule: number) {
  const [kind, text] = [AREA_RULE_KINDS[kinds[rule] ?? -1], texts[rule]];
  if (kind === undefined || text === undefined) return undefined;
  const field = AREA_FIELDS[fields[rule] as number] as string;
  const position = positions[rule] as number;
  return { kind, text, path: position < 0 ? [field] : [field, position] };
}
