import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { type SheetCell, workbook } from '../support/workbook.ts';
import type { Caller } from '../support/world.ts';
import { rowsOf, useImportFiles } from './import-files.ts';
import { inProcess } from './in-process.ts';
import type { Ended, Json } from './processes.ts';

// Orders as people keep them in a spreadsheet.

const given = useImportFiles();
const { world } = given;

const HEADER = [
  'Numero ordine',
  'Destinatario',
  'Indirizzo',
  'CAP',
  'Città',
  'Prov.',
  'Peso',
  'Misure',
  'Contrassegno',
];
const ROWS: SheetCell[][] = [
  ['X-1', 'Anna Bianchi', 'Via Roma 1', 10121, 'Torino', 'TO', 2.5, '40x30x20', 49.9],
  ['X-2', 'Luca Verdi', 'Corso Italia 7', 121, 'Roma', 'RM', 1, '30x20x10', null],
  ['X-2', 'Luca Verdi', 'Corso Italia 7', 121, 'Roma', 'RM', 0.8, '20x20x10', null],
];
const WRONG: SheetCell[] = ['X-3', 'Mario Neri', 'Via Po 3', '9999', 'Torino', 'TO', 'due', '', null];

const fileOf = (rows: readonly SheetCell[][]) => given.fileOf(workbook({ Ordini: [HEADER, ...rows] }), 'xlsx');
const run = (caller: Caller, file: string, ...options: string[]) => given.run('orders', file, caller, ...options);

/** The answer of a command that has succeeded; its mapping is on standard error. */
function answerOf({ code, stdout }: Ended): Json {
  expect(code).toBe(0);
  return JSON.parse(stdout);
}

async function stored(caller: Caller): Promise<Json[]> {
  const { nodes } = await ask<Json>(
    caller,
    '{ orders(first: 10) { nodes { orderNumber codAmount recipient { postalCode } parcels { weight length width height quantity } } } }',
  );
  return nodes.toReversed();
}

const none = { created: 0, updated: 0, unchanged: 0, rejected: 0, nextRow: null };
const ORDERS = [
  {
    orderNumber: 'X-1',
    codAmount: '49.90',
    recipient: { postalCode: '10121' },
    parcels: [{ weight: '2.5', length: '40', width: '30', height: '20', quantity: 1 }],
  },
  {
    orderNumber: 'X-2',
    codAmount: null,
    recipient: { postalCode: '00121' },
    parcels: [
      { weight: '1', length: '30', width: '20', height: '10', quantity: 1 },
      { weight: '0.8', length: '20', width: '20', height: '10', quantity: 1 },
    ],
  },
];

test('A workbook is imported as it is, and changes nothing when it is imported again', async () => {
  const caller = await world.company();
  const file = await fileOf(ROWS);
  const dry = await run(caller, file, '--dry-run');
  expect(answerOf(dry)).toEqual({ ...none, ...rowsOf(3), onlyChecked: true });
  expect(dry.stderr).toContain('2 of 2 records are good');
  expect(await stored(caller)).toEqual([]);
  const first = await run(caller, file);
  expect(answerOf(first)).toEqual({ ...none, ...rowsOf(3), created: 2 });
  expect(first.stderr).toMatch(/Mapping STANDARD, sheet Ordini, header in row 1/);
  expect(first.stderr).toMatch(/recipient\.postalCode\s*│ D\s*│ CAP\s*│ 10121/);
  expect(await stored(caller)).toEqual(ORDERS);
  expect(answerOf(await run(caller, file))).toEqual({ ...none, ...rowsOf(3), unchanged: 2 });
});

test('A single wrong row keeps all others out, unless the good ones are accepted', async () => {
  const caller = await world.company();
  const report = join(given.folder, 'problems.csv');
  const file = await fileOf([...ROWS, WRONG]);
  const refused = await run(caller, file, '--report', report);
  expect({ code: refused.code, answer: JSON.parse(refused.stdout) }).toEqual({
    code: 1,
    answer: { ...none, ...rowsOf(3, { wrong: 1 }), rejected: 1, onlyChecked: true },
  });
  expect(await stored(caller)).toEqual([]);
  const lines = (await readFile(report, 'utf8')).trimEnd().split('\n');
  expect(lines.slice(1).map(line => line.split(',').filter((_, i) => ![3].includes(i)))).toEqual([
    ['5', '/parcels/0/weight', 'invalid_decimal', 'Ordini', 'G', 'Peso', 'due'],
    ['5', '/recipient/postalCode', 'invalid_postal_code', 'Ordini', 'D', 'CAP', '9999'],
  ]);
  const accepted = await run(caller, file, '--accept-good-rows');
  expect(JSON.parse(accepted.stdout)).toEqual({ ...none, ...rowsOf(3, { wrong: 1 }), created: 2, rejected: 1 });
  expect(await stored(caller)).toEqual(ORDERS);
});

test('A warehouse that does not exist is found before anything is stored', async () => {
  const caller = await world.company();
  const { code, stderr } = await run(caller, await fileOf(ROWS), '--warehouse', '999999');
  expect(code).toBe(1);
  expect(stderr).toMatch(/row 2 \/warehouseId must be the id of a warehouse/);
  expect(await stored(caller)).toEqual([]);
});

test('A mapping can be shown, written, changed and used', async () => {
  const caller = await world.company();
  const [file, mapping] = [join(given.folder, 'codes.csv'), join(given.folder, 'mapping.json')];
  await writeFile(file, 'Codice;Via;CAP;Comune;Kg\nM-1;Via Roma 1;10121;Torino;1,5\nTotale;;;;1,5\n');
  const known = await inProcess(['import', 'map', await fileOf(ROWS), '--out', mapping], given.settings);
  expect(known.stdout).toMatch(/orderNumber\s*│ A\s*│ Numero ordine\s*│ X-1/);
  const written = JSON.parse(await readFile(mapping, 'utf8'));
  expect(written).toMatchObject({
    name: 'STANDARD',
    columns: { orderNumber: 'Numero ordine', 'parcel.size': 'Misure' },
  });
  const own = {
    ...written,
    columns: {
      ...written.columns,
      orderNumber: 'Codice',
      'recipient.address': 'Via',
      'recipient.city': 'Comune',
      'parcel.weight': 'Kg',
    },
    skip: [{ column: 'Codice', values: ['Totale*'] }],
  };
  await writeFile(mapping, JSON.stringify(own));
  expect(answerOf(await run(caller, file, '--mapping-file', mapping))).toEqual({
    ...none,
    ...rowsOf(1, { leftOut: 1 }),
    created: 1,
  });
  expect(await stored(caller)).toMatchObject([{ orderNumber: 'M-1', parcels: [{ weight: '1.5', length: null }] }]);
  const broken = await run(caller, file, '--mapping', 'SHOPIFY');
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining('a column with the number of the order') });
});
