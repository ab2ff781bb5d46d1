import { beforeAll, describe, expect, test } from 'vitest';
import { send } from '../rest/raw-http.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

interface Sent {
  readonly params?: Record<string, string>;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

const get = ({ params = {}, headers = {} }: Sent) =>
  send(world.app.url, {
    path: `/graphql?${new URLSearchParams(params)}`,
    headers: { 'x-api-key': caller.apiKey, accept: 'application/json', ...headers },
  });

const post = ({ body, headers = {} }: Sent) =>
  send(world.app.url, {
    method: 'POST',
    path: '/graphql',
    headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json', ...headers },
    chunks: [typeof body === 'string' ? body : JSON.stringify(body)],
  });

const query = '{ __typename }';

describe('A request that is not GraphQL', () => {
  const HTML = { accept: 'text/html' };
  test.each<[what: string, ask: (sent: Sent) => ReturnType<typeof send>, sent: Sent, status: number, code: string]>([
    ['no query in the address', get, {}, 400, 'malformed_request'],
    ['an empty query in the address', get, { params: { query: '' } }, 400, 'malformed_request'],
    ['variables that are a list', get, { params: { query, variables: '[1]' } }, 400, 'malformed_request'],
    ['variables that are no JSON', get, { params: { query, variables: 'zz' } }, 400, 'malformed_json'],
    ['extensions that are no JSON', get, { params: { query, extensions: 'zz' } }, 400, 'malformed_json'],
    ['extensions that are a number', get, { params: { query, extensions: '1' } }, 400, 'malformed_request'],
    ['a mutation in the address', get, { params: { query: 'mutation { __typename }' } }, 405, 'method_not_allowed'],
    ['a document in the address that does not parse', get, { params: { query: '{' } }, 400, 'graphql_invalid'],
    ['a POST that accepts HTML only', post, { body: { query }, headers: HTML }, 406, 'not_acceptable'],
    ['an empty object', post, { body: {} }, 400, 'malformed_request'],
    ['an empty query', post, { body: { query: '' } }, 400, 'malformed_request'],
    ['a query that is null', post, { body: { query: null } }, 400, 'malformed_request'],
    ['a query that is a number', post, { body: { query: 5 } }, 400, 'malformed_request'],
    ['variables that are a text', post, { body: { query, variables: 'x' } }, 400, 'malformed_request'],
    ['a body of null', post, { body: 'null' }, 400, 'malformed_request'],
    ['a batch', post, { body: [{ query }] }, 400, 'malformed_request'],
    ['a field that is unknown', post, { body: { query, id: 1 } }, 400, 'malformed_request'],
    ['a text', post, { body: '"x"' }, 400, 'malformed_request'],
    ['nothing', post, { body: '' }, 400, 'malformed_json'],
    ['no JSON', post, { body: '{' }, 400, 'malformed_json'],
    ['no UTF-8', post, { body: '"\ud800"' }, 400, 'malformed_request'],
    [
      'another media type',
      post,
      { body: query, headers: { 'content-type': 'application/graphql' } },
      415,
      'unsupported_media_type',
    ],
    [
      'an upload',
      post,
      { body: '--x--', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      415,
      'unsupported_media_type',
    ],
    ['an operation that is not there', post, { body: { query, operationName: 'A' } }, 400, 'graphql_invalid'],
    [
      'two operations of which none is named',
      post,
      { body: { query: 'query A { __typename } query B { __typename }' } },
      400,
      'graphql_invalid',
    ],
    ['a fragment alone', post, { body: { query: 'fragment A on Query { __typename }' } }, 400, 'graphql_invalid'],
    ['an unknown key', post, { body: { query }, headers: { 'x-api-key': 'x' } }, 401, 'invalid_api_key'],
  ])('is rejected as a GraphQL error with a code and the request id: %s', async (_what, ask, sent, status, code) => {
    const answer = await ask(sent);
    const { message, extensions } = answer.body.errors[0];
    expect(extensions).toMatchObject({ code, status, requestId: answer.headers['x-request-id'] });
    expect(message).toMatch(/^[A-Z`].*[.)]$/);
    expect(answer.text).not.toMatch(/SyntaxError|originalError|position \d/);
    // In plain JSON, errors of a document come with 200, as GraphQL over HTTP has it.
    expect([status, 200]).toContain(answer.status);
    if (code !== 'graphql_invalid') expect(answer.status).toBe(status);
  });

  test('is rejected in the media type that its caller accepts', async () => {
    const { headers } = await post({ body: {}, headers: { accept: 'application/graphql-response+json' } });
    expect(headers['content-type']).toMatch(/^application\/graphql-response\+json/);
  });
});

describe('A document without an operation to run', () => {
  test.each([
    ['an operation that is not there', { query, operationName: 'A' }, 'no operation with the name in `operationName`'],
    [
      'two operations of which none is named',
      { query: 'query A { a: __typename } query B { b: __typename }' },
      'several',
    ],
  ])('is rejected with the reason: %s', async (_what, body, reason) => {
    expect((await post({ body })).body.errors[0].message).toContain(reason);
  });
});

test('HEAD responds as GET does, without the body', async () => {
  const { status, text } = await send(world.app.url, {
    method: 'HEAD',
    path: `/graphql?query=${encodeURIComponent(query)}`,
    headers: { 'x-api-key': caller.apiKey, accept: 'application/json' },
  });
  expect([status, text]).toEqual([200, '']);
});

describe('A literal of the wrong type', () => {
  const SECRET = 'hunter2';
  const quote = (field: string) => `{ quoteShipment(input: { shipment: { orderId: 1 }, ${field} }) { __typename } }`;
  const nested = '['.repeat(100) + ']'.repeat(100);
  test.each([
    ['true for a Decimal', quote('codAmount: true'), 'a decimal, as a string or a number'],
    ['a list for a Decimal', quote(`codAmount: ["${SECRET}"]`), 'a decimal, as a string or a number'],
    ['an object for a Decimal', quote(`codAmount: { a: "${SECRET}" }`), 'a decimal, as a string or a number'],
    [
      'a number for a DateTime',
      'mutation { createApiKey(input: { label: "a", scopes: [], expiresAt: 5 }) { apiKey userErrors { code pointer message } } }',
      'an ISO 8601 date-time in a string',
    ],
    [
      'a default of a variable',
      'query ($d: Decimal = false) { quoteShipment(input: { shipment: { orderId: 1 }, codAmount: $d }) { __typename } }',
      'a decimal',
    ],
    [
      'JSON of 100 levels',
      `mutation { importTariff(input: { carrierConnectionId: 1, tariff: ${nested} }) { __typename } }`,
      'at most 64 levels',
    ],
  ])('is an invalid document, and the error states the allowed values: %s', async (_what, document, allowed) => {
    const { errors } = await caller.graphql(document);
    const wrong = errors?.find(({ message }) => message.includes(allowed));
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(errors?.map(() => 'graphql_invalid'));
    expect([wrong?.extensions.status, wrong?.locations?.length]).toEqual([400, 1]);
    expect(JSON.stringify(errors)).not.toContain(SECRET);
  });
});

describe('An input with several errors', () => {
  const CREATE =
    'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id: databaseId } userErrors { code pointer message } } }';
  const INPUT = {
    name: ' ',
    typeId: 9,
    address: 'Via Roma 1',
    postalCode: '1',
    city: 'Milano',
    state: 'MI',
    country: 'IT',
  };
  const LITERAL = `mutation { createWarehouse(input: {
    name: " ", typeId: 9, address: "Via Roma 1", postalCode: "1", city: "Milano", state: "MI", country: "IT" }) { warehouse { id: databaseId } userErrors { code pointer message } } }`;
  const ERRORS = [
    { pointer: '/name', code: 'required', message: 'The field name must not be empty.' },
    { pointer: '/typeId', code: 'not_allowed', message: 'The field typeId must be 1, 2, 3 or 4.' },
    { pointer: '/postalCode', code: 'invalid_postal_code', message: expect.stringContaining('five digits') },
  ];

  test('is rejected with all of them, in a variable and in a literal', async () => {
    for (const [query, variables] of [[CREATE, { input: INPUT }], [LITERAL]] as const) {
      const { data, errors } = await caller.graphql(query, variables);
      expect([data, errors]).toEqual([{ createWarehouse: { warehouse: null, userErrors: ERRORS } }, undefined]);
    }
  });

  test('is rejected for wrong types, unknown fields and violated rules together', async () => {
    const { errors } = await caller.graphql(CREATE, { input: { ...INPUT, typeId: 'x', city: undefined, colour: 1 } });
    expect(errors?.[0]?.extensions.errors).toEqual([
      { pointer: '/city', code: 'required', message: 'must be given' },
      { pointer: '/typeId', code: 'wrong_type', message: 'must be 1, 2, 3 or 4' },
      { pointer: '/colour', code: 'unknown_field', message: expect.stringContaining('allowed are address, ') },
      { pointer: '/name', code: 'required', message: 'must not be empty' },
      expect.objectContaining({ pointer: '/postalCode', code: 'invalid_postal_code' }),
    ]);
  });

  test('does not reveal them to a caller that lacks the scope', async () => {
    const reader = await world.key(caller.companyId, ['warehouses:read']);
    for (const [query, variables] of [[CREATE, { input: INPUT }], [LITERAL]] as const) {
      const { errors } = await reader.graphql(query, variables);
      expect(errors).toMatchObject([
        { extensions: { code: 'insufficient_scope', requiredScope: 'warehouses:create' } },
      ]);
    }
  });
});
