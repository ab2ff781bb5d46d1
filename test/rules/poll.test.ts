import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AGE_BOUNDS_MS,
  intervalFactorOf,
  isPolled,
  type LoadShare,
  nextPollMs,
  POLLED_DAYS,
  type Polled,
} from '../../src/domain/shipping/polling/poll.rules.ts';
import { TERMINAL_STATUSES } from '../../src/domain/shipping/tracking/events.rules.ts';
import { STATUS_CODES, type StatusCode } from '../../src/domain/shipping/tracking/status.rules.ts';
import { DAY, HOUR, MINUTE } from '../support/time.ts';

const POLLED = STATUS_CODES.filter(isPolled);
/** Nobody waits for the next scan. */
const ENDED: readonly StatusCode[] = ['lost', 'returned'];

const polled = (fields: Partial<Polled>): Polled => ({
  statusCode: 'in_transit',
  ageMs: DAY,
  statusAgeMs: 0,
  isSandbox: false,
  intervalFactor: 1,
  noAnswer: null,
  misses: 0,
  askedMs: undefined,
  ...fields,
});

/** Without jitter. */
const next = (fields: Partial<Polled>) => nextPollMs(polled(fields), 0.5);

const chance = fc.double({ min: 0, max: 1, noNaN: true });
const noAnswer = fc.constantFrom<Polled['noAnswer']>('unavailable', 'unreadable', 'refused', 'not_asked', null);
const anyPolled: fc.Arbitrary<Polled> = fc.record({
  statusCode: fc.constantFrom(...STATUS_CODES),
  ageMs: fc.integer({ min: -DAY, max: 70 * DAY }),
  statusAgeMs: fc.integer({ min: 0, max: 6 * DAY }),
  isSandbox: fc.boolean(),
  intervalFactor: fc.double({ min: 1, max: 1000, noNaN: true }),
  noAnswer,
  misses: fc.integer({ min: 1, max: 30_000 }),
  askedMs: fc.option(fc.integer({ min: 0, max: DAY }), { nil: undefined }),
});

describe('The next poll comes', () => {
  const CASES: readonly [status: StatusCode, ageMs: number, wanted: number | null][] = [
    ['created', 0, HOUR],
    ['created', -DAY, HOUR],
    ['created', 2 * DAY - 1, HOUR],
    ['created', 2 * DAY, 6 * HOUR],
    ['created', 14 * DAY - 1, 6 * HOUR],
    ['created', 14 * DAY, DAY],
    ['shipped', 2 * DAY, 2 * HOUR],
    ['in_transit', 0, 2 * HOUR],
    ['at_depot', 5 * DAY, HOUR],
    ['customs', 5 * DAY, 2 * HOUR],
    ['out_for_delivery', 0, 10 * MINUTE],
    ['out_for_delivery', 13 * DAY, 10 * MINUTE],
    ['out_for_delivery', 14 * DAY, DAY],
    ['delayed', 5 * DAY, HOUR],
    ['delivery_failed', 5 * DAY, HOUR],
    ['held', 5 * DAY, 2 * HOUR],
    ['refused', 5 * DAY, 2 * HOUR],
    ['pickup_point', 5 * DAY, 3 * HOUR],
    ['returning', 5 * DAY, 6 * HOUR],
    ['unknown', 5 * DAY, 2 * HOUR],
    ['in_transit', 14 * DAY - 1, 2 * HOUR],
    ['in_transit', 60 * DAY - 1, DAY],
    ['in_transit', 60 * DAY, null],
    ['out_for_delivery', 90 * DAY, null],
    ['delivered', 0, null],
    ['returned', 0, DAY],
    ['returned', 30 * DAY, DAY],
    ['lost', 0, 6 * HOUR],
    ['lost', 14 * DAY, DAY],
    ['lost', 60 * DAY, null],
    ['cancelled', 0, null],
  ];
  test.each(CASES)('by status and age: %s, %i ms old: after %s ms', (statusCode, ageMs, wanted) => {
    expect(next({ statusCode, ageMs })).toBe(wanted);
  });

  test.each([
    [0, DAY],
    [7 * DAY - 1, DAY],
    [7 * DAY, null],
  ])('for a return that was %i ms ago after %s ms', (statusAgeMs, wanted) => {
    expect(next({ statusCode: 'returned', ageMs: 20 * DAY, statusAgeMs })).toBe(wanted);
    expect(next({ statusCode: 'in_transit', ageMs: 10 * DAY, statusAgeMs })).toBe(2 * HOUR);
  });

  test('at a stated time for every status', () => {
    expect(new Set(CASES.map(([status]) => status))).toEqual(new Set(STATUS_CODES));
    expect(STATUS_CODES.filter(status => !isPolled(status)).toSorted()).toEqual(
      TERMINAL_STATUSES.filter(status => !ENDED.includes(status)).toSorted(),
    );
  });

  test.each(POLLED.filter(status => !ENDED.includes(status)))('within a minute in the sandbox: %s', statusCode => {
    for (const random of [0, 0.5, 1]) {
      for (const ageMs of [0, 30 * DAY]) {
        expect(nextPollMs(polled({ statusCode, ageMs, isSandbox: true }), random)).toBeLessThan(MINUTE);
      }
    }
  });

  const PATIENCE: readonly [Polled['noAnswer'], readonly number[]][] = [
    ['unavailable', [5, 10, 20, 40, 80, 160, 320, 360, 360].map(minutes => minutes * MINUTE)],
    ['unreadable', [5, 10, 20, 40, 80, 160, 320, 360, 360].map(minutes => minutes * MINUTE)],
    ['refused', [1, 2, 4, 8, 12, 12].map(hours => hours * HOUR)],
  ];
  test.each(PATIENCE)('later after each failed answer: %s', (kind, waits) => {
    for (const isSandbox of [false, true]) {
      expect(waits.map((_, i) => next({ noAnswer: kind, misses: i + 1, isSandbox }))).toEqual(waits);
    }
  });

  test('not before Retry-After, which never makes it earlier', () => {
    expect(next({ noAnswer: 'unavailable', misses: 1, askedMs: HOUR })).toBe(HOUR);
    expect(next({ noAnswer: 'unavailable', misses: 1, askedMs: 1_000 })).toBe(5 * MINUTE);
  });
});

test('A poll that could not ask its carrier is repeated as soon as possible, after any earlier failures', () => {
  for (const misses of [0, 1, 8]) {
    for (const random of [0, 1]) {
      expect(nextPollMs(polled({ noAnswer: 'not_asked', misses, askedMs: 7_000, intervalFactor: 9 }), random)).toBe(
        7_000,
      );
    }
  }
});

describe('An account with more shipments than its pace allows', () => {
  const share = (statusCode: StatusCode, count: number, boundsPassed = 0): LoadShare => {
    return { statusCode, boundsPassed, count };
  };
  // 300 numbers a minute, of which nine in ten are used: 32,400 in two hours.
  const CASES: readonly [what: string, load: readonly LoadShare[], intervalFactor: number][] = [
    ['as many as fit', [share('in_transit', 32_400)], 1],
    ['twice as many', [share('in_transit', 64_800)], 2],
    ['half of the pace out for delivery', [share('in_transit', 32_400), share('out_for_delivery', 1_350)], 2],
    ['all of it out for delivery', [share('in_transit', 1), share('out_for_delivery', 2_700)], Infinity],
    ['more than all of it', [share('in_transit', 1), share('out_for_delivery', 5_000)], Infinity],
    ['old ones, asked about once a day', [share('in_transit', 2 * 24 * 60 * 270, 2)], 2],
    ['those that wait for their sender', [share('created', 2 * 6 * 60 * 270, 1)], 2],
    ['none that is still polled', [share('delivered', 1_000_000)], 1],
    ['none at all', [], 1],
  ];
  test.each(CASES)('has longer intervals for the others: %s', (_, load, intervalFactor) => {
    expect(intervalFactorOf(load, 300)).toBeCloseTo(intervalFactor, 10);
  });

  test.each<[statusCode: StatusCode, intervalFactor: number, wanted: number]>([
    ['in_transit', 3, 6 * HOUR],
    ['created', 3, 3 * HOUR],
    ['in_transit', 100, DAY],
    ['in_transit', Infinity, DAY],
    ['out_for_delivery', 3, 10 * MINUTE],
    ['out_for_delivery', Infinity, 10 * MINUTE],
  ])('asks about one %s, at %d times the interval, after %d ms', (statusCode, intervalFactor, wanted) => {
    expect(next({ statusCode, intervalFactor })).toBe(wanted);
    // A pause after no answer, and the sandbox, have nothing to do with it.
    expect(next({ statusCode, intervalFactor, noAnswer: 'unavailable', misses: 1 })).toBe(5 * MINUTE);
    expect(next({ statusCode, intervalFactor, isSandbox: true })).toBeLessThan(MINUTE);
  });

  test('is asked no more than its pace allows, unless no interval may become longer', () => {
    const shares = fc.array(
      fc.record({
        statusCode: fc.constantFrom(...POLLED),
        boundsPassed: fc.integer({ min: 0, max: AGE_BOUNDS_MS.length }),
        count: fc.integer({ min: 1, max: 200_000 }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(shares, fc.integer({ min: 60, max: 1_800 }), (load, pace) => {
        const intervalFactor = intervalFactorOf(load, pace);
        let [perMinute, atLeast] = [0, 0];
        for (const { statusCode, boundsPassed, count } of load) {
          const ageMs = AGE_BOUNDS_MS[boundsPassed - 1] ?? 0;
          perMinute += (count * MINUTE) / (next({ statusCode, ageMs, intervalFactor }) ?? Infinity);
          atLeast += (count * MINUTE) / (next({ statusCode, ageMs, intervalFactor: Infinity }) ?? Infinity);
        }
        expect(intervalFactor).toBeGreaterThanOrEqual(1);
        // Intervals that cannot be lengthened further are kept.
        const isLengthened = load.every(({ statusCode, boundsPassed }) => {
          const ageMs = AGE_BOUNDS_MS[boundsPassed - 1] ?? 0;
          return statusCode === 'out_for_delivery' || (next({ statusCode, ageMs, intervalFactor }) ?? 0) < DAY;
        });
        if (isLengthened) expect(perMinute).toBeLessThanOrEqual(Math.max(pace * 0.9, atLeast) * 1.000001);
      }),
    );
  });
});

describe('After any poll', () => {
  test('there is a next one exactly while the shipment is young and in a status that is polled', () => {
    fc.assert(
      fc.property(anyPolled, chance, (one, random) => {
        const hasNext = isPolled(one.statusCode) && one.ageMs < POLLED_DAYS * DAY;
        expect(nextPollMs(one, random) !== null).toBe(hasNext);
      }),
    );
  });

  test('the next one is spread by a fifth, at least half a minute and at most a day and a fifth away', () => {
    fc.assert(
      fc.property(anyPolled, chance, (one, random) => {
        const [earliest, wanted, latest] = [0, random, 1].map(r => nextPollMs(one, r));
        if (earliest == null || wanted == null || latest == null || one.noAnswer === 'not_asked') return;
        expect(wanted).toBeGreaterThanOrEqual(earliest);
        expect(wanted).toBeLessThanOrEqual(latest);
        expect(earliest).toBeGreaterThanOrEqual(0.5 * MINUTE);
        expect(latest).toBeLessThanOrEqual(1.2 * DAY);
        if (one.askedMs === undefined) expect(latest / earliest).toBeCloseTo(1.5, 5);
      }),
    );
  });

  test('the next one comes no sooner as a shipment grows old', () => {
    fc.assert(
      fc.property(anyPolled, fc.integer({ min: 0, max: 30 * DAY }), chance, (one, more, random) => {
        const [young, old] = [one.ageMs, one.ageMs + more].map(ageMs => nextPollMs({ ...one, ageMs }, random));
        expect(old ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(young ?? Number.POSITIVE_INFINITY);
      }),
    );
  });
});
