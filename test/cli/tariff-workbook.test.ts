import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { type SheetCell, workbook } from '../support/workbook.ts';
import { answerOf } from './processes.ts';
import { demoTariff, refusal, useTariffCommands } from './tariff-files.ts';

const given = useTariffCommands();
const { connection, run, fileOf, json, stored, quoteOn, check } = given;

type Sheets = Record<string, SheetCell[][]>;

/** The cells of a workbook, by the names of its sheets. */
async function sheetsOf(file: string): Promise<Sheets> {
  const { sheets } = await readTable({ companyId: 'test' as CompanyId }, new Uint8Array(await readFile(file)));
  return Object.fromEntries(sheets.map(({ name, rows }) => [name, [...rows()].map(({ cells }) => [...cells])]));
}

const newFile = async (name: string) => (await fileOf('x', '')).replace(/x$/, name);

/** Writes a workbook after somebody has changed its cells, and hidden sheets. */
async function changed(file: string, change: (sheets: Sheets) => void, hidden: string[] = []): Promise<string> {
  const sheets = await sheetsOf(file);
  change(sheets);
  return fileOf('changed.xlsx', workbook(sheets, { hidden }));
}

/** The first cell below a header. */
function below(rows: SheetCell[][] | undefined, header: string, row = 1): [SheetCell[], number] {
  const at = rows?.[0]?.indexOf(header) ?? -1;
  if (!rows?.[row] || at < 0) throw new Error(`no ${header}`);
  return [rows[row], at];
}

test('The tariff of a connection can be exported to a workbook and imported, and only changed cells change it', async () => {
  const id = await connection(await demoTariff('gls'));
  const before = await stored(id);
  const file = await newFile('gls.xlsx');
  expect(answerOf(await run('workbook', file, '--connection', `${id}`, '--json'))).toMatchObject({ versions: 2 });
  expect((await json('import', file, '--connection', `${id}`, '--yes')).tariffDiff.changes).toEqual([]);
  expect((await stored(id)).document).toEqual(before.document);

  const { basePrice } = (await quoteOn(id)) ?? {};
  const dearer = await changed(file, ({ Prices: prices = [] }) => {
    for (const row of prices.slice(1)) {
      for (const [i, cell] of row.entries()) {
        if (i > 4 && typeof cell === 'number') row[i] = `€ ${String(cell + 1).replace('.', ',')}`;
      }
    }
  });
  await json('import', dearer, '--connection', `${id}`, '--yes');
  expect((await quoteOn(id))?.basePrice).toBeCloseTo(Number(basePrice) + 1, 2);
});

test('A new workbook begins with an example, and lists the columns that may be added', async () => {
  const file = await newFile('new.xlsx');
  expect(answerOf(await run('workbook', file, '--from', 'dhl-like', '--json'))).toMatchObject({
    versions: 1,
    zones: 7,
  });
  expect(answerOf(await check(file))).toMatchObject({ versions: 1, zones: 7 });
  const { Columns: columns = [] } = await sheetsOf(file);
  expect(columns).toContainEqual(['Surcharges', 'price fixed', 'EUR a shipment.']);
  // The file of somebody else stays as it is.
  expect(refusal(await run('workbook', file))).toEqual([`${file} exists already`]);
});

test('Each error names the sheet, the row and the column', async () => {
  const file = await newFile('brt.xlsx');
  await run('workbook', file);
  const wrong = await changed(file, sheets => {
    const [price, at] = below(sheets.Prices, 'italia');
    price[at] = '1.234';
    const [what, whatAt] = below(sheets.Prices, 'what', 2);
    what[whatAt] = 'prezzo';
    const [surcharge, when] = below(sheets.Surcharges, 'when parcel longest side cm', 8);
    surcharge[when] = 'molto';
    sheets.Fuel?.[0]?.push('prezo');
    sheets.Foglio1 = [['x']];
  });
  const lines = refusal(await check(wrong));
  expect(lines.map(line => line.replace(`${wrong}:`, ''))).toEqual([
    expect.stringMatching(/^sheet Foglio1: must be one of Tariff, Versions, /),
    expect.stringMatching(/^sheet Surcharges, row 9, column J: must be a range, such as > 30/),
    expect.stringMatching(/^sheet Fuel, row 1, column [A-Z]+: must be a column of this sheet, .* is "prezo"$/),
    expect.stringMatching(
      /^sheet Prices, row 2, column F: must be unambiguous: it can be 1234 or 1\.234\. Enter it as a number, not as a text$/,
    ),
    expect.stringMatching(
      /^sheet Prices, row 3, column E: must be one of price, per kg, per 100 kg, minimum, each step$/,
    ),
  ]);
});

test('Errors that the check of tariffs finds are shown at their cells, and missing values by their columns', async () => {
  const file = await newFile('brt.xlsx');
  await run('workbook', file);
  const wrong = await changed(file, ({ Zones: zones, Prices: prices }) => {
    const [zone, name] = below(zones, 'name');
    zone[name] = null;
    const [price, at] = below(prices, 'italia');
    price[at] = -3;
  });
  expect(refusal(await check(wrong)).map(line => line.replace(`${wrong}:`, ''))).toEqual([
    'sheet Zones, row 2, column "name": must be given',
    expect.stringMatching(/^sheet Prices, row 2, column F: must be at least 0$/),
  ]);
});

test('A hidden sheet and a cell that shows an error are rejected, and nothing is omitted in silence', async () => {
  const file = await newFile('brt.xlsx');
  await run('workbook', file);
  const wrong = await changed(
    file,
    ({ Zones: zones }) => {
      const [zone, name] = below(zones, 'name');
      zone[name] = '#REF!';
    },
    ['Surcharges'],
  );
  expect(refusal(await check(wrong)).map(line => line.replace(`${wrong}:`, ''))).toEqual([
    'sheet Surcharges: is hidden: show or delete it',
    'sheet Zones, row 2, column C: shows #REF! in place of a value',
  ]);
});

test('A postal code that lost its leading zeros in the spreadsheet is read with them', async () => {
  const file = await newFile('brt.xlsx');
  await run('workbook', file);
  const id = await connection();
  const asNumbers = await changed(file, ({ Surcharges: surcharges }) => {
    const [row, at] = below(surcharges, 'when to postal codes', 6);
    row[at] = 186;
  });
  await json('import', asNumbers, '--connection', `${id}`, '--yes');
  const { document } = await stored(id);
  expect(JSON.stringify(document)).toContain('{"to":{"postalCodes":["00186"]}}');
});
