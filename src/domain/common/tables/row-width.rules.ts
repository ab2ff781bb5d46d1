import { type Cell, textOf, textsOf } from '../../../platform/tables/sent-table.ts';
import type { WrongCell } from './cell-values.rules.ts';

/**
 * Finds rows whose cells do not stand below the names of their columns. A sign between cells that is not quoted moves all
 * cells behind it (`Milano,2,5` is a weight of 2), and a line break divides a row.
 */

/**
 * Why a row cannot be read by its header; undefined if it can.
 *
 * @param isText whether the file is a text, whose rows have all cells; a workbook leaves empty ones out
 */
export function misalignment(
  header: readonly Cell[],
  cells: readonly Cell[],
  isText: boolean,
): (WrongCell & { readonly at?: number }) | undefined {
  const { length: named } = textsOf(header);
  if (isText && (cells.length < named || cells.length > header.length)) {
    const code = cells.length < named ? 'required' : 'too_many';
    const message = `has ${cells.length} ${cells.length === 1 ? 'cell' : 'cells'}, and the header has ${named}: each row must have as many. A cell with a line break or with the sign between cells in it must be in quotes`;
    return { code, message };
  }
  const joined = isText ? cells.findIndex(cell => joinsRows(cell, named)) : -1;
  if (joined >= 0) return { at: joined, code: 'not_allowed', message: JOINED };
  const at = cells.findIndex((cell, i) => i >= named && textOf(cell) !== '');
  if (at < 0) return undefined;
  return { at, code: 'too_many', message: 'must stand below the name of a column, or be empty' };
}

/** Why a cell with a row in it cannot be read, as the rest of a sentence about the cell. */
export const JOINED = 'must not have another row in it: a quote is left open above a line break';

/** Whether a quote joined the rest of a row with the next one: each line break has the signs of a whole row beside it. */
export function joinsRows(cell: Cell | undefined, columns: number): boolean {
  const text = textOf(cell);
  // Nearly all cells, and a file can have millions.
  if (columns < FEW_COLUMNS || !text.includes('\n')) return false;
  const [, ...lines] = text.split(/\r?\n/);
  return SIGNS.some(sign => {
    const count = text.split(sign).length - 1;
    // A row begins with a number, and a sentence with words.
    return count === lines.length * (columns - 1) && lines.every(line => /^\S+$/.test(line.split(sign, 1)[0] ?? ''));
  });
}

const SIGNS = [';', ',', '|'];
const FEW_COLUMNS = 4;
