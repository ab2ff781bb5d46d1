import { sampled } from '../caches/sampled.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { queueCounts } from './pgboss-tables.ts';

const EVERY_MS = 15_000;

const STATES = ['deferred', 'ready', 'active', 'failed'] as const;

/** Jobs by queue and state, and the age of the oldest due job. They span all processes, so any may report them. */
export function measureQueues(database: Database, metrics: Metrics): void {
  const queues = sampled(() => queueCounts(database), EVERY_MS);
  metrics.gauges(
    'shipping_job_queue_jobs',
    'Jobs by queue and state, over all processes',
    ['queue', 'state'],
    async () =>
      ((await queues()) ?? []).flatMap(row =>
        STATES.map(state => ({ labels: { queue: row.queue, state }, value: row[state] })),
      ),
  );
  const help = 'Age of the oldest job that is due and not taken up, over all processes';
  metrics.gauges('shipping_job_queue_oldest_due_seconds', help, ['queue'], async () =>
    ((await queues()) ?? []).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  );
}
