import { describe, expect, test } from 'vitest';
import { Breaker } from '../../src/upstream/breaker.ts';

const KEY = 'company/1';
/** An event of a connection, or a question to it, at a second. */
type Step = [second: number, what: 'fails' | 'fails late' | 'answers' | 'open' | 'closed' | 'enters' | 'kept out'];

const fails = (second: number, times: number): Step[] => Array.from({ length: times }, () => [second, 'fails']);

describe('A connection that does not answer', () => {
  test.each<[what: string, ...steps: Step[]]>([
    ['is asked as long as nothing has failed', [0, 'closed']],
    ['is asked after four failures', ...fails(0, 4), [0, 'closed']],
    ['is left alone after five', ...fails(0, 5), [0, 'open']],
    [
      'is left alone after five failures, however far apart',
      [0, 'fails'],
      [60, 'fails'],
      [3_600, 'fails'],
      ...fails(90_000, 2),
      [90_000, 'open'],
    ],
    ['is not left alone if it answered in between', ...fails(0, 4), [0, 'answers'], ...fails(0, 4), [0, 'closed']],
    ['is asked again ten seconds later', ...fails(0, 5), [9.999, 'open'], [10, 'closed']],
    [
      'is left alone twice as long after the next failure',
      ...fails(0, 5),
      [10, 'fails'],
      [29.999, 'open'],
      [30, 'closed'],
    ],
    [
      'is left alone twice as long each time, up to two minutes',
      ...fails(0, 5),
      ...([
        [10, 'fails'],
        [49.999, 'closed'],
        [50, 'fails'],
        [89.999, 'open'],
        [90, 'closed'],
      ] satisfies Step[]),
      ...([
        [90, 'fails'],
        [169.999, 'open'],
        [170, 'closed'],
      ] satisfies Step[]),
      ...([
        [170, 'fails'],
        [289.999, 'open'],
        [290, 'closed'],
      ] satisfies Step[]),
      ...([
        [290, 'fails'],
        [409.999, 'open'],
        [410, 'closed'],
      ] satisfies Step[]),
    ],
    ['is never left alone for more than two minutes', ...fails(0, 5_000), [119.999, 'open'], [120, 'closed']],
    ['is asked as usual after the first answer', ...fails(0, 5), [10, 'answers'], ...fails(11, 4), [11, 'closed']],
    [
      'is asked as usual after an answer that was under way',
      ...fails(0, 5),
      [1, 'open'],
      [2, 'answers'],
      [2, 'closed'],
    ],
    [
      'begins anew with ten seconds after that',
      ...fails(0, 8),
      [80, 'answers'],
      ...fails(80, 5),
      [89.999, 'open'],
      [90, 'closed'],
    ],
    [
      'is not left alone for longer by calls that were under way',
      ...fails(0, 5),
      [1, 'fails late'],
      [8, 'fails late'],
      [9.999, 'open'],
      [10, 'closed'],
    ],
    ['is asked by all while it is not left alone', ...fails(0, 4), [0, 'enters'], [0, 'enters']],
    [
      'is asked by one after a pause, which finds out for the others',
      ...fails(0, 5),
      ...([
        [9, 'kept out'],
        [10, 'enters'],
        [10, 'kept out'],
        [12, 'fails'],
        [31.999, 'kept out'],
        [32, 'enters'],
        [33, 'answers'],
        [33, 'enters'],
        [33, 'enters'],
      ] satisfies Step[]),
    ],
    [
      'is asked by another, if that one does not report',
      ...fails(0, 5),
      [10, 'enters'],
      [24, 'kept out'],
      [25, 'enters'],
    ],
  ])('%s', (_what, ...steps) => {
    const breaker = new Breaker();
    const startMs = Date.UTC(2026, 10, 21);
    for (const [second, what] of steps) {
      const nowMs = startMs + second * 1_000;
      if (what === 'fails') breaker.failed(KEY, nowMs, nowMs);
      else if (what === 'fails late') breaker.failed(KEY, startMs - 1, nowMs);
      else if (what === 'answers') breaker.succeeded(KEY);
      else if (what === 'enters' || what === 'kept out') {
        expect([second, breaker.enter(KEY, nowMs) ? 'enters' : 'kept out']).toEqual([second, what]);
      } else expect([second, breaker.waitMs(KEY, nowMs) > 0 ? 'open' : 'closed']).toEqual([second, what]);
    }
  });
});

test('Connections are distinguished, and those that are left alone are counted', () => {
  const breaker = new Breaker();
  for (const key of ['a/1', 'a/2', 'b/3']) for (let n = 0; n < 5; n++) breaker.failed(key, 0, 0);
  for (let n = 0; n < 4; n++) breaker.failed('b/4', 0, 0);
  expect(['a/1', 'a/2', 'a/3', 'b/3', 'b/4'].map(key => breaker.waitMs(key, 1))).toEqual([9_999, 9_999, 0, 9_999, 0]);
  expect(breaker.open(1)).toBe(3);
  breaker.succeeded('a/2');
  expect(breaker.open(1)).toBe(2);
  expect(breaker.open(10_000)).toBe(0);
});
