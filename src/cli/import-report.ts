import type { FileHandle } from 'node:fs/promises';
import { csvCell } from '../domain/common/csv.rules.ts';
import type { LeftOutRow } from '../domain/common/tables/import-remarks.rules.ts';
import type { RowProblem } from '../domain/common/tables/row-problem.rules.ts';
import { openForWriting } from './files.ts';

/** Rejections, and rows that are not records, that are printed on standard error. A report file has all rejections. */
const MAX_PRINTED = 20;

/** Records the problems of rows. A problem has the wrong cell, and no other content of the row. */
export class Report {
  readonly #file: FileHandle | undefined;
  readonly #isCsv: boolean;
  #count = 0;

  private constructor(file: FileHandle | undefined, isCsv: boolean) {
    this.#file = file;
    this.#isCsv = isCsv;
  }

  /**
   * @param name the format is CSV if the name ends so, and otherwise NDJSON
   * @param goesOn whether the report continues the report of an interrupted import
   * @throws RejectedFile if it cannot be written
   */
  static async open(name: string | undefined, goesOn: boolean): Promise<Report> {
    if (name === undefined) return new Report(undefined, false);
    const file = await openForWriting(name, goesOn ? 'a' : 'w');
    const isCsv = name.toLowerCase().endsWith('.csv');
    if (isCsv && (await file.stat()).size === 0) await file.appendFile(`${COLUMNS.join(',')}\n`);
    return new Report(file, isCsv);
  }

  async add(problem: RowProblem): Promise<void> {
    if (this.#file) await this.#file.appendFile(`${this.#isCsv ? commaLine(problem) : lineOf(problem)}\n`);
    else if (this.#count < MAX_PRINTED) process.stderr.write(`${inWords(problem)}\n`);
    this.#count++;
  }

  async close(): Promise<void> {
    await this.#file?.close();
    const more = this.#count - MAX_PRINTED;
    if (!this.#file && more > 0) process.stderr.write(`… and ${more} more; --report FILE has them all.\n`);
  }
}

const COLUMNS = ['row', 'pointer', 'code', 'message', 'sheet', 'column', 'header', 'value'] as const;

/** The header has commas, so the rows do too. */
function commaLine(problem: RowProblem): string {
  return COLUMNS.map(name => csvCell(String(problem[name] ?? ''))).join(',');
}

/** Only a table has sheets and columns. */
function lineOf(problem: RowProblem): string {
  return JSON.stringify(
    Object.fromEntries(COLUMNS.flatMap(name => (problem[name] === null ? [] : [[name, problem[name]]]))),
  );
}

/** `row 3, column E "CAP", "9999" must be five digits (invalid_postal_code)`, or `row 3 /recipient must be…`. */
function inWords({ sheet, row, column, header, value, pointer, message, code }: RowProblem): string {
  const where = `${sheet === null ? '' : `sheet ${sheet}, `}row ${row}`;
  if (column === null) return `${where}${pointer === '' ? '' : ` ${pointer}`} ${message} (${code})`;
  return `${where}, column ${column} ${JSON.stringify(header)}, ${JSON.stringify(value)}: ${message} (${code})`;
}

/** Says on standard error which rows are not records, and which defaults count. */
export function sayRemarks(leftOut: readonly LeftOutRow[], remarks: readonly string[], record: string): void {
  const rows = leftOut.slice(0, MAX_PRINTED).map(({ sheet, row, reason }) => {
    const where = `${sheet === null ? '' : `sheet ${sheet}, `}row ${row}`;
    return `${where} is not ${record}: ${reason}.`;
  });
  const more = leftOut.length - MAX_PRINTED;
  const others = more > 0 ? [`… and ${more} more rows that are not ${record}.`] : [];
  for (const line of [...rows, ...others, ...remarks]) process.stderr.write(`${line}\n`);
}
