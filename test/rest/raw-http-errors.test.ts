import { beforeAll, describe, expect, test } from 'vitest';
import { FAULTS } from '../../src/platform/fault.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { open, type RawAnswer, responses, send } from './raw-http.ts';

const world = useSharedWorld();
const BASE = '/api/v1/integrations';
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** The last response to these bytes on a connection of their own. */
async function lastAnswer(...lines: string[]): Promise<RawAnswer | undefined> {
  const socket = open(world.app.url);
  socket.write(lines.join('\r\n'));
  return (await responses(socket)).at(-1);
}

/** Asks that the connection ends with the response. */
const LAST = ['connection: close', '', ''];
const HOST = 'host: localhost';

function expectProblem(answer: RawAnswer | undefined, code: keyof typeof FAULTS, detail = /./) {
  const { status, title } = FAULTS[code];
  expect([answer?.status, answer?.body?.code]).toEqual([status, code]);
  expect(answer?.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(answer?.body).toMatchObject({ status, title, detail: expect.stringMatching(detail) });
  expect(answer?.body.type).toBe(`${world.app.url}/problems/${code}`);
  expect(answer?.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer?.headers['x-request-id']).toBe(answer?.body.requestId);
}

describe('A request that is not HTTP returns a problem, and its connection closes:', () => {
  test.each<[string, string[], keyof typeof FAULTS]>([
    ['a word', ['nonsense', '', ''], 'malformed_request'],
    ['an unknown method', ['FETCH / HTTP/1.1', HOST, ...LAST], 'method_not_implemented'],
    ['an unknown version', ['GET / HTTP/9.9', HOST, ...LAST], 'malformed_request'],
    ['a header without a colon', ['GET / HTTP/1.1', HOST, 'nonsense', ...LAST], 'malformed_request'],
    ['a control character in a header', ['GET / HTTP/1.1', HOST, 'a: \u0001', ...LAST], 'malformed_request'],
    [
      'two lengths of one body',
      ['POST / HTTP/1.1', HOST, 'content-length: 1', 'content-length: 2', ...LAST],
      'malformed_request',
    ],
    [
      'a length and chunks',
      ['POST / HTTP/1.1', HOST, 'content-length: 3', 'transfer-encoding: chunked', ...LAST],
      'malformed_request',
    ],
    ['headers of 64 KiB', ['GET / HTTP/1.1', HOST, `a: ${'x'.repeat(65_536)}`, ...LAST], 'headers_too_large'],
    ['headers of 1 MiB', ['GET / HTTP/1.1', HOST, `a: ${'x'.repeat(1_048_576)}`, ...LAST], 'headers_too_large'],
    ['an address of 64 KiB', [`GET /${'x'.repeat(65_536)} HTTP/1.1`, HOST, ...LAST], 'headers_too_large'],
    ['CONNECT', ['CONNECT localhost:443 HTTP/1.1', HOST, '', ''], 'method_not_allowed'],
  ])('%s', async (_what, lines, code) => {
    const answer = await lastAnswer(...lines);
    expectProblem(answer, code);
    expect(answer?.headers.connection).toBe('close');
  });

  test('the first half of a request', async () => {
    const socket = open(world.app.url);
    socket.end('GET / HT');
    expectProblem((await responses(socket)).at(-1), 'malformed_request');
  });

  test.each<[string, string, keyof typeof FAULTS]>([
    ['without a length', 'no length', 'malformed_request'],
    ['with an extension of 64 KiB', `1;a=${'x'.repeat(65_536)}`, 'body_too_large'],
  ])('a chunk %s, of a body that is being read', async (_what, chunk, code) => {
    const answer = await lastAnswer(
      `POST ${BASE}/warehouses HTTP/1.1`,
      HOST,
      `x-api-key: ${caller.apiKey}`,
      'content-type: application/json',
      'x-request-id: mine',
      'transfer-encoding: chunked',
      '',
      chunk,
      '',
    );
    expect([answer?.status, answer?.body.code, answer?.body.requestId]).toEqual([FAULTS[code].status, code, 'mine']);
    expect(answer?.headers.connection).toBe('close');
  });

  test('nonsense after a request, which is answered before', async () => {
    const socket = open(world.app.url);
    socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\n\r\nnonsense\r\n\r\n`);
    const [first, second, ...more] = await responses(socket);
    expect([first?.status, first?.body, more]).toEqual([200, expect.objectContaining({ status: 'alive' }), []]);
    expectProblem(second, 'malformed_request');
  });
});

describe('A request that a proxy might read differently is rejected:', () => {
  test.each<[string, string[], RegExp]>([
    ['without Host', ['GET /livez HTTP/1.1'], /`Host` is missing/],
    ['with two Host headers', ['GET /livez HTTP/1.1', HOST, 'Host: other'], /`host` must be sent once/],
    [
      'with two Authorization headers',
      ['GET /livez HTTP/1.1', HOST, 'authorization: a', 'Authorization: b'],
      /`authorization` must be sent once/,
    ],
    ['with two keys', ['GET /livez HTTP/1.1', HOST, 'x-api-key: a', 'X-API-Key: a'], /`x-api-key` must be sent once/],
    [
      'with a coding of the body that is not read',
      ['POST /graphql HTTP/1.1', HOST, 'transfer-encoding: gzip, chunked', '', '0', '', ''],
      /`Transfer-Encoding` may be `chunked` alone/,
    ],
    ['with half an address', ['GET http://[::1 HTTP/1.1', HOST], /target of the request/],
  ])('%s', async (_what, lines, detail) => {
    expectProblem(await lastAnswer(...lines, ...LAST), 'malformed_request', detail);
  });

  test('with a header Expect other than 100-continue', async () => {
    expectProblem(await lastAnswer('GET /livez HTTP/1.1', HOST, 'expect: zzz', ...LAST), 'expectation_failed');
  });
});

test.each<[string, string[]]>([
  ['HTTP/1.0 without Host', ['GET /livez HTTP/1.0']],
  ['the address with its host', ['GET http://localhost/livez HTTP/1.1', HOST]],
  ['Expect: 100-continue', ['GET /livez HTTP/1.1', HOST, 'expect: 100-continue']],
  [
    'an offer of another protocol',
    ['GET /livez HTTP/1.1', HOST, 'upgrade: websocket', 'connection: upgrade, close', '', ''],
  ],
])('A request is accepted with %s', async (_what, lines) => {
  expect((await lastAnswer(...lines, ...LAST))?.status).toBe(200);
});

test('OpenAPI states for each operation the rejections that come before its route', async () => {
  const { paths } = (await (await fetch(`${world.app.url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { responses: Record<string, { description: string }> }>>;
  };
  const codes = ['malformed_request', 'request_timeout', 'expectation_failed', 'headers_too_large'] as const;
  for (const { responses } of Object.values(paths).flatMap(path => Object.values(path))) {
    for (const code of codes) expect(responses[FAULTS[code].status]?.description).toContain(`\`${code}\``);
  }
});

describe('JSON', () => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    send(world.app.url, {
      method: 'POST',
      path,
      headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json', ...headers },
      chunks: [body],
    });

  test.each([65, 5_000, 100_000])('of %s levels is malformed, in a body of REST', async levels => {
    expectProblem(await post(`${BASE}/warehouses`, `{"name":${deep(levels - 1)}}`), 'malformed_json', /64 levels/);
  });

  test('of 64 levels is read, and brackets in texts do not count as levels', async () => {
    for (const name of [deep(63), JSON.stringify('[{"\\'.repeat(1_000))]) {
      expect((await post(`${BASE}/warehouses`, `{"name":${name}}`)).body.code).toBe('validation_failed');
    }
  });

  const ENDS = ['', '\\', '\\\\', '"', '\\"', '"\\', '""', '\\"\\\\"'];
  test.each(ENDS)('of 65 levels is malformed after a text that ends in %j, and is not within it', async end => {
    const within = JSON.stringify({ name: `${deep(65)}${end}`, address: end });
    expect((await post(`${BASE}/warehouses`, within)).body.code).toBe('validation_failed');
    const after = `{"name":${JSON.stringify(`a${end}`)},"address":${deep(64)}}`;
    expectProblem(await post(`${BASE}/warehouses`, after), 'malformed_json', /64 levels/);
  });

  test.each(['"', '"\\', '"\\"', '"[', '{"a', '["'])('is malformed with a text that has no end: %s', async body => {
    expectProblem(await post(`${BASE}/warehouses`, body), 'malformed_json', /not valid JSON/);
  });

  test('of 5,000 levels is malformed, in variables of GraphQL with an Idempotency-Key', async () => {
    const body = `{"query":"mutation{deleteWarehouse(input: { id:9 }) { warehouse { name } }}","variables":{"a":${deep(5_000)}}}`;
    const { status, body: answer } = await post('/graphql', body, { 'idempotency-key': 'deep' });
    expect([status, answer.errors[0].extensions.code]).toEqual([400, 'malformed_json']);
  });
});
