import { expect, test } from 'vitest';
import type { LeasedJob } from '../../src/platform/jobs/queues.ts';
import { type Data, soon, useJobLoops } from './job-loops.ts';

const { startWorker, queueOf, kindOf, complete, countBy } = useJobLoops();

test('Results that cannot be written are written again, and one that never can be does not hold up the others', async () => {
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
