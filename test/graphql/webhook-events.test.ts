import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { eventOfStatus } from '../../src/domain/exchange/webhooks/events/event.rules.ts';
import { STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { closed } from '../support/contract.ts';
import { INSTANT } from '../support/instants.ts';
import {
  connectCarrier,
  type Item,
  outcomes,
  RECIPIENT,
  recordEvents,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import type { Received } from '../support/receiver.ts';
import {
  at,
  type Delivery,
  deliveries,
  idOf,
  numberOf,
  record,
  ship,
  told,
  useWebhooks,
  verifies,
} from './webhook-calls.ts';

const { company, endpoint } = useWebhooks();

describe('A webhook request', () => {
  const schema = JSON.parse(
    readFileSync(new URL('../../schema/events/tracking.schema.json', import.meta.url), 'utf8'),
  ) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(closed(schema));

  const FULL = {
    reference: 'RIF-1',
    parcelCount: 2,
    weight: '10.80',
    volume: 36000,
    trackingUrl: 'https://example.com/track?n=1',
    shippedAt: '2026-11-20T08:00:00+01:00',
    expectedDeliveryAt: '2026-11-23T18:30:00.5Z',
  };
  const AGAIN = [{ trackingNumber: 'n' }];

  test.each<[string, Item, Item[]]>([
    ['bare', {}, []],
    ['full', FULL, []],
    ['of an order', { ...FULL, orderNumber: 'O1', recipient: undefined }, []],
    ['with one it names', { relatedShipments: [{ trackingNumber: 'r', type: 'return' }] }, [{ trackingNumber: 'r' }]],
    [
      'with one that names it',
      {},
      [{ trackingNumber: 'r', relatedShipments: [{ trackingNumber: 'n', type: 'child' }] }],
    ],
    ['whose number came twice', {}, AGAIN],
    ['in Unicode', { recipient: { ...RECIPIENT, city: 'Forlì \u2028 東京 👩‍👩‍👧' } }, []],
  ])('has the tracking record as REST returns it: %s', async (_what, fields, others) => {
    const { by, brt } = await company();
    const gls = await connectCarrier(by, 'GLS');
    const { id, sent } = await endpoint(by);
    await upsertOrders(by, [
      { orderNumber: 'O1', marketplaceOrderNumber: '405-1', recipient: { ...RECIPIENT, email: 'a@example.com' } },
    ]);
    for (const other of others) await upsertShipments(by, [shipment(gls, String(other.trackingNumber), other)]);
    expect(outcomes(await upsertShipments(by, [shipment(brt, 'n', fields)]))).toEqual(['created']);
    // The newest event by its own time is not the last that is sent.
    const last = { location: 'PALERMO', description: 'CONSEGNATA', note: 'Firmato' };
    await recordEvents(by, [
      { ...told('n', 30, 'delivered', last), carrierConnectionId: brt },
      { ...told('n', 10, 'shipped'), carrierConnectionId: brt },
    ]);

    const requests = await sent(2);
    const request = requests.find(({ json }) => json.sequence === 2) as Received;
    const { data, ...envelope } = request.json;
    const { statusCode, previousStatusCode, event, ...record } = data;
    const { status, body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(status).toBe(200);
    expect(record).toEqual(body);
    expect('relatedShipments' in record).toBe('relatedShipments' in body);
    expect([statusCode, previousStatusCode]).toEqual(['delivered', 'shipped']);
    expect(event).toEqual({ timestamp: at(30), statusCode, label: 'Consegnata', ...last });
    expect(event).toEqual(body.timeline.at(-1));
    expect(envelope).toEqual({
      id: idOf(request),
      type: 'tracking.delivered',
      timestamp: expect.stringMatching(INSTANT),
      sequence: 2,
      // The last of those numbered: the shipments, and the events before it.
      change: 3 + others.length,
    });
    for (const { json } of requests) expect(validate(json), ajv.errorsText(validate.errors)).toBe(true);
    // To the byte what the graph shows.
    const [, made] = (await deliveries(by, id)) as [Delivery, Delivery];
    expect(request.body.toString()).toBe(made.body);
  });

  test('counts the events of a shipment from before the first endpoint, so that sequence numbers only increase', async () => {
    const { by, brt } = await company();
    await upsertShipments(by, [shipment(brt, 'n')]);
    await record(by, told('n', 10, 'shipped'), told('n', 20, 'in_transit'));
    const { sent } = await endpoint(by);
    // The last status fires no event.
    await record(by, told('n', 30, 'out_for_delivery'), told('n', 40, 'delivery_failed'), told('n', 50, 'returning'));
    const sequences = (await sent(2)).map(({ json }) => [json.sequence, json.type]);
    expect(sequences.toSorted()).toEqual([
      [3, 'tracking.out_for_delivery'],
      [4, 'tracking.delivery_failed'],
    ]);
  });

  test.each([
    [200, 200, false],
    [201, 200, true],
  ])('has of %i events the newest %i, and states whether it omits some: %s', async (count, kept, isTruncated) => {
    const { by, brt } = await company();
    const { sent } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n')]);
    const events = Array.from({ length: count }, (_, i) => told('n', i, i === count - 1 ? 'delivered' : 'created'));
    await record(by, ...events);
    const [request] = (await sent(1)) as [Received];
    const { timeline, event, ...rest } = request.json.data;
    const { body } = await by.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(timeline).toEqual(body.timeline.slice(-kept));
    expect(event).toEqual(timeline.at(-1));
    expect(rest.timelineTruncated).toBe(isTruncated || undefined);
    expect(validate(request.json), ajv.errorsText(validate.errors)).toBe(true);
  });

  test('is sent by POST as JSON', async () => {
    const { by, brt } = await company();
    const { sent, secret } = await endpoint(by);
    await ship(by, brt, 'n');
    const [request] = (await sent(1)) as [Received];
    expect(request.method).toBe('POST');
    expect(request.headers['content-type']).toMatch(/^application\/json/);
    expect(verifies(request, secret)).toBe(true);
  });
});

describe('A status change', () => {
  test.each<[StatusCode, string | null]>([
    ['shipped', 'tracking.order_shipped'],
    ['customs', 'tracking.in_transit'],
    ['delayed', 'tracking.delay'],
    ['lost', 'tracking.delivery_failed'],
    ...STATUS_CODES.filter(code => code !== 'created' && eventOfStatus(code) === null).map(
      (code): [StatusCode, null] => [code, null],
    ),
  ])('to %s fires the event %s', async (statusCode, eventType) => {
    const { by, brt } = await company();
    const all = await endpoint(by);
    const only = await endpoint(by, { events: [eventType ?? 'tracking.delivered'] });
    const previous = 'created';
    await upsertShipments(by, [shipment(brt, 'n')]);
    await record(by, told('n', 1, previous));
    await record(by, told('n', 2, statusCode));
    const fired = eventType === null ? [] : [{ eventType, sequence: 1 }];
    for (const { id } of [all, only]) {
      const made = await deliveries(by, id);
      expect(made).toMatchObject(fired);
      expect(made).toHaveLength(fired.length);
      for (const { body } of made) {
        expect(JSON.parse(body)).toMatchObject({ type: eventType, data: { statusCode, previousStatusCode: previous } });
      }
    }
    const [first] = fired.length > 0 ? await all.sent(1) : [];
    expect(first?.json.type).toBe(eventType ?? undefined);
  });

  test('fires only events that are subscribed to', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by, { events: ['tracking.delay', 'tracking.delivered'] });
    await ship(by, brt, 'n');
    for (const [i, code] of ['in_transit', 'delayed', 'out_for_delivery', 'delivered'].entries()) {
      await record(by, told('n', i + 1, code));
    }
    expect((await deliveries(by, id)).map(({ eventType }) => eventType)).toEqual([
      'tracking.delay',
      'tracking.delivered',
    ]);
  });

  test('fires events with increasing numbers, each with the previous status', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n'), shipment(brt, 'other')]);
    const way = [
      ...(['shipped', 'in_transit', 'at_depot', 'returning'] as const),
      ...(['delayed', 'out_for_delivery', 'delivered'] as const),
    ];
    for (const [i, code] of way.entries()) await record(by, told('n', i, code), told('other', i, code));
    const steps = way.map((code, i) => ({ code, previous: way[i - 1] ?? 'created' }));
    const fired = steps.filter(({ code }) => eventOfStatus(code) !== null);
    for (const number of ['n', 'other']) {
      const made = (await deliveries(by, id)).filter(one => numberOf(one) === number);
      expect(made.map(({ sequence }) => sequence)).toEqual(fired.map((_, i) => i + 1));
      expect(made.map(({ body }) => JSON.parse(body).data.previousStatusCode)).toEqual(
        fired.map(({ previous }) => previous),
      );
    }
    const requests = await sent(2 * fired.length);
    expect(new Set(requests.map(idOf)).size).toBe(2 * fired.length);
  });

  test.each<[string, Item[][], string[]]>([
    ['once, where it stays', [[told('n', 1, 'in_transit')], [told('n', 2, 'in_transit')]], ['in_transit']],
    [
      'again, where it comes back',
      [[told('n', 1, 'delayed')], [told('n', 2, 'in_transit')], [told('n', 3, 'delayed')]],
      ['delayed', 'in_transit', 'delayed'],
    ],
    [
      'for each code, though the event is the same',
      [[told('n', 1, 'held')], [told('n', 2, 'refused')]],
      ['held', 'refused'],
    ],
    [
      'each step of a batch, in the order of their own time',
      [[told('n', 3, 'delivered'), told('n', 1, 'shipped'), told('n', 2, 'in_transit')]],
      ['shipped', 'in_transit', 'delivered'],
    ],
    [
      'nothing, when unknown',
      [[told('n', 1, 'unknown')], [told('n', 2, 'held'), told('n', 3, 'unknown')], [told('n', 4, 'unknown')]],
      ['held'],
    ],
    ['nothing, when told late', [[told('n', 5, 'delivered')], [told('n', 4, 'out_for_delivery')]], ['delivered']],
    ['nothing, when told twice', [[told('n', 5, 'held')], [told('n', 5, 'held')]], ['held']],
    ['nothing, when refused', [[told('nowhere', 5, 'held')]], []],
  ])('fires %s', async (_what, batches, codes) => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await upsertShipments(by, [shipment(brt, 'n')]);
    for (const batch of batches) await recordEvents(by, batch);
    expect((await deliveries(by, id)).map(({ body }) => JSON.parse(body).data.statusCode)).toEqual(codes);
  });

  test('fires an event for every endpoint of the company, and for none of another', async () => {
    const { by, brt } = await company();
    const { by: stranger } = await company();
    const ours = [await endpoint(by), await endpoint(by)];
    const theirs = await endpoint(stranger);
    await ship(by, brt, 'n');
    const ids = await Promise.all(ours.map(async ({ sent }) => (await sent(1)).map(idOf)));
    expect(ids[0]).toEqual(ids[1]);
    expect(await deliveries(stranger, theirs.id)).toEqual([]);
    expect(theirs.count()).toBe(0);
  });
});
