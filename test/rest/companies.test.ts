import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { failureOf } from '../support/graphql-client.ts';
import {
  connectCarrier,
  createWarehouse,
  feedOrders,
  feedShipments,
  RECIPIENT,
  recordEvents,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { furnish, MARK, NOTHING, nameOf, requestFor, type Things } from './examples.ts';
import { unnamed } from './raw-http.ts';

const world = useSharedWorld();
let owner: Caller;
let outsider: Caller;
let things: Things;
beforeAll(async () => {
  owner = await world.company();
  outsider = await world.company();
  things = await furnish(owner);
  // The outsider has things too: it is not refused for having nothing.
  await createWarehouse(outsider, { name: 'Proprio' });
  const connection = await connectCarrier(outsider, 'DHL', 'Proprio');
  await feedOrders(outsider, { orderNumber: 'OWN', marketplaceOrderNumber: 'OWN', marketplace: 'Proprio' });
  await feedShipments(outsider, connection, { trackingNumber: 'OWN', orderNumber: 'OWN' });
});

const rows = ENDPOINTS.map(endpoint => ({ name: nameOf(endpoint), endpoint }));
/** Whether a request names a thing, in its path or its body. */
const isAboutThings = ({ endpoint }: (typeof rows)[number]) => {
  const anywhere = new Proxy({}, { get: (_target, name) => `the ${String(name)}`.length.toString() });
  return JSON.stringify(requestFor(endpoint, anywhere)) !== JSON.stringify(requestFor(endpoint, NOTHING));
};

describe('Over REST, to another company,', () => {
  test.each(rows.filter(isAboutThings))('$name responds as for a thing that never existed', async ({ endpoint }) => {
    const { method, path, body } = requestFor(endpoint, things);
    const never = requestFor(endpoint, NOTHING);
    const forbidden = await outsider.rest(method, path, body);
    const absent = await outsider.rest(method, never.path, never.body);
    expect(absent.status).toBe(404);
    expect(unnamed(forbidden)).toEqual(unnamed(absent));
    expect(forbidden.body.instance).toContain(path);
  });

  test.each(rows.filter(row => !isAboutThings(row)))('$name shows nothing of the owner’s', async ({ endpoint }) => {
    const { method, path, body } = requestFor(endpoint, NOTHING);
    const { status, text } = await outsider.rest(method, path, body);
    expect(status).toBe(endpoint.status);
    for (const secret of [MARK, owner.companyId, owner.apiKeyId, owner.apiKey]) expect(text).not.toContain(secret);
  });

  test('no request changed anything of the owner’s', async () => {
    const fresh = await furnish(owner);
    const warehouse = (await owner.rest('GET', `/warehouses/${fresh.warehouseId}`)).text;
    const record = (await owner.rest('GET', `/shipments/tracking/by-tracking-number/${fresh.trackingNumber}`)).text;
    for (const { endpoint } of rows) {
      const { method, path, body } = requestFor(endpoint, fresh);
      await outsider.rest(method, path, body);
    }
    expect((await owner.rest('GET', `/warehouses/${fresh.warehouseId}`)).text).toBe(warehouse);
    expect((await owner.rest('GET', `/shipments/tracking/by-tracking-number/${fresh.trackingNumber}`)).text).toBe(
      record,
    );
  });

  test.each(rows)('$name is closed by the key alone, since the owner’s same request succeeds', async ({ endpoint }) => {
    const { method, path, body } = requestFor(endpoint, await furnish(owner));
    expect((await owner.rest(method, path, body)).status).toBe(endpoint.status);
  });

  test('a warehouse in use is absent, not in use', async () => {
    const id = await createWarehouse(owner);
    await feedOrders(owner, { orderNumber: `${MARK}-in-use`, warehouseId: id });
    const absent = await outsider.rest('DELETE', `/warehouses/${NOTHING.warehouseId}`);
    expect(unnamed(await outsider.rest('DELETE', `/warehouses/${id}`))).toEqual(unnamed(absent));
    expect((await owner.rest('DELETE', `/warehouses/${id}`)).status).toBe(409);
  });

  test('the same numbers may be used, and each company sees its own', async () => {
    const seen = [];
    for (const city of ['Torino', 'Bari']) {
      const caller = await world.company();
      const connection = await connectCarrier(caller);
      const recipient = { ...RECIPIENT, city };
      await feedOrders(caller, { orderNumber: 'SAME', marketplaceOrderNumber: 'SAME', recipient });
      const other = city === 'Torino' ? 'TO Bari' : 'TO Torino';
      await feedShipments(
        caller,
        connection,
        {
          trackingNumber: 'SAME',
          orderNumber: 'SAME',
          relatedShipments: [{ trackingNumber: `TO ${city}`, type: 'return' }],
        },
        { trackingNumber: other, orderNumber: 'SAME', relatedShipments: [{ trackingNumber: 'BACK', type: 'return' }] },
        { trackingNumber: 'BACK', recipient },
      );
      seen.push({ caller, city });
    }
    for (const { caller, city } of seen) {
      const { body: one } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/SAME');
      expect(one.recipient.city).toBe(city);
      // The related shipment exists, but only in the other company.
      expect(one).not.toHaveProperty('relatedShipments');
      const { body: back } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/BACK');
      expect(back.recipient.city).toBe(city);
      const { body: list } = await caller.rest('GET', '/shipments/tracking/by-order-number/SAME');
      // Both companies have their own records.
      expect(list[1].relatedShipments).toMatchObject([{ trackingNumber: 'BACK', id: expect.any(Number) }]);
      expect(list.map((record: { recipient: { city: string } }) => record.recipient.city)).toEqual([city, city]);
    }
  });
});

describe('Over GraphQL, to another company,', () => {
  const QUERIES: readonly [name: string, query: string][] = [
    ['warehouse', 'query ($id: ID!) { warehouse(id: $id) { id: databaseId name } }'],
    [
      'trackingByNumber',
      'query ($trackingNumber: String!) { trackingByNumber(trackingNumber: $trackingNumber) { id: databaseId } }',
    ],
    [
      'trackingByOrderNumber',
      'query ($orderNumber: String!) { trackingByOrderNumber(orderNumber: $orderNumber) { nodes { id: databaseId } } }',
    ],
    [
      'updateWarehouse',
      'mutation ($id: ID!) { updateWarehouse(input: { id: $id, name: "x" }) { warehouse { id: databaseId } userErrors { code pointer message } } }',
    ],
    [
      'deleteWarehouse',
      'mutation ($id: ID!) { deleteWarehouse(input: { id: $id }) { warehouse { id: databaseId } userErrors { code pointer message } } }',
    ],
  ];

  test.each(QUERIES)('%s responds as for a thing that never existed', async (_name, query) => {
    const variables = ({ warehouseId, ...numbers }: Things) => ({ id: Number(warehouseId), ...numbers });
    const told = async (by: Caller, of: Things) => {
      const { data, errors } = await by.graphql(query, variables(of));
      const failure = failureOf({ data, errors });
      return { data, path: errors?.[0]?.path, ...failure, requestId: '…' };
    };
    const absent = await told(outsider, NOTHING);
    if (query.startsWith('mutation')) expect(absent.code).toMatch(/_not_found$/);
    else expect([Object.values(absent.data), absent.code]).toEqual([[null], undefined]);
    expect(await told(outsider, things)).toEqual(absent);
    expect((await told(owner, await furnish(owner))).code).toBeUndefined();
  });

  test('no list has anything of the owner’s', async () => {
    const query = `{
      apiKey { companyId apiKeyId: id label }
      warehouses { nodes { name } }
      carriers: carrierConnections { nodes { label } }
      marketplaces { nodes { name } }
      orders(first: 250) { edges { node { orderNumber warehouse { name } shipments { nodes { trackingNumber } } } } }
      shipments(first: 250) { edges { node { trackingNumber order { orderNumber } carrierConnection { label } } } }
    }`;
    const { data, errors } = await outsider.graphql(query);
    expect(errors).toBeUndefined();
    expect(JSON.stringify(data)).toContain('Proprio');
    for (const secret of [MARK, owner.companyId, owner.apiKeyId]) expect(JSON.stringify(data)).not.toContain(secret);
    expect(JSON.stringify((await owner.graphql(query)).data)).toContain(MARK);
  });

  test.each([
    ['shipments', 'statusCodes: CREATED'],
    ['shipments', 'isOpen: true'],
  ])('%s filtered by %s shows nothing of the owner’s', async (list, filter) => {
    const query = `{ ${list}(filter: { ${filter} }) { edges { node { trackingNumber } } } }`;
    const { data } = await outsider.graphql(query);
    expect(data).toEqual({ [list]: { edges: [{ node: { trackingNumber: 'OWN' } }] } });
  });

  test('filters and cursors of the owner’s find nothing', async () => {
    const { data: owners } = await owner.graphql<{
      orders: { edges: { cursor: string; node: { orderNumber: string } }[] };
      carriers: { nodes: { databaseId: number }[] };
    }>('{ orders { edges { cursor node { orderNumber } } } carriers: carrierConnections { nodes { databaseId } } }');
    const [edge] = owners.orders.edges;
    const { data, errors } = await outsider.graphql(
      `query ($number: String!, $carrier: ID!, $cursor: String!) {
        byNumber: orders(filter: { orderNumber: $number }) { edges { cursor } }
        byOrder: shipments(filter: { orderNumber: $number }) { edges { cursor } }
        byCarrier: shipments(filter: { carrierConnectionId: $carrier }) { edges { cursor } }
        before: orders(last: 250, before: $cursor) { edges { node { orderNumber } } }
      }`,
      { number: edge?.node.orderNumber, carrier: owners.carriers.nodes[0]?.databaseId, cursor: edge?.cursor },
    );
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ byNumber: { edges: [] }, byOrder: { edges: [] }, byCarrier: { edges: [] } });
    expect(JSON.stringify(data)).not.toContain(MARK);
  });

  test('sent records cannot refer to the owner’s warehouse, connection, order or shipment', async () => {
    const { data } = await owner.graphql<{
      carriers: { nodes: { databaseId: number }[] };
      trackingByNumber: { orderNumber: string };
    }>(
      'query ($n: String!) { carriers: carrierConnections { nodes { databaseId } } trackingByNumber(trackingNumber: $n) { orderNumber } }',
      {
        n: things.trackingNumber,
      },
    );
    const { orderNumber } = data.trackingByNumber;
    const theirs = {
      connection: data.carriers.nodes[0]?.databaseId,
      warehouse: Number(things.warehouseId),
      order: orderNumber,
    };
    const nobodys = { connection: 2_147_483_647, warehouse: 2_147_483_647, order: 'NEVER' };
    const own = await connectCarrier(outsider);
    const refusals = async (of: typeof theirs) => {
      const order = { orderNumber: 'REFERS', recipient: RECIPIENT };
      const shipment = { carrierConnectionId: own, trackingNumber: 'REFERS', recipient: RECIPIENT };
      const batches = [
        await upsertOrders(outsider, [{ ...order, warehouseId: of.warehouse }]),
        await upsertShipments(outsider, [
          { ...shipment, carrierConnectionId: of.connection },
          { ...shipment, warehouseId: of.warehouse },
          { ...shipment, orderNumber: of.order },
        ]),
      ];
      return batches.flatMap(({ results }) => results);
    };
    const absent = await refusals(nobodys);
    expect(absent.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['rejected', 'warehouse_not_found'],
      ['rejected', 'carrier_connection_not_found'],
      ['rejected', 'warehouse_not_found'],
      ['rejected', 'order_not_found'],
    ]);
    expect(await refusals(theirs)).toEqual(absent);

    const event = { occurredAt: '2026-11-20T08:00:00Z', statusCode: 'delivered' };
    const { results } = await recordEvents(outsider, [
      { ...event, trackingNumber: things.trackingNumber },
      { ...event, trackingNumber: things.trackingNumber, carrierConnectionId: theirs.connection },
      { ...event, trackingNumber: NOTHING.trackingNumber },
    ]);
    // But for their places in the batch.
    const [byNumber, byBoth, absentEvent] = results.map(({ index: _, ...result }) =>
      JSON.stringify(result).replaceAll(/(?<=events\W)\d/g, 'N'),
    );
    expect([byNumber, byBoth]).toEqual([absentEvent, absentEvent]);
    expect(results[2]?.code).toBe('shipment_not_found');
    const { body } = await owner.rest('GET', `/shipments/tracking/by-tracking-number/${things.trackingNumber}`);
    expect(body.timeline).toEqual([]);
  });
});
