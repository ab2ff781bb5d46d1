/** Compares names of places and of streets: in one case, without accents, and with any abbreviation of a saint. */

/** Unambiguous abbreviations of a saint, without inner dots (`S.ta` is `sta`). */
export const SAINT_ABBREVIATIONS = wordTable(`
  sto santo, sta santa, santissimo santi, santissima santi, santissimi santi, ssmo santi, ssma santi
`);
/** San, Santo and the abbreviations of any saint. Before a vowel, Sant' is Santo as well as Santa. */
const SAINTS = wordTable('santo san, s sant');
const INNER_DOT = /(?<![\p{L}\p{N}])(\p{L}{1,4})[./](\p{L}{2,6})(?!\p{L})/gu;
/** Letters without a decomposition, though carriers write them in ASCII. */
const ASCII = wordTable('æ ae, œ oe, ø o, ł l, đ d');
/** In a name with more saints, the others stay as they are. */
const MAX_SAINTS = 3;

/** ASCII names without anything to remove, as most are. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** Lower case, without accents, and with one space for any run of other characters. */
export function normalizedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Normalized, and in ASCII as far as possible; lower and then upper case first, which makes SS of ß and of ẞ. */
export function foldedName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalizedName(text.normalize('NFKC').toLowerCase().toUpperCase()).replace(
    /[æœøłđ]/g,
    letter => ASCII.get(letter) ?? letter,
  );
}

/** Removes dots only within known abbreviations: `G.Lo Presti` is two words. */
export function withoutInnerDots(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(INNER_DOT, (all, beginning: string, end: string) =>
    known.has(normalizedName(beginning + end)) ? beginning + end : all,
  );
}

/** Compares word by word. `S.` and `Sant'` match any saint; San (or Santo) and Santa differ. */
export function sameWords(some: string, others: string): boolean {
  const [ours, theirs] = [some.split(' '), others.split(' ')];
  return ours.length === theirs.length && ours.every((word, i) => sameWord(word, theirs[i] ?? ''));
}

function sameWord(one: string, other: string): boolean {
  const [a, b] = [saint(one), saint(other)];
  return a === b || (a === ANY_SAINT && isSaint(b)) || (b === ANY_SAINT && isSaint(a));
}

const ANY_SAINT = 'sant';

/** San for Santo, and Sant' for an `S.`; other words stay. */
export function saint(word: string): string {
  return SAINTS.get(word) ?? word;
}

function isSaint(word: string): boolean {
  return word === 'san' || word === 'santa';
}

/** A name, and all forms that `sameWords` takes for equal, for look-ups in tables of names. */
export function saintForms(name: string): readonly string[] {
  if (!name.includes('san')) return [name];
  const words = name.split(' ');
  const saints = words.flatMap((word, i) => (word === ANY_SAINT || isSaint(word) ? [i] : []));
  if (saints.length === 0) return [name];
  let forms = [words];
  for (const i of saints.slice(0, MAX_SAINTS)) {
    const others = words[i] === ANY_SAINT ? ['san', 'santa'] : [ANY_SAINT];
    forms = forms.flatMap(form => [form, ...others.map(other => form.with(i, other))]);
  }
  return forms.map(form => form.join(' '));
}

/** Reads words and their replacements: `sto santo, sta santa`. */
export function wordTable(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split(/,\s*/)
      .map(entry => entry.split(' ') as [string, string]),
  );
}
