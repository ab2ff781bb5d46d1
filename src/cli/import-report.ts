import type { FileHandle } from 'node:fs/promises';
import { csvCell } from '../domain/common/csv.rules.ts';
import { type Issue, pointer } from '../platform/fault.ts';
import type { IssueCode } from '../platform/issue-codes.ts';
import { openForWriting } from './files.ts';

/** An error of a row. */
interface Rejection {
  readonly row: number;
  readonly pointer: string;
  readonly code: IssueCode;
  readonly message: string;
}

/** Rejections that are printed on standard error if there is no report file. */
const MAX_PRINTED = 20;

/** Records rejected rows, but never their content. */
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
   * @param goesOn whether the report continues that of an interrupted import
   * @throws RejectedFile if it cannot be written
   */
  static async open(name: string | undefined, goesOn: boolean): Promise<Report> {
    if (name === undefined) return new Report(undefined, false);
    const file = await openForWriting(name, goesOn ? 'a' : 'w');
    const isCsv = name.toLowerCase().endsWith('.csv');
    if (isCsv && (await file.stat()).size === 0) await file.appendFile('row,pointer,code,message\n');
    return new Report(file, isCsv);
  }

  async add(row: number, issues: readonly Issue[]): Promise<void> {
    for (const { path, code, message } of issues) {
      const rejection = { row, pointer: pointer(path), code, message };
      if (this.#file)
        await this.#file.appendFile(`${this.#isCsv ? commaLine(rejection) : JSON.stringify(rejection)}\n`);
      else if (this.#count < MAX_PRINTED)
        process.stderr.write(`row ${row} ${rejection.pointer} ${message} (${code})\n`);
      this.#count++;
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    const more = this.#count - MAX_PRINTED;
    if (!this.#file && more > 0) process.stderr.write(`… and ${more} more; --report FILE has them all.\n`);
  }
}

/** The header has commas, so the rows do too. */
function commaLine({ row, pointer, code, message }: Rejection): string {
  return [String(row), pointer, code, message].map(csvCell).join(',');
}
