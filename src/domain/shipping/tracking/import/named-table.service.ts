import {
  columnName,
  type Row,
  type Sheet,
  type Table,
  textOf,
  textsOf,
} from '../../../../platform/tables/sent-table.ts';
import { hiddenUnread } from '../../../common/tables/import-remarks.rules.ts';
import type { Locale } from '../../../common/tables/locales.catalog.ts';
import type { CellPlace, ImportedRow } from '../../../common/tables/row-problem.rules.ts';
import { misalignment } from '../../../common/tables/row-width.rules.ts';
import { TotalRows } from '../../../common/tables/total-rows.rules.ts';
import { NamedCells, type NamedColumn } from './named-cells.rules.ts';

/** Reads tables of shipments and events, whose columns have the names of fields. Each row is a record, left out or a problem. */

export interface NamedRows {
  readonly rows: () => Iterable<ImportedRow>;
  /** Sentences about defaults of the rows that were read, and about sheets that were not. */
  readonly remarks: () => readonly string[];
}

export class NamedTable {
  readonly #sheet: Sheet;
  readonly #header: Row;
  readonly #ofSheets: readonly string[];

  private constructor(sheet: Sheet, header: Row, ofSheets: readonly string[]) {
    this.#sheet = sheet;
    this.#header = header;
    this.#ofSheets = ofSheets;
  }

  /** The table in the first sheet that has rows; undefined for an empty file. */
  static in({ sheets, hiddenSheets }: Table): NamedTable | undefined {
    const [first, ...others] = sheets.flatMap(sheet => {
      for (const header of sheet.rows()) return [{ sheet, header }];
      return [];
    });
    if (first === undefined) return undefined;
    const unread = others.map(({ sheet }) => sheet.name).join(', ');
    const only = unread === '' ? [] : [`Only the sheet ${first.sheet.name} was read, and not ${unread}.`];
    return new NamedTable(first.sheet, first.header, [...only, ...hiddenUnread(hiddenSheets)]);
  }

  get names(): string[] {
    return textsOf(this.#header.cells);
  }

  /** The rows below the header. */
  *below(): Generator<Row> {
    for (const row of this.#sheet.rows()) if (row.row > this.#header.row) yield row;
  }

  /** @param columns the column of each name */
  read(columns: readonly NamedColumn[], locale: Locale | undefined): NamedRows {
    const isText = this.#sheet.name === null;
    const cells = new NamedCells(columns, { rows: () => this.below(), isWorkbook: !isText, locale });
    const required = columns.flatMap(({ isRequired }, at) => (isRequired ? [at] : []));
    const numberAt = columns.findIndex(({ path }) => path.join('.') === 'trackingNumber');
    const rows = function* (this: NamedTable): Generator<ImportedRow> {
      const totals = new TotalRows(this.names);
      for (const row of this.below()) {
        const placeOf = (path: readonly (string | number)[]) => this.#placeOf(columns, row, path);
        const isRecord = required.every(at => textOf(row.cells[at]) !== '');
        const leftOut = totals.reasonOf(row.cells, textOf(row.cells[numberAt]), isRecord);
        const wrong = misalignment(this.#header.cells, row.cells, isText);
        const unread = { row: row.row, value: null, placeOf };
        if (leftOut !== undefined) yield { ...unread, issues: [], leftOut };
        else if (wrong) yield { ...unread, issues: [{ path: [], code: wrong.code, message: wrong.message }] };
        else yield { row: row.row, ...cells.read(row.cells), placeOf };
      }
    };
    return { rows: rows.bind(this), remarks: () => [...this.#ofSheets, ...cells.assumed] };
  }

  #placeOf(columns: readonly NamedColumn[], row: Row, path: readonly (string | number)[]): CellPlace {
    const names = columns.map(column => column.path.join('.'));
    const at = path.map((_, i) => names.indexOf(path.slice(0, i + 1).join('.'))).find(found => found >= 0);
    const ofCell =
      at === undefined
        ? { column: null, header: null, value: null }
        : { column: columnName(at), header: names[at] ?? null, value: textOf(row.cells[at]) };
    return { sheet: this.#sheet.name, ...row, ...ofCell };
  }
}
