import { comuneNames, HAMLET_ABBREVIATIONS } from '../../common/places/comuni.rules.ts';
import { provinceCode } from '../../common/places/italy.rules.ts';
import {
  foldedName,
  normalizedName,
  SAINT_ABBREVIATIONS,
  sameWords,
  withoutInnerDots,
  wordTable,
} from '../../common/places/place-names.rules.ts';
import { countryOfPlace } from '../../common/places/places.rules.ts';
import { readPostalCode } from '../../common/places/postal-codes.rules.ts';
import type { AskedAddress, KnownAddress } from '../../shipping/carriers/carrier.port.ts';

/** Unambiguous abbreviations, without inner dots (`p.zza` is `pzza`), and forms of one word. */
const STREET_ABBREVIATIONS = wordTable(`
  vle viale, pza piazza, pzza piazza, pzzale piazzale, pzale piazzale, ple piazzale, ptta piazzetta, cso corso, lgo largo,
  vlo vicolo, sda strada, cda contrada, contr contrada, ctr contrada, bgo borgo, trav traversa,
  gall galleria, lmare lungomare, ltevere lungotevere,
  provle provinciale, comle comunale, indle industriale,
  flli fratelli, gen generale, mons monsignor, monsignore monsignor, card cardinale, prof professor, professore professor,
  dott dottor, dr dottor, dottore dottor, ing ingegner, ingegnere ingegner, avv avvocato, on onorevole, cav cavalier,
  cavaliere cavalier, ten tenente, cap capitano, sac sacerdote
`);
const ABBREVIATIONS = new Map([...STREET_ABBREVIATIONS, ...SAINT_ABBREVIATIONS, ...HAMLET_ABBREVIATIONS]);
/** Abbreviations that are too short to be recognised except at the beginning. */
const FIRST_ABBREVIATIONS = wordTable('v via, str strada');
const INTERIORS = wordTable('int interno, sc scala, app appartamento, ed edificio, pal palazzina');
const ROADS = wordTable('s statale, p provinciale, r regionale');

const MONTHS = 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre';
const UNITS = ['', 'i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix'];
const DAY_NAMES = `
  primo due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette
  diciotto diciannove venti ventuno ventidue ventitre ventiquattro venticinque ventisei ventisette ventotto ventinove trenta
  trentuno
`;
const dayByName = new Map(
  DAY_NAMES.trim()
    .split(/\s+/)
    .flatMap((name, i) => [
      [name, i + 1],
      ['x'.repeat(Math.floor((i + 1) / 10)) + UNITS[(i + 1) % 10], i + 1],
    ]),
);
const DATE = new RegExp(`(?<!\\p{L})(\\p{L}+) (${MONTHS})\\b`, 'gu');

const NUMBER = '(?:km )?[\\d.]+(?: (?:\\d+|[a-z]|bis|ter|quater|quinquies|rosso))*';
const NO_NUMBER = '(?:snc|s ?n|senza numero(?: civico)?)';
const INTERIOR = `(?:${[...INTERIORS].flat().join('|')}|piano|palazzo|lotto|fabbricato) (?:\\d+|[a-z]|terra|rialzato|unico)(?: (?:\\d+|[a-z])\\b)?`;
/** The pattern of streets takes the square of the length, so a longer text is compared as a whole. */
const MAX_STREET = 500;
/** Text after the number that matches none of these stays part of the name, so that it is compared. */
const STREET = new RegExp(
  `^(?<name>.*?)(?: (?:(?<number>${NUMBER})(?: ${NO_NUMBER})?|${NO_NUMBER})(?<interior>(?: ${INTERIOR})*)` +
    '(?<locality> (?:frazione|localita|contrada) .*)?)?$',
);

/** Countries where addresses are written as in Italy. */
const ITALIAN = new Set(['IT', 'SM', 'VA']);

interface Street {
  readonly name: string;
  readonly number: string | null;
  readonly interior: string | null;
}

/**
 * Whether a carrier's address is the requested one in another spelling. Fields that the carrier leaves out are not
 * compared. In doubt they differ: a needless suggestion costs a glance, a wrong "valid" costs a parcel. So an initial
 * matches no first name: `G. Rossi` may be Giovanni or Giuseppe.
 */
export function sameAddress(asked: AskedAddress, known: KnownAddress): boolean {
  // A country or a province alone does not make an address.
  if (!isSaid(known.city) && !isSaid(known.zip)) return false;
  const isItalian = ITALIAN.has(asked.country);
  return (
    (!isSaid(known.country) || sameCountry(asked, known.country, known.zip)) &&
    (!isSaid(known.zip) || asked.zip === '' || sameZip(asked, known.zip)) &&
    (!isSaid(known.province) || asked.provincia === null || sameProvince(asked.provincia, known.province, isItalian)) &&
    (!isSaid(known.city) || sameCity(asked, known.city)) &&
    sameStreet(asked, known, isItalian)
  );
}

/** Carriers write codes with and without the country's prefix and blank. */
function sameZip({ country, zip }: AskedAddress, known: string): boolean {
  const own = (code: string) => readPostalCode(country, code) ?? plainZip(code);
  return own(known) === own(zip);
}

/** Carriers too may write a CAP of San Marino as Italian. */
function sameCountry(asked: AskedAddress, country: string, zip: string | null): boolean {
  const known = countryOfPlace(country.trim().toUpperCase(), plainZip(zip ?? asked.zip));
  return foldedName(known) === foldedName(asked.country);
}

function sameStreet(asked: AskedAddress, { streetLine1, streetLine2 }: KnownAddress, isItalian: boolean): boolean {
  // The second line often repeats the place.
  const second = isSaid(streetLine2) && !sameCity(asked, streetLine2) ? streetLine2 : '';
  const text = `${streetLine1 ?? ''} ${second}`;
  if (!isSaid(text)) return true;
  if (!isItalian) return foldedName(text) === foldedName(asked.address);
  const ours = italianStreet(asked.address);
  const theirs = italianStreet(text);
  // Registries list streets, without numbers and parts of buildings.
  return (
    sameWords(ours.name, theirs.name) &&
    (theirs.number === null || theirs.number === ours.number) &&
    (theirs.interior === null || theirs.interior === ours.interior)
  );
}

function italianStreet(text: string): Street {
  if (text.length > MAX_STREET) return { name: foldedName(text), number: null, interior: null };
  const words = foldedName(withoutInnerDots(text.normalize('NFC').replace(/[°º]/g, ' '), ABBREVIATIONS))
    .replace(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ')
    .split(' ')
    .map(word => ABBREVIATIONS.get(word) ?? word);
  words[0] = FIRST_ABBREVIATIONS.get(words[0] ?? '') ?? words[0] ?? '';
  const plain = words
    .join(' ')
    .replace(/\b(?:al )?km (\d+) (\d+)\b/g, (_, whole, part) => `km ${whole}.${part}`.replace(/(?<![.0])0+$|\.0+$/, ''))
    .replace(/\bs n c\b/g, 'snc')
    .replace(/\b(?:n|nr|num|n ?c|(?:numero )?civico|numero|civ) (?=\d)/g, '')
    .replace(/(?<!\d[ .])\b0+(?=\d)/g, '')
    .replace(/\bs ?([spr]) (?=\d)/g, (_, road: string) => `strada ${ROADS.get(road)} `)
    // A road's own number belongs to its name: joined with it, it is not taken for a house number.
    .replace(/\bstrada (statale|provinciale|regionale|comunale) (?=\d)/g, 'strada $1')
    .replace(/\bs ?s\b/g, 'santi')
    .replace(DATE, (date, day: string, month: string) => (dayByName.has(day) ? `${dayByName.get(day)} ${month}` : date))
    .replace(/\bv(?:itt)? (?=(?:emanuele|veneto)\b)/g, 'vittorio ');
  const { name = '', number, interior, locality = '' } = STREET.exec(plain)?.groups ?? {};
  return {
    name: name + locality,
    number: number?.replace('rosso', 'r') ?? null,
    interior: interior?.trim().replace(/[a-z]+/g, word => INTERIORS.get(word) ?? word) || null,
  };
}

function sameCity({ city, provincia, country }: AskedAddress, known: string): boolean {
  if (!ITALIAN.has(country)) return foldedName(city) === foldedName(known);
  const province = provinceCode(provincia ?? '') ?? provincia?.toUpperCase();
  const ours = comuneNames(city, province);
  const theirs = comuneNames(known, province);
  const areAmong = (some: readonly string[], others: readonly string[]) =>
    some.every(one => others.some(other => sameWords(one, other)));
  return areAmong(ours, theirs) || areAmong(theirs, ours);
}

function sameProvince(asked: string, known: string, isItalian: boolean): boolean {
  const plain = (text: string) => (isItalian ? provinceCode(text) : undefined) ?? foldedName(text);
  return plain(asked) === plain(known);
}

function isSaid(text: string | null): text is string {
  return text !== null && normalizedName(text) !== '';
}

function plainZip(zip: string): string {
  return foldedName(zip).replaceAll(' ', '');
}
