import { expect, test } from 'vitest';
import { readTable } from '../../src/platform/tables/read-table.ts';
import { ask, createWarehouse } from '../support/platform-side.ts';
import { type SheetCell, workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Orders from a table, as a web page sends the file of a person. */

const world = useSharedWorld();

const IMPORT = `mutation Import($input: ImportOrdersInput!) {
  importOrders(input: $input) {
    created updated unchanged rejected onlyChecked
    mapping { name sheet headerRow document columns { field column header examples } }
    problems { sheet row column header value cells pointer code message }
    userErrors { code pointer message }
  }
}`;

interface Imported {
  readonly created: number;
  readonly onlyChecked: boolean;
  readonly mapping: { readonly name: string; readonly document: object; readonly columns: readonly object[] };
  readonly problems: readonly object[];
  readonly userErrors: readonly object[];
}

async function imported(caller: Caller, input: object): Promise<Imported> {
  const { data, errors } = await caller.graphql<{ importOrders: Imported }>(IMPORT, { input });
  expect(errors).toBeUndefined();
  return data?.importOrders as Imported;
}

async function numbersOf(caller: Caller): Promise<string[]> {
  const { nodes } = await ask<{ nodes: { orderNumber: string }[] }>(
    caller,
    '{ orders(first: 10) { nodes { orderNumber } } }',
  );
  return nodes.map(({ orderNumber }) => orderNumber).toReversed();
}

const HEADER = 'Numero ordine;Destinatario;Indirizzo;CAP;Città;Peso;Note';
const ANNA = 'G-1;Anna Rossi;Via Roma 1;10121;Torino;2,5;citofono';
const WRONG = 'G-2;Luca Verdi;Corso Italia 7;9999;Milano;due;';
const none = { created: 0, updated: 0, unchanged: 0, rejected: 0, userErrors: [] };

test('A spreadsheet is checked, shown with its errors, and stored once it is corrected', async () => {
  const caller = await world.company();
  const warehouseId = await createWarehouse(caller);
  const text = [HEADER, ANNA, WRONG].join('\n');
  const refused = await imported(caller, { file: { text }, warehouseId });
  expect(refused).toMatchObject({
    ...none,
    rejected: 1,
    onlyChecked: true,
    mapping: { name: 'STANDARD', sheet: null, headerRow: 1 },
  });
  expect(refused.problems).toEqual([
    {
      sheet: null,
      row: 3,
      column: 'F',
      header: 'Peso',
      value: 'due',
      cells: WRONG.split(';'),
      pointer: '/parcels/0/weight',
      code: 'invalid_decimal',
      message: 'must be a number',
    },
    {
      sheet: null,
      row: 3,
      column: 'D',
      header: 'CAP',
      value: '9999',
      cells: WRONG.split(';'),
      pointer: '/recipient/postalCode',
      code: 'invalid_postal_code',
      message: expect.stringContaining('five digits'),
    },
  ]);
  expect(refused.mapping.columns).toContainEqual({
    field: 'parcel.weight',
    column: 'F',
    header: 'Peso',
    examples: ['2,5', 'due'],
  });
  expect(refused.mapping.columns.at(-1)).toEqual({
    field: null,
    column: 'G',
    header: 'Note',
    examples: ['citofono', ''],
  });
  expect(await imported(caller, { file: { text: `${HEADER}\n${ANNA}` }, dryRun: true })).toMatchObject({
    ...none,
    onlyChecked: true,
    problems: [],
  });
  expect(await numbersOf(caller)).toEqual([]);
  expect(await imported(caller, { file: { text }, warehouseId, acceptGoodRows: true })).toMatchObject({
    ...none,
    created: 1,
    rejected: 1,
    onlyChecked: false,
  });
  expect(await imported(caller, { file: { text: `${HEADER}\n${ANNA}` }, warehouseId })).toMatchObject({
    ...none,
    unchanged: 1,
  });
  expect(await numbersOf(caller)).toEqual(['G-1']);
});

test('A workbook is sent in Base64, and read by the mapping from an earlier response', async () => {
  const caller = await world.company();
  const rows = [
    ['Codice', 'Via', 'CAP', 'Comune', 'Importo C/A'],
    ['G-1', 'Via Roma 1', 121, 'Roma', 49.9],
  ];
  const base64 = Buffer.from(workbook({ Ordini: rows })).toString('base64');
  const known = await imported(caller, { file: { text: `${HEADER}\n${ANNA}` }, dryRun: true });
  const document = known.mapping.document as { columns: object };
  const columns = {
    ...document.columns,
    orderNumber: 'Codice',
    'recipient.city': 'Comune',
    'recipient.address': 'Via',
  };
  expect(
    await imported(caller, { file: { base64 }, mapping: { document: { ...document, columns, name: 'Nostro' } } }),
  ).toMatchObject({
    ...none,
    created: 1,
    mapping: { name: 'Nostro', sheet: 'Ordini' },
  });
  expect(await numbersOf(caller)).toEqual(['G-1']);
});

test.each([
  { name: 'what is no Base64', input: { file: { base64: 'é' } }, errors: [{ pointer: '/file/base64' }] },
  {
    name: 'a picture',
    input: { file: { base64: 'iVBORw0KGgoAAAAN' } },
    errors: [{ code: 'invalid_text', pointer: '/file' }],
  },
  { name: 'other columns', input: { file: { text: 'a;b\n1;2' } }, errors: [{ code: 'required', pointer: '/file' }] },
  {
    name: 'a wrong mapping',
    input: { file: { text: HEADER }, mapping: { document: { name: 'x', columns: {} } } },
    errors: [{ pointer: '/mapping/document/columns' }],
  },
  ...[[], 3, 'x'].map(document => ({
    name: `a mapping that is ${JSON.stringify(document)}`,
    input: { file: { text: HEADER }, mapping: { document } },
    errors: [
      {
        pointer: '/mapping/document',
        message:
          'The field mapping.document must be a value of type object; allowed are $schema, name, sheet, decimals, dates, skip, columns, metadata, values, repeated, cashOnDelivery.',
      },
    ],
  })),
  {
    name: 'a row of many cells',
    input: { file: { text: `${';'.repeat(2_000)}\n` } },
    errors: [{ code: 'invalid_text', pointer: '/file/1' }],
  },
  {
    name: 'more orders than a request takes',
    input: {
      file: {
        text: [HEADER, ...Array.from({ length: 5_001 }, (_, i) => `N-${i};A;Via Roma 1;10121;Torino;;`)].join('\n'),
      },
    },
    errors: [{ code: 'too_many', pointer: '/file' }],
  },
])('An import of $name is rejected, and nothing is stored', async ({ input, errors }) => {
  const caller = await world.company();
  expect(await imported(caller, input)).toMatchObject({ created: null, mapping: null, userErrors: errors });
  expect(await numbersOf(caller)).toEqual([]);
});

test('Rows with errors can be downloaded, corrected and imported', async () => {
  const caller = await world.company();
  const rows = [
    ['Ordini di novembre'],
    ['Numero ordine', 'Indirizzo', 'CAP', 'Città', 'Peso'],
    ['G-1', 'Via Roma 1', '00186', 'Roma', 1.234],
    ['G-2', 'Via Po 2', '9999', 'Torino', 'due'],
  ];
  const FILE = `mutation ($input: ImportOrdersInput!) { importOrders(input: $input) {
    created rejected problemFile { base64 } userErrors { code pointer message } } }`;
  type Sent = { importOrders: { created: number; problemFile: { base64: string } } };
  const send = async (sheet: readonly (readonly SheetCell[])[]) => {
    const base64 = Buffer.from(workbook({ Ordini: sheet })).toString('base64');
    return (await caller.graphql<Sent>(FILE, { input: { file: { base64 } } })).data.importOrders;
  };
  const { problemFile } = await send(rows);
  const owner = { companyId: 'test' as never };
  const { sheets } = await readTable(owner, Buffer.from(problemFile.base64, 'base64'));
  const [header = [], good = [], wrong = []] = [...(sheets[0]?.rows() ?? [])].map(({ cells }) => cells);
  expect(sheets[0]?.name).toBe('Ordini');
  expect(header).toEqual(['Problems', 'Numero ordine', 'Indirizzo', 'CAP', 'Città', 'Peso']);
  expect(good).toEqual(['', 'G-1', 'Via Roma 1', '00186', 'Roma', 1.234]);
  expect(wrong).toEqual([expect.stringMatching(/^Peso: must be a number; CAP: .*five digits/), ...(rows[3] ?? [])]);
  expect(await send([header, good, [...wrong.slice(0, 3), '10123', 'Torino', 2]])).toMatchObject({
    created: 2,
    rejected: 0,
  });
});

test.each(['A/B: [c]*?', 'n'.repeat(60), ' '])(
  'The sheet of a file whose rows with errors are downloaded can be named "%s"',
  async name => {
    const caller = await world.company();
    const sheet = [
      ['Numero ordine', 'Indirizzo', 'CAP', 'Città', ''],
      ['G-1', 'Via_x0000_ Roma 1', '9999', 'Torino', true],
    ];
    const base64 = Buffer.from(workbook({ [name]: sheet })).toString('base64');
    const FILE = `mutation ($input: ImportOrdersInput!) { importOrders(input: $input) {
    rejected problems { header } problemFile { base64 } userErrors { code pointer message } } }`;
    expect(await ask(caller, FILE, { input: { file: { base64 } } })).toMatchObject({
      rejected: 1,
      problems: expect.arrayContaining([{ header: 'Indirizzo' }, { header: 'CAP' }]),
      problemFile: { base64: expect.stringMatching(/^UEsD/) },
    });
  },
);

test('A parcel without a weight is an error of its empty cell or of its row, and not of the cell with its sides', async () => {
  const caller = await world.company();
  const text = 'Numero ordine;Indirizzo;CAP;Città;Misure\nG-1;Via Roma 1;10121;Torino;40x30x20';
  const { problems } = await imported(caller, { file: { text }, dryRun: true });
  expect(problems).toMatchObject([
    { row: 2, column: null, header: null, pointer: '/parcels/0/weight', message: 'must be given' },
  ]);
  const rows = [`${text};2,5`, 'G-1;Via Roma 1;10121;Torino;20x20x20;'];
  const withWeights = rows.join('\n').replace('Misure\n', 'Misure;Peso\n');
  expect((await imported(caller, { file: { text: withWeights }, dryRun: true })).problems).toMatchObject([
    { row: 3, column: 'F', header: 'Peso', pointer: '/parcels/1/weight', message: 'must be given' },
  ]);
});

test('An import of orders requires the scope to write orders', async () => {
  const caller = await world.company(['shipments:tracking']);
  const { data, errors } = await caller.graphql(IMPORT, { input: { file: { text: HEADER } } });
  expect({ data, code: errors?.[0]?.extensions?.code }).toEqual({
    data: { importOrders: null },
    code: 'insufficient_scope',
  });
});

test('Nothing is stored if a row and its stored order have too many metadata keys together', async () => {
  const caller = await world.company();
  const head = 'orderNumber;recipient.address;recipient.postalCode;recipient.city';
  const keys = (prefix: string) => Array.from({ length: 15 }, (_, i) => `metadata.${prefix}${i}`).join(';');
  const row = (number: string) => `${number};Via Roma 1;10121;Torino;${Array(15).fill('x').join(';')}`;
  const file = (prefix: string, ...numbers: string[]) => ({
    file: { text: [`${head};${keys(prefix)}`, ...numbers.map(row)].join('\n') },
  });
  expect(await imported(caller, file('a', 'G-2'))).toMatchObject({ ...none, created: 1 });
  expect(await imported(caller, file('b', 'G-1', 'G-2'))).toMatchObject({
    ...none,
    rejected: 1,
    onlyChecked: true,
    problems: [{ row: 3, pointer: '/metadata', code: 'too_many' }],
  });
  expect(await numbersOf(caller)).toEqual(['G-2']);
});
