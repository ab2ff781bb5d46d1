import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { clientWith, connectionSettings } from '../../src/platform/database/connections/connection-settings.ts';
import { inProcess } from '../cli/in-process.ts';
import { prepareDatabase } from '../faults/fault-tools.ts';
import { OwnPostgres } from '../faults/own-postgres.ts';
import { withClient } from '../support/databases.ts';
import { noteSettings, useWatchedLog } from '../support/log-watch.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { openTcpProxy } from '../support/tcp-proxy.ts';
import { PATIENTLY } from '../support/time.ts';
import { SECRETS_KEY } from '../support/world.ts';

// A primary with a synchronous standby, and a service whose address names both.

const log = useWatchedLog();
let home: string;
let servers: OwnPostgres[];
let app: App;
let apiKey: string;

/** An address of both servers, the first of which is the standby. */
const both = (role = 'read-write', urls = servers.map(({ url }) => url)) => {
  const [one, other] = urls.map(url => new URL(url)) as [URL, URL];
  return `postgres://${one.username}:${one.password}@${other.host},${one.host}${one.pathname}?target_session_attrs=${role}`;
};
const TOKEN = 'scrape-token-of-sixteen';
const settings = () => ({
  PORT: '0',
  DATABASE_URL: both(),
  DATABASE_POOL_SIZE: '4',
  SECRETS_KEY,
  METRICS_TOKEN: TOKEN,
});

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'shipping-failover-'));
  const primary = await OwnPostgres.start(home);
  servers = [primary];
  ({ apiKey } = await prepareDatabase(primary.url));
  servers.push(await primary.replica(home));
  noteSettings(settings());
  app = await createApp({ ...readConfig(settings()), databaseUrl: both() }, log);
}, 60_000);
afterAll(async () => {
  await app?.stop();
  for (const server of servers) await server.close();
  await rm(home, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object): Promise<Response> {
  return fetch(`${app.url}/api/v1/integrations${path}`, {
    method,
    headers: { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
}
const create = (name: string) => call('POST', '/warehouses', { ...WAREHOUSE, typeId: 4, name });
async function names(): Promise<string[]> {
  const found = (await (await call('GET', '/warehouses')).json()) as { name: string }[];
  return found.map(({ name }) => name);
}

/** The port of the server that a new connection leads to. */
async function portOf(address: string): Promise<string> {
  const client = clientWith(connectionSettings(address));
  await client.connect();
  const { rows } = await client.query('select inet_server_port() as port');
  await client.end();
  return String(rows[0]?.port);
}
const portsOf = () => servers.map(({ url }) => new URL(url).port);

test('An address of several hosts leads to the one that is wanted, whatever their order', async () => {
  const [primary, standby] = portsOf();
  expect(await portOf(both())).toBe(primary);
  expect(await portOf(both('prefer-standby'))).toBe(standby);
  expect((await create('Before')).status).toBe(201);
});

const findings = async (...checks: string[]) => {
  const { stdout } = await inProcess(['doctor', '--json'], settings());
  const all = JSON.parse(stdout) as { check: string; status: string; found: string }[];
  return all.filter(({ check }) => checks.includes(check)).map(({ status, found }) => `${status}: ${found}`);
};

test('The doctor names the primary, the standby, and how far it is behind', async () => {
  const [primary, standby] = portsOf();
  expect(await findings('servers', 'standbys')).toEqual([
    `ok: 127.0.0.1:${standby} is a standby, 127.0.0.1:${primary} is the primary`,
    expect.stringMatching(/^ok: one standby follows the primary \(synchronous\), 0\.\d MB behind$/),
  ]);
});

test('The command `status` and the metrics include the standby', async () => {
  const { stdout } = await inProcess(['status'], settings());
  expect(stdout).toMatch(/^Standbys: One standby follows the primary \(synchronous\), 0\.\d MB behind\.$/m);
  const scraped = await fetch(`${app.url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect(await scraped.text()).toMatch(/^shipping_database_standbys 1$/m);
});

test('Commands use the primary too', async () => {
  const { stdout, code } = await inProcess(['company', 'create', '--name', 'Rossi', '--json'], settings());
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.anything()]);
});

test('The service follows a promotion without a restart, keeps what it acknowledged, and returns 503 meanwhile', async () => {
  const [primary, standby] = servers as [OwnPostgres, OwnPostgres];
  await primary.kill();
  const meanwhile = await create('Meanwhile');
  expect([meanwhile.status, meanwhile.headers.has('retry-after')]).toEqual([503, true]);
  await standby.promote();
  await vi.waitFor(async () => expect((await create('After')).status).toBe(201), PATIENTLY);
  expect(await names()).toEqual(expect.arrayContaining(['Before', 'After']));
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
  const listening = () =>
    withClient(standby.url, client =>
      client.query(`select from pg_stat_activity where application_name like 'shipping-process%'`),
    );
  await vi.waitFor(async () => expect((await listening()).rowCount).toBe(1), PATIENTLY);
});

test('A former primary that is started again is not used', async () => {
  const [primary] = servers as [OwnPostgres, OwnPostgres];
  const [former, current] = portsOf();
  expect(await findings('servers')).toEqual([
    `warn: 127.0.0.1:${current} is the primary, 127.0.0.1:${former} does not respond (nothing listens at the address of DATABASE_URL)`,
  ]);
  await primary.start();
  expect(await portOf(both())).toBe(current);
  // Also where it answers first.
  const line = await openTcpProxy(servers[1]?.url ?? '');
  line.delay(5);
  expect(await portOf(both('read-write', [primary.url, line.url]))).toBe(current);
  await line.close();
  expect(await findings('servers')).toEqual([
    `fail: 127.0.0.1:${current} is the primary, 127.0.0.1:${former} is the primary`,
  ]);
  expect((await create('Later')).status).toBe(201);
});
