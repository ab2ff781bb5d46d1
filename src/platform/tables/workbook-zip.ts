import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { TABLE_LIMITS, UnreadableTable } from './sent-table.ts';

/**
 * The parts of a workbook, which is a ZIP file. `yauzl` reads its directory and unpacks a part as a stream that ends with
 * an error once it is longer than the directory says, so the sizes can be checked before anything is unpacked.
 */

const MAX_PARTS = 2_000;
/** XML of a sheet seldom takes a fiftieth of its size. */
const MAX_RATIO = 250;
const RATIO_FROM_BYTES = 8 * 1024 * 1024;

export class WorkbookZip {
  readonly #file: ZipFile;
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpacked = 0;

  private constructor(file: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#file = file;
    this.#entries = entries;
  }

  /** @throws UnreadableTable */
  static async open(bytes: Buffer): Promise<WorkbookZip> {
    const entries = new Map<string, Entry>();
    let unpacked = 0;
    try {
      const file = await fromBufferPromise(bytes);
      for await (const entry of file.eachEntry()) {
        const { fileName, compressedSize, uncompressedSize } = entry;
        const name = fileName.toLowerCase();
        // Only XML is read; pictures are not.
        unpacked += name.endsWith('.xml') ? uncompressedSize : 0;
        const isBomb = uncompressedSize > RATIO_FROM_BYTES && uncompressedSize > compressedSize * MAX_RATIO;
        if (entries.size >= MAX_PARTS || isBomb || unpacked > TABLE_LIMITS.unpackedBytes) throw tooMuch();
        entries.set(name, entry);
      }
      return new WorkbookZip(file, entries);
    } catch (error) {
      throw error instanceof UnreadableTable ? error : new UnreadableTable('is not a workbook: its ZIP file is broken');
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** The bytes of a part in pieces. Nothing, if the workbook has no such part. @throws UnreadableTable */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) return;
    try {
      for await (const piece of (await this.#file.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
        this.#unpacked += piece.length;
        if (this.#unpacked > TABLE_LIMITS.unpackedBytes) throw tooMuch();
        yield piece;
      }
    } catch (error) {
      throw error instanceof UnreadableTable
        ? error
        : new UnreadableTable(`is a workbook whose part ${name} is broken`);
    }
  }
}

function tooMuch(): UnreadableTable {
  return new UnreadableTable('is a workbook that unpacks to too much: divide it into several files');
}
