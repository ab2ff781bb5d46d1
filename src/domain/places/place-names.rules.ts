/** How names are compared, of places and of streets: in one case, without accents, and with a saint however abbreviated. */

/** Abbreviations of a saint that stand for one thing only, without a dot within (`S.ta` is `sta`). */
export const SAINT_ABBREVIATIONS = wordTable(`
  sto santo, sta santa, santissimo santi, santissima santi, santissimi santi, ssmo santi, ssma santi
`);
/** San, Santo and what is written for any saint. Before a vowel, Sant' is Santo as well as Santa. */
const SAINTS = wordTable('santo san, s sant');
const INNER_DOT = /(?<![\p{L}\p{N}])(\p{L}{1,4})[./](\p{L}{2,6})(?!\p{L})/gu;
/** Letters that no accent is taken off, though carriers write them in ASCII. */
const ASCII = wordTable('æ ae, œ oe, ø o, ł l, đ d');
/** Of a name with more saints, the others stand as they are. */
const MAX_SAINTS = 3;

/** What is in ASCII already, which most names are, without anything to take off. */
const PLAIN = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/;

/** Small letters, no accents, and one space for whatever is neither letter nor digit. */
export function normalizedName(name: string): string {
  if (PLAIN.test(name)) return name.toLowerCase();
  return name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Normalized, and in ASCII where Latin letters allow; small letters and then capitals first, since that makes SS of ß and of ẞ. */
export function foldedName(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return normalizedName(text.normalize('NFKC').toLowerCase().toUpperCase()).replace(
    /[æœøłđ]/g,
    letter => ASCII.get(letter) ?? letter,
  );
}

/** Without the dots within known abbreviations only: `G.Lo Presti` is two words. */
export function withoutInnerDots(text: string, known: ReadonlyMap<string, string>): string {
  return text.replace(INNER_DOT, (all, beginning: string, end: string) =>
    known.has(normalizedName(beginning + end)) ? beginning + end : all,
  );
}

/** Word by word. `S.` and `Sant'` are any saint; San (or Santo) and Santa are two. */
export function sameWords(some: string, others: string): boolean {
  const [ours, theirs] = [some.split(' '), others.split(' ')];
  return ours.length === theirs.length && ours.every((word, i) => sameWord(word, theirs[i] ?? ''));
}

function sameWord(one: string, other: string): boolean {
  const [a, b] = [saint(one), saint(other)];
  return a === b || (a === ANY_SAINT && isSaint(b)) || (b === ANY_SAINT && isSaint(a));
}

const ANY_SAINT = 'sant';

/** San for Santo, and Sant' for an `S.`; any other word as it is. */
export function saint(word: string): string {
  return SAINTS.get(word) ?? word;
}

function isSaint(word: string): boolean {
  return word === 'san' || word === 'santa';
}

/** A name as it is, and in every other form that `sameWords` takes for the same: for look-ups in tables of names. */
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

/** Words and what they stand for: `sto santo, sta santa`. */
export function wordTable(text: string): ReadonlyMap<string, string> {
  return new Map(
    text
      .trim()
      .split(/,\s*/)
      .map(entry => entry.split(' ') as [string, string]),
  );
}
