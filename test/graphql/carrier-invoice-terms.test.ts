import { expect, test } from 'vitest';
import { currentTariff } from '../rest/tariffs.ts';
import { ask, type Item, order, RECIPIENT, shipment, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { imported, linesOf, RECHECK, useInvoices } from './invoice-calls.ts';

const { company } = useInvoices();

const LINES = {
  cod: [
    {
      code: 'cod_cash',
      description: 'Contrassegno in contanti',
      when: { codPayments: ['cash'] },
      price: { percent: 2, of: ['codAmount'] },
    },
    { code: 'cod_other', description: 'Contrassegno', price: { percent: 1, of: ['codAmount'] } },
  ],
  surcharges: [
    {
      code: 'volume',
      description: 'Sconto volume',
      price: {
        brackets: {
          by: 'monthlyShipments',
          prices: [
            { upTo: 500, fixed: 0 },
            { percent: -5, of: ['base'] },
          ],
        },
      },
    },
  ],
  fuel: [{ code: 'fuel', description: 'Carburante', price: { percent: 10, of: ['base'] } }],
};
const BANDS = [
  { upToKg: 5, price: 6.1 },
  { upToKg: 2000, price: 150 },
];
const PALLETS = [{ types: ['EUR'], prices: [{ upTo: 1, price: 55 }], each: 40 }];

const tariffOf = (lines: object, zone: object = {}) =>
  currentTariff(
    {
      zones: [{ code: 'italia', name: 'Italia', to: { countries: ['IT'] }, bands: BANDS, ...zone }],
      ...lines,
    },
    'Contratto',
  );

const PARCEL = { weight: '4', length: '20', width: '20', height: '10' };
const SAVE = `mutation ($input: SaveQuoteInput!) { saveQuote(input: $input) {
  savedQuote { databaseId } userErrors { code pointer message } } }`;

/** A company with a tariff, and orders of one parcel that are shipped. */
async function sender(tariff: object, orders: Readonly<Record<string, Item>>) {
  const of = await company(tariff);
  const { caller, connectionId, warehouseId } = of;
  await upsertOrders(
    caller,
    Object.entries(orders).map(([number, fields]) =>
      order(`O-${number}`, { warehouseId, parcels: [PARCEL], marketplace: 'x', ...fields }),
    ),
  );
  await upsertShipments(
    caller,
    Object.keys(orders).map(number =>
      shipment(connectionId, number, {
        warehouseId,
        orderNumber: `O-${number}`,
        shippedAt: '2026-11-03T09:00:00Z',
      }),
    ),
  );
  const invoice = (number: string, fields: Item) =>
    imported(caller, { carrierConnectionId: connectionId, number, date: '2026-11-30', ...fields });
  return { ...of, invoice };
}

const billed = (trackingNumber: string, amounts: Readonly<Record<string, string>>, terms: Item = {}) => ({
  trackingNumber,
  ...terms,
  charges: Object.entries(amounts).map(([kind, amount]) => ({ kinds: [kind], amount })),
});

const findings = async (caller: Parameters<typeof linesOf>[0], id: string) =>
  (await linesOf(caller, id)).map(({ findings: { nodes } }) => nodes.map(one => `${one.code} ${one.amount}`).join());

const BASE = { base: '6.10', fuel: '0.61' };
const COD = { codAmount: '400' };

test('A fee for cash on delivery is checked by the payment that the row or the invoice states', async () => {
  const { caller, invoice } = await sender(tariffOf({ cod: LINES.cod, fuel: LINES.fuel }), { A: COD, B: COD, C: COD });
  const rows = [
    billed('A', { ...BASE, cod: '4.00' }, { codPayment: 'bank_cheque' }),
    billed('B', { ...BASE, cod: '8.00' }, { codPayment: 'card' }),
    billed('C', { ...BASE, cod: '8.00' }),
  ];
  const { id } = await invoice('1', { rows, terms: { codPayment: 'cash' } });
  expect(await findings(caller, id)).toEqual(['', 'cod_fee 4.00', '']);
});

test('A fee whose payment nothing states is not checked, and is a claim only beyond the cost of any payment', async () => {
  const { caller, invoice } = await sender(tariffOf({ cod: LINES.cod, fuel: LINES.fuel }), {
    A: COD,
    B: COD,
    C: COD,
    D: { codAmount: null },
  });
  const rows = [
    billed('A', { ...BASE, cod: '4.00' }),
    billed('B', { ...BASE, cod: '8.00' }),
    billed('C', { ...BASE, cod: '9.00' }),
    billed('D', BASE),
  ];
  const { id, ...totals } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual(['not_checked 0.00', 'not_checked 0.00', 'cod_fee 1.00', '']);
  expect(totals).toMatchObject({ overbilled: '1.00', underbilled: '0.00', notChecked: '12.00' });
  const [line] = await linesOf(caller, id);
  expect(line?.findings.nodes[0]).toMatchObject({
    explanation: 'not checked: how the cash was paid is not known',
    billed: '4.00',
  });
});

test('A discount by monthly volume is checked with the volume, and not checked without it', async () => {
  const lines = { surcharges: LINES.surcharges, fuel: LINES.fuel };
  const { caller, invoice } = await sender(tariffOf(lines), { A: {}, B: {}, C: {}, D: {} });
  const rows = [
    billed('A', { ...BASE, surcharges: '-0.31' }),
    billed('B', BASE),
    billed('C', { ...BASE, surcharges: '-0.31' }, { monthlyShipments: 500 }),
    billed('D', { ...BASE, base: '150.00' }),
  ];
  const known = await invoice('1', { rows: rows.slice(0, 3), terms: { monthlyShipments: 800 } });
  expect(await findings(caller, known.id)).toEqual(['', 'surcharge_amount 0.31', 'surcharge_amount -0.31']);
  const unknown = await invoice('2', { rows: [rows[3]] });
  // The base price belongs to another band, whatever the volume is.
  expect(await findings(caller, unknown.id)).toEqual(['not_checked 0.00,weight_band 143.90']);
});

test('A parcel that is a pallet is checked against the price of pallets', async () => {
  const parcels = [{ weight: '400', length: '120', width: '80', height: '100' }];
  const tariff = tariffOf({ fuel: LINES.fuel }, { pallets: PALLETS });
  const { caller, invoice } = await sender(tariff, { A: { parcels }, B: { parcels }, C: { parcels }, D: { parcels } });
  const pallet = { base: '55.00', fuel: '5.50' };
  const rows = [
    billed('A', pallet, { palletType: 'EUR' }),
    billed('B', pallet, { pallets: 0 }),
    billed('C', pallet),
    billed('D', { base: '170.00', fuel: '17.00' }),
  ];
  const { id } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual([
    '',
    'base_price -104.50',
    'not_checked 0.00,not_checked 0.00',
    'base_price 20.00,fuel 2.00',
  ]);
});

test('A shipment that can only be a pallet is not priced until the invoice says that it is one', async () => {
  const parcels = [{ weight: '4000', length: '120', width: '80', height: '100' }];
  const tariff = tariffOf({ fuel: LINES.fuel }, { pallets: PALLETS });
  const { caller, connectionId, invoice } = await sender(tariff, { A: { parcels } });
  const rows = [billed('A', { base: '55.00', fuel: '5.50' })];
  const { id } = await invoice('1', { rows });
  const [line] = await linesOf(caller, id);
  expect(line).toMatchObject({
    state: 'not_priced',
    reason: 'not checked: which of the parcels are pallets is not known',
  });
  const terms = { palletType: 'EUR' };
  const stated = await imported(caller, {
    carrierConnectionId: connectionId,
    number: '1',
    date: '2026-11-30',
    rows,
    terms,
    replace: true,
  });
  expect(await findings(caller, stated.id)).toEqual(['']);
  await ask(caller, RECHECK, { input: { id: stated.id } });
  expect(await findings(caller, stated.id)).toEqual(['']);
});

test('A file states terms in columns, and a mapping translates the words for payments', async () => {
  const { caller, invoice } = await sender(tariffOf({ cod: LINES.cod, fuel: LINES.fuel }), { A: COD, B: COD });
  const ownMapping = {
    name: 'Mia',
    columns: { trackingNumber: 'LDV', codPayment: 'Incasso' },
    charges: [
      { column: 'Nolo', kinds: ['base'] },
      { column: 'Fuel', kinds: ['fuel'] },
      { column: 'COD', kinds: ['cod'] },
    ],
    codPayments: { Contanti: 'cash', 'Assegno circolare': 'bank_cheque' },
  };
  const csv = 'LDV;Incasso;Nolo;Fuel;COD\nA;CONTANTI;6,10;0,61;8,00\nB;assegno circolare;6,10;0,61;8,00\n';
  const { id } = await invoice('1', { csv, ownMapping });
  expect(await findings(caller, id)).toEqual(['', 'cod_fee 4.00']);
});

test('A saved quote states the terms of its shipment, which take precedence over the invoice but not over the row', async () => {
  const { caller, connectionId, warehouseId, invoice } = await sender(
    tariffOf({ cod: LINES.cod, fuel: LINES.fuel }),
    {},
  );
  const quote = { warehouseId, destination: { ...RECIPIENT, country: 'IT' }, parcels: [{ ...PARCEL, quantity: 1 }] };
  const input = { carrierConnectionId: connectionId, quote: { ...quote, ...COD, shipmentDate: '2026-11-01' } };
  const terms = { codPayment: 'card' };
  const { databaseId: quoteId } = await ask<{ databaseId: number }>(caller, SAVE, { input: { ...input, terms } });
  const shipped = { quoteId, shippedAt: '2026-11-03T09:00:00Z' };
  await upsertShipments(caller, [shipment(connectionId, 'A', shipped), shipment(connectionId, 'B', shipped)]);
  const rows = [billed('A', { ...BASE, cod: '8.00' }), billed('B', { ...BASE, cod: '8.00' }, { codPayment: 'cash' })];
  const { id } = await invoice('1', { rows, terms: { codPayment: 'cash' } });
  expect(await findings(caller, id)).toEqual(['cod_fee 4.00', '']);
});

test('VAT as one percentage of a row agrees if lines have different rates, and VAT as amounts is checked', async () => {
  const vat = { percent: 0, note: 'Esente' };
  const insurance = [{ code: 'insurance', description: 'Assicurazione', price: { fixed: 5 }, vat }];
  const insured = { insuranceAmount: '100' };
  const { caller, invoice } = await sender(tariffOf({ insurance, fuel: LINES.fuel }), {
    A: insured,
    B: insured,
    C: insured,
    D: insured,
    E: insured,
    F: insured,
  });
  const amounts = { ...BASE, insurance: '5.00' };
  const byCharge = (ofInsurance: string) => ({
    ...billed('D', amounts),
    charges: Object.entries(amounts).map(([kind, amount]) => ({
      kinds: [kind],
      amount,
      vatPercent: kind === 'insurance' ? ofInsurance : '22',
    })),
  });
  const rows = [
    billed('A', amounts, { vatPercent: '22' }),
    billed('B', amounts, { vatPercent: '10' }),
    billed('C', amounts, { vatPercent: '22', vatAmount: '2.58' }),
    byCharge('0'),
    { ...byCharge('22'), trackingNumber: 'E' },
    // The rate of the row, beside a charge with another one.
    {
      ...billed('F', BASE, { vatPercent: '22' }),
      charges: [...billed('F', BASE).charges, { kinds: ['insurance'], amount: '5.00', vatPercent: '0' }],
    },
  ];
  const { id } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual(['', 'vat -0.31', 'vat 1.10', '', 'vat 1.10', '']);
  const csv = [
    'Tracking Number,Charge Description Code,Net Amount,Tax Rate',
    ...['A', 'B'].flatMap(number => [`${number},FRT,6.10,22`, `${number},FSC,0.61,22`]),
    'A,INS,5.00,0',
    'B,INS,5.00,22',
  ].join('\n');
  const rowsOfCharges = await invoice('1', { csv, mapping: 'UPS', replace: true });
  expect(await findings(caller, rowsOfCharges.id)).toEqual(['', 'vat 1.10']);
});
