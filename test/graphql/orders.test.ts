import { describe, expect, test } from 'vitest';
import {
  ask,
  askNodes,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  shipment,
  times,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

interface Page {
  edges: { cursor: string; node: { orderNumber: string } }[];
  pageInfo: { endCursor: string | null };
}

const PAGE = `query ($first: Int, $after: String, $last: Int, $before: String, $filter: OrderFilter) {
  orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
    edges { cursor node { orderNumber } } pageInfo { endCursor }
  }
}`;

const numbersOf = ({ edges }: Page) => edges.map(({ node }) => node.orderNumber);

test('A listed shipment shows the same order as the order itself', async () => {
  const caller = await world.company();
  const connectionId = await connectCarrier(caller, 'BRT');
  const warehouseId = await createWarehouse(caller);
  const whole = order('whole', {
    ...{ marketplace: 'Amazon', marketplaceOrderId: 'A 1', marketplaceOrderNumber: '#1', warehouseId },
    ...{ codAmount: '12.50', insuranceAmount: '100', service: 'express', goodsValue: '80' },
    metadata: { shop: 'north' },
  });
  await upsertOrders(caller, [whole, order('bare')]);
  const shipments = [{ orderNumber: 'whole' }, { orderNumber: 'bare' }, {}];
  await upsertShipments(
    caller,
    shipments.map((more, i) => shipment(connectionId, `n${i}`, more)),
  );
  // Every field of an order that is a value, and those that are objects.
  const { __type } = await introspected(caller, 'Order');
  const values = __type.fields.filter(({ type: { kind, ofType } }) => isLeaf(ofType?.kind ?? kind));
  const names = values.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['orderNumber', 'service', 'updatedAt']));
  const fields = `${names.join(' ')} warehouse { name } recipient { companyName city country } parcels { weight quantity } metadata { key value }`;
  const nodes = await askNodes<{ order: object | null }>(
    caller,
    `{ shipments(orderBy: CREATED_ASC) { nodes { order { ${fields} } } } }`,
  );
  const orders = await askNodes(caller, `{ orders { nodes { ${fields} } } }`);
  expect(nodes.map(node => node.order)).toEqual([...orders.toReversed(), null]);
});

interface FieldType {
  readonly kind: string;
  readonly ofType: { readonly kind: string } | null;
}

const isLeaf = (kind: string) => kind === 'SCALAR' || kind === 'ENUM';

async function introspected({ graphql }: Caller, name: string) {
  const { data } = await graphql<{ __type: { fields: { name: string; type: FieldType }[] } }>(
    'query ($name: String!) { __type(name: $name) { fields { name type { kind ofType { kind } } } } }',
    { name },
  );
  return data;
}

describe('The list of orders', () => {
  async function shelf(count: number): Promise<{ caller: Caller; newestFirst: string[] }> {
    const caller = await world.company();
    await upsertOrders(
      caller,
      times(count, i => order(`o-${i}`)),
    );
    return { caller, newestFirst: times(count, i => `o-${count - 1 - i}`) };
  }

  test('shows 50 unless the call says how many', async () => {
    const { caller, newestFirst } = await shelf(60);
    expect(numbersOf(await ask<Page>(caller, PAGE))).toEqual(newestFirst.slice(0, 50));
  });

  test('is not shifted by an order that is created between two pages', async () => {
    const { caller, newestFirst } = await shelf(6);
    const first = await ask<Page>(caller, PAGE, { first: 3 });
    await upsertOrders(caller, [order('late')]);
    const second = await ask<Page>(caller, PAGE, { first: 3, after: first.pageInfo.endCursor });
    expect([...numbersOf(first), ...numbersOf(second)]).toEqual(newestFirst);
  });

  test('has the orders between two cursors', async () => {
    const { caller, newestFirst } = await shelf(9);
    const { edges } = await ask<Page>(caller, PAGE);
    const between = { after: edges[1]?.cursor, before: edges[7]?.cursor };
    expect(numbersOf(await ask<Page>(caller, PAGE, between))).toEqual(newestFirst.slice(2, 7));
    expect(numbersOf(await ask<Page>(caller, PAGE, { ...between, first: 2 }))).toEqual(newestFirst.slice(2, 4));
    expect(numbersOf(await ask<Page>(caller, PAGE, { ...between, last: 2 }))).toEqual(newestFirst.slice(5, 7));
  });

  test('is not filtered by a condition that is null', async () => {
    const { caller, newestFirst } = await shelf(2);
    for (const filter of [null, { orderNumber: null }]) {
      expect(numbersOf(await ask<Page>(caller, PAGE, { filter }))).toEqual(newestFirst);
    }
  });
});

describe('A page of orders and of shipments', () => {
  const query = (list: string) => `query ($first: Int, $last: Int, $after: String, $before: String) {
    ${list}(first: $first, last: $last, after: $after, before: $before) { totalCount } }`;
  const id = (text: string) => Buffer.from(`id:${text}`).toString('base64url');
  const bad: [args: Item, pointer: string, code: string][] = [
    [{ first: 0 }, '/first', 'out_of_range'],
    [{ first: 251 }, '/first', 'out_of_range'],
    [{ last: 0 }, '/last', 'out_of_range'],
    [{ last: 251 }, '/last', 'out_of_range'],
    [{ after: 'nonsense' }, '/after', 'invalid_cursor'],
    [{ before: id('1 or true') }, '/before', 'invalid_cursor'],
    [{ before: id('99999999999999999999') }, '/before', 'invalid_cursor'],
  ];
  test.each(bad)('with %j is rejected', async (args, pointer, code) => {
    const { graphql } = await world.company();
    for (const list of ['orders', 'shipments']) {
      for (const document of [unseen(query(list)), ...times(4, () => query(list))]) {
        const { errors } = await graphql(document, args);
        expect(errors).toMatchObject([
          { path: [list], extensions: { code: 'validation_failed', status: 422, errors: [{ pointer, code }] } },
        ]);
      }
    }
  });
});

test('Marketplaces are listed once each, by name, and only of the company', async () => {
  const [caller, other] = [await world.company(), await world.company()];
  const names = ['Zalando', 'Amazon', 'Etsy', 'Amazon', 'Bol', 'Zalando', null, 'Amazon DE'];
  await upsertOrders(
    caller,
    names.map((marketplace, i) => order(`m-${i}`, { marketplace })),
  );
  await upsertOrders(other, [order('m-0', { marketplace: 'Elsewhere' })]);
  const marketplaces = (of: Caller) => askNodes<{ name: string }>(of, '{ marketplaces { nodes { name } } }');
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
