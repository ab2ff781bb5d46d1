import { expect, test } from 'vitest';
import { trackedOf } from '../../src/domain/spend/invoices/check/tracked.rules.ts';
import type { InvoiceMapping } from '../../src/domain/spend/invoices/reading/invoice-mapping.format.rules.ts';
import { InvoiceNumbers } from '../../src/domain/spend/invoices/reading/invoice-numbers.rules.ts';

type Stated = Partial<Pick<InvoiceMapping, 'decimals' | 'rounding'>>;
const ROUNDS: Stated = { rounding: 'half_up' };

function read(cell: string | number, decimals: number, stated: Stated = {}): number | string {
  const mapping = { name: 'x', columns: {}, charges: [], skip: [], ...stated } as unknown as InvoiceMapping;
  const found = new InvoiceNumbers(mapping, () => [], new Map()).read(cell, decimals);
  return typeof found === 'number' ? found : found.code;
}

const AMOUNTS: [cell: string | number, cents: number | string, stated?: Stated][] = [
  ['12', 1200],
  ['12,5', 1250],
  ['12.50', 1250],
  ['1.234,50', 123_450],
  ['1,234.50', 123_450],
  ['1.234.567', 123_456_700],
  ['1.234', 'invalid_decimal'],
  ['-6,105', 'invalid_decimal'],
  ['6,100', 610, { decimals: 'comma' }],
  ['0,125', 'too_precise'],
  ['0,125', 13, ROUNDS],
  ['1.2345', 'too_precise'],
  ['1.2345', 123, ROUNDS],
  ['1.234', 123_400, { decimals: 'comma' }],
  ['1,234', 123_400, { decimals: 'point' }],
  ['12.50', 'invalid_decimal', { decimals: 'comma' }],
  ['-3,50', -350],
  ['3,50-', -350],
  ['€ 3,50', 350],
  ['$ 3.50', 'not_allowed'],
  ['0,005', 1, ROUNDS],
  ['-0,005', -1, ROUNDS],
  [',5', 50],
  [4.35, 435],
  [4.355, 'too_precise'],
  [4.355, 436, ROUNDS],
  ['cinque', 'invalid_decimal'],
];
test.each(AMOUNTS)('The amount %s is %s cents (%j)', (cell, cents, stated) => {
  expect(read(cell, 2, stated)).toBe(cents);
});

test('A weight is rounded to grams, and a number of days is whole and not negative', () => {
  expect([read('1,2345', 3), read('0.5', 3), read(2.5, 3), read('1.234', 3)]).toEqual([
    1235,
    500,
    2500,
    'invalid_decimal',
  ]);
  expect([read('3', 0), read('-1', 0), read('10000001', 0)]).toEqual([3, 'out_of_range', 'out_of_range']);
});

const event = (status: string, day: string) => ({ status, day });
test('Storage runs from the day on which it begins to the day on which it ends, both included, and anew if it begins again', () => {
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
