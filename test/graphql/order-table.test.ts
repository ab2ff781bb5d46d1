import { expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** The columns of a table of orders, as a web page lets a person choose them. */

const world = useSharedWorld();

const TABLE = `query Table($input: OrderTableInput!) {
  orderTable(input: $input) {
    name document sheet headerRow
    columns { field column header examples }
    fields { name label description }
    problems { sheet row column header pointer code message }
  }
}`;
const IMPORT = `mutation Import($input: ImportOrdersInput!) {
  importOrders(input: $input) { created rejected onlyChecked problems { message } userErrors { code pointer message } }
}`;

interface Shown {
  readonly name: string;
  readonly document: object;
  readonly sheet: string | null;
  readonly headerRow: number;
  readonly columns: readonly { readonly field: string | null; readonly header: string }[];
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  readonly problems: readonly object[];
}

const shown = (caller: Caller, input: object) => ask<Shown>(caller, TABLE, { input });

const ROWS = [
  'Ref;Chi;Dove;CAP;Paese;Kg',
  'G-1;Anna Rossi;Via Roma 1;10121;Torino;2,5',
  'G-2;Luca;Via Po 2;10123;Torino;1',
];
const CHOICE = [
  { header: 'Ref', field: 'orderNumber' },
  { header: 'Chi', field: 'recipient.companyName' },
  { header: 'Dove', field: 'recipient.address' },
  { header: 'CAP', field: 'recipient.postalCode' },
  { header: 'Paese', field: 'recipient.city' },
  { header: 'Kg', field: 'parcel.weight' },
];

test('A table without known column names is shown with its missing columns, and read once its columns are chosen', async () => {
  const caller = await world.company();
  const file = { text: ROWS.join('\n') };
  const before = await shown(caller, { file });
  expect(before).toMatchObject({ name: 'STANDARD', sheet: null, headerRow: 1 });
  expect(before.columns).toContainEqual({ field: null, column: 'A', header: 'Ref', examples: ['G-1', 'G-2'] });
  expect(before.columns.map(({ header }) => header).toSorted()).toEqual(['CAP', 'Chi', 'Dove', 'Kg', 'Paese', 'Ref']);
  expect(before.problems).toMatchObject([
    { row: 1, code: 'required', message: expect.stringContaining('Numero ordine') },
  ]);
  expect(before.fields).toContainEqual(expect.objectContaining({ name: 'recipient.postalCode', label: 'CAP' }));

  const after = await shown(caller, { file, columns: CHOICE });
  expect(after.problems).toEqual([]);
  expect(after.columns.map(({ field, header }) => ({ field, header }))).toEqual(expect.arrayContaining(CHOICE));
  const { data } = await caller.graphql<{ importOrders: object }>(IMPORT, {
    input: { file, mapping: { document: after.document } },
  });
  expect(data?.importOrders).toEqual({ created: 2, rejected: 0, onlyChecked: false, problems: [], userErrors: [] });
});

test('Columns of one field are joined, and a column that is not chosen is ignored', async () => {
  const caller = await world.company();
  const text = 'Numero ordine;Nome;Cognome;Indirizzo;CAP;Città;Peso\nG-1;Anna;Rossi;Via Roma 1;10121;Torino;due';
  const { columns, document } = await shown(caller, { file: { text } });
  expect(document).toMatchObject({ columns: { 'recipient.companyName': { all: ['Nome', 'Cognome'], by: ' ' } } });
  const chosen = columns.flatMap(({ header, field }) =>
    field === null || field === 'parcel.weight' ? [] : [{ header, field }],
  );
  const after = await shown(caller, { file: { text }, columns: chosen });
  expect(after.columns.at(-1)).toMatchObject({ field: null, header: 'Peso' });
  const { data } = await caller.graphql<{ importOrders: object }>(IMPORT, {
    input: { file: { text }, mapping: { document: after.document } },
  });
  expect(data?.importOrders).toMatchObject({ created: 1, problems: [] });
});

test('The payment and total columns of a shop can be chosen for cash on delivery', async () => {
  const caller = await world.company();
  const rows = [
    ['Ordine', 'Indirizzo', 'CAP', 'Città', 'Come paga', 'Da pagare'],
    ['G-1', 'Via Roma 1', 10121, 'Torino', 'Contrassegno', 49.9],
    ['G-2', 'Via Po 2', 10123, 'Torino', 'PayPal', 12],
  ];
  const file = { base64: Buffer.from(workbook({ Ordini: rows })).toString('base64') };
  const { columns } = await shown(caller, { file });
  const chosen = columns.flatMap(({ header, field }) => (field === null ? [] : [{ header, field }]));
  const { document, sheet } = await shown(caller, {
    file,
    columns: [
      ...chosen,
      { header: 'Come paga', field: 'cashOnDelivery.payment' },
      { header: 'Da pagare', field: 'cashOnDelivery.amount' },
    ],
  });
  expect(sheet).toBe('Ordini');
  await caller.graphql(IMPORT, { input: { file, mapping: { document } } });
  expect(await ask(caller, '{ orders(first: 10) { nodes { orderNumber codAmount } } }')).toMatchObject({
    nodes: [
      { orderNumber: 'G-2', codAmount: null },
      { orderNumber: 'G-1', codAmount: '49.90' },
    ],
  });
});

test.each([
  { name: 'a field that is none', input: { file: { text: ROWS[0] }, columns: [{ header: 'Ref', field: 'number' }] } },
  { name: 'a picture', input: { file: { base64: 'iVBORw0KGgoAAAAN' } } },
])('A table with $name is rejected', async ({ input }) => {
  const { errors } = await (await world.company()).graphql(TABLE, { input });
  expect(errors?.[0]?.extensions.code).toBe('validation_failed');
});

test('An empty file is shown as a table that lacks all columns', async () => {
  const caller = await world.company();
  expect(await shown(caller, { file: { text: '\n' } })).toMatchObject({
    columns: [],
    problems: [{ row: 1, code: 'required' }],
  });
});

test('The table of orders requires the scope to write orders', async () => {
  const caller = await world.company(['shipments:tracking']);
  const { errors } = await caller.graphql(TABLE, { input: { file: { text: ROWS[0] } } });
  expect(errors?.[0]?.extensions.code).toBe('insufficient_scope');
});
