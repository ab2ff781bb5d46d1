import type { Issue } from '../../../../platform/fault.ts';
import { type Cell, columnName, type Sheet } from '../../../../platform/tables/sent-table.ts';
import { readDay, type Unit } from '../../../common/tables/cell-values.rules.ts';
import { Header } from '../../../common/tables/mapped-table.rules.ts';
import { notANumber, type Place, type PlacedCell, type Reading } from './read-rows.rules.ts';
import { VERSION } from './workbook-sheets.rules.ts';

/** Rows of a sheet whose first row is its header. */

export interface SheetRow {
  readonly header: Header;
  readonly cells: readonly (PlacedCell | undefined)[];
  readonly place: Place;
}

/** The rows below the header that are not empty. */
export function rowsOfSheet({ name, rows }: Sheet): SheetRow[] {
  const [first, ...others] = rows();
  if (first === undefined) return [];
  const header = new Header(first);
  return others.map(({ row, cells }) => ({
    header,
    place: [name ?? '', row],
    cells: cells.map((cell, i) =>
      cell === '' ? undefined : { cell, place: [name ?? '', row, columnName(i)] as const },
    ),
  }));
}

/** The position of a column of the row's sheet, or -1. */
function positionOf({ header }: SheetRow, name: string): number {
  return header.find(name)?.at[0] ?? -1;
}

export function cellIn(row: SheetRow, name: string): PlacedCell | undefined {
  return row.cells[positionOf(row, name)];
}

/** The first day of the version of a row; the only one may be left out. */
export function versionOf(row: SheetRow, versions: readonly string[], { issues }: Reading): string | undefined {
  const stated = cellIn(row, VERSION);
  if (stated === undefined) {
    const [only, other] = versions;
    if (other === undefined) return only;
    issues.push({ path: row.place, code: 'required', message: `must say the version: ${versions.join(' or ')}` });
    return undefined;
  }
  const day = readDay(stated.cell) ?? '';
  if (versions.includes(day)) return day;
  const message = `must be the first day of a version: ${versions.join(' or ')}`;
  issues.push({ path: stated.place, code: 'not_allowed', message });
  return undefined;
}

interface OtherCell {
  readonly header: string;
  readonly number: number | undefined;
  readonly place: Place;
}

/** Reads the cells of a row by the names of their columns; `others` are the columns that have none of these. */
export function inFields(row: SheetRow, names: readonly string[], reading: Reading) {
  const numberOf = (cell: Cell, unit: Unit, place: Place): number | undefined => {
    const read = reading.readNumber(cell, unit, place);
    if (!('wrong' in read)) return Number(read.decimal);
    reading.issues.push({ path: place, code: 'invalid_decimal', message: notANumber(read) });
    return undefined;
  };
  const named = new Set(names.map(name => positionOf(row, name)));
  return {
    textIn(name: string): string | undefined {
      const found = cellIn(row, name);
      return found && String(found.cell).trim();
    },
    numberIn(name: string, unit: Unit): number | undefined {
      const found = cellIn(row, name);
      return found && numberOf(found.cell, unit, found.place);
    },
    others(unit: Unit): OtherCell[] {
      return row.cells.flatMap((found, i) => {
        if (found === undefined || named.has(i)) return [];
        return [
          { header: row.header.names[i] ?? '', number: numberOf(found.cell, unit, found.place), place: found.place },
        ];
      });
    },
    issue(name: string, code: Issue['code'], message: string): void {
      reading.issues.push({ path: cellIn(row, name)?.place ?? row.place, code, message });
    },
  };
}
