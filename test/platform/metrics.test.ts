import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Database } from '../../src/platform/database.ts';
import { createMetrics } from '../../src/platform/metrics.ts';
import { measureQueues } from '../../src/platform/queue-metrics.ts';
import { freePort } from '../cli/processes.ts';
import { eventually } from '../jobs/webhooks.ts';
import { askedAt, useSandbox } from '../support/carriers.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { useWorld } from '../support/world.ts';
import { beBusy } from './busy.ts';

const TOKEN = 'scrape-token-of-sixteen';
const port = await freePort();
const sandbox = useSandbox();
const receiver = useReceiver();
const world = useWorld(
  Object.assign(askedAt(sandbox), REACHABLE, { METRICS_PORT: String(port), METRICS_TOKEN: TOKEN }),
);

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

test('after some traffic there are figures of everything that an operator watches', async () => {
  const { hidden } = await beBusy(await world.company(), receiver);
  const path = '/api/v1/integrations/shipments/tracking/by-order-number/{orderNumber}';
  const expected = [
    `http_request_duration_seconds_count{route="${path}",method="GET",status="200"}`,
    'http_request_duration_seconds_count{route="/graphql",method="POST",status="200"}',
    'http_request_duration_seconds_bucket{le="0.1",route="/graphql",method="POST",status="200"}',
    'database_statements_total{statement="transaction"}',
    'database_pool_connections',
    'database_pool_idle',
    'database_pool_max',
    'database_pool_waiting',
    'nodejs_eventloop_lag_p99_seconds',
    'process_resident_memory_bytes',
    'cache_reads_total{cache="api_keys",result="hit"}',
    'cache_reads_total{cache="api_keys",result="miss"}',
    'cache_reads_total{cache="tariffs",result="miss"}',
    'api_key_lookups_total',
    'tariff_compilations_total',
    'job_queue_jobs{queue="webhooks.deliver",state="deferred"}',
    'job_queue_jobs{queue="tracking.poll",state="failed"}',
    'job_queue_oldest_due_seconds{queue="webhooks.deliver"}',
    'webhook_attempt_duration_seconds_count{outcome="delivered"}',
    'webhook_deliveries_in_hand',
    'webhook_endpoints{state="open"}',
    'carrier_request_duration_seconds_count{carrier="GLS",purpose="address",outcome="200"}',
    'carrier_request_duration_seconds_count{carrier="GLS",purpose="address",outcome="503"}',
    'carrier_connections_left_alone',
  ];
  // The queues' figures are read with the first scrape, and those of the endpoints.
  const { series, text } = await scrape();
  expect(expected.filter(name => !series.has(name))).toEqual([]);
  expect(series.get('webhook_endpoints{state="healthy"}')).toBe(2);
  expect(series.get('database_pool_max')).toBe(8);
  expect(series.get('cache_reads_total{cache="api_keys",result="hit"}')).toBeGreaterThan(5);

  for (const secret of [...hidden, 'Company ']) expect(text).not.toContain(secret);
  const names = [...series.keys()].map(name => name.replace(/(_(bucket|sum|count))?(\{.*)?$/, ''));
  expect(names.filter(name => !new RegExp(`^# HELP ${name} \\S`, 'm').test(text))).toEqual([]);
});

test.each([
  ['no token', ''],
  ['another', 'Bearer of-something-else-entirely'],
  ['another scheme', `Basic ${TOKEN}`],
])('%s opens neither door', async (_what, authorization) => {
  for (const base of [`http://127.0.0.1:${port}`, world.app.url]) {
    const { status, text } = await scrape(base, authorization);
    expect([status, text]).toEqual([401, '']);
  }
});

test('with the token the main port has the same, as one more route', async () => {
  const { status, series } = await scrape(world.app.url);
  expect(status).toBe(200);
  expect(series.has('database_pool_connections')).toBe(true);
  await eventually(async () => ({ routes: [...(await scrape()).series.keys()].join() }), {
    routes: expect.stringContaining('route="/metrics"'),
  });
});

test('a database that does not answer takes only its own figures away', async () => {
  const metrics = createMetrics();
  const database = { rows: () => Promise.reject(new Error('gone')) } as unknown as Database;
  measureQueues(database, metrics);
  const text = await metrics.registry.metrics();
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds ');
  expect(text).not.toContain('job_queue_jobs{');
});

test("every metric that the dashboard's expressions name exists, with the labels they ask for", async () => {
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
