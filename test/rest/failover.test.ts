import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type App, createApp, type Deadlines } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { withClient } from '../support/databases.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { createWarehouse, WAREHOUSE } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, SECRETS_KEY, UNLIMITED, useWorld } from '../support/world.ts';
import { send } from './raw-http.ts';

const world = useWorld();
const heard: string[] = [];
const log = useWatchedLog(line => heard.push(line));
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** Another process of the service, with a database by another way. */
function startApp(databaseUrl: string, deadlines: Partial<Deadlines>, env: Record<string, string> = {}): Promise<App> {
  const settings = { PORT: '0', DATABASE_POOL_SIZE: '8', DATABASE_URL: databaseUrl, SECRETS_KEY, ...UNLIMITED, ...env };
  return createApp({ ...readConfig(settings), databaseUrl }, log, undefined, deadlines);
}

/** Statements of an administrator of the whole server. */
async function administer(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: inject('serverUrl') });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

/** Holds what a change of a warehouse waits for. */
async function lockedWarehouse(id: number) {
  const client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from warehouse where id = $1 for update', [id]);
  const { pool } = world.app.database;
  const waiters = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return {
    hasWaiter: () =>
      vi.waitFor(async () => expect((await pool.query(`select 1 ${waiters}`)).rowCount).toBe(1), PATIENTLY),
    endWaiter: () => pool.query(`select pg_terminate_backend(pid) ${waiters}`),
    release: () => client.end(),
  };
}

describe('after a failover that swallows every connection without closing it', () => {
  const QUERY_MS = 500;
  let line: TcpProxy;
  let app: App;
  beforeAll(async () => {
    line = await openTcpProxy(world.databaseUrl);
  });
  afterEach(() => app?.stop());
  afterAll(() => line?.close());

  /** As many requests at once as make the pool open all its connections. */
  const crowd = (rest: Caller['rest'], count = 8) =>
    Promise.all(Array.from({ length: count }, () => rest('GET', '/warehouses')));

  test('one request waits for its deadline, and no other idle connection is tried', async () => {
    // Nothing but requests uses this pool.
    app = await startApp(line.url, { queryMs: QUERY_MS }, { ROLE: 'api' });
    const rest = restClient(app.url, { 'x-api-key': caller.apiKey });
    await crowd(rest);
    expect(app.database.pool.idleCount).toBeGreaterThan(2);
    line.swallow();
    const { status, body, headers } = await rest('GET', '/warehouses');
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    for (const answer of await crowd(rest, 12)) expect(answer.status).toBe(200);
  });
});

test('a service whose address names two hosts uses the other one once the first is gone, without a restart', async () => {
  const first = await openTcpProxy(world.databaseUrl);
  const [one, other] = [new URL(first.url), new URL(world.databaseUrl)];
  const hosts = `${other.username}:${other.password}@${one.host},${other.host}`;
  const address = `postgres://${hosts}${other.pathname}?target_session_attrs=read-write`;
  const app = await startApp(address, {}, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  const rest = restClient(app.url, { 'x-api-key': caller.apiKey });
  expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201);
  await first.close();
  await vi.waitFor(async () => expect((await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201), PATIENTLY);
  await app.stop();
});

test('transactions whose connections end give their places in the pool back', async () => {
  const app = await startApp(world.databaseUrl, {}, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  const rest = restClient(app.url, { 'x-api-key': caller.apiKey });
  const id = await createWarehouse(caller);
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

describe('where the database takes no changes', () => {
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
    return restClient(app.url, { 'x-api-key': caller.apiKey });
  }

  test('the process is not ready and says why, reads are answered, and writes are 503', async () => {
    const id = await createWarehouse(caller);
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

  test('it is used again as soon as it takes them', async () => {
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
    const id = await createWarehouse(caller);
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

  test('a lock that is not to be had within the lock_timeout of the role is 503', async () => {
    const id = await createWarehouse(caller);
    const rest = await startWith(`lock_timeout = '50ms'`);
    const holder = await lockedWarehouse(id);
    const { status, body, headers } = await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' });
    await holder.release();
    expect([status, body.code]).toEqual([503, 'unavailable']);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' })).status).toBe(200);
  });
});

test('however many probes there are, the database is looked at once a second', async () => {
  const { database } = world.app;
  const looks = vi.spyOn(database, 'pendingMigrations');
  const answers = await Promise.all(Array.from({ length: 200 }, () => send(world.app.url, { path: '/readyz' })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(looks.mock.calls.length).toBeLessThan(10);
  looks.mockRestore();
});
