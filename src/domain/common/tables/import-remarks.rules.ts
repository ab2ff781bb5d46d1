import type { Table } from '../../../platform/tables/sent-table.ts';
import type { CellPlace, ImportedRow } from './row-problem.rules.ts';

/** Remarks on an import, none of which is an error: rows that are not records, defaults, and parts that were not read. */

/** A row that is not a record, and the reason. */
export interface LeftOutRow extends Pick<CellPlace, 'sheet' | 'row' | 'cells'> {
  /** A sentence about the row, such as `it is a total`. */
  readonly reason: string;
}

const MAX_LEFT_OUT = 1_000;
const MAX_PAYMENTS = 20;
const MAX_CHARACTERS = 100;

/** Collects the remarks on the rows of a file. Each row is added once. */
export class ImportRemarks {
  readonly leftOut: LeftOutRow[] = [];
  readonly #payments = new Map<string, number>();
  /** How many records have each default. */
  readonly #assumed = new Map<string, number>();
  readonly #ofFile: readonly string[];

  /** @param ofFile remarks about the file as a whole */
  constructor(ofFile: readonly string[]) {
    this.#ofFile = ofFile;
  }

  add({ row, leftOut: reason, otherPayment, assumed = [], placeOf }: ImportedRow): void {
    for (const one of assumed) this.#assumed.set(one, (this.#assumed.get(one) ?? 0) + 1);
    if (reason !== undefined && this.leftOut.length < MAX_LEFT_OUT) {
      const { sheet = null, cells = [] } = placeOf?.([]) ?? {};
      this.leftOut.push({ sheet, row, cells, reason });
    }
    if (otherPayment === undefined) return;
    const payment = otherPayment.slice(0, MAX_CHARACTERS);
    this.#payments.set(payment, (this.#payments.get(payment) ?? 0) + 1);
  }

  /** The remarks as sentences. */
  get remarks(): string[] {
    const payments = [...this.#payments].toSorted(([, one], [, other]) => other - one);
    const others = payments.length > MAX_PAYMENTS ? `, and ${payments.length - MAX_PAYMENTS} more` : '';
    const shown = payments.slice(0, MAX_PAYMENTS).map(([payment, count]) => `"${payment}" (${count})`);
    return [
      ...this.#ofFile,
      ...[...this.#assumed].map(([sentence, count]) => `${sentence}: ${count}.`),
      ...(shown.length > 0 ? [`Payments that are not cash on delivery: ${shown.join(', ')}${others}.`] : []),
    ];
  }
}

/** How many rows of a rejected file were not read, as a sentence without its point. */
export function noneRead(rows: Iterable<unknown>): string {
  let count = 0;
  for (const _ of rows) count++;
  return count === 1 ? 'its 1 row was not read' : `none of its ${count} rows was read`;
}

/** Sentences about other sheets of a workbook, which a person may have meant too. */
export function sheetsUnread(read: string | null, others: readonly (string | null)[]): string[] {
  if (others.length === 0) return [];
  const were = others.length === 1 ? 'was' : 'were';
  return [`Only the sheet ${read} was read. ${others.join(', ')} ${were} not, and can be named as the sheet.`];
}

/** A sentence about the encoding of a text that is not UTF-8. */
export function guessedEncoding({ isWindows1252 }: Pick<Table, 'isWindows1252'>): string[] {
  return isWindows1252 ? ['The text is not UTF-8, and was read as Windows-1252: look at its accents.'] : [];
}

/** A sentence about the hidden sheets of a workbook. */
export function hiddenUnread(sheets: readonly string[]): string[] {
  return sheets.length === 0 ? [] : [`Hidden sheets were not read: ${sheets.slice(0, MAX_SHEETS).join(', ')}.`];
}

const MAX_SHEETS = 20;
