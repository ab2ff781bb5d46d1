const PAGE = 100;
const PAGES = 1000;
const DIGITS = 5;
/** Up to so many ranges are searched by bisection; more are worth pages. */
const FEW = 64;

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly rule: number;
}

/** Rules of ranges of which neither lies within the other. */
interface Crossing {
  readonly rule: number;
  readonly other: number;
}

/**
 * The postal codes of one country, each leading to the narrowest rule that holds it. Digits are looked up by the first
 * five of them, shorter codes filled with zeros behind; codes with letters, and those given with more digits, by their
 * text. What it costs to look up, and the memory it takes, follow from its own rules and not from the places they name.
 */
export interface PostalTable {
  readonly texts: ReadonlyMap<string, number>;
  readonly beginnings: ReadonlyMap<string, number>;
  /** Of the beginnings, longest first. */
  readonly lengths: readonly number[];
  readonly digits: FewRanges | Pages;
  /** The rule of the range that a range lies in; only where it may be asked for. */
  readonly around: ReadonlyMap<number, number> | undefined;
  readonly bytes: number;
}

/** Ranges in ascending order. */
interface FewRanges {
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly rules: Int32Array;
}

/** A page for each hundred codes; once most pages differ, all in one piece, which is one step in place of two. */
interface Pages {
  readonly pages: readonly (Int32Array | undefined)[];
  readonly whole: Int32Array | undefined;
}

/** The rule of a plain code; −1 for none. */
export function findCode(table: PostalTable, code: string): number {
  if (table.texts.size > 0) {
    const rule = table.texts.get(code);
    if (rule !== undefined) return rule;
  }
  for (const length of table.lengths) {
    const rule = table.beginnings.get(code.slice(0, length));
    if (rule !== undefined) return rule;
  }
  const number = numberOf(code);
  return number < 0 ? -1 : findNumber(table.digits, number);
}

/** The same where the next in order counts for a rule that does not. Apart, since few tariffs need it. */
export function findCodeWithout(table: PostalTable, code: string, isOut: (rule: number) => boolean): number {
  const beginnings = table.lengths.map(length => table.beginnings.get(code.slice(0, length)));
  const found = [table.texts.get(code), ...beginnings].find(rule => rule !== undefined && !isOut(rule));
  if (found !== undefined) return found;
  const number = numberOf(code);
  let rule = number < 0 ? -1 : findNumber(table.digits, number);
  while (rule >= 0 && isOut(rule)) rule = table.around?.get(rule) ?? -1;
  return rule;
}

function findNumber(digits: FewRanges | Pages, number: number): number {
  if ('rules' in digits) return findRange(digits, number);
  if (digits.whole !== undefined) return digits.whole[number] as number;
  return digits.pages[Math.floor(number / PAGE)]?.[number % PAGE] ?? -1;
}

function findRange({ from, to, rules }: FewRanges, number: number): number {
  let low = 0;
  let high = to.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((to[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low < from.length && (from[low] as number) <= number ? (rules[low] as number) : -1;
}

/** Gathers the postal codes of one country, and makes a table of them. */
export class PostalCodes {
  readonly #intervals = new Map<string, Interval>();
  readonly #texts = new Map<string, number>();
  readonly #beginnings = new Map<string, number>();
  readonly #lengths = new Set<number>();

  /** Adds a code, or a beginning that ends in `*`. @returns a rule that has the same already */
  add(code: string, rule: number): number | undefined {
    const beginning = code.endsWith('*') ? code.slice(0, -1) : undefined;
    const digits = beginning ?? code;
    if (/^\d{1,5}$/.test(digits)) return this.addRange(digits, digits, rule);
    const map = beginning === undefined ? this.#texts : this.#beginnings;
    const known = map.get(digits);
    if (known === undefined) map.set(digits, rule);
    if (beginning !== undefined) this.#lengths.add(digits.length);
    return known;
  }

  /** Both ends have the same number of digits, at most five. @returns a rule that has the same range already */
  addRange(from: string, to: string, rule: number): number | undefined {
    const interval = { from: Number(from.padEnd(DIGITS, '0')), to: Number(to.padEnd(DIGITS, '9')), rule };
    const key = `${interval.from}-${interval.to}`;
    const known = this.#intervals.get(key);
    if (known === undefined) this.#intervals.set(key, interval);
    return known?.rule;
  }

  /**
   * The table of all that was added. Ranges must lie within each other or apart.
   *
   * @param canSkip whether `findCodeWithout` may be asked
   * @returns with pairs of rules that overlap otherwise
   */
  table(canSkip = false): { table: PostalTable; crossings: readonly Crossing[] } {
    const sorted = [...this.#intervals.values()].sort((a, b) => a.from - b.from || b.to - a.to);
    const { ranges, crossings, around } = flatten(sorted);
    const { digits, bytes } = ranges.length <= FEW ? fewRanges(ranges) : pagesOf(ranges);
    const texts = this.#texts.size + this.#beginnings.size + (canSkip ? around.size : 0);
    const table = {
      texts: this.#texts,
      beginnings: this.#beginnings,
      lengths: [...this.#lengths].sort((a, b) => b - a),
      digits,
      around: canSkip ? around : undefined,
      bytes: 1_000 + texts * 60 + bytes,
    };
    return { table, crossings };
  }
}

/** Ranges that don't overlap any more, ascending: where one lies within another, the narrower. */
function flatten(sorted: readonly Interval[]): {
  ranges: Interval[];
  crossings: Crossing[];
  around: Map<number, number>;
} {
  const ranges: Interval[] = [];
  const within = new Map<number, number>();
  const crossings: Crossing[] = [];
  // The ranges that hold the place reached, the narrowest last; each is written as far as nothing narrower follows.
  const open: Interval[] = [];
  let written = 0;
  const writeTo = (end: number) => {
    for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
      const to = Math.min(inner.to, end);
      if (written <= to) ranges.push({ from: written, to, rule: inner.rule });
      written = Math.max(written, to + 1);
      if (inner.to > end) break;
      open.pop();
    }
    written = Math.max(written, end + 1);
  };
  for (const interval of sorted) {
    writeTo(interval.from - 1);
    const around = open.at(-1);
    if (around !== undefined && around.to < interval.to) crossings.push({ rule: interval.rule, other: around.rule });
    if (around !== undefined) within.set(interval.rule, around.rule);
    open.push(interval);
  }
  writeTo(10 ** DIGITS - 1);
  return { ranges, crossings, around: within };
}

function fewRanges(ranges: readonly Interval[]): { digits: FewRanges; bytes: number } {
  const digits = {
    from: Int32Array.from(ranges, ({ from }) => from),
    to: Int32Array.from(ranges, ({ to }) => to),
    rules: Int32Array.from(ranges, ({ rule }) => rule),
  };
  return { digits, bytes: 500 + ranges.length * 12 };
}

function pagesOf(ranges: readonly Interval[]): { digits: Pages; bytes: number } {
  const pages: (Int32Array | undefined)[] = new Array(PAGES);
  let made = 0;
  const newPage = (rule: number) => {
    made++;
    return new Int32Array(PAGE).fill(rule);
  };
  for (const { from, to, rule } of ranges) {
    // A range over many pages is one page many times.
    let everywhere: Int32Array | undefined;
    for (let code = from; code <= to; ) {
      const index = Math.floor(code / PAGE);
      const end = Math.min(to, index * PAGE + PAGE - 1);
      if (end - code + 1 === PAGE) {
        everywhere ??= newPage(rule);
        pages[index] = everywhere;
      } else {
        const page = pages[index] ?? newPage(-1);
        page.fill(rule, code % PAGE, (end % PAGE) + 1);
        pages[index] = page;
      }
      code = end + 1;
    }
  }
  const isWhole = made > PAGES / 4;
  const bytes = PAGES * 8 + (isWhole ? PAGE * PAGES : made * PAGE) * Int32Array.BYTES_PER_ELEMENT;
  return { digits: isWhole ? { pages: [], whole: joined(pages) } : { pages, whole: undefined }, bytes };
}

function joined(pages: readonly (Int32Array | undefined)[]): Int32Array {
  const whole = new Int32Array(PAGE * PAGES).fill(-1);
  for (const [i, page] of pages.entries()) if (page) whole.set(page, i * PAGE);
  return whole;
}

/** The digits a code begins with, the first five, as a number; −1 where it begins with a letter. */
function numberOf(code: string): number {
  let number = 0;
  let digits = 0;
  for (let i = 0; i < code.length && digits < DIGITS; i++) {
    const digit = code.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) break;
    number = number * 10 + digit;
    digits++;
  }
  return digits === 0 ? -1 : number * 10 ** (DIGITS - digits);
}
