import { type Cell, TABLE_LIMITS, UnreadableTable } from './sent-table.ts';

/** Reads the numbers of a workbook by the formats of their cells: dates, percentages or plain numbers. */

export type NumberKind = 'number' | 'date' | 'percent';

/** Formats that Excel has without naming them in the file. */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47, 50, 51, 52, 53, 54, 55, 56,
  57, 58,
]);
const BUILT_IN_PERCENTS = new Set([9, 10]);

/** The most characters of a format, as Excel has it. */
const FORMAT_CHARACTERS = 255;

/** The kind of a format that Excel has. */
export function builtInKind(id: number): NumberKind {
  return BUILT_IN_DATES.has(id) ? 'date' : BUILT_IN_PERCENTS.has(id) ? 'percent' : 'number';
}

/** @param code a format in the file, such as `dd/mm/yyyy` */
export function numberKind(code: string): NumberKind {
  // Texts, escaped characters, colours and currencies. One that is not closed takes in the rest.
  const bare = code.slice(0, FORMAT_CHARACTERS).replace(/"[^"]*(?:"|$)|\\.|_.|\*.|\[[^\]]*(?:\]|$)/g, '');
  if (/[dmyhs]/i.test(bare) && !/general/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'number';
}

const DAY_MS = 86_400_000;
/** Day 0 of a workbook, which counts a 29 February 1900 that did not exist. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_465;

/** The content of a number's cell, by its text in the file. */
export function cellOfNumber(text: string, kind: NumberKind, is1904: boolean): Cell {
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) return text;
  // Sums in a workbook end in 0.00000000000001, which Excel does not show.
  const exact = Number(number.toPrecision(15));
  if (kind === 'percent') return `${Number((number * 100).toPrecision(15))}%`;
  if (kind === 'number' || exact < 0 || exact > LAST_DAY) return exact;
  const at = new Date((is1904 ? EPOCH_1904 : EPOCH_1900) + Math.round(exact * DAY_MS));
  const [day = '', time = ''] = at.toISOString().split('T');
  const ofDay = time.slice(0, 8);
  return ofDay === '00:00:00' ? day : `${day}T${ofDay}`;
}

/** `AB12` is column 27. Undefined for text that names no cell. */
export function columnOf(reference: string): number | undefined {
  const [, letters] = /^([A-Z]{1,3})\d*$/i.exec(reference) ?? [];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters.toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** The most characters that a cell can take in the file, if each is written as `_x0041_`. */
const WRITTEN_CHARACTERS = TABLE_LIMITS.cellCharacters * '_x0041_'.length;

/** The text of a cell and the next piece of it. @throws UnreadableTable once no cell can be as long */
export function lengthened(text: string, piece: string, path: readonly number[] = []): string {
  const longer = text + piece;
  if (longer.length <= WRITTEN_CHARACTERS) return longer;
  throw new UnreadableTable(`has a cell of more than ${TABLE_LIMITS.cellCharacters} characters`, path);
}

/** Characters that XML cannot have are written as `_x000D_`. */
export function unescaped(text: string): string {
  return text.replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
