import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { createWarehouse, WAREHOUSE } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { furnish, nameOf, requestFor, type Things } from './examples.ts';
import { type RawRequest, send } from './raw-http.ts';

const world = useSharedWorld();
const BASE = '/api/v1/integrations';
let caller: Caller;
let things: Things;
beforeAll(async () => {
  caller = await world.company();
  things = await furnish(caller);
});

const ask = ({ headers, ...rest }: RawRequest, url = world.app.url) =>
  send(url, { ...rest, headers: { 'x-api-key': caller.apiKey, ...headers } });

describe('A response that the client has', () => {
  const reads = ENDPOINTS.filter(({ method }) => method === 'GET').map(endpoint => ({
    name: nameOf(endpoint),
    endpoint,
  }));
  test.each(reads)('is not sent again if it is unchanged: $name', async ({ endpoint }) => {
    const { path } = requestFor(endpoint, things);
    const first = await caller.rest('GET', path);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]+"$/);
    expect(first.headers.get('cache-control')).toBe('private, no-cache');
    for (const method of ['GET', 'HEAD']) {
      const again = await caller.rest(method, path, undefined, { 'if-none-match': etag });
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag]);
      expect(again.headers.get('vary')).toBe(first.headers.get('vary'));
      expect(again.headers.get('content-type')).toBeNull();
      expect(again.headers.get('ratelimit')).toMatch(/^"reads"/);
    }
  });

  test('is sent again if it has changed', async () => {
    const id = await createWarehouse(caller);
    const { headers } = await caller.rest('GET', `/warehouses/${id}`);
    await caller.rest('PATCH', `/warehouses/${id}`, { name: 'Altro' });
    const known = { 'if-none-match': headers.get('etag') ?? '' };
    const changed = await caller.rest('GET', `/warehouses/${id}`, undefined, known);
    expect([changed.status, changed.body.name]).toEqual([200, 'Altro']);
    expect(changed.headers.get('etag')).not.toBe(headers.get('etag'));
  });

  const FORMS: readonly [form: (tag: string) => string, status: number][] = [
    [tag => tag, 304],
    [tag => tag.slice(2), 304],
    [tag => `"other", ${tag}`, 304],
    [tag => `W/"other",${tag},"more"`, 304],
    [() => '*', 304],
    [() => '"other"', 200],
    [() => '', 200],
    [tag => tag.replaceAll('"', ''), 200],
  ];
  test.each(FORMS)('is recognized by If-None-Match or not: %s: %i', async (form, status) => {
    const path = `${BASE}/warehouses`;
    const { headers } = await ask({ path });
    const again = await ask({ path, headers: { 'if-none-match': form(String(headers.etag)) } });
    expect(again.status).toBe(status);
  });

  test('has no ETag if the request was rejected or changed something', async () => {
    const known = { 'if-none-match': '*' };
    const missing = await caller.rest('GET', '/warehouses/2147483647', undefined, known);
    expect([missing.status, missing.headers.get('etag')]).toEqual([404, null]);
    const made = await caller.rest('POST', '/warehouses', WAREHOUSE, known);
    expect([made.status, made.headers.get('etag')]).toEqual([201, null]);
  });

  test.each(['/openapi.json', '/problems/unavailable'])('may need no key: %s', async path => {
    const { headers } = await send(world.app.url, { path });
    expect((await send(world.app.url, { path, headers: { 'if-none-match': String(headers.etag) } })).status).toBe(304);
  });
});

/** Exact bytes, which `fetch` would unpack. */
async function bytesOf(path: string, encoding: string | undefined) {
  const { hostname, port } = new URL(world.app.url);
  const { promise, resolve, reject } = Promise.withResolvers<{
    headers: NodeJS.Dict<string | string[]>;
    body: Buffer;
  }>();
  const headers = { 'x-api-key': caller.apiKey, ...(encoding !== undefined && { 'accept-encoding': encoding }) };
  request({ hostname, port, path, headers }, async response => {
    const parts = await response.toArray();
    resolve({ headers: response.headers, body: Buffer.concat(parts) });
  })
    .on('error', reject)
    .end();
  return promise;
}

describe('A large response', () => {
  const path = '/openapi.json';
  test.each([
    ['gzip', true],
    ['gzip, deflate, br', true],
    ['br;q=1, gzip;q=0.1', true],
    ['*', true],
    ['GZIP', true],
    [undefined, false],
    ['', false],
    ['identity', false],
    ['br', false],
    ['gzip;q=0', false],
    ['*;q=0', false],
    ['identity, gzip;q=0.5', false],
  ])('to a client that accepts %j is compressed: %s', async (encoding, isCompressed) => {
    const plain = await bytesOf(path, undefined);
    const { headers, body } = await bytesOf(path, encoding);
    expect(headers['content-encoding']).toBe(isCompressed ? 'gzip' : undefined);
    expect(headers.vary).toMatch(/accept-encoding/i);
    expect([headers.etag, headers['content-type']]).toEqual([plain.headers.etag, plain.headers['content-type']]);
    expect(headers['content-length']).toBe(String(body.length));
    expect(isCompressed ? gunzipSync(body) : body).toEqual(plain.body);
  });

  test('is compressed over GraphQL and as a rejection too', async () => {
    const query = encodeURIComponent('{ __schema { types { name description } } }');
    expect((await bytesOf(`/graphql?query=${query}`, 'gzip')).headers['content-encoding']).toBe('gzip');
    const wrong = JSON.stringify(Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`wrong${i}`, i])));
    const refused = await caller.rest('POST', '/warehouses', wrong);
    expect([refused.status, refused.headers.get('content-encoding')]).toEqual([422, 'gzip']);
  });

  test('is compressed, but a small one is not', async () => {
    const { headers } = await bytesOf(`${BASE}/health`, 'gzip');
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, 'accept-encoding']);
  });
});

describe('Pages of other origins', () => {
  const SHOP = 'https://shop.example.com';
  const preflight = (url: string, origin: string, path = `${BASE}/warehouses`) =>
    send(url, {
      method: 'OPTIONS',
      path,
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-api-key' },
    });
  const read = (url: string, origin: string) => ask({ path: `${BASE}/warehouses`, headers: { origin } }, url);

  test('get nothing unless it is allowed', async () => {
    expect((await preflight(world.app.url, SHOP)).status).toBe(405);
    const { status, headers } = await read(world.app.url, SHOP);
    expect(status).toBe(200);
    expect(Object.keys(headers).filter(name => name.startsWith('access-control'))).toEqual([]);
  });

  test('get what their origin may, before any credentials are checked', async () => {
    const app = await startProcess(world, { CORS_ORIGINS: `https://other.example.com, ${SHOP}` });
    try {
      const { status, headers } = await preflight(app.url, SHOP);
      expect(status).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': SHOP,
        'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
        'access-control-allow-headers': expect.stringContaining('idempotency-key'),
        vary: 'Origin',
      });
      for (const answer of [
        await read(app.url, SHOP),
        await send(app.url, { path: `${BASE}/x`, headers: { origin: SHOP } }),
      ]) {
        expect(answer.headers).toMatchObject({
          'access-control-allow-origin': SHOP,
          'access-control-expose-headers': expect.stringContaining('ratelimit'),
          vary: expect.stringContaining('Origin'),
        });
      }
      const foreign = await read(app.url, 'https://evil.example.com');
      expect([foreign.headers['access-control-allow-origin'], foreign.headers.vary]).toEqual([
        undefined,
        expect.stringMatching(/^Origin/),
      ]);
      expect((await preflight(app.url, 'https://evil.example.com')).status).toBe(405);
      expect((await preflight(app.url, SHOP, '/livez')).status).toBe(405);
    } finally {
      await app.stop();
    }
  });

  test('may all be allowed', async () => {
    const app = await startProcess(world, { CORS_ORIGINS: '*' });
    try {
      expect((await preflight(app.url, SHOP)).headers['access-control-allow-origin']).toBe('*');
      expect((await read(app.url, SHOP)).headers['access-control-allow-origin']).toBe('*');
    } finally {
      await app.stop();
    }
  });

  test.each(['shop.example.com', 'https://shop.example.com/', 'https://a.example.com;https://b.example.com'])(
    'cannot be allowed by CORS_ORIGINS=%s',
    async origins => {
      await expect(startProcess(world, { CORS_ORIGINS: origins })).rejects.toThrow('CORS_ORIGINS');
    },
  );
});
