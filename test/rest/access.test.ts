import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { makeKey } from '../../src/domain/account/access/key.rules.ts';
import { ENDPOINTS } from '../../src/http/rest/endpoints.ts';
import { ALL_SCOPES } from '../../src/platform/scopes.ts';
import { withClient as onDatabase } from '../support/databases.ts';
import { createWarehouse, feedOrders } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { cutListeners, useSecondProcess } from '../support/second-process.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { furnish, NOTHING, nameOf, requestFor, type Things } from './examples.ts';
import { lastUses } from './key-uses.ts';
import { send, unnamed } from './raw-http.ts';

const SOON = { timeout: SEEN_WITHIN_MS, interval: 5 };
const world = useWorld();
let caller: Caller;
let things: Things;
beforeAll(async () => {
  caller = await world.company();
  things = await furnish(caller);
});

const HEALTH = '/api/v1/integrations/health';
const health = (headers: Record<string, string | string[]>, url = world.app.url) =>
  send(url, { path: HEALTH, headers });
const rows = ENDPOINTS.map(endpoint => ({ name: nameOf(endpoint), endpoint }));

const withClient = <T>(work: (client: pg.Client) => Promise<T>) => onDatabase(world.ownerUrl, work);

// First of all, while no other key waits to be noted.
test('The last use of a key is written', async () => {
  const before = Date.now();
  const user = await world.key(caller.companyId);
  const { data } = await user.graphql<{ apiKey: { lastUsedAt: string | null } }>('{ apiKey { lastUsedAt } }');
  expect(data.apiKey.lastUsedAt).toBeNull();
  const [written = ''] = await lastUses([user], 10_000);
  expect(Date.parse(written)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(written)).toBeLessThanOrEqual(Date.now());
});

describe('A key that is not valid', () => {
  const swapped = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  const GARBLED: readonly [what: string, of: (key: string) => string][] = [
    ['a word', () => 'secret'],
    ['a wrong checksum', swapped],
    ['another prefix', key => key.replace('sk_live_', 'sk_test_')],
    ['a space inside', key => `${key.slice(0, 20)} ${key.slice(20)}`],
    ['beyond ASCII', key => `${key}é`],
    ['4,000 characters', () => 'x'.repeat(4000)],
    ['Bearer before it', key => `Bearer ${key}`],
  ];
  const UNKNOWN: readonly [what: string, of: (key: string) => string | Promise<string>][] = [
    ['unknown', () => makeKey(randomUUID(), 'live')],
    ['of a known id with another secret', () => makeKey(caller.apiKeyId, 'live')],
    [
      'revoked',
      async () => {
        const { apiKey, apiKeyId, rest } = await world.key(caller.companyId);
        expect((await rest('GET', '/health')).status).toBe(200);
        await world.administration.revokeKey(apiKeyId);
        await vi.waitFor(async () => expect((await rest('GET', '/health')).status).toBe(401), SOON);
        return apiKey;
      },
    ],
    [
      'revoked and never used before',
      async () => {
        const { apiKey, apiKeyId } = await world.key(caller.companyId);
        await world.administration.revokeKey(apiKeyId);
        return apiKey;
      },
    ],
    [
      'expired',
      async () => {
        const { apiKey, apiKeyId } = await world.key(caller.companyId, ['all'], '2099-01-01T00:00:00Z');
        await withClient(client =>
          client.query(`update api_key set expires_at = now() - interval '1 second' where id = $1`, [apiKeyId]),
        );
        return apiKey;
      },
    ],
  ];

  test.each([...GARBLED, ...UNKNOWN])('is rejected as any other, in either header: %s', async (_what, of) => {
    const key = await of(caller.apiKey);
    const unknown = await health({ 'x-api-key': makeKey(randomUUID(), 'live') });
    expect([unknown.status, unknown.body.code]).toEqual([401, 'invalid_api_key']);
    expect(unknown.headers['www-authenticate']).toBe('Bearer');
    expect(unnamed(await health({ 'x-api-key': key }))).toEqual(unnamed(unknown));
    expect(unnamed(await health({ authorization: `Bearer ${key}` }))).toEqual(unnamed(unknown));
    // The answer tells nothing of the key.
    expect(unknown.text).not.toContain('sk_');
  });

  test.each([
    ['two words after Bearer', (key: string) => `Bearer ${key} x`],
    ['a comma after the key', (key: string) => `Bearer ${key},`],
  ])('in Authorization with %s is rejected as any other', async (_what, of) => {
    const unknown = await health({ 'x-api-key': makeKey(randomUUID(), 'live') });
    expect(unnamed(await health({ authorization: of(caller.apiKey) }))).toEqual(unnamed(unknown));
  });

  const NO_KEY: readonly [what: string, headers: (key: string) => Record<string, string>][] = [
    ['no header at all', () => ({})],
    ['an empty x-api-key', () => ({ 'x-api-key': '' })],
    ['Bearer without a key', () => ({ authorization: 'Bearer' })],
    ['both headers, empty', () => ({ 'x-api-key': '', authorization: 'Bearer' })],
    ['no space after Bearer', key => ({ authorization: `Bearer${key}` })],
    ['Basic', key => ({ authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` })],
    ['another scheme', key => ({ authorization: `Token ${key}` })],
    ['the key without a scheme', key => ({ authorization: key })],
  ];
  test.each(NO_KEY)('is distinguished from a missing one, which is asked for: %s', async (_what, headers) => {
    const answer = await health(headers(caller.apiKey));
    expect([answer.status, answer.body.code]).toEqual([401, 'missing_credentials']);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toContain(caller.apiKey);
  });

  test.each(['?x-api-key=KEY', '?api_key=KEY', '?access_token=KEY'])(
    'is not accepted in the query (%s)',
    async query => {
      const answer = await send(world.app.url, { path: HEALTH + query.replace('KEY', caller.apiKey) });
      expect([answer.status, answer.body.code]).toEqual([401, 'missing_credentials']);
      expect(answer.text).not.toContain(caller.apiKey);
    },
  );

  test.each(rows)('is rejected by $name, in all three ways', async ({ endpoint }) => {
    const { method, path, body } = requestFor(endpoint, things);
    const anonymous = await restClient(world.app.url)(method, path, body);
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'missing_credentials']);
    for (const key of ['garbled', makeKey(randomUUID(), 'live')]) {
      const refused = await restClient(world.app.url, { 'x-api-key': key })(method, path, body);
      expect([refused.status, refused.body.code]).toEqual([401, 'invalid_api_key']);
      expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    }
  });
});

describe('A valid key', () => {
  test.each([
    ['x-api-key', (key: string) => ({ 'x-api-key': key }), 'x-api-key'],
    ['X-API-KEY with spaces around', (key: string) => ({ 'X-API-KEY': `  ${key}  ` }), 'x-api-key'],
    ['Bearer', (key: string) => ({ authorization: `Bearer ${key}` }), 'bearer'],
    ['bearer', (key: string) => ({ authorization: `bearer ${key}` }), 'bearer'],
    ['BEARER', (key: string) => ({ authorization: `BEARER ${key}` }), 'bearer'],
    ['Bearer and several spaces', (key: string) => ({ authorization: `Bearer    ${key}  ` }), 'bearer'],
    ['both headers', (key: string) => ({ 'x-api-key': key, authorization: `Bearer ${key}` }), 'x-api-key'],
    ['Bearer, x-api-key empty', (key: string) => ({ 'x-api-key': '', authorization: `Bearer ${key}` }), 'bearer'],
    ['x-api-key beside Basic', (key: string) => ({ 'x-api-key': key, authorization: 'Basic eDp5' }), 'x-api-key'],
  ])('is accepted as %s', async (_what, headers, authScheme) => {
    const { status, body } = await health(headers(caller.apiKey));
    expect([status, body.authScheme, body.apiKeyId]).toEqual([200, authScheme, caller.apiKeyId]);
  });

  test.each([
    ['another good one', async () => (await world.key(caller.companyId)).apiKey],
    ['one of another company', async () => (await world.company()).apiKey],
    ['one that is not good', () => makeKey(randomUUID(), 'live')],
    ['a garbled one', () => 'garbled'],
  ])('in one header conflicts with %s in the other', async (_what, other) => {
    const key = await other();
    for (const [one, two] of [
      [caller.apiKey, key],
      [key, caller.apiKey],
    ]) {
      const answer = await health({ 'x-api-key': `${one}`, authorization: `Bearer ${two}` });
      expect([answer.status, answer.body.code]).toEqual([400, 'conflicting_credentials']);
      expect(answer.text).not.toMatch(/sk_(live|test)/);
    }
  });
});

describe('A scope', () => {
  test.each(rows)('is required: $name rejects a key that has every scope but its own', async ({ endpoint }) => {
    const others = ALL_SCOPES.filter(scope => scope !== endpoint.scope);
    const { rest } = await world.key(caller.companyId, others);
    // Whether the thing exists is none of its business.
    for (const named of [things, NOTHING]) {
      const { method, path, body } = requestFor(endpoint, named);
      const answer = await rest(method, path, body);
      expect([answer.status, answer.body.code, answer.body.requiredScope]).toEqual([
        403,
        'insufficient_scope',
        endpoint.scope,
      ]);
      expect(answer.headers.get('www-authenticate')).toBeNull();
    }
  });

  test.each(rows)('is sufficient: $name accepts a key that has its scope alone', async ({ endpoint }) => {
    const own = await world.company();
    const { method, path, body } = requestFor(endpoint, await furnish(own));
    const { rest } = await world.key(own.companyId, [endpoint.scope]);
    expect((await rest(method, path, body)).status).toBe(endpoint.status);
  });

  test('that is missing prevents any change', async () => {
    const own = await world.company();
    const fresh = await furnish(own);
    const before = (await own.rest('GET', '/warehouses')).text;
    const { rest } = await world.key(own.companyId, ['health:read']);
    for (const { endpoint } of rows) {
      const { method, path, body } = requestFor(endpoint, fresh);
      await rest(method, path, body);
    }
    expect((await own.rest('GET', '/warehouses')).text).toBe(before);
  });
});

describe('The checks of a request have their order:', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const TEXT_TYPE = { 'content-type': 'text/plain' };
  const TOO_LARGE = ' '.repeat(256 * 1024 + 1);
  const CASES = [
    // Route before credentials.
    { method: 'GET', path: '/nowhere', key: 'none', expected: [404, 'route_not_found'] },
    { method: 'GET', path: '/nowhere', key: 'bad', expected: [404, 'route_not_found'] },
    { method: 'PUT', path: '/warehouses', key: 'none', expected: [405, 'method_not_allowed'] },
    { method: 'POST', path: '/health', key: 'bad', expected: [405, 'method_not_allowed'] },
    { method: 'POST', path: '/health', key: 'unscoped', expected: [405, 'method_not_allowed'] },
    // Credentials before the rest.
    {
      method: 'POST',
      path: '/warehouses',
      key: 'none',
      headers: TEXT_TYPE,
      body: 'x',
      expected: [401, 'missing_credentials'],
    },
    { method: 'POST', path: '/warehouses', key: 'bad', body: '{', expected: [401, 'invalid_api_key'] },
    { method: 'POST', path: '/warehouses', key: 'bad', body: TOO_LARGE, expected: [401, 'invalid_api_key'] },
    { method: 'POST', path: '/warehouses', key: 'bad', body: '{}', expected: [401, 'invalid_api_key'] },
    { method: 'GET', path: '/warehouses/2147483647', key: 'bad', expected: [401, 'invalid_api_key'] },
    // Scope before the body.
    {
      method: 'POST',
      path: '/warehouses',
      key: 'unscoped',
      headers: TEXT_TYPE,
      body: '{}',
      expected: [403, 'insufficient_scope'],
    },
    { method: 'POST', path: '/warehouses', key: 'unscoped', body: TOO_LARGE, expected: [403, 'insufficient_scope'] },
    { method: 'POST', path: '/warehouses', key: 'unscoped', body: '{', expected: [403, 'insufficient_scope'] },
    {
      method: 'PATCH',
      path: '/warehouses/2147483647',
      key: 'unscoped',
      body: '{}',
      expected: [403, 'insufficient_scope'],
    },
    { method: 'DELETE', path: '/warehouses/IN_USE', key: 'unscoped', expected: [403, 'insufficient_scope'] },
    // Body before validation and existence.
    {
      method: 'PATCH',
      path: '/warehouses/2147483647',
      key: 'good',
      headers: TEXT_TYPE,
      body: '{}',
      expected: [415, 'unsupported_media_type'],
    },
    {
      method: 'PATCH',
      path: '/warehouses/2147483647',
      key: 'good',
      body: TOO_LARGE,
      expected: [413, 'body_too_large'],
    },
    { method: 'PATCH', path: '/warehouses/abc', key: 'good', body: '{', expected: [400, 'malformed_json'] },
    // Validation before existence.
    { method: 'PATCH', path: '/warehouses/2147483647', key: 'good', body: '{}', expected: [422, 'validation_failed'] },
    {
      method: 'PATCH',
      path: '/warehouses/abc',
      key: 'good',
      body: '{"name":""}',
      expected: [422, 'validation_failed'],
    },
    {
      method: 'PATCH',
      path: '/warehouses/2147483647',
      key: 'good',
      body: '{"name":"x"}',
      expected: [404, 'warehouse_not_found'],
    },
    // Existence before conflict.
    { method: 'DELETE', path: '/warehouses/IN_USE', key: 'stranger', expected: [404, 'warehouse_not_found'] },
    { method: 'DELETE', path: '/warehouses/IN_USE', key: 'good', expected: [409, 'warehouse_in_use'] },
  ];
  const keys: Record<string, string> = {};
  let inUse = 0;
  beforeAll(async () => {
    inUse = await createWarehouse(caller);
    await feedOrders(caller, { orderNumber: 'USES', warehouseId: inUse });
    keys.good = caller.apiKey;
    keys.bad = makeKey(randomUUID(), 'live');
    keys.unscoped = (await world.key(caller.companyId, ['health:read'])).apiKey;
    keys.stranger = (await world.company()).apiKey;
  });

  test.each(
    CASES.map(one => ({
      ...one,
      sent: one.body === undefined ? 'no body' : one.body.trim().slice(0, 12) || 'too much',
    })),
  )('$method $path with key $key and $sent: $expected', async ({ method, path, key, headers, body, expected }) => {
    const answer = await send(world.app.url, {
      method,
      path: `/api/v1/integrations${path.replace('IN_USE', String(inUse))}`,
      headers: {
        ...(key !== 'none' && { 'x-api-key': keys[key] ?? '' }),
        ...(body !== undefined && { ...JSON_TYPE, 'content-length': String(body.length) }),
        ...headers,
      },
      chunks: body === undefined ? [] : [body],
    });
    expect([answer.status, answer.body.code]).toEqual(expected);
  });
});

describe('On every process', () => {
  const second = useSecondProcess(world);

  /** Milliseconds from now until a process refuses the key; it is asked again and again, for at most three seconds. */
  /** How long after the revocation the last request began that was still let in. */
  async function letInUntilMs(url: string, apiKey: string, since: number): Promise<number> {
    let last = 0;
    for (;;) {
      const beganMs = performance.now() - since;
      const { status } = await health({ 'x-api-key': apiKey }, url);
      if (status === 401) return last;
      expect([status, beganMs < 3000]).toEqual([200, true]);
      last = beganMs;
    }
  }

  async function letIn(url: string, apiKey: string) {
    expect((await health({ 'x-api-key': apiKey }, url)).status).toBe(200);
  }

  test('a revocation takes effect within one second', async () => {
    const { apiKey, apiKeyId } = await world.key(caller.companyId);
    for (const url of [world.app.url, second.url]) await letIn(url, apiKey);
    const since = performance.now();
    await world.administration.revokeKey(apiKeyId);
    const last = await Promise.all([world.app.url, second.url].map(url => letInUntilMs(url, apiKey, since)));
    for (const ms of last) expect(ms).toBeLessThan(1000);
  });

  test('a revocation takes effect within one second by whatever means, also while notifications are lost', async () => {
    const { apiKey, apiKeyId } = await world.key(caller.companyId);
    for (const url of [world.app.url, second.url]) await letIn(url, apiKey);
    const since = await withClient(async client => {
      expect(await cutListeners(client)).toBeGreaterThanOrEqual(2);
      // Known again to both before anyone listens again.
      for (const url of [world.app.url, second.url]) await letIn(url, apiKey);
      await client.query('update api_key set revoked_at = now() where id = $1', [apiKeyId]);
      return performance.now();
    });
    const last = await Promise.all([world.app.url, second.url].map(url => letInUntilMs(url, apiKey, since)));
    for (const ms of last) expect(ms).toBeLessThan(1000);
  });

  test('scopes that were removed are gone within one second', async () => {
    const { apiKey, apiKeyId } = await world.key(caller.companyId);
    await letIn(second.url, apiKey);
    await withClient(async client => {
      await client.query(`update api_key set scopes = '{carriers:read}' where id = $1`, [apiKeyId]);
      await client.query(`select pg_notify('api_key_changed', $1)`, [apiKeyId]);
    });
    await vi.waitFor(async () => {
      const { status, body } = await health({ 'x-api-key': apiKey }, second.url);
      expect([status, body.requiredScope]).toEqual([403, 'health:read']);
    }, SOON);
  });

  test('a key works at once where it was not used before', async () => {
    const { apiKey } = await world.key(caller.companyId);
    await letIn(second.url, apiKey);
  });

  test('an expired key stops at its time, even where it is cached', async () => {
    const expiresAt = new Date(Date.now() + 1200);
    const { apiKey } = await world.key(caller.companyId, ['all'], expiresAt.toISOString());
    let answered = 0;
    for (;;) {
      const askedAt = Date.now();
      const { status, body } = await health({ 'x-api-key': apiKey });
      if (status === 401) {
        expect(body.code).toBe('invalid_api_key');
        expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
        break;
      }
      expect(status).toBe(200);
      // Asked after its time, it must not have been answered.
      expect(askedAt).toBeLessThan(expiresAt.getTime());
      answered++;
    }
    expect(answered).toBeGreaterThan(0);
  });
});

describe('A key is looked up', () => {
  const lookups = async () => (await world.app.metrics.keyLookups.get()).values[0]?.value ?? 0;

  test('never if it cannot be a key', async () => {
    const before = await lookups();
    for (let i = 0; i < 20; i++) {
      expect(
        (await health({ 'x-api-key': `sk_live_${'0'.repeat(32)}_${'a'.repeat(43)}_0000000${i % 10}` })).status,
      ).toBe(401);
    }
    expect((await lookups()) - before).toBe(0);
  });

  test('again if it changes during the look-up, without an error for any caller', async () => {
    const { apiKey, apiKeyId } = await world.key(caller.companyId);
    const unknownId = randomUUID();
    await withClient(async holder => {
      await holder.query('begin');
      await holder.query('lock table api_key in access exclusive mode');
      const pending = [apiKey, makeKey(unknownId, 'live')].map(key => health({ 'x-api-key': key }));
      await withClient(async observer => {
        await vi.waitFor(
          async () => {
            const waiting = `select 1 from pg_locks where relation = 'api_key'::regclass and not granted and mode = 'AccessShareLock'`;
            expect((await observer.query(waiting)).rows).toHaveLength(2);
          },
          { timeout: SEEN_WITHIN_MS },
        );
        const heard = Promise.withResolvers<void>();
        observer.on('notification', ({ payload }) => payload === unknownId && heard.resolve());
        await observer.query('listen api_key_changed');
        for (const id of [apiKeyId, unknownId]) {
          await withClient(other => other.query(`select pg_notify('api_key_changed', $1)`, [id]));
        }
        await heard.promise;
      });
      await holder.query('rollback');
      expect((await Promise.all(pending)).map(({ status }) => status)).toEqual([200, 401]);
    });
  });

  test('again if it is revoked during the look-up, and is rejected after that', async () => {
    const { apiKey, apiKeyId } = await world.key(caller.companyId);
    await withClient(async holder => {
      await holder.query('begin');
      await holder.query('lock table api_key in access exclusive mode');
      const pending = health({ 'x-api-key': apiKey });
      await holder.query('update api_key set revoked_at = now() where id = $1', [apiKeyId]);
      await holder.query('commit');
      const since = performance.now();
      expect([200, 401]).toContain((await pending).status);
      await vi.waitFor(async () => expect((await health({ 'x-api-key': apiKey })).status).toBe(401), SOON);
      expect(performance.now() - since).toBeLessThan(1000);
    });
  });
});
