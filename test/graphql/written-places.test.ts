import { beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  askNodes,
  connectCarrier,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  refusal,
  shipment,
  upsertOrders,
  upsertShipments,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { workbook } from '../support/workbook.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

/** Postal codes and countries as people write them, in every input that takes them. */

const world = useSharedWorld();
let caller: Caller;
let connection: number;
beforeAll(async () => {
  caller = await world.company();
  connection = await connectCarrier(caller, 'DHL');
});

/** A code as it is written, and as it is stored. */
const WRITTEN: [country: string, written: string, stored: string][] = [
  ['LU', 'L-1009', '1009'],
  ['LT', 'LT-01100', '01100'],
  ['LV', 'lv 1050', 'LV-1050'],
  ['SE', 'SE-111 22', '111 22'],
  ['CH', 'CH-8001', '8001'],
  ['IT', 'I-20121', '20121'],
  ['FR', '75008 CEDEX 08', '75008'],
  ['PL', '00950', '00-950'],
  ['PT', '1000001', '1000-001'],
  ['IN', '110 001', '110001'],
  ['NL', '1234ab', '1234 AB'],
  ['GB', 'SW1A\u00a01AA', 'SW1A 1AA'],
  ['US', '123456789', '12345-6789'],
  ['AX', 'AX-22100', '22100'],
  ['AD', 'AD-500', 'AD500'],
];
/** Codes that a country without them, or where they are not needed, stands for. */
const ABSENT: [country: string, written: string | null | undefined][] = [
  ['AE', undefined],
  ['HK', null],
  ['AO', ''],
  ['BS', '00000'],
  ['IE', undefined],
  ['QA', 'N/A'],
];

const addressOf = ([countryCode, postalCode]: readonly [string, string | null | undefined, ...unknown[]]) => ({
  ...RECIPIENT,
  province: null,
  countryCode,
  postalCode,
});
const recipientsOf = (kind: 'orders' | 'shipments', postalCodes?: readonly string[]) =>
  askNodes<{ recipient: { postalCode: string; countryCode: string } }>(
    caller,
    `query ($filter: ${kind === 'orders' ? 'OrderFilter' : 'ShipmentFilter'}) {
      ${kind}(first: 50, filter: $filter) { nodes { recipient { postalCode countryCode } } }
    }`,
    { filter: { postalCodes, createdAt: { from: new Date(Date.now() - 86_400_000).toISOString() } } },
  );

describe('A postal code', () => {
  test.each(WRITTEN)('of %s, %j, is stored as %s in a warehouse', async (country, postalCode, stored) => {
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country, postalCode });
    expect([status, body.postalCode]).toEqual([201, stored]);
    const changed = await caller.rest('PATCH', `/warehouses/${body.id}`, { postalCode });
    expect([changed.status, changed.body.postalCode]).toEqual([200, stored]);
  });

  test.each(ABSENT)('is not needed for a warehouse in %s (%j), which has none', async (country, postalCode) => {
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country, postalCode });
    expect([status, body.postalCode]).toEqual([201, '']);
  });

  test('is required again once a warehouse moves to a country with postal codes, and removed on the way back', async () => {
    const { body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, country: 'AE', postalCode: undefined });
    const move = (fields: Item) => caller.rest('PATCH', `/warehouses/${body.id}`, fields);
    expect(wrongFields(await move({ country: 'IT' }))).toEqual([['/country', 'required']]);
    expect(wrongFields(await move({ country: 'IT', postalCode: '' }))).toEqual([['/postalCode', 'required']]);
    expect(wrongFields(await move({ postalCode: null }))).toEqual([['/postalCode', 'required']]);
    expect((await move({ country: 'IT', postalCode: 'IT-20121' })).body).toMatchObject({ postalCode: '20121' });
    expect((await move({ country: 'HK', postalCode: '' })).body).toMatchObject({ country: 'HK', postalCode: '' });
  });

  test('of a recipient is stored in the form of its country, and found as it was sent', async () => {
    const all = [...WRITTEN, ...ABSENT];
    const orders = all.map((row, i) => order(`PLACE-${i}`, { recipient: addressOf(row) }));
    expect(outcomes(await upsertOrders(caller, orders))).toEqual(all.map(() => 'created'));
    const shipments = all.map((row, i) => shipment(connection, `PLACE${i}`, { recipient: addressOf(row) }));
    expect(outcomes(await upsertShipments(caller, shipments))).toEqual(all.map(() => 'created'));
    const stored = all.map(([country, , own = '']) => `${country} ${own}`).toSorted();
    for (const kind of ['orders', 'shipments'] as const) {
      const found = await recipientsOf(kind);
      expect(found.map(({ recipient: r }) => `${r.countryCode} ${r.postalCode}`).toSorted()).toEqual(stored);
    }
    for (const [, written, own] of WRITTEN) {
      for (const kind of ['orders', 'shipments'] as const) {
        const found = await recipientsOf(kind, [written]);
        expect([written, found.map(({ recipient }) => recipient.postalCode)]).toEqual([written, [own]]);
      }
    }
  });

  test('that is missing rejects only its own row', async () => {
    const { results } = await upsertOrders(caller, [
      order('ROW-1', { recipient: addressOf(['AE', undefined]) }),
      order('ROW-2', { recipient: addressOf(['IT', undefined]) }),
      order('ROW-3', { recipient: addressOf(['DE', null]) }),
      order('ROW-4', { recipient: addressOf(['DE', 'D-1011']) }),
      order('ROW-5', { recipient: addressOf(['DE', 'D-10115']) }),
    ]);
    expect(results.map(({ outcome, code, pointer }) => [outcome, code, pointer])).toEqual([
      ['created', null, null],
      ['rejected', 'required', '/orders/1/recipient/postalCode'],
      ['rejected', 'required', '/orders/2/recipient/postalCode'],
      ['rejected', 'invalid_postal_code', '/orders/3/recipient/postalCode'],
      ['created', null, null],
    ]);
    expect(results[3]?.message).toContain('must have the form of a postal code of DE (five digits)');
  });

  test.each([
    [{ country: 'LU', postalCode: 'L-1009' }, undefined],
    [{ country: 'AE' }, undefined],
    [{ postalCode: 'I-20121' }, undefined],
    [{}, { code: 'required', pointer: '/destination/postalCode' }],
  ])('of the destination %j is read in an estimate', async (destination, wrong) => {
    const estimate = `query ($destination: DeliveryEstimateDestinationInput!) {
      deliveryEstimate(input: { carrierConnectionId: ${connection}, destination: $destination }) { expectedAt }
    }`;
    if (wrong === undefined) expect(await ask(caller, estimate, { destination })).toBeNull();
    else expect(JSON.stringify(await refusal(caller, estimate, { destination }))).toContain(wrong.pointer);
  });
});

describe('A file of orders', () => {
  const IMPORT = `mutation Import($input: ImportOrdersInput!) {
    importOrders(input: $input) { created rejected onlyChecked problems { row column code } userErrors { code message } }
  }`;
  const ADDRESSES = `query ($filter: OrderFilter!) { orders(first: 50, filter: $filter) { nodes { orderNumber recipient { countryCode postalCode } } } }`;

  test('can name countries in everyday words, and needs no postal code for countries without them', async () => {
    const own = await world.company();
    const rows = [
      ['F-01', 'Olanda', '1234AB', 'NL', '1234 AB'],
      ['F-02', 'Repubblica Ceca', '11122', 'CZ', '111 22'],
      ['F-03', 'Czech Republic', 'CZ-111 22', 'CZ', '111 22'],
      ['F-04', 'UK', 'sw1a1aa', 'GB', 'SW1A 1AA'],
      ['F-05', 'EL', '11122', 'GR', '111 22'],
      ['F-06', 'USA', '123456789', 'US', '12345-6789'],
      ['F-07', 'ITA', '20121', 'IT', '20121'],
      ['F-08', 'Deutschland', 'D-10115', 'DE', '10115'],
      ['F-09', 'Suisse', 'CH-8001', 'CH', '8001'],
      ['F-10', 'España', '28013', 'ES', '28013'],
      ['F-11', 'Emirati Arabi Uniti', '', 'AE', ''],
      ['F-12', 'Hong Kong', '-', 'HK', ''],
      ['F-13', 'Irlanda', '', 'IE', ''],
    ];
    const text = [
      'Numero ordine;Indirizzo;CAP;Città;Nazione',
      ...rows.map(([n, c, p]) => `${n};Via 1;${p};Luogo;${c}`),
    ];
    const imported = await ask(own, IMPORT, { input: { file: { text: text.join('\n') } } });
    expect(imported).toMatchObject({ created: rows.length, rejected: 0, problems: [] });
    const { nodes } = await ask<{ nodes: { orderNumber: string; recipient: Item }[] }>(own, ADDRESSES, { filter: {} });
    expect(
      nodes.map(({ orderNumber, recipient }) => [orderNumber, recipient.countryCode, recipient.postalCode]).toSorted(),
    ).toEqual(rows.map(([n, , , country, stored]) => [n, country, stored]));
  });

  test('without a column of postal codes is checked row by row if it names countries', async () => {
    const own = await world.company();
    const text =
      'Numero ordine;Indirizzo;Città;Nazione\nF-1;Road 1;Hong Kong;HK\nF-2;Via 1;Milano;Italia\nF-3;Via 1;Pristina;Kosovo';
    const imported = await ask<{ problems: object[] }>(own, IMPORT, { input: { file: { text } } });
    expect(imported).toMatchObject({ created: 0, rejected: 2, onlyChecked: true });
    expect(imported.problems).toMatchObject([
      { row: 3, code: 'required' },
      { row: 4, code: 'unknown_country' },
    ]);
  });

  test('has the leading zeros restored that a workbook removed from the postal codes of any country', async () => {
    const own = await world.company();
    const sheet = await workbook({
      Ordini: [
        ['Numero ordine', 'Indirizzo', 'CAP', 'Città', 'Nazione'],
        ['F-1', 'Strasse 1', 1067, 'Dresden', 'DE'],
        ['F-2', 'Rue 1', 1000, 'Bourg-en-Bresse', 'FR'],
        ['F-3', 'Via 1', 144, 'Roma', 'IT'],
        ['F-4', 'Street 1', 2134, 'Boston', 'US'],
      ],
    });
    await ask(own, IMPORT, { input: { file: { base64: Buffer.from(sheet).toString('base64') } } });
    const { nodes } = await ask<{ nodes: { recipient: Item }[] }>(own, ADDRESSES, { filter: {} });
    expect(nodes.map(({ recipient }) => recipient.postalCode).toSorted()).toEqual(['00144', '01000', '01067', '02134']);
  });
});
