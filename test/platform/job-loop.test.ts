import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { soon, useJobLoops } from './job-loops.ts';

const { startWorker, queueOf, kindOf, complete, countBy } = useJobLoops();

test('Jobs that are fetched together are prepared by one call, and jobs that end together are completed by one', async () => {
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

test('A worker has no more jobs at once than its slots, nor more of a group than its share', async () => {
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

test('A worker that stops returns unfinished jobs to the queue, for another worker', async () => {
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
