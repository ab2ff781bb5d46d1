import { stat } from 'node:fs/promises';
import { ImportRemarks, noneRead } from '../domain/common/tables/import-remarks.rules.ts';
import type { Locale } from '../domain/common/tables/locales.catalog.ts';
import type { ImportedRow } from '../domain/common/tables/row-problem.rules.ts';
import type { NamedColumn } from '../domain/shipping/tracking/import/named-cells.rules.ts';
import { type NamedRows, NamedTable } from '../domain/shipping/tracking/import/named-table.service.ts';
import { MAX_RECORD_CHARACTERS } from '../platform/tables/csv-records.ts';
import type { Table } from '../platform/tables/sent-table.ts';
import { streamText } from './files.ts';
import { readHeader } from './import-cells.ts';
import { sayRemarks } from './import-report.ts';
import { RejectedFile } from './rejected-file.ts';
import { readTableFile } from './table-files.ts';

export type Format = 'csv' | 'xlsx' | 'ndjson';

interface Source {
  readonly file: string;
  readonly format: Format;
  /** Stops the reading. */
  readonly signal: AbortSignal;
}

/** The columns that a table may have, and how its numbers and days are written. */
interface NamedColumns {
  readonly columns: readonly NamedColumn[];
  readonly locale: Locale | undefined;
}

/** The rows of a file, which can be read several times, and the share that was read, from 0 to 1. */
export interface OpenedRows {
  readonly rows: () => AsyncIterable<ImportedRow> | Iterable<ImportedRow>;
  readonly share: () => number | undefined;
}

/**
 * Opens a file. A table is read as a whole, and NDJSON of any length line by line. Empty rows are left out.
 *
 * @throws RejectedFile if a table cannot be read, or for a wrong header
 */
export async function openRows(source: Source, columns: NamedColumns): Promise<OpenedRows> {
  if (source.format === 'ndjson') return ndjsonRows(source);
  const { value: table } = await readTableFile(source.file);
  const opened = tableRows(source.file, table, columns);
  const seen = new ImportRemarks([]);
  for (const row of opened.rows()) seen.add(row);
  sayRemarks(seen.leftOut, opened.remarks(), 'a record');
  return { rows: opened.rows, share: () => undefined };
}

async function ndjsonRows({ file, signal }: Source): Promise<OpenedRows> {
  const { size = 0 } = file === '-' ? {} : await stat(file).catch(() => ({}) as { size?: number });
  let readBytes = 0;
  const onBytes = (count: number) => {
    readBytes += count;
  };
  return {
    rows: () => {
      readBytes = 0;
      return ndjson(file, streamText(file, { signal, onBytes }));
    },
    share: () => (size > 0 ? readBytes / size : undefined),
  };
}

async function* ndjson(file: string, text: AsyncIterable<string>): AsyncGenerator<ImportedRow> {
  let row = 0;
  for await (const line of linesOf(file, text)) {
    row++;
    if (line.trim() !== '') yield { row, ...recordIn(line) };
  }
}

function recordIn(line: string): Pick<ImportedRow, 'value' | 'issues'> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { value, issues: [] };
    return { value: null, issues: [{ path: [], code: 'wrong_type', message: 'must be an object' }] };
  } catch {
    return { value: null, issues: [{ path: [], code: 'malformed_json', message: 'must be one JSON object' }] };
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

/** @throws RejectedFile for a wrong header */
export function tableRows(file: string, table: Table, { columns, locale }: NamedColumns): NamedRows {
  const named = NamedTable.in(table);
  if (named === undefined) throw new RejectedFile([`${file} has no rows`]);
  return named.read(
    readHeader(file, named.names, columns, () => `${file}: ${noneRead(named.below())}`),
    locale,
  );
}

function tooLong(file: string): RejectedFile {
  return new RejectedFile([
    `${file} has a row of more than ${MAX_RECORD_CHARACTERS} characters: is a quote left open?`,
  ]);
}
