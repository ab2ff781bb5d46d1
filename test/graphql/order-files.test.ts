import { expect, test } from 'vitest';
import { ask } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Files of orders as shops and people have them: each row is read whole, left out with a reason, or a problem. */

const world = useSharedWorld();

const IMPORT = `mutation Import($input: ImportOrdersInput!) {
  importOrders(input: $input) {
    created rejected onlyChecked mapping { name }
    rows { total read leftOut wrong } leftOut { sheet row reason cells } remarks
    problems { sheet row column header value pointer code message }
    userErrors { code pointer message }
  }
}`;

interface Sent {
  readonly created: number;
  readonly rejected: number;
  readonly mapping: { readonly name: string };
  readonly rows: { readonly total: number; readonly read: number; readonly leftOut: number; readonly wrong: number };
  readonly leftOut: readonly { readonly row: number; readonly reason: string; readonly cells: readonly string[] }[];
  readonly remarks: readonly string[];
  readonly problems: readonly { readonly row: number; readonly column: string | null; readonly message: string }[];
}

async function sent(caller: Caller, file: object, options: object = { acceptGoodRows: true }): Promise<Sent> {
  const { data, errors } = await caller.graphql<{ importOrders: Sent }>(IMPORT, { input: { file, ...options } });
  expect(errors).toBeUndefined();
  const answer = data?.importOrders as Sent;
  const { total, read, leftOut, wrong } = answer.rows;
  expect(read + leftOut + wrong).toBe(total);
  expect(answer.leftOut).toHaveLength(leftOut);
  return answer;
}

interface Stored {
  readonly orderNumber: string;
  readonly marketplaceOrderNumber: string | null;
  readonly codAmount: string | null;
  readonly recipient: { readonly companyName: string; readonly address: string; readonly city: string };
}

async function stored(caller: Caller): Promise<Stored[]> {
  const { nodes } = await ask<{ nodes: Stored[] }>(
    caller,
    '{ orders(first: 50) { nodes { orderNumber marketplaceOrderNumber codAmount recipient { companyName address city } } } }',
  );
  return nodes.toReversed();
}

const tabs = (...rows: readonly (readonly string[])[]) => rows.map(row => row.join('\t')).join('\r\n');

const AMAZON = [
  ...['order-id', 'order-item-id', 'product-name', 'quantity-purchased', 'recipient-name'],
  ...['ship-address-1', 'ship-city', 'ship-state', 'ship-postal-code', 'ship-country'],
];

test('A quotation mark at the beginning of a tab-separated cell is an ordinary character, so that no rows are joined', async () => {
  const caller = await world.company();
  const text = tabs(
    AMAZON,
    ['402-1', '1', '"Offerta lampada', '1', 'Anna Rossi', 'Via Roma 1', 'Torino', 'TO', '10121', 'IT'],
    ['402-2', '2', 'Sedia', '1', 'Luca Verdi', 'Via Po 2', 'Milano', 'MI', '20121', 'IT'],
    ['402-3', '3', 'Schermo 24"', '1', 'Mario Neri', 'Corso Re 3', 'Roma', 'RM', '00186', 'IT'],
    ['402-4', '4', 'Cavo "corto" 2"', '1', '"Da Gino"', '"Via ""Nuova"" 4"', 'Bari', 'BA', '70121', 'IT'],
  );
  expect(await sent(caller, { text })).toMatchObject({ created: 4, rejected: 0, rows: { total: 4, read: 4 } });
  expect(
    (await stored(caller)).map(({ orderNumber, recipient }) => [orderNumber, ...Object.values(recipient)]),
  ).toEqual([
    ['402-1', 'Anna Rossi', 'Via Roma 1', 'Torino'],
    ['402-2', 'Luca Verdi', 'Via Po 2', 'Milano'],
    ['402-3', 'Mario Neri', 'Corso Re 3', 'Roma'],
    ['402-4', 'Da Gino', 'Via "Nuova" 4', 'Bari'],
  ]);
});

const HEADER = ['Numero ordine', 'Destinatario', 'Indirizzo', 'CAP', 'Città', 'Peso', 'Contrassegno'];
const ANNA = ['G-1', 'Anna Rossi', 'Via Roma 1', '10121', 'Torino', '2.5', '10'];

test.each([
  { name: 'a comma that is not quoted', sign: ',', row: ['G-2', 'Luca', 'Via Po 2', '20121', 'Milano', '2', '5', ''] },
  { name: 'a cell less', sign: ',', row: ['G-2', 'Luca', 'Via Po 2', '20121', 'Milano', '2'] },
  { name: 'a cell more', sign: ';', row: ['G-2', 'Luca', 'Via Po 2', 'Scala B', '20121', 'Milano', '2', ''] },
  { name: 'a tab in a cell', sign: '\t', row: ['G-2', 'Luca', 'Via\tPo 2', '20121', 'Milano', '2', '5'] },
])('A row with $name is rejected, and creates no order', async ({ sign, row }) => {
  const caller = await world.company();
  const text = [HEADER, ANNA, row].map(cells => cells.join(sign)).join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 1, rejected: 1, rows: { total: 2, read: 1, leftOut: 0, wrong: 1 } });
  expect(answer.problems).toMatchObject([{ row: 3, message: expect.stringContaining('the header has 7') }]);
  expect((await stored(caller)).map(({ orderNumber }) => orderNumber)).toEqual(['G-1']);
});

test('A workbook cell without a header is rejected with its whole order', async () => {
  const caller = await world.company();
  const rows = [HEADER, ANNA, [...ANNA.slice(0, 5), '3', '', 'urgente']];
  const base64 = Buffer.from(workbook({ Ordini: rows })).toString('base64');
  const answer = await sent(caller, { base64 });
  expect(answer).toMatchObject({ created: 0, rejected: 1, rows: { total: 2, wrong: 2 } });
  expect(answer.problems).toMatchObject([{ row: 3, column: 'H', value: 'urgente' }]);
});

test('Rows of totals are not orders, with or without a label, and another row without a number is an error', async () => {
  const caller = await world.company();
  const row = (...cells: string[]) => cells.join(';');
  const text = [
    row(...HEADER),
    row('G-1', 'Anna Rossi', 'Via Roma 1', '10121', 'Torino', '2,5', '10,00'),
    row('G-2', 'Luca Verdi', 'Via Po 2', '20121', 'Milano', '1,5', '1.020,00'),
    row('', '', '', '', '', '4', '1.030,00'),
    row('Totale generale', '', '', '', '', '4,00', '1.030,00'),
    row('', 'Totale', '', '', '', '', '1.030,00'),
    row('', '', '', '', '', '', '77,00'),
    row('G-3', 'Totale Arredi srl', 'Via Po 3', '20121', 'Milano', '1', ''),
  ].join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 3, rejected: 1, rows: { total: 7, read: 3, leftOut: 3, wrong: 1 } });
  expect(answer.leftOut.map(({ row: at, reason }) => [at, reason])).toEqual([
    [4, 'it is the sum of the rows above'],
    [5, 'it is a total'],
    [6, 'it is a total'],
  ]);
  expect(new Set(answer.problems.map(({ row: at }) => at))).toEqual(new Set([7]));
});

const SHOPIFY = [
  ...['Name', 'Email', 'Financial Status', 'Currency', 'Total', 'Lineitem quantity', 'Lineitem name'],
  ...['Shipping Name', 'Shipping Address1', 'Shipping City', 'Shipping Zip', 'Shipping Country'],
  ...['Cancelled at', 'Payment Method', 'Outstanding Balance'],
];
interface ShopOrder {
  readonly state?: string;
  readonly currency?: string;
  readonly total?: string;
  readonly cancelled?: string;
  readonly payment?: string;
  readonly due?: string;
}
const shopRow = (number: string, { state = 'pending', currency = 'EUR', total = '49.90', ...order }: ShopOrder) =>
  [
    ...[number, 'a@example.com', state, currency, total, '1', 'Lampada'],
    ...['Anna Rossi', 'Via Roma 1', 'Torino', '10121', 'IT'],
    ...[order.cancelled ?? '', order.payment ?? 'Cash on Delivery (COD)', order.due ?? ''],
  ].join(',');
const item = (number: string) => [number, 'a@example.com', '', '', '', '2', 'Sedia', ...Array(8).fill('')].join(',');

test('Cash on delivery beside another payment is the remaining amount, and other payments are listed', async () => {
  const caller = await world.company();
  const text = [
    SHOPIFY.join(','),
    shopRow('#1', { payment: 'gift_card + Cash on Delivery (COD)', total: '80.00', due: '30.00' }),
    item('#1'),
    shopRow('#2', { payment: 'Visa', state: 'paid', due: '0.00' }),
    shopRow('#3', { state: 'paid', due: '0.00' }),
    shopRow('#4', { payment: 'gift_card + Cash on Delivery (COD)' }),
    shopRow('#5', { state: 'paid' }),
    shopRow('#6', {}),
  ].join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 5, rejected: 1, rows: { total: 7, read: 6, leftOut: 0, wrong: 1 } });
  expect(answer.problems).toMatchObject([{ row: 6, pointer: '/codAmount', header: 'Total' }]);
  expect(answer.remarks).toEqual([
    'No column has a weight: the default parcel of the company counts.',
    'Payments that are not cash on delivery: "Visa" (1), "Cash on Delivery (COD) (paid)" (1).',
  ]);
  expect((await stored(caller)).map(({ orderNumber, codAmount }) => [orderNumber, codAmount])).toEqual([
    ['#1', '30.00'],
    ['#2', null],
    ['#3', '0.00'],
    ['#5', '0.00'],
    ['#6', '49.90'],
  ]);
});

test('Cancelled, voided and refunded orders are skipped with their items, and partly refunded ones are orders', async () => {
  const caller = await world.company();
  const text = [
    SHOPIFY.join(','),
    shopRow('#1', { state: 'voided' }),
    item('#1'),
    shopRow('#2', { state: 'refunded', payment: 'Visa' }),
    shopRow('#3', { cancelled: '2026-11-03 10:00:00 +0100' }),
    item('#3'),
    shopRow('#4', { state: 'partially_refunded', payment: 'Visa' }),
    item('#4'),
  ].join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 1, rejected: 0, rows: { total: 7, read: 2, leftOut: 5, wrong: 0 } });
  expect(answer.leftOut.map(({ row, reason }) => [row, reason])).toEqual([
    [2, 'its Financial Status is voided'],
    [3, 'it belongs to the order of row 2, which is left out'],
    [4, 'its Financial Status is refunded'],
    [5, 'its Cancelled at is 2026-11-03 10:00:00 +0100'],
    [6, 'it belongs to the order of row 5, which is left out'],
  ]);
  expect((await stored(caller)).map(({ orderNumber }) => orderNumber)).toEqual(['#4']);
});

test('Cash on delivery in another currency is an error, and a paid order in another currency is an order', async () => {
  const caller = await world.company();
  const text = [
    SHOPIFY.join(','),
    shopRow('#1', { currency: 'CHF', total: '150.00' }),
    shopRow('#2', { currency: 'CHF', payment: 'Visa', state: 'paid' }),
  ].join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 1, rejected: 1 });
  expect(answer.problems).toMatchObject([{ row: 2, pointer: '/codAmount', message: expect.stringContaining('CHF') }]);
  const own = [
    [...HEADER, 'Valuta'].join(';'),
    [...ANNA, 'USD'].join(';'),
    [...ANNA, 'EUR'].join(';').replace('G-1', 'G-2'),
  ];
  expect((await sent(caller, { text: own.join('\n') })).problems).toMatchObject([{ row: 2, header: 'Contrassegno' }]);
});

test('The orders of a split cart of PrestaShop share a reference, and are two orders', async () => {
  const caller = await world.company();
  const text = [
    'id_order;reference;firstname;lastname;address1;postcode;city;iso_code;module;total_paid;current_state',
    '12;XKBKNABJK;Anna;Rossi;Via Roma 1;10121;Torino;IT;ps_cashondelivery;30.000000;3',
    '13;XKBKNABJK;Anna;Rossi;Via Roma 1;10121;Torino;IT;codwfeeplus;60.000000;3',
    '14;QWERTYUIO;Luca;Verdi;Via Po 2;10121;Torino;IT;ps_cashondelivery;60.000000;6',
  ].join('\n');
  expect(await sent(caller, { text })).toMatchObject({ created: 2, rows: { total: 3, read: 2, leftOut: 1 } });
  expect(
    (await stored(caller)).map(order => [order.orderNumber, order.marketplaceOrderNumber, order.codAmount]),
  ).toEqual([
    ['12', 'XKBKNABJK', '30.00'],
    ['13', 'XKBKNABJK', '60.00'],
  ]);
});

test('A second visible sheet with orders is reported', async () => {
  const caller = await world.company();
  const novembre = [HEADER, ANNA];
  const ottobre = [HEADER, ['G-9', ...ANNA.slice(1)]];
  const bytes = workbook({ Novembre: novembre, Ottobre: ottobre, Note: [['Numero ordine'], ['a']] });
  const answer = await sent(caller, { base64: Buffer.from(bytes).toString('base64') });
  expect(answer).toMatchObject({ created: 1, rows: { total: 1 } });
  expect(answer.remarks).toEqual([
    'Only the sheet Novembre was read. Ottobre was not, and can be named as the sheet.',
    'No column has the country: the orders are in Italy.',
  ]);
});

test.each([
  'Contanti alla consegna',
  'Pagamento in contrassegno (+5€)',
  'Contrassegno + 5 €',
  'Cash on delivery / Contrassegno',
  'PAGAMENTO ALLA CONSEGNA',
  'Contrassegno &#8211; contanti',
  'COD',
  'Nachnahme (DHL)',
  'Paiement à la livraison',
  'Pago contra reembolso',
  'Płatność przy odbiorze',
  'Platba na dobírku',
  'Utánvétel',
  'Plata ramburs la livrare',
  'Αντικαταβολή',
  'Plaćanje pouzećem',
  'codwfeeplus',
])('A payment named "%s" is cash on delivery', async payment => {
  const caller = await world.company();
  const answer = await sent(caller, { text: [SHOPIFY.join(','), shopRow('#1', { payment })].join('\n') });
  expect(answer).toMatchObject({ created: 1, rejected: 0 });
  expect(await stored(caller)).toMatchObject([{ codAmount: '49.90' }]);
});

test.each(['Bonifico (no contrassegno)', 'Codice sconto', 'Visa', 'Vorkasse ohne Nachnahme', 'Contrassegno: no'])(
  'A payment named "%s" is not cash on delivery, and is listed',
  async payment => {
    const caller = await world.company();
    const answer = await sent(caller, { text: [SHOPIFY.join(','), shopRow('#1', { payment })].join('\n') });
    expect(answer.remarks.join()).toContain(`"${payment}" (1)`);
    expect(await stored(caller)).toMatchObject([{ codAmount: null }]);
  },
);

test('HTML entities are decoded, in cells and in headers', async () => {
  const caller = await world.company();
  const text = [
    'Numero ordine;Destinatario;Indirizzo;CAP;"Citt&agrave;"',
    'G-1;"Rossi &amp; Figli";"Via dell&#039;Orso 1\nScala B";10121;Torino',
    'G-2;"Gi&amp;ugrave;";Via A&T 2;10121;Torino',
  ].join('\n');
  expect(await sent(caller, { text })).toMatchObject({ created: 2, rejected: 0 });
  expect((await stored(caller)).map(({ recipient }) => [recipient.companyName, recipient.address])).toEqual([
    ['Rossi & Figli', "Via dell'Orso 1, Scala B"],
    ['Giù', 'Via A&T 2'],
  ]);
});

test('An address of Magento outside Italy is an error, unless the country is stated', async () => {
  const caller = await world.company();
  const order = (id: string, address: string) => `${id},Main,"${address}",Anna Rossi,30.00,pending,checkmo`;
  const text = [
    'ID,Purchase Point,Shipping Address,Ship-to Name,Grand Total (Base),Status,Payment Method',
    order('1', 'Rue de Rivoli 1,Paris,Ile-de-France,75001'),
    order('2', 'Hauptstrasse 2,Berlin,Berlin,10115'),
    order('3', 'Rue de Rivoli 3,Paris,,75001'),
    order('4', 'Via Roma 4,Torino,Torino,10121'),
  ].join('\n');
  const answer = await sent(caller, { text });
  expect(answer).toMatchObject({ created: 1, rejected: 3, mapping: { name: 'MAGENTO' } });
  expect(answer.problems).toMatchObject(
    [2, 3, 4].map(row => ({ row, pointer: '/recipient/countryCode', message: expect.stringContaining('countries') })),
  );
});

test("The product name is not used as the recipient if the recipient's name has its own column", async () => {
  const caller = await world.company();
  const text = [
    'Order number,Name,Address,City,Shipping Name,Shipping Address,Shipping City,Shipping ZIP',
    'G-1,Lampada,Via Fattura 9,Bari,Anna Rossi,Via Roma 1,Torino,10121',
  ].join('\n');
  await sent(caller, { text });
  expect(await stored(caller)).toMatchObject([
    { recipient: { companyName: 'Anna Rossi', address: 'Via Roma 1', city: 'Torino' } },
  ]);
});
