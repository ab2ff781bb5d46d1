import type { Issue } from '../../../../platform/fault.ts';
import type { Cell, Row } from '../../../../platform/tables/sent-table.ts';
import type { Unit } from '../../../common/tables/cell-values.rules.ts';
import { NumberColumns, numberIssue } from '../../../common/tables/number-columns.rules.ts';
import { DECIMALS, scaledSigned } from '../../../pricing/tariffs/units.rules.ts';
import type { InvoiceMapping } from './invoice-mapping.format.rules.ts';

/** Reads numbers of an invoice as counts of their last place: cents, grams, millionths. */

/** The limit on numbers of days, minutes, pallets and shipments. */
const MAX_COUNT = 10_000_000;

/** The unit of a number by its decimals. */
const UNITS: Readonly<Record<number, Unit>> = {
  [DECIMALS.money]: 'money',
  [DECIMALS.kg]: 'kg',
  [DECIMALS.percent]: 'percent',
  0: 'count',
};

export class InvoiceNumbers {
  readonly #columns: NumberColumns;
  readonly #rounding: InvoiceMapping['rounding'];

  /**
   * @param rows the rows below the header
   * @param decimals of each column of numbers
   */
  constructor(
    { decimals: sign, rounding }: InvoiceMapping,
    rows: () => Iterable<Row>,
    decimals: ReadonlyMap<number, number>,
  ) {
    const units = new Map([...decimals].map(([at, places]) => [at, unitOf(places)]));
    this.#columns = new NumberColumns(rows, units, sign);
    this.#rounding = rounding;
  }

  /** A count, or why there is none. */
  read(cell: Cell, decimals: number): number | Pick<Issue, 'code' | 'message'> {
    const unit = unitOf(decimals);
    const read = this.#columns.read(cell, unit);
    if ('wrong' in read) {
      return { code: read.wrong === 'currency' ? 'not_allowed' : 'invalid_decimal', message: numberIssue(read) };
    }
    const count = countOf(read.decimal, decimals, unit !== 'money' || this.#rounding === 'half_up');
    if (count === undefined) {
      const message = `must have at most ${decimals} decimals. State \`rounding\` in the mapping to have it rounded half up`;
      return { code: 'too_precise', message };
    }
    const isAllowed = decimals > 0 || (count >= 0 && count <= MAX_COUNT);
    return isAllowed ? count : { code: 'out_of_range', message: `must be from 0 to ${MAX_COUNT}` };
  }
}

function unitOf(decimals: number): Unit {
  return UNITS[decimals] ?? 'count';
}

/** A decimal as a count of its last place; undefined if it has more places and is not rounded. */
function countOf(decimal: string, decimals: number, rounds: boolean): number | undefined {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d{1,12})(?:\.(\d*))?$/.exec(decimal) ?? [];
  if (whole === '') return undefined;
  if (!rounds) return scaledSigned(decimal, decimals);
  const places = fraction.replace(/(?<!0)0+$/, '');
  const exact = places.padEnd(decimals, '0');
  const count = Number(whole + exact.slice(0, decimals)) + (Number(exact[decimals] ?? 0) >= 5 ? 1 : 0);
  return sign === '-' ? 0 - count : count;
}
