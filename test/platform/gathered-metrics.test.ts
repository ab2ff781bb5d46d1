import { expect, test } from 'vitest';
import { GatheredMetrics, type ProcessMetrics } from '../../src/platform/telemetry/gathered-metrics.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';

/** A process with some requests, a pool and what it reads of the database, and its figures as they come from it. */
function processWith(requests: number, { waiting = 0, endpoints = 7, leftAlone = 0 } = {}) {
  const metrics = createMetrics();
  const count = (more: number) => {
    for (let i = 0; i < more; i++) metrics.requests.observe({ route: '/x', method: 'GET', status: '200' }, 0.02);
  };
  count(requests);
  metrics.gauge('shipping_database_pool_waiting', 'Waiting', () => waiting);
  metrics.gauge('shipping_carrier_connections_paused', 'Left alone', () => leftAlone, 'max');
  metrics.gauges('shipping_webhook_endpoints', 'Endpoints', ['state'], async () => [
    { labels: { state: 'active' }, value: endpoints },
  ]);
  const figures = async (): Promise<ProcessMetrics> =>
    JSON.parse(JSON.stringify(await metrics.registry.getMetricsAsJSON()));
  return { count, figures };
}

const REQUESTS = 'shipping_http_request_duration_seconds_count{route="/x",method="GET",status="200"}';

/** The value of a series, as Prometheus reads it. */
async function seriesOf(gathered: GatheredMetrics<string>, series: string): Promise<number | undefined> {
  const line = (await gathered.text()).split('\n').find(one => one.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

test('counts of processes are added up, and values of the database count once', async () => {
  const gathered = new GatheredMetrics<string>();
  gathered.update('a', await processWith(3, { waiting: 1, leftAlone: 2 }).figures());
  gathered.update('b', await processWith(4, { waiting: 5, leftAlone: 1 }).figures());
  const values = [REQUESTS, 'shipping_database_pool_waiting', 'shipping_webhook_endpoints{state="active"}'];
  expect(await Promise.all(values.map(one => seriesOf(gathered, one)))).toEqual([7, 6, 7]);
  expect(await seriesOf(gathered, 'shipping_carrier_connections_paused')).toBe(2);
  expect(await seriesOf(gathered, REQUESTS.replace('_count{', '_bucket{le="0.025",'))).toBe(7);
  expect(await gathered.text()).toMatch(/^# HELP shipping_http_request_duration_seconds \S/m);
});

test('the latest figures of a process take the place of those before', async () => {
  const gathered = new GatheredMetrics<string>();
  const { count, figures } = processWith(3);
  gathered.update('a', await figures());
  count(2);
  gathered.update('a', await figures());
  expect(await seriesOf(gathered, REQUESTS)).toBe(5);
});

test('a counter does not fall when a process ends, and its gauges are gone', async () => {
  const gathered = new GatheredMetrics<string>();
  gathered.update('a', await processWith(3, { waiting: 1 }).figures());
  for (const one of ['b', 'c']) {
    gathered.update(one, await processWith(4, { waiting: 5 }).figures());
    gathered.end(one);
  }
  gathered.end('never asked');
  expect(await seriesOf(gathered, REQUESTS)).toBe(11);
  expect(await seriesOf(gathered, 'shipping_database_pool_waiting')).toBe(1);
});

test('the delay of the event loop comes from the slowest process, and the service runs since its first start', async () => {
  const gathered = new GatheredMetrics<string>();
  for (const [name, value, start] of [
    ['a', 0.5, 200],
    ['b', 0.01, 100],
  ] as const) {
    const figures = await processWith(0).figures();
    const of = (metric: string) => figures.find(one => one.name === metric)?.values[0] as { value: number };
    of('nodejs_eventloop_lag_p99_seconds').value = value;
    of('process_start_time_seconds').value = start;
    gathered.update(name, figures);
  }
  expect(await seriesOf(gathered, 'nodejs_eventloop_lag_p99_seconds')).toBe(0.5);
  expect(await seriesOf(gathered, 'process_start_time_seconds')).toBe(100);
});
