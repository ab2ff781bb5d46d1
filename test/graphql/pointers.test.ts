import { beforeAll, describe, expect, test } from 'vitest';
import { RECIPIENT, times, unseen } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** Pointers of the error of a document that is interpreted, and of the same once it is compiled. */
async function pointersOf(query: string, variables: Record<string, unknown>): Promise<string[]> {
  const found = [];
  for (const document of [unseen(query), ...times(4, () => query)]) {
    const { errors } = await caller.graphql(document, variables);
    found.push(errors?.[0]?.extensions.errors?.map(({ pointer }) => pointer).toSorted() ?? []);
  }
  for (const other of found) expect(other).toEqual(found[0]);
  return found[0] ?? [];
}

describe('A pointer', () => {
  const wrongType = [{ orderNumber: 'o', recipient: { ...RECIPIENT, city: 5 }, parcels: [{ weight: '1' }] }];
  const upsert = (type: string, input: string) =>
    `mutation ($v: ${type}) { upsertOrders(input: ${input}) { results { pointer } userErrors { pointer } } }`;

  test.each([
    ['the whole input', '$v', 'UpsertOrdersInput!', { orders: wrongType }],
    ['the list', '{ orders: $v }', '[OrderInput!]!', wrongType],
    ['an item', '{ orders: [$v] }', 'OrderInput!', wrongType[0]],
    [
      'a part of an item',
      '{ orders: [{ orderNumber: "o", recipient: $v }] }',
      'RecipientInput!',
      wrongType[0]?.recipient,
    ],
    [
      'a value',
      '{ orders: [{ orderNumber: "o", recipient: { address: "a", postalCode: "20121", city: $v } }] }',
      'String!',
      5,
    ],
  ])('starts at the input of the field if a variable is %s', async (_what, input, type, v) => {
    expect(await pointersOf(upsert(type, input), { v })).toEqual(['/orders/0/recipient/city']);
  });

  test('is the same for a violated rule as for a wrong type', async () => {
    const orders = [{ orderNumber: 'o', recipient: { ...RECIPIENT, city: '' } }];
    const { data } = await caller.graphql<{ upsertOrders: { results: { pointer: string }[] } }>(
      upsert('[OrderInput!]!', '{ orders: $v }'),
      { v: orders },
    );
    expect(data.upsertOrders.results).toEqual([{ pointer: '/orders/0/recipient/city' }]);
    // If another value has a wrong type, all errors are reported at once.
    const both = [...orders, { ...orders[0], codAmount: true }];
    expect(await pointersOf(upsert('[OrderInput!]!', '{ orders: $v }'), { v: both })).toEqual([
      '/orders/0/recipient/city',
      '/orders/1/codAmount',
      '/orders/1/recipient/city',
    ]);
  });

  test('omits the name of an argument that is an object', async () => {
    expect(
      await pointersOf('query ($f: ShipmentFilter) { shipments(filter: $f) { totalCount } }', { f: { isOpen: 'x' } }),
    ).toEqual(['/isOpen']);
    expect(
      await pointersOf('query ($o: Boolean) { shipments(filter: { isOpen: $o }) { totalCount } }', { o: 'x' }),
    ).toEqual(['/isOpen']);
  });

  test('omits the name of a filter, for every kind of error in it', async () => {
    const orders = 'query ($f: OrderFilter) { orders(filter: $f) { totalCount } }';
    const shipments = 'query ($f: ShipmentFilter) { shipments(filter: $f) { totalCount } }';
    for (const query of [orders, shipments]) {
      expect(await pointersOf(query, { f: { colour: 1 } })).toEqual(['/colour']);
      expect(await pointersOf(query, { f: { recipient: 'a\u0000' } })).toEqual(['/recipient']);
      expect(await pointersOf(query, { f: { createdAt: { since: 1 } } })).toEqual(['/createdAt/since']);
      // The condition would read too many records.
      expect(await pointersOf(query, { f: { recipient: 'Rossi' } })).toEqual(['/recipient']);
    }
  });

  test('has the name of an argument beside the input, for every kind of error in it', async () => {
    const quote = (terms: string, type: string) =>
      `query ($t: ${type}) { quoteShipment(input: { shipment: { orderId: 1 } }, terms: ${terms}) { __typename } }`;
    expect(await pointersOf(quote('$t', 'QuoteTermsInput'), { t: { colour: 1 } })).toEqual(['/terms/colour']);
    expect(await pointersOf(quote('$t', 'QuoteTermsInput'), { t: { goodsValue: '0.001' } })).toEqual([
      '/terms/goodsValue',
    ]);
    expect(await pointersOf(quote('{ goodsValue: $t }', 'Decimal'), { t: true })).toEqual(['/terms/goodsValue']);
  });

  test('has the name of any other argument, also in a fragment', async () => {
    expect(await pointersOf('query ($n: String!) { trackingByNumber(trackingNumber: $n) { id } }', { n: 5 })).toEqual([
      '/trackingNumber',
    ]);
    expect(await pointersOf('query ($a: [ID!]!) { nodes(ids: $a) { id } }', { a: ['x', {}] })).toEqual(['/ids/1']);
    // In a list that decides what the document costs, which is weighed before it runs.
    expect(await pointersOf('query ($a: ID!) { nodes(ids: ["x", $a]) { id } }', { a: true })).toEqual(['/ids/1']);
    expect(await pointersOf('query ($a: ID!) { nodes(ids: ["x", $a]) { id } }', {})).toEqual(['/ids/1']);
    const quote = 'query ($s: QuoteInput!) { quoteShipments(inputs: [$s]) { __typename } }';
    expect(await pointersOf(quote, { s: { shipment: { totals: { warehouseId: true } } } })).toContain(
      '/inputs/0/shipment/totals/warehouseId',
    );
    const fragment =
      'query ($n: Int) { shipments { nodes { ...F } } } fragment F on Shipment { timeline(last: $n) { nodes { id } } }';
    expect(await pointersOf(fragment, { n: 'x' })).toEqual(['/last']);
  });

  test('has the name of the variable if no field takes it', async () => {
    expect(await pointersOf('query ($if: Boolean!) { apiKey @include(if: $if) { label } }', {})).toEqual(['/if']);
  });
});

test('The error for a number that is not an integer states the range of its field', async () => {
  const query = 'query ($first: Int) { orders(first: $first) { nodes { id } } }';
  const messages = async (first: unknown) =>
    (await caller.graphql(query, { first })).errors?.map(({ message }) => message);
  expect(await messages('3')).toEqual(['The field first must be a whole number.']);
  expect(await messages(251)).toEqual(['The field first must be from 1 to 250.']);
  expect(await messages(2 ** 31)).toEqual(['The field first must be a whole number from -2147483648 to 2147483647.']);
});
