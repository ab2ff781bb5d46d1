import { brokenCell, readText } from '../domain/common/tables/cell-values.rules.ts';
import { putField, rowFields } from '../domain/common/tables/row-fields.rules.ts';
import type { Issue } from '../platform/fault.ts';
import { type Cell, textOf } from '../platform/tables/sent-table.ts';
import type { InputColumn } from './import-columns.ts';
import { RejectedFile } from './rejected-file.ts';

/** A decimal with a comma, as Italian spreadsheets write it. */
const DECIMAL_COMMA = /^\d+,\d+$/;

/** Returns the column of each cell of a row. @throws RejectedFile */
export function readHeader(file: string, cells: readonly string[], known: readonly InputColumn[]): InputColumn[] {
  const [ofKeys, fixed] = [known.filter(isOfKeys), known.filter(column => !isOfKeys(column))];
  const byName = new Map(fixed.map(column => [nameOf(column), column]));
  for (const cell of cells) {
    const column = ofKeys.find(one => cell.startsWith(`${nameOf(one)}.`) && cell !== `${nameOf(one)}.`);
    if (column) byName.set(cell, keyColumn(column, cell));
  }
  const columns = `Columns are ${known.map(column => nameOf(column) + (isOfKeys(column) ? '.KEY' : '')).join(', ')}`;
  if (cells.length > byName.size) {
    throw new RejectedFile([`${file}: the header has ${cells.length} columns, and there are ${byName.size}`, columns]);
  }
  const missing = known.filter(column => column.isRequired && !cells.includes(nameOf(column)));
  const wrong = [
    ...cells.filter(cell => !byName.has(cell)).map(cell => `has ${JSON.stringify(cell)}, which is not a column`),
    ...cells.filter((cell, i) => cells.indexOf(cell) < i).map(cell => `has ${cell} twice`),
    ...missing.map(column => `lacks ${nameOf(column)}`),
  ];
  if (wrong.length === 0) return cells.map(cell => byName.get(cell) as InputColumn);
  throw new RejectedFile([...wrong.map(what => `${file}: the header ${what}`), columns]);
}

const isOfKeys = ({ holds }: InputColumn) => holds === 'keys';

/** The column `metadata.channel` stands for the key `channel`. */
function keyColumn(column: InputColumn, name: string): InputColumn {
  return { path: [...column.path, name.slice(nameOf(column).length + 1)], holds: 'text', isRequired: false };
}

/** The input in a row of cells; an empty cell leaves its field out. */
export function readCells(header: readonly InputColumn[], cells: readonly Cell[]): { value: object; issues: Issue[] } {
  const value = rowFields();
  const issues: Issue[] = [];
  for (const [i, column] of header.entries()) {
    const read = column.holds === 'text' ? readText(cells[i]) : (brokenCell(cells[i]) ?? { value: textOf(cells[i]) });
    if ('code' in read) {
      issues.push({ path: column.path, ...read });
      continue;
    }
    if (read.value === '') continue;
    try {
      putField(value, column.path, contentOf(column, read.value));
    } catch {
      issues.push({ path: column.path, code: 'malformed_json', message: 'must be a JSON array, such as []' });
    }
  }
  return { value, issues };
}

function nameOf({ path }: InputColumn): string {
  return path.join('.');
}

/** @throws SyntaxError for a list that is not JSON */
function contentOf({ holds }: InputColumn, cell: string): unknown {
  if (holds === 'list') return JSON.parse(cell);
  if (holds === 'decimal' && DECIMAL_COMMA.test(cell)) return cell.replace(',', '.');
  // Any other text stays a string, and is rejected as one.
  return holds === 'whole number' && /^-?\d{1,15}$/.test(cell) ? Number(cell) : cell;
}
