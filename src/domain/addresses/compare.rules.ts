import type { AskedAddress, KnownAddress } from '../carriers/carrier.port.ts';
import { normalizedName, provinceCode } from '../places/italy.rules.ts';

/** Abbreviations that stand for one thing only, without a dot within (`p.zza` is `pzza`), and forms of one word. */
const ABBREVIATIONS = table(`
  vle viale, pza piazza, pzza piazza, pzzale piazzale, pzale piazzale, ple piazzale, ptta piazzetta, cso corso, lgo largo,
  vlo vicolo, sda strada, cda contrada, contr contrada, ctr contrada, loc localita, locta localita, fraz frazione,
  frazne frazione, bgo borgo, trav traversa, gall galleria, lmare lungomare, ltevere lungotevere,
  provle provinciale, comle comunale, indle industriale,
  flli fratelli, gen generale, mons monsignor, monsignore monsignor, card cardinale, prof professor, professore professor,
  dott dottor, dr dottor, dottore dottor, ing ingegner, ingegnere ingegner, avv avvocato, on onorevole, cav cavalier,
  cavaliere cavalier, ten tenente, cap capitano, sac sacerdote,
  sto santo, sta santa, santissimo santi, santissima santi, santissimi santi, ssmo santi, ssma santi
`);
/** Too short to be sure of anywhere but at the beginning. */
const FIRST_ABBREVIATIONS = table('v via, str strada');
const INTERIORS = table('int interno, sc scala, app appartamento, ed edificio, pal palazzina');
const SAINTS = table('santo san, sant san');
const ROADS = table('s statale, p provinciale, r regionale');
const INNER_DOT = /(?<![\p{L}\p{N}])(\p{L}{1,4})[./](\p{L}{2,6})(?!\p{L})/gu;

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
const DATE = new RegExp(`\\b(\\p{L}+) (${MONTHS})\\b`, 'gu');

const NUMBER = '(?:km )?[\\d.]+(?: (?:\\d+|[a-z]|bis|ter|quater|quinquies|rosso))*';
const NO_NUMBER = '(?:snc|s ?n|senza numero(?: civico)?)';
const INTERIOR = `(?:${[...INTERIORS].flat().join('|')}|piano|palazzo|lotto|fabbricato) (?:\\d+|[a-z]|terra|rialzato|unico)(?: (?:\\d+|[a-z])\\b)?`;
/** What stands behind the number and is none of this stays part of the name, so that it is never passed over. */
const STREET = new RegExp(
  `^(?<name>.*?)(?: (?:(?<number>${NUMBER})(?: ${NO_NUMBER})?|${NO_NUMBER})(?<interior>(?: ${INTERIOR})*)` +
    '(?<locality> (?:frazione|localita|contrada) .*)?)?$',
);

/** Where places have names in two languages, often written side by side: `Bolzano/Bozen`. */
const BILINGUAL = new Set(['AO', 'BZ', 'GO', 'TN', 'TS', 'UD']);
const CITIES = new Map([
  ['reggio nell emilia', 'reggio emilia'],
  ['reggio di calabria', 'reggio calabria'],
]);
/** Letters that no accent is taken off, though carriers write them in ASCII. */
const ASCII = table('æ ae, œ oe, ø o, ł l, đ d');

interface Street {
  readonly name: string;
  readonly number: string | null;
  readonly interior: string | null;
}

/**
 * Whether what a carrier knows is the address asked about, written in another way. What the carrier says nothing of is
 * not compared. In doubt they are different: a needless suggestion costs a glance, a wrong "valid" a parcel. So an initial
 * is no first name: `G. Rossi` may be Giovanni or Giuseppe.
 */
export function sameAddress(asked: AskedAddress, known: KnownAddress): boolean {
  // A country or a province alone is no address.
  if (!isSaid(known.city) && !isSaid(known.zip)) return false;
  const isItalian = asked.country === 'IT';
  return (
    (!isSaid(known.country) || folded(known.country) === folded(asked.country)) &&
    (!isSaid(known.zip) || plainZip(known.zip) === plainZip(asked.zip)) &&
    (!isSaid(known.province) || asked.provincia === null || sameProvince(asked.provincia, known.province, isItalian)) &&
    (!isSaid(known.city) || sameCity(asked, known.city)) &&
    sameStreet(asked, known, isItalian)
  );
}

function sameStreet(asked: AskedAddress, { streetLine1, streetLine2 }: KnownAddress, isItalian: boolean): boolean {
  // The second line often has the place again.
  const second = isSaid(streetLine2) && !sameCity(asked, streetLine2) ? streetLine2 : '';
  const text = `${streetLine1 ?? ''} ${second}`;
  if (!isSaid(text)) return true;
  if (!isItalian) return folded(text) === folded(asked.address);
  const ours = italianStreet(asked.address);
  const theirs = italianStreet(text);
  // Registries list streets, with neither numbers nor what lies within a building.
  return (
    sameWords(ours.name, theirs.name) &&
    (theirs.number === null || theirs.number === ours.number) &&
    (theirs.interior === null || theirs.interior === ours.interior)
  );
}

function italianStreet(text: string): Street {
  const words = folded(text.normalize('NFC').replace(/[°º]/g, ' ').replace(INNER_DOT, withoutInnerDot))
    .replace(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, ' ')
    .split(' ')
    .map(word => ABBREVIATIONS.get(word) ?? word);
  words[0] = FIRST_ABBREVIATIONS.get(words[0] ?? '') ?? words[0] ?? '';
  const plain = words
    .join(' ')
    .replace(/\b(?:al )?km (\d+) (\d+)\b/g, (_, whole, part) => `km ${whole}.${part}`.replace(/\.?0+$/, ''))
    .replace(/\bs n c\b/g, 'snc')
    .replace(/\b(?:n|nr|num|n ?c|(?:numero )?civico|numero|civ) (?=\d)/g, '')
    .replace(/(?<!\d[ .])\b0+(?=\d)/g, '')
    .replace(/\bs ?([spr]) (?=\d)/g, (_, road: string) => `strada ${ROADS.get(road)} `)
    // A road's own number belongs to its name: written together with it, it is not taken for a house's.
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

/** Dots within known abbreviations only: `G.Lo Presti` is two words. */
function withoutInnerDot(all: string, beginning: string, end: string): string {
  return ABBREVIATIONS.has(normalizedName(beginning + end)) ? beginning + end : all;
}

function sameCity({ city, provincia, country }: AskedAddress, known: string): boolean {
  if (country !== 'IT') return folded(city) === folded(known);
  const ours = cityNames(city, provincia);
  const theirs = cityNames(known, provincia);
  const areAmong = (some: readonly string[], others: readonly string[]) =>
    some.every(one => others.some(other => sameWords(one, other)));
  return areAmong(ours, theirs) || areAmong(theirs, ours);
}

function cityNames(text: string, province: string | null): string[] {
  // Often written with its province: Livigno (SO). Another than asked about makes it another place.
  const name = text.replace(/\((\p{L}{2})\)\s*$/u, (all, code: string) =>
    sameProvince(province ?? '', code, true) ? '' : all,
  );
  const names = BILINGUAL.has(provinceCode(province ?? '') ?? '') ? name.split(/\/|\s[-–]\s/) : [name];
  return names.map(folded).map(one => CITIES.get(one) ?? one);
}

function sameProvince(asked: string, known: string, isItalian: boolean): boolean {
  const plain = (text: string) => (isItalian ? provinceCode(text) : undefined) ?? folded(text);
  return plain(asked) === plain(known);
}

/** Word by word. `S.` is any saint; written out, San (Santo, Sant') and Santa are two. */
function sameWords(some: string, others: string): boolean {
  const [ours, theirs] = [some.split(' '), others.split(' ')];
  return ours.length === theirs.length && ours.every((word, i) => sameWord(word, theirs[i] ?? ''));
}

function sameWord(one: string, other: string): boolean {
  const [a, b] = [SAINTS.get(one) ?? one, SAINTS.get(other) ?? other];
  return a === b || (a === 's' && isSaint(b)) || (b === 's' && isSaint(a));
}

function isSaint(word: string): boolean {
  return word === 'san' || word === 'santa';
}

function isSaid(text: string | null): text is string {
  return text !== null && normalizedName(text) !== '';
}

function plainZip(zip: string): string {
  return folded(zip).replaceAll(' ', '');
}

/** Normalized; capitals first, since that makes SS of ß. */
function folded(text: string): string {
  return normalizedName(text.normalize('NFKC').toUpperCase()).replace(
    /[æœøłđ]/g,
    letter => ASCII.get(letter) ?? letter,
  );
}

function table(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split(/,\s*/)
      .map(entry => entry.split(' ') as [string, string]),
  );
}
