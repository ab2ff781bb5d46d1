import { UnreadableTable } from './sent-table.ts';

/** Characters that no text contains, in any encoding that a spreadsheet writes. */
const BINARY = /[^\P{Cc}\t\n\f\r]/u;
/** The bytes of a letter of western Europe in UTF-8; in Windows-1252 they are `Ã` and a sign, which no word has. */
const UTF_8_LETTER = /\xC3[\x80-\xBF]/;
const ASCII = /^\p{ASCII}*$/u;
const BYTE_ORDER_MARKS = [
  { encoding: 'utf-16le', bytes: [0xff, 0xfe] },
  { encoding: 'utf-16be', bytes: [0xfe, 0xff] },
];
/** Bytes of an incomplete UTF-8 character at the end of a piece. */
const LONGEST_BEGINNING = 3;

/**
 * Decodes the text of a file, piece by piece: UTF-8, UTF-16 with a byte order mark, and Windows-1252, in which Excel saves
 * CSV on an Italian Windows. A file is taken for Windows-1252 if the first characters that are not ASCII are not UTF-8.
 */
export class TextFileDecoder {
  readonly #isUtf8: boolean;
  #isWindows1252 = false;
  #decoder: TextDecoder | undefined;
  /** Whether the text so far is equal in UTF-8 and in Windows-1252. */
  #isAscii = true;
  /** The end of the last piece, which is not a complete UTF-8 character yet. */
  #begun: Buffer = Buffer.alloc(0);

  /** @param isUtf8 whether only UTF-8 is allowed */
  constructor(isUtf8: boolean) {
    this.#isUtf8 = isUtf8;
  }

  get isWindows1252(): boolean {
    return this.#isWindows1252;
  }

  /** @throws UnreadableTable */
  read(bytes: Buffer): string {
    this.#decoder ??= new TextDecoder(this.#isUtf8 ? 'utf-8' : encodingOf(bytes), { fatal: true });
    const text = this.#decode(bytes);
    if (text.includes('\0')) throw this.#notText();
    return text;
  }

  /** The rest at the end of the file. @throws UnreadableTable */
  end(): string {
    return this.#decoder ? this.#decode(undefined) : '';
  }

  #decode(bytes: Buffer | undefined): string {
    const decoder = this.#decoder as TextDecoder;
    try {
      const text = decoder.decode(bytes, { stream: bytes !== undefined });
      this.#isAscii &&= ASCII.test(text);
      if (bytes) this.#begun = beginning(Buffer.concat([this.#begun, bytes]));
      return text;
    } catch {
      if (decoder.encoding !== 'utf-8' || this.#isUtf8 || !this.#isAscii) throw this.#notText();
      return this.#asWindows1252(Buffer.concat([this.#begun, bytes ?? Buffer.alloc(0)]));
    }
  }

  #asWindows1252(bytes: Buffer): string {
    this.#decoder = new TextDecoder('windows-1252');
    const text = this.#decoder.decode(bytes, { stream: true });
    // Any bytes are valid Windows-1252, even the bytes of a picture, and letters in UTF-8 as two others.
    if (BINARY.test(text) || UTF_8_LETTER.test(bytes.toString('latin1'))) throw this.#notText();
    this.#isWindows1252 = true;
    return text;
  }

  #notText(): UnreadableTable {
    return new UnreadableTable(
      `is not ${this.#isUtf8 ? 'UTF-8 text' : 'text, or not in one encoding: save it as .xlsx, or as CSV in UTF-8'}`,
    );
  }
}

function encodingOf(bytes: Buffer): string {
  const found = BYTE_ORDER_MARKS.find(({ bytes: [first, second] }) => bytes[0] === first && bytes[1] === second);
  return found?.encoding ?? 'utf-8';
}

/** The bytes at the end that are not ASCII. In a text that is ASCII so far, they belong to one character. */
function beginning(bytes: Buffer): Buffer {
  let start = bytes.length;
  while (start > bytes.length - LONGEST_BEGINNING && (bytes[start - 1] ?? 0) >= 0x80) start--;
  return bytes.subarray(start);
}
