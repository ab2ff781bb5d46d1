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
  const at = cells.findIndex((cell, i) => i >= named && textOf(cell) !== '');
  if (at < 0) return undefined;
  return { at, code: 'too_many', message: 'must stand below the name of a column, or be empty' };
}
