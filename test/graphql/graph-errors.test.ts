import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { ask, type Item, order, UPSERT_ORDERS, unseen } from '../support/platform-side.ts';
import { NOT_FOUND, useGraph } from './graph-calls.ts';

const given = useGraph();
const { post, world } = given;

describe('An error', () => {
  const refused: [what: string, body: Item, code: string, status: number][] = [
    ['a field that does not exist', { query: '{ apiKey { nope } }' }, 'graphql_invalid', 400],
    ['a document that does not parse', { query: '{ apiKey {' }, 'graphql_invalid', 400],
    ['an empty document', { query: ' ' }, 'graphql_invalid', 400],
    ['a literal of the wrong type', { query: '{ warehouse(id: true) { id } }' }, 'graphql_invalid', 400],
    ['a list of too many', { query: '{ orders(first: 100000) { nodes { id } } }' }, 'validation_failed', 422],
    ['an argument that is missing', { query: '{ warehouse { id: databaseId } }' }, 'graphql_invalid', 400],
    [
      'two operations and no name',
      { query: 'query A { apiKey { ok } } query B { apiKey { ok } }' },
      'graphql_invalid',
      400,
    ],
    [
      'two operations and the name of a third',
      { query: 'query A { apiKey { ok } } query B { apiKey { label } }', operationName: 'C' },
      'graphql_invalid',
      400,
    ],
    ['a subscription', { query: 'subscription { apiKey { ok } }' }, 'graphql_invalid', 400],
    ['a variable that is missing', { query: NOT_FOUND }, 'validation_failed', 422],
    ['a variable of the wrong type', { query: NOT_FOUND, variables: { number: 5 } }, 'validation_failed', 422],
    [
      'a quote of an order that does not exist',
      { query: '{ quoteShipment(input: { shipment: { orderId: 2000000000 } }) { __typename } }' },
      'order_not_found',
      404,
    ],
  ];

  test.each(refused)(
    'for %s has code, status and the id of the request, however often it comes',
    async (_what, body, code, status) => {
      for (let i = 0; i < 6; i++) {
        const answer = await post(given.caller, body);
        for (const value of Object.values(answer.body.data ?? {})) expect(value).toBeNull();
        const requestId = answer.headers.get('x-request-id');
        expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,200}$/);
        expect(answer.body.errors).toMatchObject([{ extensions: { code, status, requestId } }]);
        expect(answer.status).toBeLessThan(500);
      }
    },
  );

  test('has the request id that the caller sent', async () => {
    for (const query of ['{ apiKey { nope } }', '{ apiKey {', '{ orders(first: 100000) { nodes { id } } }']) {
      const { headers, body } = await post(given.caller, { query }, { 'x-request-id': 'caller.id_1-2' });
      expect(headers.get('x-request-id')).toBe('caller.id_1-2');
      expect(body.errors?.map(({ extensions }) => extensions.requestId)).toEqual(['caller.id_1-2']);
    }
  });

  test('of a resolver has its path and its location', async () => {
    for (let i = 0; i < 4; i++) {
      const { body } = await post(given.caller, {
        query: '{ wanted: quoteShipment(input: { shipment: { orderId: 2000000000 } }) { __typename } }',
      });
      expect(body.errors).toMatchObject([{ path: ['wanted'], locations: [{ line: 1, column: 3 }] }]);
    }
  });

  test('in a document has the status 400 for clients that accept GraphQL’s media type', async () => {
    const accept = 'application/graphql-response+json';
    const { status, headers } = await post(given.caller, { query: '{ nope }' }, { accept });
    expect([status, headers.get('content-type')]).toEqual([400, `${accept}; charset=utf-8`]);
    for (let i = 0; i < 4; i++) {
      const found = await post(given.caller, { query: '{ apiKey { ok } }' }, { accept });
      expect([found.status, found.headers.get('content-type')]).toEqual([200, `${accept}; charset=utf-8`]);
    }
  });

  test('is reported for a document that is nested very deeply, as an error of the document', async () => {
    for (const query of [
      `{ apiKey ${'{ ok '.repeat(20_000)}${'}'.repeat(20_000)} }`,
      `{ orders(filter: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { edges { cursor } } }`,
    ]) {
      const { body } = await post(given.caller, { query });
      expect(body.errors).toMatchObject([{ extensions: { code: 'graphql_invalid', status: 400 } }]);
    }
  });
});

describe('A key without the scope', () => {
  test.each([
    ['{ warehouses { nodes { id: databaseId } } }', 'warehouses', 'warehouses:read'],
    ['{ w: warehouse(id: 1) { id: databaseId } }', 'w', 'warehouses:read'],
    ['{ carriers: carrierConnections { nodes { label } } }', 'carriers', 'carriers:read'],
    ['{ marketplaces { nodes { name } } }', 'marketplaces', 'marketplaces:read'],
    ['{ shipments { edges { cursor } } }', 'shipments', 'shipments:tracking'],
    ['{ orders { edges { cursor } } }', 'orders', 'shipments:tracking'],
    ['{ trackingByNumber(trackingNumber: "n1") { id: databaseId } }', 'trackingByNumber', 'shipments:tracking'],
    [
      '{ trackingByOrderNumber(orderNumber: "405-1") { nodes { id: databaseId } } }',
      'trackingByOrderNumber',
      'shipments:tracking',
    ],
    [
      'mutation { deleteWarehouse(input: { id: 1 }) { warehouse { id: databaseId } userErrors { code pointer message } } }',
      'deleteWarehouse',
      'warehouses:delete',
    ],
    [
      'mutation { recordTrackingEvents(input: { events: [] }) { created userErrors { code pointer message } } }',
      'recordTrackingEvents',
      'tracking:write',
    ],
    [
      'mutation { upsertShipments(input: { shipments: [] }) { created userErrors { code pointer message } } }',
      'upsertShipments',
      'shipments:write',
    ],
  ])('gets an error for %s', async (query, field, requiredScope) => {
    const key = await world.key(given.caller.companyId, ['health:read']);
    for (let i = 0; i < 4; i++) {
      const { body } = await post(key, { query });
      expect(Object.values(body.data ?? {})).toEqual(body.data == null ? [] : [null]);
      expect(body.errors).toMatchObject([
        { path: [field], extensions: { code: 'insufficient_scope', status: 403, requiredScope } },
      ]);
    }
  });

  test('stores nothing', async () => {
    const key = await world.key(given.caller.companyId, ['health:read', 'shipments:tracking']);
    const { errors } = await key.graphql(UPSERT_ORDERS, { input: [order('forbidden')] });
    expect(errors).toMatchObject([{ extensions: { code: 'insufficient_scope', requiredScope: 'orders:write' } }]);
    const { edges } = await ask<{ edges: unknown[] }>(
      key,
      '{ orders(filter: { orderNumber: "forbidden" }) { edges { cursor } } }',
    );
    expect(edges).toEqual([]);
  });

  test('gets null and an error for the fields that it may not read, and all other fields', async () => {
    const key = await world.key(given.caller.companyId, ['shipments:tracking']);
    const query = `{ trackingByNumber(trackingNumber: "n1") {
      trackingNumber from: warehouse { id: databaseId } carrierConnection { label } order { orderNumber warehouse { id: databaseId } }
    } }`;
    for (let i = 0; i < 6; i++) {
      const { status, body } = await post(key, { query });
      expect(status).toBe(200);
      expect(body.data).toEqual({
        trackingByNumber: {
          trackingNumber: 'n1',
          from: null,
          carrierConnection: null,
          order: { orderNumber: 'o-1', warehouse: null },
        },
      });
      const refusals = body.errors?.map(({ path, extensions }) => [
        path?.join('.'),
        extensions.code,
        extensions.requiredScope,
      ]);
      expect(refusals?.toSorted()).toEqual([
        ['trackingByNumber.carrierConnection', 'insufficient_scope', 'carriers:read'],
        ['trackingByNumber.from', 'insufficient_scope', 'warehouses:read'],
        ['trackingByNumber.order.warehouse', 'insufficient_scope', 'warehouses:read'],
      ]);
    }
  });

  test('gets an error for each place in a list', async () => {
    const key = await world.key(given.caller.companyId, ['shipments:tracking']);
    for (let i = 0; i < 4; i++) {
      const { body } = await post(key, {
        query: '{ shipments { edges { node { trackingNumber warehouse { id: databaseId } } } } }',
      });
      const edges = ['n3', 'n2', 'n1'].map(trackingNumber => ({ node: { trackingNumber, warehouse: null } }));
      expect(body.data).toEqual({ shipments: { edges } });
      expect(body.errors?.map(({ path }) => path?.[2])).toEqual([0, 1, 2]);
    }
  });

  test('can introspect the schema', async () => {
    const key = await world.key(given.caller.companyId, ['warehouses:read']);
    expect(await ask(key, '{ __type(name: "Warehouse") { name } }')).toEqual({ name: 'Warehouse' });
  });
});

describe('An unexpected error', () => {
  /** Takes a table away for a moment: an honest fault of ours. */
  async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: world.ownerUrl });
    await client.connect();
    try {
      await client.query(`alter table ${table} rename to ${table}_away`);
      return await work();
    } finally {
      await client.query(`alter table ${table}_away rename to ${table}`);
      await client.end();
    }
  }

  test.each([
    ['a query', '{ orders { edges { node { orderNumber } } } }', undefined],
    ['a nested field', '{ shipments(first: 1) { edges { node { order { orderNumber } } } } }', undefined],
    [
      'a mutation',
      UPSERT_ORDERS,
      { input: [order('lost', { recipient: { address: 'Via Segreta 1', postalCode: '20121', city: 'X' } })] },
    ],
  ])('in %s reveals nothing internal', async (_what, query, variables) => {
    // Once while the document is new, and once when it is compiled.
    for (const document of [unseen(query), query]) {
      for (let i = 0; i < 3; i++) await post(given.caller, { query: document, variables: variables ?? {} });
      const { headers, body, text } = await without('customer_order', () =>
        post(given.caller, { query: document, variables }),
      );
      expect(body.errors?.map(({ extensions }) => extensions)).toEqual([
        { code: 'internal_error', status: 500, requestId: headers.get('x-request-id') },
      ]);
      expect(text).not.toMatch(
        /customer_order|select|insert|relation|constraint|postgres|pg_|Segreta|\.ts|node_modules|stack/i,
      );
      const after = await post(given.caller, { query: document, variables });
      expect(after.body.errors).toBeUndefined();
    }
  });

  test('reveals nothing internal when the document is sent for the first time', async () => {
    const { text, body } = await without('tracking_event', () =>
      post(given.caller, { query: unseen('{ shipments { edges { node { timeline { nodes { id } } } } } }') }),
    );
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'internal_error', status: 500 });
    expect(text).not.toMatch(/tracking_event|select|relation/i);
  });
});
