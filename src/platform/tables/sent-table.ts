import type { Issue } from '../fault.ts';

/** Tables that people send: the sheets of a workbook, or the one sheet of a CSV or TSV file, as rows of cells. */

/**
 * The content of a cell. A text file has texts alone. In a workbook a number is exact whatever its format shows; a date is
 * `2026-11-03` or `2026-11-03T09:30:00`, and a percentage is `22%`.
 */
export type Cell = string | number | boolean;

export interface Row {
  /** As spreadsheets count rows, from 1. */
  readonly row: number;
  readonly cells: readonly Cell[];
}

export interface Sheet {
  /** Null in a text file, which has one sheet. */
  readonly name: string | null;
  /** The rows that are not empty. They can be read several times. */
  rows(): Iterable<Row>;
}

export interface Table {
  readonly sheets: readonly Sheet[];
  /** The names of sheets that are hidden, which are not read. */
  readonly hiddenSheets: readonly string[];
  readonly format: 'workbook' | 'text';
  /** Whether the text was not UTF-8, and was taken for the encoding in which Excel saves CSV in Italy. */
  readonly isWindows1252: boolean;
}

/** The limits on one table. A longer one is sent in parts. */
export const TABLE_LIMITS = {
  /** Bytes of a CSV or TSV file. */
  textBytes: 100 * 1024 * 1024,
  /** Bytes of a workbook, which is compressed. */
  workbookBytes: 32 * 1024 * 1024,
  /** Bytes of its parts once they are unpacked. */
  unpackedBytes: 192 * 1024 * 1024,
  rows: 500_000,
  columns: 1_000,
  /** The most characters of a cell, as Excel has it. */
  cellCharacters: 32_767,
  /** The most characters of the texts that cells of a workbook share, and the most texts. */
  sharedCharacters: 32 * 1024 * 1024,
  sharedTexts: 2_000_000,
  /** The most formats of cells, as Excel has it. */
  cellFormats: 65_536,
  /** The last row that a workbook can have. */
  lastRow: 1_048_576,
  /** Bytes of all cells as they are kept. */
  keptBytes: 128 * 1024 * 1024,
  /** Fewer bytes for a table in a request, since many requests may wait at a time. */
  keptBytesOfRequest: 16 * 1024 * 1024,
} as const;

/** A file that is not a table, or is too large. The message follows the name of the file. */
export class UnreadableTable extends Error {
  readonly path: Issue['path'];

  /** @param path sheet and row, where there is one */
  constructor(message: string, path: Issue['path'] = []) {
    super(message);
    this.name = 'UnreadableTable';
    this.path = path;
  }
}

const SHOWN_CHARACTERS = 40;

/** A text of the file for a message, shortened if it is long. */
export function shown(text: string | undefined): string {
  if (text === undefined || text.length <= SHOWN_CHARACTERS) return `${text}`;
  return `${text.slice(0, SHOWN_CHARACTERS)}…`;
}

/** `A`, `B`, … `Z`, `AA`, as a spreadsheet names its columns. */
export function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

/** The cell as text, for columns that hold texts. */
export function textOf(cell: Cell | undefined): string {
  return cell === undefined ? '' : String(cell).trim();
}

/** Cells as texts, without the empty cells that spreadsheets add at the end. */
export function textsOf(cells: readonly Cell[]): string[] {
  const texts = cells.map(textOf);
  return texts.slice(0, texts.findLastIndex(text => text !== '') + 1);
}
