import { posix } from 'node:path';
import type { TableBudget } from './packed-rows.ts';
import { type Sheet, shown, TABLE_LIMITS, UnreadableTable } from './sent-table.ts';
import { SheetReader, type WorkbookFacts } from './sheet-reader.ts';
import { builtInKind, lengthened, type NumberKind, numberKind, unescaped } from './workbook-cells.rules.ts';
import { readXml } from './workbook-xml.ts';
import { WorkbookZip } from './workbook-zip.ts';

/** Reads the sheets of an `.xlsx` workbook. Macros are rejected, and links to other workbooks are not followed. */

interface PackedSheet extends Pick<Sheet, 'name'> {
  readonly chunks: readonly Uint8Array[];
}

const MAX_SHEETS = 100;
/** The most links of the workbook to its parts, and the most hidden sheets, which are not read. */
const MAX_LINKS = 2_000;
/** Excel has 31. */
const NAME_CHARACTERS = 100;
const WORKBOOK = 'xl/workbook.xml';

interface PackedWorkbook {
  /** The visible sheets, in their order. */
  readonly sheets: readonly PackedSheet[];
  readonly hiddenSheets: readonly string[];
}

/** @throws UnreadableTable */
export async function readWorkbook(bytes: Buffer, budget: TableBudget): Promise<PackedWorkbook> {
  const zip = await WorkbookZip.open(bytes);
  if (zip.has('xl/vbaProject.bin')) throw new UnreadableTable('has macros: save it as .xlsx');
  if (!zip.has(WORKBOOK))
    throw new UnreadableTable(
      'is not an Excel workbook: save it as .xlsx, not as .xlsb or .ods. If it is an archive (.zip), unpack it and choose a file of it',
    );
  const { sheets, hiddenSheets, is1904 } = await sheetsOf(zip);
  const facts = { is1904, texts: await textsOf(zip), kinds: await kindsOf(zip) };
  const packed: PackedSheet[] = [];
  for (const { name, part } of sheets) packed.push({ name, chunks: await rowsOf(zip, { name, part }, facts, budget) });
  return { sheets: packed, hiddenSheets };
}

async function rowsOf(
  zip: WorkbookZip,
  { name, part }: { readonly name: string; readonly part: string },
  facts: WorkbookFacts,
  budget: TableBudget,
): Promise<readonly Uint8Array[]> {
  const reader = new SheetReader(facts, budget);
  try {
    if (!zip.has(part)) throw new UnreadableTable(`is a workbook without its part ${shown(part)}`);
    await readXml(part, zip.read(part), reader);
    return reader.end();
  } catch (error) {
    if (!(error instanceof UnreadableTable)) throw error;
    throw new UnreadableTable(error.message, [name, ...error.path]);
  }
}

async function sheetsOf(zip: WorkbookZip) {
  const targets = new Map<string, string>();
  await readXml('xl/_rels/workbook.xml.rels', zip.read('xl/_rels/workbook.xml.rels'), {
    open: (name, { Id: id = '', Target: target = '', TargetMode: mode }) => {
      if (name !== 'Relationship' || mode === 'External') return;
      targets.set(id, partOf(target));
      requireAtMost(MAX_LINKS, targets.size, 'links');
    },
  });
  const sheets: { name: string; part: string }[] = [];
  const hiddenSheets: string[] = [];
  let is1904 = false;
  await readXml(WORKBOOK, zip.read(WORKBOOK), {
    open: (element, attributes) => {
      const { state = 'visible', date1904 } = attributes;
      const name = attributes.name?.slice(0, NAME_CHARACTERS) ?? '';
      if (element === 'workbookPr') is1904 = date1904 === '1' || date1904 === 'true';
      const part = targets.get(attributes['r:id'] ?? '');
      if (element !== 'sheet' || part === undefined) return;
      // Each further sheet would take time and memory of its own.
      if (sheets.some(sheet => sheet.part === part))
        throw new UnreadableTable(`has two sheets with one part ${shown(part)}`);
      if (state === 'visible') sheets.push({ name, part });
      else hiddenSheets.push(name);
      requireAtMost(MAX_SHEETS, sheets.length, 'sheets');
      requireAtMost(MAX_LINKS, hiddenSheets.length, 'hidden sheets');
    },
  });
  if (sheets.length === 0) throw new UnreadableTable('is a workbook without a visible sheet');
  return { sheets, hiddenSheets, is1904 };
}

/** Called while a part is read, so that no list of it outgrows the memory. @throws UnreadableTable */
function requireAtMost(most: number, count: number, what: string): void {
  if (count > most) throw new UnreadableTable(`has more than ${most} ${what}`);
}

/** The path of a part, which is relative to the folder `xl`, or absolute. */
function partOf(target: string): string {
  return posix.join(target.startsWith('/') ? '' : 'xl', target).replace(/^\/+/, '');
}

/** The texts that cells of all sheets refer to. */
async function textsOf(zip: WorkbookZip): Promise<string[]> {
  const texts: string[] = [];
  let characters = 0;
  let text = '';
  let isTaken = false;
  let isPhonetic = false;
  await readXml('xl/sharedStrings.xml', zip.read('xl/sharedStrings.xml'), {
    open: name => {
      if (name === 'si') text = '';
      if (name === 'rPh') isPhonetic = true;
      isTaken = name === 't' && !isPhonetic;
    },
    text: piece => {
      if (isTaken) text = lengthened(text, piece);
    },
    close: name => {
      isTaken = false;
      if (name === 'rPh') isPhonetic = false;
      if (name !== 'si') return;
      texts.push(unescaped(text));
      characters += texts.at(-1)?.length ?? 0;
      requireAtMost(TABLE_LIMITS.sharedTexts, texts.length, 'texts');
      requireAtMost(TABLE_LIMITS.sharedCharacters, characters, 'characters in its texts: divide it into several files');
    },
  });
  return texts;
}

/** The kind of the numbers of each style. */
async function kindsOf(zip: WorkbookZip): Promise<NumberKind[]> {
  const customKinds = new Map<number, NumberKind>();
  const kinds: NumberKind[] = [];
  let isOfCells = false;
  await readXml('xl/styles.xml', zip.read('xl/styles.xml'), {
    open: (name, { numFmtId: id = '0', formatCode: code = '' }) => {
      if (name === 'numFmt') customKinds.set(Number(id), numberKind(code));
      else if (name === 'cellXfs') isOfCells = true;
      else if (name === 'xf' && isOfCells) kinds.push(customKinds.get(Number(id)) ?? builtInKind(Number(id)));
      requireAtMost(TABLE_LIMITS.cellFormats, Math.max(customKinds.size, kinds.length), 'formats of cells');
    },
    close: name => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  return kinds;
}
