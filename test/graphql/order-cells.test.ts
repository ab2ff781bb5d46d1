import { describe, expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Cells of orders as people, programs and spreadsheets write them: read, or a problem with what would be right. */

const world = useSharedWorld({ ROLE: 'api' });

const IMPORT = `mutation Import($input: ImportOrdersInput!) {
  importOrders(input: $input) { created problems { row header message } userErrors { message } }
}`;

interface Sent {
  readonly created: number | null;
  readonly problems: readonly { readonly header: string; readonly message: string }[] | null;
  readonly userErrors: readonly { readonly message: string }[];
}

async function sent(caller: Caller, file: object): Promise<Sent> {
  const { data, errors } = await caller.graphql<{ importOrders: Sent }>(IMPORT, { input: { file } });
  expect(errors).toBeUndefined();
  return data?.importOrders as Sent;
}

const NAMES = ['Numero ordine', 'Destinatario', 'Indirizzo', 'CAP', 'Città'];
const ANNA = ['G-1', 'Anna Rossi', 'Via Roma 1', '10121', 'Torino'];
const file = (names: readonly string[], cells: readonly string[], sign = ';') => ({
  text: [
    [...NAMES, ...names],
    [...ANNA, ...cells],
  ]
    .map(row => row.join(sign))
    .join('\n'),
});

interface Stored {
  readonly codAmount: string | null;
  readonly parcels: readonly object[];
  readonly recipient: { readonly postalCode: string };
}

async function stored(caller: Caller): Promise<Stored | undefined> {
  const { nodes } = await ask<{ nodes: Stored[] }>(
    caller,
    '{ orders(first: 2) { nodes { codAmount recipient { postalCode } parcels { weight length width height } } } }',
  );
  return nodes[0];
}

describe.each([
  { name: 'Peso;Misure', cells: '2,5;40/30/20', parcel: { weight: '2.5', length: '40', width: '30', height: '20' } },
  {
    name: 'Peso;Misure',
    cells: '2,5 kg;400x300x205 mm',
    parcel: { weight: '2.5', length: '40', width: '30', height: '20.5' },
  },
  {
    name: 'Peso;Misure (mm)',
    cells: '2,5;400*300*200',
    parcel: { weight: '2.5', length: '40', width: '30', height: '20' },
  },
  {
    name: 'Peso;Misure',
    cells: '500 g;0,4 m x 0,3 m x 0,2 m',
    parcel: { weight: '0.5', length: '40', width: '30', height: '20' },
  },
  { name: 'Weight (lb);Size', cells: '5;10x5x2 in', parcel: { weight: '2.268', length: '25.4', width: '12.7' } },
  { name: 'Weight (oz);Length (mm)', cells: '16;', parcel: { weight: '0.454', length: null } },
])('A parcel of $cells below $name', ({ name, cells, parcel }) => {
  test('is read in kilograms and centimetres', async () => {
    const caller = await world.company();
    expect(await sent(caller, file(name.split(';'), cells.split(';')))).toMatchObject({ created: 1, problems: [] });
    expect((await stored(caller))?.parcels).toMatchObject([parcel]);
  });
});

test.each([
  { cell: 'NO', amount: null },
  { cell: '-', amount: null },
  { cell: 'n.d.', amount: null },
  { cell: "1'234,50", amount: '1234.50' },
])('Cash on delivery "$cell" is $amount', async ({ cell, amount }) => {
  const caller = await world.company();
  expect(await sent(caller, file(['Contrassegno'], [cell]))).toMatchObject({ created: 1, problems: [] });
  expect((await stored(caller))?.codAmount).toBe(amount);
});

test.each([
  { cap: '="00184"', sign: ',' },
  { cap: '="00184"', sign: ';' },
  { cap: '"=""00184"""', sign: ';' },
  { cap: '184.0', sign: ';' },
  { cap: '00184.0', sign: ',' },
])('The postal code $cap between "$sign" is 00184', async ({ cap, sign }) => {
  const caller = await world.company();
  const text = [NAMES, ['G-1', 'Anna', 'Via Roma 1', cap, 'Roma']].map(row => row.join(sign)).join('\n');
  expect(await sent(caller, { text })).toMatchObject({ created: 1, problems: [] });
  expect((await stored(caller))?.recipient.postalCode).toBe('00184');
});

test.each([
  { number: '8,40001E+11', street: 'Via Roma 1', header: 'Numero ordine' },
  { number: '1E+11', street: 'Via Roma 1', header: 'Numero ordine' },
  { number: '03-mag', street: 'Via Roma 1', header: 'Numero ordine' },
  { number: 'May-26', street: 'Via Roma 1', header: 'Numero ordine' },
])('The number "$number", which a spreadsheet has made, is a problem', async ({ number, street, header }) => {
  const caller = await world.company();
  const text = [NAMES, [number, 'Anna', street, '10121', 'Torino']].map(row => row.join(';')).join('\n');
  const { problems } = await sent(caller, { text });
  expect(problems).toMatchObject([{ header, message: expect.stringContaining('saved as text') }]);
});

test('The number of a house that a spreadsheet has made a date is a problem', async () => {
  const caller = await world.company();
  const text = 'Numero ordine;Indirizzo;Civico;CAP;Città\nG-1;Via Roma;03-mag;10121;Torino';
  expect((await sent(caller, { text })).problems).toMatchObject([{ message: expect.stringContaining('date') }]);
});

test.each([
  { name: 'a picture', content: '\x89PNG\r\n\x1A\n\0\0\0\rIHDR', says: 'is a picture', encoding: 'latin1' as const },
  { name: 'a PDF', content: '%PDF-1.7\n1 0 obj', says: 'is a PDF' },
  { name: 'a web page', content: '\uFEFF<html><table><tr><td>Numero ordine</td></tr></table></html>', says: 'HTML' },
  { name: 'XML', content: '<?xml version="1.0"?><Workbook/>', says: 'is XML' },
  { name: 'nothing', content: '\n', says: 'the file has no rows' },
])('A file with $name is refused with what it is', async ({ content, says, encoding = 'utf8' as const }) => {
  const caller = await world.company();
  const { created, userErrors } = await sent(caller, { base64: Buffer.from(content, encoding).toString('base64') });
  expect(created).toBeNull();
  expect(userErrors).toMatchObject([{ message: expect.stringContaining(says) }]);
});
