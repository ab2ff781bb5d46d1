import { sampled } from '../../../../platform/caches/sampled.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import { endpointCounts } from './endpoint-metrics.repository.ts';
import { ENDPOINT_STATES } from './endpoint-state.rules.ts';

const EVERY_MS = 15_000;

/** Webhook endpoints by state, over all companies. */
export function measureEndpoints(database: Database, metrics: Metrics): void {
  const counts = sampled(() => endpointCounts(database), EVERY_MS);
  const help = `Webhook endpoints by state (${Object.keys(ENDPOINT_STATES).join(', ')}), over all processes`;
  metrics.gauges('shipping_webhook_endpoints', help, ['state'], async () =>
    ((await counts()) ?? []).map(({ state, count }) => ({ labels: { state }, value: count })),
  );
}
