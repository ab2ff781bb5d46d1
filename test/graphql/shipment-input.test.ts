import { describe, expect, test } from 'vitest';
import {
  type Item,
  order,
  outcomes,
  RECIPIENT,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import { FULL, isFound, track, useShipper } from './shipment-calls.ts';

const { shipper, world } = useShipper();

describe('An invalid shipment', () => {
  const long = 'x'.repeat(201);
  const bad: [what: string, fields: Item, pointer: string, code: string][] = [
    ['a blank number', { trackingNumber: ' ' }, '/trackingNumber', 'required'],
    ['a number of 101 characters', { trackingNumber: '1'.repeat(101) }, '/trackingNumber', 'too_long'],
    ['a NUL in its number', { trackingNumber: '1\u00002' }, '/trackingNumber', 'invalid_text'],
    [
      'a connection that never existed',
      { carrierConnectionId: 2_000_000_000 },
      '/carrierConnectionId',
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
    ['no parcels', { parcelCount: 0 }, '/parcelCount', 'out_of_range'],
    ['10,001 parcels', { parcelCount: 10_001 }, '/parcelCount', 'out_of_range'],
    ['a negative weight', { weight: -1 }, '/weight', 'out_of_range'],
    ['a weight with four decimals', { weight: '1.0001' }, '/weight', 'out_of_range'],
    ['a volume in words', { volume: 'big' }, '/volume', 'invalid_decimal'],
    ['a URL of a script', { trackingUrl: 'javascript:alert(1)' }, '/trackingUrl', 'invalid_url'],
    ['31 February', { shippedAt: '2026-02-31T00:00:00Z' }, '/shippedAt', 'invalid_date_time'],
    ['a month 13', { expectedDeliveryAt: '2026-13-01T00:00:00Z' }, '/expectedDeliveryAt', 'invalid_date_time'],
    ['a date without offset', { shippedAt: '2026-11-21T09:30:00' }, '/shippedAt', 'invalid_date_time'],
    [
      'itself for a relation',
      { relatedShipments: [{ trackingNumber: 'bad', type: 'parent' }] },
      '/relatedShipments/0/trackingNumber',
      'not_allowed',
    ],
    [
      'itself, written otherwise',
      { relatedShipments: [{ trackingNumber: 'mul B.A D', type: 'child' }] },
      '/relatedShipments/0/trackingNumber',
      'not_allowed',
    ],
    [
      'a blank relation',
      { relatedShipments: [{ trackingNumber: '', type: 'child' }] },
      '/relatedShipments/0/trackingNumber',
      'required',
    ],
    [
      '51 relations',
      { relatedShipments: times(51, i => ({ trackingNumber: `r${i}`, type: 'child' })) },
      '/relatedShipments',
      'too_many',
    ],
  ];

  test.each(bad)('with %s is reported, and the others are stored', async (_what, fields, pointer, code) => {
    const { caller, brt } = await shipper();
    const { results, ...counts } = await upsertShipments(caller, [
      shipment(brt, 'first'),
      shipment(brt, 'bad', fields),
      shipment(brt, 'last'),
    ]);
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({
      index: 1,
      outcome: 'rejected',
      id: null,
      code,
      pointer: `/shipments/1${pointer}`,
    });
    expect(await isFound(caller, 'bad')).toBe(false);
    expect(await isFound(caller, 'first')).toBe(true);
    expect(await isFound(caller, 'last')).toBe(true);
  });

  test('does not change the stored shipment', async () => {
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
    ['2026-11-21T09:30:00+01:00', '2026-11-21T08:30:00.000Z'],
    ['2026-11-21T09:30:00.9999999+01:00', '2026-11-21T08:30:00.999Z'],
  ])('%s is shown in UTC with milliseconds', async (sent, shown) => {
    const { caller, brt } = await shipper();
    const sending = shipment(brt, 'n', { shippedAt: sent, expectedDeliveryAt: sent });
    await upsertShipments(caller, [sending]);
    expect(await track(caller, 'n')).toMatchObject({ shippedAt: shown, expectedDeliveryAt: shown });
    expect(await upsertShipments(caller, [sending])).toMatchObject({ unchanged: 1 });
    expect(await upsertShipments(caller, [shipment(brt, 'n', { shippedAt: shown })])).toMatchObject({
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
  ])('at %s is returned as the URI that the contract promises', async trackingUrl => {
    const { caller, brt } = await shipper();
    const { results } = await upsertShipments(caller, [shipment(brt, 'n', { trackingUrl })]);
    if (results[0]?.outcome === 'rejected') {
      expect(results[0]).toMatchObject({ code: 'invalid_url', pointer: '/shipments/0/trackingUrl' });
    } else {
      // The client holds every answer against schema/openapi.json.
      const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/n');
      expect(new URL(body.trackingUrl).href).toBe(new URL(trackingUrl).href);
      expect(await upsertShipments(caller, [shipment(brt, 'n', { trackingUrl })])).toMatchObject({ unchanged: 1 });
    }
  });
});

describe('The recipient of a shipment', () => {
  const cityOf = async (caller: Caller, number: string) => (await track(caller, number)).recipient as { city: string };
  const at = (city: string) => ({ ...RECIPIENT, city });

  test("is the order's by default, and follows changes of the order", async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o', { recipient: at('Milano') })]);
    const sending = { carrierConnectionId: brt, trackingNumber: 'n', orderNumber: 'o' };
    expect(outcomes(await upsertShipments(caller, [sending]))).toEqual(['created']);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Milano' });
    await upsertOrders(caller, [order('o', { recipient: at('Lodi') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Lodi' });
  });

  test("overrides the order's if the shipment has one, until that is cleared", async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o', { recipient: at('Milano') })]);
    await upsertShipments(caller, [shipment(brt, 'n', { orderNumber: 'o', recipient: at('Bari') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Bari' });
    await upsertOrders(caller, [order('o', { recipient: at('Lodi') })]);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Bari' });
    expect(outcomes(await upsertShipments(caller, [shipment(brt, 'n', { recipient: null })]))).toEqual(['updated']);
    expect(await cityOf(caller, 'n')).toMatchObject({ city: 'Lodi' });
  });

  test('is required, from the shipment or its order', async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o')]);
    const bare = { carrierConnectionId: brt, trackingNumber: 'n' };
    expect((await upsertShipments(caller, [bare])).results[0]).toMatchObject({
      outcome: 'rejected',
      code: 'required',
      pointer: '/shipments/0/recipient',
    });
    // Nor may the last one be taken away.
    await upsertShipments(caller, [{ ...bare, orderNumber: 'o' }]);
    expect((await upsertShipments(caller, [{ ...bare, orderNumber: null }])).results[0]).toMatchObject({
      outcome: 'rejected',
      pointer: '/shipments/0/recipient',
    });
    expect(await track(caller, 'n')).toMatchObject({ orderNumber: 'o' });
    expect(outcomes(await upsertShipments(caller, [shipment(brt, 'n', { orderNumber: null })]))).toEqual(['updated']);
  });

  test('comes only from the order that its own item of the batch names', async () => {
    const { caller, brt } = await shipper();
    await upsertOrders(caller, [order('o')]);
    const result = await upsertShipments(caller, [
      { carrierConnectionId: brt, trackingNumber: 'n1', orderNumber: 'o' },
      { carrierConnectionId: brt, trackingNumber: 'n2' },
      { carrierConnectionId: brt, trackingNumber: 'n1' },
    ]);
    expect(outcomes(result)).toEqual(['created', 'rejected', 'unchanged']);
  });

  test.each(['email', 'telephone'])('with another %s is reported as updated', async field => {
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
  test('are replaced together, left unchanged, or cleared', async () => {
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

  test('are not found by another company', async () => {
    const { caller, brt } = await shipper();
    await upsertShipments(caller, [shipment(brt, 'n', { labels: ['label'] })]);
    expect(await isFound(await world.company(), 'label')).toBe(false);
  });
});

describe('The number of parcels', () => {
  test('is 1 for a new shipment by default, and stays if it is left out', async () => {
    const { caller, brt } = await shipper();
    const parcelsAfter = async (fields: Item) => {
      await upsertShipments(caller, [shipment(brt, 'n', fields)]);
      return (await track(caller, 'n')).parcelCount;
    };
    expect(await parcelsAfter({})).toBe(1);
    expect(await parcelsAfter({ parcelCount: 5 })).toBe(5);
    expect(await parcelsAfter({ weight: 1 })).toBe(5);
    expect(await parcelsAfter({ parcelCount: null })).toBe(1);
    expect(await parcelsAfter({ parcelCount: 10_000 })).toBe(10_000);
  });
});
