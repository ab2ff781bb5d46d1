import type { Feature } from './feature.ts';
import * as migratedVersions from './platform/database/migrations/migrated-versions.entity.ts';
import { measureDatabase } from './platform/database/server/database-metrics.ts';
import * as idempotency from './platform/idempotency.entity.ts';
import { IDEMPOTENCY_RETENTION, KEPT_REQUESTS } from './platform/idempotency.ts';
import { measureQueues } from './platform/jobs/queue-metrics.ts';
import * as suspendedJobs from './platform/jobs/suspended-jobs.entity.ts';
import * as rateLimits from './platform/limits/rate-limits.entity.ts';
import * as registeredKeys from './platform/secrets/registered-keys.entity.ts';

/** The tables and measurements of the platform, which itself knows no feature. */
export const platform: Feature = {
  entities: [migratedVersions, idempotency, suspendedJobs, rateLimits, registeredKeys],
  retention: [IDEMPOTENCY_RETENTION],
  measures: [measureDatabase, measureQueues],
  secrets: [KEPT_REQUESTS],
};
