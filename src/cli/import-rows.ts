import type { Issue } from '../platform/fault.ts';
import { MAX_RECORD_CHARACTERS } from '../platform/tables/csv-records.ts';
import { type Table, textsOf } from '../platform/tables/table.ts';
import { streamText } from './files.ts';
import { readCells, readHeader } from './import-cells.ts';
import type { InputColumn } from './import-columns.ts';
import { RejectedFile } from './rejected-file.ts';
import { readTableFile } from './table-files.ts';

export type Format = 'csv' | 'xlsx' | 'ndjson';

export interface Source {
  readonly file: string;
  readonly format: Format;
  /** Stops the reading. */
  readonly signal: AbortSignal;
  readonly onBytes: (count: number) => void;
}

/** A row with its number in a spreadsheet or an editor, and its value or the reason why it cannot be read. */
export interface FileRow {
  readonly row: number;
  readonly value: unknown;
  readonly issues: readonly Issue[];
}

/**
 * Yields the rows of a file. A table is read as a whole, and NDJSON of any length line by line. Empty rows are left out.
 *
 * @throws RejectedFile if reading fails, or before the first row for a wrong header
 */
export async function* rowsOf(
  { file, format, signal, onBytes }: Source,
  columns: readonly InputColumn[],
): AsyncGenerator<FileRow> {
  if (format === 'ndjson') yield* ndjsonRows(file, streamText(file, { signal, onBytes }));
  else yield* tableRows(file, (await readTableFile(file)).value, columns);
}

async function* ndjsonRows(file: string, text: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let row = 0;
  for await (const line of linesOf(file, text)) {
    row++;
    if (line.trim() === '') continue;
    try {
      yield { row, value: JSON.parse(line), issues: [] };
    } catch {
      yield { row, value: null, issues: [{ path: [], code: 'malformed_json', message: 'must be one JSON object' }] };
    }
  }
}

async function* linesOf(file: string, text: AsyncIterable<string>): AsyncGenerator<string> {
  let open: string[] = [];
  let length = 0;
  for await (const piece of text) {
    const [end = '', ...others] = piece.split('\n');
    open.push(end);
    length += end.length;
    if (length > MAX_RECORD_CHARACTERS) throw tooLong(file);
    const next = others.pop();
    if (next === undefined) continue;
    yield open.join('');
    yield* others;
    open = [next];
    length = next.length;
  }
  yield open.join('');
}

function* tableRows(file: string, table: Table, columns: readonly InputColumn[]): Generator<FileRow> {
  let header: readonly InputColumn[] | undefined;
  for (const { row, cells } of table.sheets[0]?.rows() ?? []) {
    if (header === undefined) header = readHeader(file, textsOf(cells), columns);
    else yield { row, ...readCells(header, textsOf(cells)) };
  }
  if (header === undefined) readHeader(file, [], columns);
}

function tooLong(file: string): RejectedFile {
  return new RejectedFile([
    `${file} has a row of more than ${MAX_RECORD_CHARACTERS} characters: is a quote left open?`,
  ]);
}
