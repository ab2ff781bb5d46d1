import { expect, test } from 'vitest';
import { trackedOf } from '../../src/domain/spend/invoices/check/tracked.rules.ts';
import { readDay, readNumber } from '../../src/domain/spend/invoices/reading/invoice-values.rules.ts';

const NUMBERS: [cell: string, cents: number | 'ambiguous' | undefined, decimals?: 'comma' | 'point'][] = [
  ['12', 1200],
  ['12,5', 1250],
  ['12.50', 1250],
  ['1.234,50', 123_450],
  ['1,234.50', 123_450],
  ['1.234.567', 123_456_700],
  ['1.234', 'ambiguous'],
  ['-6,105', 'ambiguous'],
  ['0,125', 13],
  ['1.2345', 123],
  ['1234.567', 123_457],
  ['1.234', 123_400, 'comma'],
  ['1,234', 123_400, 'point'],
  ['12.50', undefined, 'comma'],
  ['1.23,45', undefined],
  ['-3,50', -350],
  ['3,50-', -350],
  ['-3,50-', undefined],
  ['€ 3,50', 350],
  ['0,005', 1],
  [',5', 50],
  ['', undefined],
  ['cinque', undefined],
  ['1e3', undefined],
];
test.each(NUMBERS)('%s is %s cents (%s)', (cell, cents, decimals) => {
  expect(readNumber(cell, 2, decimals)).toBe(cents);
});

test('a weight of 1.234 has three decimals', () => {
  expect(readNumber('1.234', 3, undefined)).toBe(1234);
});

const DAYS: [cell: string, day: string | undefined][] = [
  ['2026-11-30', '2026-11-30'],
  ['30/11/2026', '2026-11-30'],
  ['3.1.26', '2026-01-03'],
  ['20261130', '2026-11-30'],
  ['30/11/2026 10:15', '2026-11-30'],
  ['31/02/2026', undefined],
  ['11/30/2026', undefined],
  ['gestern', undefined],
];
test.each(DAYS)('%s is the day %s', (cell, day) => {
  expect(readDay(cell)).toBe(day);
});

const event = (status: string, day: string) => ({ status, day });
test('storage runs from the day it begins to the day it ends, both included, and again if it begins again', () => {
  const events = [
    event('held', '2026-11-03'),
    event('delayed', '2026-11-04'),
    event('out_for_delivery', '2026-11-05'),
    event('held', '2026-11-10'),
  ];
  expect(trackedOf(events, false, '2026-11-11')).toEqual({ storageDays: 5, hasReturned: false });
  expect(trackedOf([event('refused', '2026-11-03')], false, '2026-11-30')?.hasReturned).toBe(true);
  expect(trackedOf([], false, '2026-11-30')).toBeUndefined();
});
