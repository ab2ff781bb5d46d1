import { expect, test, vi } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { INVOICED_TARIFF } from '../support/invoiced-tariff.ts';
import {
  ask,
  type Item,
  NOTHING,
  order,
  refusal,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { workbook } from '../support/workbook.ts';
import { DELETE, IMPORT, imported, importOf, invoiceNow, linesOf, RECHECK, useInvoices } from './invoice-calls.ts';

const { world, company } = useInvoices({ ROLE: 'all' });

const PARCEL = { weight: '4', length: '20', width: '20', height: '10' };

/** A company that has sent parcels of 4 kg to Milan, by the numbers of their orders. */
async function sender(...numbers: string[]) {
  const of = await company();
  const { caller, connectionId, warehouseId } = of;
  await upsertOrders(
    caller,
    numbers.map(number => order(`O-${number}`, { warehouseId, parcels: [PARCEL], marketplace: 'x' })),
  );
  const shipped = { warehouseId, shippedAt: '2026-11-03T09:00:00Z' };
  await upsertShipments(
    caller,
    numbers.map(number =>
      shipment(connectionId, number, {
        ...shipped,
        orderNumber: `O-${number}`,
        reference: `R-${number}`,
        parcelId: `P-${number}`,
      }),
    ),
  );
  const invoice = (number: string, fields: Item) =>
    imported(caller, { carrierConnectionId: connectionId, number, date: '2026-11-30', ...fields });
  return { ...of, invoice };
}

/** 6.13 of base price, 2.9 % of it, and 15.9 % of both. */
const DUE = [
  { kinds: ['base'], amount: '6.13' },
  { kinds: ['surcharges'], amount: '0.18' },
  { kinds: ['fuel'], amount: '1.00' },
];

const findings = async (caller: Parameters<typeof linesOf>[0], id: string) =>
  (await linesOf(caller, id)).map(({ state, findings: { nodes } }) => [
    state,
    ...nodes.map(one => `${one.code} ${one.amount}`),
  ]);

test('A shipment is found by any of its numbers', async () => {
  const { caller, invoice } = await sender('A', 'B', 'C', 'D');
  const rows = [{ trackingNumber: 'a' }, { parcelId: 'P-B' }, { reference: 'r-c' }, { orderNumber: 'O-D' }];
  const { id } = await invoice('1', { rows: rows.map(row => ({ ...row, charges: DUE })) });
  expect(await findings(caller, id)).toEqual(times(4, () => ['agrees']));
});

test('A reference of several shipments is resolved by the date, or else makes no claim', async () => {
  const { caller, connectionId, warehouseId, invoice } = await sender('A');
  const same = { orderNumber: null, reference: 'same', warehouseId, weight: '4', volume: '4000' };
  await upsertShipments(caller, [
    shipment(connectionId, 'X', { ...same, shippedAt: '2026-11-03T09:00:00Z' }),
    shipment(connectionId, 'Y', { ...same, shippedAt: '2026-11-05T09:00:00Z' }),
  ]);
  const rows = [{ date: '2026-11-05' }, {}].map(row => ({ ...row, reference: 'same', charges: DUE }));
  const { id } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual([['agrees'], ['ambiguous']]);
});

test('A charge for several components is compared with their sum, and a tariff line by its code', async () => {
  const { caller, invoice } = await sender('A', 'B');
  const whole = { kinds: ['base', 'surcharges', 'fuel', 'cod'] };
  const rows = [
    { trackingNumber: 'A', charges: [{ ...whole, amount: '7.31' }] },
    {
      trackingNumber: 'B',
      charges: [
        { ...whole, amount: '7.31' },
        { lines: ['remote'], amount: '4.50' },
      ],
    },
  ];
  const { id } = await invoice('1', { rows });
  const [first, second] = await linesOf(caller, id);
  expect(first?.state).toBe('agrees');
  expect(second?.findings.nodes).toMatchObject([
    { code: 'surcharge_not_due', amount: '4.50', rule: '/versions/0/surcharges/2' },
  ]);
});

test('An invoice with a row for each charge is assembled, and a repeated charge is a duplicate', async () => {
  const { caller, invoice } = await sender('A', 'B');
  const csv = [
    'Tracking Number,Charge Description Code,Net Amount,Billed Weight',
    'A,FRT,6.13,4.0',
    'A,FSC,1.00,4.0',
    'B,FRT,6.13,4.0',
    'A,ISTAT,0.18,4.0',
    'B,ISTAT,0.18,4.0',
    'B,FSC,1.00,4.0',
    'B,FRT,6.13,4.0',
  ].join('\n');
  const { id, lineCount } = await invoice('1', { csv, mapping: 'UPS' });
  expect(lineCount).toBe(3);
  expect(await findings(caller, id)).toEqual([['agrees'], ['agrees'], ['differs', 'duplicate 6.13']]);
});

test('Two errors are two findings, whose amounts add up to the overbilled amount', async () => {
  const { caller, invoice } = await sender('A');
  const charges = [
    { kinds: ['base'], amount: '7.86' },
    { kinds: ['surcharges'], amount: '4.73' },
    { kinds: ['fuel'], amount: '2.00' },
    { kinds: ['insurance'], amount: '3.50' },
  ];
  const { id, overbilled } = await invoice('1', { rows: [{ trackingNumber: 'A', chargeableWeight: '8', charges }] });
  const [line] = await linesOf(caller, id);
  expect(line?.findings.nodes.map(({ code }) => code)).toEqual(['weight_band', 'surcharge_not_due', 'insurance']);
  expect(line).toMatchObject({ billed: '18.09', due: '7.31' });
  expect(overbilled).toBe('10.78');
});

test('A line that an earlier invoice billed is a duplicate on a later one, until the earlier one is deleted', async () => {
  const { caller, invoice } = await sender('A');
  const rows = [{ trackingNumber: 'A', charges: DUE }];
  const first = await invoice('1', { rows });
  const second = await invoice('2', { rows });
  expect(await findings(caller, first.id)).toEqual([['agrees']]);
  expect(await findings(caller, second.id)).toEqual([['differs', 'duplicate 7.31']]);
  await ask(caller, DELETE, { input: { id: first.id } });
  await ask(caller, RECHECK, { input: { id: second.id } });
  expect(await findings(caller, second.id)).toEqual([['agrees']]);
});

test('A shipment that is billed again is a duplicate with all its charges', async () => {
  const { caller, invoice } = await sender('A');
  const more = [...DUE, { lines: ['remote'], amount: '4.50' }];
  const rows = [DUE, more].map(charges => ({ trackingNumber: 'A', charges }));
  const { id } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual([['agrees'], ['differs', 'duplicate 11.81']]);
});

test('A check uses the current tariff', async () => {
  const { caller, connectionId, invoice } = await sender('A');
  const { id } = await invoice('1', { rows: [{ trackingNumber: 'A', charges: DUE }] });
  const [version] = INVOICED_TARIFF.versions;
  await importTariff(caller, connectionId, { ...INVOICED_TARIFF, versions: [{ ...version, fuel: [] }] });
  const { totals } = await ask<{ totals: object[] }>(caller, RECHECK, { input: { id } });
  expect(totals).toEqual([{ code: 'fuel', count: 1, amount: '1.00' }]);
});

test('A shipment without a price in the tariff, and a credit, make no claim', async () => {
  const { caller, connectionId, warehouseId, invoice } = await sender('A');
  const abroad = { address: 'X 1', postalCode: '10115', city: 'Berlin', countryCode: 'DE' };
  await upsertShipments(caller, [
    shipment(connectionId, 'E', {
      recipient: abroad,
      warehouseId,
      weight: '4',
      volume: '4000',
      shippedAt: '2026-11-03T09:00:00Z',
    }),
  ]);
  const { id } = await invoice('1', { csv: 'tracking_number;base\nE;50,00\nA;-6,13\n' });
  const lines = await linesOf(caller, id);
  expect(lines.map(({ state, findings: { nodes } }) => [state, nodes.length])).toEqual([
    ['not_priced', 0],
    ['credit', 0],
  ]);
  expect(lines[0]?.reason).toContain('zona');
});

test('A credit takes back the whole VAT of the charge that it credits', async () => {
  const { invoice } = await sender('A');
  const billed = await invoice('1', { csv: 'tracking_number;base;vat_percent\nA;0,25;10\nA;-0,25;10\n' });
  expect(billed).toMatchObject({ vat: '0.00' });
});

test('Storage and waiting without days or minutes are not checked, and the invoice states the unchecked amount', async () => {
  const { caller, connectionId, invoice } = await sender('A', 'B', 'C', 'D');
  const [version] = INVOICED_TARIFF.versions;
  const per = [{ measure: 'waitingMinutes', every: 15, price: 9 }];
  const waiting = { code: 'sosta', on: 'waiting', description: 'Sosta', price: { per } };
  const afterShipment = [...(version?.afterShipment ?? []), waiting];
  const after = async (list: object[]) =>
    importTariff(caller, connectionId, { ...INVOICED_TARIFF, versions: [{ ...version, afterShipment: list }] });
  await after(afterShipment);
  const billed = (trackingNumber: string, kind: string, amount: string, more: Item = {}) => ({
    trackingNumber,
    charges: [...DUE, { kinds: [kind], amount }],
    ...more,
  });
  const rows = [
    billed('A', 'storage', '1000.00'),
    billed('B', 'storage', '7.70', { storageDays: 3 }),
    billed('C', 'waiting', '90.00'),
    billed('D', 'waiting', '18.00', { waitingMinutes: 30 }),
    { trackingNumber: 'A', charges: [{ kinds: ['base'], amount: '-2.00' }] },
  ];
  const { id, ...totals } = await invoice('1', { rows });
  const expected = [
    ['differs', 'not_checked 0.00'],
    ['agrees'],
    ['differs', 'not_checked 0.00'],
    ['agrees'],
    ['credit'],
  ];
  expect(await findings(caller, id)).toEqual(expected);
  expect(totals).toMatchObject({ overbilled: '0.00', underbilled: '0.00', notChecked: '1092.00' });
  await after([]);
  expect(await ask(caller, RECHECK, { input: { id } })).toMatchObject({ notChecked: '1117.70' });
});

test('The price of another weight band is named in a zone that has bands with prices a kilogram', async () => {
  const { caller, connectionId, invoice } = await sender('A', 'B', 'C', 'D');
  const [version] = INVOICED_TARIFF.versions;
  const [italia, ...zones] = version?.zones ?? [];
  const bands = [...(italia?.bands ?? []), { upToKg: 500, perKg: 0.5, minimum: 19 }];
  const priced = { ...version, zones: [{ ...italia, bands, beyond: undefined }, ...zones], surcharges: [], fuel: [] };
  await importTariff(caller, connectionId, { ...INVOICED_TARIFF, versions: [priced] });
  const rows = [
    { trackingNumber: 'A', charges: [{ kinds: ['base'], amount: '7.86' }] },
    { trackingNumber: 'B', charges: [{ kinds: ['base'], amount: '7.87' }] },
    // 0.25 a step of half a kilogram: the price of 62.5 kg, and of none.
    { trackingNumber: 'C', charges: [{ kinds: ['base'], amount: '31.25' }] },
    { trackingNumber: 'D', charges: [{ kinds: ['base'], amount: '31.30' }] },
  ];
  const { id } = await invoice('1', { rows });
  expect(await findings(caller, id)).toEqual([
    ['differs', 'weight_band 1.73'],
    ['differs', 'base_price 1.74'],
    ['differs', 'weight_band 25.12'],
    ['differs', 'base_price 25.17'],
  ]);
});

test('A long invoice is checked by a job', async () => {
  const { caller, invoice } = await sender('A');
  const rows = times(1_200, i => `N${i};5,00`);
  const begun = await invoice('1', { csv: `tracking_number;base\n${rows.join('\n')}\n` });
  expect(begun).toMatchObject({ state: 'checking', checkedCount: 0, lineCount: 1_200 });
  await vi.waitFor(async () => expect((await invoiceNow(caller, begun.id)).state).toBe('checked'), { timeout: 25_000 });
  const done = await invoiceNow(caller, begun.id);
  expect(done).toMatchObject({
    checkedCount: 1_200,
    overbilled: '6000.00',
    lineTotals: [{ state: 'unknown', count: 1_200 }],
  });
});

test('An import with errors is rejected, and stores nothing', async () => {
  const { caller, connectionId } = await sender('A');
  const importing = (fields: Item) =>
    refusal(caller, IMPORT, {
      input: importOf({ carrierConnectionId: connectionId, number: '1', date: '2026-11-30', ...fields }),
    });
  const csv = 'tracking_number;base\nA;5,00\n';
  expect(await importing({})).toBe('validation_failed: /source required');
  expect(await importing({ csv, rows: [{ trackingNumber: 'A', charges: DUE }] })).toBe(
    'validation_failed: /source not_allowed',
  );
  expect(await importing({ csv, ownMapping: { name: 'x' } })).toBe(
    'validation_failed: /mapping/document/columns required, /mapping/document/charges required',
  );
  expect(await importing({ csv: 'tracking_number;base\nA;x\n' })).toBe(
    'validation_failed: /source/file/2/B invalid_decimal',
  );
  const righe = workbook({
    Righe: [
      ['tracking_number', 'base'],
      ['A', 'x'],
    ],
  });
  expect(await importing({ file: { base64: Buffer.from(righe).toString('base64') } })).toBe(
    'validation_failed: /source/file/Righe/2/B invalid_decimal',
  );
  expect(await importing({ file: { text: csv, base64: 'eA==' } })).toBe('validation_failed: /source/file not_allowed');
  expect(await importing({ csv: 'tracking_number;base\n' })).toBe('validation_failed: /source/file/1 empty');
  expect(await importing({ csv: 'tracking_number;base\n"A;5\n' })).toBe('validation_failed: /source/file invalid_text');
  expect(await importing({ csv: 'tracking_number,base\nA,6,10\n' })).toBe(
    'validation_failed: /source/file/2/C too_many',
  );
  expect(await importing({ csv: 'tracking_number;base;fuel\nA;6,10\n' })).toBe(
    'validation_failed: /source/file/2 required',
  );
  expect(await importing({ csv: 'tracking_number;base;Base\nA;6,10;7,10\n' })).toBe(
    'validation_failed: /source/file/1/C duplicate',
  );
  expect(await importing({ csv: 'tracking_number;base\nA\0B;6,10\n' })).toBe(
    'validation_failed: /source/file invalid_text',
  );
  expect(await importing({ csv: 'tracking_number;base\nA;1.234\n' })).toBe(
    'validation_failed: /source/file/2/B invalid_decimal',
  );
  expect(await importing({ csv: 'tracking_number;base;currency\nA;6,10;USD\n' })).toBe(
    'validation_failed: /source/file/2/C not_allowed',
  );
  const mixed = [{ kinds: ['base', 'storage'], amount: '1' }];
  expect(await importing({ rows: [{ trackingNumber: 'A', charges: mixed }] })).toBe(
    'validation_failed: /source/rows/0/charges/0/kinds not_allowed',
  );
  expect(await importing({ csv, carrierConnectionId: 2_000_000_000 })).toBe('carrier_connection_not_found');
  expect(await importing({ csv })).toBeUndefined();
  expect(await importing({ csv })).toBe('validation_failed: /number duplicate');
  expect(await importing({ csv, date: '2027-01-31' })).toBeUndefined();
});

test('Another company sees no invoice, no line and no finding', async () => {
  const { invoice } = await sender('A');
  const { id } = await invoice('1', { csv: 'tracking_number;base\nNOBODY;5,00\n' });
  const other = await world.company();
  for (const document of [DELETE, RECHECK])
    expect(await refusal(other, document, { input: { id } })).toBe('carrier_invoice_not_found');
  expect(await refusal(other, 'query ($id: ID!) { carrierInvoice(id: $id) { id } }', { id })).toBe(NOTHING);
  const reader = await world.company(['carriers:read', 'shipments:tracking']);
  expect(await refusal(reader, '{ carrierInvoices { nodes { id } } }')).toBe('insufficient_scope');
});
