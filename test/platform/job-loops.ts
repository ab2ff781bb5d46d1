import { randomUUID } from 'node:crypto';
import type { QueueOptions } from 'pg-boss';
import { afterEach } from 'vitest';
import type { BatchKind, Done } from '../../src/platform/jobs/job-kinds.ts';
import { JobWorker } from '../../src/platform/jobs/job-worker.ts';
import { Jobs } from '../../src/platform/jobs/jobs.ts';
import { leasesOf } from '../../src/platform/jobs/queues.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { withBoss } from '../support/boss.ts';
import { useWorld } from '../support/world.ts';

export interface Data {
  readonly n: number;
}

type Kind = BatchKind<Data, number, number>;

export const soon = { timeout: 15_000, interval: 20 };

/** Queues with jobs, and workers that are stopped after each test. */
export function useJobLoops() {
  const world = useWorld();
  /** Actions that stop the workers of a test. */
  const undo: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(undo.splice(0).map(stop => stop()));
  });

  async function startWorker(): Promise<JobWorker> {
    const log = createLog('silent');
    const jobs = await Jobs.start(world.app.database, log, { worker: true });
    const worker = new JobWorker(jobs, log);
    undo.push(async () => {
      await worker.stop(0);
      await jobs.stop(0);
    });
    return worker;
  }

  /** A queue of its own with jobs in it, of two groups by turns. */
  async function queueOf(count: number, options: QueueOptions = {}): Promise<string> {
    const queue = `test.${randomUUID()}`;
    await withBoss(world, async boss => {
      await boss.createQueue(queue, { heartbeatSeconds: 10, ...options });
      await boss.insert(
        queue,
        Array.from({ length: count }, (_, n) => ({ data: { n }, group: { id: String(n % 2) } })),
      );
    });
    return queue;
  }

  /** A kind whose result is its number, unless the test says otherwise. */
  function kindOf(queue: string, hooks: Partial<Kind> = {}): Kind {
    return {
      queue,
      options: { heartbeatSeconds: 10 },
      concurrency: 100,
      pollSeconds: 0.5,
      prepare: async jobs => jobs.map(({ data }) => data.n),
      work: async (_job, n) => n,
      complete: done => complete(queue, done),
      ...hooks,
    };
  }

  async function complete(queue: string, done: readonly Done<Data, number>[]): Promise<void> {
    const jobs = done.map(({ job }) => job);
    await withBoss(world, boss => boss.complete(queue, leasesOf(jobs)));
  }

  async function countBy(queue: string): Promise<Record<string, number>> {
    const { rows } = await world.app.database.pool.query<{ state: string; count: number }>(
      'select state::text as state, count(*)::integer as count from pgboss.job where name = $1 group by state',
      [queue],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  }

  return { startWorker, queueOf, kindOf, complete, countBy };
}
