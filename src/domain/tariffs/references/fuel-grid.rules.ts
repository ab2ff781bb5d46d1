import { type Issue, requireNone } from '../../../platform/fault.ts';
import { decimalComma } from '../../common/csv.rules.ts';
import { trimmedCells } from '../grid/spreadsheet.rules.ts';
import type { IndexRate } from './references.rules.ts';

/** Months of an index as a person keeps them in a spreadsheet: the header `month;percent`, and a row for each month. */

/** A percentage from a month on. */
export interface MonthRate {
  /** `2026-01`. */
  readonly month: string;
  readonly percent: number;
}

/**
 * Reads the cells. A path in its issues is row and column as a spreadsheet counts them.
 *
 * @throws Fault `validation_failed`
 */
export function ratesInCells(rows: readonly (readonly string[])[]): MonthRate[] {
  const [header = [], ...others] = rows.map(trimmedCells);
  const issues: Issue[] = [];
  if (header[0] !== 'month' || header[1] !== 'percent' || header.length > 2)
    issues.push({ path: [1, 'A'], code: 'required', message: 'must be month, with percent beside it' });
  const rates: MonthRate[] = [];
  for (const [i, [month = '', percent = '', ...more]] of others.entries()) {
    if (month === '' && percent === '') continue;
    const value = percent.replace(',', '.');
    if (!/^\d{1,3}(\.\d{1,4})?$/.test(value))
      issues.push({
        path: [i + 2, 'B'],
        code: 'invalid_decimal',
        message: 'must be a percentage with at most 4 decimals',
      });
    if (!/^20\d\d-(0[1-9]|1[0-2])$/.test(month))
      issues.push({ path: [i + 2, 'A'], code: 'invalid_format', message: 'must be a month such as 2026-01' });
    if (more.length > 0)
      issues.push({ path: [i + 2, 'C'], code: 'unknown_field', message: 'has more cells than the first row' });
    rates.push({ month, percent: Number(value) });
  }
  requireNone(issues);
  return rates;
}

/** The cells of an index, the header first. */
export function cellsOfRates(rates: readonly IndexRate[]): string[][] {
  return [['month', 'percent'], ...rates.map(({ from, percent }) => [from.slice(0, 7), decimalComma(percent)])];
}
