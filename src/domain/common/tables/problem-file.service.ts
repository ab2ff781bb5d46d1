import { inTurns } from '../../../platform/limits/turns.ts';
import { type Cell, type Row, TABLE_LIMITS } from '../../../platform/tables/sent-table.ts';
import { writeTable } from '../../../platform/tables/write-table.ts';
import type { WrittenCell, WrittenSheet } from '../../../platform/tables/write-workbook.ts';
import type { TaskOwner } from '../../../platform/threads/threads.ts';
import { normalName } from './header-names.rules.ts';
import { PROBLEMS_COLUMN, type RowProblem } from './row-problem.rules.ts';

const MAX_SHEET_NAME = 31;

/** A table as it was read, with the problems of each row in a first column: to be corrected, and imported again. */
export class ProblemFile {
  readonly #owner: TaskOwner;
  readonly #table: ReadRows;
  readonly #problems: readonly RowProblem[];

  constructor(owner: TaskOwner, table: ReadRows, problems: readonly RowProblem[]) {
    this.#owner = owner;
    this.#table = table;
    this.#problems = problems;
  }

  /** The bytes of the workbook. */
  async workbook(): Promise<Buffer> {
    return Buffer.from(await writeTable(this.#owner, [await this.#sheet()]));
  }

  async #sheet(): Promise<WrittenSheet> {
    const { sheet, header, rows } = this.#table;
    const messages = Map.groupBy(this.#problems, ({ row }) => row);
    // A file that was corrected once has the column already.
    const isKept = (_: unknown, at: number) => normalName(header[at] ?? '') !== normalName(PROBLEMS_COLUMN);
    const written: (WrittenCell | undefined)[][] = [];
    for await (const { row, cells } of inTurns(this.#owner.companyId, rows())) {
      const problems = (messages.get(row) ?? []).map(inWords).join('; ').slice(0, TABLE_LIMITS.cellCharacters);
      written.push([problems || undefined, ...cells.filter(isKept).map(writtenCell)]);
    }
    const columns = [PROBLEMS_COLUMN, ...header.filter(isKept)];
    return {
      name: sheetName(sheet),
      columns: columns.map(name => ({ header: name, description: '', options: [] })),
      rows: written,
    };
  }
}

/** The name of a sheet as Excel allows it; a file that another program wrote may have any. */
function sheetName(sheet: string | null): string {
  return (
    (sheet ?? '')
      .replace(/[[\]:*?/\\]/g, ' ')
      .slice(0, MAX_SHEET_NAME)
      .trim() || 'Rows'
  );
}

/** A header, and the rows below it. */
export interface ReadRows {
  readonly sheet: string | null;
  readonly header: readonly string[];
  readonly rows: () => Iterable<Row>;
}

function inWords({ header, message }: RowProblem): string {
  return header === null ? message : `${header}: ${message}`;
}

function writtenCell(cell: Cell): WrittenCell | undefined {
  if (cell === '') return undefined;
  return typeof cell === 'boolean' ? String(cell) : cell;
}
