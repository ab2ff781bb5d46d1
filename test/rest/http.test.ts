import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { FAULTS } from '../../src/platform/fault.ts';
import { restClient } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { type CuttableLine, cuttableLine } from './cuttable.ts';
import { createWarehouse, WAREHOUSE } from './feed.ts';
import { type RawAnswer, type RawRequest, send, unnamed } from './raw-http.ts';

const world = useWorld();
const BASE = '/api/v1/integrations';
const MAX_BYTES = 256 * 1024;
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** A request with the caller's key. */
const ask = ({ headers, ...request }: RawRequest) =>
  send(world.app.url, { ...request, headers: { 'x-api-key': caller.apiKey, ...headers } });

/** A body for a warehouse with the caller's key; JSON unless the headers say otherwise. */
const post = (body: string | Uint8Array, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  ask({
    method: 'POST',
    path: `${BASE}/warehouses`,
    headers: { 'content-length': String(Buffer.byteLength(body)), ...headers },
    chunks: [body],
  });

/** An application of its own over a database. */
function openApp(databaseUrl: string, env: Record<string, string> = {}): Promise<App> {
  const config = readConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    DATABASE_POOL_SIZE: '4',
    DATABASE_URL: databaseUrl,
    ...env,
  });
  return createApp({ ...config, databaseUrl }, world.app.log);
}

describe('a problem', () => {
  const MEMBERS = ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'].toSorted();
  const PROBLEMS: readonly { code: string; of: () => Promise<RawAnswer>; more?: Record<string, unknown> }[] = [
    { code: 'route_not_found', of: () => ask({ path: '/nowhere?x=1' }) },
    { code: 'missing_credentials', of: () => send(world.app.url, { path: `${BASE}/health` }) },
    {
      code: 'invalid_api_key',
      of: () => send(world.app.url, { path: `${BASE}/health`, headers: { 'x-api-key': 'x' } }),
    },
    { code: 'method_not_allowed', of: () => ask({ method: 'PUT', path: `${BASE}/health` }) },
    { code: 'warehouse_not_found', of: () => ask({ path: `${BASE}/warehouses/2147483647` }) },
    { code: 'malformed_json', of: () => post('{') },
    { code: 'unsupported_media_type', of: () => post('{}', { 'content-type': 'text/plain' }) },
    { code: 'body_too_large', of: () => post(' '.repeat(MAX_BYTES + 1)), more: { maxBytes: MAX_BYTES } },
    { code: 'validation_failed', of: () => post('{}'), more: { errors: expect.any(Array) } },
  ];

  test.each(PROBLEMS)('$code has exactly its members, and its type leads to a page about it', async problem => {
    const { status, headers, body } = await problem.of();
    const { status: wanted, title } = FAULTS[problem.code as keyof typeof FAULTS];
    expect(headers['content-type']).toMatch(/^application\/problem\+json(; charset=utf-8)?$/);
    expect(Object.keys(body).toSorted()).toEqual([...MEMBERS, ...Object.keys(problem.more ?? {})].toSorted());
    expect(body).toMatchObject({ code: problem.code, status: wanted, title, ...problem.more });
    expect(status).toBe(wanted);
    expect(body.detail).toMatch(/^[A-Z].*\.$/);
    expect(body.instance).toMatch(/^\/[\w/]+$/);
    expect(headers['x-request-id']).toBe(body.requestId);
    expect(body.type).toBe(`${world.app.url}/problems/${problem.code}`);

    const page = await fetch(body.type);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await page.text();
    expect(html).toContain(`<h1>${title}</h1>`);
    expect(html).toContain(`<code>${problem.code}</code>`);
  });

  test.each(Object.keys(FAULTS))('%s has a page, without a key', async code => {
    const page = await fetch(`${world.app.url}/problems/${code}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(code);
  });

  test.each(['nothing', '__proto__', 'constructor', 'toString', '%3Cscript%3E', ''])(
    '/problems/%s is no page',
    async code => {
      const answer = await fetch(`${world.app.url}/problems/${code}`);
      expect([answer.status, (await answer.json()).code]).toEqual([404, 'route_not_found']);
    },
  );

  test('names the public address where the service has one', async () => {
    const app = await openApp(world.databaseUrl, { PUBLIC_URL: 'https://api.example.com/shipping/' });
    const { body } = await send(app.url, { path: '/nowhere' });
    await app.stop();
    expect(body.type).toBe('https://api.example.com/shipping/problems/route_not_found');
  });
});

describe('X-Request-Id', () => {
  const MADE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

  test.each(['a', 'Order-7.retry_2', '0'.repeat(200), '...', '-'])('%s is accepted', async id => {
    const good = await ask({ path: `${BASE}/health`, headers: { 'x-request-id': id } });
    expect(good.headers['x-request-id']).toBe(id);
    const bad = await ask({ path: '/nowhere', headers: { 'x-request-id': id } });
    expect([bad.headers['x-request-id'], bad.body.requestId]).toEqual([id, id]);
  });

  test.each([
    ['empty', ''],
    ['of 201 characters', '0'.repeat(201)],
    ['with a space', 'a b'],
    ['with a slash', 'a/b'],
    ['with a colon', 'a:b'],
    ['with markup', '<b>'],
    ['beyond ASCII', 'caffè'],
    ['sent twice', ['a', 'b']],
  ] as [string, string | string[]][])('that is %s is replaced', async (_what, id) => {
    const { headers, body } = await ask({ path: '/nowhere', headers: { 'x-request-id': id } });
    expect(headers['x-request-id']).toMatch(MADE);
    expect(body.requestId).toBe(headers['x-request-id']);
  });

  test.each([
    { what: 'a route', path: `${BASE}/health` },
    { what: 'a list', path: `${BASE}/warehouses` },
    { what: 'no route', path: '/nowhere' },
    { what: 'a wrong method', path: `${BASE}/health`, method: 'DELETE' },
    { what: 'no key', path: `${BASE}/health`, headers: { 'x-api-key': '' } },
    { what: 'a probe', path: '/livez' },
    { what: 'a page', path: '/problems/unavailable' },
    { what: 'the contract', path: '/openapi.json' },
    { what: 'GraphQL', path: '/graphql?query=%7BapiKey%7Blabel%7D%7D' },
    { what: 'GraphQL without a key', path: '/graphql?query=%7BapiKey%7Blabel%7D%7D', headers: { 'x-api-key': '' } },
  ])('is made where none was sent, new for every answer: $what', async ({ what: _, ...request }) => {
    const ids = [await ask(request), await ask(request)].map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(MADE);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('routing', () => {
  test.each([
    '/',
    '/api',
    '/api/v1',
    BASE,
    `${BASE}/`,
    '/api/v2/integrations/health',
    '/v1/integrations/health',
    `/${BASE}/health`,
    '/api//v1/integrations/health',
    `${BASE}//health`,
    `${BASE}/health//`,
    `${BASE}//warehouses/1`,
    `${BASE}/warehouses//1`,
    `${BASE}/warehouses/1//`,
    `${BASE}/warehouses/1/2`,
    `${BASE}/health/x`,
    `${BASE}/health%2F`,
    `${BASE}/health%20`,
    `${BASE}/%68ealth`,
    `${BASE}/./health`,
    `${BASE}/warehouses/../health`,
    `${BASE}/health;v=1`,
    `${BASE}/healthz`,
    `${BASE}/shipments`,
    `${BASE}/shipments/tracking`,
    `${BASE}/shipments/tracking/by-tracking-number`,
    `${BASE}/shipments/tracking/by-tracking-number/`,
    `${BASE}/shipments/tracking/by-tracking-number/A/B`,
    `${BASE}/shipments/tracking/by-order-number//`,
    '/graphql/x',
    '/openapi',
    '/metrics',
    '/.env',
    `${BASE}/health/`,
    `${BASE}/Health`,
    `${BASE.toUpperCase()}/health`,
  ])('%s is no route', async path => {
    const { status, body } = await ask({ path });
    expect([status, body?.code]).toEqual([404, 'route_not_found']);
  });

  test('a query changes nothing', async () => {
    const plain = await ask({ path: `${BASE}/warehouses` });
    expect(plain.status).toBe(200);
    expect((await ask({ path: `${BASE}/warehouses?limit=1&__proto__=x&a%zz` })).text).toBe(plain.text);
  });

  const ONE = ['DELETE', 'GET', 'HEAD', 'PATCH'];
  test.each([
    ['/health', ['GET', 'HEAD']],
    ['/carriers', ['GET', 'HEAD']],
    ['/warehouses', ['GET', 'HEAD', 'POST']],
    ['/warehouses/1', ONE],
    ['/warehouses/abc', ONE],
    ['/shipments/tracking/by-tracking-number/A', ['GET', 'HEAD']],
    ['/shipments/tracking/by-order-number/A', ['GET', 'HEAD']],
  ])('%s has the methods %s, and says so of every other', async (path, allowed) => {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      const { status, headers, body } = await send(world.app.url, { method, path: BASE + path });
      if (allowed.includes(method)) {
        expect([method, status]).toEqual([method, 401]);
      } else {
        expect([method, status, body.code]).toEqual([method, 405, 'method_not_allowed']);
        expect(String(headers.allow).split(', ').toSorted()).toEqual(allowed);
      }
    }
  });

  test.each(['/livez', '/readyz', '/openapi.json', '/problems/unavailable', '/logos/brt.svg'])(
    '%s is only read',
    async path => {
      const { status, headers, body } = await send(world.app.url, { method: 'POST', path });
      expect([status, body.code, headers.allow]).toEqual([405, 'method_not_allowed', 'GET, HEAD']);
    },
  );

  test.each([
    ['/health', 200],
    ['/warehouses', 200],
    ['/carriers', 200],
    ['/warehouses/2147483647', 404],
    ['/shipments/tracking/by-tracking-number/NEVER', 404],
    ['/nowhere', 404],
  ])('HEAD %s answers as GET does, without the body', async (path, status) => {
    const read = await ask({ path: BASE + path });
    const head = await ask({ method: 'HEAD', path: BASE + path });
    expect([read.status, head.status, head.text]).toEqual([status, status, '']);
    const kept = ({ headers: { date: _, 'x-request-id': __, ratelimit: ___, ...rest } }: RawAnswer) => rest;
    expect(kept(head)).toEqual(kept(read));
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(read.text)));
  });

  test('HEAD without a key is refused without a body', async () => {
    const { status, headers, text } = await send(world.app.url, { method: 'HEAD', path: `${BASE}/health` });
    expect([status, headers['www-authenticate'], text]).toEqual([401, 'Bearer', '']);
  });
});

describe('the size of a body', () => {
  /** A good warehouse in exactly so many bytes. */
  const sized = (bytes: number) => JSON.stringify(WAREHOUSE).padEnd(bytes);
  const halves = (text: string) => [text.slice(0, text.length >> 1), text.slice(text.length >> 1)];
  const chunked = (text: string) =>
    ask({
      method: 'POST',
      path: `${BASE}/warehouses`,
      headers: { 'content-type': 'application/json' },
      chunks: halves(text),
    });

  test.each([
    ['with its length', post],
    ['in chunks', chunked],
  ])('may be 256 KiB, %s', async (_how, sending) => {
    expect((await sending(sized(MAX_BYTES))).status).toBe(201);
  });

  test.each([
    ['with its length', post, MAX_BYTES + 1],
    ['in chunks', chunked, MAX_BYTES + 1],
    ['with its length, much larger', post, 8 * 1024 * 1024],
    ['in chunks, much larger', chunked, 8 * 1024 * 1024],
  ])('may not be more, %s', async (_how, sending, bytes) => {
    const before = (await caller.rest('GET', '/warehouses')).text;
    for (let i = 0; i < 5; i++) {
      const { status, body } = await sending(sized(bytes));
      expect([status, body.code, body.maxBytes]).toEqual([413, 'body_too_large', MAX_BYTES]);
    }
    expect((await caller.rest('GET', '/warehouses')).text).toBe(before);
  });

  test('that never ends is refused while it is still being sent', async () => {
    const { hostname, port } = new URL(world.app.url);
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const headers = { 'x-api-key': caller.apiKey, 'content-type': 'application/json' };
    const endless = request({ hostname, port, method: 'POST', path: `${BASE}/warehouses`, headers });
    endless.on('response', response => resolve(response.statusCode)).on('error', reject);
    const more = () => {
      while (!endless.destroyed && endless.write(' '.repeat(16 * 1024)));
    };
    endless.on('drain', more);
    more();
    expect(await promise).toBe(413);
    endless.destroy();
  });

  test('does not matter to a request that reads none', async () => {
    const text = sized(MAX_BYTES + 1);
    const { status } = await ask({
      method: 'GET',
      path: `${BASE}/health`,
      headers: { 'content-type': 'application/json', 'content-length': String(text.length) },
      chunks: [text],
    });
    expect(status).toBe(200);
  });
});

describe('the media type of a body', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON',
    '  application/json  ',
  ])('may be %j', async type => {
    expect((await post(JSON.stringify(WAREHOUSE), { 'content-type': type })).status).toBe(201);
  });

  test.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'text/json' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'multipart/form-data; boundary=x' },
    { 'content-type': 'application/xml' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/merge-patch+json' },
    { 'content-type': 'application/problem+json' },
    { 'content-type': 'application/json, text/plain' },
    { 'content-type': 'json' },
    { 'content-type': '*/*' },
    { 'content-type': '' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    { 'content-type': 'application/json', 'content-encoding': 'br' },
    {},
  ] as Record<string, string>[])('may not be %j', async headers => {
    const { status, body } = await post(JSON.stringify(WAREHOUSE), headers);
    expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
  });
});

describe('a body that is', () => {
  const GOOD = JSON.stringify(WAREHOUSE);
  test.each([
    ['broken off', GOOD.slice(0, -1)],
    ['a brace', '{'],
    ['a word', 'undefined'],
    ['not a number', '{"typeId":NaN}'],
    ['two values', `${GOOD}${GOOD}`],
    ['followed by a comma', `${GOOD},`],
    ['with a comma too many', GOOD.replace(/}$/, ',}')],
    ['with a comment', `${GOOD}// x`],
    ['in single quotes', GOOD.replaceAll('"', "'")],
    ['with names unquoted', GOOD.replaceAll(/"(\w+)":/g, '$1:')],
    ['with a bare line break in a text', GOOD.replace('Milano', 'Mi\nlano')],
    ['with a bare U+0000', GOOD.replace('Milano', 'Mi\u0000lano')],
    ['with a bad escape', GOOD.replace('Milano', '\\x4d')],
    ['with a number in hexadecimal', GOOD.replace('"typeId":1', '"typeId":0x1')],
    ['only spaces', '   '],
    ['a form', 'name=Milano&typeId=1'],
    ['nested without end', '['.repeat(200_000)],
  ])('%s is malformed', async (_what, text) => {
    const { status, body } = await post(text);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
    expect(body.detail).not.toMatch(/position|token|JSON\.parse|Milano/);
  });

  test.each([
    ['a lone continuation byte', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0x80), Buffer.from('"}')])],
    ['Latin-1', Buffer.from(GOOD.replace('Milano', 'Forlì'), 'latin1')],
    ['UTF-16', Buffer.from(GOOD, 'utf16le')],
    ['an overlong slash', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xc0, 0xaf), Buffer.from('"}')])],
    ['a surrogate in UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.of(0xed, 0xa0, 0x80), Buffer.from('"}')])],
    ['cut inside a character', Buffer.from('{"name":"è').subarray(0, -1)],
  ])('%s is malformed, since it is not UTF-8', async (_what, bytes) => {
    const { status, body } = await post(bytes);
    expect([status, body.code]).toEqual([400, 'malformed_json']);
  });

  test.each(['null', 'true', '7', '"x"', '[]', `[${GOOD}]`, '-0', '1e999'])('%s is JSON but no object', async text => {
    const { status, body } = await post(text);
    expect([status, body.code]).toEqual([422, 'validation_failed']);
    expect(body.errors).toEqual([{ pointer: '', code: 'wrong_type', message: expect.any(String) }]);
  });

  test.each([
    ['with a length of 0 and a type', { 'content-type': 'application/json', 'content-length': '0' }],
    ['with a length of 0 and no type', { 'content-length': '0' }],
  ])('empty, %s, lacks every field', async (_what, headers) => {
    const { status, body } = await ask({ method: 'POST', path: `${BASE}/warehouses`, headers });
    expect([status, body.errors.length]).toEqual([422, 7]);
  });

  test.each(['__proto__', 'constructor', 'prototype', '__defineGetter__'])(
    'good but for a field %s changes no object and is refused',
    async field => {
      const { status, body } = await post(GOOD.replace('{', `{"${field}":{"polluted":true,"name":"x"},`));
      expect(status).toBe(422);
      expect(body.errors).toEqual([{ pointer: `/${field}`, code: 'unknown_field', message: expect.any(String) }]);
      expect({}).not.toHaveProperty('polluted');
    },
  );

  test('not good does not pass its fields by __proto__', async () => {
    const { status, body } = await post(`{"__proto__":${GOOD}}`);
    expect([status, body.errors.length]).toEqual([422, 8]);
  });

  test('good in escapes, spaces and another order is good', async () => {
    const text = ` \r\n{"country":"\\u0049T", ${GOOD.slice(1).replace(',"country":"IT"', '').replace('Milano', '\\u004dilano')}\t`;
    const { status, body } = await post(text);
    expect(status).toBe(201);
    expect(body).toMatchObject(WAREHOUSE);
  });
});

describe('what needs no key', () => {
  test('/livez tells that the process lives', async () => {
    const { status, body } = await send(world.app.url, { path: '/livez' });
    expect([status, body]).toEqual([200, { status: 'alive' }]);
  });

  test('/readyz tells that database and migrations are there', async () => {
    const { status, body } = await send(world.app.url, { path: '/readyz' });
    expect([status, body]).toEqual([200, { status: 'ready' }]);
  });

  test('/readyz tells while a migration is still to be run', async () => {
    const client = new pg.Client({ connectionString: world.databaseUrl });
    await client.connect();
    const { rows } = await client.query('delete from mikro_orm_migrations returning *');
    expect(rows.length).toBeGreaterThan(0);
    // The database is looked at once a second.
    await vi.waitFor(
      async () => {
        const { status, headers, body } = await send(world.app.url, { path: '/readyz' });
        expect([status, body.code]).toEqual([503, 'unavailable']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      },
      { timeout: 5_000 },
    );
    for (const { name, executed_at } of rows) {
      await client.query('insert into mikro_orm_migrations (name, executed_at) values ($1, $2)', [name, executed_at]);
    }
    await client.end();
    const isReady = async () => expect((await send(world.app.url, { path: '/readyz' })).status).toBe(200);
    await vi.waitFor(isReady, { timeout: 5_000 });
  });

  test('/openapi.json is the contract that is checked in', async () => {
    const { status, headers, body } = await send(world.app.url, { path: '/openapi.json' });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const checkedIn = await readFile(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
    expect(body).toEqual(JSON.parse(checkedIn));
  });
});

test('a refusal over GraphQL is told alike, however often its document comes back', async () => {
  const query = 'query ($id: Int!) { warehouse(id: $id) { name } }';
  const told: unknown[] = [];
  for (let i = 0; i < 6; i++) {
    const { data, errors } = await caller.graphql(query, { id: 2_147_483_647 });
    // Where in the document it went wrong is a courtesy that compiled operations may leave out.
    told.push({
      data,
      errors: errors?.map(({ message, path, extensions }) => ({ message, path, ...extensions, requestId: '…' })),
    });
  }
  expect(told[0]).toMatchObject({ data: null, errors: [{ path: ['warehouse'], code: 'warehouse_not_found' }] });
  expect(told).toEqual(told.map(() => told[0]));
});

describe('without its database', () => {
  let line: CuttableLine;
  let app: App;
  let databaseName: string;
  beforeAll(async () => {
    line = await cuttableLine(world.databaseUrl);
    app = await openApp(line.url);
    databaseName = new URL(world.databaseUrl).pathname.slice(1);
  });
  afterAll(async () => {
    await line?.restore();
    await app?.stop();
    await line?.close();
  });

  async function administer(...statements: string[]) {
    const client = new pg.Client({ connectionString: inject('serverUrl') });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
  const terminate = () =>
    administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName}' and pid <> pg_backend_pid()`,
    );
  const allow = (allowed: boolean) => administer(`alter database ${databaseName} with allow_connections ${allowed}`);

  const OUTAGES: readonly { name: string; begin: () => Promise<void>; end: () => Promise<void> }[] = [
    { name: 'refuses connections', begin: () => line.cut(), end: () => line.restore() },
    {
      name: 'takes connections and never answers',
      begin: async () => line.mute(),
      end: () => line.restore(),
    },
    {
      name: 'lets nobody in',
      begin: async () => {
        await allow(false);
        await terminate();
      },
      end: () => allow(true),
    },
  ];

  describe.each(OUTAGES)('which $name,', ({ begin, end }) => {
    let cold: Caller;
    beforeAll(async () => {
      cold = await world.key(caller.companyId);
      await begin();
    });
    afterAll(end);

    const REQUESTS: readonly { name: string; method: string; path: string; body?: string; isCold?: boolean }[] = [
      { name: 'a read', method: 'GET', path: '/warehouses' },
      { name: 'a record', method: 'GET', path: '/shipments/tracking/by-tracking-number/A' },
      { name: 'a new warehouse', method: 'POST', path: '/warehouses', body: JSON.stringify(WAREHOUSE) },
      { name: 'a change', method: 'PATCH', path: '/warehouses/1', body: '{"name":"x"}' },
      { name: 'a removal', method: 'DELETE', path: '/warehouses/1' },
      { name: 'a key never seen before', method: 'GET', path: '/health', isCold: true },
    ];

    // Beside each other, or each would wait by itself for connections in vain.
    test.concurrent('everything answers 503 with Retry-After and nothing of the inside', async () => {
      const { port, username } = new URL(line.url);
      // At once, so that waiting for connections in vain is waited for once.
      const answers = await Promise.all(
        REQUESTS.map(({ method, path, body, isCold }) =>
          send(app.url, {
            method,
            path: BASE + path,
            headers: {
              'x-api-key': isCold ? cold.apiKey : caller.apiKey,
              ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
            },
            chunks: body ? [body] : [],
          }),
        ),
      );
      for (const [i, { status, headers, body, text }] of answers.entries()) {
        expect([REQUESTS[i]?.name, status, body.code]).toEqual([REQUESTS[i]?.name, 503, 'unavailable']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        for (const inner of [`:${port}`, databaseName, 'ECONN', 'terminat', 'timeout', 'select', 'pg_', 'Error']) {
          expect(text).not.toContain(inner);
        }
        expect(body.detail).not.toContain(username || 'postgres');
      }
      expect(new Set(answers.map(answer => unnamed(answer).text)).size).toBe(1);
    });

    test.concurrent('GraphQL tells the same', async () => {
      const answer = await send(app.url, {
        method: 'POST',
        path: '/graphql',
        headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' },
        chunks: [JSON.stringify({ query: '{ warehouses { id } }' })],
      });
      const { code, status } = answer.body.errors[0].extensions;
      expect([code, status]).toEqual(['unavailable', 503]);
      expect(answer.text).not.toContain(databaseName);
    });

    test.concurrent('the process lives but is not ready', async () => {
      expect((await send(app.url, { path: '/livez' })).status).toBe(200);
      await vi.waitFor(
        async () => {
          const { status, headers, body } = await send(app.url, { path: '/readyz' });
          expect([status, body.code]).toEqual([503, 'unavailable']);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
        },
        { timeout: 10_000 },
      );
    });

    test('it recovers by itself once the database is back', async () => {
      await end();
      await vi.waitFor(
        async () => {
          expect((await send(app.url, { path: '/readyz' })).status).toBe(200);
          expect((await restClient(app.url, { 'x-api-key': cold.apiKey })('GET', '/warehouses')).status).toBe(200);
        },
        { timeout: 15_000, interval: 50 },
      );
    });
  });

  test('connections that the server ends are made again', async () => {
    const rest = restClient(app.url, { 'x-api-key': caller.apiKey });
    await Promise.all(Array.from({ length: 8 }, () => rest('GET', '/warehouses')));
    await terminate();
    await vi.waitFor(async () => expect((await rest('GET', '/warehouses')).status).toBe(200), { timeout: 5000 });
  });
});

describe('stopping', () => {
  test('finishes the request under way, refuses new ones, and ends', async () => {
    const app = await openApp(world.databaseUrl);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const id = await createWarehouse(caller);
    const headers = { 'x-api-key': caller.apiKey, 'content-type': 'application/json' };
    const health = { path: `${BASE}/health`, headers };
    expect((await send(app.url, { ...health, agent })).status).toBe(200);

    const holder = new pg.Client({ connectionString: world.databaseUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from warehouse where id = $1 for update', [id]);
    const underWay = send(app.url, {
      method: 'PATCH',
      path: `${BASE}/warehouses/${id}`,
      headers,
      chunks: ['{"name":"Fino in fondo"}'],
      agent,
    });
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    });

    const since = performance.now();
    const stopped = app.stop();
    await expect(send(app.url, health)).rejects.toThrow('ECONNREFUSED');
    await holder.query('rollback');
    await holder.end();
    const answer = await underWay;
    expect([answer.status, answer.body.name]).toEqual([200, 'Fino in fondo']);

    // On the connection that was kept: closed, or told to go elsewhere, but not served.
    const late = await send(app.url, { ...health, agent }).catch((error: Error) => error);
    if (late instanceof Error) expect(late.message).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    else {
      expect([late.status, late.body.code]).toEqual([503, 'unavailable']);
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    }
    await stopped;
    expect(performance.now() - since).toBeLessThan(10_000);
    agent.destroy();
  });

  test('does not wait for connections nobody uses', async () => {
    const app = await openApp(world.databaseUrl);
    const agent = new Agent({ keepAlive: true });
    const requests = Array.from({ length: 5 }, () => send(app.url, { path: '/livez', agent }));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    const since = performance.now();
    await app.stop();
    expect(performance.now() - since).toBeLessThan(3000);
    await expect(send(app.url, { path: '/livez', agent })).rejects.toThrow();
    agent.destroy();
  });
});
