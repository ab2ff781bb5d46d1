import type { Steps } from '../../platform/limits/slices.ts';
import { sortedSteps } from '../steps.rules.ts';

const PAGE = 100;
const PAGES = 1000;
const DIGITS = 5;
/** Up to so many ranges are searched by bisection; more are worth a table. */
const FEW = 64;
/** Ranges put in their place between two pauses. */
const PAUSE_EVERY = 200;

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly rule: number;
}

/**
 * The postal codes of one country, each leading to the narrowest rule that holds it. Digits are looked up by the first
 * five of them, shorter codes filled with zeros behind; codes with letters, and those given with more digits, by their
 * text. What it costs to look up, and the memory it takes, follow from its own rules and not from the places they name.
 */
export class PostalTable {
  readonly #intervals = new Map<string, Interval>();
  readonly #texts = new Map<string, number>();
  readonly #beginnings = new Map<string, number>();
  readonly #lengthsSeen = new Set<number>();
  /** Lengths of the beginnings, longest first. */
  #lengths: number[] = [];
  #digits: DigitTable = new FewRanges([]);
  /** The rule of the range that a range lies in; only where it may be asked for. */
  #around: ReadonlyMap<number, number> | undefined;

  /** Adds a code, or a beginning that ends in `*`. @returns a rule that has the same already */
  add(code: string, rule: number): number | undefined {
    const beginning = code.endsWith('*') ? code.slice(0, -1) : undefined;
    const digits = beginning ?? code;
    if (/^\d{1,5}$/.test(digits)) return this.addRange(digits, digits, rule);
    const map = beginning === undefined ? this.#texts : this.#beginnings;
    const known = map.get(digits);
    if (known === undefined) map.set(digits, rule);
    if (beginning !== undefined) this.#lengthsSeen.add(digits.length);
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
   * To be called once all is added. Ranges must lie within each other or apart.
   *
   * @param canSkip whether `findWithout` may be asked
   * @returns pairs of rules that overlap otherwise
   */
  *build(canSkip = false): Steps<{ rule: number; other: number }[]> {
    this.#lengths = [...this.#lengthsSeen].toSorted((a, b) => b - a);
    const sorted = yield* sortedSteps([...this.#intervals.values()], (a, b) => a.from - b.from || b.to - a.to);
    this.#intervals.clear();
    const { ranges, crossings, around } = yield* flatten(sorted);
    if (canSkip) this.#around = around;
    this.#digits = ranges.length <= FEW ? new FewRanges(ranges) : yield* ManyRanges.steps(ranges);
    return crossings;
  }

  /** The rule of a plain code; −1 for none. */
  find(code: string): number {
    if (this.#texts.size > 0) {
      const rule = this.#texts.get(code);
      if (rule !== undefined) return rule;
    }
    for (const length of this.#lengths) {
      const rule = this.#beginnings.get(code.slice(0, length));
      if (rule !== undefined) return rule;
    }
    const number = numberOf(code);
    return number < 0 ? -1 : this.#digits.find(number);
  }

  /** The same where the next in order counts for a rule that does not. Apart, since few tariffs need it. */
  findWithout(code: string, isOut: (rule: number) => boolean): number {
    const beginnings = this.#lengths.map(length => this.#beginnings.get(code.slice(0, length)));
    const found = [this.#texts.get(code), ...beginnings].find(rule => rule !== undefined && !isOut(rule));
    if (found !== undefined) return found;
    const number = numberOf(code);
    let rule = number < 0 ? -1 : this.#digits.find(number);
    while (rule >= 0 && isOut(rule)) rule = this.#around?.get(rule) ?? -1;
    return rule;
  }

  /** About how many bytes of memory it takes. */
  get bytes(): number {
    return 1_000 + (this.#texts.size + this.#beginnings.size + (this.#around?.size ?? 0)) * 60 + this.#digits.bytes;
  }
}

/** Ranges that don't overlap any more, ascending: where one lies within another, the narrower. */
function* flatten(
  sorted: readonly Interval[],
): Steps<{ ranges: Interval[]; crossings: { rule: number; other: number }[]; around: Map<number, number> }> {
  const ranges: Interval[] = [];
  const within = new Map<number, number>();
  const crossings: { rule: number; other: number }[] = [];
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
  for (const [i, interval] of sorted.entries()) {
    if (i % PAUSE_EVERY === 0) yield;
    writeTo(interval.from - 1);
    const around = open.at(-1);
    if (around !== undefined && around.to < interval.to) crossings.push({ rule: interval.rule, other: around.rule });
    if (around !== undefined) within.set(interval.rule, around.rule);
    open.push(interval);
  }
  writeTo(10 ** DIGITS - 1);
  return { ranges, crossings, around: within };
}

interface DigitTable {
  find(number: number): number;
  readonly bytes: number;
}

class FewRanges implements DigitTable {
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #rules: Int32Array;

  constructor(ranges: readonly Interval[]) {
    this.#from = Int32Array.from(ranges, ({ from }) => from);
    this.#to = Int32Array.from(ranges, ({ to }) => to);
    this.#rules = Int32Array.from(ranges, ({ rule }) => rule);
  }

  find(number: number): number {
    let low = 0;
    let high = this.#to.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#to[middle] as number) < number) low = middle + 1;
      else high = middle;
    }
    return low < this.#from.length && (this.#from[low] as number) <= number ? (this.#rules[low] as number) : -1;
  }

  get bytes(): number {
    return 500 + this.#to.length * 12;
  }
}

/** A page for each hundred codes; once most pages differ, all in one piece, which is one step in place of two. */
class ManyRanges implements DigitTable {
  readonly #pages: (Int32Array | undefined)[] = new Array(PAGES);
  #whole: Int32Array | undefined;
  #made = 0;

  private constructor() {}

  static *steps(ranges: readonly Interval[]): Steps<ManyRanges> {
    const table = new ManyRanges();
    for (const [i, range] of ranges.entries()) {
      table.#fill(range);
      if (i % PAUSE_EVERY === 0) yield;
    }
    if (table.#made > PAGES / 4) table.#join();
    return table;
  }

  find(number: number): number {
    if (this.#whole !== undefined) return this.#whole[number] as number;
    return this.#pages[Math.floor(number / PAGE)]?.[number % PAGE] ?? -1;
  }

  get bytes(): number {
    return PAGES * 8 + (this.#whole ? PAGE * PAGES : this.#made * PAGE) * Int32Array.BYTES_PER_ELEMENT;
  }

  #join(): void {
    this.#whole = new Int32Array(PAGE * PAGES).fill(-1);
    for (const [i, page] of this.#pages.entries()) if (page) this.#whole.set(page, i * PAGE);
    this.#pages.length = 0;
  }

  #fill({ from, to, rule }: Interval): void {
    // A range over many pages is one page many times.
    let everywhere: Int32Array | undefined;
    for (let code = from; code <= to; ) {
      const index = Math.floor(code / PAGE);
      const end = Math.min(to, index * PAGE + PAGE - 1);
      if (end - code + 1 === PAGE) {
        everywhere ??= this.#newPage(rule);
        this.#pages[index] = everywhere;
      } else {
        const page = this.#pages[index] ?? this.#newPage(-1);
        page.fill(rule, code % PAGE, (end % PAGE) + 1);
        this.#pages[index] = page;
      }
      code = end + 1;
    }
  }

  #newPage(rule: number): Int32Array {
    this.#made++;
    return new Int32Array(PAGE).fill(rule);
  }
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
