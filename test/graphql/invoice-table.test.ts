import { expect, test } from 'vitest';
import { ask, connectCarrier, type Item } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { importOf } from './invoice-calls.ts';

/** The columns of an invoice of a carrier, as a web page lets a person choose them before anything is stored. */

const world = useSharedWorld();

const TABLE = `query Table($carrierConnectionId: ID!, $input: CarrierInvoiceTableInput!) {
  carrierInvoiceTable(carrierConnectionId: $carrierConnectionId, input: $input) {
    name document sheet headerRow
    columns { field column header examples }
    fields { name label description }
    problems { row column code message }
  }
}`;
const IMPORT = `mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) {
  carrierInvoice { databaseId mapping billed } lineCount billed mapping { name columns { field header } }
  userErrors { code pointer message } } }`;
const COUNT = '{ carrierInvoices { totalCount } }';

interface Shown {
  readonly name: string;
  readonly document: { readonly decimals?: string };
  readonly columns: readonly { readonly field: string | null; readonly header: string }[];
  readonly fields: readonly { readonly name: string; readonly label: string }[];
  readonly problems: readonly { readonly message: string }[];
}

const TEXT = 'Lettera;Partenza;Nolo netto;Gasolio;Extra\nM1;03/11/2026;4,35;0,44;1,00\nM2;04/11/2026;5,10;0,51;';
const CHOICE = [
  { header: 'Lettera', field: 'trackingNumber' },
  { header: 'Partenza', field: 'date' },
  { header: 'Nolo netto', field: 'charges.base' },
  { header: 'Gasolio', field: 'charges.fuel' },
  { header: 'Extra', field: 'charges.surcharges' },
];

async function connected(): Promise<{ caller: Caller; connection: number }> {
  const caller = await world.company();
  return { caller, connection: await connectCarrier(caller, 'BRT') };
}

async function imported(caller: Caller, input: Item): Promise<object> {
  const { data, errors } = await caller.graphql<{ importCarrierInvoice: object }>(IMPORT, { input: importOf(input) });
  expect(errors).toBeUndefined();
  return data.importCarrierInvoice;
}

test('An invoice without known column names is shown with its missing columns, and read once its columns are chosen', async () => {
  const { caller, connection } = await connected();
  const file = { text: TEXT };
  const before = await ask<Shown>(caller, TABLE, { carrierConnectionId: connection, input: { file } });
  expect(before).toMatchObject({ name: 'BRT', sheet: null, headerRow: 1 });
  expect(before.columns.map(({ header }) => header).toSorted()).toEqual(CHOICE.map(({ header }) => header).toSorted());
  expect(before.problems.map(({ message }) => message)).toEqual([
    expect.stringContaining('a column that finds shipments: one of Numero spedizione'),
    expect.stringContaining('a column with amounts: one of Nolo'),
  ]);
  expect(before.fields).toContainEqual(expect.objectContaining({ name: 'charges.fuel', label: 'Amount: fuel' }));
  expect(before.fields).toContainEqual(expect.objectContaining({ name: 'date', label: 'Day of shipment' }));

  const after = await ask<Shown>(caller, TABLE, {
    carrierConnectionId: connection,
    input: { file, columns: CHOICE, locale: 'it' },
  });
  expect(after.problems).toEqual([]);
  expect(after.columns.map(({ field, header }) => ({ field, header }))).toEqual(CHOICE);
  expect(after.document).toMatchObject({ decimals: 'comma', columns: { trackingNumber: 'Lettera' } });
  const name = { carrierConnectionId: connection, number: '17', date: '2026-11-30' };
  expect(await imported(caller, { ...name, file, ownMapping: after.document, dryRun: true })).toEqual({
    carrierInvoice: null,
    lineCount: 2,
    billed: '11.40',
    mapping: { name: 'BRT', columns: CHOICE.map(({ field, header }) => ({ field, header })) },
    userErrors: [],
  });
  expect(await ask(caller, COUNT)).toEqual({ totalCount: 0 });
  expect(await imported(caller, { ...name, file, ownMapping: after.document })).toMatchObject({
    carrierInvoice: { billed: '11.40' },
    lineCount: 2,
  });
  expect(await ask(caller, COUNT)).toEqual({ totalCount: 1 });
});

test('Two columns of one kind are two amounts, and rows with charges keep the names of their charges', async () => {
  const { caller, connection } = await connected();
  const twice = [...CHOICE.slice(0, 3), { header: 'Gasolio', field: 'charges.base' }];
  const { document } = await ask<Shown>(caller, TABLE, {
    carrierConnectionId: connection,
    input: { file: { text: TEXT }, columns: twice },
  });
  expect(document).toMatchObject({
    charges: [
      { column: 'Nolo netto', kinds: ['base'] },
      { column: 'Gasolio', kinds: ['base'] },
    ],
  });
  const rows = 'LDV;Voce;Importo\nM1;FRT;4.35\nM1;FSC;0.44';
  const ofRows = await ask<Shown>(caller, TABLE, {
    carrierConnectionId: connection,
    input: {
      file: { text: rows },
      mapping: { name: 'UPS' },
      columns: [
        { header: 'LDV', field: 'trackingNumber' },
        { header: 'Voce', field: 'charges.name' },
        { header: 'Importo', field: 'charges.amount' },
      ],
    },
  });
  expect(ofRows.problems).toEqual([]);
  const input = { carrierConnectionId: connection, number: '18', date: '2026-11-30', file: { text: rows } };
  expect(await imported(caller, { ...input, ownMapping: ofRows.document, dryRun: true })).toMatchObject({
    lineCount: 1,
    billed: '4.79',
  });
});

test('The columns of an invoice of another company, or of an unknown field, are not shown', async () => {
  const { caller, connection } = await connected();
  const { caller: other } = await connected();
  const input = { file: { text: TEXT } };
  const { errors } = await other.graphql(TABLE, { carrierConnectionId: connection, input });
  expect(errors?.[0]?.extensions.code).toBe('carrier_connection_not_found');
  const columns = [{ header: 'Lettera', field: 'charges.weight' }];
  const wrong = await caller.graphql(TABLE, { carrierConnectionId: connection, input: { ...input, columns } });
  expect(wrong.errors?.[0]?.extensions).toMatchObject({ code: 'validation_failed', errors: [{ code: 'not_allowed' }] });
});

test.each([
  ['no object', [], '', 'must be a value of type object; allowed are $schema, name, sheet, decimals'],
  [
    'an unknown field',
    { nome: 'x' },
    '/nome',
    'is not a known field; did you mean name? Allowed are $schema, charges,',
  ],
  ['no name', {}, '/name', 'must be given'],
  ['an empty name', { name: '' }, '/name', 'must have at least 1 characters'],
  ['other decimals', { decimals: 'dot' }, '/decimals', 'must be comma or point'],
  ['no list of rows to skip', { skip: 3 }, '/skip', 'must be a value of type array'],
  ['a column without a name', { columns: { zone: 3 } }, '/columns/zone', 'must be the name of a column'],
  ['charges without a column', { charges: [{}] }, '/charges', 'must be a list of columns'],
])('A mapping of an invoice with %s is rejected with the allowed values', async (_what, document, place, words) => {
  const { caller, connection } = await connected();
  const input = { file: { text: TEXT }, mapping: { document } };
  const { errors } = await caller.graphql(TABLE, { carrierConnectionId: connection, input });
  const issues = errors?.[0]?.extensions.errors ?? [];
  const { message } = issues.find(({ pointer }) => pointer.endsWith(`/document${place}`)) ?? {};
  expect(message).toContain(words);
  expect(issues.map(one => one.message).filter(one => /invalid|expected/i.test(one))).toEqual([]);
});

test('The locale of an import overrides the locale of its mapping', async () => {
  const { caller, connection } = await connected();
  const name = { carrierConnectionId: connection, number: '18', date: '2026-11-30', dryRun: true };
  const csv = 'tracking_number;base\nM1;1.234';
  expect(await imported(caller, { ...name, csv })).toMatchObject({ userErrors: [{ code: 'invalid_decimal' }] });
  expect(await imported(caller, { ...name, csv, locale: 'it' })).toMatchObject({ billed: '1234.00', userErrors: [] });
});
