import { afterAll, describe, expect, test } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable, requireSize } from '../../src/platform/tables/read-table.ts';
import { type Row, TABLE_LIMITS } from '../../src/platform/tables/sent-table.ts';
import { closeThreads } from '../../src/platform/threads/threads.ts';
import { sheetXml, workbook } from '../support/workbook.ts';

const owner = { companyId: 'a' as CompanyId };
afterAll(closeThreads);

/** The rows of each sheet. */
async function rowsOf(bytes: Uint8Array | string): Promise<Row[][]> {
  const { sheets } = await readTable(owner, typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  return sheets.map(sheet => [...sheet.rows()]);
}

const cellsOf = async (bytes: Uint8Array | string) => (await rowsOf(bytes)).flat().map(({ cells }) => cells);

describe('A text', () => {
  const TEXTS = [
    { name: 'semicolons', text: 'a;b\n1,5;"x;y"\n' },
    { name: 'tabs', text: 'a\tb\n1,5\tx;y\n' },
    { name: 'bars', text: 'a|b\n1,5|x;y\n' },
    { name: 'commas', text: 'a,b\n"1,5",x;y\n' },
    { name: 'a stated delimiter', text: 'sep=|\r\na|b\r\n1,5|x;y\r\n' },
  ];
  test.each(TEXTS)('has the same cells with $name', async ({ text }) => {
    expect(await cellsOf(text)).toEqual([
      ['a', 'b'],
      ['1,5', 'x;y'],
    ]);
  });

  const TITLED = [
    { name: 'has a comma', text: 'Elenco ordini, novembre 2026\na;b\n1,5;x\n' },
    { name: 'has a semicolon', text: 'Orders; November 2026\na,b\n"1,5",x\n' },
  ];
  test.each(TITLED)('whose title $name is divided as the lines below it', async ({ text }) => {
    expect((await cellsOf(text)).slice(1)).toEqual([
      ['a', 'b'],
      ['1,5', 'x'],
    ]);
  });

  test('numbers its rows as a spreadsheet does, and leaves out empty ones', async () => {
    expect(await rowsOf('Orders\n\na;b\n;\n1;2\n')).toEqual([
      [
        { row: 1, cells: ['Orders'] },
        { row: 3, cells: ['a', 'b'] },
        { row: 5, cells: ['1', '2'] },
      ],
    ]);
  });

  test('may have quotes in cells between tabs, which marketplaces do not quote', async () => {
    expect(await cellsOf('name\tsize\nScreen 27" black\t2\n')).toEqual([
      ['name', 'size'],
      ['Screen 27" black', '2'],
    ]);
  });

  test('loses the apostrophe that marks a number as text, and no other', async () => {
    expect(await cellsOf("cap;city\n'00184;'s-Hertogenbosch\n")).toEqual([
      ['cap', 'city'],
      ['00184', "'s-Hertogenbosch"],
    ]);
  });

  test('of any length has the same rows in a thread', async () => {
    const lines = Array.from({ length: 20_000 }, (_, i) => `${i};caffè ${i}`);
    const [rows = []] = await rowsOf(lines.join('\n'));
    expect(rows).toHaveLength(20_000);
    expect(rows.at(-1)).toEqual({ row: 20_000, cells: ['19999', 'caffè 19999'] });
  });
});

describe('A workbook', () => {
  test('has numbers, dates, percentages and texts by the formats of its cells', async () => {
    const styled = (style: number, value: string) => ({ xml: `<c s="${style}"><v>${value}</v></c>` });
    const shared = {
      parts: {
        'xl/sharedStrings.xml':
          '<sst><si><t>uno</t></si><si><r><t>d</t></r><r><t>ue</t></r><rPh><t>x</t></rPh></si></sst>',
      },
    };
    const row = [
      { xml: '<c t="s"><v>1</v></c>' },
      4.35,
      styled(0, '4.3499999999999996'),
      styled(1, '46329'),
      styled(2, '46329.395833333336'),
      styled(3, '0.22'),
      styled(4, '46329'),
      styled(5, '1234.5'),
      true,
      ' Via "Roma" & co. ',
      { xml: '<c t="str"><f>A1&amp;B1</f><v>due4</v></c>' },
      { xml: '<c t="e"><v>#N/A</v></c>' },
    ];
    expect(await cellsOf(workbook({ Ordini: [row] }, shared))).toEqual([
      [
        'due',
        4.35,
        4.35,
        '2026-11-03',
        '2026-11-03T09:30:00',
        '22%',
        '2026-11-03',
        1234.5,
        true,
        ' Via "Roma" & co. ',
        'due4',
        '#N/A',
      ],
    ]);
    expect(await cellsOf(workbook({ A: [[styled(1, '44867')]] }, { is1904: true }))).toEqual([['2026-11-03']]);
  });

  test('has its visible sheets in order, and each row as wide as the header', async () => {
    const sheets = { Listino: [['a', 'b', 'c'], [1], [null, null, null], [null, 2]], Note: [['x']], Bozza: [['y']] };
    expect(await rowsOf(workbook(sheets, { hidden: ['Bozza'] }))).toEqual([
      [
        { row: 1, cells: ['a', 'b', 'c'] },
        { row: 2, cells: [1, '', ''] },
        { row: 4, cells: ['', 2, ''] },
      ],
      [{ row: 1, cells: ['x'] }],
    ]);
  });

  test('is found by relative and absolute paths of its parts', async () => {
    for (const target of ['./worksheets/sheet1.xml', '../xl/worksheets/sheet1.xml', '/xl/worksheets/sheet1.xml']) {
      const relation = `<Relationships><Relationship Id="rId1" Target="${target}"/></Relationships>`;
      const bytes = workbook({ A: [['x']] }, { parts: { 'xl/_rels/workbook.xml.rels': relation } });
      expect(await cellsOf(bytes), target).toEqual([['x']]);
    }
  });

  test('has the values that were saved with its formulas, which are never calculated', async () => {
    const formulas = [
      { xml: '<c><f>WEBSERVICE("http://example.com")</f><v>7</v></c>' },
      { xml: '<c><f>[1]Other!A1</f><v>8</v></c>' },
      { xml: '<c><f>1+1</f></c>' },
    ];
    expect(await cellsOf(workbook({ A: [formulas] }))).toEqual([[7, 8, '#FORMULA!']]);
  });
});

describe('A file is rejected because of', () => {
  const ENTITIES = `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}">]>`;
  const XML = sheetXml([['x']]);
  const blank = (megabytes: number) => new Uint8Array(megabytes * 1024 * 1024).fill(32);
  const CASES: { name: string; file: () => Uint8Array | string; says: string }[] = [
    {
      name: 'a bomb',
      file: () => workbook({ A: XML }, { parts: { 'xl/worksheets/sheet1.xml': blank(10) } }),
      says: 'unpacks to too much',
    },
    {
      name: 'a bomb of many parts',
      file: () => {
        const parts = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`xl/worksheets/s${i}.xml`, XML]));
        return claiming(workbook({ A: XML }, { parts }), 7 * 1024 * 1024);
      },
      says: 'unpacks to too much',
    },
    {
      name: 'a bomb that lies about its size',
      file: () => claiming(workbook({ A: XML }, { parts: { 'xl/worksheets/sheet1.xml': blank(10) } }), 1_000),
      says: 'is broken',
    },
    { name: 'too many lines', file: () => 'a;b\n'.repeat(500_001), says: 'more than 500000 rows' },
    { name: 'a row of many cells', file: () => `${';'.repeat(5_000)}\n`, says: 'a row of 5001 cells' },
    {
      name: 'a cell far to the right',
      file: () =>
        workbook({ A: '<worksheet><sheetData><row r="1"><c r="ZZZ1"><v>1</v></c></row></sheetData></worksheet>' }),
      says: 'beyond column 1000',
    },
    {
      name: 'a row far below',
      file: () =>
        workbook({ A: '<worksheet><sheetData><row r="99999999"><c><v>1</v></c></row></sheetData></worksheet>' }),
      says: 'beyond row 1048576',
    },
    {
      name: 'a text that many cells refer to',
      file: () => sharing('x'.repeat(30_000), 8_000),
      says: 'has too much in its cells',
    },
    {
      name: 'a text longer than a cell',
      file: () => sharing('x'.repeat(40_000), 1),
      says: 'more than 32767 characters',
    },
    { name: 'a text that is not there', file: () => sharing('x', 1, 7), says: 'whose text is not in the workbook' },
    {
      name: 'many sheets of one part',
      file: () => workbook({ A: XML, B: XML }, { parts: { 'xl/_rels/workbook.xml.rels': relations('rId1', 'rId2') } }),
      says: 'has two sheets with one part',
    },
    {
      name: 'a sheet without its part',
      file: () => workbook({ A: XML }, { parts: { 'xl/worksheets/sheet1.xml': null } }),
      says: 'without its part',
    },
    { name: 'broken XML', file: () => workbook({ A: XML.replace('</row>', '') }), says: 'not well-formed' },
    { name: 'XML that ends early', file: () => workbook({ A: XML.slice(0, -30) }), says: 'not well-formed' },
    { name: 'entities that expand', file: () => workbook({ A: `${ENTITIES}${XML}` }), says: 'document type' },
    { name: 'elements without end', file: () => workbook({ A: '<a>'.repeat(100_000) }), says: 'too deeply' },
    { name: 'half a ZIP file', file: () => workbook({ A: XML }).subarray(0, 500), says: 'ZIP file is broken' },
    {
      name: 'another ZIP file',
      file: () => workbook({ A: XML }, { parts: { 'xl/workbook.xml': null } }),
      says: 'not an Excel workbook',
    },
    { name: 'macros', file: () => workbook({ A: XML }, { parts: { 'xl/vbaProject.bin': 'x' } }), says: 'has macros' },
    { name: 'an old workbook', file: () => Buffer.from('d0cf11e0a1b11ae10000', 'hex'), says: 'old workbook' },
    { name: 'a picture', file: () => Buffer.from('89504e470d0a1a0a01', 'hex'), says: 'is a picture' },
    { name: 'an open quote', file: () => `a;"b\n${'x;y\n'.repeat(300_000)}`, says: 'is a quote left open' },
  ];
  test.each(CASES)('$name', async ({ file, says }) => {
    const bytes = file();
    const startedAt = performance.now();
    await expect(rowsOf(bytes)).rejects.toThrow(says);
    // Two seconds alone, and more beside other tests.
    expect(performance.now() - startedAt).toBeLessThan(6_000);
  });

  test('more content than its sheets may have together', async () => {
    const sheet = sheetXml([['x'.repeat(1_000)]]);
    const bytes = () => workbook({ A: sheet, B: sheet });
    await expect(readTable(owner, bytes(), 3_000)).resolves.toMatchObject({ sheets: [{}, {}] });
    // More than one of them takes.
    await expect(readTable(owner, bytes(), 1_500)).rejects.toThrow('has too much in its cells');
  });

  test('a size of 200 MB, before its content is read', () => {
    expect(() => requireSize(200 * 1024 * 1024, false)).toThrow('has 200 MB, and a table may have 100');
    expect(() => requireSize(TABLE_LIMITS.textBytes, false)).not.toThrow();
  });
});

/** A workbook with a text to which cells refer. */
function sharing(text: string, cells: number, index = 0): Uint8Array {
  const row = (i: number) => `<row r="${i + 1}">${`<c t="s"><v>${index}</v></c>`.repeat(Math.min(cells, 100))}</row>`;
  const rows = Array.from({ length: Math.ceil(cells / 100) }, (_, i) => row(i)).join('');
  const parts = { 'xl/sharedStrings.xml': `<sst><si><t>${text}</t></si></sst>` };
  return workbook({ A: `<worksheet><sheetData>${rows}</sheetData></worksheet>` }, { parts });
}

/** The relations of sheets that all lead to the first part. */
function relations(...ids: string[]): string {
  const each = ids.map(id => `<Relationship Id="${id}" Target="worksheets/sheet1.xml"/>`);
  return `<Relationships>${each.join('')}</Relationships>`;
}

/** A ZIP file whose directory says that each of its parts has so many bytes. */
function claiming(zip: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(zip);
  for (let at = bytes.indexOf('PK\x01\x02', 0, 'latin1'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 1, 'latin1'))
    bytes.writeUInt32LE(size, at + 24);
  return bytes;
}
