import { describe, expect, test } from 'vitest';
import {
  ask,
  askNodes,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  shipment,
  times,
  UPSERT_SHIPMENTS,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { FULL, isFound, track, useShipper } from './shipment-calls.ts';

const { shipper } = useShipper();

describe('A batch', () => {
  test('returns the outcome of each item', async () => {
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
    expect(results[1]).toMatchObject({ id: null, code: 'required', pointer: '/shipments/1/trackingNumber' });
    expect(results[3]?.databaseId).toBe((await track(caller, 'new')).id);
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
      statusLabel: 'Spedizione registrata',
      statusAt: null,
      deliveredAt: null,
      shippedAt: '2026-11-20T08:00:00.000Z',
      expectedDeliveryAt: '2026-11-22T00:00:00.000Z',
      parcelCount: 3,
      weight: '10.8',
      volume: '36000',
      trackingUrl: 'https://tracking.example.com/?n=1',
      reference: 'REF 1',
      parcelId: 'P.1',
      orderNumber: 'o-1',
      marketplaceOrderNumber: '405-1',
      order: { orderNumber: 'o-1' },
      warehouse: { id: warehouseId },
      carrierConnection: { databaseId: brt },
      carrier: { code: 'BRT' },
      recipient: { ...recipient, province: null, countryCode: 'GB', country: 'Regno Unito' },
      timeline: [],
      relatedShipments: [],
    });
  });

  test('gives a new shipment the same createdAt and updatedAt', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(
      caller,
      times(100, i => shipment(brt, `new-${i}`)),
    );
    const nodes = await askNodes<{ createdAt: string; updatedAt: string }>(
      caller,
      '{ shipments(first: 100) { nodes { createdAt updatedAt } } }',
    );
    expect(nodes.filter(({ createdAt, updatedAt }) => createdAt !== updatedAt)).toEqual([]);
  });

  test('that is sent again is all unchanged, and updatedAt stays', async () => {
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

  test('is accepted with 1,000 shipments', async () => {
    const { caller, brt } = await shipper();
    const batch = times(1000, i => shipment(brt, `n${i}`, { ...FULL, labels: [`a${i}`, `b${i}`] }));
    expect(await upsertShipments(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
    expect(await upsertShipments(caller, batch.toReversed())).toMatchObject({ unchanged: 1000, rejected: 0 });
  });

  test('can be as large as its limits state', async () => {
    const { caller, brt } = await shipper();
    // 30 × 500 labels and 30 × 50 relations: more values than one statement of PostgreSQL's takes.
    const batch = times(30, i =>
      shipment(brt, `n${i}`, {
        labels: times(500, j => `l-${i}-${j}`),
        relatedShipments: times(50, j => ({ trackingNumber: `r-${i}-${j}`, type: 'child' })),
      }),
    );
    expect(await upsertShipments(caller, batch)).toMatchObject({ created: 30, rejected: 0 });
    expect(await track(caller, 'l-29-499')).toMatchObject({ trackingNumber: 'n29' });
    expect(await upsertShipments(caller, batch)).toMatchObject({ unchanged: 30 });
  });

  test('that is sent twenty times at once creates each shipment once', async () => {
    const { caller, brt } = await shipper();
    const batch = times(10, i => shipment(brt, `n${i}`, FULL));
    const results = await Promise.all(times(20, () => upsertShipments(caller, batch)));
    expect(results.map(({ created }) => created).toSorted((a, b) => b - a)).toEqual([10, ...times(19, () => 0)]);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(190);
  });
});

describe('A shipment', () => {
  test.each(['084007001', 'MUL084007001', ' 08 40 07 001 '])(
    'is recognized by its normalized number: %j',
    async written => {
      const { caller, brt } = await shipper();
      const first = await upsertShipments(caller, [shipment(brt, 'Mul 084.007001')]);
      const again = await upsertShipments(caller, [shipment(brt, written)]);
      expect(again).toMatchObject({ created: 0, rejected: 0 });
      expect(again.results[0]?.id).toBe(first.results[0]?.id);
      expect(await track(caller, 'mul 084 007 001')).toMatchObject({ trackingNumber: written.trim() });
      expect(await upsertShipments(caller, [shipment(brt, written)])).toMatchObject({ unchanged: 1 });
    },
  );

  test.each(['84007001', '084-007001'])('is not recognized by the number %s', async other => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, '084007001')]);
    expect(await upsertShipments(caller, [shipment(brt, other)])).toMatchObject({ created: 1 });
  });

  test('is distinct from one with the same number at another connection', async () => {
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

  test('can be in one batch more than once', async () => {
    const { caller, brt } = await shipper();
    const { results } = await upsertShipments(caller, [
      shipment(brt, 'n1', { ...FULL, labels: ['old'], relatedShipments: [] }),
      shipment(brt, 'N1', { labels: ['young'], weight: 1 }),
      shipment(brt, 'N1', { labels: ['young'], weight: '1.0' }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'unchanged']);
    expect(await track(caller, 'young')).toMatchObject({ trackingNumber: 'N1', weight: '1', volume: '36000' });
    expect(await isFound(caller, 'old')).toBe(false);
  });
});

describe.each([
  ['interpreted', () => unseen(UPSERT_SHIPMENTS)],
  ['compiled', () => UPSERT_SHIPMENTS],
])('The fields of a known shipment, %s', (_how, document) => {
  const send = (caller: Caller, input: Item) => ask(caller, document(), { input: [input] });

  async function known() {
    const { caller, brt } = await shipper();
    const warehouseId = await createWarehouse(caller);
    await upsertOrders(caller, [order('o-1')]);
    for (let i = 0; i < 3; i++) await send(caller, shipment(brt, 'n', { ...FULL, warehouseId, orderNumber: 'o-1' }));
    await upsertShipments(caller, [shipment(brt, 'elsewhere')]);
    return { caller, brt, before: await track(caller, 'n') };
  }

  test('stay if they are left out', async () => {
    const { caller, brt, before } = await known();
    expect(before.relatedShipments).toHaveLength(1);
    expect(await send(caller, { carrierConnectionId: brt, trackingNumber: 'n' })).toMatchObject({
      results: [{ outcome: 'unchanged' }],
    });
    expect(await track(caller, 'n')).toEqual(before);
    expect(await track(caller, 'L2')).toEqual(before);
  });

  test('are cleared by null', async () => {
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
      parcelCount: 1,
      weight: null,
      volume: null,
      trackingUrl: 'https://www.mybrt.it/it/mybrt/my-parcels/incoming?parcelNumber=N',
      shippedAt: null,
      expectedDeliveryAt: null,
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

describe('A relation between shipments', () => {
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
  ])('as %s is shown on the other side as %s', async (type, opposite) => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [
      shipment(brt, 'one', { relatedShipments: [{ trackingNumber: 'MUL t.w o', type }] }),
      shipment(brt, 'two'),
    ]);
    expect(await views(caller, 'one', 'two')).toEqual([[`${type} two`], [`${opposite} one`]]);
  });

  test('is shown once the related shipment is known', async () => {
    const { caller, brt } = await shipper();
    const gls = await connectCarrier(caller, 'GLS');
    await upsertShipments(caller, [
      shipment(brt, 'one', { relatedShipments: [{ trackingNumber: 'two', type: 'forward' }] }),
    ]);
    expect(await views(caller, 'one')).toEqual([[]]);
    await upsertShipments(caller, [shipment(gls, 'Two')]);
    expect(await views(caller, 'one', 'two')).toEqual([['forward Two'], ['parent one']]);
  });

  test('is shown on each side as it was sent if both sides state it', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [
      shipment(brt, 'one', { relatedShipments: [{ trackingNumber: 'two', type: 'return' }] }),
      shipment(brt, 'two', { relatedShipments: [{ trackingNumber: 'one', type: 'child' }] }),
    ]);
    expect(await views(caller, 'one', 'two')).toEqual([['return two'], ['child one']]);
  });

  test('is replaced with all others, left unchanged, or cleared', async () => {
    const { caller, brt } = await shipper();
    const relate = async (related?: unknown) =>
      outcomes(await upsertShipments(caller, [shipment(brt, 'one', { relatedShipments: related })]));
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
});
