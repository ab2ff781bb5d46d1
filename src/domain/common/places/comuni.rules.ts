import type { IssueCode } from '../../../platform/issue-codes.ts';
import { KNOWN_COMUNI } from './caps.rules.ts';
import { BILINGUAL_PROVINCES, capCanBelong, provinceCode, provincesOfCap } from './italy.rules.ts';
import {
  foldedName,
  SAINT_ABBREVIATIONS,
  saint,
  saintForms,
  withoutInnerDots,
  wordTable,
} from './place-names.rules.ts';

/** Names of Italian comuni, as people, tariffs and carriers write them, and the CAPs with which a name counts. */

/** Prefixes of the name of a place within a comune. */
export const HAMLET_ABBREVIATIONS = wordTable('loc localita, locta localita, fraz frazione, frazne frazione');
const ABBREVIATIONS = new Map([...SAINT_ABBREVIATIONS, ...HAMLET_ABBREVIATIONS]);
const HAMLET_BEFORE = /^(?:(?:frazione|localita) (?:di )?)+(?=.)/;
const HAMLET_BEHIND = / (?:frazione|localita)(?: .*)?$/s;
const OTHER_NAMES = new Map([
  ['reggio nell emilia', 'reggio emilia'],
  ['reggio di calabria', 'reggio calabria'],
]);

/** The name of a comune in its comparable form: `Fraz. S. Agata` is `sant agata`. */
export function comuneName(text: string): string {
  const folded = foldedName(text.includes('.') ? withoutInnerDots(text.normalize('NFC'), ABBREVIATIONS) : text);
  if (!folded.includes(' ')) return inFull(folded);
  const name = folded
    .replace(/\bs ?s\b/g, 'santi')
    .split(' ')
    .map(inFull)
    .join(' ')
    .replace(HAMLET_BEFORE, '')
    .replace(HAMLET_BEHIND, '');
  return OTHER_NAMES.get(name) ?? name;
}

function inFull(word: string): string {
  return saint(ABBREVIATIONS.get(word) ?? word);
}

/**
 * The names of a comune in their comparable form: two for a name in two languages, `Bolzano/Bozen`. A province after
 * the name, `Livigno (SO)` or `Livigno SO`, is ignored if it is the given one: `Arena Po` is not in Prato.
 */
export function comuneNames(text: string, province: string | undefined): readonly string[] {
  const name = withoutProvince(text, province);
  return isBilingual(province) ? partsOf(name) : [comuneName(name)];
}

function isBilingual(province: string | undefined): boolean {
  return province !== undefined && BILINGUAL_PROVINCES.has(province);
}

function withoutProvince(text: string, province: string | undefined): string {
  const behind = provinceBehind(text);
  return behind !== undefined && behind.province === province ? behind.name : text;
}

function partsOf(text: string): string[] {
  const parts = text
    .split(/\/|\s[-–]\s/)
    .map(comuneName)
    .filter(name => name !== '');
  return parts.length > 1 ? parts : [comuneName(text)];
}

const IN_BRACKETS = /\(([^()]*)\)\s*$/;
const ALONE = /[\s,;–-](\p{L}{2})\.?\s*$/u;

/** The abbreviation of the province after a name, in brackets or alone; unchanged if it is unknown. */
function provinceBehind(text: string): { readonly name: string; readonly province: string } | undefined {
  const [all = '', said = ''] = (text.includes('(') && IN_BRACKETS.exec(text)) || (ALONE.exec(text) ?? []);
  const name = text.slice(0, text.length - all.length);
  return said === '' || !/\p{L}/u.test(name)
    ? undefined
    : { name, province: provinceCode(said) ?? said.trim().toUpperCase() };
}

const knownByName = Map.groupBy(KNOWN_COMUNI, ({ name }) => comuneName(name));

/** The possible provinces of a place with this CAP: if its comune or its name tells, one, else all of them. */
export function provincesOfPlace(cap: string, city: string): readonly string[] {
  const provinces = provincesOfCap(cap);
  if (provinces.length < 2) return provinces;
  const said = provinceBehind(city)?.province;
  if (said !== undefined && provinces.includes(said)) return [said];
  const known = provinces.filter(province =>
    comuneNames(city, province).some(name =>
      saintForms(name).some(form =>
        knownByName.get(form)?.some(comune => comune.province === province && comune.caps.includes(cap)),
      ),
    ),
  );
  return known.length > 0 ? known : provinces;
}

/** The keys of a place in a table of comuni, the most certain first: name with CAP, with province, and alone. */
export function comuneKeys(city: string, province: string | undefined, cap: string): readonly string[] {
  const forms = namesOf(withoutProvince(city, province), province).flatMap(saintForms);
  const inProvince = province === undefined ? [] : forms.map(form => keyOf(form, province));
  return [...forms.map(form => keyOf(form, cap)), ...inProvince, ...forms];
}

function keyOf(name: string, place: string): string {
  return `${name}|${place}`;
}

/** A comune as a rule names it: its keys in a table, and its issues. */
interface NamedComune {
  readonly keys: readonly string[];
  readonly issue?: { readonly code: IssueCode; readonly message: string };
}

/**
 * Reads `Livigno`, `Samone (TO)` or `Livigno (SO 23041 23030)`. A comune matches with the CAPs in brackets, else with
 * its known CAPs, else with every CAP of the province in brackets, else with every CAP.
 */
export function readComune(text: string): NamedComune {
  const [brackets = '', said = ''] = IN_BRACKETS.exec(text) ?? [];
  const name = text.slice(0, text.length - brackets.length);
  const words = said.split(/[\s,;]+/).filter(word => word !== '');
  const caps = words.filter(word => /^\d{5}$/.test(word));
  const rest = words.filter(word => !caps.includes(word)).join(' ');
  const province = provinceCode(rest);
  if (comuneName(name) === '') return { keys: [], issue: { code: 'invalid_text', message: 'must name a comune' } };
  if (brackets !== '' && province === undefined && (rest !== '' || caps.length === 0)) {
    return wrong('unknown_province', `names the province ${said}, which Italy does not have`);
  }
  const misplaced = caps.find(cap =>
    province === undefined ? provincesOfCap(cap).length === 0 : !capCanBelong(cap, province),
  );
  if (misplaced !== undefined) {
    const where = province === undefined ? 'no province' : `not to ${province}`;
    return wrong('postal_code_not_in_province', `names the CAP ${misplaced}, which belongs to ${where}`);
  }
  if (caps.length > 0) return { keys: namesOf(name, province).flatMap(one => caps.map(cap => keyOf(one, cap))) };
  if (province !== undefined) return { keys: namesOf(name, province).flatMap(one => keysIn(one, province)) };
  const behind = provinceBehind(name);
  // Livigno SO is Livigno in Sondrio; Arena Po is the name of a comune.
  const other = behind && provinceCode(behind.province) === behind.province ? behind : undefined;
  const inOther = other ? namesOf(other.name, other.province).flatMap(one => keysIn(one, other.province)) : [];
  const bilingual = partsOf(name);
  const inTwo =
    bilingual.length > 1 ? bilingual.flatMap(one => [...BILINGUAL_PROVINCES].map(code => keyOf(one, code))) : [];
  return { keys: [...keysAnywhere(comuneName(name)), ...inOther, ...inTwo] };
}

function wrong(code: IssueCode, message: string): NamedComune {
  return { keys: [], issue: { code, message } };
}

/** Both of two languages, and the two as one name: `Bolzano-Bozen`. */
function namesOf(name: string, province: string | undefined): readonly string[] {
  const whole = comuneName(name);
  return isBilingual(province) ? [...new Set([...partsOf(name), whole])] : [whole];
}

function keysIn(name: string, province: string): string[] {
  const known = knownByName.get(name)?.filter(comune => comune.province === province) ?? [];
  return known.length > 0 ? capKeys(name, known) : [keyOf(name, province)];
}

function keysAnywhere(name: string): string[] {
  const known = knownByName.get(name);
  return known ? capKeys(name, known) : [name];
}

function capKeys(name: string, known: typeof KNOWN_COMUNI): string[] {
  return known.flatMap(({ caps }) => caps.map(cap => keyOf(name, cap)));
}

/** A key with each saint in its equivalent forms. */
export function sameKeys(key: string): readonly string[] {
  const [name = '', ...place] = key.split('|');
  return saintForms(name).map(form => [form, ...place].join('|'));
}
