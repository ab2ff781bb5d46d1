import type { NamedColumn } from '../domain/shipping/tracking/import/named-cells.rules.ts';
import { RejectedFile } from './rejected-file.ts';

/** Reads the header of a table whose columns have the names of fields. */

/**
 * Returns the column of each cell of a row.
 *
 * @param unread says of a rejected file how many rows were not read
 * @throws RejectedFile
 */
export function readHeader(
  file: string,
  cells: readonly string[],
  known: readonly NamedColumn[],
  unread: () => string,
): NamedColumn[] {
  const [ofKeys, fixed] = [known.filter(isOfKeys), known.filter(column => !isOfKeys(column))];
  const byName = new Map(fixed.map(column => [nameOf(column), column]));
  for (const cell of cells) {
    const column = ofKeys.find(one => cell.startsWith(`${nameOf(one)}.`) && cell !== `${nameOf(one)}.`);
    if (column) byName.set(cell, keyColumn(column, cell));
  }
  const columns = `Columns are ${known.map(column => nameOf(column) + (isOfKeys(column) ? '.KEY' : '')).join(', ')}`;
  if (cells.length > byName.size) {
    const most = `${file}: the header has ${cells.length} columns, and there are ${byName.size}`;
    throw new RejectedFile([most, columns, unread()]);
  }
  const missing = known.filter(column => column.isRequired && !cells.includes(nameOf(column)));
  const wrong = [
    ...cells.filter(cell => !byName.has(cell)).map(cell => `has ${JSON.stringify(cell)}, which is not a column`),
    ...cells.filter((cell, i) => cells.indexOf(cell) < i).map(cell => `has ${cell} twice`),
    ...missing.map(column => `lacks ${nameOf(column)}`),
  ];
  if (wrong.length === 0) return cells.map(cell => byName.get(cell) as NamedColumn);
  throw new RejectedFile([...wrong.map(what => `${file}: the header ${what}`), columns, unread()]);
}

const isOfKeys = ({ holds }: NamedColumn) => holds === 'keys';

/** The column `metadata.channel` stands for the key `channel`. */
function keyColumn(column: NamedColumn, name: string): NamedColumn {
  return { path: [...column.path, name.slice(nameOf(column).length + 1)], holds: 'text', isRequired: false };
}

function nameOf({ path }: NamedColumn): string {
  return path.join('.');
}
