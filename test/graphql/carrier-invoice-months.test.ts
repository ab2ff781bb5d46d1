import { expect, test } from 'vitest';
import { importTariff } from '../rest/feed.ts';
import { HAND_TARIFF, REMOTE_RECIPIENT, sent, upsPackage, upsRow } from '../support/carrier-files.ts';
import { EARLIER, MISTAKES, MONTHS, type Month, RIGHT, SHIPPED, WRONG } from '../support/carrier-months.ts';
import { ask, connectCarrier, createWarehouse, type Item, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { importOf, linesOf, RECHECK } from './invoice-calls.ts';

/** Months of each carrier, in its own columns: due amounts give no finding, and each mistake gives one. */

const world = useSharedWorld();

const IMPORT = `mutation ($input: ImportCarrierInvoiceInput!) { importCarrierInvoice(input: $input) {
  carrierInvoice { id mapping totals { code count amount } } lineCount
  rows { total read leftOut { count } wrong } userErrors { message } } }`;

interface Answer {
  readonly carrierInvoice: {
    readonly id: string;
    readonly mapping: string;
    readonly totals: readonly { readonly code: string; readonly count: number; readonly amount: string }[];
  };
  readonly lineCount: number;
  readonly rows: { total: number; read: number; wrong: number; leftOut: readonly { readonly count: number }[] };
  readonly userErrors: readonly { readonly message: string }[];
}

async function company(carrier: string, shipments: readonly Item[]) {
  const caller = await world.company();
  const [connection, warehouseId] = [await connectCarrier(caller, carrier), await createWarehouse(caller)];
  await importTariff(caller, connection, HAND_TARIFF);
  const ship = async (items: readonly Item[]) => {
    const own = items.map(one => ({ carrierConnectionId: connection, warehouseId, ...one }));
    expect(await upsertShipments(caller, own)).toMatchObject({ rejected: 0 });
  };
  await ship(shipments);
  const send = async (number: string, rows: readonly string[], more: Item = {}): Promise<Answer> => {
    const head = { carrierConnectionId: connection, number, date: '2026-11-30', csv: rows.join('\r\n'), ...more };
    const { data, errors } = await caller.graphql<{ importCarrierInvoice: Answer }>(IMPORT, { input: importOf(head) });
    expect(errors).toBeUndefined();
    const { total, read, leftOut, wrong } = data.importCarrierInvoice.rows;
    expect(read + wrong + leftOut.reduce((sum, { count }) => sum + count, 0)).toBe(total);
    return data.importCarrierInvoice;
  };
  return { caller, ship, send };
}

const findingsOf = ({ carrierInvoice }: Answer) =>
  Object.fromEntries(carrierInvoice.totals.map(({ code, amount }) => [code, amount]));

/** The mistakes as a carrier's file can have them: one without VAT bills an insurance, one without totals bills a line twice. */
function mistakesOf({ lacks }: Month) {
  const { vat, total, ...others } = MISTAKES;
  if (lacks === 'vat') {
    const wrong = WRONG.map((one, i) => (i === 17 ? { ...one, insurance: 200 } : one));
    return { wrong, findings: { ...others, total, insurance: '2.00' } };
  }
  if (lacks === 'total') {
    const wrong = WRONG.map(one => ({ ...one, beyond: 0 }));
    return { wrong: [...wrong, wrong[26] ?? wrong[0]], findings: { ...others, vat, duplicate: '13.42' } };
  }
  return { wrong: WRONG, findings: MISTAKES };
}

test.each(Object.keys(MONTHS))(
  'A correct month of %s has no finding, and one with ten mistakes has exactly these ten',
  async name => {
    const month = MONTHS[name] as Month;
    const { rows, otherLines = 0 } = month;
    const shipments = SHIPPED.map(({ number, kg, remote, packages }) =>
      sent(number, kg, {
        ...(packages.length > 0 && { parcelCount: 1 + packages.length, labels: packages }),
        ...(remote > 0 && { recipient: REMOTE_RECIPIENT }),
      }),
    );
    const { send } = await company(month.carrier, shipments);
    const earlier = await send('earlier', rows(EARLIER));
    expect(findingsOf(earlier)).toEqual({});

    const right = await send('month', rows(RIGHT));
    expect(right.userErrors).toEqual([]);
    expect(right.carrierInvoice.mapping).toBe(month.mapping);
    expect(findingsOf(right)).toEqual({});
    expect(right.lineCount).toBe(RIGHT.length + otherLines);

    const { wrong, findings } = mistakesOf(month);
    const found = await send('month', rows(wrong as typeof WRONG), { replace: true });
    expect(found.userErrors).toEqual([]);
    expect(findingsOf(found)).toEqual(findings);
    expect(found.carrierInvoice.totals.reduce((sum, { count }) => sum + count, 0)).toBe(10);

    // A column of amounts that is not read is missing from most rows.
    if (month.lacks === 'total') return;
    const incomplete = await send('incomplete', rows(RIGHT.map(one => ({ ...one, beyond: 150 }))));
    expect(incomplete.userErrors).toMatchObject([
      { message: expect.stringContaining('must have columns for all amounts') },
    ]);
    expect(incomplete.rows.wrong).toBeGreaterThanOrEqual(RIGHT.length);
  },
);

const LEAD = '1Z00000000000000A1';
const row = (of: Parameters<typeof upsRow>[0]) => upsRow({ lead: LEAD, tracking: LEAD, ...of });
const BILLED = { lead: LEAD, tracking: LEAD, kg: '4.0' };
const DUE = { base: '6.10', fuel: '0.61', vat: '1.48' };
const corrected = (base: string, fuel: string, more: Parameters<typeof upsRow>[0] = {}) => {
  const of = { category: 'ADJ', detail: 'SCC', billed: '8.0', entered: '4.0', ...more };
  return [
    row({ ...of, class: 'FRT', code: '011', text: 'Rettifica Dom. Standard', net: base }),
    row({ ...of, class: 'FSC', code: 'FSC', text: 'Rettifica suppl. carburante', net: fuel }),
  ];
};
const linesIn = async (caller: Caller, { carrierInvoice }: Answer) =>
  (await linesOf(caller, carrierInvoice.id)).map(({ state, reason, findings }) => [
    state,
    reason,
    ...findings.nodes.map(({ code, amount, due }) => `${code} ${amount}, due ${due}`),
  ]);

test.each([
  ['on a later invoice', false],
  ['on the same invoice', true],
])(
  'A UPS correction %s is not a duplicate, and an amount beyond the due one is a separate finding',
  async (_, isSame) => {
    const { caller, send } = await company('UPS', [sent(LEAD, 4)]);
    const first = upsPackage(BILLED, DUE);
    if (!isSame) await send('1', first);
    const answer = await send('2', [...(isSame ? first : []), ...corrected('1.70', '0.17')]);
    expect(await linesIn(caller, answer)).toEqual([
      ...(isSame ? [['agrees', null]] : []),
      ['differs', 'it corrects what was billed before', 'correction 1.87, due 0.00'],
    ]);
  },
);

test('A correction that bills an amount which an earlier invoice omitted is due, and a second one exceeds it', async () => {
  const { caller, send } = await company('UPS', [sent(LEAD, 8)]);
  // 8.58 are due for 8 kg.
  expect(findingsOf(await send('1', upsPackage(BILLED, DUE)))).toEqual({ weight_band: '-1.87' });
  const right = await send('2', corrected('1.70', '0.17'));
  expect(await linesIn(caller, right)).toEqual([['agrees', 'it corrects what was billed before']]);
  const wrong = await send('3', [...corrected('-6.10', '-0.61'), ...corrected('8.50', '0.85')]);
  expect(findingsOf(wrong)).toEqual({ correction: '2.64' });
  const row = { trackingNumber: LEAD, isCorrection: true, charges: [{ kinds: ['base'], amount: '1.00' }] };
  expect(findingsOf(await send('4', [], { csv: undefined, rows: [row] }))).toEqual({ correction: '1.00' });
});

test('A correction of another package of the shipment remains a separate line', async () => {
  const { caller, send } = await company('UPS', [sent(LEAD, 4, { parcelCount: 2, labels: ['PKG2'] })]);
  const of = { lead: 'PKG2', tracking: 'PKG2' };
  const answer = await send('1', [...upsPackage(BILLED, DUE), ...corrected('1.70', '0.17', of)]);
  expect(await linesIn(caller, answer)).toEqual([
    ['agrees', null],
    ['differs', 'it corrects what was billed before', 'correction 1.87, due 0.00'],
  ]);
});

test('A correction whose invoice was not imported makes no claim, nor does a negative one, which is a credit', async () => {
  const { caller, send } = await company('UPS', [sent(LEAD, 4)]);
  const alone = await send('1', corrected('1.70', '0.17'));
  expect(await linesIn(caller, alone)).toEqual([
    [
      'not_priced',
      'no line that was imported before has the price that it corrects; it corrects what was billed before',
    ],
  ]);
  const credit = await send('2', [...upsPackage(BILLED, DUE), ...corrected('-1.00', '-0.10', { detail: 'CADJ' })]);
  expect((await linesIn(caller, credit)).map(([state]) => state)).toEqual(['agrees', 'credit']);
});

test('A package that UPS bills later than the others of its shipment is due unless it was billed before', async () => {
  const { send } = await company('UPS', [sent('PKG1', 8, { parcelCount: 2, labels: ['PKG2'] })]);
  const first = upsPackage({ lead: 'PKG1', tracking: 'PKG1', kg: '5.0' }, { base: '4.00', fuel: '0.40', vat: '0.97' });
  const second = upsPackage({ lead: 'PKG2', tracking: 'PKG2', kg: '3.0' }, { base: '3.80', fuel: '0.38', vat: '0.92' });
  await send('1', first);
  expect(findingsOf(await send('2', second))).toEqual({});
  expect(findingsOf(await send('3', second))).toEqual({ duplicate: '4.18' });
});

test('The amount still due for a correction counts all earlier lines, however far above they are', async () => {
  const { send } = await company('UPS', [sent('PKG1', 8, { parcelCount: 2, labels: ['PKG2'] })]);
  // 8.58 are due for 8 kg.
  const first = upsPackage({ lead: 'PKG1', tracking: 'PKG1', kg: '5.0' }, { base: '4.00', fuel: '0.40', vat: '0.97' });
  const second = upsPackage({ lead: 'PKG2', tracking: 'PKG2', kg: '3.0' }, { base: '3.80', fuel: '0.38', vat: '0.92' });
  const of = { lead: 'PKG2', tracking: 'PKG2' };
  // Unknown shipments whose charges add up to zero.
  const between = Array.from({ length: 600 }, (_, i) => [
    upsRow({ lead: `X${i}`, tracking: `X${i}`, class: 'FRT', code: '011', text: 'Dom. Standard', net: '1.00' }),
    upsRow({ lead: `X${i}`, tracking: `X${i}`, class: 'ACC', code: 'ESD', text: 'Sconto', net: '-1.00' }),
  ]);
  await send('1', first);
  const answer = await send('2', [...second, ...between.flat(), ...corrected('3.80', '0.38', of)]);
  expect(answer.lineCount).toBe(602);
  expect(findingsOf(answer)).toEqual({ correction: '4.18' });
});

test('Packages whose labels arrive after the invoice are one line with their shipment after another check', async () => {
  const { caller, ship, send } = await company('SDA', [sent('PKG1', 8, { parcelCount: 2 })]);
  const rows = [
    'tracking_number;date;base;fuel;vat_percent',
    'PKG1;03/11/2026;4,00;0,40;22',
    'PKG2;03/11/2026;3,80;0,38;22',
  ];
  const before = await send('1', rows);
  expect(findingsOf(before)).toMatchObject({ unknown_shipment: '4.18' });
  const { id } = before.carrierInvoice;
  const unchanged = await ask<{ totals: object[]; lineCount: number }>(caller, RECHECK, { input: { id } });
  expect(unchanged).toMatchObject({ lineCount: 2 });
  await ship([sent('PKG1', 8, { parcelCount: 2, labels: ['PKG2'] })]);
  const after = await ask(caller, RECHECK, { input: { id } });
  expect(after).toMatchObject({ id, state: 'checked', lineCount: 1, billed: '8.58', totals: [] });
});

test('The row counts of a rejected file add up too, however many rows are wrong', async () => {
  const { send } = await company('SDA', [sent('A1', 4)]);
  const head = 'date;tracking_number;base;net';
  const wrong = Array.from({ length: 150 }, (_, i) => `03/11/2026;W${i};x;6,10`);
  const { carrierInvoice, rows, userErrors } = await send('1', [
    ...[head, '03/11/2026;A1;6,10;6,10', ...wrong, head, '03/11/2026;;5,00;5,00'],
    'Totale;;;6,10',
  ]);
  expect(carrierInvoice).toBeNull();
  expect(userErrors).toHaveLength(100);
  expect(rows).toEqual({ total: 154, read: 1, leftOut: [{ count: 1 }], wrong: 152 });
});
