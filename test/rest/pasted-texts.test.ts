import { beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  feedEvents,
  feedOrders,
  feedShipments,
  RECIPIENT,
  refusal,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { wrongFields } from '../support/rest-client.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { flat } from './tariffs.ts';

/** Texts and numbers as people paste them: with line breaks, characters that nobody can see, and decomposed letters. */

const world = useSharedWorld();
let caller: Caller;
let brt: number;
beforeAll(async () => {
  caller = await world.company();
  brt = await connectCarrier(caller);
});

const PASTED = 'Rossi \u200b&\r\n\t Figli\ufeff';
const STREET = 'Via Roma\u00a01,\nScala\u00ad B';
const LINE = 'Rossi & Figli';
const STREET_LINE = 'Via Roma 1, Scala B';

const tracked = (number: string) =>
  caller.rest('GET', `/shipments/tracking/by-tracking-number/${encodeURIComponent(number)}`);

describe('A pasted text is stored on one line, without what cannot be seen,', () => {
  test('in a warehouse, new or changed', async () => {
    const { status, body } = await caller.rest('POST', '/warehouses', { ...WAREHOUSE, name: PASTED, address: STREET });
    expect([status, body.name, body.address]).toEqual([201, LINE, STREET_LINE]);
    const patched = await caller.rest('PATCH', `/warehouses/${body.id}`, {
      city: 'Mila\u200bno\n',
      country: '\u200eit',
      postalCode: '20138\u2028',
    });
    expect(patched).toMatchObject({ status: 200, body: { city: 'Milano', country: 'IT', postalCode: '20138' } });
  });

  test('in an order, a shipment, its events and its metadata', async () => {
    const recipient = { ...RECIPIENT, companyName: PASTED, address: STREET };
    await feedOrders(caller, { orderNumber: 'P\u200b-1', marketplaceOrderNumber: 'M\n1', recipient });
    await feedShipments(caller, brt, {
      trackingNumber: 'PASTE\u00ad1',
      orderNumber: 'P-1\ufeff',
      reference: 'Rif.\r\n 7',
      metadata: [{ key: 'note', value: PASTED }],
    });
    await feedEvents(caller, {
      trackingNumber: '\u200bpaste1',
      occurredAt: '\u200e2026-11-21T09:30:00Z',
      statusCode: 'in_transit',
      description: 'In transito\r\nper Milano',
      location: 'MILANO\tHUB',
      note: 'Due\n\nrighe',
    });
    const { body } = await tracked('PASTE1');
    expect(body).toMatchObject({
      trackingNumber: 'PASTE1',
      orderNumber: 'P-1',
      marketplaceOrderNumber: 'M 1',
      recipient: { companyName: LINE, address: STREET_LINE },
      timeline: [{ description: 'In transito per Milano', location: 'MILANO HUB', note: 'Due righe' }],
    });
    const { metadata } = await ask<{ metadata: object[] }>(
      caller,
      '{ trackingByNumber(trackingNumber: "PASTE1") { metadata { key value } } }',
    );
    expect(metadata).toEqual([{ key: 'note', value: LINE }]);
  });

  test('in the label of a webhook endpoint and of a connection', async () => {
    const webhook = { label: PASTED, url: 'https://93.184.215.14/hook', events: ['tracking.delivered'] };
    expect((await caller.rest('POST', '/webhooks', webhook)).body.label).toBe(LINE);
    await connectCarrier(caller, 'POSTE', PASTED);
    const { body } = await caller.rest('GET', '/carriers');
    expect(body.map(({ label }: { label: string }) => label)).toContain(LINE);
  });

  test('in a row of a file', async () => {
    const file = {
      text: 'Numero ordine;Destinatario;Indirizzo;CAP;Città;Peso\nF\u200b1;Rossi;"Via Roma 1\nScala B";10121;Torino;0.30000000000000004',
    };
    const { importOrders } = (
      await caller.graphql<{ importOrders: object }>(
        'mutation ($input: ImportOrdersInput!) { importOrders(input: $input) { created problems { message } } }',
        { input: { file } },
      )
    ).data;
    expect(importOrders).toEqual({ created: 1, problems: [] });
    const order = await ask(
      caller,
      '{ order(by: { orderNumber: "F1" }) { recipient { address } parcels { weight } } }',
    );
    expect(order).toEqual({ recipient: { address: STREET_LINE }, parcels: [{ weight: '0.3' }] });
  });
});

describe('A number is found however it was pasted', () => {
  beforeAll(async () => {
    await feedOrders(caller, {
      orderNumber: 'NFD-e\u0300',
      marketplaceOrderNumber: 'Perche\u0301 1',
      recipient: RECIPIENT,
    });
    await feedShipments(caller, brt, {
      trackingNumber: 'Nu\u0301mero 7',
      orderNumber: 'NFD-\u00e8',
      labels: ['Etiche\u0300 1'],
      parcelId: 'P\u00e8 2',
      reference: 'R\u00e8 3',
    });
  });

  test.each([
    'N\u00famero 7',
    'Nu\u0301mero 7',
    'N\u00famero\u200b\u00a07\r\n',
    '\ufeffetich\u00e8 1',
    'Pe\u0300 2',
    'p\u00e8\u200d2',
    'Re\u0300  3',
    'Perch\u00e9 1',
    'Perche\u0301\n1\u200e',
  ])('%j, by its number', async number => {
    const { status, body } = await tracked(number);
    expect([status, body.trackingNumber]).toEqual([200, 'N\u00famero 7']);
  });

  test.each(['Perch\u00e9 1', 'Perche\u0301  1', '\u200bPerch\u00e9\n1\n'])(
    "%j, by its order's number",
    async number => {
      const { status, body } = await caller.rest(
        'GET',
        `/shipments/tracking/by-order-number/${encodeURIComponent(number)}`,
      );
      expect([status, body.length]).toEqual([200, 1]);
    },
  );

  test('in GraphQL, by the order and in filters', async () => {
    const found = await caller.graphql(
      `query ($internal: String!, $number: String!) {
        order(by: { orderNumber: $internal }) { orderNumber }
        orders(filter: { orderNumber: $internal }, first: 5) { nodes { orderNumber } }
        shipments(filter: { trackingNumbers: [$number] }, first: 5) { nodes { trackingNumber } }
      }`,
      { internal: 'NFD-e\u0300\u200b\n', number: 'nu\u0301mero\u200b7' },
    );
    expect(found.data).toEqual({
      order: { orderNumber: 'NFD-\u00e8' },
      orders: { nodes: [{ orderNumber: 'NFD-\u00e8' }] },
      shipments: { nodes: [{ trackingNumber: 'N\u00famero 7' }] },
    });
  });
});

test('A control character is rejected in every text, unless it is a blank', async () => {
  const wrong = await caller.rest('POST', '/warehouses', {
    ...WAREHOUSE,
    name: 'a\u0007b',
    city: 'c\u0080',
    state: 'x\u001f',
  });
  expect(wrongFields(wrong)).toEqual([
    ['/city', 'invalid_text'],
    ['/name', 'invalid_text'],
    ['/state', 'invalid_text'],
  ]);
  const LOOK_UP =
    'query ($sought: String!) { orders(filter: { orderNumber: $sought }, first: 1) { nodes { orderNumber } } }';
  expect(await refusal(caller, LOOK_UP, { sought: 'a\u0007b' })).toBe('validation_failed: /orderNumber invalid_text');
});

describe('A decimal as a binary fraction', () => {
  const destination = { postalCode: '90139', city: 'Palermo', province: 'PA', address: STREET, companyName: PASTED };
  let warehouseId: number;
  beforeAll(async () => {
    warehouseId = (await caller.rest('POST', '/warehouses', WAREHOUSE)).body.id;
  });

  test('has the intended value, in a quote', async () => {
    const parcel = { weight: 0.1 + 0.2, length: 10.000000000000002, width: 9.999999999999998, height: 1.1 * 3 };
    const body = {
      warehouseId,
      destination,
      parcels: [parcel],
      codAmount: 0.1 + 0.7,
      insuranceAmount: 0.3 - 0.1 - 0.2,
    };
    expect((await caller.rest('POST', '/shipments/quote', body)).status).toBe(200);
    const coarse = { ...body, codAmount: 0.801, insuranceAmount: 1e-8 };
    expect(wrongFields(await caller.rest('POST', '/shipments/quote', coarse))).toEqual([
      ['/codAmount', 'out_of_range'],
      ['/insuranceAmount', 'out_of_range'],
    ]);
  });

  test('has the intended value, in orders and shipments, as a literal and as a variable', async () => {
    await feedOrders(caller, {
      orderNumber: 'D1',
      recipient: RECIPIENT,
      codAmount: 0.1 + 0.2,
      goodsValue: '29.989999999999998',
      parcels: [{ weight: 1.1 + 2.2 }],
    });
    await feedShipments(caller, brt, { trackingNumber: 'D1', weight: '3.3000000000000003', volume: 4.35 * 100 });
    const { body } = await tracked('D1');
    expect([body.weight, body.volume]).toEqual(['3.3', '435']);
    await caller.graphql(
      `mutation { upsertOrders(input: { orders: [{ orderNumber: "D2", codAmount: 0.30000000000000004,
        recipient: { address: "Via Roma 1", postalCode: "20121", city: "Milano" } }] }) { created } }`,
    );
    const shown = await ask(caller, '{ orders(first: 2) { nodes { orderNumber codAmount goodsValue } } }');
    expect(shown).toEqual({
      nodes: [
        { orderNumber: 'D2', codAmount: '0.30', goodsValue: null },
        { orderNumber: 'D1', codAmount: '0.30', goodsValue: '29.99' },
      ],
    });
  });

  test('has the intended value, in a tariff', async () => {
    const zone = { code: 'a', name: 'A', to: { anywhere: true } };
    const sent = [
      { upToKg: 0.1 + 0.2, price: 1.1 + 2.2 },
      { upToKg: 30, price: 5 },
    ];
    const tariff = flat(5, { zones: [{ ...zone, bands: sent }] });
    const { importTariff } = (
      await caller.graphql<{ importTariff: object }>(
        `mutation ($input: ImportTariffInput!) { importTariff(input: $input) { userErrors { pointer code message } tariff { document } } }`,
        { input: { carrierConnectionId: brt, tariff } },
      )
    ).data;
    const bands = [
      { upToKg: 0.3, price: 3.3 },
      { upToKg: 30, price: 5 },
    ];
    expect(importTariff).toMatchObject({
      userErrors: [],
      tariff: { document: { versions: [{ zones: [{ bands }] }] } },
    });
  });
});

test('A day outside of 2000 to 2099 is rejected with the years that are possible, which OpenAPI states', async () => {
  const body = { orderId: 1, shipmentDate: '1999-12-31' };
  for (const shipmentDate of ['1999-12-31', '2100-01-01', '2100-01-01T00:00:00Z']) {
    const rejected = await caller.rest('POST', '/shipments/quote', { ...body, shipmentDate });
    expect(rejected).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/shipmentDate', message: expect.stringContaining('in the years 2000 to 2099') }] },
    });
  }
  const openapi = (await (await fetch(new URL('/openapi.json', world.app.url))).json()) as {
    components: { schemas: Record<string, { properties: { shipmentDate: { anyOf: object[] } } }> };
  };
  const { shipmentDate } = openapi.components.schemas.QuoteOfOrder?.properties ?? {};
  expect(JSON.stringify(shipmentDate)).toContain('"pattern":"^20[0-9]{2}-"');
});
