import { describe, expect, test } from 'vitest';
import {
  ask,
  type Item,
  order,
  outcomes,
  RECIPIENT,
  times,
  UPSERT_ORDERS,
  unseen,
  upsertOrders,
} from '../support/platform-side.ts';
import { useSharedWorld } from '../support/world.ts';
import { FULL, orderNumbered, ordersNumbered } from './order-calls.ts';

const world = useSharedWorld();

describe('An invalid order', () => {
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
    ['negative money', { codAmount: '-0.01' }, '/codAmount', 'out_of_range'],
    ['money with three decimals', { insuranceAmount: '1.005' }, '/insuranceAmount', 'out_of_range'],
    ['money of ten digits', { insuranceAmount: 1_000_000_000 }, '/insuranceAmount', 'out_of_range'],
    ['money in words', { codAmount: 'ten' }, '/codAmount', 'invalid_decimal'],
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
    ['a marketplace of 201 characters', { marketplace: long }, '/marketplace', 'too_long'],
  ];

  test.each(bad)('with %s is reported, and the others are stored', async (_what, fields, pointer, code) => {
    const caller = await world.company();
    const { results, ...counts } = await upsertOrders(caller, [order('first'), order('bad', fields), order('last')]);
    expect(counts).toEqual({ created: 2, updated: 0, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({ index: 1, outcome: 'rejected', id: null, code, pointer: `/orders/1${pointer}` });
    expect(await ordersNumbered(caller, 'bad')).toEqual([]);
    expect(await ordersNumbered(caller, 'first')).toHaveLength(1);
    expect(await ordersNumbered(caller, 'last')).toHaveLength(1);
  });

  test('does not change the stored order', async () => {
    const caller = await world.company();
    await upsertOrders(caller, [order('known', FULL)]);
    const before = await orderNumbered(caller, 'known');
    const result = await upsertOrders(caller, [order('known', { marketplace: 'eBay', codAmount: '-1' })]);
    expect(outcomes(result)).toEqual(['rejected']);
    expect(await orderNumbered(caller, 'known')).toEqual(before);
  });

  test('is reported with all its errors, the first of them in the message', async () => {
    const { results } = await upsertOrders(await world.company(), [
      { orderNumber: '', recipient: { ...RECIPIENT, city: '', postalCode: '1' }, codAmount: '1.234' },
    ]);
    const pointers = results[0]?.errors.map(({ pointer }) => pointer).toSorted();
    expect(pointers).toEqual(
      ['codAmount', 'orderNumber', 'recipient/city', 'recipient/postalCode'].map(at => `/orders/0/${at}`),
    );
    const [first] = results[0]?.errors ?? [];
    expect(results[0]).toMatchObject({ code: first?.code, pointer: first?.pointer, message: first?.message });
  });
});

describe('A value at the limit', () => {
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
    ['no money', { codAmount: 0, insuranceAmount: '-0' }],
    ['a country in lower case', { recipient: { ...RECIPIENT, countryCode: 'it' } }],
    ['a country that is left to be Italy', { recipient: { ...RECIPIENT, countryCode: null } }],
  ];
  test.each(fits)('is stored: %s', async (_what, fields) => {
    expect(outcomes(await upsertOrders(await world.company(), [order('fits', fields)]))).toEqual(['created']);
  });
});

describe('The e-mail address and the telephone number', () => {
  interface Introspected {
    types: { kind: string; name: string; fields: { name: string }[] | null }[];
  }

  test('are in no type that a query returns', async () => {
    const { types } = await ask<Introspected>(
      await world.company(),
      '{ __schema { types { kind name fields { name } } } }',
    );
    const fields = types.flatMap(({ name, fields }) => (fields ?? []).map(field => `${name}.${field.name}`));
    expect(fields).toContain('Recipient.companyName');
    expect(fields.filter(field => /mail|phone|contact/i.test(field))).toEqual([]);
  });

  test.each(['email', 'telephone'])('count in the outcome when the %s changes', async field => {
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

describe('A variable of the wrong type', () => {
  const wrong: [what: string, input: unknown, pointer: string, code: string][] = [
    ['no batch', undefined, '/orders', 'required'],
    ['null', null, '/orders', 'required'],
    ['a string', 'x', '/orders', 'wrong_type'],
    ['a null item', [order('ok'), null], '/orders/1', 'required'],
    ['an item without recipient', [{ orderNumber: 'x' }], '/orders/0/recipient', 'required'],
    [
      'a recipient without city',
      [{ orderNumber: 'x', recipient: { ...RECIPIENT, city: undefined } }],
      '/orders/0/recipient/city',
      'required',
    ],
    [
      'a recipient in a string',
      [order('ok'), order('x', { recipient: 'Via Roma' })],
      '/orders/1/recipient',
      'wrong_type',
    ],
    ['a number for text', [order('x', { orderNumber: 5 })], '/orders/0/orderNumber', 'wrong_type'],
    ['a misspelt field', [order('x', { marketplce: 'a' })], '/orders/0/marketplce', 'unknown_field'],
    ['a field with a slash', [order('x', { 'a/b~c': 'a' })], '/orders/0/a~1b~0c', 'unknown_field'],
    ['a boolean for money', [order('x', { codAmount: true })], '/orders/0/codAmount', 'wrong_type'],
    ['an object for money', [order('x', { codAmount: {} })], '/orders/0/codAmount', 'wrong_type'],
    ['a boolean for an id', [order('x', { warehouseId: true })], '/orders/0/warehouseId', 'wrong_type'],
    ['half a number for an id', [order('x', { warehouseId: 1.5 })], '/orders/0/warehouseId', 'wrong_type'],
    [
      'half a parcel',
      [order('x', { parcels: [{ weight: 1, quantity: 1.5 }] })],
      '/orders/0/parcels/0/quantity',
      'wrong_type',
    ],
    [
      'a parcel without weight',
      [order('x', { parcels: [{ weight: 1 }, {}] })],
      '/orders/0/parcels/1/weight',
      'required',
    ],
    ['a null parcel', [order('x', { parcels: [null] })], '/orders/0/parcels/0', 'required'],
  ];

  test.each(wrong)('is rejected with the whole request and a pointer: %s', async (_what, input, pointer, code) => {
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

  test('is reported with all others at once', async () => {
    const { errors } = await (await world.company()).graphql(UPSERT_ORDERS, {
      input: [{ orderNumber: 1 }, { recipient: { ...RECIPIENT, city: null } }],
    });
    expect(errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/orders/0/orderNumber',
      '/orders/0/recipient',
      '/orders/1/orderNumber',
      '/orders/1/recipient/city',
    ]);
  });
});
