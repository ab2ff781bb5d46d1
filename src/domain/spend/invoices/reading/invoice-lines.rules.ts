import { type BilledLine, numberOf } from '../billed-line.rules.ts';

/** Groups rows to lines: each row is a line, or all rows with one number are, each with another charge. */
export class InvoiceLines {
  readonly #all: BilledLine[] = [];
  readonly #areCharges: boolean;
  readonly #open = new Map<string, number>();

  constructor(areCharges: boolean) {
    this.#areCharges = areCharges;
  }

  add(row: BilledLine): void {
    const line = this.#areCharges ? withVatOfCharge(row) : row;
    const number = numberOf(line);
    if (!this.#areCharges || number === null) {
      this.#all.push(line);
      return;
    }
    const at = this.#open.get(number);
    const before = at === undefined ? undefined : this.#all[at];
    // A charge that the line already has starts a new line, because it may be billed twice.
    const isMore = before !== undefined && !before.charges.some(({ name }) => name === line.charges[0]?.name);
    if (at === undefined || !isMore) {
      this.#open.set(number, this.#all.length);
      this.#all.push(line);
      return;
    }
    this.#all[at] = joined(before, line);
  }

  get all(): readonly BilledLine[] {
    return this.#all;
  }
}

/** The percentage of VAT in a row belongs to its charge. */
function withVatOfCharge(row: BilledLine): BilledLine {
  const { vatPpm, charges } = row;
  return vatPpm === null ? row : { ...row, charges: charges.map(charge => ({ ...charge, vatPpm })) };
}

/** Facts are taken from any of the rows; stated amounts are added up. */
function joined(one: BilledLine, other: BilledLine): BilledLine {
  const facts = Object.fromEntries(
    Object.entries(other).map(([name, value]) => [name, one[name as keyof BilledLine] ?? value]),
  ) as unknown as BilledLine;
  const added = (name: 'netCents' | 'vatCents') =>
    one[name] === null && other[name] === null ? null : (one[name] ?? 0) + (other[name] ?? 0);
  return {
    ...facts,
    vatPpm: one.vatPpm === other.vatPpm ? one.vatPpm : null,
    netCents: added('netCents'),
    vatCents: added('vatCents'),
    charges: [...one.charges, ...other.charges],
  };
}
