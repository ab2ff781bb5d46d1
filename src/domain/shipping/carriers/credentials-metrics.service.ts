import { sampled } from '../../../platform/caches/sampled.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { credentialNames } from './account.rules.ts';
import { CARRIERS } from './carriers.catalog.ts';
import { refusedCredentials } from './credentials-metrics.repository.ts';

const EVERY_MS = 15_000;

const ASKED = CARRIERS.filter(carrier => credentialNames(carrier).length > 0);

/** Measures connections of all companies whose carrier rejects their credentials. */
export function measureCredentials(database: Database, metrics: Metrics): void {
  const counts = sampled(() => refusedCredentials(database), EVERY_MS);
  const help = 'Active carrier connections whose credentials the carrier refuses, over all processes';
  metrics.gauges('shipping_carrier_credentials_refused', help, ['carrier'], async () => {
    const found = await counts();
    if (!found) return [];
    const byCarrier = new Map(found.map(({ carrier, count }) => [carrier, count]));
    return ASKED.map(({ code }) => ({ labels: { carrier: code }, value: byCarrier.get(code) ?? 0 }));
  });
}
