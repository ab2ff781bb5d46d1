import { type Cell, columnName, type Row, type Sheet, textOf } from '../../../platform/tables/sent-table.ts';
import { plainText, withoutEntities } from './cell-values.rules.ts';
import { normalName } from './header-names.rules.ts';
import type { MappedColumn } from './table-mapping.format.rules.ts';

/** Finds the columns of a mapping in a table: its sheet, its header, and the column of each field. */

/** A field's column, or several that are joined. */
export interface FoundColumn {
  readonly at: readonly number[];
  readonly by: string;
}

interface SkippedRows {
  readonly column: MappedColumn;
  readonly values: readonly string[];
}

interface TableMapping {
  readonly sheet?: string | undefined;
  readonly skip: readonly SkippedRows[];
}

/** A title, a logo and some facts may stand above the header. */
export const ROWS_FOR_HEADER = 30;

/** A header, and the columns that a mapping finds in it. */
export class Header {
  readonly row: number;
  readonly names: readonly string[];
  readonly #known: readonly string[];

  constructor({ row, cells }: Row) {
    this.row = row;
    this.names = cells.map(cell => withoutEntities(textOf(cell)));
    this.#known = this.names.map(normalName);
  }

  /** The first of the columns that the header has. */
  find(column: MappedColumn): FoundColumn | undefined {
    for (const one of [column].flat()) {
      const names = typeof one === 'string' ? [one] : one.all;
      const at = names.map(name => this.#known.indexOf(normalName(name))).filter(found => found >= 0);
      // A second line of an address may be missing; a last name without its first name is another column.
      if (at.length > 0 && this.#known.includes(normalName(names[0] ?? '')))
        return { at, by: typeof one === 'string' ? ' ' : one.by };
    }
    return undefined;
  }

  /** Columns with the name of another one, as pairs of positions. */
  duplicatesOf({ at }: FoundColumn): readonly number[] {
    return this.#known.flatMap((name, i) => (at.some(of => of !== i && this.#known[of] === name) ? [i] : []));
  }

  /** The name of a column as a spreadsheet shows it. */
  label(at: number): string {
    return this.names[at] || columnName(at);
  }
}

/** A sheet whose header has columns of a mapping. */
export interface MappedSheet<Field extends string> {
  readonly sheet: Sheet;
  readonly header: Header;
  readonly columns: ReadonlyMap<Field, FoundColumn>;
  /** The rows below the header, without those that the mapping leaves out. */
  rows(): Iterable<Row>;
  /** All rows below the header. */
  allRows(): Iterable<Row>;
  /** The column because of which the mapping leaves out a row. */
  skippedBy(cells: readonly Cell[]): number | undefined;
}

/**
 * The sheet and the header with most of the columns.
 *
 * @returns undefined if no row has any of them
 */
export function findColumns<Field extends string>(
  sheets: readonly Sheet[],
  columns: Readonly<Partial<Record<Field, MappedColumn>>>,
  { sheet: sheetName, skip }: TableMapping,
): MappedSheet<Field> | undefined {
  const fields = Object.entries(columns) as [Field, MappedColumn][];
  let best: { sheet: Sheet; header: Header; columns: Map<Field, FoundColumn> } | undefined;
  for (const sheet of sheets) {
    if (sheetName !== undefined && sheet.name !== null && normalName(sheet.name) !== normalName(sheetName)) continue;
    for (const header of headersOf(sheet)) {
      const found = new Map<Field, FoundColumn>();
      for (const [field, column] of fields) {
        const at = header.find(column);
        if (at) found.set(field, at);
      }
      if (found.size > (best?.columns.size ?? 0)) best = { sheet, header, columns: found };
    }
  }
  return best && belowHeader(best, skip);
}

/** The sheet and the row that are likely its header if no row has a column of the mapping: the first with most names. */
export function likelyHeader<Field extends string>(
  sheets: readonly Sheet[],
  { sheet: sheetName, skip }: TableMapping,
): MappedSheet<Field> | undefined {
  const sheet = sheets.find(({ name }) => sheetName === undefined || normalName(name ?? '') === normalName(sheetName));
  if (sheet === undefined) return undefined;
  const named = ({ names }: Header) => names.filter(name => name !== '').length;
  const [first, ...others] = headersOf(sheet);
  if (first === undefined) return undefined;
  const header = others.reduce((best, next) => (named(next) > named(best) ? next : best), first);
  return belowHeader({ sheet, header, columns: new Map() }, skip);
}

function belowHeader<Field extends string>(
  best: Omit<MappedSheet<Field>, 'rows' | 'allRows' | 'skippedBy'>,
  skip: TableMapping['skip'],
): MappedSheet<Field> {
  const { sheet, header } = best;
  const skippedBy = skipping(header, skip);
  const allRows = function* () {
    for (const row of sheet.rows()) if (row.row > header.row) yield row;
  };
  return {
    ...best,
    skippedBy,
    allRows,
    *rows() {
      for (const row of allRows()) if (skippedBy(row.cells) === undefined) yield row;
    },
  };
}

/** The rows of a sheet that may be its header. */
export function* headersOf(sheet: Sheet): Generator<Header> {
  let count = 0;
  for (const row of sheet.rows()) {
    if (++count > ROWS_FOR_HEADER) return;
    yield new Header(row);
  }
}

function skipping(header: Header, skip: readonly SkippedRows[]): (cells: readonly Cell[]) => number | undefined {
  const tests = skip.flatMap(({ column, values }) => {
    const found = header.find(column);
    return found ? [{ at: found.at, isOne: wordTest(values) }] : [];
  });
  return cells => {
    for (const { at, isOne } of tests) {
      const found = at.find(i => isOne(textOf(cells[i])));
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

/** Texts that programs write in an empty cell. */
const NOTHING = /^(?:0{1,4}([-/.]00){2}.*|0|null|n\/?a|no|none|false|-+)$/i;

/** Whether a text is one of several words; one that ends with * is a beginning, and * alone is any text. */
export function wordTest(words: readonly string[]): (text: string) => boolean {
  const whole = new Set(words.filter(word => !word.endsWith('*')).map(normalName));
  const beginnings = words
    .filter(word => word.length > 1 && word.endsWith('*'))
    .map(word => normalName(word.slice(0, -1)));
  return text => {
    const sought = normalName(text);
    if (words.includes('*') && sought !== '' && !NOTHING.test(text.trim())) return true;
    return whole.has(sought) || beginnings.some(beginning => sought.startsWith(beginning));
  };
}

/** The texts of a column, joined where there are several. */
export function joinedText({ at, by }: FoundColumn, cells: readonly Cell[]): string {
  return at
    .map(i => plainText(cells[i]))
    .filter(text => text !== '')
    .join(by);
}

type RowFields = Record<string, unknown>;

/** A record without a prototype, so that a header such as `metadata.__proto__` names a key, which the schema rejects. */
export function rowFields(): RowFields {
  return Object.create(null);
}

/**
 * Puts a cell of a row into a record by the path of its field.
 *
 * @param path such as `['recipient', 'city']`; a key of metadata is one name, whatever is in it
 */
export function putField(record: RowFields, [name = '', ...below]: readonly string[], content: unknown): void {
  if (below.length === 0) {
    record[name] = content;
    return;
  }
  record[name] ??= rowFields();
  putField(record[name] as RowFields, below, content);
}
