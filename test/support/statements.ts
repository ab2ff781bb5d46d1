import type { MetricValue } from 'prom-client';
import type { World } from './world.ts';

const DURATIONS = 'shipping_database_statement_duration_seconds';

/**
 * No query's own: the look-up of a key, which is asked for again every second, what keys have used of their rates, and the
 * table of promises, which is asked for once an hour and after each night.
 */
const NO_QUERYS: ReadonlySet<string> = new Set(['api-key-by-id', 'rate-use-add', 'promise-table']);

/** The statements that PostgreSQL got while the work was done, by name. */
export async function statementsOf({ app }: Pick<World, 'app'>, work: () => Promise<unknown>): Promise<string[]> {
  const counts = async () => {
    const metrics = await app.metrics.registry.getMetricsAsJSON();
    const { values = [] } = metrics.find(({ name }) => name === DURATIONS) ?? {};
    // The values of a histogram have names of their own, which the types of prom-client do not declare.
    const ofCount = (values as readonly (MetricValue<string> & { metricName?: string })[]).filter(
      ({ metricName }) => metricName === `${DURATIONS}_count`,
    );
    return new Map(ofCount.map(({ labels, value }) => [String(labels.statement), value]));
  };
  const before = await counts();
  await work();
  const after = [...(await counts())].filter(([statement]) => !NO_QUERYS.has(statement));
  return after.flatMap(([statement, count]) =>
    Array.from({ length: count - (before.get(statement) ?? 0) }, () => statement),
  );
}
