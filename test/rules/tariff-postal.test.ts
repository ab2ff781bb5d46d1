import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countryOfPlace } from '../../src/domain/common/places/places.rules.ts';
import { areaOf, destinationsAt, findRule, ruleAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { areaProblems, areaTable } from '../../src/domain/pricing/tariffs/areas/area-table.rules.ts';
import { findCode, PostalCodes } from '../../src/domain/pricing/tariffs/areas/postal.rules.ts';
import { runs } from '../support/property-runs.ts';

interface Range {
  readonly from: string;
  readonly to: string;
}

const cap = (number: number) => String(number).padStart(5, '0');
const lowest = (digits: string) => Number(digits.padEnd(5, '0'));
const highest = (digits: string) => Number(digits.padEnd(5, '9'));

/** Ranges that lie within each other or apart: each is cut out of one that is there, or of all, between its neighbours. */
function nested(seeds: readonly (readonly [number, number, number])[]): Range[] {
  const ranges: [number, number][] = [];
  for (const [around, a, b] of seeds) {
    const [low, high] = ranges[around % (ranges.length + 1)] ?? [0, 99_999];
    const size = high - low + 1;
    const one = low + (a % size);
    const other = low + (b % size);
    const range: [number, number] = [Math.min(one, other), Math.max(one, other)];
    const fits = ranges.every(
      ([from, to]) =>
        to < range[0] ||
        from > range[1] ||
        (from <= range[0] && range[1] <= to) ||
        (range[0] <= from && to <= range[1]),
    );
    const isNew = ranges.every(([from, to]) => from !== range[0] || to !== range[1]);
    if (fits && isNew) ranges.push(range);
  }
  return ranges.map(([from, to]) => ({ from: cap(from), to: cap(to) }));
}

const seeds = fc.array(fc.tuple(fc.nat(100), fc.nat(99_999), fc.nat(99_999)), { maxLength: 60, size: 'max' });
const nestedRanges = seeds.map(nested);

/** Searches them all: the narrowest that holds the code. */
function narrowest(ranges: readonly Range[], code: number): number {
  let best = -1;
  let bestSize = Number.POSITIVE_INFINITY;
  for (const [rule, { from, to }] of ranges.entries()) {
    const size = highest(to) - lowest(from);
    if (lowest(from) <= code && code <= highest(to) && size < bestSize) [best, bestSize] = [rule, size];
  }
  return best;
}

function tableOf(ranges: readonly Range[]) {
  const codes = new PostalCodes();
  for (const [rule, { from, to }] of ranges.entries()) codes.addRange(from, to, rule);
  return codes.table();
}

/** A table of areas in which nothing is wrong. */
function soundTable(areas: Parameters<typeof areaTable>[0]) {
  expect(areaProblems(areas)).toEqual([]);
  return areaTable(areas);
}

/** Every edge of every range, the codes on both sides of it, and the ends of the world. */
function telling(ranges: readonly Range[]): number[] {
  const edges = ranges.flatMap(({ from, to }) => [
    lowest(from) - 1,
    lowest(from),
    lowest(from) + 1,
    highest(to) - 1,
    highest(to),
    highest(to) + 1,
  ]);
  return [0, 99_999, ...edges].filter(code => code >= 0 && code <= 99_999);
}

describe('A PostalTable', () => {
  test('leads every code to the narrowest range that holds it', () => {
    let looked = 0;
    fc.assert(
      fc.property(nestedRanges, fc.array(fc.nat(99_999), { maxLength: 100 }), (ranges, sample) => {
        const { table, crossings } = tableOf(ranges);
        expect(crossings).toEqual([]);
        for (const code of [...telling(ranges), ...sample]) {
          looked++;
          if (findCode(table, cap(code)) !== narrowest(ranges, code)) {
            expect([cap(code), findCode(table, cap(code))]).toEqual([cap(code), narrowest(ranges, code)]);
          }
        }
      }),
      { numRuns: runs(400), seed: 1 },
    );
    expect(looked).toBeGreaterThan(runs(40_000));
  });

  test('does not depend on the order in which ranges are added', () => {
    fc.assert(
      fc.property(nestedRanges, fc.array(fc.nat(99_999), { maxLength: 50 }), (ranges, sample) => {
        const { table } = tableOf(ranges);
        const { table: reversed } = tableOf(ranges.toReversed());
        for (const code of [...telling(ranges), ...sample]) {
          const rule = findCode(reversed, cap(code));
          expect(findCode(table, cap(code))).toBe(rule < 0 ? -1 : ranges.length - 1 - rule);
        }
      }),
      { numRuns: runs(50), seed: 3 },
    );
  });

  test('reports a crossing if and only if there is one, and only pairs that cross', () => {
    const crosses = (a: Range, b: Range) =>
      (a.from < b.from && b.from <= a.to && a.to < b.to) || (b.from < a.from && a.from <= b.to && b.to < a.to);
    const anyRanges = fc.array(
      fc.tuple(fc.nat(60), fc.nat(60)).map(([a, b]) => ({ from: cap(Math.min(a, b)), to: cap(Math.max(a, b)) })),
      { maxLength: 6 },
    );
    let crossing = 0;
    fc.assert(
      fc.property(anyRanges, ranges => {
        const { crossings } = tableOf(ranges);
        const isCrossing = ranges.some(a => ranges.some(b => crosses(a, b)));
        expect(crossings.length > 0).toBe(isCrossing);
        for (const { rule, other } of crossings) {
          expect(crosses(ranges[rule] as Range, ranges[other] as Range)).toBe(true);
        }
        if (isCrossing) crossing++;
      }),
      { numRuns: runs(3_000), seed: 4 },
    );
    expect(crossing).toBeGreaterThan(runs(500));
    expect(crossing).toBeLessThan(runs(2_500));
  });

  test('names the rule that has a range when it is added again, and keeps that rule', () => {
    const codes = new PostalCodes();
    expect(codes.addRange('90100', '90199', 7)).toBeUndefined();
    expect(codes.add('901*', 8)).toBe(7);
    expect(codes.addRange('901', '901', 9)).toBe(7);
    expect(codes.add('BT*', 1)).toBeUndefined();
    expect(codes.add('BT*', 2)).toBe(1);
    expect(codes.add('BT1', 3)).toBeUndefined();
    expect(codes.add('BT1', 4)).toBe(3);
    const { table, crossings } = codes.table();
    expect(crossings).toEqual([]);
    expect(['90099', '90100', '90199', '90200', 'BT1', 'BT12', 'BX1'].map(code => findCode(table, code))).toEqual([
      -1, 7, 7, -1, 3, 1, -1,
    ]);
  });

  test('finds the longest beginning of a code', () => {
    const letters = fc.string({ unit: fc.constantFrom('A', 'B', '1'), minLength: 1, maxLength: 8 });
    const beginning = letters.filter(text => /[A-Z]/.test(text));
    fc.assert(
      fc.property(
        fc.uniqueArray(beginning, { maxLength: 12 }),
        fc.array(letters, { minLength: 20, maxLength: 20 }),
        (beginnings, codes) => {
          const written = new PostalCodes();
          for (const [rule, text] of beginnings.entries()) written.add(`${text}*`, rule);
          const { table } = written.table();
          for (const code of codes) {
            const fitting = beginnings.filter(text => code.startsWith(text));
            const longest = fitting.toSorted((a, b) => b.length - a.length)[0];
            expect(findCode(table, code)).toBe(longest === undefined ? -1 : beginnings.indexOf(longest));
          }
        },
      ),
      { numRuns: runs(500), seed: 5 },
    );
  });

  test('finds nothing while it is empty', () => {
    const { table } = tableOf([]);
    for (const code of ['', '0', '00000', '99999', '901390000', 'BT1', '-1', '٠٠١٤٤'])
      expect(findCode(table, code)).toBe(-1);
  });
});

describe('An AreaTable', () => {
  const at = (countryCode: string, postalCode: string) =>
    destinationsAt({ countryCode, postalCode, city: 'Nowhere' })[0];

  test.each<[rules: string[], country: string, code: string, found: string | undefined]>([
    [['ES 35*'], 'ES', '35001', 'ES 35*'],
    [['ES 35*'], 'ES', '35999', 'ES 35*'],
    [['ES 35*'], 'ES', '36001', undefined],
    [['ES 35*'], 'ES', '34999', undefined],
    [['ES 35*'], 'IT', '35001', undefined],
    [['35*'], 'IT', '35121', '35*'],
    [['35*'], 'ES', '35121', undefined],
    [['IT 35*'], 'IT', '35121', 'IT 35*'],
    [['ES 35*', 'ES 35100-35199', 'ES 35120'], 'ES', '35120', 'ES 35120'],
    [['ES 35*', 'ES 35100-35199', 'ES 35120'], 'ES', '35121', 'ES 35100-35199'],
    [['ES 35*', 'ES 35100-35199', 'ES 35120'], 'ES', '35200', 'ES 35*'],
    [['GB BT*'], 'GB', 'BT1 5GS', 'GB BT*'],
    [['GB BT*'], 'GB', 'bt15gs', 'GB BT*'],
    [['GB bt*'], 'GB', 'BT1 5GS', 'GB bt*'],
    [['GB BT*'], 'GB', 'B1 1AA', undefined],
    [['GB BT*', 'GB BT1 5GS'], 'GB', 'BT15GS', 'GB BT1 5GS'],
    [['GB BT*', 'GB BT1*'], 'GB', 'BT15GS', 'GB BT1*'],
    [['PL 00-950'], 'PL', '00-950', 'PL 00-950'],
    [['PL 00-950'], 'PL', '00950', 'PL 00-950'],
    [['PL 00-950'], 'PL', '00-951', undefined],
    [['PL 00-950'], 'PL', '00-500', undefined],
    [['PL 00-*'], 'PL', '00-500', 'PL 00-*'],
    [['PL 00-19'], 'PL', '10-001', 'PL 00-19'],
    [['PL 00-19'], 'PL', '20-001', undefined],
    [['US 95014'], 'US', '95014', 'US 95014'],
    [['US 95014'], 'US', '95014-1234', 'US 95014'],
    [['US 95014'], 'US', '95015-1234', undefined],
    [['US 95014', 'US 95014-1234'], 'US', '95014-1234', 'US 95014-1234'],
    [['US 95014', 'US 95014-1234'], 'US', '95014-1235', 'US 95014'],
    [['US 95*', 'US 950141*'], 'US', '95014-1234', 'US 950141*'],
    [['US 95*', 'US 950141*'], 'US', '95014-2234', 'US 95*'],
    [['CH 6900'], 'CH', '6900', 'CH 6900'],
    [['CH 6900'], 'CH', '6901', undefined],
    [['CH 6900-6999'], 'CH', '6999', 'CH 6900-6999'],
    [['CH 69*', 'CH 6900'], 'CH', '6911', 'CH 69*'],
    [['AT 1010 - 1020'], 'AT', '1020', 'AT 1010 - 1020'],
    [['SE 114 55'], 'SE', '11455', 'SE 114 55'],
    [['PT 9*'], 'PT', '9000-012', 'PT 9*'],
    [['PT 9000-9999'], 'PT', '9000-012', 'PT 9000-9999'],
    // Dutch codes begin with digits and end in letters.
    [['NL 1012 AB'], 'NL', '1012AB', 'NL 1012 AB'],
    [['NL 1012*'], 'NL', '1012 AB', 'NL 1012*'],
    [['NL 10*'], 'NL', '1012 AB', 'NL 10*'],
    [['NL 1000-1999'], 'NL', '1012 AB', 'NL 1000-1999'],
    [['PL 00-001 - 00-950'], 'PL', '00-950', 'PL 00-001 - 00-950'],
    [['PL 00-001-00-950'], 'PL', '00-951', undefined],
    [['PT 1000-001 - 1999-999'], 'PT', '1249-199', 'PT 1000-001 - 1999-999'],
    [['PT 1000-001 - 1999-999'], 'PT', '2000-001', undefined],
    [['RO 010001-019999', 'RO 01*'], 'RO', '010101', 'RO 010001-019999'],
    [['RO 010001-019999'], 'RO', '100101', undefined],
    [['JP 100-199'], 'JP', '150-0001', 'JP 100-199'],
    [['SE 111-119'], 'SE', '11455', 'SE 111-119'],
    [['SE 11 4*'], 'SE', '114 55', 'SE 11 4*'],
    [['PL 00-9*'], 'PL', '00-950', 'PL 00-9*'],
    [['FR 57-59'], 'FR', '58000', 'FR 57-59'],
    [['LV 1000-1099'], 'LV', 'LV-1073', 'LV 1000-1099'],
    [['57030-57039'], 'IT', '57030', '57030-57039'],
    [['57030-57039'], 'IT', '57039', '57030-57039'],
    [['57030-57039'], 'IT', '57040', undefined],
    [['57030-57039'], 'IT', '57029', undefined],
    [['90139'], 'IT', '', undefined],
  ])('finds by %j for %s %s the rule %s', (rules, country, code, found) => {
    const table = soundTable([{ postalCodes: rules }]);
    expect(ruleAt(table, findRule(table, at(country, code)))?.text).toBe(found);
  });

  test.each<[rules: string[], country: string, code: string, found: string | undefined]>([
    [['47890'], 'IT', '47890', '47890'],
    [['47890'], 'SM', '47890', '47890'],
    [['IT 47890'], 'SM', '47890', 'IT 47890'],
    [['SM 47890'], 'IT', '47890', 'SM 47890'],
    [['47890-47899'], 'IT', '47899', '47890-47899'],
    [['4789*'], 'SM', '47895', '4789*'],
    [['00120'], 'IT', '00120', '00120'],
    [['VA 00120'], 'IT', '00120', 'VA 00120'],
    // A wider range means Italian places.
    [['47*'], 'IT', '47890', undefined],
    [['47*'], 'SM', '47890', undefined],
    [['47800-47999'], 'IT', '47891', undefined],
    [['47800-47999'], 'IT', '47900', '47800-47999'],
    [['001*'], 'IT', '00120', undefined],
    [['001*'], 'IT', '00121', '001*'],
    [['47*', '47890-47899'], 'IT', '47890', '47890-47899'],
    [['SM 47*'], 'IT', '47890', 'SM 47*'],
  ])(
    'finds by %j for %s %s the rule %s: San Marino and the Vatican are where their CAPs are',
    (rules, country, code, found) => {
      const table = soundTable([{ postalCodes: rules }]);
      expect(ruleAt(table, findRule(table, at(country, code)))?.text).toBe(found);
    },
  );

  test.each([
    '100-199',
    '57-59',
    '7010-7030',
    '1-9',
    'DE 10-19',
    'ES 700-799',
    'US 1001-2799',
    'US 100-149',
    'FR 1000-9590',
    'FR 1-9',
    'PL 0-5',
    'SK 10-19',
    'FI 10-99',
    'RO 10001-19999',
    'NO 150-190',
    'AU 800-899',
  ])('rejects a range with ends that may have lost their zeros, and keeps its meaning where it is stored: %s', text => {
    expect(areaProblems([{ postalCodes: [text] }])).toMatchObject([
      { code: 'invalid_postal_code', isOfOldTariffs: true, rule: { text } },
    ]);
    const table = areaTable([{ postalCodes: [text] }]);
    const [, country = 'IT', first = ''] = /^(?:([A-Z]{2}) )?(\d+)/.exec(text) ?? [];
    expect(ruleAt(table, findRule(table, at(country, first.padEnd(5, '0'))))?.text).toBe(text);
  });

  test('allows only one zone to have a CAP of San Marino, however its country is written', () => {
    const problems = areaProblems([{ postalCodes: ['47890'] }, { postalCodes: ['SM 47890'] }]);
    expect(problems).toMatchObject([{ code: 'conflict' }]);
  });

  const isItalian = (code: number) => countryOfPlace('IT', cap(code)) === 'IT';

  test('finds the narrowest of CAPs, ranges and beginnings as they are written, as a search does', () => {
    const written = fc.oneof(
      fc.nat(99_999).map(cap),
      fc
        .integer({ min: 1, max: 4 })
        .chain(length => fc.nat(10 ** length - 1).map(number => `${String(number).padStart(length, '0')}*`)),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(written, { maxLength: 80 }),
        fc.array(fc.nat(99_999), { maxLength: 30 }),
        (texts, sample) => {
          const ranges = texts.map(text => ({ from: text.replace('*', ''), to: text.replace('*', '') }));
          const table = soundTable(texts.map(text => ({ postalCodes: [text] })));
          // The codes of San Marino and the Vatican have cases of their own, above.
          for (const code of [...telling(ranges), ...sample].filter(isItalian)) {
            expect(areaOf(table, findRule(table, at('IT', cap(code))))).toBe(narrowest(ranges, code));
          }
        },
      ),
      { numRuns: runs(150), seed: 6 },
    );
  });
});
