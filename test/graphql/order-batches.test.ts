import { describe, expect, test } from 'vitest';
import {
  ask,
  askNodes,
  createWarehouse,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  times,
  UPSERT_ORDERS,
  unseen,
  upsertOrders,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { FULL, orderNumbered, ordersNumbered } from './order-calls.ts';

const world = useSharedWorld();

describe('A batch', () => {
  test('returns the outcome of each item', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('same'), order('changed')]);
    const { results, ...counts } = await upsertOrders(caller, [
      order('new'),
      order('same'),
      order(''),
      order('changed', { marketplace: 'eBay' }),
    ]);
    expect(counts).toEqual({ created: 1, updated: 1, unchanged: 1, rejected: 1 });
    expect(results.map(({ index, outcome }) => [index, outcome])).toEqual([
      [0, 'created'],
      [1, 'unchanged'],
      [2, 'rejected'],
      [3, 'updated'],
    ]);
    const message = 'The field orders[2].orderNumber must not be empty.';
    expect(results[2]).toEqual({
      index: 2,
      outcome: 'rejected',
      id: null,
      databaseId: null,
      code: 'required',
      pointer: '/orders/2/orderNumber',
      message,
      errors: [{ pointer: '/orders/2/orderNumber', code: 'required', message }],
    });
    for (const number of ['new', 'same', 'changed']) {
      const { id } = await orderNumbered(caller, number);
      expect(results.filter(result => result.databaseId === id)).toMatchObject([
        { code: null, pointer: null, errors: [] },
      ]);
    }
  });

  test('is stored as it was sent', async () => {
    const caller = await world.company();
    const warehouseId = await createWarehouse(caller);
    const recipient = {
      companyName: 'Rossi Srl',
      address: 'Rue 1',
      postalCode: '75001',
      city: 'Paris',
      countryCode: 'fr',
    };
    await upsertOrders(caller, [order(' full ', { ...FULL, warehouseId, recipient })]);
    expect(await orderNumbered(caller, 'full')).toMatchObject({
      orderNumber: 'full',
      marketplace: 'Amazon',
      marketplaceOrderId: 'A-1',
      marketplaceOrderNumber: '405-1',
      warehouse: { id: warehouseId },
      recipient: { ...recipient, province: null, countryCode: 'FR', country: 'Francia' },
      parcels: [
        { weight: '4', length: '40', width: '30', height: '30', quantity: 2 },
        { weight: '0.25', length: null, width: null, height: null, quantity: 1 },
      ],
      codAmount: '10.50',
      insuranceAmount: '200.00',
    });
  });

  test('that is sent again is all unchanged, and updatedAt stays', async () => {
    const caller = await world.company();
    const warehouseId = await createWarehouse(caller);
    const recipient = { ...RECIPIENT, email: 'anna@example.com', telephone: '+39 02 1234' };
    const batch = times(30, i => order(`again-${i}`, i % 2 ? { ...FULL, warehouseId, recipient } : {}));
    const first = await upsertOrders(caller, batch);
    const before = await Promise.all(batch.map((_, i) => orderNumbered(caller, `again-${i}`)));
    for (let round = 0; round < 4; round++) {
      const again = await upsertOrders(caller, batch);
      expect(again).toMatchObject({ created: 0, updated: 0, unchanged: 30, rejected: 0 });
      expect(again.results.map(({ id }) => id)).toEqual(first.results.map(({ id }) => id));
    }
    expect(await Promise.all(batch.map((_, i) => orderNumbered(caller, `again-${i}`)))).toEqual(before);
  });

  test('updates the updatedAt of the orders that it changes, and no createdAt', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('moved')]);
    const before = await orderNumbered(caller, 'moved');
    await upsertOrders(caller, [order('moved', { marketplace: 'eBay' })]);
    const after = await orderNumbered(caller, 'moved');
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(after.createdAt).toBe(before.createdAt);
  });

  test('gives a new order the same createdAt and updatedAt, even with a contact of its recipient', async () => {
    const caller = await world.company();
    const recipient = { ...RECIPIENT, email: 'anna@example.com' };
    await upsertOrders(
      caller,
      times(100, i => order(`contact-${i}`, { recipient })),
    );
    const nodes = await askNodes<{ createdAt: string; updatedAt: string }>(
      caller,
      '{ orders(first: 100) { nodes { createdAt updatedAt } } }',
    );
    expect(nodes.filter(({ createdAt, updatedAt }) => createdAt !== updatedAt)).toEqual([]);
  });

  test('without items changes nothing', async () => {
    expect(await upsertOrders(await world.company(), [])).toEqual({
      created: 0,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      results: [],
    });
  });

  test('can be one item without a list around it', async () => {
    const caller = await world.company();
    for (const outcome of ['created', 'unchanged', 'unchanged', 'unchanged']) {
      const result = await ask(caller, UPSERT_ORDERS, { input: order('alone') });
      expect(result).toMatchObject({ results: [{ outcome }] });
    }
  });

  test('is accepted with 1,000 orders', async () => {
    const caller = await world.company();
    const batch = times(1000, i =>
      order(`thousand-${i}`, { ...FULL, recipient: { ...RECIPIENT, email: `${i}@example.com` } }),
    );
    expect(await upsertOrders(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
    expect(await upsertOrders(caller, batch.toReversed())).toMatchObject({ unchanged: 1000, rejected: 0 });
  });

  test('that is sent twenty times at once creates each order once', async () => {
    const caller = await world.company();
    const batch = times(10, i => order(`race-${i}`, { ...FULL, recipient: { ...RECIPIENT, email: 'a@example.com' } }));
    const results = await Promise.all(times(20, () => upsertOrders(caller, batch)));
    expect(results.map(({ created }) => created).toSorted((a, b) => b - a)).toEqual([10, ...times(19, () => 0)]);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(190);
    for (let i = 0; i < 10; i++) expect(await ordersNumbered(caller, `race-${i}`)).toHaveLength(1);
  });
});

describe('An equal decimal', () => {
  test.each([4, '4', '4.0', '4.00', ' 4.00 ', '04'])('is unchanged if it is written as %j', async written => {
    const caller = await world.company();
    const as = (amount: unknown) =>
      order('amount', { codAmount: amount, insuranceAmount: amount, parcels: [{ weight: amount, length: amount }] });
    await upsertOrders(caller, [as('4')]);
    expect(outcomes(await upsertOrders(caller, [as(written)]))).toEqual(['unchanged']);
    expect(await orderNumbered(caller, 'amount')).toMatchObject({
      codAmount: '4.00',
      insuranceAmount: '4.00',
      parcels: [{ weight: '4', length: '4' }],
    });
  });

  test('can be a literal of the document', async () => {
    const caller = await world.company();
    const inline = (amount: string) => `mutation { upsertOrders(input: { orders: {
      orderNumber: "inline", codAmount: ${amount}, recipient: { address: "a", postalCode: "20121", city: "c" }
    } }) { results { outcome } userErrors { code pointer message } } }`;
    const outcomeOf = async (amount: string) => (await ask<{ outcome: string }[]>(caller, inline(amount)))[0]?.outcome;
    expect(await outcomeOf('4')).toBe('created');
    for (const amount of ['4', '4', '4', '4.00', '4.00', '4.00', '4.00', '"4.0"'])
      expect(await outcomeOf(amount)).toBe('unchanged');
  });

  test('is exact, unlike a floating-point number', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('exact', { codAmount: '999999999.99', insuranceAmount: 0.1 })]);
    expect(await orderNumbered(caller, 'exact')).toMatchObject({ codAmount: '999999999.99', insuranceAmount: '0.10' });
  });
});

describe.each([
  ['interpreted', () => unseen(UPSERT_ORDERS)],
  ['compiled', () => UPSERT_ORDERS],
])('The fields of a known order, %s', (_how, document) => {
  const send = (caller: Caller, input: Item) => ask(caller, document(), { input: [input] });

  test('stay if they are left out', async () => {
    const caller = await world.company();
    const warehouseId = await createWarehouse(caller);
    for (let i = 0; i < 3; i++) await send(caller, order('kept', { ...FULL, warehouseId }));
    const before = await orderNumbered(caller, 'kept');
    expect(await send(caller, order('kept'))).toMatchObject({ results: [{ outcome: 'unchanged' }] });
    expect(await orderNumbered(caller, 'kept')).toEqual(before);
  });

  test('are cleared by null', async () => {
    const caller = await world.company();
    const warehouseId = await createWarehouse(caller);
    for (let i = 0; i < 3; i++) await send(caller, order('emptied', { ...FULL, warehouseId }));
    const nothing = {
      marketplace: null,
      marketplaceOrderId: null,
      marketplaceOrderNumber: null,
      warehouseId: null,
      parcels: null,
      codAmount: null,
      insuranceAmount: null,
    };
    expect(await send(caller, order('emptied', nothing))).toMatchObject({ results: [{ outcome: 'updated' }] });
    const { warehouseId: _, ...fields } = nothing;
    expect(await orderNumbered(caller, 'emptied')).toMatchObject({ ...fields, warehouse: null, parcels: [] });
    expect(await send(caller, order('emptied', nothing))).toMatchObject({ results: [{ outcome: 'unchanged' }] });
  });

  test('are cleared by blank text', async () => {
    const caller = await world.company();
    await send(caller, order('blank', FULL));
    expect(await send(caller, order('blank', { marketplace: '  ' }))).toMatchObject({
      results: [{ outcome: 'updated' }],
    });
    expect(await orderNumbered(caller, 'blank')).toMatchObject({ marketplace: null, marketplaceOrderId: 'A-1' });
  });

  test('of the recipient are replaced together', async () => {
    const caller = await world.company();
    await send(caller, order('whole'));
    const { companyName: _, ...recipient } = RECIPIENT;
    expect(await send(caller, order('whole', { recipient }))).toMatchObject({ results: [{ outcome: 'updated' }] });
    expect(await orderNumbered(caller, 'whole')).toMatchObject({ recipient: { companyName: null, province: 'MI' } });
  });
});

describe('An order twice in one batch', () => {
  test('is created once, and its last version is stored', async () => {
    const caller = await world.company();
    const { results } = await upsertOrders(caller, [
      order('twice', { marketplace: 'Amazon', codAmount: 1 }),
      order('twice', { marketplace: 'eBay' }),
      order(' twice ', { marketplace: 'eBay' }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'unchanged']);
    const found = await orderNumbered(caller, 'twice');
    expect(found).toMatchObject({ marketplace: 'eBay', codAmount: '1.00' });
    expect(results.map(({ databaseId }) => databaseId)).toEqual(times(3, () => found.id));
  });

  test('is updated twice if it was known', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('twice', { marketplace: 'Amazon' })]);
    const result = await upsertOrders(caller, [
      order('twice', { marketplace: 'eBay' }),
      order('twice', { marketplace: 'Amazon' }),
    ]);
    expect(outcomes(result)).toEqual(['updated', 'updated']);
    expect(await orderNumbered(caller, 'twice')).toMatchObject({ marketplace: 'Amazon' });
  });

  test('is stored as its valid version if the other is invalid', async () => {
    const caller = await world.company();
    const result = await upsertOrders(caller, [order('twice', { codAmount: -1 }), order('twice', { codAmount: 1 })]);
    expect(outcomes(result)).toEqual(['rejected', 'created']);
    expect(await orderNumbered(caller, 'twice')).toMatchObject({ codAmount: '1.00' });
  });
});
