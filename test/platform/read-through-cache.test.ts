import { expect, onTestFinished, test, vi } from 'vitest';
import { ReadThroughCache } from '../../src/platform/caches/read-through-cache.ts';
import { Fault } from '../../src/platform/fault.ts';

const silent = { on: () => undefined, onGap: () => undefined };

test('A caller who waits longer than the deadline gets an error, and the next caller reads again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const reads = new ReadThroughCache<string, { value: number }>(silent, 'channel', 10);
  const hanging = Promise.withResolvers<{ value: number }>();
  const first = reads.get('key', () => hanging.promise);
  const joined = reads.get('key', () => Promise.reject(new Error('not read a second time')));
  const faults = Promise.allSettled([first, joined]);
  vi.advanceTimersByTime(5_000);
  for (const waited of await faults) {
    const fault = waited.status === 'rejected' && waited.reason;
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'unavailable', options: { headers: { 'retry-after': '2' } } });
  }
  expect(await reads.get('key', async () => ({ value: 2 }))).toEqual({ value: 2 });
  // A late result is no longer used.
  hanging.resolve({ value: 1 });
  await hanging.promise;
  expect(await reads.get('key', async () => ({ value: 3 }))).toEqual({ value: 2 });
});

test('A value that is invalidated while it is read reaches those who wait for it, and the next caller reads it again', async () => {
  const cache = new ReadThroughCache<string, { value: number }>(silent, 'channel', 10);
  for (const found of [{ value: 1 }, undefined]) {
    const reading = Promise.withResolvers<{ value: number } | undefined>();
    const waiting = [cache.get('key', () => reading.promise), cache.get('key', () => reading.promise)];
    cache.invalidate('key');
    const next = cache.get('key', async () => ({ value: 2 }));
    reading.resolve(found);
    expect(await Promise.all(waiting)).toEqual([found, found]);
    expect(await next).toEqual({ value: 2 });
    expect(await cache.get('key', async () => ({ value: 3 }))).toEqual({ value: 2 });
    cache.invalidate('key');
  }
});

test('A read that finds nothing or fails leaves nothing in the cache', async () => {
  const cache = new ReadThroughCache<string, { value: number }>(silent, 'channel', 10);
  expect(await cache.get('key', async () => undefined)).toBeUndefined();
  await expect(cache.get('key', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await cache.get('key', async () => ({ value: 1 }))).toEqual({ value: 1 });
});

test('Reads beyond the limit of reads that are kept end as usual', async () => {
  const cache = new ReadThroughCache<string, { value: number }>(silent, 'channel', 2);
  const reading = Promise.withResolvers<{ value: number }>();
  const waiting = ['a', 'b', 'c', 'd'].map(key => cache.get(key, () => reading.promise));
  reading.resolve({ value: 1 });
  expect(await Promise.all(waiting)).toEqual(Array(4).fill({ value: 1 }));
});

test('A value that is too heavy is not kept, and the least recently used one is evicted before the limit is exceeded', async () => {
  const weigh = ({ value }: { value: number }) => value;
  const cache = new ReadThroughCache<string, { value: number }>(silent, 'channel', 10, { maxWeight: 10, weigh });
  const reads: string[] = [];
  const read = async (key: string, value: number) => {
    await cache.get(key, async () => {
      reads.push(key);
      return { value };
    });
  };
  for (let i = 0; i < 2; i++) await read('heavy', 11);
  for (const [key, value] of [
    ['a', 6],
    ['b', 4],
    ['c', 5],
    ['b', 4],
    ['a', 6],
  ] as const)
    await read(key, value);
  expect(reads).toEqual(['heavy', 'heavy', 'a', 'b', 'c', 'a']);
});
