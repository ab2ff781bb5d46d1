import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inTurns } from '../../src/platform/limits/turns.ts';

/** Works on items, a tenth of a millisecond on each. */
async function workOn(owner: string, count: number, note: () => void = () => undefined): Promise<number> {
  let done = 0;
  for await (const _item of inTurns(owner, Array(count))) {
    const end = performance.now() + 0.1;
    while (performance.now() < end);
    note();
    done++;
  }
  return done;
}

test('A long list is processed to its end, and an error ends it', async () => {
  expect(await workOn('company', 10)).toBe(10);
  expect(await workOn('company', 0)).toBe(0);
  const failing = async () => {
    for await (const item of inTurns('company', [1, 2])) if (item === 2) throw new Error('wrong');
  };
  await expect(failing()).rejects.toThrow('wrong');
});

test('The event loop turns while many lists are processed, and one continues in each turn', async () => {
  let items = 0;
  let isDone = false;
  const all = Promise.all(Array.from({ length: 20 }, (_, i) => workOn(`company ${i % 4}`, 30, () => items++))).finally(
    () => {
      isDone = true;
    },
  );
  let most = 0;
  while (!isDone) {
    const before = items;
    await setImmediate();
    most = Math.max(most, items - before);
  }
  await all;
  expect(items).toBe(600);
  // A turn of a millisecond has 10 items; the last of them may end after it.
  expect(most).toBeLessThanOrEqual(11);
});

test('A company that computes much delays another by its share only', async () => {
  let other = 0;
  const many = Array.from({ length: 30 }, () => workOn('busy', 50, () => other++));
  await setImmediate();
  await workOn('quiet', 100);
  // As much as the quiet one has had, and the turns with which it began; not the 1,500 items that were there before it.
  expect(other).toBeLessThan(400);
  await Promise.all(many);
});
