import { stat } from 'node:fs/promises';
import type { ImportedRow } from '../domain/common/tables/row-problem.rules.ts';
import { misalignment } from '../domain/common/tables/row-width.rules.ts';
import { MAX_RECORD_CHARACTERS } from '../platform/tables/csv-records.ts';
import { columnName, type Table, textOf, textsOf } from '../platform/tables/sent-table.ts';
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
export async function openRows(source: Source, columns: readonly InputColumn[]): Promise<OpenedRows> {
  if (source.format === 'ndjson') return ndjsonRows(source);
  const { value: table } = await readTableFile(source.file);
  return tableRows(source.file, table, columns);
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

function tableRows(file: string, { sheets }: Table, known: readonly InputColumn[]): OpenedRows {
  const [sheet] = sheets;
  const [first] = sheet?.rows() ?? [];
  const header = readHeader(file, textsOf(first?.cells ?? []), known);
  const name = sheet?.name ?? null;
  const columnOf = new Map(header.map(({ path }, at) => [path.join('.'), at]));
  const rows = function* (): Generator<ImportedRow> {
    for (const { row, cells } of sheet?.rows() ?? []) {
      if (row === first?.row) continue;
      const placeOf: ImportedRow['placeOf'] = path => {
        const at = path.map((_, i) => columnOf.get(path.slice(0, i + 1).join('.'))).find(found => found !== undefined);
        if (at === undefined) return { sheet: name, row, column: null, header: null, value: null };
        return {
          sheet: name,
          row,
          column: columnName(at),
          header: header[at]?.path.join('.') ?? null,
          value: textOf(cells[at]),
        };
      };
      const wrong = misalignment(first?.cells ?? [], cells, name === null);
      if (wrong) yield { row, value: null, issues: [{ path: [], code: wrong.code, message: wrong.message }], placeOf };
      else yield { row, ...readCells(header, cells), placeOf };
    }
  };
  return { rows, share: () => undefined };
}

function tooLong(file: string): RejectedFile {
  return new RejectedFile([
    `${file} has a row of more than ${MAX_RECORD_CHARACTERS} characters: is a quote left open?`,
  ]);
}
