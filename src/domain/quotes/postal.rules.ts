const PAGE = 100;
const PAGES = 1000;
const DIGITS = 5;

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly rule: number;
}

/**
 * The postal codes of one country, each leading to the narrowest rule that holds it. Digits are looked up by the first
 * five of them, shorter codes filled with zeros behind, in two steps of an array; codes with letters, and those given with
 * more digits, by their text.
 */
export class PostalTable {
  readonly #intervals = new Map<string, Interval>();
  readonly #texts = new Map<string, number>();
  readonly #beginnings = new Map<string, number>();
  /** Lengths of the beginnings, longest first. */
  #lengths: number[] = [];
  readonly #pages: (Int32Array | undefined)[] = new Array(PAGES);
  /** All pages in one piece, once most of them are there: one step in place of two. */
  #whole: Int32Array | undefined;

  /** Adds a code, or a beginning that ends in `*`. @returns a rule that has the same already */
  add(code: string, rule: number): number | undefined {
    const beginning = code.endsWith('*') ? code.slice(0, -1) : undefined;
    const digits = beginning ?? code;
    if (/^\d{1,5}$/.test(digits)) return this.addRange(digits, digits, rule);
    const map = beginning === undefined ? this.#texts : this.#beginnings;
    const known = map.get(digits);
    if (known === undefined) map.set(digits, rule);
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
   * @returns pairs of rules that overlap otherwise
   */
  build(): { rule: number; other: number }[] {
    this.#lengths = [...new Set([...this.#beginnings.keys()].map(({ length }) => length))].toSorted((a, b) => b - a);
    const sorted = [...this.#intervals.values()].toSorted((a, b) => a.from - b.from || b.to - a.to);
    const crossings: { rule: number; other: number }[] = [];
    // The ranges that hold the place reached, the narrowest last; each is written as far as nothing narrower follows.
    const open: Interval[] = [];
    let written = 0;
    const writeTo = (end: number) => {
      for (;;) {
        const inner = open.at(-1);
        if (inner === undefined) break;
        this.#fill(written, Math.min(inner.to, end), inner.rule);
        written = Math.max(written, Math.min(inner.to, end) + 1);
        if (inner.to > end) break;
        open.pop();
      }
      written = Math.max(written, end + 1);
    };
    for (const interval of sorted) {
      writeTo(interval.from - 1);
      const around = open.at(-1);
      if (around !== undefined && around.to < interval.to) crossings.push({ rule: interval.rule, other: around.rule });
      open.push(interval);
    }
    writeTo(10 ** DIGITS - 1);
    this.#intervals.clear();
    if (this.#pages.filter(page => page !== undefined).length > PAGES / 4) this.#join();
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
    if (number < 0) return -1;
    if (this.#whole !== undefined) return this.#whole[number] as number;
    return this.#pages[Math.floor(number / PAGE)]?.[number % PAGE] ?? -1;
  }

  #join(): void {
    this.#whole = new Int32Array(PAGE * PAGES).fill(-1);
    for (const [i, page] of this.#pages.entries()) if (page) this.#whole.set(page, i * PAGE);
    this.#pages.length = 0;
  }

  #fill(from: number, to: number, rule: number): void {
    for (let code = from; code <= to; code++) {
      const index = Math.floor(code / PAGE);
      let page = this.#pages[index];
      if (page === undefined) {
        page = new Int32Array(PAGE).fill(-1);
        this.#pages[index] = page;
      }
      page[code % PAGE] = rule;
    }
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
