import type { Issue } from '../../../../platform/fault.ts';
import { columnName, type Row } from '../../../../platform/tables/sent-table.ts';
import { type FoundColumn, Header } from '../../../common/tables/mapped-table.rules.ts';
import type { MappedColumn } from './invoice-mapping.format.rules.ts';

/** The header of an invoice, which remembers the columns that are read. */

/** A column of the file, and what it is read as. */
export interface ReadColumn {
  readonly field: string;
  readonly column: string;
  readonly header: string;
}

/** The names of columns at the end of a message; nothing if there are none. */
export function oneOf(names: readonly string[]): string {
  return names.length === 0 ? '' : `: one of ${names.join(', ')}`;
}

export class InvoiceHeader {
  readonly #header: Header;
  readonly #issues: Issue[];
  readonly columns: ReadColumn[] = [];

  constructor(row: Row, issues: Issue[]) {
    this.#header = new Header(row);
    this.#issues = issues;
  }

  get row(): number {
    return this.#header.row;
  }

  get names(): readonly string[] {
    return this.#header.names;
  }

  /** The position of a column, or -1. @param field what it is read as, if it is */
  find(column: MappedColumn, field?: string): number {
    return this.found(column, field)?.at[0] ?? -1;
  }

  found(column: MappedColumn, field?: string): FoundColumn | undefined {
    const found = this.#header.find(column);
    if (found === undefined) return undefined;
    if (field === undefined) return found;
    for (const again of this.#header.duplicatesOf(found)) {
      const message = `must have another name: column ${columnName(found.at[0] ?? 0)} has this one`;
      this.#issues.push({ path: [this.row, columnName(again)], code: 'duplicate', message });
    }
    this.columns.push(...found.at.map(at => ({ field, column: columnName(at), header: this.#header.label(at) })));
    return found;
  }
}

/** The names of columns, for a message. */
export function namesOf(column: MappedColumn | undefined): string[] {
  return [column ?? []].flat().map(one => (typeof one === 'string' ? one : one.all.join(' + ')));
}
