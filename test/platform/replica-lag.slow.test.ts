import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { type Standby, startStandby } from '../bench/standby.ts';
import { withClient } from '../support/databases.ts';
import { noteSettings, useWatchedLog } from '../support/log-watch.ts';
import { PATIENTLY } from '../support/time.ts';
import { SECRETS_KEY } from '../support/world.ts';

/** The metrics of a replica that serves reads. */

const TOKEN = 'scrape-token-of-sixteen';
const LAG = 'shipping_database_replica_lag_seconds';
const FOLLOWS = 'shipping_database_replica_follows';
const log = useWatchedLog();

let home: string;
let primary: EmbeddedPostgres;
let standby: Standby;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'shipping-replica-'));
  primary = await openEmbeddedPostgres({ dataDir: join(home, 'primary'), as: 'service', throwaway: true });
  standby = await startStandby({ url: primary.url, folder: join(home, 'primary') }, join(home, 'standby'));
});
afterAll(async () => {
  await standby?.stop();
  await primary?.close();
  await rm(home, { recursive: true, force: true });
});

/** By an api that has measured nothing yet: one that has keeps it for some seconds. */
async function scrape(env: Record<string, string> = { READ_DATABASE_URL: standby.url }) {
  const settings = {
    PORT: '0',
    ROLE: 'api',
    DATABASE_URL: primary.url,
    DATABASE_POOL_SIZE: '2',
    SECRETS_KEY,
    METRICS_TOKEN: TOKEN,
    ...env,
  };
  noteSettings(settings);
  const app = await createApp({ ...readConfig(settings), databaseUrl: primary.url }, log);
  try {
    const response = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
    const lines = (await response.text()).split('\n');
    const read = (name: string) => {
      const line = lines.find(one => one.startsWith(`${name} `));
      return line === undefined ? undefined : Number(line.split(' ')[1]);
    };
    return { lag: read(LAG), follows: read(FOLLOWS) };
  } finally {
    await app.stop();
  }
}

const onPrimary = (statement: string) => withClient(primary.url, client => client.query(statement));
const onStandby = (statement: string) => withClient(standby.url, client => client.query(statement));
const lead = async (conninfo: string) => {
  await onStandby(`alter system set primary_conninfo = '${conninfo}'`);
  await onStandby('select pg_reload_conf()');
};

test('A replica that follows has no lag, however long ago the last change was, and one that is cut off has more and more', async () => {
  expect(await scrape({})).toEqual({ lag: undefined, follows: undefined });
  await onPrimary('create table mark (n integer)');
  await vi.waitFor(() => onStandby('table mark'), PATIENTLY);
  expect(await scrape()).toEqual({ lag: 0, follows: 1 });

  await lead('host=127.0.0.1 port=1');
  const receivers = async () => (await onPrimary('select from pg_stat_replication')).rowCount;
  await vi.waitFor(async () => expect(await receivers()).toBe(0), PATIENTLY);
  // The lag is measured by flushed changes, and the throwaway primary flushes some time after the commit by default.
  await onPrimary('set synchronous_commit = on; insert into mark values (1)');
  const { lag: early, follows } = await scrape();
  expect(follows).toBe(1);
  expect(early).toBeGreaterThan(0);
  await vi.waitFor(async () => expect((await scrape()).lag).toBeGreaterThan((early as number) + 1), PATIENTLY);

  await lead(primary.url);
  await vi.waitFor(async () => expect(await scrape()).toEqual({ lag: 0, follows: 1 }), PATIENTLY);
});

test('The primary in the place of a replica has no lag', async () => {
  expect(await scrape({ READ_DATABASE_URL: primary.url })).toEqual({ lag: 0, follows: 1 });
});

test('A replica that was promoted does not follow, nor does one that does not respond', async () => {
  await onStandby('select pg_promote()');
  expect(await scrape()).toEqual({ lag: undefined, follows: 0 });
  await standby.stop();
  expect(await scrape()).toEqual({ lag: undefined, follows: 0 });
});
