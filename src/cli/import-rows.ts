import { CsvError } from 'csv-parse';
import { csvRecords, MAX_RECORD_CHARACTERS } from '../platform/csv-records.ts';
import type { Issue } from '../platform/fault.ts';
import { streamText } from './files.ts';
import { readCells, readHeader, trimmed } from './import-cells.ts';
import type { InputColumn } from './import-columns.ts';
import { RejectedFile } from './rejected-file.ts';

export type Format = 'csv' | 'ndjson';

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

const QUOTES = 'A cell with quotes in it is quoted, and they are doubled: "[{""weight"":2}]"';

/**
 * Yields the rows of a file, so that the whole file is never in memory. Empty rows are left out.
 *
 * @throws RejectedFile if reading fails, or before the first row for a wrong header
 */
export function rowsOf(
  { file, format, signal, onBytes }: Source,
  columns: readonly InputColumn[],
): AsyncGenerator<FileRow> {
  // Spreadsheets save in the encoding of the machine; NDJSON is always UTF-8.
  const text = streamText(file, { signal, onBytes, isUtf8: format === 'ndjson' });
  return format === 'csv' ? csvRows(file, text, columns) : ndjsonRows(file, text);
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

async function* csvRows(
  file: string,
  text: AsyncGenerator<string>,
  columns: readonly InputColumn[],
): AsyncGenerator<FileRow> {
  let row = 0;
  let header: readonly InputColumn[] | undefined;
  for await (const record of recordsOf(file, text)) {
    row++;
    const cells = trimmed(record);
    if (header === undefined) header = readHeader(file, cells, columns);
    else if (cells.length > 0) yield { row, ...readCells(header, cells) };
  }
  if (header === undefined) readHeader(file, [], columns);
}

async function* recordsOf(file: string, text: AsyncGenerator<string>): AsyncGenerator<string[]> {
  try {
    yield* csvRecords(text);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === 'CSV_MAX_RECORD_SIZE') throw tooLong(file);
    const hint = error.code.includes('QUOTE') ? [QUOTES] : [];
    throw new RejectedFile([`${file}: ${error.message}`, ...hint]);
  }
}

function tooLong(file: string): RejectedFile {
  return new RejectedFile([
    `${file} has a row of more than ${MAX_RECORD_CHARACTERS} characters: is a quote left open?`,
  ]);
}
