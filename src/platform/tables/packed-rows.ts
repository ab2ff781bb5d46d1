import { type Cell, type Row, TABLE_LIMITS, type Table, UnreadableTable } from './sent-table.ts';

/**
 * Rows as JSON in buffers. A thread can send them to its caller without a copy of each cell, and they take a tenth of
 * the memory of as many strings. They are outside of the heap, whose limit the thread has.
 */

const ROWS_IN_CHUNK = 500;
/** Characters after which a chunk is closed, whatever rows it has. */
const CHUNK_CHARACTERS = 1024 * 1024;

/** How many rows, and bytes of cells, the sheets of a table may still take together. */
export class TableBudget {
  #rows: number = TABLE_LIMITS.rows;
  #bytes: number;

  constructor(keptBytes: number = TABLE_LIMITS.keptBytes) {
    this.#bytes = keptBytes;
  }

  /** @throws UnreadableTable */
  takeRow(): void {
    this.#rows--;
    if (this.#rows < 0)
      throw new UnreadableTable(`has more than ${TABLE_LIMITS.rows} rows: divide it into several files`);
  }

  /** @throws UnreadableTable */
  takeBytes(count: number): void {
    this.#bytes -= count;
    if (this.#bytes < 0) throw new UnreadableTable('has too much in its cells: divide it into several files');
  }
}

export class RowPacker {
  readonly chunks: Uint8Array[] = [];
  readonly #budget: TableBudget;
  readonly #encoder = new TextEncoder();
  #open: [number, ...Cell[]][] = [];
  #characters = 0;

  constructor(budget: TableBudget) {
    this.#budget = budget;
  }

  /** Adds a row, unless all of its cells are empty. @throws UnreadableTable */
  add(row: number, cells: readonly Cell[]): void {
    if (cells.length > TABLE_LIMITS.columns)
      throw new UnreadableTable(
        `has a row of ${cells.length} cells, and a row may have ${TABLE_LIMITS.columns}`,
        rowPath(row),
      );
    if (cells.every(cell => cell === '')) return;
    this.#budget.takeRow();
    for (const cell of cells) {
      if (typeof cell !== 'string') continue;
      if (cell.length > TABLE_LIMITS.cellCharacters)
        throw new UnreadableTable(`has a cell of more than ${TABLE_LIMITS.cellCharacters} characters`, rowPath(row));
      this.#characters += cell.length;
    }
    this.#open.push([row, ...cells]);
    if (this.#open.length === ROWS_IN_CHUNK || this.#characters > CHUNK_CHARACTERS) this.#close();
  }

  end(): readonly Uint8Array[] {
    if (this.#open.length > 0) this.#close();
    return this.chunks;
  }

  #close(): void {
    const chunk = this.#encoder.encode(JSON.stringify(this.#open));
    this.#open = [];
    this.#characters = 0;
    this.#budget.takeBytes(chunk.length);
    this.chunks.push(chunk);
  }
}

function rowPath(row: number): readonly number[] {
  return [row];
}

/** A table whose rows are packed, so that it can be sent to a thread. */
export interface PackedTable extends Omit<Table, 'sheets'> {
  readonly sheets: readonly { readonly name: string | null; readonly chunks: readonly Uint8Array[] }[];
}

export function tableOf({ sheets, ...facts }: PackedTable): Table {
  return { ...facts, sheets: sheets.map(({ name, chunks }) => ({ name, rows: () => unpackedRows(chunks) })) };
}

export function packedBytes({ sheets }: PackedTable): number {
  return sheets.reduce((sum, { chunks }) => sum + chunks.reduce((bytes, { length }) => bytes + length, 0), 0);
}

function* unpackedRows(chunks: readonly Uint8Array[]): Generator<Row> {
  const decoder = new TextDecoder();
  for (const chunk of chunks) {
    for (const [row, ...cells] of JSON.parse(decoder.decode(chunk)) as [number, ...Cell[]][]) yield { row, cells };
  }
}
