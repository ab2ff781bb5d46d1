import { expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import {
  DHL_HEADER,
  dhlRow,
  extraCharges,
  HAND_TARIFF,
  REMOTE_RECIPIENT,
  sent,
  UPS_HEADER,
  upsPackage,
  upsRow,
} from '../support/carrier-files.ts';
import { connectCarrier, createWarehouse, type Item, upsertShipments } from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { importOf, linesOf } from './invoice-calls.ts';

/** Invoices in the files that carriers send: amounts that are due give no finding, and rows that are not understood are never claimed. */

const world = useSharedWorld();

const IMPORT = `mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) {
  carrierInvoice { id mapping billed vat overbilled notChecked totals { code count amount } }
  lineCount remarks rows { total read leftOut { reason count row } } userErrors { code pointer message } } }`;

interface Answer {
  readonly carrierInvoice: {
    readonly id: string;
    readonly mapping: string;
    readonly billed: string;
    readonly vat: string;
    readonly overbilled: string;
    readonly totals: readonly { readonly code: string; readonly count: number; readonly amount: string }[];
  };
  readonly lineCount: number;
  readonly remarks: readonly string[];
  readonly rows: {
    readonly total: number;
    readonly read: number;
    readonly leftOut: readonly { readonly reason: string; readonly count: number; readonly row: number }[];
  };
  readonly userErrors: readonly { readonly code: string; readonly pointer: string; readonly message: string }[];
}

let count = 0;

/** A company with shipments of a connection. */
async function shipped(carrier: string, shipments: readonly Item[]) {
  const caller = await world.company();
  const [connection, warehouseId] = [await connectCarrier(caller, carrier), await createWarehouse(caller)];
  await importTariff(caller, connection, HAND_TARIFF);
  const items = shipments.map(one => ({ carrierConnectionId: connection, warehouseId, ...one }));
  expect(await upsertShipments(caller, items)).toMatchObject({ rejected: 0 });
  return { caller, connection };
}

async function answered(caller: Caller, connection: number, rows: readonly string[], more: Item = {}): Promise<Answer> {
  const name = { carrierConnectionId: connection, number: `F${++count}`, date: '2026-11-30' };
  const input = importOf({ ...name, csv: rows.join('\r\n'), ...more });
  const { data, errors } = await caller.graphql<{ importCarrierInvoice: Answer }>(IMPORT, { input });
  expect(errors).toBeUndefined();
  return data.importCarrierInvoice;
}

/** An import, whose rows add up. */
async function imported(caller: Caller, connection: number, rows: readonly string[], more: Item = {}): Promise<Answer> {
  const answer = await answered(caller, connection, rows, more);
  expect(answer.userErrors).toEqual([]);
  const { total, read, leftOut } = answer.rows;
  expect(read + leftOut.reduce((sum, one) => sum + one.count, 0)).toBe(total);
  return answer;
}

const findingsOf = ({ carrierInvoice }: Answer) =>
  Object.fromEntries(carrierInvoice.totals.map(({ code, amount }) => [code, amount]));

const UPS_SHIPMENTS = [
  sent('1Z00000000000000A1', 4),
  sent('1Z00000000000000B1', 8, { parcelCount: 2, labels: ['1Z00000000000000B2'] }),
  sent('1Z00000000000000C1', 12),
];
// 6.10 and 10 % are due for A; 7.80 and 10 % for both packages of B together; 10.20 and 10 % for C, 26.5 pounds.
const UPS_ROWS = [
  ...upsPackage(
    { lead: '1Z00000000000000A1', tracking: '1Z00000000000000A1', kg: '4.0' },
    { base: '6.10', fuel: '0.61', vat: '1.48' },
  ),
  ...upsPackage(
    { lead: '1Z00000000000000B1', tracking: '1Z00000000000000B1', kg: '5.0' },
    { base: '4.00', fuel: '0.40', vat: '0.97' },
  ),
  ...upsPackage(
    { lead: '1Z00000000000000B1', tracking: '1Z00000000000000B2', kg: '3.0' },
    { base: '3.80', fuel: '0.38', vat: '0.92' },
  ),
  ...upsPackage(
    { lead: '1Z00000000000000C1', tracking: '1Z00000000000000C1', kg: '26.5', unit: 'L' },
    { base: '10.20', fuel: '1.02', vat: '2.47' },
  ),
];

test.each([
  ['as the carrier sends them, without a header', UPS_ROWS],
  ['below a header', [UPS_HEADER, ...UPS_ROWS]],
])(
  "UPS' billing data %s are read with charges by class, VAT apart, and the packages of a shipment as one line",
  async (_, rows) => {
    const { caller, connection } = await shipped('UPS', UPS_SHIPMENTS);
    const answer = await imported(caller, connection, rows);
    expect(findingsOf(answer)).toEqual({});
    expect(answer).toMatchObject({
      carrierInvoice: { mapping: 'UPS', billed: '26.51', vat: '5.84', overbilled: '0.00' },
      lineCount: 3,
      rows: { total: 20, read: 12, leftOut: [{ count: 8 }] },
    });
    const states = (await linesOf(caller, answer.carrierInvoice.id)).map(({ number, state }) => [number, state]);
    expect(states).toEqual([
      ['1Z00000000000000A1', 'agrees'],
      ['1Z00000000000000B1', 'agrees'],
      ['1Z00000000000000C1', 'agrees'],
    ]);
  },
);

test('Mistakes that UPS bills are found: a weight in pounds, fuel, a surcharge, a package twice, and VAT', async () => {
  const { caller, connection } = await shipped('UPS', UPS_SHIPMENTS);
  const [a, b1, b2, c] = [0, 5, 10, 15].map(from => UPS_ROWS.slice(from, from + 5)) as [
    string[],
    string[],
    string[],
    string[],
  ];
  const rows = [
    // 12 kg are due, and 9.98 kg (22 pounds) were charged for A, at 7.80 in place of 6.10.
    ...upsPackage(
      { lead: '1Z00000000000000A1', tracking: '1Z00000000000000A1', kg: '22', unit: 'L' },
      { base: '7.80', fuel: '0.78', vat: '1.89' },
    ),
    ...b1,
    ...b2,
    ...c,
    upsRow({
      lead: '1Z00000000000000C1',
      tracking: '1Z00000000000000C1',
      class: 'ACC',
      code: 'ESD',
      text: 'Area remota',
      net: '4.50',
    }),
    ...b2,
  ];
  expect(a).toHaveLength(5);
  expect(findingsOf(await imported(caller, connection, rows))).toEqual({
    weight_band: '1.87',
    surcharge_not_due: '4.50',
    vat: '-0.99',
    duplicate: '4.18',
  });
});

const DHL_SHIPMENTS = [
  sent('1000000001', 4),
  sent('1000000002', 4, { recipient: REMOTE_RECIPIENT }),
  sent('1000000003', 8),
  sent('1000000004', 4),
];
const DHL_WEIGHTS = {
  'Cust Scale Weight (A)': '4',
  'DHL Scale Weight (B)': '0',
  'DHL Vol Weight (W)': '0.2',
  'Weight Flag': 'A',
};
const FUEL = (amount: string) => ['FF', 'FUEL SURCHARGE', amount] as const;
const DHL_ROWS = [
  DHL_HEADER,
  dhlRow({ 'Line Type': 'I', 'Total amount (excl. VAT)': '31.00', 'Total Tax': '6.82' }),
  // 6.10 and 10 % of it.
  dhlRow({
    ...DHL_WEIGHTS,
    ...extraCharges(FUEL('0.61')),
    'Shipment Number': '1000000001',
    'Weight (kg)': '4',
    'Weight Charge': '6.10',
    'Total amount (excl. VAT)': '6.71',
    'Total Tax': '1.48',
  }),
  // A remote place, 4.50; insurance of 300, 1 %.
  dhlRow({
    ...DHL_WEIGHTS,
    ...extraCharges(['OO', 'REMOTE AREA DELIVERY', '4.50'], FUEL('0.61')),
    'Shipment Number': '1000000002',
    'Weight (kg)': '4',
    'Weight Charge': '6.10',
    'Total amount (excl. VAT)': '11.21',
    'Total Tax': '2.47',
  }),
  // 9.00 less a discount of 1.20 is 7.80.
  dhlRow({
    ...DHL_WEIGHTS,
    ...extraCharges(FUEL('0.78')),
    'Shipment Number': '1000000003',
    'Weight (kg)': '8',
    'Weight Charge': '9.00',
    'Discount 1': 'VOLUME DISCOUNT',
    'Discount 1 Amount': '-1.20',
    'Total amount (excl. VAT)': '8.58',
    'Total Tax': '1.89',
  }),
  // Duties and taxes that were advanced.
  dhlRow({
    ...extraCharges(
      ['XB', 'IMPORT EXPORT TAXES', '44.00'],
      ['XX', 'IMPORT EXPORT DUTIES', '9.50'],
      ['DD', 'DUTY TAX PAID', '15.00'],
    ),
    'Shipment Number': '1000000004',
    'Product Name': 'DUTIES & TAXES',
    'Weight (kg)': '0',
    'Weight Charge': '0',
    'Total amount (excl. VAT)': '68.50',
    'Total Tax': '0',
  }),
];

test("DHL's MyBill is read with extra charges by code, discounts, remote places, and advanced duties", async () => {
  const { caller, connection } = await shipped('DHL', DHL_SHIPMENTS);
  const answer = await imported(caller, connection, DHL_ROWS);
  expect(findingsOf(answer)).toEqual({});
  expect(answer).toMatchObject({
    carrierInvoice: { mapping: 'DHL', billed: '95.00', overbilled: '0.00' },
    lineCount: 4,
    rows: { total: 5, read: 4, leftOut: [{ count: 1, row: 2 }] },
  });
});

test('Mistakes that DHL bills are found, and nothing else', async () => {
  const { caller, connection } = await shipped('DHL', DHL_SHIPMENTS);
  const [head = '', total = '', , remote = '', discounted = '', duties = ''] = DHL_ROWS;
  const wrong = [
    // Fuel is 0.61, and the place is not remote.
    dhlRow({
      ...DHL_WEIGHTS,
      ...extraCharges(FUEL('0.73'), ['OO', 'REMOTE AREA DELIVERY', '4.50']),
      'Shipment Number': '1000000001',
      'Weight (kg)': '4',
      'Weight Charge': '6.10',
      'Total amount (excl. VAT)': '11.33',
      'Total Tax': '2.49',
    }),
    remote,
    discounted,
    duties,
    discounted,
  ];
  expect(findingsOf(await imported(caller, connection, [head, total, ...wrong]))).toEqual({
    surcharge_not_due: '4.50',
    fuel: '0.12',
    duplicate: '8.58',
  });
});

test('Packages that are labels of one shipment are one line, and a second row for a package is a duplicate', async () => {
  const shipment = sent('PKG1', 8, { parcelCount: 2, labels: ['PKG2'] });
  const { caller, connection } = await shipped('SDA', [shipment]);
  const head = 'tracking_number;date;base;fuel;vat_percent';
  const rows = ['PKG1;03/11/2026;4,00;0,40;22', 'PKG2;03/11/2026;3,80;0,38;22'];
  const right = await imported(caller, connection, [head, ...rows]);
  expect(findingsOf(right)).toEqual({});
  expect(right).toMatchObject({ lineCount: 1, carrierInvoice: { billed: '8.58' }, rows: { total: 2, read: 2 } });
  const { caller: other, connection: own } = await shipped('SDA', [shipment]);
  const twice = await imported(other, own, [head, ...rows, ...rows.slice(1)]);
  expect(findingsOf(twice)).toEqual({ duplicate: '4.18' });
});

const PLAIN_HEAD = 'tracking_number;date;base;fuel;net;vat_percent';
const PLAIN_ROWS = ['084000001;03/11/2026;6,10;0,61;6,71;22', '084000002;03/11/2026;7,80;0,78;8,58;22'];
const PLAIN_SHIPMENTS = [sent('084000001', 4), sent('084000002', 8)];

test.each([
  ['without a number', ';;13,90;1,39;15,29;'],
  ['with a label in place of the number', 'Totale generale;;13,90;1,39;15,29;'],
  ['with its total alone', 'TOTALE;;;;15,29;'],
  ['that is carried over', ';A riportare;13,90;1,39;15,29;'],
  ['after subtotals', ';;7,80;0,78;8,58;\n;;13,90;1,39;15,29;', 1],
])('A row of sums %s is not a line, and the response says so', async (_, total, subtotalAt = 0) => {
  const { caller, connection } = await shipped('SDA', PLAIN_SHIPMENTS);
  const [first = '', second = ''] = PLAIN_ROWS;
  const rows = subtotalAt === 0 ? [first, second, total] : [first, ';;6,10;0,61;6,71;', second, total];
  const answer = await imported(caller, connection, [PLAIN_HEAD, ...rows.join('\n').split('\n')]);
  expect(findingsOf(answer)).toEqual({});
  expect(answer).toMatchObject({
    lineCount: 2,
    rows: { read: 2, leftOut: [{ reason: expect.stringContaining('sums') }] },
  });
});

test.each([
  ['an amount without a number', ';03/11/2026;5,00;0,50;5,50;22', 'the row bills 5.50'],
  ['a total that is not the sum', 'Totale;;13,90;1,39;99,99;', 'the row bills 99.99'],
  ['a number that a spreadsheet shortened', '8,40001E+11;03/11/2026;6,10;0,61;6,71;22', 'shortened'],
  ['a number that a spreadsheet shortened to one digit', '1E+11;03/11/2026;6,10;0,61;6,71;22', 'shortened'],
  [
    'a number of which a spreadsheet made a day',
    '03-mag;03/11/2026;6,10;0,61;6,71;22',
    'made the date 03-mag of a number',
  ],
  ['a number that a program made a decimal', '84000001.0;03/11/2026;6,10;0,61;6,71;22', 'such as 84000001'],
  ['an amount in another currency', '084000003;03/11/2026;CHF 6,10;0,61;6,71;22', 'must be in EUR'],
])('A row with %s is an error, never a claim', async (_, row, words) => {
  const { caller, connection } = await shipped('SDA', PLAIN_SHIPMENTS);
  const { carrierInvoice, userErrors } = await answered(caller, connection, [PLAIN_HEAD, ...PLAIN_ROWS, row]);
  expect(carrierInvoice).toBeNull();
  expect(userErrors).toMatchObject([{ message: expect.stringContaining(words) }]);
});

test('Weights with units, dashes for no amount and numbers with an apostrophe are read correctly', async () => {
  const { caller, connection } = await shipped('SDA', [sent('084000001', 4), sent('084000002', 8)]);
  const head = 'tracking_number;date;chargeable_kg;base;surcharges;fuel;net;vat_percent';
  const rows = ["'084000001;03/11/2026;4000 g;6,10;-;0,61;6,71;22", '084000002;03/11/2026;8 kg;7,80;€ -;0,78;8,58;22'];
  expect(findingsOf(await imported(caller, connection, [head, ...rows]))).toEqual({});
});

test('A UPS file without its last columns is read, since spreadsheets omit empty ones', async () => {
  const { caller, connection } = await shipped('UPS', [sent('1Z01', 4)]);
  const rows = upsPackage({ lead: '1Z01', tracking: '1Z01', kg: '4.0' }, { base: '6.10', fuel: '0.61', vat: '1.48' });
  const short = rows.map(row => row.split(',').slice(0, 60).join(','));
  expect(findingsOf(await imported(caller, connection, short))).toEqual({});
});

test('Sheets of an invoice that are not read are named in the response', async () => {
  const { caller, connection } = await shipped('SDA', PLAIN_SHIPMENTS);
  const [first, second] = PLAIN_ROWS.map(row => [PLAIN_HEAD.split(';'), row.split(';')]) as [string[][], string[][]];
  const bytes = workbook({ Novembre: first, Extra: second, Note: second }, { hidden: ['Note'] });
  const { remarks } = await answered(caller, connection, [], {
    csv: undefined,
    file: { base64: Buffer.from(bytes).toString('base64') },
  });
  expect(remarks).toEqual([
    'Only the sheet Novembre was read. Extra was not, and can be named as the sheet.',
    'Hidden sheets were not read: Note.',
  ]);
});

test('A number without its leading zeros finds its shipment, and the line says so', async () => {
  const { caller, connection } = await shipped('SDA', [sent('084000001', 4), sent('84000009', 4)]);
  const rows = ['84000001;03/11/2026;6,10;0,61;6,71;22', '0084000009;03/11/2026;6,10;0,61;6,71;22'];
  const answer = await imported(caller, connection, [PLAIN_HEAD, ...rows]);
  expect(findingsOf(answer)).toEqual({});
  const lines = await linesOf(caller, answer.carrierInvoice.id);
  expect(lines.map(({ state, reason }) => [state, reason])).toEqual([
    ['agrees', expect.stringContaining('found as 084000001')],
    ['agrees', expect.stringContaining('found as 84000009')],
  ]);
});

test('The mapping that knows most columns of the file is used, whatever the carrier', async () => {
  const { caller, connection } = await shipped('BRT', PLAIN_SHIPMENTS);
  const answer = await imported(caller, connection, [PLAIN_HEAD, ...PLAIN_ROWS]);
  expect(answer.carrierInvoice).toMatchObject({ mapping: 'PLAIN', billed: '15.29' });
  const chosen = await answered(caller, connection, [PLAIN_HEAD, ...PLAIN_ROWS], { mapping: 'BRT' });
  expect(chosen.userErrors.length).toBeGreaterThan(0);
});

test('Charges that do not add up to the total in most rows are an error of the columns, and no claims', async () => {
  const numbers = ['084000001', '084000002', '084000003', '084000004', '084000005'];
  const { caller, connection } = await shipped(
    'SDA',
    numbers.map(number => sent(number, 4)),
  );
  const rows = numbers.map(number => `${number};03/11/2026;6,10;0,61;8,21;22;1,50`);
  const { userErrors } = await answered(caller, connection, [`${PLAIN_HEAD};Gestione`, ...rows]);
  expect(userErrors).toMatchObject([{ message: expect.stringContaining('in 5 of 5 rows') }]);
  // A column that has exactly the rest of each row is named, in however many rows.
  const once = numbers.map((number, i) => `${number};03/11/2026;6,10;0,61;${i === 0 ? '8,21;22;1,50' : '6,71;22;'}`);
  const { userErrors: named } = await answered(caller, connection, [
    `${PLAIN_HEAD};Gestione;Colli`,
    ...once.map(row => `${row};1`),
  ]);
  expect(named).toMatchObject([
    {
      message: expect.stringContaining(
        'in 1 of 5 rows, the charges that are read do not come to the total of the row. Choose the column Gestione',
      ),
    },
  ]);
});

test('Packages and numbers of another company are ignored', async () => {
  const shipment = sent('PKG1', 8, { parcelCount: 2, labels: ['PKG2'] });
  await shipped('SDA', [shipment, ...PLAIN_SHIPMENTS]);
  const { caller, connection } = await shipped('SDA', []);
  const rows = ['PKG1;03/11/2026;4,00;0,40;4,40;22', 'PKG2;03/11/2026;3,80;0,38;4,18;22'];
  const answer = await imported(caller, connection, [PLAIN_HEAD, ...rows, '84000001;03/11/2026;6,10;0,61;6,71;22']);
  expect(answer).toMatchObject({ lineCount: 3 });
  expect(findingsOf(answer)).toEqual({ unknown_shipment: '15.29' });
});
