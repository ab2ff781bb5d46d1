import { inOrder } from './postal-order.rules.ts';

const PAGE = 100;
const PAGES = 1000;
const DIGITS = 5;
/** The most ranges that are searched by bisection; a table with more ranges has pages. */
const FEW = 64;

/** How many letters and digits of a code are compared; no country has longer codes. */
const WIDTH = 10;
/** Digits, letters, and a blank that comes before them. */
const BASE = 37;

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly rule: number;
}

/** Rules of two ranges, neither of which lies within the other. */
interface Crossing {
  readonly rule: number;
  readonly other: number;
}

/** A rule for postal codes, from the first code that begins with `from` to the last that begins with `to`. */
interface Span {
  readonly from: string;
  readonly to: string;
  readonly rule: number;
}

/**
 * The postal codes of one country, each with the narrowest rule that includes it. Digits are looked up by the first
 * five of them, shorter codes filled with zeros behind. Where a range or a beginning has letters or more digits, all
 * codes of the country are looked up by their order. The time of a look-up and the memory of the table depend on the
 * rules of the country, not on the places that they name.
 */
export interface PostalTable {
  readonly texts: ReadonlyMap<string, number>;
  readonly digits: FewRanges | Pages;
  /** Takes the place of `digits`. */
  readonly wide: WideRanges | undefined;
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

/** Ranges of codes in the order of their country, ascending, as numbers of `BASE`. */
interface WideRanges {
  readonly countryCode: string;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly rules: Int32Array;
}

/**
 * A page for each hundred codes. Once most pages differ, one array holds all codes, so that a look-up takes one step,
 * not two.
 */
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
  return findRangeOf(table, code);
}

function findRangeOf({ digits, wide }: PostalTable, code: string): number {
  if (wide !== undefined) return findWide(wide, code);
  const number = numberOf(code);
  return number < 0 ? -1 : findNumber(digits, number);
}

/**
 * Returns the narrowest rule of a plain code that is not excluded by `isOut`; −1 for none. It is separate from
 * `findCode`, which most tariffs use and which stays faster without the loop.
 */
export function findCodeWithout(table: PostalTable, code: string, isOut: (rule: number) => boolean): number {
  const exact = table.texts.get(code);
  if (exact !== undefined && !isOut(exact)) return exact;
  let rule = findRangeOf(table, code);
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

/**
 * Finds the rule of a code by the order of codes in its country. It is separate from `findRange`, since its arrays are
 * of another type.
 */
function findWide({ countryCode, from, to, rules }: WideRanges, code: string): number {
  const number = wideNumber(inOrder(countryCode, code), 0);
  let low = 0;
  let high = to.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((to[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  return low < from.length && (from[low] as number) <= number ? (rules[low] as number) : -1;
}

/** Gathers the postal codes of one country into a table. */
export class PostalCodes {
  readonly #countryCode: string;
  readonly #spans = new Map<string, Span>();
  readonly #texts = new Map<string, number>();
  #isWide = false;

  constructor(countryCode = '') {
    this.#countryCode = countryCode;
  }

  /** Adds a code, or a beginning that ends in `*`. @returns a rule that has the same already */
  add(code: string, rule: number): number | undefined {
    const beginning = code.endsWith('*') ? code.slice(0, -1) : undefined;
    if (beginning !== undefined || /^\d{1,5}$/.test(code)) {
      const end = beginning ?? code;
      return this.addRange(end, end, rule);
    }
    const known = this.#texts.get(code);
    if (known === undefined) this.#texts.set(code, rule);
    return known;
  }

  /** The ends are beginnings of codes in the order of the country. @returns a rule that has the same range already */
  addRange(from: string, to: string, rule: number): number | undefined {
    const isOfDigits = /^\d{1,5}$/.test(from);
    if (!isOfDigits) this.#isWide = true;
    const key = isOfDigits ? `${from.padEnd(DIGITS, '0')}-${to.padEnd(DIGITS, '9')}` : `${from}-${to}`;
    const known = this.#spans.get(key);
    if (known === undefined) this.#spans.set(key, { from, to, rule });
    return known?.rule;
  }

  /**
   * The table of all added rules. Ranges must lie within each other or apart.
   *
   * @param canSkip whether `findCodeWithout` may be asked
   * @returns with pairs of rules that overlap otherwise
   */
  table(canSkip = false): { table: PostalTable; crossings: readonly Crossing[] } {
    const isWide = this.#isWide;
    const intervals = [...this.#spans.values()].map(isWide ? wideInterval : digitInterval);
    const sorted = intervals.sort((a, b) => a.from - b.from || b.to - a.to);
    const { ranges, crossings, around } = flatten(sorted, isWide ? BASE ** WIDTH - 1 : 10 ** DIGITS - 1);
    const { digits, bytes } = ranges.length <= FEW || isWide ? fewRanges(isWide ? [] : ranges) : pagesOf(ranges);
    const texts = this.#texts.size + (canSkip ? around.size : 0);
    const table = {
      texts: this.#texts,
      digits,
      wide: isWide ? wideRanges(this.#countryCode, ranges) : undefined,
      around: canSkip ? around : undefined,
      bytes: 1_000 + texts * 60 + bytes + (isWide ? ranges.length * 20 : 0),
    };
    return { table, crossings };
  }
}

function digitInterval({ from, to, rule }: Span): Interval {
  return { from: Number(from.padEnd(DIGITS, '0')), to: Number(to.padEnd(DIGITS, '9')), rule };
}

/** Digits that `padEnd` would add are left out, so that `10*` lies within `1000-1999` here too. */
function wideInterval({ from, to, rule }: Span): Interval {
  const isOfDigits = /^\d+$/.test(from);
  const [first, last] = isOfDigits ? [from.replace(/(?!^)0+$/, ''), to.replace(/(?!^)9+$/, '')] : [from, to];
  return { from: wideNumber(first, 0), to: wideNumber(last, BASE - 1), rule };
}

/** The first places of a text in order as one number; those that it does not have are filled. */
function wideNumber(text: string, fill: number): number {
  let number = 0;
  for (let i = 0; i < WIDTH; i++) number = number * BASE + (i < text.length ? placeOf(text.charCodeAt(i)) : fill);
  return number;
}

/** A blank comes before digits, and digits come before letters. */
function placeOf(character: number): number {
  if (character >= 48 && character <= 57) return character - 47;
  return character >= 65 && character <= 90 ? character - 54 : 0;
}

function wideRanges(countryCode: string, ranges: readonly Interval[]): WideRanges {
  return {
    countryCode,
    from: Float64Array.from(ranges, ({ from }) => from),
    to: Float64Array.from(ranges, ({ to }) => to),
    rules: Int32Array.from(ranges, ({ rule }) => rule),
  };
}

/** Ranges that no longer overlap, ascending: where one lies within another, the narrower one counts. */
function flatten(
  sorted: readonly Interval[],
  last: number,
): {
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
  writeTo(last);
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
