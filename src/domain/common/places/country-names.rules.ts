import { normalizedName } from './place-names.rules.ts';
import { COUNTRY_CODES, isCountryCode } from './places.rules.ts';

/** Countries as people and files name them: by code, and by name in the languages of Europe. */

/** ISO 3166-1 alpha-3 by alpha-2, ISO online browsing platform, read on 2026-11-28. */
const ALPHA_3 = `
  AD AND, AE ARE, AF AFG, AG ATG, AI AIA, AL ALB, AM ARM, AO AGO, AQ ATA, AR ARG, AS ASM, AT AUT, AU AUS, AW ABW,
  AX ALA, AZ AZE, BA BIH, BB BRB, BD BGD, BE BEL, BF BFA, BG BGR, BH BHR, BI BDI, BJ BEN, BL BLM, BM BMU, BN BRN,
  BO BOL, BQ BES, BR BRA, BS BHS, BT BTN, BV BVT, BW BWA, BY BLR, BZ BLZ, CA CAN, CC CCK, CD COD, CF CAF, CG COG,
  CH CHE, CI CIV, CK COK, CL CHL, CM CMR, CN CHN, CO COL, CR CRI, CU CUB, CV CPV, CW CUW, CX CXR, CY CYP, CZ CZE,
  DE DEU, DJ DJI, DK DNK, DM DMA, DO DOM, DZ DZA, EC ECU, EE EST, EG EGY, EH ESH, ER ERI, ES ESP, ET ETH, FI FIN,
  FJ FJI, FK FLK, FM FSM, FO FRO, FR FRA, GA GAB, GB GBR, GD GRD, GE GEO, GF GUF, GG GGY, GH GHA, GI GIB, GL GRL,
  GM GMB, GN GIN, GP GLP, GQ GNQ, GR GRC, GS SGS, GT GTM, GU GUM, GW GNB, GY GUY, HK HKG, HM HMD, HN HND, HR HRV,
  HT HTI, HU HUN, ID IDN, IE IRL, IL ISR, IM IMN, IN IND, IO IOT, IQ IRQ, IR IRN, IS ISL, IT ITA, JE JEY, JM JAM,
  JO JOR, JP JPN, KE KEN, KG KGZ, KH KHM, KI KIR, KM COM, KN KNA, KP PRK, KR KOR, KW KWT, KY CYM, KZ KAZ, LA LAO,
  LB LBN, LC LCA, LI LIE, LK LKA, LR LBR, LS LSO, LT LTU, LU LUX, LV LVA, LY LBY, MA MAR, MC MCO, MD MDA, ME MNE,
  MF MAF, MG MDG, MH MHL, MK MKD, ML MLI, MM MMR, MN MNG, MO MAC, MP MNP, MQ MTQ, MR MRT, MS MSR, MT MLT, MU MUS,
  MV MDV, MW MWI, MX MEX, MY MYS, MZ MOZ, NA NAM, NC NCL, NE NER, NF NFK, NG NGA, NI NIC, NL NLD, NO NOR, NP NPL,
  NR NRU, NU NIU, NZ NZL, OM OMN, PA PAN, PE PER, PF PYF, PG PNG, PH PHL, PK PAK, PL POL, PM SPM, PN PCN, PR PRI,
  PS PSE, PT PRT, PW PLW, PY PRY, QA QAT, RE REU, RO ROU, RS SRB, RU RUS, RW RWA, SA SAU, SB SLB, SC SYC, SD SDN,
  SE SWE, SG SGP, SH SHN, SI SVN, SJ SJM, SK SVK, SL SLE, SM SMR, SN SEN, SO SOM, SR SUR, SS SSD, ST STP, SV SLV,
  SX SXM, SY SYR, SZ SWZ, TC TCA, TD TCD, TF ATF, TG TGO, TH THA, TJ TJK, TK TKL, TL TLS, TM TKM, TN TUN, TO TON,
  TR TUR, TT TTO, TV TUV, TW TWN, TZ TZA, UA UKR, UG UGA, UM UMI, US USA, UY URY, UZ UZB, VA VAT, VC VCT, VE VEN,
  VG VGB, VI VIR, VN VNM, VU VUT, WF WLF, WS WSM, YE YEM, YT MYT, ZA ZAF, ZM ZMB, ZW ZWE
`;

/** Names that CLDR 48 does not have: everyday and former names, abbreviations, and parts of a country. */
const EVERYDAY_NAMES = `
  AE EAU, AE Emirati, AE Emirati Arabi, AE UAE, BA Bosnia, BA Bosnia Erzegovina, BO Bolivia Plurinational State of,
  BY Weissrussland, CD Congo Democratic Republic of the, CD Democratic Republic of the Congo, CD RDC,
  CD Repubblica Democratica del Congo, CD Zaire, CG Repubblica del Congo, CG Republic of the Congo,
  CI Costa de Marfil, CI Elfenbeinküste, CI Ivory Coast, CN PRC, CN People s Republic of China,
  CN Repubblica Popolare Cinese, CZ Czech Republic, CZ Repubblica Ceca, CZ República Checa, CZ République tchèque,
  CZ Tschechische Republik, DE BRD, DE Bundesrepublik Deutschland, DE Federal Republic of Germany,
  DE Repubblica Federale di Germania, FK Falkland, FK Malvinas, FM Micronesia Federated States of, GB Angleterre,
  GB Britain, GB England, GB Galles, GB Gran Bretagna, GB Gran Bretaña, GB Grande-Bretagne, GB Great Britain,
  GB Grossbritannien, GB Inghilterra, GB Inglaterra, GB Irlanda del Nord, GB Nordirland, GB Northern Ireland,
  GB Schottland, GB Scotland, GB Scozia, GB U K, GB UK, GB United Kingdom of Great Britain and Northern Ireland, GB Wales,
  GR EL, GR Hellenic Republic, HK Hong Kong, HK Hong Kong SAR, HK Hongkong, IE Eire, IE Repubblica d Irlanda,
  IE Republic of Ireland, IR Iran Islamic Republic of, IT Italian Republic, IT Repubblica Italiana,
  KP Korea Democratic People s Republic of, KR Corea, KR Korea, KR Korea Republic of, KR Republic of Korea,
  LA Lao People s Democratic Republic, MC Montecarlo, LU Granducato di Lussemburgo, MD Moldova Republic of, MD Republic of Moldova,
  MK FYROM, MK Macedonia, MK Macédoine, MK Mazedonien, MK Repubblica di Macedonia, MM Birma, MM Birmania, MM Birmanie,
  MM Burma, MO Macao, MO Macau, NL Holanda, NL Hollande, NL Olanda, NL The Netherlands, PS Palestina, PS Palestine,
  PS Palestine State of, PS State of Palestine, RU Federazione Russa, RU Federazione di Russia,
  RU Fédération de Russie, RU Russian Federation, RU Russische Föderation, SJ Svalbard, SK Repubblica Slovacca,
  SK Slovak Republic, SM RSM, SM Repubblica di San Marino, SY Syrian Arab Republic, SZ Swaziland, TC Turks e Caicos,
  TL East Timor, TR Turkey, TW Taiwan Province of China, TW Taiwan Republic of China, TZ Tanzania United Republic of,
  US America, US EE UU, US EEUU, US Estados Unidos de América, US Stati Uniti d America, US U S, US U S A,
  US United States of America, US Vereinigte Staaten von Amerika, US États-Unis d Amérique, VA Holy See,
  VA Santa Sede, VA Stato della Città del Vaticano, VA Vatican, VA Vaticano, VE Venezuela Bolivarian Republic of,
  VG Virgin Islands British, VI Virgin Islands U S
`;

/** The languages whose names are read; the first one counts where two names are equal. */
const LANGUAGES =
  'it en de fr es pt nl pl cs sk hu ro bg el hr sl sv da nb fi et lv lt sq sr sr-Latn uk ru tr ca is mt'.split(' ');

const entriesOf = (text: string) =>
  text
    .trim()
    .split(/,\s*/)
    .map(entry => [entry.slice(0, 2), entry.slice(3)] as const);

const alpha3 = new Map(entriesOf(ALPHA_3));
const byAlpha3 = new Map(entriesOf(ALPHA_3).map(([code, long]) => [long, code]));
const byEverydayName = new Map(entriesOf(EVERYDAY_NAMES).map(([code, name]) => [normalizedName(name), code]));

/** The alpha-3 code of an assigned alpha-2 code. */
export function alpha3Of(countryCode: string): string | undefined {
  return alpha3.get(countryCode);
}

let byName: ReadonlyMap<string, string> | undefined;

/** The names in all languages, made in about 30 ms at the first text without a known code. */
function names(): ReadonlyMap<string, string> {
  if (byName !== undefined) return byName;
  const found = new Map<string, string>();
  for (const language of LANGUAGES) {
    const inLanguage = new Intl.DisplayNames(language, { type: 'region' });
    for (const code of COUNTRY_CODES) {
      const name = normalizedName(inLanguage.of(code) ?? code);
      if (!found.has(name)) found.set(name, code);
    }
  }
  byName = found;
  return found;
}

const ARTICLE = /^(?:the|la|le|l|il|gli|lo|i|die|der|los|las|el|les) (?=.)/;

/** The code of a country by its code of two or three letters, or by a name, in any case; undefined for an unknown one. */
export function countryNamed(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (isCountryCode(code)) return code;
  const long = byAlpha3.get(code);
  if (long !== undefined) return long;
  const name = normalizedName(text);
  const plain = name.replace(ARTICLE, '');
  return byEverydayName.get(name) ?? names().get(name) ?? byEverydayName.get(plain) ?? names().get(plain);
}
