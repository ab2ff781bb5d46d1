import { KNOWN_COMUNI, SARDINIA } from './caps.rules.ts';
import { hadProvince } from './former-provinces.rules.ts';
import { normalizedName } from './place-names.rules.ts';
import { capFitsProvince, provincesByBeginning } from './places.rules.ts';
import { PROVINCE_NAMES } from './province-names.rules.ts';

/** Italy's regions and their provinces. Sardinia's change: those before 2016 and after 2025 are included. */
const PROVINCES_BY_REGION: Readonly<Record<string, string>> = {
  Abruzzo: 'AQ CH PE TE',
  Basilicata: 'MT PZ',
  Calabria: 'CS CZ KR RC VV',
  Campania: 'AV BN CE NA SA',
  'Emilia-Romagna': 'BO FC FE MO PC PR RA RE RN',
  'Friuli-Venezia Giulia': 'GO PN TS UD',
  Lazio: 'FR LT RI RM VT',
  Liguria: 'GE IM SP SV',
  Lombardia: 'BG BS CO CR LC LO MB MI MN PV SO VA',
  Marche: 'AN AP FM MC PU',
  Molise: 'CB IS',
  Piemonte: 'AL AT BI CN NO TO VB VC',
  Puglia: 'BA BR BT FG LE TA',
  Sardegna: 'CA CI NU OG OR OT SS SU VS',
  Sicilia: 'AG CL CT EN ME PA RG SR TP',
  Toscana: 'AR FI GR LI LU MS PI PO PT SI',
  'Trentino-Alto Adige': 'BZ TN',
  Umbria: 'PG TR',
  "Valle d'Aosta": 'AO',
  Veneto: 'BL PD RO TV VE VI VR',
};

const regionByProvince = new Map(
  Object.entries(PROVINCES_BY_REGION).flatMap(([region, codes]) =>
    codes.split(' ').map(code => [code, region] as const),
  ),
);
const provinceByName = new Map(PROVINCE_NAMES.map(([code, name]) => [normalizedName(name), code]));
const regionByName = new Map([
  ...Object.keys(PROVINCES_BY_REGION).map(region => [normalizedName(region), region] as const),
  // Names in two languages.
  ['trentino alto adige sudtirol', 'Trentino-Alto Adige'] as const,
  ['valle d aosta vallee d aoste', "Valle d'Aosta"] as const,
]);

/** Words before and behind the name of a province. */
const KIND_BEFORE =
  /^(?:(?:nuova )?provincia(?: autonoma| regionale)?|prov|citta metropolitana|citta metr|libero consorzio(?: comunale)?|ente di decentramento regionale|autonome provinz|provinz|province(?: autonome)?|ville metropolitaine|metropolitanstadt|metropolitan city|autonomous province|it)(?: (?:di|del|della|dell|dei|delle|d|de|of|von))? (?=.)/;
const KIND_BEHIND = / (?:province|provincia)$/;

/**
 * Abbreviation of a known province, from its abbreviation or its name in any case; undefined for an unknown one. A name
 * may be in two languages (`Bolzano/Bozen`), have its kind before it (`Città metropolitana di Milano`) or its
 * abbreviation beside it (`Milano (MI)`).
 */
export function provinceCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return regionByProvince.has(code) ? code : provinceNamed(normalizedName(text));
}

function provinceNamed(name: string): string | undefined {
  const plain = name.replace(KIND_BEFORE, '');
  const known = wordsNamed(name) ?? wordsNamed(plain) ?? wordsNamed(plain.replace(KIND_BEHIND, ''));
  if (known !== undefined) return known;
  // Several names, or a name and the abbreviation: all of the same province.
  const words = plain.split(' ');
  for (let first = 1; first < words.length && words.length <= MAX_WORDS; first++) {
    const province = wordsNamed(words.slice(0, first).join(' '));
    if (province !== undefined && province === provinceNamed(words.slice(first).join(' '))) return province;
  }
  return undefined;
}

const MAX_WORDS = 12;

function wordsNamed(words: string): string | undefined {
  const code = words.replace(/^([a-z]) ([a-z])$/, '$1$2').toUpperCase();
  return regionByProvince.has(code) ? code : provinceByName.get(words);
}

/** The spellings of a province in lower case: the given one, and the abbreviation and names of a known province. */
export function provinceSpellings(text: string): string[] {
  const given = text.trim().toLowerCase();
  const code = provinceCode(text);
  if (code === undefined) return [given];
  const names = PROVINCE_NAMES.filter(([of]) => of === code).flatMap(([, name]) => [
    name.toLowerCase(),
    normalizedName(name),
  ]);
  return [...new Set([given, code.toLowerCase(), `it-${code.toLowerCase()}`, ...names])];
}

/** A region by its name in any case, in its spelling here. */
export function regionNamed(name: string): string | undefined {
  return regionByName.get(normalizedName(name));
}

export function regionOfProvince(code: string): string | undefined {
  return regionByProvince.get(code);
}

/** Provinces whose names and abbreviations are often written in two languages: `Bolzano/Bozen`. */
export const BILINGUAL_PROVINCES: ReadonlySet<string> = new Set(['AO', 'BZ', 'GO', 'TN', 'TS', 'UD']);

const provincesByCap = new Map<string, readonly string[]>();

/** Provinces that a CAP may belong to, in alphabetical order: usually one, and several where neighbours share it. */
export function provincesOfCap(cap: string): readonly string[] {
  let provinces = provincesByCap.get(cap);
  if (provinces === undefined) {
    const known = KNOWN_COMUNI.filter(({ caps }) => caps.includes(cap)).map(({ province }) => province);
    provinces = [...new Set([...(provincesInSardinia(cap) ?? provincesByBeginning(cap)), ...known])].toSorted();
    // Only texts in the form of a CAP, so that the map stays small.
    if (/^\d{5}$/.test(cap)) provincesByCap.set(cap, provinces);
  }
  return provinces;
}

/** Undefined for a CAP that is not Sardinia's. */
function provincesInSardinia(cap: string): readonly string[] | undefined {
  for (let length = cap.length; length > 2; length--) {
    const provinces = SARDINIA.get(cap.slice(0, length));
    if (provinces !== undefined) return provinces;
  }
  return undefined;
}

/** Whether a CAP has the province, or had it. */
export function capCanBelong(cap: string, province: string): boolean {
  const present = provincesOfCap(cap);
  // The prefix of a newer province, such as Monza's 208, is still accepted for the older one.
  const isSardinia = regionOfProvince(province) === 'Sardegna';
  return (
    present.includes(province) ||
    (!isSardinia && capFitsProvince(cap, province) === true) ||
    hadProvince(cap, province, present)
  );
}
