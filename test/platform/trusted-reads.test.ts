import { expect, test } from 'vitest';
import { TrustedReads } from '../../src/platform/caches/trusted-reads.ts';
import { Fault } from '../../src/platform/fault.ts';

const DEADLINE_MS = 20;
const silent = { on: () => undefined, onGap: () => undefined };

test('who waits longer than the deadline is sent away, and the next who asks reads anew', async () => {
  const reads = new TrustedReads<string, { value: number }>(silent, 'channel', 10, DEADLINE_MS);
  const hanging = Promise.withResolvers<{ value: number }>();
  const first = reads.get('key', () => hanging.promise);
  const joined = reads.get('key', () => Promise.reject(new Error('not read a second time')));
  for (const waiting of [first, joined]) {
    const fault = await Promise.resolve(waiting).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({ code: 'unavailable', options: { headers: { 'retry-after': '2' } } });
  }
  expect(await reads.get('key', async () => ({ value: 2 }))).toEqual({ value: 2 });
  // What comes too late is not believed any more.
  hanging.resolve({ value: 1 });
  await hanging.promise;
  expect(await reads.get('key', async () => ({ value: 3 }))).toEqual({ value: 2 });
});
