import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';

const BLOCK = 512;
/** The largest number that eleven octal digits can state. */
const MAX_OCTAL = 0o77777777777;
/** Files with personal data are their owner's alone. */
const OWNER_ONLY = 0o600;

interface ArchivedFile {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/**
 * A `.tar.gz` file whose files are streamed into it. A tar header states the size of its file, which is known only at
 * the end; libraries ask for the size first, and would write each file to the disk to learn it. Here each header is a
 * gzip member of its own that is not compressed, so its length is fixed and it is rewritten once the size is known.
 * Every reader of gzip accepts several members in one file.
 */
export class TarGzip {
  readonly #path: string;
  readonly #file: FileHandle;
  #position = 0;

  private constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  /** Until `finish`, the archive has another name. @throws Error with a `code` where it can't be written */
  static async create(path: string): Promise<TarGzip> {
    return new TarGzip(path, await open(partOf(path), 'w', OWNER_ONLY));
  }

  async add(name: string, texts: AsyncIterable<string> | Iterable<string>): Promise<ArchivedFile> {
    const at = this.#position;
    const modifiedAt = new Date();
    await this.#write(header(name, 0, modifiedAt));
    const hash = createHash('sha256');
    let bytes = 0;
    const counted = async function* () {
      for await (const text of texts) {
        const chunk = Buffer.from(text);
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
      yield Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
    };
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#write(chunk).then(() => done(), done);
      },
    });
    await pipeline(Readable.from(counted()), createGzip(), sink);
    await this.#writeAt(at, header(name, bytes, modifiedAt));
    return { bytes, sha256: hash.digest('hex') };
  }

  /** Ends the archive, and gives it its name; returns its size. */
  async finish(): Promise<number> {
    await this.#write(gzipSync(Buffer.alloc(2 * BLOCK)));
    await this.#file.sync();
    await this.#file.close();
    await rename(partOf(this.#path), this.#path);
    return this.#position;
  }

  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(partOf(this.#path), { force: true });
  }

  async #write(chunk: Uint8Array): Promise<void> {
    await this.#writeAt(this.#position, chunk);
    this.#position += chunk.length;
  }

  /** A write that fills the disk stores only a part, and fails when it is continued. */
  async #writeAt(position: number, chunk: Uint8Array): Promise<void> {
    for (let done = 0; done < chunk.length; ) {
      const { bytesWritten } = await this.#file.write(chunk, done, chunk.length - done, position + done);
      done += bytesWritten;
    }
  }
}

const partOf = (path: string) => `${path}.part`;

/** A POSIX (ustar) header as a gzip member that is not compressed. */
function header(name: string, size: number, modifiedAt: Date): Buffer {
  if (Buffer.byteLength(name) > 100) throw new Error(`A file of an archive has a name of more than 100 bytes: ${name}`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  block.write(name, 0);
  block.write(octal(OWNER_ONLY, 7), 100);
  block.write(octal(0, 7), 108);
  block.write(octal(0, 7), 116);
  block.write(octal(Math.min(size, MAX_OCTAL), 11), 124);
  // GNU tar writes larger sizes in binary.
  if (size > MAX_OCTAL) {
    block.fill(0, 124, 136).writeUInt8(0x80, 124);
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write(octal(Math.floor(modifiedAt.getTime() / 1000), 11), 136);
  block.write(' '.repeat(8), 148);
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return gzipSync(block, { level: 0 });
}
