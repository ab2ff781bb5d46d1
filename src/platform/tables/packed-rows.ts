import { type Cell, type Row, TABLE_LIMITS, UnreadableTable } from './sent-table.ts';

/**
 * Rows as JSON in buffers. A thread can send them to its caller without a copy of each cell, and they take a tenth of
 * the memory of as many strings. They are outside of the heap, whose limit the thread has.
 */

const ROWS_IN_CHUNK = 500;

export class RowPacker {
  readonly chunks: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  #open: [number, ...Cell[]][] = [];
  #bytes = 0;
  #count = 0;

  /** Adds a row, unless all of its cells are empty. @throws UnreadableTable */
  add(row: number, cells: readonly Cell[]): void {
    if (cells.length > TABLE_LIMITS.columns)
      throw new UnreadableTable(
        `has a row of ${cells.length} cells, and a row may have ${TABLE_LIMITS.columns}`,
        rowPath(row),
      );
    if (cells.every(cell => cell === '')) return;
    this.#count++;
    if (this.#count > TABLE_LIMITS.rows)
      throw new UnreadableTable(`has more than ${TABLE_LIMITS.rows} rows: divide it into several files`);
    this.#open.push([row, ...cells]);
    if (this.#open.length === ROWS_IN_CHUNK) this.#close();
  }

  end(): readonly Uint8Array[] {
    if (this.#open.length > 0) this.#close();
    return this.chunks;
  }

  #close(): void {
    const chunk = this.#encoder.encode(JSON.stringify(this.#open));
    this.#open = [];
    this.#bytes += chunk.length;
    if (this.#bytes > TABLE_LIMITS.keptBytes)
      throw new UnreadableTable(`has more than ${TABLE_LIMITS.keptBytes / 1024 / 1024} MB of cells`);
    this.chunks.push(chunk);
  }
}

function rowPath(row: number): readonly number[] {
  return [row];
}

export function* unpackedRows(chunks: readonly Uint8Array[]): Generator<Row> {
  const decoder = new TextDecoder();
  for (const chunk of chunks) {
    for (const [row, ...cells] of JSON.parse(decoder.decode(chunk)) as [number, ...Cell[]][]) yield { row, cells };
  }
}
