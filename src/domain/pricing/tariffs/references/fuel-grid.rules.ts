import { type Issue, requireNone } from '../../../../platform/fault.ts';
import { type Cell, columnName, textsOf } from '../../../../platform/tables/sent-table.ts';
import { decimalComma } from '../../../common/csv.rules.ts';
import { readDecimal } from '../../../common/decimal.rules.ts';
import { brokenCell, readNumber } from '../../../common/tables/cell-values.rules.ts';
import { DECIMALS } from '../units.rules.ts';
import { DAY_OR_MONTH, firstDayOf, type IndexRate } from './references.rules.ts';

/** An index as a person keeps it in a spreadsheet: the header `from;percent`, and a row for each percentage. */

/** A percentage, and the day or the month from which it holds. */
export interface WrittenRate {
  readonly from: string;
  readonly percent: number;
  /** The field of the input that has the day or the month, where it is not `from`. */
  readonly field?: string;
}

/**
 * Reads the cells. A path in its issues is row and column as a spreadsheet counts them.
 *
 * @throws Fault `validation_failed`
 */
export function ratesInCells(rows: readonly (readonly Cell[])[]): WrittenRate[] {
  const [header = [], ...others] = rows.map(textsOf);
  const issues: Issue[] = [];
  // `month` is the header of older files, which had whole months.
  const hasHeader = (header[0] === 'from' || header[0] === 'month') && header[1] === 'percent' && header.length === 2;
  if (!hasHeader) issues.push({ path: [1, 'A'], code: 'required', message: 'must be from, with percent beside it' });
  const rates: WrittenRate[] = [];
  for (const [i, [from = '', percent = '', ...more]] of others.entries()) {
    if (from === '' && percent === '') continue;
    // No percentage has thousands, so any sign separates the decimals.
    const read = readNumber(percent, 'percent', percent.includes(',') ? 'comma' : 'point');
    const value = 'decimal' in read ? (readDecimal(read.decimal, DECIMALS.percent)?.text ?? '') : '';
    const broken = [brokenCell(from), brokenCell(percent)];
    for (const [j, issue] of broken.entries()) if (issue) issues.push({ path: [i + 2, columnName(j)], ...issue });
    if (!broken[1] && !/^\d{1,3}(\.\d{1,4})?$/.test(value))
      issues.push({
        path: [i + 2, 'B'],
        code: 'invalid_decimal',
        message: 'must be a percentage with at most 4 decimals',
      });
    if (!broken[0] && firstDayOf(from) === undefined)
      issues.push({ path: [i + 2, 'A'], code: 'invalid_format', message: DAY_OR_MONTH });
    if (more.length > 0)
      issues.push({ path: [i + 2, 'C'], code: 'unknown_field', message: 'has more cells than the first row' });
    rates.push({ from, percent: Number(value) });
  }
  requireNone(issues);
  return rates;
}

/** The cells of an index, the header first. */
export function cellsOfRates(rates: readonly IndexRate[]): string[][] {
  return [['from', 'percent'], ...rates.map(({ from, percent }) => [from, decimalComma(percent)])];
}
