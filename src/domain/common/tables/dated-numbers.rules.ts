import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';
import { type ReadText, readText } from './cell-values.rules.ts';

/** Finds numbers such as `3-5` and `5/2026` of which a spreadsheet has made a date, in the languages of its users. */

const MONTHS = [
  'gen jan ene janv jän',
  'feb févr fév',
  'mar mär mrz mars',
  'apr abr avr avril',
  'mag may mai',
  'giu jun juin',
  'lug jul juil',
  'ago aug août',
  'set sep sept',
  'ott oct okt',
  'nov',
  'dic dec dez déc',
].map(names => names.split(' '));
const MONTH = `(${MONTHS.flat().join('|')})`;
/** `03-mag`, `03-mag-26`, `3. Mai`. */
const DAY_AND_MONTH = new RegExp(`^(\\d{1,2})(?:-|\\. ?)${MONTH}\\.?(?:[- ]\\d{2,4})?$`, 'i');
/** `mag-26`, `Mai 26`. */
const MONTH_AND_YEAR = new RegExp(`^${MONTH}\\.?[- ](\\d\\d)$`, 'i');
/** A whole number that a program took for a decimal. */
const FLOAT = /^(\d{2,})[.,]0$/;
/** A date as the reader of workbooks writes it: ISO 8601. */
const DATE_CELL = /^(\d{4})-(\d{2})-(\d{2})(?:T00:00:00)?$/;

/**
 * A cell of a column of numbers as texts, or with a number in its text, such as the number of a house.
 *
 * @param isWorkbook whether a date in ISO 8601 is a cell with a date, since no other cell is written so
 */
export function readNumberText(cell: Cell | undefined, isWorkbook: boolean): ReadText {
  const [, whole] = typeof cell === 'string' ? (FLOAT.exec(cell.trim()) ?? []) : [];
  if (whole !== undefined)
    return {
      code: 'invalid_text',
      message: `must be saved as text: a program has made ${textOf(cell)} of a number such as ${whole}`,
    };
  const readings = typeof cell === 'string' ? readingsOf(cell.trim(), isWorkbook) : [];
  if (readings.length === 0) return readText(cell);
  const message = `must be saved as text: the spreadsheet has made the date ${textOf(cell)} of a number such as ${readings.join(' or ')}`;
  return { code: 'invalid_text', message };
}

/** The numbers that a date may have been. */
function readingsOf(text: string, isWorkbook: boolean): readonly string[] {
  const [, day, name] = DAY_AND_MONTH.exec(text) ?? [];
  if (day !== undefined) return [`${Number(day)}-${monthOf(name)}`, `${Number(day)}/${monthOf(name)}`];
  const [, first, year] = MONTH_AND_YEAR.exec(text) ?? [];
  if (first !== undefined) return [`${monthOf(first)}-${year}`, `${monthOf(first)}/${year}`];
  const [, ofYear, ...rest] = (isWorkbook ? DATE_CELL.exec(text) : null) ?? [];
  if (ofYear === undefined) return [];
  const [month, at] = rest.map(Number);
  return [`${at}-${month}`, `${at}/${month}`, ...(at === 1 ? [`${month}/${ofYear}`] : [])];
}

function monthOf(name = ''): number {
  return MONTHS.findIndex(names => names.includes(name.toLowerCase())) + 1;
}
