import { type Issue, MAX_ISSUES } from '../../../../platform/fault.ts';
import { type Cell, columnName, type Row, textOf } from '../../../../platform/tables/sent-table.ts';
import { numberIn } from '../../../common/tables/cell-values.rules.ts';
import { isTotalLabel } from '../../../common/tables/total-rows.rules.ts';
import { money } from '../../../pricing/tariffs/units.rules.ts';
import { type BilledLine, netOf, numberOf } from '../billed-line.rules.ts';
import { type ReadRow, RowReader } from './invoice-cells.rules.ts';
import { InvoiceHeader, type ReadColumn } from './invoice-header.rules.ts';
import { InvoiceLines } from './invoice-lines.rules.ts';
import { type ChargeKind, type InvoiceMapping, isAccountKind } from './invoice-mapping.format.rules.ts';
import { hasAmounts, RowSums } from './row-sums.rules.ts';

/** Reads the rows of an invoice by a mapping, and turns them into lines. Each row is part of a line, left out or a problem. */

/** The reasons to leave rows out, as sentences about such a row. */
const LEFT_OUT = {
  skipped: 'it has a value by which the mapping leaves rows out',
  header: 'it repeats the header',
  total: 'its amounts are sums of other rows',
  empty: 'it has neither a number nor an amount',
  informative: 'it only informs, or states the VAT of the whole invoice',
} as const;
type LeftOutReason = keyof typeof LEFT_OUT;

/** Rows that are left out for one reason. */
export interface LeftOutRows {
  readonly reason: string;
  readonly count: number;
  /** The first of them. */
  readonly row: number;
}

/** The rows below the header: each is part of a line, is left out, or is wrong. */
export interface RowCounts {
  readonly total: number;
  readonly read: number;
  readonly leftOut: readonly LeftOutRows[];
  /** A wrong row rejects the invoice. */
  readonly wrong: number;
}

export interface ReadInvoice {
  readonly lines: readonly BilledLine[];
  /** Its possible charges: a line with a base price bills the missing ones with 0.00. */
  readonly covers: readonly ChargeKind[];
}

/** A row without a number, which may be a row of totals. */
interface Numberless {
  readonly row: Row;
  readonly line: BilledLine;
}

/** Charges that do not add up to the totals of fewer rows are findings. */
const MIN_WRONG_TOTALS = 3;

/** Reads an invoice row by row, the header first. */
export class InvoiceReader {
  readonly #mapping: InvoiceMapping;
  readonly #issues: Issue[] = [];
  readonly #lines: InvoiceLines;
  readonly #rows: () => Iterable<Row>;
  readonly #sums = new RowSums();
  readonly #leftOut = new Map<LeftOutReason, { count: number; readonly row: number }>();
  readonly #numberless: Numberless[] = [];
  #header: InvoiceHeader | undefined;
  #reader: RowReader | undefined;
  #total = 0;
  #read = 0;
  #wrong = 0;
  /** Rows that state a total, and those whose charges come to another sum. */
  readonly #totals = { stated: 0, wrong: 0 };
  /** The columns that are not read, and have what the charges lack to the total of each row so far. */
  #unread: readonly number[] | undefined;

  /** @param rows the rows below the header, which show how the file writes numbers */
  constructor(mapping: InvoiceMapping, rows: () => Iterable<Row> = () => []) {
    this.#mapping = mapping;
    this.#rows = rows;
    this.#lines = new InvoiceLines('name' in mapping.charges);
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
    if (this.#reader === undefined || this.#header === undefined) {
      this.#header = new InvoiceHeader(row, this.#issues);
      this.#reader = new RowReader(this.#header, this.#mapping, this.#issues, this.#rows);
      return;
    }
    this.#total++;
    const cells = row.cells.map(textOf);
    const { names } = this.#header;
    const before = this.#issues.length;
    if (this.#reader.skips(cells)) this.#leaveOut('skipped', row.row);
    else if (names.every((name, at) => name === (cells[at] ?? ''))) this.#leaveOut('header', row.row);
    else this.#addRow(row, cells, this.#reader);
    if (this.#issues.length > before) this.#reject();
  }

  /** Counts a wrong row. The rows behind the limit of issues are counted too. */
  #reject(): void {
    this.#wrong++;
    this.#issues.length = Math.min(this.#issues.length, MAX_ISSUES);
  }

  #addRow(row: Row, cells: readonly string[], reader: RowReader): void {
    const before = this.#issues.length;
    const read = reader.read(row);
    if (read === undefined) return;
    const { line } = read;
    // The row is reported, and is in the sums nonetheless.
    if (this.#issues.length > before) this.#sums.add(line);
    else if (read.isNothing) this.#leaveOut('informative', row.row);
    else if (isNumbered(read)) this.#addLine(read, row.cells);
    else if (!hasAmounts(line)) this.#leaveOut('empty', row.row);
    else if (line.charges.length === 0 && line.netCents === null) this.#leaveOut('informative', row.row);
    else if (isOfAccount(line) && !cells.some(isTotalLabel)) this.#addLine(read, row.cells);
    else if (this.#sums.isTotal(line)) this.#leaveOut('total', row.row);
    else this.#numberless.push({ row, line });
  }

  #addLine(read: ReadRow, cells: readonly Cell[]): void {
    this.#read++;
    this.#sums.add(read.line);
    this.#lines.add(read);
    const { netCents, charges } = read.line;
    if (netCents === null) return;
    this.#totals.stated++;
    const missing = netCents - charges.reduce((sum, { cents }) => sum + cents, 0);
    if (missing !== 0) this.#totals.wrong++;
    this.#unread ??= this.#unreadColumns();
    this.#unread = this.#unread.filter(at => Math.round((numberIn(cells[at] ?? '') ?? 0) * 100) === missing);
  }

  #unreadColumns(): number[] {
    const read = new Set(this.columns.map(({ column }) => column));
    return (this.#header?.names ?? []).flatMap((_, at) => (read.has(columnName(at)) ? [] : [at]));
  }

  #leaveOut(reason: LeftOutReason, row: number): void {
    const known = this.#leftOut.get(reason);
    if (known) known.count++;
    else this.#leftOut.set(reason, { count: 1, row });
  }

  /** The lines of the invoice, and the issues of its cells. */
  end(): { readonly invoice: ReadInvoice; readonly rows: RowCounts; readonly issues: readonly Issue[] } {
    if (this.#reader === undefined) return NO_ROWS;
    const reader = this.#reader;
    for (const { row, line } of this.#numberless) {
      if (this.#sums.isTotalOfAll(line)) this.#leaveOut('total', row.row);
      else {
        reader.reject(
          row,
          `must be the number of a shipment: the row bills ${money(netOf(line))}, and its amounts are not the sums of other rows`,
        );
        this.#reject();
      }
    }
    const lines = this.#lines.all;
    const { stated, wrong } = this.#totals;
    const [lacking] = wrong > 0 ? (this.#unread ?? []) : [];
    const name = lacking === undefined ? undefined : this.#header?.names[lacking];
    if (this.#issues.length === 0 && (name || (wrong >= MIN_WRONG_TOTALS && wrong * 2 > stated))) {
      const others = name ? `the column ${name}, which has the rest` : 'the other columns with amounts';
      const message = `must have columns for all amounts: in ${wrong} of ${stated} rows, the charges that are read do not come to the total of the row. Choose ${others}`;
      this.#issues.push({ path: [this.#header?.row ?? 1], code: 'required', message });
      this.#read -= wrong;
      this.#wrong += wrong;
    }
    if (this.#issues.length === 0 && lines.length === 0)
      this.#issues.push({ path: [1], code: 'empty', message: 'must be followed by the lines of the invoice' });
    const leftOut = [...this.#leftOut].map(([name, of]) => ({ ...of, reason: LEFT_OUT[name] }));
    return {
      invoice: { lines, covers: reader.covers },
      rows: { total: this.#total, read: this.#read, leftOut, wrong: this.#wrong },
      issues: this.#issues,
    };
  }
}

const EMPTY: Issue = { path: [], code: 'empty', message: 'must have a header and lines: the file has no rows' };
const NO_ROWS = {
  invoice: { lines: [], covers: [] },
  rows: { total: 0, read: 0, leftOut: [], wrong: 0 },
  issues: [EMPTY],
};

/** Whether a row has the number of a shipment. The label of a row of totals is none. */
function isNumbered({ line, shipmentNumber }: ReadRow): boolean {
  const number = shipmentNumber ?? numberOf(line);
  return number !== null && !isTotalLabel(number);
}

function isOfAccount({ charges }: BilledLine): boolean {
  const billed = charges.filter(({ cents }) => cents !== 0);
  return billed.length > 0 && billed.every(({ kinds }) => isAccountKind(kinds[0]));
}
