import { expect, test, vi } from 'vitest';
import { EventStream } from '../../src/http/streams/event-stream.ts';

// How long the stream of a subscription waits for its reader. That it reads no further meanwhile is tested over HTTP.

const LARGE = { id: '1', json: JSON.stringify('x'.repeat(100_000)) };
const open = (taken: () => number) => new EventStream({ keepAliveMs: 60_000, unreadMs: 40, taken });

test('A reader that reads now and then is waited for', async () => {
  let looks = 0;
  const stream = open(() => ++looks);
  const sending = stream.send(LARGE);
  // Far more than it is waited for one that takes nothing.
  await vi.waitFor(() => expect(looks).toBeGreaterThan(20), { timeout: 10_000 });
  stream.resume();
  expect(await sending).toBe(true);
  stream.destroy();
});

test('A reader that reads nothing is disconnected', async () => {
  const stream = open(() => 7);
  expect(await stream.send(LARGE)).toBe(false);
  stream.destroy();
});

test('Nothing waits for a reader who has left', async () => {
  const stream = open(() => 7);
  const sending = stream.send(LARGE);
  stream.destroy();
  expect(await sending).toBe(true);
});
