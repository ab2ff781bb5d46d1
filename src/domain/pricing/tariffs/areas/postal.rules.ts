import { inOrder } from './postal-order.rules.ts';

const DIGITS = 5;

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
 * The postal codes of one country, each with the narrowest rule that includes it. Codes are compared by their first five
 * digits, shorter codes filled with zeros behind. Where a range or a beginning has letters or more digits, all codes of
 * the country are compared by their order.
 */
export interface PostalTable {
  readonly texts: ReadonlyMap<string, number>;
  readonly ranges: Ranges;
  /** The country in whose order codes are compared; undefined where their digits are. */
  readonly order: string | undefined;
  /** The rule of the range that a range lies in; only where it may be asked for. */
  readonly around: ReadonlyMap<number, number> | undefined;
  readonly bytes: number;
}

/** Ranges of codes as numbers, ascending, which do not overlap. */
interface Ranges {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly rules: Int32Array;
}

/** The narrowest rule of a plain code, without those that `isOut` excludes; −1 for none. */
export function findCode(table: PostalTable, code: string, isOut?: (rule: number) => boolean): number {
  const exact = table.texts.get(code);
  if (exact !== undefined && !isOut?.(exact)) return exact;
  let rule = findRange(table, code);
  while (isOut !== undefined && rule >= 0 && isOut(rule)) rule = table.around?.get(rule) ?? -1;
  return rule;
}

function findRange({ ranges: { from, to, rules }, order }: PostalTable, code: string): number {
  const number = order === undefined ? numberOf(code) : wideNumber(inOrder(order, code), 0);
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
   * @param canSkip whether `findCode` may be asked without some rules
   * @returns with pairs of rules that overlap otherwise
   */
  table(canSkip = false): { table: PostalTable; crossings: readonly Crossing[] } {
    const isWide = this.#isWide;
    const intervals = [...this.#spans.values()].map(isWide ? wideInterval : digitInterval);
    const sorted = intervals.sort((a, b) => a.from - b.from || b.to - a.to);
    const { ranges, crossings, around } = flatten(sorted, isWide ? BASE ** WIDTH - 1 : 10 ** DIGITS - 1);
    const texts = this.#texts.size + (canSkip ? around.size : 0);
    const table = {
      texts: this.#texts,
      ranges: {
        from: Float64Array.from(ranges, ({ from }) => from),
        to: Float64Array.from(ranges, ({ to }) => to),
        rules: Int32Array.from(ranges, ({ rule }) => rule),
      },
      order: isWide ? this.#countryCode : undefined,
      around: canSkip ? around : undefined,
      bytes: 1_500 + texts * 60 + ranges.length * 20,
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
  const [first, last] = isOfDigits
    ? [from.replace(/(?<=^0|[^0])0+$/, ''), to.replace(/(?<=^9|[^9])9+$/, '')]
    : [from, to];
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
