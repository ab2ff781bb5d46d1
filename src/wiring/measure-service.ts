import { join } from 'node:path';
import type { Config } from '../config.ts';
import { measureCredentials } from '../domain/carriers/credentials-metrics.service.ts';
import { measureTariffs } from '../domain/tariffs/tariff-metrics.service.ts';
import { measureEndpoints } from '../domain/webhooks/endpoints/endpoint-metrics.service.ts';
import { CLUSTER } from '../embedded-postgres/postgres-cluster.ts';
import type { Database } from '../platform/database/database.ts';
import { measureDatabase } from '../platform/database/server/database-metrics.ts';
import { measureQueues } from '../platform/jobs/queue-metrics.ts';
import { measureRetention } from '../platform/retention-rule.ts';
import { measureDisk } from '../platform/telemetry/disk-metrics.ts';
import type { Metrics } from '../platform/telemetry/metrics.ts';
import { RETENTION_RULES } from './retention-rules.ts';

/** All measurements that workers make for the whole service when they are scraped. */
export function measureService(config: Config, database: Database, metrics: Metrics): void {
  measureDatabase(database, metrics);
  measureDisk(join(config.dataDir, CLUSTER), metrics);
  measureQueues(database, metrics);
  measureEndpoints(database, metrics);
  measureTariffs(database, metrics);
  measureCredentials(database, metrics);
  measureRetention(RETENTION_RULES, config.retention, database, metrics);
}
