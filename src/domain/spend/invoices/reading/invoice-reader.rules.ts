import { type Issue, MAX_ISSUES } from '../../../../platform/fault.ts';
import { type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import type { BilledLine } from '../billed-line.rules.ts';
import { RowReader } from './invoice-cells.rules.ts';
import { InvoiceHeader, type ReadColumn } from './invoice-header.rules.ts';
import { InvoiceLines } from './invoice-lines.rules.ts';
import type { ChargeKind, InvoiceMapping } from './invoice-mapping.format.rules.ts';

/** Reads the rows of an invoice by a mapping, and turns them into lines. */

export interface ReadInvoice {
  readonly lines: readonly BilledLine[];
  /** Its possible charges: a line with a base price bills the missing ones with 0.00. */
  readonly covers: readonly ChargeKind[];
}

/** Reads an invoice row by row, the header first. */
export class InvoiceReader {
  readonly #mapping: InvoiceMapping;
  readonly #issues: Issue[] = [];
  readonly #lines: InvoiceLines;
  readonly #rows: () => Iterable<Row>;
  #reader: RowReader | undefined;

  /** @param rows the rows below the header, which show how the file writes numbers */
  constructor(mapping: InvoiceMapping, rows: () => Iterable<Row> = () => []) {
    this.#mapping = mapping;
    this.#rows = rows;
    this.#lines = new InvoiceLines('name' in mapping.charges);
  }

  /** Whether reading can stop. */
  get isFull(): boolean {
    return this.#issues.length >= MAX_ISSUES;
  }

  /** The issues so far. */
  get issues(): readonly Issue[] {
    return this.#issues;
  }

  /** The columns that are read. */
  get columns(): readonly ReadColumn[] {
    return this.#reader?.columns ?? [];
  }

  add(row: Row): void {
    if (this.#reader === undefined) {
      this.#reader = new RowReader(new InvoiceHeader(row, this.#issues), this.#mapping, this.#issues, this.#rows);
    } else if (!this.#reader.skips(row.cells.map(textOf))) {
      const line = this.#reader.read(row);
      if (line !== undefined) this.#lines.add(line);
    }
  }

  /** The lines of the invoice, and the issues of its cells. */
  end(): { readonly invoice: ReadInvoice; readonly issues: readonly Issue[] } {
    const { all } = this.#lines;
    const { covers } =
      this.#reader ??
      new RowReader(new InvoiceHeader({ row: 1, cells: [] }, this.#issues), this.#mapping, this.#issues, this.#rows);
    if (this.#issues.length === 0 && all.length === 0)
      this.#issues.push({ path: [1], code: 'empty', message: 'must be followed by the lines of the invoice' });
    return { invoice: { lines: all, covers }, issues: this.#issues };
  }
}
