import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp, type Deadlines } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
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

  test('transactions wait for their deadline once, and give their places in the pool back', async () => {
    app = await startApp(line.url, { queryMs: QUERY_MS }, { ROLE: 'api', DATABASE_POOL_SIZE: '2' });
    const rest = restClient(app.url, { 'x-api-key': caller.apiKey });
    const { id } = (await rest('POST', '/warehouses', WAREHOUSE)).body;
    const change = () => rest('PATCH', `/warehouses/${id}`, { name: 'Nuovo' });
    const holder = await lockedWarehouse(id);
    const startedAt = performance.now();
    const underWay = change();
    await holder.hasWaiter();
    line.swallow();
    expect((await underWay).status).toBe(503);
    // A rollback behind an unanswered statement would wait as long again.
    expect(performance.now() - startedAt).toBeLessThan(2 * QUERY_MS);
    await holder.release();
    // The server, which hears of nothing, gives the locks of the lost transaction back.
    await vi.waitFor(async () => expect((await change()).status).toBe(200), { timeout: 10_000 });
    line.swallow();
    // Also where it is the first statement of a transaction that has no answer, if none before it had none.
    expect([503, 200]).toContain((await change()).status);
    expect((await change()).status).toBe(200);
  });

  test('jobs, notifications and keys never seen before work again', async () => {
    const heartbeat = { everyMs: 100, deadlineMs: QUERY_MS };
    app = await startApp(line.url, { queryMs: QUERY_MS, heartbeat });
    await crowd(restClient(app.url, { 'x-api-key': caller.apiKey }));
    const cold = await world.key(caller.companyId);
    line.swallow();
    heard.length = 0;
    await vi.waitFor(
      async () => {
        const answers = await crowd(restClient(app.url, { 'x-api-key': cold.apiKey }), 4);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        expect((await send(app.url, { path: '/readyz' })).status).toBe(200);
        expect(heard).toContainEqual(expect.stringContaining('notification connection made again'));
        // Written by a job.
        const used = 'select last_used_at from api_key where id = $1 and last_used_at is not null';
        expect((await world.app.database.pool.query(used, [cold.apiKeyId])).rowCount).toBe(1);
      },
      { timeout: 15_000, interval: 50 },
    );
  });
});
