import { comuneKeys, provincesOfPlace } from '../../../common/places/comuni.rules.ts';
import { regionOfProvince } from '../../../common/places/italy.rules.ts';
import { countryOfPlace, EU_COUNTRIES } from '../../../common/places/places.rules.ts';
import { formerAndLater } from './divided-provinces.rules.ts';
import { findCode, type PostalTable } from './postal.rules.ts';
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

/** Between a place and the list that it comes from, in the text of a rule. */
export const OF_LIST = ' of the list ';

/** Keys of countries that no country has. */
export const ANYWHERE = '*';
/** Keys of the warehouse's province and region, which no province and no region has. */
export const SAME = '=';

/**
 * Areas compiled for look-ups, whose cost hardly depends on how many rules there are. Plain data in columns, since a thread
 * that compiles a tariff sends it to another one: a hundred thousand objects would take too long.
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
  /** Whether a rule is about the origin. */
  readonly isOfOrigin: boolean;
  /** About how many bytes of memory it takes. */
  readonly bytes: number;
}

/**
 * The most specific rule for a place, as its position in the table; −1 for none.
 *
 * @param origin the place of departure, if rules may depend on it
 */
export function findRule(table: AreaTable, destination: Destination, origin?: { readonly place: Destination }): number {
  const { countryCode, postalCode, province, region } = destination;
  const { provinces, regions, countries, exceptions } = table;
  const codes = table.postal.get(countryCode);
  if (codes !== undefined) {
    // A closure only where there are exceptions: this runs for each price.
    const byCode = findCode(codes, postalCode, exceptions && (rule => isOutside(table, rule, destination)));
    if (byCode >= 0) return byCode;
  }
  const byComune = municipalityRule(table, destination);
  if (byComune !== undefined) return byComune;
  if (countryCode === 'IT') {
    const place = table.isOfOrigin ? origin?.place : undefined;
    const isSameProvince = province !== undefined && province === place?.province;
    const isSameRegion = region !== undefined && region === place?.region;
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
  if (table.municipalities.size === 0) return undefined;
  for (const key of destination.comuneKeys) {
    const rule = within(table, table.municipalities.get(key), destination);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** Finds the rule of a province, or else of another one that the CAP has had: provinces are divided and addresses stay. */
function provinceRule(table: AreaTable, province: string, destination: Destination): number | undefined {
  if (table.provinces.size === 0) return undefined;
  const current = within(table, table.provinces.get(province), destination);
  if (current !== undefined) return current;
  for (const other of formerAndLater(province, destination.postalCode)) {
    const rule = within(table, table.provinces.get(other), destination);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

/** The area that `findRule` leads to; −1 for none. */
export function areaOf({ areas }: AreaTable, rule: number): number {
  return areas[rule] ?? -1;
}

/** A rule of an area: its kind, its text, and where it stands in its area, such as `['postalCodes', 4]`. */
export interface RuleOfArea {
  readonly kind: AreaRuleKind;
  readonly text: string;
  /** The text without the list that it comes from. */
  readonly place: string;
  /** The list that it comes from. */
  readonly list: string | undefined;
  readonly path: (string | number)[];
}

export function ruleAt({ kinds, texts, fields, positions }: AreaTable, rule: number): RuleOfArea | undefined {
  const [kind, text] = [AREA_RULE_KINDS[kinds[rule] ?? -1], texts[rule]];
  if (kind === undefined || text === undefined) return undefined;
  const field = AREA_FIELDS[fields[rule] as number] as string;
  const position = positions[rule] as number;
  const [place = '', list] = text.split(OF_LIST);
  return { kind, text, place, list, path: position < 0 ? [field] : [field, position] };
}
