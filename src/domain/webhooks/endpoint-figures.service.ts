import { sampled } from '../../platform/caches/sampled.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { endpointFigures } from './endpoint-figures.repository.ts';

const EVERY_MS = 15_000;

/** Webhook endpoints by state, over all companies; those with open breakers are `open`. */
export function measureEndpoints(database: Database, metrics: Metrics): void {
  const figures = sampled(() => endpointFigures(database), EVERY_MS);
  const help = 'Active webhook endpoints by state: healthy, open (breaker), draining, paused; over all processes';
  metrics.gauges('webhook_endpoints', help, ['state'], async () =>
    Object.entries((await figures()) ?? {}).map(([state, value]) => ({ labels: { state }, value })),
  );
}
