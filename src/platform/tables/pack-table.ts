import { csvRecords } from './csv-records.ts';
import { type PackedTable, RowPacker, TableBudget } from './packed-rows.ts';
import { UnreadableTable } from './sent-table.ts';
import { TextFileDecoder } from './text-file-decoder.ts';
import { readWorkbook } from './workbook.ts';

/** Reads the bytes of a file as a table, whatever its name says. */

/** Files that begin so are ZIP files, as workbooks are. */
const ZIP = Buffer.from('PK\x03\x04', 'latin1');
/** Old workbooks, and new ones with a password. */
const OLD_OFFICE = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const PIECE = 64 * 1024;

export function isWorkbook(bytes: Uint8Array): boolean {
  return ZIP.equals(bytes.subarray(0, ZIP.length));
}

/** @param keptBytes the limit on the bytes of all cells @throws UnreadableTable */
export async function packTable(bytes: Buffer, keptBytes: number): Promise<PackedTable> {
  const budget = new TableBudget(keptBytes);
  if (isWorkbook(bytes)) return { format: 'workbook', isWindows1252: false, ...(await readWorkbook(bytes, budget)) };
  if (OLD_OFFICE.equals(bytes.subarray(0, OLD_OFFICE.length)))
    throw new UnreadableTable('is an old workbook (.xls), or has a password: save it as .xlsx without one');
  const other = otherKind(bytes);
  if (other !== undefined) throw new UnreadableTable(other);
  const decoder = new TextFileDecoder(false);
  const packer = new RowPacker(budget);
  let row = 0;
  for await (const cells of csvRecords(textOf(bytes, decoder))) packer.add(++row, cells.map(bare));
  return {
    format: 'text',
    hiddenSheets: [],
    isWindows1252: decoder.isWindows1252,
    sheets: [{ name: null, chunks: packer.end() }],
  };
}

/** PNG, JPEG, GIF, WebP, TIFF and HEIC by signs at their beginning. */
const PICTURES = ['\x89PNG', '\xff\xd8\xff', 'GIF8', 'WEBPVP8', 'II*\0', 'MM\0*', 'ftyphei', 'ftypmif1'];

/** Files that shops and carriers send in the place of a table. */
function otherKind(bytes: Buffer): string | undefined {
  const start = bytes
    .subarray(0, 1024)
    .toString('latin1')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe)/, '')
    .replaceAll('\0', '')
    .trimStart();
  if (start.startsWith('%PDF-')) return 'is a PDF, which has no cells: export it as .xlsx or CSV';
  if (PICTURES.some(sign => bytes.subarray(0, 16).toString('latin1').includes(sign)))
    return 'is a picture, which has no cells: export the table as .xlsx or CSV';
  if (start.startsWith('{\\rtf'))
    return 'is a text document (RTF), which has no cells: export the table as .xlsx or CSV';
  if (/^[[{]\s*(?:["[{]|$)/.test(start)) return 'is JSON, and no table';
  if (/^mime-version:|^<!--|^<(?:!doctype html|html|head|meta|title|style|body|table|div|tr)[\s>]/i.test(start))
    return 'is a web page (HTML), whatever its name says: open it in a spreadsheet and save it as .xlsx';
  if (/^<\?xml|^<[a-z]{1,20}(?::[a-z]{1,20})?(?: xmlns|>)/i.test(start))
    return 'is XML, whatever its name says: open it in a spreadsheet and save it as .xlsx';
  return undefined;
}

function* textOf(bytes: Buffer, decoder: TextFileDecoder): Generator<string> {
  for (let at = 0; at < bytes.length; at += PIECE) yield decoder.read(bytes.subarray(at, at + PIECE));
  yield decoder.end();
}

/** `="00121"`, by which programs keep a spreadsheet from making a number of a text. */
const FORMULA_OF_TEXT = /^="([^"]*)"$/;

/** A cell without blanks around it, and without the apostrophe by which spreadsheets mark a number as text. */
function bare(cell: string): string {
  const text = cell.trim();
  const [, formula] = text.startsWith('="') ? (FORMULA_OF_TEXT.exec(text) ?? []) : [];
  if (formula !== undefined) return formula.trim();
  return /^'[\d=+\-@]/.test(text) ? text.slice(1) : text;
}
