import { beforeAll, describe, expect, test } from 'vitest';
import { importTariff, TARIFF } from '../rest/feed.ts';
import {
  ask,
  askNodes,
  connectCarrier,
  createWarehouse,
  order,
  recordEvents,
  shipment,
  times,
  unseen,
  upsertOrders,
  upsertShipments,
} from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld({ ...REACHABLE, ROLE: 'api' });
const COUNT = 5;
let caller: Caller;
let outsider: Caller;

/** A company with so many of everything that is listed. */
async function furnished(): Promise<Caller> {
  const own = await world.company();
  const connections: number[] = [];
  for (let i = 0; i < COUNT; i++) {
    connections.push(await connectCarrier(own, 'BRT', `Account ${i}`));
    await importTariff(own, connections[i] ?? 0, TARIFF);
    await createWarehouse(own, { name: `Warehouse ${i}` });
    if (i > 0)
      await ask(
        own,
        'mutation { createApiKey(input: { label: "x", scopes: [ALL] }) { apiKey userErrors { code pointer message } } }',
      );
    await ask(
      own,
      'mutation { createWebhookEndpoint(input: { label: "x", url: "http://127.0.0.1:9/x", events: [TRACKING_ALL] }) { webhookEndpoint { id } userErrors { code pointer message } } }',
    );
  }
  const orders = times(COUNT, i => order(`o-${i}`, { marketplace: `m-${i}`, marketplaceOrderNumber: 'same' }));
  await upsertOrders(own, orders);
  await upsertShipments(
    own,
    times(COUNT, i =>
      shipment(connections[i] ?? 0, 'N', {
        orderNumber: 'o-0',
        parcelId: `p-${i}`,
        relatedShipments: [{ trackingNumber: 'PARENT', type: 'parent' }],
      }),
    ),
  );
  await upsertShipments(own, [shipment(connections[0] ?? 0, 'PARENT')]);
  const events = times(COUNT, i => ({
    trackingNumber: 'N',
    carrierConnectionId: connections[COUNT - 1],
    // Two of them at one time, of which the one that came first is the first.
    occurredAt: new Date(Date.UTC(2026, 10, 20, 9, i === 2 ? 1 : i)).toISOString(),
    carrierStatusCode: `c-${i}`,
    statusCode: 'in_transit',
  }));
  expect(await recordEvents(own, events)).toMatchObject({ created: COUNT });
  return own;
}

beforeAll(async () => {
  caller = await furnished();
  outsider = await furnished();
});

interface List {
  readonly what: string;
  /** With `PAGE` where the arguments stand. */
  readonly query: string;
}

const LISTS: readonly List[] = [
  { what: 'warehouses', query: '{ warehouses(PAGE) { edges { cursor node { id } } } }' },
  {
    what: 'carrierConnections',
    query: '{ carrierConnections(PAGE) { edges { cursor node { id } } } }',
  },
  { what: 'tariffs', query: '{ tariffs(PAGE) { edges { cursor node { id } } } }' },
  { what: 'apiKeys', query: '{ apiKeys(PAGE) { edges { cursor node { id } } } }' },
  { what: 'webhookEndpoints', query: '{ webhookEndpoints(PAGE) { edges { cursor node { id } } } }' },
  { what: 'marketplaces', query: '{ marketplaces(PAGE) { edges { cursor node { id } } } }' },
  {
    what: 'trackingByOrderNumber',
    query: '{ trackingByOrderNumber(orderNumber: "same", PAGE) { edges { cursor node { id } } } }',
  },
  {
    what: 'Shipment.relatedShipments',
    query: '{ trackingByNumber(trackingNumber: "PARENT") { relatedShipments(PAGE) { edges { cursor node { id } } } } }',
  },
  {
    what: 'Order.shipments',
    query: '{ order(by: { orderNumber: "o-0" }) { shipments(PAGE) { edges { cursor node { id } } } } }',
  },
];

type Entry = Record<string, string>;

/** The innermost list of what a document answers. */
function listIn(value: unknown): Entry[] {
  const inner = Object.values(value as object)[0];
  return Array.isArray(inner) ? inner : listIn(inner);
}

async function read(of: Caller, { query }: List, page: string): Promise<Entry[]> {
  const { data, errors } = await of.graphql(unseen(query.replace('PAGE', page)));
  expect(errors).toBeUndefined();
  return listIn(data);
}

describe('The list', () => {
  test.each(LISTS)('$what can be read page by page', async list => {
    const all = await read(caller, list, 'first: 10000');
    expect(all).toHaveLength(COUNT);
    const parts: Entry[] = [];
    for (let part = await read(caller, list, 'first: 2'); part.length > 0; ) {
      expect(part.length).toBeLessThanOrEqual(2);
      parts.push(...part);
      part = await read(caller, list, `first: 2, after: ${JSON.stringify(parts.at(-1)?.cursor)}`);
    }
    expect(parts).toEqual(all);
  });

  test.each(LISTS)('$what shows nothing for another company’s cursor', async list => {
    const own = await read(caller, list, 'first: 10000');
    const others = await read(outsider, list, 'first: 10000');
    for (const entry of others) {
      const after = await read(caller, list, `after: ${JSON.stringify(entry.cursor)}`);
      for (const found of after) expect(own).toContainEqual(found);
    }
  });

  test.each(LISTS)('$what rejects a page size out of range', async ({ query }) => {
    for (const size of [0, -1, 10_001]) {
      const { errors } = await caller.graphql(query.replace('PAGE', `first: ${size}`));
      expect(errors?.[0]?.extensions).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/first', code: 'out_of_range', message: 'must be from 1 to 10000' }],
      });
    }
  });

  test.each(LISTS)('$what rejects an invalid cursor', async ({ query }) => {
    const { errors } = await caller.graphql(query.replace('PAGE', 'after: "x"'));
    expect(errors?.[0]?.extensions.errors).toMatchObject([{ pointer: '/after', code: 'invalid_cursor' }]);
  });

  test('of the attempts of a delivery can be read page by page', async () => {
    const [endpoint] = await askNodes<{ id: string }>(caller, '{ webhookEndpoints(first: 1) { nodes { id } } }');
    const query = `mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery {
      attempts(first: 1) { nodes { number } pageInfo { hasNextPage endCursor } } } userErrors { code pointer message } } }`;
    expect(await ask(caller, query, { id: endpoint?.id })).toEqual({
      attempts: { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } },
    });
  });
});

describe('A timeline', () => {
  interface Timeline {
    readonly edges: readonly { readonly cursor: string; readonly node: { readonly carrierStatusCode: string } }[];
    readonly pageInfo: { readonly hasPreviousPage: boolean; readonly hasNextPage: boolean; startCursor: string | null };
  }
  const codes = async (page: string) => {
    const query = `{ trackingByNumber(trackingNumber: "p-4") { timeline${page} {
      edges { cursor node { carrierStatusCode } } pageInfo { hasPreviousPage hasNextPage startCursor } } } }`;
    const { timeline } = await ask<{ timeline: Timeline }>(caller, unseen(query));
    const { edges, pageInfo } = timeline;
    expect(pageInfo.startCursor).toBe(edges[0]?.cursor ?? null);
    return { codes: edges.map(({ node }) => node.carrierStatusCode.slice(2)).join(''), ...pageInfo };
  };

  test('shows the newest entries, from oldest to newest, and then the entries before them', async () => {
    expect(await codes('')).toMatchObject({ codes: '01234', hasPreviousPage: false, hasNextPage: false });
    expect(await codes('(last: 5)')).toMatchObject({ codes: '01234', hasPreviousPage: false });
    const newest = await codes('(last: 2)');
    expect(newest).toMatchObject({ codes: '34', hasPreviousPage: true, hasNextPage: false });
    const before = await codes(`(last: 2, before: "${newest.startCursor}")`);
    expect(before).toMatchObject({ codes: '12', hasPreviousPage: true, hasNextPage: true });
    const first = await codes(`(before: "${before.startCursor}")`);
    expect(first).toMatchObject({ codes: '0', hasPreviousPage: false, hasNextPage: true });
    expect(await codes(`(before: "${first.startCursor}")`)).toMatchObject({ codes: '', startCursor: null });
  });

  test('is the same for every shipment of a list', async () => {
    const query =
      '{ trackingByOrderNumber(orderNumber: "same") { nodes { timeline(last: 1) { nodes { carrierStatusCode } } } } }';
    const records = await askNodes<{ timeline: { nodes: unknown[] } }>(caller, query);
    expect(records.map(({ timeline }) => timeline.nodes)).toEqual([[], [], [], [], [{ carrierStatusCode: 'c-4' }]]);
  });

  test('rejects a page size out of range', async () => {
    const { errors } = await caller.graphql(
      '{ shipments(first: 1) { edges { node { timeline(last: 10001) { nodes { id } } } } } }',
    );
    expect(errors?.[0]?.extensions.errors).toMatchObject([{ pointer: '/last', code: 'out_of_range' }]);
  });

  test('is whole in REST and has the newest hundred entries in GraphQL, however long it is', async () => {
    const many = 250;
    const connection = await connectCarrier(caller);
    await upsertShipments(caller, [shipment(connection, 'LONG')]);
    const events = times(many, i => ({
      trackingNumber: 'LONG',
      occurredAt: new Date(Date.UTC(2026, 10, 20, 0, i)).toISOString(),
      statusCode: 'in_transit',
    }));
    expect(await recordEvents(caller, events)).toMatchObject({ created: many });
    const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/LONG');
    const whole = body.timeline.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(whole).toEqual(events.map(({ occurredAt }) => occurredAt));
    const { timeline } = await ask<{ timeline: { nodes: { occurredAt: string }[] } }>(
      caller,
      '{ trackingByNumber(trackingNumber: "LONG") { timeline { nodes { occurredAt } } } }',
    );
    expect(timeline.nodes.map(({ occurredAt }) => occurredAt)).toEqual(whole.slice(-100));
  });
});

describe('A list', () => {
  test.each([
    [
      'by its size',
      '{ warehouses(first: 10000) { nodes { a: databaseId b: databaseId c: databaseId d: databaseId e: databaseId f: databaseId g: databaseId h: databaseId i: databaseId j: databaseId k: databaseId l: databaseId m: databaseId n: databaseId o: databaseId p: databaseId q: databaseId r: databaseId s: databaseId t: databaseId } } }',
    ],
    [
      'by its size in a list',
      '{ orders(first: 250) { edges { node { shipments(first: 1000) { nodes { id: databaseId } } } } } }',
    ],
    [
      'by a size that it does not say',
      '{ orders(first: 250) { edges { node { shipments { nodes { timeline { nodes { id } } } } } } } }',
    ],
    [
      'beside an argument that must be given',
      '{ trackingByOrderNumber(orderNumber: "x", first: 10000) { nodes { timeline { nodes { id } } } } }',
    ],
  ])('costs as much as it may return: %s', async (_what, query) => {
    const { errors } = await caller.graphql(query);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'graphql_too_complex' });
  });

  test('costs less if only a part of it is requested', async () => {
    const query =
      'query ($n: Int) { trackingByOrderNumber(orderNumber: "same", first: $n) { nodes { timeline(last: $n) { nodes { id } } } } }';
    for (let i = 0; i < 4; i++) {
      expect((await caller.graphql(query, { n: 10_000 })).errors?.[0]?.extensions.code).toBe('graphql_too_complex');
      expect((await caller.graphql(query, { n: 3 })).data).toMatchObject({
        trackingByOrderNumber: { nodes: { length: 3 } },
      });
    }
  });
});
