import { type Issue, pointer } from '../../../platform/fault.ts';
import type { IssueCode } from '../../../platform/issue-codes.ts';
import { type Cell, textOf } from '../../../platform/tables/sent-table.ts';

/** The rows of an imported file, and their problems by sheet, row, column and value. */

/** The cell that an issue is about. */
export interface CellPlace {
  readonly sheet: string | null;
  readonly row: number;
  /** `B`; null for the whole row. */
  readonly column: string | null;
  readonly header: string | null;
  readonly value: string | null;
  /** All cells of its row. */
  readonly cells?: readonly Cell[];
}

/** A row, or the rows of one record, with its value or the reasons why it cannot be read. */
export interface ImportedRow {
  /** As a spreadsheet or an editor counts rows: the first, where a record has several. */
  readonly row: number;
  readonly value: unknown;
  /** Paths start at the value. */
  readonly issues: readonly Issue[];
  /** How many rows of the file it takes; 1 without it. */
  readonly rows?: number;
  /** The reason why it is not a record, as a sentence about the row. */
  readonly leftOut?: string;
  /** A payment that was not taken for cash on delivery. */
  readonly otherPayment?: string;
  /** Defaults of empty cells, each as the beginning of a sentence. */
  readonly assumed?: readonly string[];
  /** Where a path of the value stands in the file. */
  readonly placeOf?: (path: Issue['path']) => CellPlace;
}

export interface RowProblem extends CellPlace {
  /** RFC 6901, from the record. */
  readonly pointer: string;
  readonly code: IssueCode;
  readonly message: string;
}

/** The column with the problems of a row, in a file that is to be corrected. It is not read. */
export const PROBLEMS_COLUMN = 'Problems';

/** Values are shortened, since a cell can have any length. */
const MAX_VALUE = 100;

/** The cells of the row of a problem, shortened. */
export function cellsOf({ cells = [] }: Pick<CellPlace, 'cells'>): string[] {
  return cells.map(cell => textOf(cell).slice(0, MAX_VALUE));
}

export function problemOf({ row, placeOf }: ImportedRow, { path, code, message }: Issue): RowProblem {
  const place = placeOf?.(path) ?? { sheet: null, row, column: null, header: null, value: null };
  return { ...place, value: place.value?.slice(0, MAX_VALUE) ?? null, pointer: pointer(path), code, message };
}
