import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DecimalSign,
  readDay,
  readNumber,
  readText,
  type Unit,
} from '../../src/domain/common/tables/cell-values.rules.ts';
import { NumberColumns, numberIssue } from '../../src/domain/common/tables/number-columns.rules.ts';

/** A decimal, or why there is none. */
function shown(cell: string | number | boolean, unit: Unit = 'money', sign?: DecimalSign): string {
  const read = readNumber(cell, unit, sign);
  return 'decimal' in read ? read.decimal : [read.wrong, ...(read.readings ?? [])].join(' ');
}

describe('A number', () => {
  const NUMBERS: [cell: string | number | boolean, decimal: string, unit?: Unit, sign?: DecimalSign][] = [
    ['12', '12'],
    ['12,5', '12.5'],
    ['12.50', '12.50'],
    ['1.234,50', '1234.50'],
    ['1,234.50', '1234.50'],
    ['1.234.567', '1234567'],
    ['1 234,50', '1234.50'],
    ['1\u00a0234,50 €', '1234.50'],
    ['5 5', 'number'],
    ['+5', 'number'],
    ['€ 4,35', '4.35'],
    ['4,35 EUR', '4.35'],
    ['-3,50', '-3.50'],
    ['€ 3,50-', '-3.50'],
    ['-3,50-', 'number'],
    ['1.234', 'ambiguous 1234 1.234'],
    ['-6,105', 'ambiguous 6105 6.105'],
    ['1.234', '1234', 'money', 'comma'],
    ['1.234', '1.234', 'money', 'point'],
    ['1,234', '1234', 'money', 'point'],
    ['12.50', 'comma', 'money', 'comma'],
    ['1.23,4,5', 'number', 'money', 'comma'],
    ['0,125', '0.125'],
    ['1234.567', '1234.567'],
    ['1.23,45', 'number'],
    ['$ 12.50', 'currency'],
    ['12,50 CHF', 'currency'],
    ['2,5 kg', '2.5', 'kg'],
    ['30 cm', '30', 'cm'],
    ['22%', '22', 'percent'],
    ['2,5 kg', 'number', 'money'],
    ['cinque', 'number'],
    ['1e3', 'number'],
    ['', 'number'],
    [true, 'number'],
    [4.35, '4.35'],
    [1.234, '1.234'],
    [1e-7, '0.0000001'],
  ];
  test.each(NUMBERS)('%s is %s (%s, %s)', (cell, decimal, unit, sign) => {
    expect(shown(cell, unit, sign)).toBe(decimal);
  });

  test('is the same written in Italian or in English', () => {
    const cents = fc.integer({ min: 0, max: 99_999_999 });
    fc.assert(
      fc.property(cents, count => {
        const number = count / 100;
        const options = { minimumFractionDigits: 2, useGrouping: 'always' } as const;
        for (const locale of ['it-IT', 'en-GB']) {
          expect(Number(shown(number.toLocaleString(locale, options)))).toBe(number);
        }
      }),
    );
  });
});

describe('A number that can be read in two ways', () => {
  const read = (cells: string[], sought: string, unit: Unit = 'money') => {
    const rows = cells.map((cell, i) => ({ row: i + 2, cells: cell.split(';') }));
    const units: [number, Unit][] = [
      [0, 'money'],
      [1, 'kg'],
    ];
    const columns = new NumberColumns(() => rows, new Map(units), undefined).read(sought, unit);
    return 'decimal' in columns ? columns.decimal : numberIssue(columns);
  };

  test('is read like the other cells of its unit', () => {
    expect(read(['12,50;1.5', '1.234;2.250'], '1.234')).toBe('1234');
    expect(read(['12.50;1,5', '1.234;2.250'], '1.234')).toBe('1.234');
    expect(read(['12,50;1.5', '1.234;2.250'], '2.250', 'kg')).toBe('2.250');
  });

  test('is shown in both readings if no other cell, or cells that contradict each other, decide', () => {
    const says = 'must be unambiguous: it can be 1234 or 1.234. State `decimals` in the mapping, or the locale';
    expect(read(['1.234;1,5', '12;2', '5.000;'], '1.234')).toBe(says);
    expect(read(['1.234;', '12,50;', '12.50;', '13,50;'], '1.234')).toBe(says);
  });
});

const DAYS: [cell: string, day: string | undefined, order?: 'month_first'][] = [
  ['2026-11-30', '2026-11-30'],
  ['2026-11-30T10:15:00', '2026-11-30'],
  ['30/11/2026', '2026-11-30'],
  ['03/11/2026', '2026-11-03'],
  ['03/11/2026', '2026-03-11', 'month_first'],
  ['3.1.26', '2026-01-03'],
  ['20261130', '2026-11-30'],
  ['30/11/2026 10:15', '2026-11-30'],
  ['31/02/2026', undefined],
  ['11/30/2026', undefined],
  ['11/30/2026', '2026-11-30', 'month_first'],
  ['gestern', undefined],
];
test.each(DAYS)('The cell %s is the day %s (%s)', (cell, day, order) => {
  expect(readDay(cell, order)).toBe(day);
});

const BROKEN = 'must be a value, not a spreadsheet error such as #N/A';
const LOST = 'must be saved as text: the spreadsheet has shortened the number';
const TEXTS: [cell: string | number | boolean | undefined, text: string][] = [
  [' Via Roma 1 ', 'Via Roma 1'],
  [123456789012345, '123456789012345'],
  [1234567890123456, LOST],
  [-1e15, LOST],
  ['8,01234E+12', LOST],
  ['1234567890123456789', '1234567890123456789'],
  ...['#N/A', '#n/d', ' #RIF! ', '#VALORE!', '#DIV/0!', '#FORMULA!'].map((error): [string, string] => [error, BROKEN]),
  ['#12', '#12'],
  ['N/A', 'N/A'],
  [undefined, ''],
];
test.each(TEXTS)('The cell %j is the text, or has the problem, %j', (cell, text) => {
  const read = readText(cell);
  expect('value' in read ? read.value : read.message).toBe(text);
});
