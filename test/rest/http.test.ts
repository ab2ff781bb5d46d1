import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { FAULTS } from '../../src/platform/fault.ts';
import { BASE, MAX_BYTES, useHttp } from './http-calls.ts';
import { type RawAnswer, send } from './raw-http.ts';

const given = useHttp();
const { ask, world, post, openApp } = given;

describe('A problem', () => {
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

  test.each(PROBLEMS)(
    'with the code $code has exactly its members, and its type leads to a page about it',
    async problem => {
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
    },
  );

  test.each(Object.keys(FAULTS))('with the code %s has a page, without a key', async code => {
    const page = await fetch(`${world.app.url}/problems/${code}`);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(code);
  });

  test.each(['nothing', '__proto__', 'constructor', 'toString', '%3Cscript%3E'])(
    'has no page at /problems/%s',
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

describe('The header X-Request-Id', () => {
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
  ])('is set if none was sent, new for every response: $what', async ({ what: _, ...request }) => {
    const ids = [await ask(request), await ask(request)].map(({ headers }) => headers['x-request-id']);
    for (const id of ids) expect(id).toMatch(MADE);
    expect(new Set(ids).size).toBe(2);
  });
});

describe('The router', () => {
  test.each([
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
  ])('has no route for %s', async path => {
    const { status, body } = await ask({ path });
    expect([status, body?.code]).toEqual([404, 'route_not_found']);
  });

  test('ignores a query', async () => {
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
  ])('allows at %s the methods %s, and names them for every other', async (path, allowed) => {
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
    'allows only reading at %s',
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
  ])('answers HEAD %s as GET, without the body', async (path, status) => {
    const read = await ask({ path: BASE + path });
    const head = await ask({ method: 'HEAD', path: BASE + path });
    expect([read.status, head.status, head.text]).toEqual([status, status, '']);
    const kept = ({ headers: { date: _, 'x-request-id': __, ratelimit: ___, ...rest } }: RawAnswer) => rest;
    expect(kept(head)).toEqual(kept(read));
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(read.text)));
  });

  test('rejects HEAD without a key, and sends no body', async () => {
    const { status, headers, text } = await send(world.app.url, { method: 'HEAD', path: `${BASE}/health` });
    expect([status, headers['www-authenticate'], text]).toEqual([401, 'Bearer', '']);
  });
});

describe('Without a key,', () => {
  test('/livez says that the process is alive, and its version', async () => {
    const { status, body } = await send(world.app.url, { path: '/livez' });
    expect([status, body]).toEqual([200, { status: 'alive', version: packageJson.version }]);
  });

  test('/readyz says that the database is reachable and migrated, and the version', async () => {
    const { status, body } = await send(world.app.url, { path: '/readyz' });
    expect([status, body]).toEqual([200, { status: 'ready', version: packageJson.version }]);
  });

  test('/readyz says that a migration is still to be run', async () => {
    const client = new pg.Client({ connectionString: world.ownerUrl });
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

  test('/openapi.json is the contract that is checked in, with the address of the service', async () => {
    const { status, headers, body } = await send(world.app.url, { path: '/openapi.json' });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    const checkedIn = await readFile(new URL('../../schema/openapi.json', import.meta.url), 'utf8');
    const contract = JSON.parse(checkedIn);
    contract.servers[0].url = world.app.url;
    expect(body).toEqual(contract);
  });
});
