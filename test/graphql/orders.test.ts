import { describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import {
  ask,
  createWarehouse,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  times,
  UPSERT_ORDERS,
  unseen,
  upsertOrders,
} from './platform-side.ts';

const world = useWorld();

interface Order {
  readonly id: number;
  readonly orderNumber: string;
  readonly updatedAt: string;
  readonly [field: string]: unknown;
}

const FIELDS = `id orderNumber marketplace marketplaceOrderId marketplaceOrderNumber warehouse { id }
  recipient { companyName address postalCode city province countryCode country }
  parcels { weight length width height quantity } codAmount insuranceAmount createdAt updatedAt`;

async function ordersNumbered(caller: Caller, orderNumber: string): Promise<Order[]> {
  const { edges } = await ask<{ edges: { node: Order }[] }>(
    caller,
    `query ($filter: OrderFilter) { orders(filter: $filter) { edges { node { ${FIELDS} } } } }`,
    { filter: { orderNumber } },
  );
  return edges.map(({ node }) => node);
}

async function orderNumbered(caller: Caller, orderNumber: string): Promise<Order> {
  const [found, ...others] = await ordersNumbered(caller, orderNumber);
  expect(others).toEqual([]);
  if (!found) throw new Error(`no order ${orderNumber}`);
  return found;
}

const FULL = {
  marketplace: 'Amazon',
  marketplaceOrderId: 'A-1',
  marketplaceOrderNumber: '405-1',
  codAmount: '10.50',
  insuranceAmount: 200,
  parcels: [{ weight: 4, length: 40, width: '30.0', height: 30, quantity: 2 }, { weight: '0.250' }],
};

describe('A batch', () => {
  test('tells of each item what became of it', async () => {
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
    const message = 'must not be empty';
    expect(results[2]).toEqual({
      index: 2,
      outcome: 'rejected',
      id: null,
      code: 'required',
      pointer: '/2/orderNumber',
      message,
      errors: [{ pointer: '/2/orderNumber', code: 'required', message }],
    });
    for (const number of ['new', 'same', 'changed']) {
      const { id } = await orderNumbered(caller, number);
      expect(results.filter(result => result.id === String(id))).toMatchObject([
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
      codAmount: '10.5',
      insuranceAmount: '200',
    });
  });

  test('sent again is all unchanged and leaves updatedAt alone', async () => {
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

  test('moves updatedAt of what it changes, and createdAt of nothing', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('moved')]);
    const before = await orderNumbered(caller, 'moved');
    await upsertOrders(caller, [order('moved', { marketplace: 'eBay' })]);
    const after = await orderNumbered(caller, 'moved');
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(after.createdAt).toBe(before.createdAt);
  });

  test('of nothing changes nothing', async () => {
    expect(await upsertOrders(await world.company(), [])).toEqual({
      created: 0,
      updated: 0,
      unchanged: 0,
      rejected: 0,
      results: [],
    });
  });

  test('of one item needs no list around it', async () => {
    const caller = await world.company();
    for (const outcome of ['created', 'unchanged', 'unchanged', 'unchanged']) {
      const result = await ask(caller, UPSERT_ORDERS, { input: order('alone') });
      expect(result).toMatchObject({ results: [{ outcome }] });
    }
  });

  test('of 1,000 passes', async () => {
    const caller = await world.company();
    const batch = times(1000, i =>
      order(`thousand-${i}`, { ...FULL, recipient: { ...RECIPIENT, email: `${i}@example.com` } }),
    );
    expect(await upsertOrders(caller, batch)).toMatchObject({ created: 1000, rejected: 0 });
    expect(await upsertOrders(caller, batch.toReversed())).toMatchObject({ unchanged: 1000, rejected: 0 });
  });

  test('of 1,001 is refused whole', async () => {
    const caller = await world.company();
    const { data, errors } = await caller.graphql(unseen(UPSERT_ORDERS), {
      input: times(1001, i => order(`over-${i}`)),
    });
    expect(data).toBeNull();
    expect(errors).toMatchObject([
      {
        path: ['upsertOrders'],
        extensions: { code: 'validation_failed', status: 422, errors: [{ code: 'too_many' }] },
      },
    ]);
    const { edges } = await ask<{ edges: unknown[] }>(caller, '{ orders(first: 1) { edges { node { id } } } }');
    expect(edges).toEqual([]);
  });

  test('is of its own company', async () => {
    const [one, other] = [await world.company(), await world.company()];
    await upsertOrders(one, [order('shared', { marketplace: 'Amazon' })]);
    expect(outcomes(await upsertOrders(other, [order('shared', { marketplace: 'eBay' })]))).toEqual(['created']);
    expect(await orderNumbered(one, 'shared')).toMatchObject({ marketplace: 'Amazon' });
    expect(await orderNumbered(other, 'shared')).toMatchObject({ marketplace: 'eBay' });
  });

  test('sent twenty times at once creates each order once', async () => {
    const caller = await world.company();
    const batch = times(10, i => order(`race-${i}`, { ...FULL, recipient: { ...RECIPIENT, email: 'a@example.com' } }));
    const results = await Promise.all(times(20, () => upsertOrders(caller, batch)));
    expect(results.map(({ created }) => created).toSorted((a, b) => b - a)).toEqual([10, ...times(19, () => 0)]);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(190);
    for (let i = 0; i < 10; i++) expect(await ordersNumbered(caller, `race-${i}`)).toHaveLength(1);
  });
});

describe('The same decimal', () => {
  test.each([4, '4', '4.0', '4.00', ' 4.00 ', '04'])('is not changed by writing it as %j', async written => {
    const caller = await world.company();
    const as = (amount: unknown) =>
      order('amount', { codAmount: amount, insuranceAmount: amount, parcels: [{ weight: amount, length: amount }] });
    await upsertOrders(caller, [as('4')]);
    expect(outcomes(await upsertOrders(caller, [as(written)]))).toEqual(['unchanged']);
    expect(await orderNumbered(caller, 'amount')).toMatchObject({
      codAmount: '4',
      insuranceAmount: '4',
      parcels: [{ weight: '4', length: '4' }],
    });
  });

  test('may stand in the document itself', async () => {
    const caller = await world.company();
    const inline = (amount: string) => `mutation { upsertOrders(input: {
      orderNumber: "inline", codAmount: ${amount}, recipient: { address: "a", postalCode: "20121", city: "c" }
    }) { results { outcome } } }`;
    const outcomeOf = async (amount: string) =>
      (await ask<{ results: { outcome: string }[] }>(caller, inline(amount))).results[0]?.outcome;
    expect(await outcomeOf('4')).toBe('created');
    for (const amount of ['4', '4', '4', '4.00', '4.00', '4.00', '4.00', '"4.0"'])
      expect(await outcomeOf(amount)).toBe('unchanged');
  });

  test('is exact where a floating-point number is not', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('exact', { codAmount: '999999999.99', insuranceAmount: 0.1 })]);
    expect(await orderNumbered(caller, 'exact')).toMatchObject({ codAmount: '999999999.99', insuranceAmount: '0.1' });
  });
});

describe('A bad item', () => {
  const long = 'x'.repeat(201);
  const bad: [what: string, fields: Item, pointer: string, code: string][] = [
    ['a blank order number', { orderNumber: ' \t ' }, '/orderNumber', 'required'],
    ['an order number of 201 characters', { orderNumber: long }, '/orderNumber', 'too_long'],
    [
      'an unknown country',
      { recipient: { ...RECIPIENT, countryCode: 'XX' } },
      '/recipient/countryCode',
      'unknown_country',
    ],
    ['a blank country', { recipient: { ...RECIPIENT, countryCode: '' } }, '/recipient/countryCode', 'unknown_country'],
    [
      'a CAP of four digits',
      { recipient: { ...RECIPIENT, postalCode: '2012' } },
      '/recipient/postalCode',
      'invalid_postal_code',
    ],
    ['a blank address', { recipient: { ...RECIPIENT, address: '' } }, '/recipient/address', 'required'],
    ['a city of 201 characters', { recipient: { ...RECIPIENT, city: long } }, '/recipient/city', 'too_long'],
    [
      'a postal code of 21 characters',
      { recipient: { ...RECIPIENT, countryCode: 'AO', postalCode: '1'.repeat(21) } },
      '/recipient/postalCode',
      'too_long',
    ],
    [
      'an e-mail of 321 characters',
      { recipient: { ...RECIPIENT, email: 'x'.repeat(321) } },
      '/recipient/email',
      'too_long',
    ],
    ['a warehouse that never existed', { warehouseId: 2_000_000_000 }, '/warehouseId', 'warehouse_not_found'],
    ['a warehouse with a negative id', { warehouseId: -1 }, '/warehouseId', 'warehouse_not_found'],
    ['negative money', { codAmount: '-0.01' }, '/codAmount', 'out_of_range'],
    ['money with three decimals', { insuranceAmount: '1.005' }, '/insuranceAmount', 'out_of_range'],
    ['money of ten digits', { insuranceAmount: 1_000_000_000 }, '/insuranceAmount', 'out_of_range'],
    ['money in words', { codAmount: 'ten' }, '/codAmount', 'invalid_decimal'],
    ['money with an exponent', { codAmount: '1e2' }, '/codAmount', 'invalid_decimal'],
    ['a negative weight', { parcels: [{ weight: 1 }, { weight: -1 }] }, '/parcels/1/weight', 'out_of_range'],
    ['a weight with four decimals', { parcels: [{ weight: '1.2345' }] }, '/parcels/0/weight', 'out_of_range'],
    ['a side with three decimals', { parcels: [{ weight: 1, height: '1.234' }] }, '/parcels/0/height', 'out_of_range'],
    ['501 parcels of one kind', { parcels: [{ weight: 1, quantity: 501 }] }, '/parcels/0/quantity', 'out_of_range'],
    [
      '501 parcels of two kinds',
      {
        parcels: [
          { weight: 1, quantity: 250 },
          { weight: 2, quantity: 251 },
        ],
      },
      '/parcels',
      'too_many',
    ],
    ['101 kinds of parcels', { parcels: times(101, () => ({ weight: 1 })) }, '/parcels', 'too_many'],
    ['a quantity of 0', { parcels: [{ weight: 1, quantity: 0 }] }, '/parcels/0/quantity', 'out_of_range'],
    ['a NUL character', { marketplace: 'Ama\u0000zon' }, '/marketplace', 'invalid_text'],
    [
      'a NUL character in a street',
      { recipient: { ...RECIPIENT, address: 'Via\u0000Roma' } },
      '/recipient/address',
      'invalid_text',
    ],
    ['a line break in a city', { recipient: { ...RECIPIENT, city: 'Mi\nlano' } }, '/recipient/city', 'invalid_text'],
    ['half a surrogate pair', { marketplaceOrderId: 'a\ud800b' }, '/marketplaceOrderId', 'invalid_text'],
    ['a marketplace of 201 characters', { marketplace: long }, '/marketplace', 'too_long'],
  ];

  test.each(bad)('with %s is told and stops no other', async (_what, fields, pointer, code) => {
    const caller = await world.company();
    const { results, ...counts } = await upsertOrders(caller, [order('first'), order('bad', fields), order('last')]);
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({ index: 1, outcome: 'rejected', id: null, code, pointer: `/1${pointer}` });
    expect(await ordersNumbered(caller, 'bad')).toEqual([]);
    expect(await ordersNumbered(caller, 'first')).toHaveLength(1);
    expect(await ordersNumbered(caller, 'last')).toHaveLength(1);
  });

  test('changes nothing of an order that is known', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('known', FULL)]);
    const before = await orderNumbered(caller, 'known');
    const result = await upsertOrders(caller, [order('known', { marketplace: 'eBay', codAmount: '-1' })]);
    expect(outcomes(result)).toEqual(['rejected']);
    expect(await orderNumbered(caller, 'known')).toEqual(before);
  });

  test('tells everything wrong with it, the first in short', async () => {
    const { results } = await upsertOrders(await world.company(), [
      { orderNumber: '', recipient: { ...RECIPIENT, city: '', postalCode: '1' }, codAmount: '1.234' },
    ]);
    const pointers = results[0]?.errors.map(({ pointer }) => pointer).toSorted();
    expect(pointers).toEqual(['/0/codAmount', '/0/orderNumber', '/0/recipient/city', '/0/recipient/postalCode']);
    const [first] = results[0]?.errors ?? [];
    expect(results[0]).toMatchObject({ code: first?.code, pointer: first?.pointer, message: first?.message });
  });

  test("with another company's warehouse is answered as with one that never existed", async () => {
    const [caller, other] = [await world.company(), await world.company()];
    const foreign = await createWarehouse(other);
    const rejectedWith = async (warehouseId: number) =>
      (await upsertOrders(caller, [order('foreign', { warehouseId })])).results[0];
    expect(await rejectedWith(foreign)).toEqual(await rejectedWith(2_000_000_000));
    expect(await rejectedWith(foreign)).toMatchObject({ outcome: 'rejected', code: 'warehouse_not_found' });
  });
});

describe('What just fits', () => {
  const fits: [what: string, fields: Item][] = [
    [
      '500 parcels',
      {
        parcels: [
          { weight: 1, quantity: 250 },
          { weight: 2, quantity: 250 },
        ],
      },
    ],
    ['100 kinds of parcels', { parcels: times(100, () => ({ weight: 1 })) }],
    ['no parcels', { parcels: [] }],
    ['a marketplace of 200 characters', { marketplace: 'x'.repeat(200) }],
    ['200 characters beyond the basic plane', { marketplace: '🚚'.repeat(200) }],
    ['no money', { codAmount: 0, insuranceAmount: '-0' }],
    ['a country in lower case', { recipient: { ...RECIPIENT, countryCode: 'it' } }],
    ['a country that is left to be Italy', { recipient: { ...RECIPIENT, countryCode: null } }],
  ];
  test.each(fits)('is stored: %s', async (_what, fields) => {
    expect(outcomes(await upsertOrders(await world.company(), [order('fits', fields)]))).toEqual(['created']);
  });
});

describe.each([
  ['interpreted', () => unseen(UPSERT_ORDERS)],
  ['compiled', () => UPSERT_ORDERS],
])('Fields of a known order, %s', (_how, document) => {
  const send = (caller: Caller, input: Item) => ask(caller, document(), { input: [input] });

  test('stay where they are left out', async () => {
    const caller = await world.company();
    const warehouseId = await createWarehouse(caller);
    for (let i = 0; i < 3; i++) await send(caller, order('kept', { ...FULL, warehouseId }));
    const before = await orderNumbered(caller, 'kept');
    expect(await send(caller, order('kept'))).toMatchObject({ results: [{ outcome: 'unchanged' }] });
    expect(await orderNumbered(caller, 'kept')).toEqual(before);
  });

  test('are emptied by null', async () => {
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

  test('are emptied by blank text', async () => {
    const caller = await world.company();
    await send(caller, order('blank', FULL));
    expect(await send(caller, order('blank', { marketplace: '  ' }))).toMatchObject({
      results: [{ outcome: 'updated' }],
    });
    expect(await orderNumbered(caller, 'blank')).toMatchObject({ marketplace: null, marketplaceOrderId: 'A-1' });
  });

  test('of the recipient are replaced as a whole', async () => {
    const caller = await world.company();
    await send(caller, order('whole', { recipient: { ...RECIPIENT, companyName: 'Rossi' } }));
    expect(await send(caller, order('whole'))).toMatchObject({ results: [{ outcome: 'updated' }] });
    expect(await orderNumbered(caller, 'whole')).toMatchObject({ recipient: { companyName: null, province: 'MI' } });
  });
});

describe('An order twice in one batch', () => {
  test('is created once, and the last word counts', async () => {
    const caller = await world.company();
    const { results } = await upsertOrders(caller, [
      order('twice', { marketplace: 'Amazon', codAmount: 1 }),
      order('twice', { marketplace: 'eBay' }),
      order(' twice ', { marketplace: 'eBay' }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'updated', 'unchanged']);
    const found = await orderNumbered(caller, 'twice');
    expect(found).toMatchObject({ marketplace: 'eBay', codAmount: '1' });
    expect(results.map(({ id }) => id)).toEqual(times(3, () => String(found.id)));
  });

  test('is updated twice where it was known', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('twice', { marketplace: 'Amazon' })]);
    const result = await upsertOrders(caller, [
      order('twice', { marketplace: 'eBay' }),
      order('twice', { marketplace: 'Amazon' }),
    ]);
    expect(outcomes(result)).toEqual(['updated', 'updated']);
    expect(await orderNumbered(caller, 'twice')).toMatchObject({ marketplace: 'Amazon' });
  });

  test('keeps the good one where the other is bad', async () => {
    const caller = await world.company();
    const result = await upsertOrders(caller, [order('twice', { codAmount: -1 }), order('twice', { codAmount: 1 })]);
    expect(outcomes(result)).toEqual(['rejected', 'created']);
    expect(await orderNumbered(caller, 'twice')).toMatchObject({ codAmount: '1' });
  });
});

describe('E-mail and telephone', () => {
  interface Introspected {
    types: { kind: string; name: string; fields: { name: string }[] | null }[];
  }

  test('are in no type that a query answers', async () => {
    const { types } = await ask<Introspected>(
      await world.company(),
      '{ __schema { types { kind name fields { name } } } }',
    );
    const fields = types.flatMap(({ name, fields }) => (fields ?? []).map(field => `${name}.${field.name}`));
    expect(fields).toContain('Recipient.companyName');
    expect(fields.filter(field => /mail|phone|contact/i.test(field))).toEqual([]);
  });

  test.each(['email', 'telephone'])('a change of %s is told', async field => {
    const caller = await world.company();
    const send = async (value: string | null | undefined) =>
      outcomes(await upsertOrders(caller, [order('contact', { recipient: { ...RECIPIENT, [field]: value } })]));
    expect(await send('one')).toEqual(['created']);
    expect(await send('one')).toEqual(['unchanged']);
    expect(await send('two')).toEqual(['updated']);
    expect(await send('two')).toEqual(['unchanged']);
    // The recipient is replaced as a whole, so one without it has none.
    expect(await send(undefined)).toEqual(['updated']);
    expect(await send(null)).toEqual(['unchanged']);
    expect(await send(' ')).toEqual(['unchanged']);
  });
});

describe('Variables of another type', () => {
  const wrong: [what: string, input: unknown, pointer: string, code: string][] = [
    ['no batch', undefined, '', 'required'],
    ['null', null, '', 'required'],
    ['a string', 'x', '', 'wrong_type'],
    ['a null item', [order('ok'), null], '/1', 'required'],
    ['an item without recipient', [{ orderNumber: 'x' }], '/0/recipient', 'required'],
    [
      'a recipient without city',
      [{ orderNumber: 'x', recipient: { ...RECIPIENT, city: undefined } }],
      '/0/recipient/city',
      'required',
    ],
    ['a recipient in a string', [order('ok'), order('x', { recipient: 'Via Roma' })], '/1/recipient', 'wrong_type'],
    ['a number for text', [order('x', { orderNumber: 5 })], '/0/orderNumber', 'wrong_type'],
    ['a misspelt field', [order('x', { marketplce: 'a' })], '/0/marketplce', 'unknown_field'],
    ['a field with a slash', [order('x', { 'a/b~c': 'a' })], '/0/a~1b~0c', 'unknown_field'],
    ['a boolean for money', [order('x', { codAmount: true })], '/0/codAmount', 'wrong_type'],
    ['an object for money', [order('x', { codAmount: {} })], '/0/codAmount', 'wrong_type'],
    ['text for an id', [order('x', { warehouseId: '1' })], '/0/warehouseId', 'wrong_type'],
    ['an id beyond 32 bits', [order('x', { warehouseId: 2 ** 31 })], '/0/warehouseId', 'wrong_type'],
    ['half a parcel', [order('x', { parcels: [{ weight: 1, quantity: 1.5 }] })], '/0/parcels/0/quantity', 'wrong_type'],
    ['a parcel without weight', [order('x', { parcels: [{ weight: 1 }, {}] })], '/0/parcels/1/weight', 'required'],
    ['a null parcel', [order('x', { parcels: [null] })], '/0/parcels/0', 'required'],
  ];

  test.each(wrong)('is refused whole with a pointer: %s', async (_what, input, pointer, code) => {
    const caller = await world.company();
    // Interpreted and compiled alike.
    for (const document of [unseen(UPSERT_ORDERS), ...times(4, () => UPSERT_ORDERS)]) {
      const { data, errors } = await caller.graphql(document, { input });
      expect(data ?? null).toBeNull();
      expect(errors).toMatchObject([
        { extensions: { code: 'validation_failed', status: 422, errors: [{ pointer, code }] } },
      ]);
    }
    expect(await ordersNumbered(caller, 'ok')).toEqual([]);
  });

  test('is told of every place at once', async () => {
    const { errors } = await (await world.company()).graphql(UPSERT_ORDERS, {
      input: [{ orderNumber: 1 }, { recipient: { ...RECIPIENT, city: null } }],
    });
    expect(errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/0/orderNumber',
      '/0/recipient',
      '/1/orderNumber',
      '/1/recipient/city',
    ]);
  });
});

interface Page {
  edges: { cursor: string; node: { orderNumber: string } }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string | null; endCursor: string | null };
}

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: OrderFilter) {
  orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { orderNumber } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

const numbersOf = ({ edges }: Page) => edges.map(({ node }) => node.orderNumber);

describe('The list of orders', () => {
  async function shelf(count: number): Promise<{ caller: Caller; newestFirst: string[] }> {
    const caller = await world.company();
    await upsertOrders(
      caller,
      times(count, i => order(`o-${i}`)),
    );
    return { caller, newestFirst: times(count, i => `o-${count - 1 - i}`) };
  }

  test.each([1, 7, 23, 24, 250])('is walked forwards by %i without gaps or repeats', async first => {
    const { caller, newestFirst } = await shelf(23);
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { first, after });
      expect(page.edges.length).toBeLessThanOrEqual(first);
      expect(page.pageInfo.hasPreviousPage).toBe(seen.length > 0);
      expect(page.pageInfo.startCursor).toBe(page.edges[0]?.cursor);
      expect(page.pageInfo.endCursor).toBe(page.edges.at(-1)?.cursor);
      seen.push(...numbersOf(page));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
      expect(more).toBe(seen.length < 23);
    }
    expect(seen).toEqual(newestFirst);
  });

  test.each([1, 7, 23, 24])('is walked backwards by %i without gaps or repeats', async last => {
    const { caller, newestFirst } = await shelf(23);
    let seen: string[] = [];
    let before: string | null = null;
    for (let more = true; more; ) {
      const page: Page = await ask(caller, PAGE, { last, before });
      expect(page.pageInfo.hasNextPage).toBe(seen.length > 0);
      seen = [...numbersOf(page), ...seen];
      before = page.pageInfo.startCursor;
      more = page.pageInfo.hasPreviousPage;
      expect(more).toBe(seen.length < 23);
    }
    expect(seen).toEqual(newestFirst);
  });

  test('shows 50 unless it is told how many', async () => {
    const { caller, newestFirst } = await shelf(60);
    expect(numbersOf(await ask<Page>(caller, PAGE))).toEqual(newestFirst.slice(0, 50));
  });

  test('is not shifted by an order that comes between two pages', async () => {
    const { caller, newestFirst } = await shelf(6);
    const first = await ask<Page>(caller, PAGE, { first: 3 });
    await upsertOrders(caller, [order('late')]);
    const second = await ask<Page>(caller, PAGE, { first: 3, after: first.pageInfo.endCursor });
    expect([...numbersOf(first), ...numbersOf(second)]).toEqual(newestFirst);
  });

  test('between two cursors holds what lies between them', async () => {
    const { caller, newestFirst } = await shelf(9);
    const { edges } = await ask<Page>(caller, PAGE);
    const between = { after: edges[1]?.cursor, before: edges[7]?.cursor };
    expect(numbersOf(await ask<Page>(caller, PAGE, between))).toEqual(newestFirst.slice(2, 7));
    expect(numbersOf(await ask<Page>(caller, PAGE, { ...between, first: 2 }))).toEqual(newestFirst.slice(2, 4));
    expect(numbersOf(await ask<Page>(caller, PAGE, { ...between, last: 2 }))).toEqual(newestFirst.slice(5, 7));
  });

  test('of a company without orders is empty', async () => {
    const page = await ask<Page>(await world.company(), PAGE);
    expect(page.edges).toEqual([]);
    expect(page.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: false });
  });

  test('is filtered by all its conditions', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [
      order('a', { marketplace: 'Amazon', marketplaceOrderNumber: '1' }),
      order('b', { marketplace: 'Amazon', marketplaceOrderNumber: '2' }),
      order('c', { marketplace: 'eBay', marketplaceOrderNumber: '1' }),
      order('d'),
    ]);
    const found = async (filter: Item | null) => numbersOf(await ask<Page>(caller, PAGE, { filter }));
    expect(await found({ orderNumber: 'b' })).toEqual(['b']);
    expect(await found({ marketplace: 'Amazon' })).toEqual(['b', 'a']);
    expect(await found({ marketplaceOrderNumber: '1' })).toEqual(['c', 'a']);
    expect(await found({ marketplaceOrderNumber: '1', marketplace: 'Amazon' })).toEqual(['a']);
    expect(await found({ orderNumber: 'd', marketplace: 'Amazon' })).toEqual([]);
    expect(await found({ orderNumber: 'B' })).toEqual([]);
    expect(await found({ orderNumber: null })).toEqual(['d', 'c', 'b', 'a']);
    expect(await found(null)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('is filtered on every page', async () => {
    const caller = await world.company();
    await upsertOrders(
      caller,
      times(12, i => order(`o-${i}`, { marketplace: i % 2 ? 'odd' : 'even' })),
    );
    const filter = { marketplace: 'odd' };
    const first = await ask<Page>(caller, PAGE, { first: 4, filter });
    const second = await ask<Page>(caller, PAGE, { first: 4, after: first.pageInfo.endCursor, filter });
    expect([...numbersOf(first), ...numbersOf(second)]).toEqual(['o-11', 'o-9', 'o-7', 'o-5', 'o-3', 'o-1']);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  const bad: [args: Item, pointer: string, code: string][] = [
    [{ first: 0 }, '/first', 'out_of_range'],
    [{ first: -1 }, '/first', 'out_of_range'],
    [{ first: 251 }, '/first', 'out_of_range'],
    [{ last: 0 }, '/last', 'out_of_range'],
    [{ last: 251 }, '/last', 'out_of_range'],
    [{ after: '' }, '/after', 'invalid_cursor'],
    [{ after: 'nonsense' }, '/after', 'invalid_cursor'],
    [{ after: '1' }, '/after', 'invalid_cursor'],
    [{ before: encoded('id:') }, '/before', 'invalid_cursor'],
    [{ before: encoded('id:-1') }, '/before', 'invalid_cursor'],
    [{ before: encoded('id:1 or true') }, '/before', 'invalid_cursor'],
    [{ before: encoded('id:1234567890123456') }, '/before', 'invalid_cursor'],
    [{ before: encoded('id:99999999999999999999') }, '/before', 'invalid_cursor'],
  ];
  test.each(bad)('refuses the page %j', async (args, pointer, code) => {
    const { graphql } = await world.company();
    for (const document of [unseen(PAGE), ...times(4, () => PAGE)]) {
      const { errors } = await graphql(document, args);
      expect(errors).toMatchObject([
        { path: ['orders'], extensions: { code: 'validation_failed', status: 422, errors: [{ pointer, code }] } },
      ]);
    }
  });
});

test('marketplaces are told once each, by name, of the own company only', async () => {
  const [caller, other] = [await world.company(), await world.company()];
  const names = ['Zalando', 'Amazon', 'Etsy', 'Amazon', 'Bol', 'Zalando', null, 'Amazon DE'];
  await upsertOrders(
    caller,
    names.map((marketplace, i) => order(`m-${i}`, { marketplace })),
  );
  await upsertOrders(other, [order('m-0', { marketplace: 'Elsewhere' })]);
  const marketplaces = (of: Caller) => ask<{ name: string }[]>(of, '{ marketplaces { name } }');
  expect((await marketplaces(caller)).map(({ name }) => name)).toEqual([
    'Amazon',
    'Amazon DE',
    'Bol',
    'Etsy',
    'Zalando',
  ]);
  expect(await marketplaces(other)).toEqual([{ name: 'Elsewhere' }]);
  expect(await marketplaces(await world.company())).toEqual([]);
});
