import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { getIntrospectionQuery } from 'graphql';
import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import {
  ask,
  connectCarrier,
  createWarehouse,
  type Item,
  order,
  recordEvents,
  shipment,
  times,
  UPSERT_ORDERS,
  unseen,
  upsertOrders,
  upsertShipments,
} from './platform-side.ts';

const world = useWorld();

interface GraphError {
  message: string;
  path?: (string | number)[];
  locations?: unknown;
  extensions: { code: string; status: number; requestId: string; requiredScope?: string; [member: string]: unknown };
}

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: { data?: Item | null; errors?: GraphError[] } & Item;
}

async function reply(response: Promise<Response>): Promise<Reply> {
  const { status, headers, ...rest } = await response.then(async answer => ({
    status: answer.status,
    headers: answer.headers,
    text: await answer.text(),
  }));
  const body = /json/.test(headers.get('content-type') ?? '') ? JSON.parse(rest.text) : undefined;
  return { status, headers, text: rest.text, body };
}

/** What an answer tells of a refusal: as an error of the graph, or, where the graph was never asked, as a problem. */
function told({ body }: Pick<Reply, 'body'>): Item | undefined {
  return body?.errors?.[0]?.extensions ?? body;
}

/** A POST as it is: `body` is sent as JSON unless it is text. */
function post({ apiKey }: Pick<Caller, 'apiKey'>, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return reply(
    fetch(`${world.app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );
}

function get({ apiKey }: Pick<Caller, 'apiKey'>, params: Record<string, string>, headers: Record<string, string> = {}) {
  const search = new URLSearchParams(params);
  return reply(fetch(`${world.app.url}/graphql?${search}`, { headers: { 'x-api-key': apiKey, ...headers } }));
}

/** A company with a delivered shipment of two events and its order, a return of it, and one without anything. */
let caller: Caller;

beforeAll(async () => {
  caller = await world.company();
  const connection = await connectCarrier(caller, 'GLS');
  const warehouseId = await createWarehouse(caller);
  await upsertOrders(caller, [
    order('o-1', {
      warehouseId,
      marketplace: 'Amazon',
      marketplaceOrderNumber: '405-1',
      parcels: [{ weight: '10.80' }],
    }),
  ]);
  const dates = { shipmentDate: '2026-11-20T09:00:00+01:00', expectedDeliveryDate: '2026-11-22T00:00:00Z' };
  await upsertShipments(caller, [
    {
      carrierCompanyId: connection,
      trackingNumber: 'n1',
      orderNumber: 'o-1',
      warehouseId,
      weight: '10.80',
      volume: 36_000,
      parcelNumber: 2,
      trackingUrl: 'https://example.com/n1',
      related: [{ trackingNumber: 'n2', type: 'return' }],
      ...dates,
    },
    shipment(connection, 'n2', { orderNumber: 'o-1' }),
    shipment(connection, 'n3'),
  ]);
  const told = { trackingNumber: 'n1', location: 'Milano' };
  await recordEvents(caller, [
    { ...told, timestamp: '2026-11-21T08:00:00Z', carrierStatusCode: '905', description: 'IN CONSEGNA' },
    { ...told, timestamp: '2026-11-21T11:00:00Z', carrierStatusCode: '906', description: 'CONSEGNATA', note: 'Firma' },
  ]);
});

const NOT_FOUND = 'query ($number: String!) { trackingByNumber(trackingNumber: $number) { id } }';

describe('An error', () => {
  const refused: [what: string, body: Item, code: string, status: number][] = [
    ['a field that does not exist', { query: '{ apiKey { nope } }' }, 'graphql_invalid', 400],
    ['a document that does not parse', { query: '{ apiKey {' }, 'graphql_invalid', 400],
    ['an empty document', { query: ' ' }, 'graphql_invalid', 400],
    ['a literal of the wrong type', { query: '{ warehouse(id: "x") { id } }' }, 'graphql_invalid', 400],
    ['an argument that is missing', { query: '{ warehouse { id } }' }, 'graphql_invalid', 400],
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
    ['a record that does not exist', { query: NOT_FOUND, variables: { number: 'never' } }, 'shipment_not_found', 404],
    ['a warehouse that does not exist', { query: '{ warehouse(id: 2000000000) { id } }' }, 'warehouse_not_found', 404],
  ];

  test.each(refused)(
    'for %s has code, status and the id of the request, however often it comes',
    async (_what, body, code, status) => {
      for (let i = 0; i < 6; i++) {
        const answer = await post(caller, body);
        expect(answer.body.data ?? null).toBeNull();
        const requestId = answer.headers.get('x-request-id');
        expect(requestId).toMatch(/^[A-Za-z0-9._-]{1,200}$/);
        expect(answer.body.errors).toMatchObject([{ extensions: { code, status, requestId } }]);
        expect(answer.status).toBeLessThan(500);
      }
    },
  );

  test.each(refused)('for %s has the id that the caller gave the request', async (_what, body) => {
    for (let i = 0; i < 4; i++) {
      const { headers, body: answer } = await post(caller, body, { 'x-request-id': 'caller.id_1-2' });
      expect(headers.get('x-request-id')).toBe('caller.id_1-2');
      expect(answer.errors?.map(({ extensions }) => extensions.requestId)).toEqual(['caller.id_1-2']);
    }
  });

  test('of a resolver has its path and its place', async () => {
    for (let i = 0; i < 4; i++) {
      const { body } = await post(caller, { query: '{ wanted: warehouse(id: 2000000000) { id } }' });
      expect(body.errors).toMatchObject([{ path: ['wanted'], locations: [{ line: 1, column: 3 }] }]);
    }
  });

  test('of a document is a 400 for those who ask for GraphQL’s own media type', async () => {
    const accept = 'application/graphql-response+json';
    const { status, headers } = await post(caller, { query: '{ nope }' }, { accept });
    expect([status, headers.get('content-type')]).toEqual([400, `${accept}; charset=utf-8`]);
    for (let i = 0; i < 4; i++) {
      const found = await post(caller, { query: '{ apiKey { ok } }' }, { accept });
      expect([found.status, found.headers.get('content-type')]).toEqual([200, `${accept}; charset=utf-8`]);
    }
  });

  test('of a document nested without end is the document’s', async () => {
    for (const query of [
      `{ apiKey ${'{ ok '.repeat(20_000)}${'}'.repeat(20_000)} }`,
      `{ orders(filter: ${'['.repeat(20_000)}${']'.repeat(20_000)}) { edges { cursor } } }`,
    ]) {
      const { body } = await post(caller, { query });
      expect(body.errors).toMatchObject([{ extensions: { code: 'graphql_invalid', status: 400 } }]);
    }
  });
});

describe('A key without the scope', () => {
  test.each([
    ['{ warehouses { id } }', 'warehouses', 'warehouses:read'],
    ['{ w: warehouse(id: 1) { id } }', 'w', 'warehouses:read'],
    ['{ carriers { label } }', 'carriers', 'carriers:read'],
    ['{ marketplaces { name } }', 'marketplaces', 'marketplaces:read'],
    ['{ shipments { edges { cursor } } }', 'shipments', 'shipments:tracking'],
    ['{ orders { edges { cursor } } }', 'orders', 'shipments:tracking'],
    ['{ trackingByNumber(trackingNumber: "n1") { id } }', 'trackingByNumber', 'shipments:tracking'],
    ['{ trackingByOrderNumber(orderNumber: "405-1") { id } }', 'trackingByOrderNumber', 'shipments:tracking'],
    ['mutation { deleteWarehouse(id: 1) { id } }', 'deleteWarehouse', 'warehouses:delete'],
    ['mutation { recordTrackingEvents(input: []) { created } }', 'recordTrackingEvents', 'tracking:write'],
    ['mutation { upsertShipments(input: []) { created } }', 'upsertShipments', 'shipments:write'],
  ])('is refused %s', async (query, field, requiredScope) => {
    const key = await world.key(caller.companyId, ['health:read']);
    for (let i = 0; i < 4; i++) {
      const { body } = await post(key, { query });
      expect(body.data).toBeNull();
      expect(body.errors).toMatchObject([
        { path: [field], extensions: { code: 'insufficient_scope', status: 403, requiredScope } },
      ]);
    }
  });

  test('stores nothing', async () => {
    const key = await world.key(caller.companyId, ['health:read', 'shipments:tracking']);
    const { errors } = await key.graphql(UPSERT_ORDERS, { input: [order('forbidden')] });
    expect(errors).toMatchObject([{ extensions: { code: 'insufficient_scope', requiredScope: 'orders:write' } }]);
    const { edges } = await ask<{ edges: unknown[] }>(
      key,
      '{ orders(filter: { orderNumber: "forbidden" }) { edges { cursor } } }',
    );
    expect(edges).toEqual([]);
  });

  test('gets null and an error for the fields it may not see, and the rest', async () => {
    const key = await world.key(caller.companyId, ['shipments:tracking']);
    const query = `{ trackingByNumber(trackingNumber: "n1") {
      trackingNumber from: warehouse { id } carrierConnection { label } order { orderNumber warehouse { id } }
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
    const key = await world.key(caller.companyId, ['shipments:tracking']);
    for (let i = 0; i < 4; i++) {
      const { body } = await post(key, {
        query: '{ shipments { edges { node { trackingNumber warehouse { id } } } } }',
      });
      const edges = ['n3', 'n2', 'n1'].map(trackingNumber => ({ node: { trackingNumber, warehouse: null } }));
      expect(body.data).toEqual({ shipments: { edges } });
      expect(body.errors?.map(({ path }) => path?.[2])).toEqual([0, 1, 2]);
    }
  });

  test('may look at the schema', async () => {
    const key = await world.key(caller.companyId, ['warehouses:read']);
    expect(await ask(key, '{ __type(name: "Warehouse") { name } }')).toEqual({ name: 'Warehouse' });
  });
});

describe('An unexpected fault', () => {
  /** Takes a table away for a moment: an honest fault of ours. */
  async function without<T>(table: string, work: () => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: world.databaseUrl });
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
  ])('of %s shows nothing of the inside', async (_what, query, variables) => {
    // Once while the document is new, and once when it is compiled.
    for (const document of [unseen(query), query]) {
      for (let i = 0; i < 3; i++) await post(caller, { query: document, variables: variables ?? {} });
      const { headers, body, text } = await without('customer_order', () =>
        post(caller, { query: document, variables }),
      );
      expect(body.errors?.map(({ extensions }) => extensions)).toEqual([
        { code: 'internal_error', status: 500, requestId: headers.get('x-request-id') },
      ]);
      expect(text).not.toMatch(
        /customer_order|select|insert|relation|constraint|postgres|pg_|Segreta|\.ts|node_modules|stack/i,
      );
      const after = await post(caller, { query: document, variables });
      expect(after.body.errors).toBeUndefined();
    }
  });

  test('never shown before is not shown when the document is seen for the first time', async () => {
    const { text, body } = await without('tracking_event', () =>
      post(caller, { query: unseen('{ shipments { edges { node { timeline { id } } } } }') }),
    );
    expect(body.errors?.[0]?.extensions).toMatchObject({ code: 'internal_error', status: 500 });
    expect(text).not.toMatch(/tracking_event|select|relation/i);
  });
});

describe('Over HTTP', () => {
  test('a query may come by GET', async () => {
    for (let i = 0; i < 4; i++) {
      expect((await get(caller, { query: '{ apiKey { authScheme } }' })).body).toEqual({
        data: { apiKey: { authScheme: 'x-api-key' } },
      });
    }
  });

  test('a query by GET may have variables and a name', async () => {
    const query = `query Other { apiKey { ok } } query Wanted($number: String!) { trackingByNumber(trackingNumber: $number) { trackingNumber } }`;
    const { body } = await get(caller, { query, operationName: 'Wanted', variables: '{"number":"MUL N.1"}' });
    expect(body).toEqual({ data: { trackingByNumber: { trackingNumber: 'n1' } } });
  });

  test('a mutation may not come by GET', async () => {
    const mutation =
      'mutation { createWarehouse(input: { name: "GET", typeId: 1, address: "a", postalCode: "20121", city: "c", state: "MI", country: "IT" }) { id } }';
    // Not even one that is compiled already, or hides behind a query.
    const both = `query Q { apiKey { ok } } ${mutation.replace('mutation', 'mutation M')}`;
    for (let i = 0; i < 4; i++) await post(caller, { query: both, operationName: 'Q' });
    const asked: Record<string, string>[] = [{ query: mutation }, { query: both, operationName: 'M' }];
    for (const params of asked) {
      const { status, headers, body } = await get(caller, params);
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
      expect(body.errors).toMatchObject([{ extensions: { code: 'method_not_allowed', status: 405 } }]);
    }
    const names = await ask<{ name: string }[]>(caller, '{ warehouses { name } }');
    expect(names).not.toContainEqual({ name: 'GET' });
  });

  test('a browser gets GraphiQL without a key, and nothing of it from another host', async () => {
    const response = await fetch(`${world.app.url}/graphql`, {
      headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await response.text();
    expect(page).toContain('GraphiQL');
    expect(page).toContain('Shipping Integrations API');
    const tags = page.match(/<(?:script|link|img|iframe)\b[^>]*>/gi) ?? [];
    expect(tags.length).toBeGreaterThan(0);
    expect(tags.filter(tag => /\b(?:src|href)\s*=\s*["']?(?:https?:)?\/\//i.test(tag))).toEqual([]);
    expect(page).not.toMatch(
      /@import\s+(?:url\()?["']?https?:|type=["']importmap["']|unpkg\.com|cdn\.jsdelivr|esm\.sh/i,
    );
  });

  test.each([
    ['POST', '', {}],
    ['POST', '', { accept: 'text/html' }],
    ['GET', '', {}],
    ['GET', '', { accept: 'application/json' }],
    ['GET', '?query={apiKey{ok}}', {}],
    ['POST', '', { 'x-api-key': 'sk_live_x' }],
    ['POST', '', { authorization: 'Basic eDp5' }],
  ])('%s%s with %j is nobody and gets 401', async (method, search, headers) => {
    const {
      status,
      headers: answered,
      body,
    } = await reply(
      fetch(`${world.app.url}/graphql${search}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers } as Record<string, string>,
        body: method === 'POST' ? '{"query":"{ __typename }"}' : undefined,
      }),
    );
    expect(status).toBe(401);
    expect(answered.get('www-authenticate')).toBe('Bearer');
    expect(told({ body })).toMatchObject({
      code: Object.keys(headers).some(name => name !== 'accept') ? 'invalid_api_key' : 'missing_credentials',
      status: 401,
      requestId: answered.get('x-request-id'),
    });
  });

  const LIMIT = 4 * 1024 * 1024;

  test('a body of 4 MiB is read, and one byte more is not', async () => {
    const ofSize = (bytes: number) => {
      const body = JSON.stringify({ query: '{ apiKey { ok } }', variables: { padding: '' } });
      return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
    };
    expect((await post(caller, ofSize(LIMIT))).status).toBe(200);
    const { status, body } = await post(caller, ofSize(LIMIT + 1));
    expect(status).toBe(413);
    expect(told({ body })).toMatchObject({ code: 'body_too_large', status: 413, maxBytes: LIMIT });
  });

  // What is no GraphQL request at all is told in the same words as everything else.
  const malformed: [what: string, body: string, headers: Record<string, string>, status: number, code: string][] = [
    ['a batch of operations', '[{"query":"{ apiKey { ok } }"}]', {}, 400, 'malformed_request'],
    ['broken JSON', '{"query":', {}, 400, 'malformed_json'],
    ['no body', '', {}, 400, 'malformed_json'],
    ['a body of null', 'null', {}, 400, 'malformed_request'],
    ['a body without query', '{}', {}, 400, 'malformed_request'],
    ['a query that is a number', '{"query":5}', {}, 400, 'malformed_request'],
    ['variables that are text', '{"query":"{ apiKey { ok } }","variables":"x"}', {}, 400, 'malformed_request'],
    ['a parameter of its own', '{"query":"{ apiKey { ok } }","id":1}', {}, 400, 'malformed_request'],
    ['plain text', '{"query":"{ apiKey { ok } }"}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['an upload', '--x--', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'unsupported_media_type'],
  ];
  test.each(malformed)('%s is refused with a code of ours', async (_what, body, headers, status, code) => {
    // Also where the document in it is compiled already.
    for (let i = 0; i < 4; i++) await post(caller, '{"query":"{ apiKey { ok } }"}');
    const answer = await post(caller, body, headers);
    expect(answer.status).toBe(status);
    expect(told(answer)).toMatchObject({ code, status, requestId: answer.headers.get('x-request-id') });
    expect(answer.text).not.toMatch(/SyntaxError|originalError|position \d/);
  });

  test('variables of a GET that are no JSON are the caller’s fault', async () => {
    const answer = await get(caller, { query: '{ apiKey { ok } }', variables: '{' });
    expect(answer.status).toBe(400);
    expect(told(answer)).toMatchObject({ code: 'malformed_json', status: 400 });
  });

  test.each(['PUT', 'PATCH', 'DELETE'])('%s is no way to ask', async method => {
    const { status, headers, body } = await reply(
      fetch(`${world.app.url}/graphql`, { method, headers: { 'x-api-key': caller.apiKey } }),
    );
    expect([status, body.code]).toEqual([405, 'method_not_allowed']);
    expect(headers.get('allow')).toMatch(/GET.*POST/);
  });
});

const FRAGMENTS = `
  query Rich($number: String!, $withTimeline: Boolean!, $bare: Boolean = false) {
    __typename
    one: trackingByNumber(trackingNumber: $number) { ...Record }
    two: trackingByNumber(trackingNumber: "n3") { ...Record ... on Shipment { reference } }
    apiKey @skip(if: $bare) { __typename label }
  }
  fragment Record on Shipment {
    __typename number: trackingNumber status statusCode weight volume shipmentDate
    carrier { __typename code } recipient { ...Place country }
    timeline @include(if: $withTimeline) { __typename at: timestamp label location note }
    relatedShipments { type trackingNumber createdAt }
    order { orderNumber parcels { weight length quantity } shipments { trackingNumber ...Deep } warehouse { name warehouseType { name } } }
  }
  fragment Place on Recipient { postalCode city }
  fragment Deep on Shipment { warehouse { id isPrincipal } carrierConnection { label capabilities } }`;

describe('A document run ten times gives the same bytes', () => {
  const documents: [what: string, query: string, variables: Item][] = [
    ['fragments, aliases and included fields', FRAGMENTS, { number: 'n1', withTimeline: true }],
    ['excluded fields', FRAGMENTS, { number: 'n1', withTimeline: false, bare: true }],
    ['a field that stands twice', '{ apiKey { ok label } apiKey { label authScheme } }', {}],
    ['fields out of order', '{ b: apiKey { authScheme a: label ok } __typename a: apiKey { ok } }', {}],
    [
      'a list with nested lists',
      '{ shipments { edges { node { trackingNumber timeline { label } relatedShipments { type } } cursor } pageInfo { endCursor hasNextPage } } }',
      {},
    ],
    [
      'a filter in the document',
      '{ shipments(filter: { statusCode: [delivered, held], open: false }, first: 2) { edges { node { trackingNumber } } } }',
      {},
    ],
    [
      'a filter in a variable',
      'query ($filter: ShipmentFilter) { shipments(filter: $filter) { edges { node { trackingNumber } } } }',
      { filter: { statusCode: ['delivered'] } },
    ],
    [
      'a variable inside a literal',
      'query ($states: [TrackingStatusCode!], $open: Boolean) { shipments(filter: { statusCode: $states, open: $open }) { edges { node { trackingNumber } } } }',
      { states: 'created' },
    ],
    [
      'a default of a variable',
      'query ($first: Int = 1) { shipments(first: $first) { edges { node { trackingNumber } } } }',
      {},
    ],
    [
      'null in place of that default',
      'query ($first: Int = 1) { shipments(first: $first) { edges { node { trackingNumber } } } }',
      { first: null },
    ],
    ['a variable nobody uses', 'query { apiKey { ok } }', { unused: { a: [1] } }],
    ['introspection', getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }), {}],
    [
      'introspection beside data',
      '{ __schema { queryType { name } } apiKey { __typename ok } __type(name: "Shipment") { fields { name type { kind } } } }',
      {},
    ],
    ['a record that is missing', '{ apiKey { ok } trackingByNumber(trackingNumber: "never") { id } }', {}],
    ['a missing variable', NOT_FOUND, {}],
    ['a wrong document', '{ apiKey { nope } }', {}],
  ];

  test.each(documents)('with %s', async (_what, query, variables) => {
    const headers = { 'x-request-id': 'same' };
    const answers: Reply[] = [];
    for (let i = 0; i < 10; i++) answers.push(await post(caller, { query, variables }, headers));
    const [first, ...others] = answers.map(({ status, headers, text }) => [status, headers.get('content-type'), text]);
    expect(first?.[2]).toMatch(/^\{"(data|errors)":/);
    for (const other of others) expect(other).toEqual(first);
    // And by GET.
    const asked = await get(caller, { query, variables: JSON.stringify(variables) }, headers);
    expect(asked.text).toBe(first?.[2]);
  });

  test('with fields the key may not see', async () => {
    const key = await world.key(caller.companyId, ['shipments:tracking']);
    const query = '{ orders { edges { node { warehouse { id } orderNumber } } } }';
    const texts = new Set<string>();
    for (let i = 0; i < 10; i++) texts.add((await post(key, { query }, { 'x-request-id': 'same' })).text);
    expect(texts.size).toBe(1);
  });
});

describe('What a document asks for', () => {
  test.each([
    ['interpreted', 1],
    ['compiled', 5],
  ])('is what it gets, %s', async (how, runs) => {
    const query = `${FRAGMENTS} # ${how}`;
    let data: unknown;
    for (let i = 0; i < runs; i++)
      data = (await post(caller, { query, variables: { number: 'n1', withTimeline: true } })).body.data;
    expect(data).toMatchObject({
      __typename: 'Query',
      one: {
        __typename: 'Shipment',
        number: 'n1',
        status: 'Consegnata',
        statusCode: 'delivered',
        weight: '10.8',
        carrier: { __typename: 'Carrier', code: 'GLS' },
        timeline: [{ at: '2026-11-21T08:00:00.000Z' }, { at: '2026-11-21T11:00:00.000Z', note: 'Firma' }],
        relatedShipments: [{ type: 'return', trackingNumber: 'n2' }],
        order: {
          orderNumber: 'o-1',
          parcels: [{ weight: '10.8', length: null, quantity: 1 }],
          shipments: [
            { trackingNumber: 'n1', carrierConnection: { label: 'Account' } },
            { trackingNumber: 'n2', warehouse: null },
          ],
          warehouse: { name: 'Magazzino', warehouseType: { name: 'Logistica' } },
        },
      },
      two: { number: 'n3', reference: null, timeline: [], relatedShipments: [], order: null },
      apiKey: { __typename: 'ApiKey', label: 'Test' },
    });
  });

  test.each([
    ['interpreted', () => unseen(FRAGMENTS)],
    ['compiled', () => FRAGMENTS],
  ])('is left out where it is skipped, %s', async (_how, document) => {
    for (let i = 0; i < 4; i++) {
      const { body } = await post(caller, {
        query: document(),
        variables: { number: 'n1', withTimeline: false, bare: true },
      });
      expect(Object.keys(body.data ?? {})).toEqual(['__typename', 'one', 'two']);
      expect(body.data?.one).not.toHaveProperty('timeline');
    }
  });

  test('is that of the operation it names', async () => {
    const query = 'query A { apiKey { ok } } query B { apiKey { label } }';
    for (let i = 0; i < 5; i++) {
      const answers = await Promise.all(['A', 'B'].map(operationName => post(caller, { query, operationName })));
      expect(answers.map(({ body }) => body.data)).toEqual([{ apiKey: { ok: true } }, { apiKey: { label: 'Test' } }]);
    }
  });

  test('is of the company that asks, whoever made the document known', async () => {
    const other = await world.company();
    const query = '{ apiKey { companyId } warehouses { id } } # shared';
    for (let i = 0; i < 5; i++) await post(caller, { query });
    expect((await post(other, { query })).body.data).toEqual({
      apiKey: { companyId: other.companyId },
      warehouses: [],
    });
  });

  test('is the same for many at once', async () => {
    const other = await world.company();
    const query = '{ apiKey { companyId } shipments { edges { node { trackingNumber timeline { label } } } } }';
    const [mine, theirs] = [await post(caller, { query }), await post(other, { query })];
    const answers = await Promise.all(times(40, i => post(i % 2 ? caller : other, { query })));
    expect(answers.map(({ text }) => text)).toEqual(times(40, i => (i % 2 ? mine : theirs).text));
  });
});

describe('Documents that are known', () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;

  function heapMb(): number {
    collectGarbage();
    return process.memoryUsage().heapUsed / 1e6;
  }

  /** Sends documents that nobody sent before. */
  async function send(count: number, selection: string): Promise<void> {
    for (let i = 0; i < count; i += 10) {
      await Promise.all(times(10, () => post(caller, { query: unseen(`{ apiKey { ${selection} } }`) })));
    }
  }

  test('are bounded in number', async () => {
    const selection = times(30, i => `a${i}: ok`).join(' ');
    const before = heapMb();
    await send(1200, selection);
    const full = heapMb();
    await send(1200, selection);
    // Twice as many would take twice as much, were they all kept.
    expect(heapMb() - full).toBeLessThan((full - before) / 2);
  }, 60_000);

  test('are bounded in size', async () => {
    const before = heapMb();
    await send(600, times(500, i => `a${i}: ok`).join(' '));
    expect(heapMb() - before).toBeLessThan(100);
  }, 60_000);
});

describe('The graph and REST tell the same', () => {
  const RECORD = `trackingNumber status shipmentDate expectedDeliveryDate deliveredDate parcelNumber weight volume trackingUrl
    orderNumber marketplaceOrderNumber carrier { name logoUrl }
    recipient { companyName address postalCode city province country countryCode }
    timeline { timestamp statusCode label description location note }
    relatedShipments { id type trackingNumber carrierName createdAt }`;

  test.each(['n1', 'n2', 'n3'])('of the shipment %s', async number => {
    const record = await ask<Item>(
      caller,
      `query ($n: String!) { trackingByNumber(trackingNumber: $n) { ${RECORD} } }`,
      {
        n: number,
      },
    );
    const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
    // REST leaves the field out where there is no relation.
    expect({ relatedShipments: [], ...body }).toEqual(record);
    expect('relatedShipments' in body).toBe(number !== 'n3');
  });

  test('of the shipments of an order', async () => {
    const records = await ask<Item[]>(caller, `{ trackingByOrderNumber(orderNumber: "405-1") { ${RECORD} } }`);
    expect(records).toHaveLength(2);
    const { body } = await caller.rest('GET', '/shipments/tracking/by-order-number/405-1');
    expect(body).toEqual(records);
  });

  test('of one shipment and of a list of them', async () => {
    const { edges } = await ask<{ edges: { node: Item }[] }>(caller, `{ shipments { edges { node { ${RECORD} } } } }`);
    const alone = (number: string) =>
      ask<Item>(caller, `{ trackingByNumber(trackingNumber: "${number}") { ${RECORD} } }`);
    expect(edges.map(({ node }) => node)).toEqual(await Promise.all(['n3', 'n2', 'n1'].map(alone)));
  });

  test('of warehouses and carriers', async () => {
    const warehouses = await ask(
      caller,
      '{ warehouses { id name typeId address postalCode city state country isPrincipal warehouseType { id name } createdAt updatedAt } }',
    );
    expect((await caller.rest('GET', '/warehouses')).body).toEqual(warehouses);
    const carriers = await ask(
      caller,
      '{ carriers { carrierCompanyId carrierCode carrierName label logoUrl isActive capabilities verificationType countryScope } }',
    );
    expect((await caller.rest('GET', '/carriers')).body).toEqual(carriers);
  });

  test('of the key', async () => {
    const key = await ask(caller, '{ apiKey { ok companyId apiKeyId label scopes authScheme } }');
    expect((await caller.rest('GET', '/health')).body).toEqual(key);
  });

  test.each([
    [
      'shipment_not_found',
      '/shipments/tracking/by-tracking-number/never',
      '{ trackingByNumber(trackingNumber: "never") { id } }',
    ],
    [
      'order_not_found',
      '/shipments/tracking/by-order-number/never',
      '{ trackingByOrderNumber(orderNumber: "never") { id } }',
    ],
    ['warehouse_not_found', '/warehouses/2000000000', '{ warehouse(id: 2000000000) { id } }'],
  ])('of a refusal: %s', async (code, path, query) => {
    const { body } = await caller.rest('GET', path);
    expect(body.code).toBe(code);
    for (let i = 0; i < 4; i++) {
      const [error] = (await post(caller, { query })).body.errors ?? [];
      expect(error?.extensions).toMatchObject({ code, status: body.status });
      expect(error?.message).toBe(body.detail);
    }
  });
});
