import { beforeAll, describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  createWarehouse,
  order,
  recordEvents,
  shipment,
  times,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { statementsOf } from '../support/statements.ts';
import { type Caller, useWorld } from '../support/world.ts';

// Without the jobs of a worker, whose statements belong to no query.
const world = useWorld({ ROLE: 'api' });

/** More than the keys of one company that share a statement with others. */
const ROWS = 20;
let caller: Caller;

// Every shipment has an order, a warehouse, a connection, events and a relation of its own, so that nothing is shared by chance.
beforeAll(async () => {
  caller = await world.company();
  const connections = await Promise.all(times(ROWS, i => connectCarrier(caller, 'BRT', `Account ${i}`)));
  const [warehouses, others] = await Promise.all(
    ['Warehouse', 'Other'].map(name =>
      Promise.all(times(ROWS, i => createWarehouse(caller, { name: `${name} ${i}` }))),
    ),
  );
  const orders = times(ROWS, i =>
    order(`o-${i}`, { warehouseId: others?.[i], marketplaceOrderNumber: 'same', marketplace: `m-${i}` }),
  );
  expect(await upsertOrders(caller, orders)).toMatchObject({ created: ROWS });
  const shipments = times(ROWS, i =>
    shipment(connections[i] ?? 0, `n${i}`, {
      orderNumber: `o-${i}`,
      warehouseId: warehouses?.[i],
      relatedShipments: [{ trackingNumber: `n${(i + 1) % ROWS}`, type: 'child' }],
    }),
  );
  expect(await upsertShipments(caller, shipments)).toMatchObject({ created: ROWS });
  const events = times(ROWS * 2, i => ({
    trackingNumber: `n${i % ROWS}`,
    occurredAt: new Date(Date.UTC(2026, 10, 21, 9, i)).toISOString(),
    statusCode: 'in_transit',
  }));
  expect(await recordEvents(caller, events)).toMatchObject({ created: ROWS * 2 });
});

type Connection = { edges: { node: object }[] };

describe('The number of statements of a query', () => {
  // Beside the root field's own statement, one for each kind of thing a field leads to.
  const queries: [statements: number, what: string, query: string][] = [
    [1, 'shipments', '{ trackingNumber statusLabel carrier { name } recipient { city country } orderNumber }'],
    [1, 'shipments', '{ timeline { nodes { statusLabel location } } }'],
    [2, 'shipments', '{ timeline(last: 5) { nodes { statusLabel location } } }'],
    [2, 'shipments', '{ relatedShipments { nodes { type trackingNumber carrierName } } }'],
    [
      3,
      'shipments',
      '{ relatedShipments(first: 2) { nodes { shipment { trackingNumber timeline { nodes { statusLabel } } } } } }',
    ],
    [2, 'shipments', '{ order { orderNumber parcels { weight } } }'],
    [1, 'shipments', '{ order { orderNumber marketplace codAmount createdAt } }'],
    [2, 'shipments', '{ order { warehouse { name } } }'],
    [2, 'shipments', '{ warehouse { name } a: warehouse { city } }'],
    [2, 'shipments', '{ carrierConnection { label } }'],
    [
      5,
      'shipments',
      `{ timeline { nodes { statusLabel } } relatedShipments { nodes { type } } carrierConnection { label } warehouse { name }
        order { orderNumber warehouse { warehouseType { name } } } }`,
    ],
    [2, 'orders', '{ shipments(first: 1) { totalCount } }'],
    [1, 'orders', '{ orderNumber recipient { city } parcels { weight } }'],
    [2, 'orders', '{ warehouse { name } }'],
    [2, 'orders', '{ shipments { nodes { trackingNumber carrier { name } } } }'],
    [
      2,
      'orders',
      '{ shipments(first: 1) { nodes { id } } more: shipments(first: 1, after: "aWQ6MQ") { nodes { id } } }',
    ],
    [3, 'orders', '{ shipments(first: 5) { nodes { timeline(last: 5) { nodes { statusLabel } } } } }'],
    [
      8,
      'orders',
      '{ shipments(first: 5) { nodes { timeline { nodes { statusLabel } } relatedShipments { nodes { type } } warehouse { name } carrierConnection { label } order { id } } } warehouse { city } }',
    ],
  ];

  test.each(queries)('is %i for 20 rows as for 2: %s %s', async (statements, root, selection) => {
    const query = `query ($first: Int!) { ${root}(first: $first) { edges { node ${selection} } } }`;
    // Interpreted twice, and compiled from the third time on.
    for (let run = 0; run < 2; run++) {
      for (const first of [2, ROWS]) {
        const counted = await statementsOf(world, async () => {
          const { data, errors } = await caller.graphql<Record<string, Connection>>(query, { first });
          expect(errors).toBeUndefined();
          expect(data[root]?.edges).toHaveLength(first);
        });
        expect(counted, `${first} rows`).toHaveLength(statements);
      }
    }
  });

  test('is one for all warehouses, and for all connections', async () => {
    for (const query of [
      '{ warehouses { nodes { name warehouseType { name } } } }',
      '{ carriers: carrierConnections { nodes { label capabilities } } }',
    ]) {
      const counted = await statementsOf(world, async () => {
        const { data } = await caller.graphql<Record<string, { nodes: object[] }>>(query);
        expect(Object.values(data)[0]?.nodes.length).toBeGreaterThanOrEqual(ROWS);
      });
      expect(counted).toHaveLength(1);
    }
  });

  test('is one for the marketplaces', async () => {
    expect(await statementsOf(world, () => caller.graphql('{ marketplaces { nodes { name } } }'))).toEqual([
      'marketplaces',
    ]);
  });

  test('is one for all warehouses that are requested by id', async () => {
    const { data } = await caller.graphql<{ warehouses: { nodes: { id: number }[] } }>(
      '{ warehouses { nodes { id: databaseId } } }',
    );
    const fields = (count: number) =>
      data.warehouses.nodes.slice(0, count).map(({ id }) => `w${id}: warehouse(id: ${id}) { name }`);
    for (const count of [2, ROWS]) {
      expect(await statementsOf(world, () => ask(caller, `{ ${fields(count).join(' ')} }`))).toEqual([
        'warehouse-by-id',
      ]);
    }
  });
});

test('The times of the requesting key take one statement', async () => {
  const query = '{ apiKey { expiresAt lastUsedAt } other: apiKey { lastUsedAt } }';
  expect(await statementsOf(world, () => ask(caller, query))).toEqual(['api-key-details']);
});

describe('A tracking record over REST', () => {
  // Reading a record is one statement; whether anything is related tells the record itself.
  test('takes as many statements for 20 shipments of an order number as for one', async () => {
    const alone = await world.company();
    const connection = await connectCarrier(alone);
    await upsertOrders(alone, [order('o', { marketplaceOrderNumber: 'same' })]);
    await upsertShipments(alone, [
      shipment(connection, 'n1', { orderNumber: 'o', relatedShipments: [{ trackingNumber: 'n2', type: 'child' }] }),
      shipment(connection, 'n2'),
    ]);
    const path = '/shipments/tracking/by-order-number/same';
    const counts: number[] = [];
    for (const [{ rest }, shipments] of [
      [alone, 1],
      [caller, ROWS],
    ] as const) {
      await rest('GET', '/health');
      const counted = await statementsOf(world, async () =>
        expect((await rest('GET', path)).body).toHaveLength(shipments),
      );
      counts.push(counted.length);
    }
    expect(counts).toEqual([2, 2]);
  });
});
