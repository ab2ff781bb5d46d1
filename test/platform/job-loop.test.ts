import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { QueueOptions } from 'pg-boss';
import { afterEach, expect, test } from 'vitest';
import type { BatchKind, Done } from '../../src/platform/jobs/job-kinds.ts';
import { JobWorker } from '../../src/platform/jobs/job-worker.ts';
import { Jobs } from '../../src/platform/jobs/jobs.ts';
import { type LeasedJob, leasesOf } from '../../src/platform/jobs/queues.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { withBoss } from '../support/boss.ts';
import { useWorld } from '../support/world.ts';

interface Data {
  readonly n: number;
}

type Kind = BatchKind<Data, number, number>;

const world = useWorld();
/** What stops the workers of a test. */
const undo: (() => Promise<void>)[] = [];
const soon = { timeout: 15_000, interval: 20 };

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

test('Jobs of one look are prepared by one call, and what is done together is completed by one', async () => {
  const queue = await queueOf(40);
  const prepared: number[] = [];
  const completed: number[] = [];
  const kind = kindOf(queue, {
    prepare: async jobs => {
      prepared.push(jobs.length);
      return jobs.map(({ data }) => data.n);
    },
    complete: async done => {
      completed.push(done.length);
      expect(done.every(({ job, result }) => job.data.n === result)).toBe(true);
      await complete(queue, done);
    },
  });
  (await startWorker()).workBatches(kind);
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 40 });
  expect([prepared, completed]).toEqual([[40], [40]]);
});

test('A worker has no more jobs in hand than its slots, nor more of a group than its share', async () => {
  const queue = await queueOf(30);
  const inHand: number[] = [];
  let [most, mostOfGroup] = [0, 0];
  const kind = kindOf(queue, {
    concurrency: 5,
    perGroup: 3,
    work: async ({ data: { n } }) => {
      inHand.push(n % 2);
      most = Math.max(most, inHand.length);
      mostOfGroup = Math.max(mostOfGroup, inHand.filter(group => group === n % 2).length);
      await setTimeout(20);
      inHand.splice(inHand.indexOf(n % 2), 1);
      return n;
    },
  });
  (await startWorker()).workBatches(kind);
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 30 });
  expect(most).toBeLessThanOrEqual(5);
  expect(mostOfGroup).toBeLessThanOrEqual(3);
  expect(most).toBeGreaterThan(1);
});

test('A job whose work fails is retried as its queue says, and the others are completed', async () => {
  const queue = await queueOf(10, { retryLimit: 1, retryDelay: 0 });
  const tries: number[] = [];
  const kind = kindOf(queue, {
    work: async (_job, n) => {
      tries.push(n);
      if (n === 7) throw new Error('seven');
      return n;
    },
  });
  (await startWorker()).workBatches(kind);
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 9, failed: 1 });
  expect(tries.filter(n => n === 7)).toHaveLength(2);
  expect(tries).toHaveLength(11);
});

test('Jobs that could not be prepared are retried', async () => {
  const queue = await queueOf(5, { retryLimit: 3, retryDelay: 0 });
  let calls = 0;
  const kind = kindOf(queue, {
    prepare: async jobs => {
      if (++calls === 1) throw new Error('the database is away');
      return jobs.map(({ data }) => data.n);
    },
  });
  (await startWorker()).workBatches(kind);
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 5 });
});

test('Results that cannot be written are written again, and one that never can be does not keep the others from it', async () => {
  const queue = await queueOf(2);
  const worked: number[] = [];
  const kind = kindOf(queue, {
    work: async (_job, n) => {
      worked.push(n);
      return n;
    },
    complete: async done => {
      if (done.some(({ result }) => result === 0)) throw new Error('zero');
      await complete(queue, done);
    },
  });
  (await startWorker()).workBatches(kind);
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 1, active: 1 });
  expect(worked.toSorted()).toEqual([0, 1]);
});

test('A revoked job is aborted, and so is one that the worker is asked to abort', async () => {
  const queue = await queueOf(3);
  const aborted: number[] = [];
  const started = new Set<number>();
  const kind = kindOf(queue, {
    work: async (_job, n, signal) => {
      started.add(n);
      await new Promise(resolve => signal.addEventListener('abort', resolve));
      aborted.push(n);
      return n;
    },
    revoked: async (jobs: readonly LeasedJob<Data>[]) => new Set(jobs.filter(({ data }) => data.n === 2)),
  });
  const worker = await startWorker();
  worker.workBatches(kind);
  await expect.poll(() => started.size, soon).toBe(3);
  worker.abort<Data>(kind, ({ n }) => n === 1);
  await expect.poll(() => aborted, soon).toEqual([1, 2]);
  await expect.poll(() => worker.inHand(kind), soon).toBe(1);
});

test('A worker that stops returns to the queue what does not end, for another one', async () => {
  const queue = await queueOf(4);
  const first = await startWorker();
  let started = 0;
  first.workBatches(
    kindOf(queue, {
      work: (_job, n) => {
        started++;
        return n === 0 ? Promise.resolve(n) : new Promise<never>(() => undefined);
      },
    }),
  );
  await expect.poll(() => [started, first.inHand({ queue, options: {} })], soon).toEqual([4, 3]);
  await first.stop(100);
  expect(await countBy(queue)).toEqual({ completed: 1, retry: 3 });
  (await startWorker()).workBatches(kindOf(queue));
  await expect.poll(() => countBy(queue), soon).toEqual({ completed: 4 });
});
