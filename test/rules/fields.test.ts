import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  decimal as aDecimal,
  integer as anInteger,
  street as aStreet,
  text as aText,
  httpUrl as aUrl,
  inputObject,
  optionalText,
} from '../../src/domain/common/fields.input.ts';
import { dateTime as aDateTime, calendarDay as aDay } from '../../src/domain/common/times.input.ts';
import { checkInput, readInput } from '../../src/platform/input.ts';
import { runs } from '../support/property-runs.ts';

/** The result of a field's schema for a value, and the codes of its errors. */
function read<Schema extends z.ZodType>(schema: Schema, value: unknown): { value?: z.output<Schema>; codes: string[] } {
  const result = schema.safeParse(value);
  return {
    ...(result.success && { value: result.data }),
    codes: checkInput(schema, value).issues.map(({ code }) => code),
  };
}

const decimal = (text: string | number) => read(aDecimal({ max: 999_999.999, decimals: 3 }), text);

describe('A decimal', () => {
  test.each([
    ['4', '4'],
    ['4.0', '4'],
    ['4.00', '4'],
    ['04', '4'],
    ['0004.5000', '4.5'],
    ['0', '0'],
    ['00', '0'],
    ['0.0', '0'],
    ['-0', '0'],
    ['-0.00', '0'],
    ['0.001', '0.001'],
    ['100', '100'],
    ['10.010', '10.01'],
    [' 4.5 ', '4.5'],
    ['999999.999', '999999.999'],
    ['000999999.9990000', '999999.999'],
    [0.1 + 0.2, '0.3'],
    ['0.30000000000000004', '0.3'],
    ['-0.0000000001', '0'],
    [0.1 + 0.2 - 0.3, '0'],
    [0.3 - 0.1 - 0.2, '0'],
    [8.7 - 0.1 * 3, '8.4'],
    ['4.9999999999', '5'],
    ['999999.9989999999999', '999999.999'],
    ['1.0009999999991', '1.001'],
  ])('%j is stored as %s', (text, stored) => {
    expect(decimal(text)).toEqual({ value: stored, codes: [] });
  });

  test.each([
    '-1',
    '-0.001',
    '1000000',
    '0.0001',
    '1E-7',
    '0.300000001',
    '0.299999999',
    '0.0000001',
    '1000000.0000000001',
    '1.2345',
    '99999999999999999999',
    '0.12345678901234567890',
  ])('is out of range: %s', text => {
    expect(decimal(text).codes).toEqual(['out_of_range']);
  });

  test.each([
    '',
    ' ',
    'x',
    '1,5',
    '1E3',
    '0x10',
    '+1',
    '--1',
    '.5',
    '.',
    '1.2.3',
    '1 000',
    '١',
    'NaN',
    'Infinity',
    '1\n2',
    '4x',
    '1_000',
  ])('is malformed: %j', text => {
    expect(decimal(text).codes).toEqual(['invalid_decimal']);
  });

  test.each([[true], [[4]], [[]], [{}], [{ kg: 4 }]])('has the wrong type: %j', value => {
    expect(read(aDecimal({ max: 1, decimals: 3 }), value).codes).toEqual(['wrong_type']);
  });

  test.each([0, -0, 5e-324, 1e21, 1e300, Number.MAX_SAFE_INTEGER])('above 0 is out of range: the number %d', value => {
    expect(read(aDecimal({ isAbove0: true, max: 1000, decimals: 3 }), value).codes).toEqual(['out_of_range']);
  });

  test.each([
    ['zeros', `${'0'.repeat(300_000)}x`],
    ['zeros after the point', `1.${'0'.repeat(300_000)}x`],
    ['nines', `${'9'.repeat(300_000)}x`],
    ['nines after the point', `1.${'9'.repeat(300_000)}x`],
    ['zeros and ones after the point', `1.${'01'.repeat(150_000)}x`],
    ['minus signs', '-'.repeat(300_000)],
  ])('that is malformed is rejected at once, even after 300,000 %s', (_what, text) => {
    const startedAt = performance.now();
    expect(decimal(text).codes).toHaveLength(1);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${maxLength}}$`));
  const written = fc
    .record({ zeros: fc.nat(3), whole: digits(6), fraction: digits(3), more: fc.nat(3), point: fc.boolean() })
    .map(({ zeros, whole, fraction, more, point }) => ({
      text: `${'0'.repeat(zeros)}${whole || '0'}${fraction || point ? `.${fraction}${'0'.repeat(more)}` : ''}`,
      thousandths: BigInt(whole || '0') * 1000n + BigInt(fraction.padEnd(3, '0')),
    }))
    .filter(({ text }) => !text.endsWith('.'));

  test('stays the same in its stored form', () => {
    fc.assert(
      fc.property(written, ({ text }) => {
        const stored = decimal(text);
        expect(stored.codes).toEqual([]);
        expect(decimal(stored.value ?? '')).toEqual(stored);
      }),
    );
  });

  test('has the same text exactly where it is the same number', () => {
    fc.assert(
      fc.property(written, written, (one, other) => {
        expect(decimal(one.text).value === decimal(other.text).value).toBe(one.thousandths === other.thousandths);
      }),
    );
  });

  test('is the nearest of the permitted places where it differs by less than 1e-9, and none elsewhere', () => {
    const sent = fc.tuple(fc.integer({ min: 1, max: 999_999_000 }), fc.integer({ min: -3000, max: 3000 }));
    fc.assert(
      fc.property(sent, ([thousandths, picos]) => {
        const off = BigInt(thousandths) * 10n ** 9n + BigInt(picos);
        const text = `${off / 10n ** 12n}.${String(off % 10n ** 12n).padStart(12, '0')}`;
        const expected =
          Math.abs(picos) < 1000
            ? { value: decimal(String(thousandths / 1000)).value, codes: [] }
            : { codes: ['out_of_range'] };
        expect(decimal(text)).toEqual(expected);
      }),
    );
  });

  test('keeps its value to the last digit', () => {
    fc.assert(
      fc.property(written, ({ text, thousandths }) => {
        const [whole = '', fraction = ''] = (decimal(text).value ?? '').split('.');
        expect(BigInt(whole) * 1000n + BigInt(fraction.padEnd(3, '0'))).toBe(thousandths);
      }),
    );
  });

  test('from a JSON number has the same value', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999 }), thousandths => {
        const number = thousandths / 1000;
        expect(Number(decimal(String(number)).value)).toBe(number);
      }),
    );
  });
});

describe('A date-time', () => {
  const dateTime = (text: string) => read(aDateTime(), text);

  test.each([
    ['2026-11-21T09:30:00Z', '2026-11-21T09:30:00.000Z'],
    ['2026-11-21T09:30:00.5Z', '2026-11-21T09:30:00.500Z'],
    ['2026-11-21T09:30:00.1234567+01:00', '2026-11-21T08:30:00.123Z'],
    ['2026-11-21T09:30:00.999999999Z', '2026-11-21T09:30:00.999Z'],
    ['2026-11-21T00:30:00+02:00', '2026-11-20T22:30:00.000Z'],
    ['2026-11-21T23:30:00-02:00', '2026-11-22T01:30:00.000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['2000-01-01T00:00:00+14:00', '1999-12-31T10:00:00.000Z'],
    ['2099-12-31T23:59:59.999Z', '2099-12-31T23:59:59.999Z'],
    [' 2026-11-21T09:30:00Z ', '2026-11-21T09:30:00.000Z'],
  ])('%j is %s', (text, iso) => {
    const { value, codes } = dateTime(text);
    expect(codes).toEqual([]);
    expect(value?.toISOString()).toBe(iso);
  });

  test.each([
    '',
    'now',
    '2026-11-21',
    '2026-11-21T09:30:00',
    '2026-11-21 09:30:00Z',
    '20261121T093000Z',
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-02-31T00:00:00Z',
    '2100-02-28T00:00:00Z',
    '2026-04-31T00:00:00+02:00',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-32T00:00:00Z',
    '2026-11-21T25:00:00Z',
    '2026-11-21T09:60:00Z',
    '2026-11-21T09:30:60Z',
    '2026-11-21T09:30:00+25:00',
    '2026-11-21T09:30:00+01',
    '2026-11-21T09:30:00 Europe/Rome',
    '2026-11-21T09:30:00.Z',
    '1999-12-31T23:59:59Z',
    '+002026-11-21T09:30:00Z',
    '21/11/2026 09:30',
    '1763717400',
    '٢٠٢٦-11-21T09:30:00Z',
    '2026-11-21T09:30:00Z\n2026',
  ])('is malformed: %j', text => {
    expect(dateTime(text).codes).toEqual(['invalid_date_time']);
  });

  test.each(['1999-12-31T23:59:59Z', '2100-01-01T00:00:00Z'])(
    'of a year out of range is rejected with the possible years: %j',
    text => {
      const [issue] = checkInput(aDateTime(), text).issues;
      expect(issue?.message).toContain('in the years 2000 to 2099');
      expect(checkInput(aDay(), text.slice(0, 10)).issues).toMatchObject([
        { code: 'invalid_date_time', message: 'must be a date in the years 2000 to 2099, such as 2026-06-30' },
      ]);
    },
  );

  const instant = fc.date({
    min: new Date('2000-01-02T00:00:00Z'),
    max: new Date('2099-12-30T00:00:00Z'),
    noInvalidDate: true,
  });

  test('is the same instant at any offset', () => {
    fc.assert(
      fc.property(instant, fc.integer({ min: -14 * 60, max: 14 * 60 }), (at, minutes) => {
        const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
        const offset = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map(n =>
          String(n).padStart(2, '0'),
        );
        const { value, codes } = dateTime(`${local}${minutes < 0 ? '-' : '+'}${offset.join(':')}`);
        expect(codes).toEqual([]);
        expect(value?.getTime()).toBe(at.getTime());
      }),
    );
  });

  test('stays the same in its shown form', () => {
    fc.assert(
      fc.property(instant, at => {
        expect(dateTime(at.toISOString()).value).toEqual(at);
      }),
    );
  });

  test('of a day that does not exist is rejected', () => {
    const part = fc.integer({ min: 0, max: 99 }).map(n => String(n).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 2000, max: 2099 }), part, part, (year, month, day) => {
        const days = new Date(Date.UTC(year, Number(month), 0)).getUTCDate();
        const exists = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= days;
        expect(dateTime(`${year}-${month}-${day}T12:00:00Z`).codes.length === 0).toBe(exists);
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe('A text', () => {
  const text = (value: string | null) => read(aText(), value);

  test.each([
    ['Via Roma 1', 'Via Roma 1'],
    ['  Via  Roma ', 'Via Roma'],
    ['a\tb', 'a b'],
    ['a\r\nb', 'a b'],
    ['a \u0085\u2028\v b', 'a b'],
    ['\ufeffVia\u00a0\u00a0Roma\u200b', 'Via Roma'],
    ['Li\u00advorno', 'Livorno'],
    ['\u200eA\u200c\u200d1\u2060', 'A1'],
    ['Citta\u0300', 'Città'],
    ['\u00a0Città\u2003', 'Città'],
    ['a', 'a'],
    ['x'.repeat(200), 'x'.repeat(200)],
    [`  ${'x'.repeat(200)}  `, 'x'.repeat(200)],
    ['🚚'.repeat(200), '🚚'.repeat(200)],
    ["L'Aquila – «Nord» / ß", "L'Aquila – «Nord» / ß"],
  ])('%j is stored as %j', (value, stored) => {
    expect(text(value)).toEqual({ value: stored, codes: [] });
  });

  test.each([
    [null, 'required'],
    ['', 'required'],
    [' \t\n\u00a0', 'required'],
    [' \u200b\u2060 ', 'required'],
    ['x'.repeat(201), 'too_long'],
    ['🚚'.repeat(201), 'too_long'],
    ['a\u0000b', 'invalid_text'],
    ['a\u0007b', 'invalid_text'],
    ['a\u001fb', 'invalid_text'],
    ['a\u0080b', 'invalid_text'],
    ['a\u001bb', 'invalid_text'],
    ['a\u007fb', 'invalid_text'],
    ['a\ud800b', 'invalid_text'],
    ['\udc00', 'invalid_text'],
  ])('is rejected: %j is %s', (value, code) => {
    expect(text(value).codes).toEqual([code]);
  });

  test.each([
    ['Via Roma 1\nScala B', 'Via Roma 1, Scala B'],
    ['Via Roma 1,\r\n\r\n Scala B ', 'Via Roma 1, Scala B'],
    ['\nVia  Roma\u2028, Scala B\t3\n', 'Via Roma, Scala B 3'],
    ['Via Roma, 1', 'Via Roma, 1'],
    ['Via Roma,', 'Via Roma,'],
  ])('of a street is stored on one line: %j as %j', (value, stored) => {
    expect(read(aStreet(), value)).toEqual({ value: stored, codes: [] });
    expect(read(aStreet(), stored)).toEqual({ value: stored, codes: [] });
  });

  test.each(['', ' \n , \n', '\u200b\r\n'])('of a street may not be empty: %j', value => {
    expect(read(aStreet(), value).codes).toEqual(['required']);
  });

  test('that is accepted can be stored, and stays the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 250 }), value => {
        const { value: stored = '', codes } = text(value);
        if (codes.length > 0) return;
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain('\u0000');
        expect([...stored].length).toBeLessThanOrEqual(200);
        expect(text(stored)).toEqual({ value: stored, codes: [] });
      }),
    );
  });

  test('that is optional and blank is not stored', () => {
    const optional = (value: string | null) => read(optionalText(3), value);
    for (const blank of [null, '', ' ', '\t\n', '\u00a0']) expect(optional(blank)).toEqual({ value: null, codes: [] });
    expect(optional(' abc ')).toEqual({ value: 'abc', codes: [] });
    expect(optional('abcd').codes).toEqual(['too_long']);
    expect(optional('a\u0000').codes).toEqual(['invalid_text']);
  });
});

describe('A URL', () => {
  const httpUrl = (value: string | null) => read(aUrl(), value);

  test.each([
    'http://example.com',
    'https://example.com/a?b=c#d',
    'HTTPS://example.com/A',
    'https://[::1]:8080/',
    ' https://example.com ',
  ])('is accepted: %j', value => {
    expect(httpUrl(value)).toEqual({ value: value.trim(), codes: [] });
  });

  test.each([null, '', ' '])('is not stored where it is blank: %j', value => {
    expect(httpUrl(value)).toEqual({ value: null, codes: [] });
  });

  test.each([
    'example.com',
    '//example.com',
    'ftp://example.com',
    'javascript:alert(1)',
    'data:text/html,x',
    'https:example.com',
    'https://',
    'https:///',
    'https://exa mple.com',
    'https://example.com:99999',
    'mailto:a@example.com',
    'x https://example.com',
  ])('is rejected: %j', value => {
    expect(httpUrl(value).codes).toEqual(['invalid_url']);
  });

  test('has at most 2,048 characters', () => {
    const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'x');
    expect(httpUrl(ofLength(2048)).codes).toEqual([]);
    expect(httpUrl(ofLength(2049)).codes).toEqual(['too_long']);
  });
});

describe('A whole number', () => {
  const integer = (value: number | null, min = 1, max = 500) => read(anInteger(min, max), value);

  test.each([1, 2, 499, 500])('is in range: %i', value => {
    expect(integer(value)).toEqual({ value, codes: [] });
  });

  test.each([0, -1, 501, 2 ** 52])('is out of range: %s', value => {
    expect(integer(value).codes).toEqual(['out_of_range']);
  });

  test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', true])('has the wrong type: %s', value => {
    expect(read(anInteger(1, 500), value).codes).toEqual(['wrong_type']);
  });

  test('is in range exactly from the least to the most', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (value, min, max) => {
        expect(integer(value, min, max).codes.length === 0).toBe(value >= min && value <= max);
      }),
    );
  });
});

describe('An error in an input', () => {
  const recipient = inputObject('', 'A recipient.', { city: aText() });
  const schema = inputObject('', 'A parcel.', { recipient, quantity: anInteger(1, 5), note: optionalText() });

  test('is reported with all others, each with its path and the allowed values', () => {
    const issues = checkInput(schema, { recipient: { city: '', zip: 1 }, quantity: 0, note: 5, colour: 'red' }).issues;
    expect(issues).toMatchObject([
      { path: ['recipient', 'city'], code: 'required', message: 'must not be empty' },
      { path: ['recipient', 'zip'], code: 'unknown_field', message: 'is not a known field; allowed are city' },
      { path: ['quantity'], code: 'out_of_range', message: 'must be a whole number from 1 to 5' },
      { path: ['note'], code: 'wrong_type', message: 'must be a string' },
      { path: ['colour'], code: 'unknown_field' },
    ]);
  });

  test('is thrown in one fault, whose detail states the first error in words', () => {
    expect(() => readInput(schema, { quantity: 0 })).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        status: 422,
        options: expect.objectContaining({ detail: 'The field recipient must be given. `errors` has 1 more.' }),
      }),
    );
    expect(() => readInput(schema, { recipient: { city: '' }, quantity: 1 })).toThrow(
      'recipient.city must not be empty.',
    );
  });

  test('is not reported if all fields are right', () => {
    expect(readInput(schema, { recipient: { city: ' Milano ' }, quantity: 1 })).toEqual({
      recipient: { city: 'Milano' },
      quantity: 1,
    });
  });
});
