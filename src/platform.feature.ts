import type { Feature } from './feature.ts';
import * as tables from './platform/database/platform-tables.entity.ts';
import { measureDatabase } from './platform/database/server/database-metrics.ts';
import { IDEMPOTENCY_RETENTION, KEPT_REQUESTS } from './platform/idempotency.ts';
import { measureQueues } from './platform/jobs/queue-metrics.ts';

/** The tables and measurements of the platform, which itself knows no feature. */
export const platform: Feature = {
  entities: [tables],
  retention: [IDEMPOTENCY_RETENTION],
  measures: [measureDatabase, measureQueues],
  secrets: [KEPT_REQUESTS],
};
