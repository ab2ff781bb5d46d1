import { sampled } from '../../../../platform/caches/sampled.ts';
import type { Database } from '../../../../platform/database/database.ts';
import type { Metrics } from '../../../../platform/telemetry/metrics.ts';
import { issuesOfSelection } from '../events/event.payload.ts';
import { ENDPOINT_STATES } from './endpoint.rules.ts';
import { endpointCounts } from './endpoint-metrics.repository.ts';
import { allSelections } from './endpoints.repository.ts';

const EVERY_MS = 15_000;

/** Webhook endpoints by state, over all companies. */
export function measureEndpoints(database: Database, metrics: Metrics): void {
  const counts = sampled(() => endpointCounts(database), EVERY_MS);
  const help = `Webhook endpoints by state (${Object.keys(ENDPOINT_STATES).join(', ')}), over all processes`;
  metrics.gauges('shipping_webhook_endpoints', help, ['state'], async () =>
    ((await counts()) ?? []).map(({ state, count }) => ({ labels: { state }, value: count })),
  );
}

/** Counts endpoints with a selection over all companies, and those whose selection is no longer valid. */
export async function unusableSelections(
  database: Database,
): Promise<{ selections: number; unusable: readonly { companyId: string; id: string; reason: string }[] }> {
  const selections = await allSelections(database);
  const checked = await Promise.all(
    selections.map(async ({ companyId, id, selection }) => {
      const [issue] = await issuesOfSelection(selection, { isStored: true });
      return issue ? [{ companyId, id, reason: issue.message }] : [];
    }),
  );
  return { selections: selections.length, unusable: checked.flat() };
}
