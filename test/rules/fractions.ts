/** Fractions of whole numbers, in which the reference calculates prices exactly. */

const DECIMALS = new Map<number, Q>();

export class Q {
  readonly n: bigint;
  readonly d: bigint;
  constructor(n: bigint | number, d: bigint | number = 1) {
    this.n = BigInt(n);
    this.d = BigInt(d);
  }
  /**
   * The exact value as written: 0.1 is a tenth. A number is read once: a tariff's are asked for with every shipment.
   */
  static decimal(value = 0): Q {
    const known = DECIMALS.get(value);
    if (known) return known;
    const [whole = '0', fraction = ''] = String(value).split('.');
    const read = new Q(BigInt(whole + fraction), 10n ** BigInt(fraction.length));
    DECIMALS.set(value, read);
    return read;
  }
  plus(o: Q): Q {
    return this.d === o.d ? new Q(this.n + o.n, this.d) : new Q(this.n * o.d + o.n * this.d, this.d * o.d);
  }
  minus(o: Q): Q {
    return this.plus(new Q(-o.n, o.d));
  }
  times(o: Q): Q {
    return new Q(this.n * o.n, this.d * o.d);
  }
  over(o: Q): Q {
    return new Q(this.n * o.d, this.d * o.n);
  }
  above(o: Q): boolean {
    return this.n * o.d > o.n * this.d;
  }
  max(o: Q): Q {
    return o.above(this) ? o : this;
  }
  min(o: Q): Q {
    return this.above(o) ? o : this;
  }
  /** Not below zero. */
  ceil(): Q {
    return new Q((this.n + this.d - 1n) / this.d);
  }
  upTo(step: Q): Q {
    return this.over(step).ceil().times(step);
  }
  /** Half up to the cent. */
  cent(): Q {
    return new Q((this.n * 200n + this.d) / (this.d * 2n), 100);
  }
  cents(): number {
    return Number((this.n * 100n) / this.d);
  }
}
export const ZERO = new Q(0);
export const HUNDRED = new Q(100);
export const q = Q.decimal;

/** The exact value as written, which may be below zero. */
export const signed = (value: number | undefined) =>
  value !== undefined && value < 0 ? ZERO.minus(q(-value)) : q(value);
