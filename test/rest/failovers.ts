// A service whose database goes away in a failover.
import pg from 'pg';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { createApp, type Deadlines } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, SECRETS_KEY, UNLIMITED, useWorld } from '../support/world.ts';

export function useFailovers() {
  const world = useWorld();
  const heard: string[] = [];
  const log = useWatchedLog(line => heard.push(line));
  let caller: Caller;
  beforeAll(async () => {
    caller = await world.company();
  });

  /** Another process of the service, with a database by another way. */
  function startApp(databaseUrl: string, deadlines: Partial<Deadlines>, env: Record<string, string> = {}) {
    const needed = { PORT: '0', DATABASE_POOL_SIZE: '8', DATABASE_URL: databaseUrl, SECRETS_KEY };
    const config = readConfig({ ...needed, ...UNLIMITED, ...env });
    return createApp({ ...config, databaseUrl }, log, undefined, deadlines);
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

  return {
    world,
    heard,
    get caller() {
      return caller;
    },
    startApp,
    lockedWarehouse,
  };
}

/** A proxy that can swallow the statements of a service without closing a connection. */
export function useSwallowingLine(world: { readonly databaseUrl: string }): { readonly line: TcpProxy } {
  let line: TcpProxy;
  beforeAll(async () => {
    line = await openTcpProxy(world.databaseUrl);
  });
  afterAll(() => line?.close());
  return {
    get line() {
      return line;
    },
  };
}

/** As many requests at once as make the pool open all its connections. */
export const crowd = (rest: Caller['rest'], count = 8) =>
  Promise.all(Array.from({ length: count }, () => rest('GET', '/warehouses')));
