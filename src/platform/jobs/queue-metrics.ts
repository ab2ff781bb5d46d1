import { sampled } from '../caches/sampled.ts';
import type { Database } from '../database/database.ts';
import type { Metrics } from '../telemetry/metrics.ts';

const EVERY_MS = 15_000;

interface QueueRow {
  readonly queue: string;
  readonly deferred: number;
  readonly ready: number;
  readonly active: number;
  readonly failed: number;
  readonly oldestSeconds: number;
}

const STATES = ['deferred', 'ready', 'active', 'failed'] as const;

// The counts are those pg-boss itself keeps, of two seconds ago at most. The oldest it keeps only along with a history
// of every pass; here it is one look into pg-boss' index `job_i14` for each queue and state.
const QUEUES = {
  name: 'queue-figures',
  text: `select q.name as queue, q.deferred_count as deferred, q.ready_count as ready, q.active_count as active,
      q.failed_count as failed,
      coalesce(extract(epoch from pgboss.job_now() - least(created.due, retried.due)), 0)::float8 as "oldestSeconds"
    from pgboss.queue q
    left join lateral (select j.start_after as due from pgboss.job j where j.name = q.name and j.state = 'created'
      and not j.blocked and j.start_after <= pgboss.job_now() order by j.start_after limit 1) created on true
    left join lateral (select j.start_after as due from pgboss.job j where j.name = q.name and j.state = 'retry'
      and not j.blocked and j.start_after <= pgboss.job_now() order by j.start_after limit 1) retried on true`,
};

/** Jobs by queue and state, and how long the oldest that is due has waited; over all processes, whichever tells it. */
export function measureQueues(database: Database, metrics: Metrics): void {
  const queues = sampled(() => database.rows<QueueRow>(QUEUES, []), EVERY_MS);
  metrics.gauges('job_queue_jobs', 'Jobs by queue and state, over all processes', ['queue', 'state'], async () =>
    ((await queues()) ?? []).flatMap(row =>
      STATES.map(state => ({ labels: { queue: row.queue, state }, value: row[state] })),
    ),
  );
  const help = 'Age of the oldest job that is due and not taken up, over all processes';
  metrics.gauges('job_queue_oldest_due_seconds', help, ['queue'], async () =>
    ((await queues()) ?? []).map(({ queue, oldestSeconds }) => ({ labels: { queue }, value: oldestSeconds })),
  );
}
