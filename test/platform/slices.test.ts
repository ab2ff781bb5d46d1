import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inSlices, type Steps } from '../../src/platform/limits/slices.ts';

/** Computes for some milliseconds in steps of a tenth of one, and notes each of its steps. */
function* computation(ms: number, note: () => void = () => undefined): Steps<number> {
  let steps = 0;
  for (; steps < ms * 10; steps++) {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
    note();
    yield;
  }
  return steps;
}

test('A computation gives its result, or throws what it throws', async () => {
  expect(await inSlices('company', computation(1))).toBe(10);
  const failing = function* (): Steps<never> {
    yield;
    throw new Error('wrong');
  };
  await expect(inSlices('company', failing())).rejects.toThrow('wrong');
  expect(await inSlices('company', computation(0))).toBe(0);
});

test('The event loop turns while many computations run, and one slice runs in each turn', async () => {
  let steps = 0;
  let isDone = false;
  const all = Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      inSlices(
        `company ${i % 4}`,
        computation(3, () => steps++),
      ),
    ),
  ).finally(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    const before = steps;
    await setImmediate();
    most = Math.max(most, steps - before);
  }
  await all;
  expect(steps).toBe(600);
  // A slice of 2 ms has 20 steps; the last of them may end after it.
  expect(most).toBeLessThanOrEqual(21);
});

test('A company that computes much delays another by its share only', async () => {
  let other = 0;
  const many = Array.from({ length: 30 }, () =>
    inSlices(
      'busy',
      computation(5, () => other++),
    ),
  );
  await setImmediate();
  await inSlices('quiet', computation(10));
  // As much as the quiet one has had, and the slices with which it began; not the 1,500 steps that were there before it.
  expect(other).toBeLessThan(400);
  await Promise.all(many);
});
