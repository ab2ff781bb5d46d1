import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isoTime } from '../../src/platform/iso-time.ts';

const LAST = 8_640_000_000_000_000;

test('A time is written as Date writes it', () => {
  const times = fc.oneof(
    fc.integer({ min: -LAST, max: LAST }),
    fc.integer({ min: 1_700_000_000_000, max: 1_900_000_000_000 }),
    fc.double({ min: 0, max: 2_000_000_000_000, noNaN: true }),
    fc.constantFrom(0, -1, -0.5, 86_399_999.9, 86_400_000, LAST, -LAST, -62_167_219_200_001),
  );
  fc.assert(
    fc.property(times, time => {
      expect(isoTime(time)).toBe(new Date(time).toISOString());
    }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, LAST + 86_400_000])('The number %s is not a time', time => {
  expect(() => isoTime(time)).toThrow(RangeError);
});
