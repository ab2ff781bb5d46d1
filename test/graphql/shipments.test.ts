import { describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  recordEvents,
  shipment,
  times,
  UPSERT_SHIPMENTS,
  unseen,
  upsertOrders,
  upsertShipments,
} from './platform-side.ts';

const world = useWorld();

interface Shipment {
  readonly id: number;
  readonly trackingNumber: string;
  readonly updatedAt: string;
  readonly relatedShipments: { type: string; trackingNumber: string }[];
  readonly [field: string]: unknown;
}

const TRACK = `query ($number: String!) { trackingByNumber(trackingNumber: $number) {
  id trackingNumber statusCode status statusAt shipmentDate expectedDeliveryDate deliveredDate parcelNumber weight volume
  trackingUrl reference parcelId orderNumber marketplaceOrderNumber order { orderNumber } warehouse { id }
  carrierConnection { carrierCompanyId } carrier { code }
  recipient { companyName address postalCode city province countryCode country }
  timeline { id } relatedShipments { type trackingNumber } createdAt updatedAt
} }`;

const track = (caller: Caller, number: string) => ask<Shipment>(caller, TRACK, { number });

/** Whether a number finds a shipment. */
async function isFound(caller: Caller, number: string): Promise<boolean> {
  const { data, errors } = await caller.graphql(unseen(TRACK), { number });
  if (data) return true;
  expect(errors).toMatchObject([{ extensions: { code: 'shipment_not_found' } }]);
  return false;
}

/** A company with a connection to BRT. */
async function shipper(): Promise<{ caller: Caller; brt: number }> {
  const caller = await world.company();
  return { caller, brt: await connectCarrier(caller) };
}

const FULL = {
  reference: 'REF 1',
  parcelId: 'P.1',
  labels: ['L1', 'L2'],
  parcelNumber: 3,
  weight: '10.80',
  volume: 36_000,
  trackingUrl: 'https://tracking.example.com/?n=1',
  shipmentDate: '2026-11-20T09:00:00+01:00',
  expectedDeliveryDate: '2026-11-22T00:00:00Z',
  related: [{ trackingNumber: 'elsewhere', type: 'forward' }],
};

describe('A batch', () => {
  test('tells of each item what became of it', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, 'same'), shipment(brt, 'changed')]);
    const { results, ...counts } = await upsertShipments(caller, [
      shipment(brt, 'changed', { weight: 2 }),
      shipment(brt, ''),
      shipment(brt, 'same'),
      shipment(brt, 'new'),
    ]);
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1, rejected: 1 });
    expect(results.map(({ index, outcome }) => [index, outcome])).toEqual([
      [0, 'updated'],
      [1, 'rejected'],
      [2, 'unchanged'],
      [3, 'created'],
    ]);
    expect(results[1]).toMatchObject({ id: null, code: 'required', pointer: '/1/trackingNumber' });
    expect(results[3]?.id).toBe(String((await track(caller, 'new')).id));
  });

  test('is stored as it was sent', async () => {
    const { caller, brt } = await shipper();
    const warehouseId = await createWarehouse(caller);
    await upsertOrders(caller, [order('o-1', { marketplaceOrderNumber: '405-1' })]);
    const recipient = {
      companyName: 'Bianchi',
      address: 'Street 1',
      postalCode: 'SW1A 1AA',
      city: 'London',
      countryCode: 'gb',
    };
    await upsertShipments(caller, [shipment(brt, ' ab.1 ', { ...FULL, orderNumber: 'o-1', warehouseId, recipient })]);
    expect(await track(caller, 'ab.1')).toMatchObject({
      trackingNumber: 'ab.1',
      statusCode: 'created',
      status: 'Spedizione registrata',
      statusAt: null,
      deliveredDate: null,
      shipmentDate: '2026-11-20T08:00:00.000Z',
      expectedDeliveryDate: '2026-11-22T00:00:00.000Z',
      parcelNumber: 3,
      weight: '10.8',
      volume: '36000',
      trackingUrl: 'https://tracking.example.com/?n=1',
      reference: 'REF 1',
      parcelId: 'P.1',
      orderNumber: 'o-1',
      marketplaceOrderNumber: '405-1',
      order: { orderNumber: 'o-1' },
      warehouse: { id: warehouseId },
      carrierConnection: { carrierCompanyId: brt },
      carrier: { code: 'BRT' },
      recipient: { ...recipient, province: null, countryCode: 'GB', country: 'Regno Unito' },
      timeline: [],
      relatedShipments: [],
    });
  });

  test('sent again is all unchanged and leaves updatedAt alone', async () => {
    const { caller, brt } = await shipper();
    const warehouseId = await createWarehouse(caller);
    await upsertOrders(caller, [order('o-1')]);
    const recipient = { ...RECIPIENT, email: 'anna@example.com', telephone: '1' };
    const batch = times(20, i =>
      shipment(brt, `n${i}`, i % 2 ? { ...FULL, warehouseId, orderNumber: 'o-1', recipient } : {}),
    );
    const first = await upsertShipments(caller, batch);
    const before = await Promise.all(batch.map((_, i) => track(caller, `n${i}`)));
    for (let round = 0; round < 4; round++) {
      const again = await upsertShipments(caller, batch);
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 20, rejected: 0 });
      expect(again.results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id));
    }
    expect(await Promise.all(batch.map((_, i) => track(caller, `n${i}`)))).toEqual(before);
  });

  test('of nothing changes nothing', async () => {
    const { caller } = await shipper();
    expect(await upsertShipments(caller, [])).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      results: [],
    });
  });

  test('of 1,000 passes', async () => {
    const { caller, brt } = await shipper();
    const batch = times(1000, i => shipment(brt, `n${i}`, { ...FULL, labels: [`a${i}`, `b${i}`] }));
    expect(await upsertShipments(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
    expect(await upsertShipments(caller, batch.toReversed())).toMatchObject({ unchanged: 1000, rejected: 0 });
  });

  test('of 1,001 is refused whole', async () => {
    const { caller, brt } = await shipper();
    const input = times(1001, i => shipment(brt, `n${i}`));
    const { data, errors } = await caller.graphql(unseen(UPSERT_SHIPMENTS), { input });
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      { extensions: { code: 'validation_failed', status: 422, errors: [{ code: 'too_many' }] } },
    ]);
    expect(await isFound(caller, 'n0')).toBe(false);
  });

  test('may be as large as its limits say', async () => {
    const { caller, brt } = await shipper();
    // 30 × 500 labels and 30 × 50 relations: more values than one statement of PostgreSQL's takes.
    const batch = times(30, i =>
      shipment(brt, `n${i}`, {
        labels: times(500, j => `l-${i}-${j}`),
        related: times(50, j => ({ trackingNumber: `r-${i}-${j}`, type: 'child' })),
      }),
    );
    expect(await upsertShipments(caller, batch)).toMatchObject({ created: 30, rejected: 0 });
    expect(await track(caller, 'l-29-499')).toMatchObject({ trackingNumber: 'n29' });
    expect(await upsertShipments(caller, batch)).toMatchObject({ unchanged: 30 });
  });

  test('of a thousand shipments with fifty relations each is stored', async () => {
    const { caller, brt } = await shipper();
    const batch = times(1000, i =>
      shipment(brt, `n${i}`, { related: times(50, j => ({ trackingNumber: `r${i}-${j}`, type: 'child' })) }),
    );
    expect(await upsertShipments(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
  });

  test('sent twenty times at once creates each shipment once', async () => {
    const { caller, brt } = await shipper();
    const batch = times(10, i => shipment(brt, `n${i}`, FULL));
    const results = await Promise.all(times(20, () => upsertShipments(caller, batch)));
    expect(results.map(({ created }) => created).toSorted((a, b) => b - a)).toEqual([10, ...times(19, () => 0)]);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(190);
  });
});

describe('A shipment is known by its connection and normalized number', () => {
  test.each([
    '084007001',
    'MUL084007001',
    'mul 084007001',
    '084.007.001',
    ' 08 40 07 001 ',
    'M.U.L.084007001',
    '084007001\u00a0',
  ])('as %j', async written => {
    const { caller, brt } = await shipper();
    const first = await upsertShipments(caller, [shipment(brt, 'Mul 084.007001')]);
    const again = await upsertShipments(caller, [shipment(brt, written)]);
    expect(again).toMatchObject({ created: 0, rejected: 0 });
    expect(again.results[0]?.id).toBe(first.results[0]?.id);
    expect(await track(caller, 'mul 084 007 001')).toMatchObject({ trackingNumber: written.trim() });
    expect(await upsertShipments(caller, [shipment(brt, written)])).toMatchObject({ unchanged: 1 });
  });

  test.each([
    ['abc1', 'ABC1'],
    ['JJD01', 'jjd01'],
  ])('whatever the case: %s, %s', async (one, other) => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, one)]);
    expect(await upsertShipments(caller, [shipment(brt, other)])).toMatchObject({ created: 0 });
  });

  test.each(['84007001', '084-007001', '084007001MUL', '084007001X'])('so %s is another', async other => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, '084007001')]);
    expect(await upsertShipments(caller, [shipment(brt, other)])).toMatchObject({ created: 1 });
  });

  test('so the same number at another connection is another', async () => {
    const { caller, brt } = await shipper();
    const second = await connectCarrier(caller, 'BRT', 'Second account');
    const { results } = await upsertShipments(caller, [
      shipment(brt, '1'),
      shipment(second, '1'),
      shipment(brt, 'MUL1'),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'updated']);
    expect(results[0]?.id).toBe(results[2]?.id);
    expect(results[0]?.id).not.toBe(results[1]?.id);
  });

  test('so it may stand twice in one batch', async () => {
    const { caller, brt } = await shipper();
    const { results } = await upsertShipments(caller, [
      shipment(brt, 'n1', { ...FULL, labels: ['old'], related: [] }),
      shipment(brt, 'N1', { labels: ['young'], weight: 1 }),
      shipment(brt, 'N1', { labels: ['young'], weight: '1.0' }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'unchanged']);
    expect(await track(caller, 'young')).toMatchObject({ trackingNumber: 'N1', weight: '1', volume: '36000' });
    expect(await isFound(caller, 'old')).toBe(false);
  });
});

describe('A bad item', () => {
  const long = 'x'.repeat(201);
  const bad: [what: string, fields: Item, pointer: string, code: string][] = [
    ['a blank number', { trackingNumber: ' ' }, '/trackingNumber', 'required'],
    ['a number of 101 characters', { trackingNumber: '1'.repeat(101) }, '/trackingNumber', 'too_long'],
    ['a NUL in its number', { trackingNumber: '1\u00002' }, '/trackingNumber', 'invalid_text'],
    [
      'a connection that never existed',
      { carrierCompanyId: 2_000_000_000 },
      '/carrierCompanyId',
      'carrier_connection_not_found',
    ],
    ['an order that never existed', { orderNumber: 'nowhere' }, '/orderNumber', 'order_not_found'],
    ['a warehouse that never existed', { warehouseId: 2_000_000_000 }, '/warehouseId', 'warehouse_not_found'],
    [
      'an unknown country',
      { recipient: { ...RECIPIENT, countryCode: 'EU' } },
      '/recipient/countryCode',
      'unknown_country',
    ],
    [
      'a CAP of six digits',
      { recipient: { ...RECIPIENT, postalCode: '201211' } },
      '/recipient/postalCode',
      'invalid_postal_code',
    ],
    ['no recipient and no order', { recipient: null }, '/recipient', 'required'],
    ['a reference of 201 characters', { reference: long }, '/reference', 'too_long'],
    ['a parcelId of 201 characters', { parcelId: long }, '/parcelId', 'too_long'],
    ['a blank label', { labels: ['ok', ' '] }, '/labels/1', 'required'],
    ['a label of 101 characters', { labels: ['1'.repeat(101)] }, '/labels/0', 'too_long'],
    ['501 labels', { labels: times(501, String) }, '/labels', 'too_many'],
    ['no parcels', { parcelNumber: 0 }, '/parcelNumber', 'out_of_range'],
    ['10,001 parcels', { parcelNumber: 10_001 }, '/parcelNumber', 'out_of_range'],
    ['a negative weight', { weight: -1 }, '/weight', 'out_of_range'],
    ['a weight with four decimals', { weight: '1.0001' }, '/weight', 'out_of_range'],
    ['a volume in words', { volume: 'big' }, '/volume', 'invalid_decimal'],
    ['a URL without scheme', { trackingUrl: 'tracking.example.com/1' }, '/trackingUrl', 'invalid_url'],
    ['a URL of a script', { trackingUrl: 'javascript:alert(1)' }, '/trackingUrl', 'invalid_url'],
    ['a URL without host', { trackingUrl: 'https://' }, '/trackingUrl', 'invalid_url'],
    [
      'a URL of 2,049 characters',
      { trackingUrl: `https://example.com/${'x'.repeat(2029)}` },
      '/trackingUrl',
      'too_long',
    ],
    ['31 February', { shipmentDate: '2026-02-31T00:00:00Z' }, '/shipmentDate', 'invalid_date_time'],
    ['29 February 2027', { shipmentDate: '2027-02-29T00:00:00Z' }, '/shipmentDate', 'invalid_date_time'],
    ['a month 13', { expectedDeliveryDate: '2026-13-01T00:00:00Z' }, '/expectedDeliveryDate', 'invalid_date_time'],
    ['an hour 25', { expectedDeliveryDate: '2026-12-01T25:00:00Z' }, '/expectedDeliveryDate', 'invalid_date_time'],
    ['a date without offset', { shipmentDate: '2026-11-21T09:30:00' }, '/shipmentDate', 'invalid_date_time'],
    ['a date without time', { shipmentDate: '2026-11-21' }, '/shipmentDate', 'invalid_date_time'],
    ['an Italian date', { shipmentDate: '21/11/2026 09:30' }, '/shipmentDate', 'invalid_date_time'],
    ['the year 1999', { shipmentDate: '1999-12-31T23:59:59Z' }, '/shipmentDate', 'invalid_date_time'],
    ['an offset of 25 hours', { shipmentDate: '2026-11-21T09:30:00+25:00' }, '/shipmentDate', 'invalid_date_time'],
    [
      'itself for a relation',
      { related: [{ trackingNumber: 'bad', type: 'parent' }] },
      '/related/0/trackingNumber',
      'not_allowed',
    ],
    [
      'itself, written otherwise',
      { related: [{ trackingNumber: 'mul B.A D', type: 'child' }] },
      '/related/0/trackingNumber',
      'not_allowed',
    ],
    [
      'an unknown kind of relation',
      { related: [{ trackingNumber: '1', type: 'cousin' }] },
      '/related/0/type',
      'not_allowed',
    ],
    ['a blank relation', { related: [{ trackingNumber: '', type: 'child' }] }, '/related/0/trackingNumber', 'required'],
    ['51 relations', { related: times(51, i => ({ trackingNumber: `r${i}`, type: 'child' })) }, '/related', 'too_many'],
  ];

  test.each(bad)('with %s is told and stops no other', async (_what, fields, pointer, code) => {
    const { caller, brt } = await shipper();
    const { results, ...counts } = await upsertShipments(caller, [
      shipment(brt, 'first'),
      shipment(brt, 'bad', fields),
      shipment(brt, 'last'),
    ]);
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({ index: 1, outcome: 'rejected', id: null, code, pointer: `/1${pointer}` });
    expect(await isFound(caller, 'bad')).toBe(false);
    expect(await isFound(caller, 'first')).toBe(true);
    expect(await isFound(caller, 'last')).toBe(true);
  });

  test.each(['carrierCompanyId', 'warehouseId', 'orderNumber'])(
    "with another company's %s is answered as with one that never existed",
    async field => {
      const { caller, brt } = await shipper();
      const foreign = await shipper();
      await upsertOrders(foreign.caller, [order('theirs')]);
      const [theirs, nobodys] = {
        carrierCompanyId: [foreign.brt, 2_000_000_000],
        warehouseId: [await createWarehouse(foreign.caller), 2_000_000_000],
        orderNumber: ['theirs', 'nobodys'],
      }[field] as [unknown, unknown];
      const resultOf = async (value: unknown) =>
        (await upsertShipments(caller, [shipment(brt, 'n', { [field]: value })])).results[0];
      expect(await resultOf(theirs)).toEqual(await resultOf(nobodys));
      expect(await resultOf(theirs)).toMatchObject({ outcome: 'rejected', pointer: `/0/${field}` });
      expect(await isFound(caller, 'n')).toBe(false);
    },
  );

  test('changes nothing of a shipment that is known', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, 'known', FULL)]);
    const before = await track(caller, 'known');
    const result = await upsertShipments(caller, [
      shipment(brt, 'known', { weight: 99, labels: ['other'], orderNumber: 'nowhere' }),
    ]);
    expect(outcomes(result)).toEqual(['rejected']);
    expect(await track(caller, 'known')).toEqual(before);
    expect(await isFound(caller, 'other')).toBe(false);
  });
});

describe('A date', () => {
  test.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00+01:00', '2026-11-21T08:30:00.000Z'],
    ['2026-01-01T00:30:00+14:00', '2025-12-31T10:30:00.000Z'],
    ['2026-11-21T09:30:00-03:30', '2026-11-21T13:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['2026-11-21T09:30:00.1Z', '2026-11-21T09:30:00.100Z'],
    ['2026-11-21T09:30:00.9999999+01:00', '2026-11-21T08:30:00.999Z'],
  ])('%s is shown in UTC with milliseconds', async (sent, shown) => {
    const { caller, brt } = await shipper();
    const sending = shipment(brt, 'n', { shipmentDate: sent, expectedDeliveryDate: sent });
    await upsertShipments(caller, [sending]);
    expect(await track(caller, 'n')).toMatchObject({ shipmentDate: shown, expectedDeliveryDate: shown });
    expect(await upsertShipments(caller, [sending])).toMatchObject({ unchanged: 1 });
    expect(await upsertShipments(caller, [shipment(brt, 'n', { shipmentDate: shown })])).toMatchObject({
      unchanged: 1,
    });
  });
});

describe('A tracking page', () => {
  test.each([
    'https://example.com/track me',
    'https://example.com/è?n=ß',
    'https://example.com/{id}|1',
    'HTTPS://EXAMPLE.COM/A',
  ])('at %s is answered as the URI the contract promises', async trackingUrl => {
    const { caller, brt } = await shipper();
    const { results } = await upsertShipments(caller, [shipment(brt, 'n', { trackingUrl })]);
    if (results[0]?.outcome === 'rejected') {
      expect(results[0]).toMatchObject({ code: 'invalid_url', pointer: '/0/trackingUrl' });
    } else {
      // The client holds every answer against schema/openapi.json.
      const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/n');
      expect(new URL(body.trackingUrl).href).toBe(new URL(trackingUrl).href);
      expect(await upsertShipments(caller, [shipment(brt, 'n', { trackingUrl })])).toMatchObject({ unchanged: 1 });
    }
  });
});

describe.each([
  ['interpreted', () => unseen(UPSERT_SHIPMENTS)],
  ['compiled', () => UPSERT_SHIPMENTS],
])('Fields of a known shipment, %s', (_how, document) => {
  const send = (caller: Caller, input: Item) => ask(caller, document(), { input: [input] });

  async function known() {
    const { caller, brt } = await shipper();
    const warehouseId = await createWarehouse(caller);
    await upsertOrders(caller, [order('o-1')]);
    for (let i = 0; i < 3; i++) await send(caller, shipment(brt, 'n', { ...FULL, warehouseId, orderNumber: 'o-1' }));
    await upsertShipments(caller, [shipment(brt, 'elsewhere')]);
    return { caller, brt, before: await track(caller, 'n') };
  }

  test('stay where they are left out', async () => {
    const { caller, brt, before } = await known();
    expect(before.relatedShipments).toHaveLength(1);
    expect(await send(caller, { carrierCompanyId: brt, trackingNumber: 'n' })).toMatchObject({
      results: [{ outcome: 'unchanged' }],
    });
    expect(await track(caller, 'n')).toEqual(before);
    expect(await track(caller, 'L2')).toEqual(before);
  });

  test('are emptied by null', async () => {
    const { caller, brt } = await known();
    const cleared = {
      ...Object.fromEntries(Object.keys(FULL).map(field => [field, null])),
      warehouseId: null,
      orderNumber: null,
    };
    expect(await send(caller, shipment(brt, 'n', cleared))).toMatchObject({ results: [{ outcome: 'updated' }] });
    expect(await track(caller, 'n')).toMatchObject({
      reference: null,
      parcelId: null,
      parcelNumber: 1,
      weight: null,
      volume: null,
      trackingUrl: null,
      shipmentDate: null,
      expectedDeliveryDate: null,
      orderNumber: null,
      order: null,
      warehouse: null,
      relatedShipments: [],
    });
    expect(await isFound(caller, 'L1')).toBe(false);
    expect(await isFound(caller, 'REF 1')).toBe(false);
    expect(await send(caller, shipment(brt, 'n', cleared))).toMatchObject({ results: [{ outcome: 'unchanged' }] });
  });
});

describe('The recipient', () => {
  const cityOf = async (caller: Caller, number: string) => (await track(caller, number)).recipient as { city: string };
  const at = (city: string) => ({ ...RECIPIENT, city });

  test("is the order's by default, and follows it", async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o', { recipient: at('Milano') })]);
    const sending = { carrierCompanyId: brt, trackingNumber: 'n', orderNumber: 'o' };
    expect(outcomes(await upsertShipments(caller, [sending]))).toEqual(['created']);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Milano' });
    await upsertOrders(caller, [order('o', { recipient: at('Lodi') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Lodi' });
  });

  test('is its own where it has one, and the order’s again where that is emptied', async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o', { recipient: at('Milano') })]);
    await upsertShipments(caller, [shipment(brt, 'n', { orderNumber: 'o', recipient: at('Bari') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Bari' });
    await upsertOrders(caller, [order('o', { recipient: at('Lodi') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Bari' });
    expect(outcomes(await upsertShipments(caller, [shipment(brt, 'n', { recipient: null })]))).toEqual(['updated']);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Lodi' });
  });

  test('must come from somewhere', async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o')]);
    const bare = { carrierCompanyId: brt, trackingNumber: 'n' };
    expect((await upsertShipments(caller, [bare])).results[0]).toMatchObject({
      outcome: 'rejected',
      code: 'required',
      pointer: '/0/recipient',
    });
    // Nor may the last one be taken away.
    await upsertShipments(caller, [{ ...bare, orderNumber: 'o' }]);
    expect((await upsertShipments(caller, [{ ...bare, orderNumber: null }])).results[0]).toMatchObject({
      outcome: 'rejected',
      pointer: '/0/recipient',
    });
    expect(await track(caller, 'n')).toMatchObject({ orderNumber: 'o' });
    expect(outcomes(await upsertShipments(caller, [shipment(brt, 'n', { orderNumber: null })]))).toEqual(['updated']);
  });

  test('of an order and a shipment of one batch each does not know the other', async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o')]);
    const result = await upsertShipments(caller, [
      { carrierCompanyId: brt, trackingNumber: 'n1', orderNumber: 'o' },
      { carrierCompanyId: brt, trackingNumber: 'n2' },
      { carrierCompanyId: brt, trackingNumber: 'n1' },
    ]);
    expect(outcomes(result)).toEqual(['created', 'rejected', 'unchanged']);
  });

  test.each(['email', 'telephone'])('with another %s is told as updated', async field => {
    const { caller, brt } = await shipper();
    const send = async (value?: string) =>
      outcomes(await upsertShipments(caller, [shipment(brt, 'n', { recipient: { ...RECIPIENT, [field]: value } })]));
    expect(await send('one')).toEqual(['created']);
    expect(await send('one')).toEqual(['unchanged']);
    expect(await send('two')).toEqual(['updated']);
    expect(await send()).toEqual(['updated']);
    expect(await send()).toEqual(['unchanged']);
  });
});

describe('Secondary labels', () => {
  test('are replaced as a whole, left alone, or emptied', async () => {
    const { caller, brt } = await shipper();
    const found = async () => {
      const labels = ['mul A.1', 'b1', 'C1'];
      const hits = await Promise.all(labels.map(label => isFound(caller, label)));
      return labels.filter((_, i) => hits[i]);
    };
    await upsertShipments(caller, [shipment(brt, 'n', { labels: ['a1', 'B1'] })]);
    expect(await found()).toEqual(['mul A.1', 'b1']);
    expect(await upsertShipments(caller, [shipment(brt, 'n', { weight: 1 })])).toMatchObject({ updated: 1 });
    expect(await found()).toEqual(['mul A.1', 'b1']);
    expect(await upsertShipments(caller, [shipment(brt, 'n', { labels: ['B1', 'c1'] })])).toMatchObject({ updated: 1 });
    expect(await found()).toEqual(['b1', 'C1']);
    expect(await upsertShipments(caller, [shipment(brt, 'n', { labels: ['B1', 'c1'] })])).toMatchObject({
      unchanged: 1,
    });
    expect(await upsertShipments(caller, [shipment(brt, 'n', { labels: [] })])).toMatchObject({ updated: 1 });
    expect(await found()).toEqual([]);
    expect(await upsertShipments(caller, [shipment(brt, 'n', { labels: null })])).toMatchObject({ unchanged: 1 });
  });

  test('find nothing of another company', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, 'n', { labels: ['label'] })]);
    expect(await isFound(await world.company(), 'label')).toBe(false);
  });
});

describe('The number of parcels', () => {
  test('is 1 for a new shipment that does not say, and stays otherwise', async () => {
    const { caller, brt } = await shipper();
    const parcelsAfter = async (fields: Item) => {
      await upsertShipments(caller, [shipment(brt, 'n', fields)]);
      return (await track(caller, 'n')).parcelNumber;
    };
    expect(await parcelsAfter({})).toBe(1);
    expect(await parcelsAfter({ parcelNumber: 5 })).toBe(5);
    expect(await parcelsAfter({ weight: 1 })).toBe(5);
    expect(await parcelsAfter({ parcelNumber: null })).toBe(1);
    expect(await parcelsAfter({ parcelNumber: 10_000 })).toBe(10_000);
  });
});

describe('Related shipments', () => {
  const views = async (caller: Caller, ...numbers: string[]) =>
    Promise.all(
      numbers.map(async number =>
        (await track(caller, number)).relatedShipments.map(({ type, trackingNumber }) => `${type} ${trackingNumber}`),
      ),
    );

  test.each([
    ['forward', 'parent'],
    ['return', 'parent'],
    ['child', 'parent'],
    ['parent', 'child'],
  ])('a %s sees its opposite as %s', async (type, opposite) => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [
      shipment(brt, 'one', { related: [{ trackingNumber: 'MUL t.w o', type }] }),
      shipment(brt, 'two'),
    ]);
    expect(await views(caller, 'one', 'two')).toEqual([[`${type} two`], [`${opposite} one`]]);
  });

  test('show once the related shipment is known', async () => {
    const { caller, brt } = await shipper();
    const gls = await connectCarrier(caller, 'GLS');
    await upsertShipments(caller, [shipment(brt, 'one', { related: [{ trackingNumber: 'two', type: 'forward' }] })]);
    expect(await views(caller, 'one')).toEqual([[]]);
    await upsertShipments(caller, [shipment(gls, 'Two')]);
    expect(await views(caller, 'one', 'two')).toEqual([['forward Two'], ['parent one']]);
  });

  test('are what each side says of the other, where both do', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [
      shipment(brt, 'one', { related: [{ trackingNumber: 'two', type: 'return' }] }),
      shipment(brt, 'two', { related: [{ trackingNumber: 'one', type: 'child' }] }),
    ]);
    expect(await views(caller, 'one', 'two')).toEqual([['return two'], ['child one']]);
  });

  test('are replaced as a whole, left alone, or emptied', async () => {
    const { caller, brt } = await shipper();
    const relate = async (related?: unknown) =>
      outcomes(await upsertShipments(caller, [shipment(brt, 'one', { related })]));
    await upsertShipments(caller, [shipment(brt, 'two'), shipment(brt, 'three')]);
    expect(
      await relate([
        { trackingNumber: 'two', type: 'child' },
        { trackingNumber: 'three', type: 'child' },
      ]),
    ).toEqual(['created']);
    expect(await views(caller, 'one')).toEqual([['child two', 'child three']]);
    expect(await relate()).toEqual(['unchanged']);
    // Their order tells nothing.
    expect(
      await relate([
        { trackingNumber: 'THREE', type: 'child' },
        { trackingNumber: 'two', type: 'child' },
      ]),
    ).toEqual(['unchanged']);
    expect(await relate([{ trackingNumber: 'three', type: 'return' }])).toEqual(['updated']);
    expect(await views(caller, 'one', 'two', 'three')).toEqual([['return three'], [], ['parent one']]);
    expect(await relate(null)).toEqual(['updated']);
    expect(await views(caller, 'one', 'two', 'three')).toEqual([[], [], []]);
    expect(await relate([])).toEqual(['unchanged']);
  });

  test('never lie in another company', async () => {
    const [mine, theirs] = [await shipper(), await shipper()];
    await upsertShipments(theirs.caller, [shipment(theirs.brt, 'two')]);
    await upsertShipments(mine.caller, [
      shipment(mine.brt, 'one', { related: [{ trackingNumber: 'two', type: 'forward' }] }),
    ]);
    expect(await views(mine.caller, 'one')).toEqual([[]]);
    expect(await views(theirs.caller, 'two')).toEqual([[]]);
  });
});

interface Page {
  edges: { cursor: string; node: { trackingNumber: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: ShipmentFilter) {
  shipments(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { trackingNumber } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const numbersOf = ({ edges }: Page) => edges.map(({ node }) => node.trackingNumber);

describe('The list of shipments', () => {
  const newestFirst = times(60, i => `n${59 - i}`);

  async function shelf(): Promise<Caller> {
    const { caller, brt } = await shipper();
    await upsertShipments(
      caller,
      times(60, i => shipment(brt, `n${i}`)),
    );
    return caller;
  }

  test.each([1, 7, 20, 60, 250])('of 60 is walked forwards by %i without gaps or repeats', async first => {
    const caller = await shelf();
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { first, after });
      seen.push(...numbersOf(page));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
      expect(more).toBe(seen.length < 60);
    }
    expect(seen).toEqual(newestFirst);
  });

  test.each([7, 20, 60])('of 60 is walked backwards by %i without gaps or repeats', async last => {
    const caller = await shelf();
    let seen: string[] = [];
    for (let before: string | null = null, more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { last, before });
      seen = [...numbersOf(page), ...seen];
      before = page.pageInfo.startCursor;
      more = page.pageInfo.hasPreviousPage;
      expect(more).toBe(seen.length < 60);
    }
    expect(seen).toEqual(newestFirst);
  });

  test('shows 50 unless it is told how many', async () => {
    expect(numbersOf(await ask<Page>(await shelf(), PAGE))).toEqual(newestFirst.slice(0, 50));
  });

  test.each([{ first: 0 }, { first: 251 }, { last: -1 }, { after: 'x' }, { before: '' }])(
    'refuses the page %j',
    async args => {
      const { graphql } = await world.company();
      const [name = ''] = Object.keys(args);
      for (const document of [unseen(PAGE), ...times(4, () => PAGE)]) {
        expect((await graphql(document, args)).errors).toMatchObject([
          { extensions: { code: 'validation_failed', status: 422, errors: [{ pointer: `/${name}` }] } },
        ]);
      }
    },
  );

  test('is filtered by all its conditions', async () => {
    const { caller, brt } = await shipper();
    const gls = await connectCarrier(caller, 'GLS');
    const other = await shipper();
    await upsertOrders(caller, [order('o-1'), order('o-2')]);
    const statuses = {
      a: 'in_transit',
      b: 'delivered',
      c: 'returned',
      d: 'lost',
      e: 'cancelled',
      f: 'held',
      h: 'unknown',
    };
    await upsertShipments(
      caller,
      [...'abcdefgh'].map((number, i) => shipment(i < 4 ? brt : gls, number, { orderNumber: i % 2 ? 'o-1' : 'o-2' })),
    );
    await upsertShipments(other.caller, [shipment(other.brt, 'a')]);
    await recordEvents(
      caller,
      Object.entries(statuses).map(([trackingNumber, statusCode]) => ({
        trackingNumber,
        statusCode,
        timestamp: '2026-11-21T09:00:00Z',
      })),
    );
    const found = async (filter: Item | null) => numbersOf(await ask<Page>(caller, PAGE, { filter })).join('');
    expect(await found(null)).toBe('hgfedcba');
    expect(await found({})).toBe('hgfedcba');
    expect(await found({ statusCode: ['in_transit'] })).toBe('a');
    expect(await found({ statusCode: ['in_transit', 'created'] })).toBe('ga');
    expect(await found({ statusCode: [] })).toBe('');
    expect(await found({ carrierCompanyId: gls })).toBe('hgfe');
    expect(await found({ carrierCompanyId: other.brt })).toBe('');
    expect(await found({ orderNumber: 'o-1' })).toBe('hfdb');
    expect(await found({ orderNumber: 'nowhere' })).toBe('');
    expect(await found({ open: true })).toBe('hgfa');
    expect(await found({ open: false })).toBe('edcb');
    expect(await found({ open: null })).toBe('hgfedcba');
    expect(await found({ open: true, carrierCompanyId: gls, orderNumber: 'o-1', statusCode: ['held'] })).toBe('f');
  });

  test('takes only known states for a filter', async () => {
    const { graphql } = await world.company();
    const { errors } = await graphql(unseen(PAGE), { filter: { statusCode: ['delivered', 'lost in space'] } });
    expect(errors).toMatchObject([
      { extensions: { code: 'validation_failed', errors: [{ pointer: '/statusCode/1', code: 'not_allowed' }] } },
    ]);
  });
});
