import { describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  recordEvents,
  shipment,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

// Carriers use a number again after months, for the parcel of another order.

const world = useSharedWorld();

const daysAgo = (days: number) => new Date(Date.now() - days * DAY).toISOString();

/** A company with a shipment `n` of order `O1` that ended so many days ago. */
async function ended(days: number, fields: Item = { orderNumber: 'O1' }, statusCode = 'delivered') {
  const caller = await world.company();
  const connection = await connectCarrier(caller, 'GLS');
  await upsertOrders(caller, [order('O1'), order('O2')]);
  await upsertShipments(caller, [shipment(connection, 'n', fields)]);
  await recordEvents(caller, [{ trackingNumber: 'n', occurredAt: daysAgo(days), statusCode }]);
  const send = async (more: Item) => (await upsertShipments(caller, [shipment(connection, 'n', more)])).results[0];
  return { caller, connection, send };
}

const found = (caller: Caller) =>
  ask<Item>(
    caller,
    '{ trackingByNumber(trackingNumber: "n") { id statusCode order { orderNumber } timeline { nodes { statusCode } } } }',
  );

describe('A number that is used again 90 days after its shipment ended', () => {
  test('has a new shipment, which look-ups and events find', async () => {
    const { caller, connection, send } = await ended(91);
    const former = await found(caller);
    expect(await send({ orderNumber: 'O2' })).toMatchObject({ outcome: 'created' });
    expect(await found(caller)).toMatchObject({
      statusCode: 'created',
      order: { orderNumber: 'O2' },
      timeline: { nodes: [] },
    });
    const event = { trackingNumber: 'n', occurredAt: daysAgo(1), statusCode: 'shipped' };
    await recordEvents(caller, [event, { ...event, occurredAt: daysAgo(0.5), carrierConnectionId: connection }]);
    expect(await found(caller)).toMatchObject({ statusCode: 'shipped', timeline: { nodes: [{}, {}] } });
    const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(body).toMatchObject({ status: 'Spedita', orderNumber: 'O2', deliveredDate: null });
    // The former one stays as it was, with its order.
    const query = 'query ($id: ID!) { node(id: $id) { ... on Shipment { statusCode order { orderNumber } } } }';
    expect(await ask(caller, query, { id: former.id })).toMatchObject({
      statusCode: 'delivered',
      order: { orderNumber: 'O1' },
    });
  });

  test('with the former order still leads to the former shipment', async () => {
    const { caller, send } = await ended(91);
    const former = await found(caller);
    const created = await send({ orderNumber: 'O2' });
    expect(await send({ orderNumber: 'O1', weight: 3 })).toMatchObject({ outcome: 'updated', id: former.id });
    expect(await send({ orderNumber: 'O2', weight: 4 })).toMatchObject({ outcome: 'updated', id: created?.id });
    expect(await send({ weight: 5 })).toMatchObject({ outcome: 'updated', id: created?.id });
  });

  test('keeps late events of the former parcel out of the new shipment', async () => {
    const { caller, send } = await ended(91);
    await send({ orderNumber: 'O2' });
    const event = (days: number, statusCode: string) => ({
      trackingNumber: 'n',
      occurredAt: daysAgo(days),
      statusCode,
    });
    expect(outcomes(await recordEvents(caller, [event(92, 'out_for_delivery'), event(2, 'in_transit')]))).toEqual([
      'created',
      'created',
    ]);
    expect(await found(caller)).toMatchObject({ statusCode: 'in_transit', timeline: { nodes: [{}] } });
  });

  test.each<[string, string, Item, Item]>([
    ['the same order', 'updated', { orderNumber: 'O1' }, { orderNumber: 'O1', weight: 2 }],
    ['no order', 'updated', { orderNumber: 'O1' }, { weight: 2 }],
    ['an order after none', 'created', {}, { orderNumber: 'O1' }],
    ['another destination after none of its own', 'created', { orderNumber: 'O1', recipient: null }, {}],
    ['another destination', 'created', {}, { recipient: { ...RECIPIENT, address: 'Via Nuova 1' } }],
    ['the same destination', 'updated', {}, { recipient: { ...RECIPIENT, companyName: 'Altra' } }],
  ])('with %s is %s', async (_what, outcome, first, then) => {
    const { send } = await ended(91, first);
    expect(await send(then)).toMatchObject({ outcome });
  });
});

describe('Another order for a number', () => {
  test.each(['delivered', 'returned', 'lost', 'cancelled'])('is rejected for 90 days after %s', async statusCode => {
    const { caller, send } = await ended(89, { orderNumber: 'O1' }, statusCode);
    expect(await send({ orderNumber: 'O2' })).toMatchObject({
      outcome: 'rejected',
      code: 'tracking_number_in_use',
      pointer: '/shipments/0/trackingNumber',
    });
    expect(await found(caller)).toMatchObject({ order: { orderNumber: 'O1' } });
    expect(await send({ orderNumber: 'O1', weight: 2 })).toMatchObject({ outcome: 'updated' });
  });

  test('corrects the order of a shipment that is under way', async () => {
    const { send } = await ended(91, { orderNumber: 'O1' }, 'in_transit');
    expect(await send({ orderNumber: 'O2' })).toMatchObject({ outcome: 'updated' });
  });

  test('of another connection is another shipment', async () => {
    const { caller } = await ended(1);
    const brt = await connectCarrier(caller, 'BRT');
    expect(outcomes(await upsertShipments(caller, [shipment(brt, 'n', { orderNumber: 'O2' })]))).toEqual(['created']);
  });
});
