import { sampled } from '../../../platform/caches/sampled.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { ENDING_KINDS, endingTariffs } from './tariff.repository.ts';

const EVERY_MS = 60_000;

/** Tariffs and fuel indexes that end soon, over all companies. */
export function measureTariffs(database: Database, metrics: Metrics): void {
  const counts = sampled(() => endingTariffs(database), EVERY_MS);
  const help =
    'Tariffs of active connections that end within 14 days and that no scheduled draft follows, and fuel indexes without the next month or week';
  metrics.gauges('shipping_tariffs_ending', help, ['kind'], async () => {
    const found = await counts();
    return found ? ENDING_KINDS.map(kind => ({ labels: { kind }, value: found[kind] })) : [];
  });
}
