import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ENDPOINT_STATES } from '../../src/domain/exchange/webhooks/endpoints/endpoint.rules.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { measureQueues } from '../../src/platform/jobs/queue-metrics.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { eventually } from '../jobs/webhooks.ts';
import { askedAt, useSandbox } from '../support/carriers.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { freePort } from '../support/ports.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { restClient } from '../support/rest-client.ts';
import { useWorld } from '../support/world.ts';
import { beBusy } from './busy.ts';

const TOKEN = 'scrape-token-of-sixteen';
const port = await freePort();
const sandbox = useSandbox();
const receiver = useReceiver();
const dataDir = mkdtempSync(join(tmpdir(), 'metrics-'));
mkdirSync(join(dataDir, 'postgres'));
afterAll(() => rmSync(dataDir, { recursive: true }));
const world = useWorld(
  Object.assign(askedAt(sandbox), REACHABLE, { METRICS_PORT: String(port), METRICS_TOKEN: TOKEN, DATA_DIR: dataDir }),
);
const hasty = useWorld({
  METRICS_TOKEN: TOKEN,
  GRAPHQL_TIMEOUT_SECONDS: '0.3',
  // As with a server of one's own: the folder is there, and no embedded database.
  DATA_DIR: tmpdir(),
});

interface Scrape {
  readonly status: number;
  readonly text: string;
  /** By name and labels, as Prometheus writes them. */
  readonly series: ReadonlyMap<string, number>;
}

async function scrape(base = `http://127.0.0.1:${port}`, authorization = `Bearer ${TOKEN}`): Promise<Scrape> {
  const response = await fetch(`${base}/metrics`, { headers: { authorization } });
  const text = await response.text();
  const series = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? [];
    series.set(name, Number(value));
  }
  return { status: response.status, text, series };
}

test('After some requests and jobs there are metrics of everything that an operator watches', async () => {
  const { hidden } = await beBusy(await world.sandbox(), receiver);
  const path = '/api/v1/integrations/shipments/tracking/by-order-number/{orderNumber}';
  const expected = [
    `shipping_http_request_duration_seconds_count{route="${path}",method="GET",status="200"}`,
    'shipping_http_request_duration_seconds_count{route="/graphql",method="POST",status="200"}',
    'shipping_http_request_duration_seconds_bucket{le="0.1",route="/graphql",method="POST",status="200"}',
    'shipping_database_statement_duration_seconds_count{statement="transaction"}',
    'shipping_database_statement_duration_seconds_sum{statement="transaction"}',
    'shipping_database_statement_duration_seconds_bucket{le="0.005",statement="transaction"}',
    'shipping_database_pool_connections',
    'shipping_database_pool_idle',
    'shipping_database_pool_max',
    'shipping_database_pool_waiting',
    'shipping_database_oldest_transaction_seconds',
    'shipping_database_clock_skew_seconds',
    'shipping_database_standbys',
    'shipping_database_size_bytes',
    'shipping_data_folder_free_bytes',
    'shipping_tariffs_ending{kind="tariff"}',
    'shipping_tariffs_ending{kind="fuel_index"}',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'shipping_cache_reads_total{cache="api_keys",result="hit"}',
    'shipping_cache_reads_total{cache="api_keys",result="miss"}',
    'shipping_cache_reads_total{cache="tariffs",result="miss"}',
    'shipping_api_key_lookups_total',
    'shipping_tariff_compilations_total',
    'shipping_job_queue_jobs{queue="webhooks.deliver",state="deferred"}',
    'shipping_job_queue_jobs{queue="tracking.poll",state="failed"}',
    'shipping_job_queue_oldest_due_seconds{queue="webhooks.deliver"}',
    'shipping_webhook_attempt_duration_seconds_count{outcome="delivered"}',
    'shipping_webhook_deliveries_in_flight',
    ...Object.keys(ENDPOINT_STATES).map(state => `shipping_webhook_endpoints{state="${state}"}`),
    'shipping_carrier_request_duration_seconds_count{carrier="GLS",purpose="address",outcome="200"}',
    'shipping_carrier_request_duration_seconds_count{carrier="GLS",purpose="address",outcome="503"}',
    'shipping_carrier_connections_paused',
    'shipping_carrier_credentials_refused{carrier="DHL"}',
  ];
  // The values of queues and endpoints are read with the first scrape.
  const { series, text } = await scrape();
  expect(expected.filter(name => !series.has(name))).toEqual([]);
  expect(series.get('shipping_webhook_endpoints{state="active"}')).toBe(2);
  expect(series.get('shipping_database_pool_max')).toBe(8);
  expect(series.get('shipping_cache_reads_total{cache="api_keys",result="hit"}')).toBeGreaterThan(5);

  for (const secret of [...hidden, 'Company ']) expect(text).not.toContain(secret);
  const names = [...series.keys()].map(name => name.replace(/(_(bucket|sum|count))?(\{.*)?$/, ''));
  expect(names.filter(name => !new RegExp(`^# HELP ${name} \\S`, 'm').test(text))).toEqual([]);
});

test('A figure that cannot be measured has no value, because 0 would be one', async () => {
  const { series } = await scrape(hasty.app.url);
  expect(series.has('shipping_database_size_bytes')).toBe(true);
  expect(series.has('shipping_data_folder_free_bytes')).toBe(false);
});

test('Every name of a metric is one of the service or one of Node, and only counters end as counters do', async () => {
  const { text } = await scrape();
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => ({ name, type }));
  expect(types.filter(({ name }) => !/^(shipping|nodejs|process)_[a-z0-9_]+$/.test(name))).toEqual([]);
  expect(types.filter(({ name, type }) => name.endsWith('_total') !== (type === 'counter'))).toEqual([]);
});

test('A statement counts in every bucket whose limit it does not exceed, and once in all', async () => {
  const { database } = world.app;
  await database.transaction(async em => {
    await em.execute('select pg_sleep(0.03)');
  });
  const { series } = await scrape();
  const of = (suffix: string, le = '') =>
    series.get(`shipping_database_statement_duration_seconds_${suffix}{${le}statement="transaction"}`) ?? Number.NaN;
  const [shorter, longer, all] = ['le="0.025",', 'le="2.5",', 'le="+Inf",'].map(le => of('bucket', le)) as [
    number,
    number,
    number,
  ];
  expect(longer).toBeGreaterThan(shorter);
  expect(all).toBeGreaterThanOrEqual(longer);
  expect(all).toBe(of('count'));
  expect(of('sum')).toBeGreaterThan(0.03);
});

/** The increase of a metric with one label meanwhile, by label; each label exists before. */
async function counted(name: string, work: () => Promise<unknown>, base?: string): Promise<Record<string, number>> {
  const before = await scrape(base);
  await work();
  const after = await scrape(base);
  const series = [...after.series].filter(([of]) => of.startsWith(`${name}{`));
  return Object.fromEntries(
    series.map(([of, value]) => [/="(.*)"/.exec(of)?.[1], value - (before.series.get(of) ?? Number.NaN)]),
  );
}

test('Requests that are rejected for their rate are counted by rate class', async () => {
  const { companyId } = await world.company();
  const rates = { reads: 1, writes: 1 };
  const { apiKey } = await world.administration.createKey({ companyId, label: 'Test', scopes: ['all'], rates });
  const headers = { 'x-api-key': apiKey };
  const rest = restClient(world.app.url, headers);
  const work = async () => {
    // As many as exceed the rate in one minute, even where a second one begins meanwhile.
    for (let i = 0; i < 2; i++) await expect.poll(async () => (await rest('GET', '/warehouses')).status).toBe(429);
    await expect.poll(async () => (await rest('POST', '/warehouses', WAREHOUSE)).status).toBe(429);
    await fetch(`${world.app.url}/graphql?query={apiKey{label}}`, { headers });
  };
  expect(await counted('shipping_rate_limited_total', work)).toEqual({ reads: 3, quotes: 0, writes: 1, cost: 0 });
});

test('Requests with an Idempotency-Key are counted by outcome', async () => {
  const { rest } = await world.company();
  const post = (key: string, body: object) => rest('POST', '/warehouses', body, { 'idempotency-key': key });
  const left = (key: string, tookEffect: boolean, ago: string) =>
    world.app.database.pool.query(
      'update idempotent_request set answer = null, took_effect = $2, claimed_at = now() - $3::interval where idempotency_key = $1',
      [key, tookEffect, ago],
    );
  const work = async () => {
    await post('first', WAREHOUSE);
    await post('first', WAREHOUSE);
    await post('first', { ...WAREHOUSE, name: 'Altro' });
    // A body that its schema rejects never takes the key; what the service rejects does.
    await post('invalid', { ...WAREHOUSE, postalCode: '2013' });
    const blocked = { label: 'Test', url: 'https://10.0.0.1/', events: ['tracking.*'] };
    await rest('POST', '/webhooks', blocked, { 'idempotency-key': 'wrong' });
    await left('first', false, '1 second');
    await post('first', WAREHOUSE);
    await left('first', true, '71 seconds');
    await post('first', WAREHOUSE);
    await rest('POST', '/warehouses', WAREHOUSE);
  };
  expect(await counted('shipping_idempotent_requests_total', work)).toEqual({
    executed: 1,
    failed: 1,
    replayed: 1,
    reused: 1,
    in_progress: 1,
    lost: 1,
  });
});

test('GraphQL operations that exceed a limit are counted by it, each once', async () => {
  const caller = await world.company();
  const nested = (levels: number): string =>
    levels === 0 ? 'id' : `order { shipments { nodes { ${nested(levels - 1)} } } }`;
  const deep = `{ shipments { edges { node { ${nested(4)} } } } }`;
  const costly =
    '{ shipments(first: 240) { nodes { order { shipments { nodes { timeline { nodes { statusLabel } } } } } } } }';
  const work = async () => {
    // Also where they are compiled by now.
    for (const document of [deep, costly, costly, costly, costly, costly]) await caller.graphql(document);
    for (const other of ['{ apiKey { label } }', '{ nothing }', '{ warehouse(id: 1) { id: databaseId } }']) {
      await caller.graphql(other);
    }
  };
  expect(await counted('shipping_graphql_rejected_total', work)).toEqual({ depth: 1, cost: 5, time: 0 });
});

test('GraphQL operations that take too long are counted', async () => {
  const caller = await hasty.company();
  const client = await hasty.app.database.pool.connect();
  const work = async () => {
    await client.query('begin; lock table warehouse in access exclusive mode');
    await caller.graphql('{ warehouses { nodes { id: databaseId } } }');
    await client.query('rollback');
  };
  expect(await counted('shipping_graphql_rejected_total', work, hasty.app.url)).toEqual({ depth: 0, cost: 0, time: 1 });
  client.release();
});

test.each([
  ['no token', ''],
  ['another', 'Bearer of-something-else-entirely'],
  ['another scheme', `Basic ${TOKEN}`],
])('Metrics are not readable, on either port, with %s', async (_what, authorization) => {
  for (const base of [`http://127.0.0.1:${port}`, world.app.url]) {
    const { status, text } = await scrape(base, authorization);
    expect([status, text]).toEqual([401, '']);
  }
});

test('With the token the main port has the same metrics, as one more route', async () => {
  const { status, series } = await scrape(world.app.url);
  expect(status).toBe(200);
  expect(series.has('shipping_database_pool_connections')).toBe(true);
  await eventually(async () => ({ routes: [...(await scrape()).series.keys()].join() }), {
    routes: expect.stringContaining('route="/metrics"'),
  });
});

test('A database that does not respond affects only its own metrics', async () => {
  const metrics = createMetrics();
  const database = { rows: () => Promise.reject(new Error('gone')) } as unknown as Database;
  measureQueues(database, metrics);
  const text = await metrics.registry.metrics();
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds ');
  expect(text).not.toContain('shipping_job_queue_jobs{');
});

test('Every metric in the expressions of the dashboard exists, with the labels that they use', async () => {
  const dashboard = JSON.parse(
    readFileSync(new URL('../../schema/ops/grafana-dashboard.json', import.meta.url), 'utf8'),
  );
  const panels: { title: string; type: string; targets?: { expr: string }[] }[] = dashboard.panels;
  const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
  expect(rows).toEqual(['API', 'Database', 'Queues', 'Webhooks', 'Carriers', 'Process']);
  const { text } = await scrape();
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const asked = expressions.flatMap(expression => [...expression.matchAll(/\b([a-z]\w+)\{([^}]*)\}/g)]);
  expect(asked.length).toBeGreaterThanOrEqual(expressions.length);
  for (const [, name = '', selectors = ''] of asked) {
    const [line = ''] = new RegExp(`^${name}(\\{.*)? \\S+$`, 'm').exec(text) ?? [];
    expect(line, name).not.toBe('');
    // `job` and `instance` are Prometheus' own.
    const labels = [...selectors.matchAll(/(\w+)(?:=|!)/g)].map(([, label = '']) => label);
    for (const label of labels) if (label !== 'job' && label !== 'instance') expect(line).toContain(`${label}="`);
  }
});

test('The series shipping_build_info has the version of the service as its label', async () => {
  const { series } = await scrape();
  expect(series.get(`shipping_build_info{version="${packageJson.version}"}`)).toBe(1);
});
