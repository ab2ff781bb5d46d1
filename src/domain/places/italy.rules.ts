import { KNOWN_COMUNI, SARDINIA } from './caps.rules.ts';
import { normalizedName } from './place-names.rules.ts';
import { capFitsProvince, provincesByBeginning } from './places.rules.ts';

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

/** Names of the provinces, normalized. */
const NAMES = `
  AG agrigento, AL alessandria, AN ancona, AO aosta, AP ascoli piceno, AQ l aquila, AR arezzo, AT asti, AV avellino, BA bari,
  BG bergamo, BI biella, BL belluno, BN benevento, BO bologna, BR brindisi, BS brescia, BT barletta andria trani, BZ bolzano,
  CA cagliari, CB campobasso, CE caserta, CH chieti, CL caltanissetta, CN cuneo, CO como, CR cremona, CS cosenza, CT catania,
  CZ catanzaro, EN enna, FC forli cesena, FE ferrara, FG foggia, FI firenze, FM fermo, FR frosinone, GE genova, GO gorizia,
  GR grosseto, IM imperia, IS isernia, KR crotone, LC lecco, LE lecce, LI livorno, LO lodi, LT latina, LU lucca,
  MB monza e della brianza, MB monza e brianza, MC macerata, ME messina, MI milano, MN mantova, MO modena, MS massa carrara,
  MT matera, NA napoli, NO novara, NU nuoro, OR oristano, PA palermo, PC piacenza, PD padova, PE pescara, PG perugia, PI pisa,
  PN pordenone, PO prato, PR parma, PT pistoia, PU pesaro e urbino, PV pavia, PZ potenza, RA ravenna, RC reggio calabria,
  RC reggio di calabria, RE reggio emilia, RE reggio nell emilia, RG ragusa, RI rieti, RM roma, RN rimini, RO rovigo,
  SA salerno, SI siena, SO sondrio, SP la spezia, SR siracusa, SS sassari, SU sud sardegna, SV savona, TA taranto, TE teramo,
  TN trento, TO torino, TP trapani, TR terni, TS trieste, TV treviso, UD udine, VA varese, VB verbano cusio ossola,
  VC vercelli, VE venezia, VI vicenza, VR verona, VT viterbo, VV vibo valentia, CI carbonia iglesias, CI sulcis iglesiente,
  OG ogliastra, OT olbia tempio, OT gallura nord est sardegna, VS medio campidano, VS md
`;

const regionByProvince = new Map(
  Object.entries(PROVINCES_BY_REGION).flatMap(([region, codes]) =>
    codes.split(' ').map(code => [code, region] as const),
  ),
);
const provinceByName = new Map(
  NAMES.trim()
    .split(/,\s*/)
    .map(entry => [entry.slice(3), entry.slice(0, 2)] as const),
);
const regionByName = new Map([
  ...Object.keys(PROVINCES_BY_REGION).map(region => [normalizedName(region), region] as const),
  // Names in two languages.
  ['trentino alto adige sudtirol', 'Trentino-Alto Adige'] as const,
  ['valle d aosta vallee d aoste', "Valle d'Aosta"] as const,
]);

/** Abbreviation of a known province, from its abbreviation or its name in any case; undefined for an unknown one. */
export function provinceCode(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  return regionByProvince.has(code) ? code : provinceByName.get(normalizedName(text));
}

/** The spellings of a province in lower case: the given one, and the abbreviation and names of a known province. */
export function provinceSpellings(text: string): string[] {
  const code = provinceCode(text);
  const names = [...provinceByName].filter(([, of]) => of === code).map(([name]) => name);
  return [...new Set([text.trim().toLowerCase(), ...(code === undefined ? [] : [code.toLowerCase(), ...names])])];
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

export function capCanBelong(cap: string, province: string): boolean {
  // The prefix of a newer province, such as Monza's 208, is still accepted for the older one.
  const isSardinia = regionOfProvince(province) === 'Sardegna';
  return provincesOfCap(cap).includes(province) || (!isSardinia && capFitsProvince(cap, province) === true);
}
