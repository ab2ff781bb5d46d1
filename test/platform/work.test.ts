import { setImmediate } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { Fault } from '../../src/platform/fault.ts';
import { FIRST_TURN_UNITS, TURN_UNITS, Work } from '../../src/platform/limits/work.ts';

function workOf(units = 100_000, characters = 1_000) {
  return new Work('a company', { units, characters }, () => new Fault('request_too_expensive'));
}

describe('The work of a request', () => {
  test.each([
    ['units', (work: Work) => work.spend(11)],
    ['texts', (work: Work) => work.spendText(101)],
  ])('ends when it has spent more %s than it may', async (_what, spend) => {
    const work = workOf(10, 100);
    const result = work.within(new Promise(() => undefined));
    spend(work);
    expect(work.isOver).toBe(true);
    await expect(result).rejects.toThrow('Request too expensive');
    expect(() => work.throwIfOver()).toThrow('Request too expensive');
  });

  test.each([
    [Number.POSITIVE_INFINITY, 100],
    [100, Number.POSITIVE_INFINITY],
    [Number.NaN, 100],
  ])('must have limits: %d units, %d characters', (units, characters) => {
    expect(() => workOf(units, characters)).toThrow('an allowance with an end');
  });

  test.each([
    ['is there already', 'done'],
    ['comes later', Promise.resolve('done')],
  ])('has no result once it is over, even if one %s', async (_what, result) => {
    const work = workOf();
    work.end(new Fault('unavailable'));
    await expect(work.within(result)).rejects.toThrow('Temporarily unavailable');
  });

  test('cancels statements that are still under way a moment after its end, and none that were unregistered before', () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    try {
      const work = workOf();
      const cancelled: string[] = [];
      const make = (name: string) => ({ cancel: () => cancelled.push(name) });
      const [kept, letGo, late] = [make('kept'), make('let go'), make('late')];
      work.register(kept);
      work.register(letGo);
      work.end(new Fault('unavailable'));
      work.end(new Fault('internal_error'));
      work.unregister(letGo);
      work.register(late);
      expect(cancelled).toEqual([]);
      vi.advanceTimersByTime(100);
      expect(cancelled).toEqual(['kept', 'late']);
      expect(() => work.throwIfOver()).toThrow('Temporarily unavailable');
    } finally {
      vi.useRealTimers();
    }
  });

  test('is done in turns of a bounded size, in its order', async () => {
    const work = workOf();
    const done: number[] = [];
    const step = (i: number) => {
      const turn = work.turn(TURN_UNITS / 2);
      if (turn) void turn.then(() => done.push(i));
      else done.push(i);
    };
    work.turn(FIRST_TURN_UNITS - TURN_UNITS);
    for (let i = 1; i <= 6; i++) step(i);
    expect(done).toEqual([1, 2]);
    await setImmediate();
    expect(done).toEqual([1, 2, 3, 4]);
    step(7);
    await setImmediate();
    expect(done).toEqual([1, 2, 3, 4, 5, 6]);
    await setImmediate();
    expect(done).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });
});
