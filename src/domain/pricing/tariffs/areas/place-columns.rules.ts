import { type Issue, requireNone } from '../../../../platform/fault.ts';
import { type Cell, columnName, textsOf } from '../../../../platform/tables/sent-table.ts';
import { readText } from '../../../common/tables/cell-values.rules.ts';
import type { PlaceList } from './place.format.rules.ts';

/** Places as a person keeps them in a spreadsheet: a column for each kind, headed by the name that `to` of a zone has. */

const FIELDS = ['postalCodes', 'municipalities', 'towns', 'provinces', 'regions', 'countries'] as const;

/** Places, and the row and column of each as a spreadsheet counts them. */
interface PlacesInCells {
  readonly places: PlaceList;
  readonly cellOf: (path: Issue['path']) => Issue['path'];
}

/**
 * Reads the cells. An empty cell is skipped, since the columns differ in length.
 *
 * @throws Fault `validation_failed`, whose paths are row and column
 */
export function placesInCells(rows: readonly (readonly Cell[])[]): PlacesInCells {
  const [first = [], ...others] = rows;
  const header = textsOf(first);
  const issues: Issue[] = [];
  const places: Record<string, string[]> = {};
  const rowsOf: Record<string, number[]> = {};
  for (const [i, field] of header.entries()) {
    const path = [1, columnName(i)];
    if (!FIELDS.some(known => known === field))
      issues.push({ path, code: 'unknown_field', message: `must be one of ${FIELDS.join(', ')}` });
    else if (places[field]) issues.push({ path, code: 'duplicate', message: `is given already: ${field}` });
    places[field] ??= [];
    rowsOf[field] ??= [];
  }
  for (const [i, cells] of others.entries()) {
    for (const [j, cell] of cells.entries()) {
      const field = header[j];
      const path = [i + 2, columnName(j)];
      const read = readText(cell);
      if ('code' in read) {
        issues.push({ path, ...read });
        continue;
      }
      if (read.value === '') continue;
      if (field === undefined) {
        const message = 'has more cells than the first row';
        issues.push({ path, code: 'unknown_field', message });
        continue;
      }
      places[field]?.push(read.value);
      rowsOf[field]?.push(i + 2);
    }
  }
  requireNone(issues);
  const given = Object.fromEntries(Object.entries(places).filter(([, list]) => list.length > 0));
  const cellOf = ([field, index]: Issue['path']): Issue['path'] => {
    const column = header.indexOf(String(field));
    return [rowsOf[String(field)]?.[Number(index)] ?? 1, columnName(Math.max(column, 0))];
  };
  return { places: given, cellOf };
}
