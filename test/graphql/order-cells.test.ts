import { describe, expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Cells of orders as people, programs and spreadsheets write them: read, or a problem with what would be right. */

const world = useSharedWorld();

const IMPORT = `mutation Import($input: ImportOrdersInput!) {
  importOrders(input: $input) {
    created mapping { document } leftOut { row reason } remarks problems { row header value message } userErrors { message }
  }
}`;

interface Sent {
  readonly created: number | null;
  readonly problems: readonly { readonly header: string; readonly message: string }[] | null;
  readonly mapping: { readonly document: object } | null;
  readonly remarks: readonly string[] | null;
  readonly userErrors: readonly { readonly message: string }[];
}

async function sent(caller: Caller, file: object, options: object = {}): Promise<Sent> {
  const { data, errors } = await caller.graphql<{ importOrders: Sent }>(IMPORT, { input: { file, ...options } });
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
])('The cell "$cell" for cash on delivery is read as $amount', async ({ cell, amount }) => {
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
])('The postal code $cap with the separator "$sign" is read as 00184', async ({ cap, sign }) => {
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
])('The number "$number", which a spreadsheet has changed, is rejected', async ({ number, street, header }) => {
  const caller = await world.company();
  const text = [NAMES, [number, 'Anna', street, '10121', 'Torino']].map(row => row.join(';')).join('\n');
  const { problems } = await sent(caller, { text });
  expect(problems).toMatchObject([{ header, message: expect.stringContaining('saved as text') }]);
});

test('A cell with a date in place of a number is rejected with its possible meanings', async () => {
  const caller = await world.company();
  const [date, made] = [{ xml: '<c s="1"><v>46145</v></c>' }, { xml: '<c s="1"><v>46143</v></c>' }];
  const rows = [
    ['Numero ordine', 'Indirizzo', 'Civico', 'CAP', 'Città', 'Misure', 'Peso'],
    [date, 'Via Roma', '1', '10121', 'Torino', '40x30x20', 1],
    ['G-2', 'Via Roma', made, '10121', 'Torino', '10/12/2020', 1],
  ];
  const base64 = Buffer.from(workbook({ Ordini: rows })).toString('base64');
  expect((await sent(caller, { base64 })).problems).toMatchObject([
    { header: 'Numero ordine', message: expect.stringContaining('2026-05-03 of a number such as 3-5 or 3/5') },
    { header: 'Indirizzo', message: expect.stringContaining('1-5 or 1/5 or 5/2026') },
    { header: 'Misure', message: expect.stringContaining('10/12/2020 is a date') },
  ]);
});

describe.each([
  {
    name: 'without an amount',
    names: ['Pagamento'],
    cells: ['Contrassegno'],
    says: 'no column has what is to be collected',
  },
  { name: 'with a yes', names: ['Contrassegno'], cells: ['Sì'], says: 'not only a yes' },
  {
    name: 'paid in part',
    names: ['Pagamento', 'Totale'],
    cells: ['Acconto + contrassegno', '30'],
    says: 'still to be paid',
  },
])('Cash on delivery $name', ({ names, cells, says }) => {
  test('is an error, and no order is created without it', async () => {
    const caller = await world.company();
    const { problems, mapping } = await sent(caller, file(names, cells));
    expect(problems).toMatchObject([{ message: expect.stringContaining(says) }]);
    const again = await sent(caller, file(names, cells), { mapping: { document: mapping?.document } });
    expect(again.problems).toMatchObject([{ message: expect.stringContaining(says) }]);
  });
});

test('The total of an order with cash on delivery is the amount, unless it is paid, and the response says so', async () => {
  const caller = await world.company();
  const names = ['Metodo di pagamento', 'Totale ordine', 'Stato pagamento'];
  const open = await sent(caller, file(names, ['Contanti alla consegna', '1.049,90', 'da pagare']));
  expect(open.remarks).toContain('The cash on delivery of an order is its Totale ordine.');
  expect((await stored(caller))?.codAmount).toBe('1049.90');
  const paid = await sent(caller, file(names, ['Contanti alla consegna', '1.049,90', 'Pagato']));
  expect(paid.remarks?.join()).toContain('"Contanti alla consegna (Pagato)" (1)');
  expect((await stored(caller))?.codAmount).toBe('0.00');
});

test('A conflict is listed once, in its own cell, and the names of a column are listed once', async () => {
  const caller = await world.company();
  const rows = [
    'Numero ordine;Destinatario;Indirizzo;CAP;Città',
    ANNA.join(';'),
    ANNA.with(1, 'Bice').join(';'),
    ANNA.with(1, 'Carla').join(';'),
  ];
  const { problems } = await sent(caller, { text: rows.join('\n') });
  expect(problems).toMatchObject([
    { row: 3, header: 'Destinatario', value: 'Bice' },
    { row: 4, header: 'Destinatario', value: 'Carla' },
  ]);
  const magento = (id: string, address: string) => `${id},Main,Anna,"${address}"`;
  const joined = [
    'ID,Purchase Point,Ship-to Name,Shipping Address',
    magento('1', 'Via Roma 1,Torino,Torino,10121'),
    magento('1', 'Via Po 2,Milano,Milano,20121'),
  ];
  expect((await sent(caller, { text: joined.join('\n') })).problems).toMatchObject([
    { row: 3, header: 'Shipping Address' },
  ]);
  const doubled =
    'order-id\torder-id\tship-address-1\tship-city\tship-postal-code\tship-country\n1\t1\tVia Roma 1\tTorino\t10121\tIT';
  const { userErrors } = await sent(caller, { text: doubled });
  expect(userErrors).toMatchObject([
    { message: expect.stringContaining('order-id is the name of two columns; its 1 row was not read') },
  ]);
});

test('Hidden sheets are reported, and repeated headers within a table are skipped', async () => {
  const caller = await world.company();
  const bytes = workbook({ Ordini: [NAMES, ANNA, NAMES], Vecchi: [NAMES, ANNA] }, { hidden: ['Vecchi'] });
  const answer = await sent(caller, { base64: Buffer.from(bytes).toString('base64') });
  expect(answer).toMatchObject({ created: 1, leftOut: [{ row: 3, reason: 'it repeats the header' }] });
  expect(answer.remarks).toContain('Hidden sheets were not read: Vecchi.');
});

test('A house number that a spreadsheet has changed to a date is rejected', async () => {
  const caller = await world.company();
  const text = 'Numero ordine;Indirizzo;Civico;CAP;Città\nG-1;Via Roma;03-mag;10121;Torino';
  expect((await sent(caller, { text })).problems).toMatchObject([{ message: expect.stringContaining('date') }]);
});

test.each([
  { name: 'a PDF', content: '%PDF-1.7\n1 0 obj', says: 'is a PDF' },
  { name: 'a web page', content: '\uFEFF<html><table><tr><td>Numero ordine</td></tr></table></html>', says: 'HTML' },
  { name: 'XML', content: '<?xml version="1.0"?><Workbook/>', says: 'is XML' },
  { name: 'a web page under a comment', content: '<!-- saved -->\n<html><body></body></html>', says: 'HTML' },
  { name: 'a web page that Excel saved', content: 'MIME-Version: 1.0\nX-Document-Type: Workbook', says: 'HTML' },
  { name: 'XML without a beginning', content: '<Orders><Order id="1"/></Orders>', says: 'is XML' },
  { name: 'JSON', content: '[{"id": 1}]', says: 'is JSON' },
  ...['\x89PNG\r\n\x1a\n', '\xff\xd8\xff\xe0', 'GIF89a', 'RIFF\x10\0\0\0WEBPVP8 '].map(content => ({
    name: `a picture (${content.slice(1, 4)})`,
    content,
    says: 'is a picture',
  })),
  { name: 'nothing', content: '\n', says: 'the file has no rows' },
])('A file with $name is rejected with the name of its format', async ({ content, says }) => {
  const caller = await world.company();
  const { created, userErrors } = await sent(caller, {
    base64: Buffer.from(content, content.includes('\uFEFF') ? 'utf8' : 'latin1').toString('base64'),
  });
  expect(created).toBeNull();
  expect(userErrors).toMatchObject([{ message: expect.stringContaining(says) }]);
});

test.each([
  {
    what: 'a size that can be read in two ways',
    names: 'Peso;Misure',
    cells: '2;1.200x800x1.000',
    says: '1.200 can be 1200 or',
  },
  {
    what: 'a column that is too narrow',
    names: 'Contrassegno',
    cells: '######',
    says: 'not a spreadsheet error',
  },
  { what: 'a German error', names: 'Peso', cells: '#BEZUG!', says: 'not a spreadsheet error' },
])('A cell with $what is rejected', async ({ names, cells, says }) => {
  const caller = await world.company();
  const { problems } = await sent(caller, file(names.split(';'), cells.split(';')), { acceptGoodRows: true });
  expect(problems).toEqual([expect.objectContaining({ message: expect.stringContaining(says) })]);
});

test('A number is read without the apostrophe before it, and is rejected as a decimal', async () => {
  const caller = await world.company();
  const rows = ["'00123", '84001.0'].map(number => [number, ...ANNA.slice(1)].join(';'));
  const answer = await sent(caller, { text: [NAMES.join(';'), ...rows].join('\n') }, { acceptGoodRows: true });
  const { nodes } = await ask<{ nodes: object[] }>(caller, '{ orders(first: 5) { nodes { orderNumber } } }');
  expect(nodes).toEqual([{ orderNumber: '00123' }]);
  expect(answer.problems).toEqual([expect.objectContaining({ message: expect.stringContaining('such as 84001') })]);
});

test('Orders do not default to Italy if an unread column has other countries, and each default is counted', async () => {
  const caller = await world.company();
  const refused = await sent(caller, file(['Nazione di destinazione', 'Origine'], ['Francia', 'Cina']));
  expect(refused.userErrors).toEqual([{ message: expect.stringContaining('countries such as Francia') }]);
  const { remarks } = await sent(caller, file(['Nazione', 'Peso', 'Origine'], ['', '', 'Cina']));
  expect(remarks).toEqual([
    'Orders without Nazione are in Italy: 1.',
    'Orders without Peso have the default parcel of the company: 1.',
  ]);
});

test('A guessed encoding is reported, and a file with two encodings is rejected', async () => {
  const caller = await world.company();
  const of = (...parts: Buffer[]) => ({ base64: Buffer.concat(parts).toString('base64') });
  const [{ text: first }, second] = [file(['Nota'], ['Forlì']), `\n${['G-2', ...ANNA.slice(1), 'Forlì'].join(';')}`];
  const guessed = await sent(caller, of(Buffer.from(first + second, 'latin1')), { dryRun: true });
  expect(guessed.remarks).toContain('The text is not UTF-8, and was read as Windows-1252: look at its accents.');
  const mixed = await sent(caller, of(Buffer.from(first), Buffer.from(second, 'latin1')));
  expect(mixed.userErrors).toEqual([{ message: expect.stringContaining('not in one encoding') }]);
});

test('A quotation mark that joins two rows is an error, and no row disappears in a cell', async () => {
  const caller = await world.company();
  const rows = [
    'G-1;Anna Rossi;Via Roma 1;10121;"Torino',
    'G-2;Bice Neri;Via Po 2;10124;Torino"',
    'G-3;Carlo;"Via Po 3\n2; 4";10124;Torino',
  ];
  const answer = await sent(caller, { text: [NAMES.join(';'), ...rows].join('\n') }, { acceptGoodRows: true });
  expect(answer.created).toBe(1);
  expect(answer.problems).toEqual([expect.objectContaining({ message: expect.stringContaining('another row in it') })]);
});

test('The state of an order or of its payment, in a custom table, says that nothing is to be shipped or collected', async () => {
  const caller = await world.company();
  const names = [...NAMES, 'Pagamento', 'Totale', 'Stato ordine', 'Stato pagamento'];
  const states = ['Da spedire;', 'Pagato;', 'Rimborsato parzialmente;', ';Rimborsato', ';null'];
  const rows = states.map((state, i) => [`P-${i}`, ...ANNA.slice(1), 'Contrassegno;10', state].join(';'));
  const answer = await sent(caller, { text: [names.join(';'), ...rows].join('\n') }, { acceptGoodRows: true });
  const { nodes } = await ask<{ nodes: object[] }>(caller, '{ orders(first: 9) { nodes { orderNumber codAmount } } }');
  expect(nodes.toReversed()).toEqual([
    { orderNumber: 'P-0', codAmount: '10.00' },
    { orderNumber: 'P-1', codAmount: '0.00' },
    { orderNumber: 'P-4', codAmount: '10.00' },
  ]);
  expect(answer.problems).toEqual([expect.objectContaining({ message: expect.stringContaining('still to be paid') })]);
});
