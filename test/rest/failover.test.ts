import { afterEach, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { administer, withClient } from '../support/databases.ts';
import { createWarehouse, WAREHOUSE } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { PATIENTLY } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { crowd, useFailovers, useSwallowingLine } from './failovers.ts';
import { send } from './raw-http.ts';

const given = useFailovers();
const { world, heard, startApp, lockedWarehouse } = given;

describe('After a failover that swallows every connection without closing it', () => {
  const QUERY_MS = 500;
  const way = useSwallowingLine(world);
  let app: App;
  afterEach(() => app?.stop());

  test('one request waits for its deadline, and no other idle connection is tried', async () => {
    // Nothing but requests uses this pool.
    app = await startApp(way.line.url, { queryMs: QUERY_MS }, { ROLE: 'api' });
    const rest = restClient(app.url, { 'x-api-key': given.caller.apiKey });
    await crowd(rest);
    expect(app.database.pool.idleCount).toBeGreaterThan(2);
    way.line.swallow();
    const { status, body, headers } = await rest('GET', '/warehouses');
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (const answer of await crowd(rest, 12)) expect(answer.status).toBe(200);
  });
});

test('A service whose address names two hosts uses the other one once the first is gone, without a restart', async () => {
  const first = await openTcpProxy(world.databaseUrl);
  const [one, other] = [new URL(first.url), new URL(world.databaseUrl)];
  const hosts = `${other.username}:${other.password}@${one.host},${other.host}`;
  const address = `postgres://${hosts}${other.pathname}?target_session_attrs=read-write`;
  const app = await startApp(address, {}, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  const rest = restClient(app.url, { 'x-api-key': given.caller.apiKey });
  expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201);
  await first.close();
  await vi.waitFor(async () => expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201), PATIENTLY);
  await app.stop();
});

test('Transactions whose connections end return their places in the pool', async () => {
  const app = await startApp(world.databaseUrl, {}, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  const rest = restClient(app.url, { 'x-api-key': given.caller.apiKey });
  const id = await createWarehouse(given.caller);
  for (let i = 0; i < 3; i++) {
    const holder = await lockedWarehouse(id);
    const underWay = rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' });
    await holder.hasWaiter();
    await holder.endWaiter();
    expect((await underWay).status).toBe(503);
    await holder.release();
  }
  expect((await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' })).status).toBe(200);
  await app.stop();
});

describe('If the database accepts no changes,', () => {
  let app: App;
  afterEach(async () => {
    const name = new URL(world.databaseUrl).pathname.slice(1);
    await administer(`alter database ${name} reset all`);
    await app?.stop();
  });

  async function startWith(setting: string): Promise<Caller['rest']> {
    const name = new URL(world.databaseUrl).pathname.slice(1);
    app = await startApp(world.databaseUrl, {}, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
    await administer(
      `alter database ${name} set ${setting}`,
      // Existing connections keep their settings.
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
    );
    return restClient(app.url, { 'x-api-key': given.caller.apiKey });
  }

  test('the process is not ready and says why, reads are answered, and writes are 503', async () => {
    const id = await createWarehouse(given.caller);
    const rest = await startWith('default_transaction_read_only = on');
    await vi.waitFor(
      async () => {
        const { status, body, headers } = await send(app.url, { path: '/readyz' });
        expect([status, body.code, body.detail]).toEqual([503, 'unavailable', 'The database is read-only.']);
        expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      },
      { timeout: 5_000, interval: 50 },
    );
    await vi.waitFor(async () => expect((await rest('GET', `/warehouses/${id}`)).status).toBe(200), PATIENTLY);
    const writes = [
      await rest('POST', '/warehouses', WAREHOUSE),
      await rest('POST', '/warehouses', WAREHOUSE, { 'idempotency-key': 'read-only' }),
      await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' }),
      await rest('DELETE', `/warehouses/${id}`),
    ];
    for (const { status, body, headers } of writes) {
      expect([status, body.code, body.detail]).toEqual([
        503,
        'unavailable',
        'The database is read-only at the moment.',
      ]);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    // The first of them; the others are counted.
    const failed = heard.filter(line => line.includes('request failed') && line.includes('read-only transaction'));
    expect(failed).toHaveLength(1);
  });

  test('it is used again as soon as it accepts them', async () => {
    const name = new URL(world.databaseUrl).pathname.slice(1);
    const rest = await startWith('default_transaction_read_only = on');
    await vi.waitFor(
      async () => expect((await rest('POST', '/warehouses', WAREHOUSE)).body.code).toBe('unavailable'),
      PATIENTLY,
    );
    await administer(`alter database ${name} reset all`);
    // The connections that were refused are closed, so new ones have the new settings.
    await vi.waitFor(async () => expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201), PATIENTLY);
  });

  test('a write for which its disk has no room is 503 and says so, and reads are answered', async () => {
    const id = await createWarehouse(given.caller);
    const rest = await startWith(`lock_timeout = '10s'`);
    const { status, body, headers } = await withClient(world.ownerUrl, async client => {
      await client.query(
        `create function no_room() returns trigger language plpgsql as
          $$ begin raise exception 'could not extend file' using errcode = 'disk_full'; end $$;
        create trigger no_room before insert on warehouse execute function no_room()`,
      );
      const written = await rest('POST', '/warehouses', WAREHOUSE);
      await client.query('drop trigger no_room on warehouse; drop function no_room');
      return written;
    });
    expect([status, body.code, body.detail]).toEqual([503, 'unavailable', 'The database has no room for changes.']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rest('GET', `/warehouses/${id}`)).status).toBe(200);
  });

  test('a lock that is not available within the lock_timeout of the role is 503', async () => {
    const id = await createWarehouse(given.caller);
    const rest = await startWith(`lock_timeout = '50ms'`);
    const holder = await lockedWarehouse(id);
    const { status, body, headers } = await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' });
    await holder.release();
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' })).status).toBe(200);
  });
});

test('However many probes there are, the database is checked once a second', async () => {
  const { database } = world.app;
  const looks = vi.spyOn(database, 'pendingMigrations');
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(world.app.url, { path: '/readyz' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(looks.mock.calls.length).toBeLessThan(10);
  looks.mockRestore();
});
