import type { BilledLine } from '../billed-line.rules.ts';

/**
 * The sums of the amounts of an invoice, to tell a row of totals from a line without a number. A row of totals adds up
 * all rows above, or those since the last row of totals, or all rows of the file.
 */
export class RowSums {
  readonly #all = new Map<string, number>();
  #since = new Map<string, number>();

  add(line: BilledLine): void {
    for (const [name, cents] of amountsOf(line)) {
      this.#all.set(name, (this.#all.get(name) ?? 0) + cents);
      this.#since.set(name, (this.#since.get(name) ?? 0) + cents);
    }
  }

  /** Whether the amounts of a row are sums of the rows above; the rows below are then added up anew. */
  isTotal(line: BilledLine): boolean {
    const isOne = this.isTotalOfAll(line) || isSum(line, this.#since);
    if (isOne) this.#since = new Map();
    return isOne;
  }

  isTotalOfAll(line: BilledLine): boolean {
    return isSum(line, this.#all);
  }
}

function isSum(line: BilledLine, sums: ReadonlyMap<string, number>): boolean {
  const stated = [...amountsOf(line)].filter(([, cents]) => cents !== 0);
  return stated.length > 0 && stated.every(([name, cents]) => sums.get(name) === cents);
}

/** Whether a row states any amount. */
export function hasAmounts(line: BilledLine): boolean {
  return [...amountsOf(line).values()].some(cents => cents !== 0) || (line.vatCents ?? 0) !== 0;
}

/** The amounts of a row by their names. VAT is left out: a carrier may round it once per invoice. */
function amountsOf({ netCents, charges }: BilledLine): Map<string, number> {
  const amounts = new Map<string, number>(netCents === null ? [] : [['total', netCents]]);
  for (const { kinds, lines, cents } of charges) {
    const name = `charge ${[...kinds, ...lines].join()}`;
    amounts.set(name, (amounts.get(name) ?? 0) + cents);
  }
  return amounts;
}
