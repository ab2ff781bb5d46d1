import type { Issue } from '../../../platform/fault.ts';
import { type Cell, columnName, type Row, textOf } from '../../../platform/tables/sent-table.ts';
import type { Header } from './mapped-table.rules.ts';
import type { RowProblem } from './row-problem.rules.ts';
import type { MappedColumn } from './table-mapping.format.rules.ts';

/** A mapping as it is shown to a person, who can choose for each column what it is read as. */

/** A column of a table, and one of the fields that it is read as. */
export interface ShownColumn {
  readonly column: string;
  readonly header: string;
  /** Its first values below the header. */
  readonly examples: readonly string[];
  readonly field?: string;
}

/** A field that a column can be read as. */
export interface MappingField {
  readonly name: string;
  readonly label: string;
  readonly description: string;
}

export interface ShownMapping {
  readonly mapping: { readonly name: string };
  readonly sheet: string | null;
  readonly headerRow: number;
  /** Columns that are read come first. A column of several fields has an entry for each. */
  readonly columns: readonly ShownColumn[];
  readonly fields: readonly MappingField[];
  /** Problems that keep the table from being read. Paths are the row and the column of the header. */
  readonly issues: readonly Issue[];
}

/** A column that a person has chosen for a field, by its header. */
export interface ChosenColumn {
  readonly header: string;
  readonly field: string;
}

const EXAMPLES = 3;
const MAX_EXAMPLE = 100;

/** A field, and the position of its column. */
export interface ReadAs {
  readonly field: string;
  readonly at: number;
}

export function shownColumns(header: Header, rows: Iterable<Row>, read: readonly ReadAs[]): ShownColumn[] {
  const first: (readonly Cell[])[] = [];
  for (const { cells } of rows) if (first.push(cells) === EXAMPLES) break;
  const shown = (at: number) => ({
    column: columnName(at),
    header: header.label(at),
    examples: first.map(cells => textOf(cells[at]).slice(0, MAX_EXAMPLE)),
  });
  const isRead = new Set(read.map(({ at }) => at));
  return [
    ...read.map(({ field, at }) => ({ field, ...shown(at) })),
    ...header.names.flatMap((name, at) => (name === '' || isRead.has(at) ? [] : [shown(at)])),
  ];
}

/**
 * The column of a field among those that were chosen. Several of one field are joined.
 *
 * @param known the column that the mapping had, which says what stands between joined texts
 */
export function chosenColumn(
  chosen: readonly ChosenColumn[],
  field: string,
  known: MappedColumn | undefined,
): MappedColumn | undefined {
  const headers = chosen.filter(one => one.field === field).map(({ header }) => header);
  if (headers.length < 2) return headers[0];
  const joined = [known ?? []].flat().find(one => typeof one === 'object');
  return { all: headers, by: joined?.by ?? ' ' };
}

/** Fields that no mapping has. Paths begin at the chosen columns. */
export function unknownFields(chosen: readonly ChosenColumn[], isKnown: (field: string) => boolean): Issue[] {
  return chosen.flatMap(({ field }, i): Issue[] =>
    isKnown(field)
      ? []
      : [{ path: [i, 'field'], code: 'not_allowed', message: 'must be one of `fields` of the mapping of the table' }],
  );
}

/** The issues of a mapping as problems of the header. */
export function headerProblems({ sheet, headerRow, columns, issues }: ShownMapping): RowProblem[] {
  return issues.map(({ path: [row, column], code, message }) => {
    const letter = column === undefined ? null : String(column);
    const header = columns.find(one => one.column === letter)?.header ?? null;
    const place = { sheet, row: Number(row ?? headerRow), column: letter, header, value: header };
    return { ...place, pointer: '', code, message };
  });
}
