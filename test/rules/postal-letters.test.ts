import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { areaOf, destinationsAt, findRule, ruleAt } from '../../src/domain/pricing/tariffs/areas/area.rules.ts';
import { areaProblems, areaTable } from '../../src/domain/pricing/tariffs/areas/area-table.rules.ts';
import { runs } from '../support/property-runs.ts';

/** Ranges and beginnings of postal codes with letters, in the order of each country. */

const at = (countryCode: string, postalCode: string) => destinationsAt({ countryCode, postalCode, city: 'Nowhere' })[0];

describe('A postal code with letters', () => {
  test.each<[rules: string[], country: string, code: string, found: string | undefined]>([
    [['GB AB31-AB38'], 'GB', 'AB31 4XX', 'GB AB31-AB38'],
    [['GB AB31-AB38'], 'GB', 'ab38 9zz', 'GB AB31-AB38'],
    [['GB AB31-AB38'], 'GB', 'AB30 1XX', undefined],
    [['GB AB31-AB38'], 'GB', 'AB39 1AA', undefined],
    // AB3 1AA, without its space, looks like the beginning of AB31.
    [['GB AB31-AB38'], 'GB', 'AB3 1AA', undefined],
    [['GB AB1-AB9'], 'GB', 'AB9 1ZZ', 'GB AB1-AB9'],
    [['GB AB1-AB9'], 'GB', 'AB10 1AA', undefined],
    [['GB AB1-AB16'], 'GB', 'AB10 1AA', 'GB AB1-AB16'],
    [['GB G1-G84'], 'GB', 'G12 8QQ', 'GB G1-G84'],
    [['GB G1-G84'], 'GB', 'GL1 1AA', undefined],
    [['GB EC1A-EC1N'], 'GB', 'EC1M 4AA', 'GB EC1A-EC1N'],
    [['GB EC1A-EC1N'], 'GB', 'EC1V 4AA', undefined],
    [['GB AB*', 'GB AB31-AB38'], 'GB', 'AB33 8AA', 'GB AB31-AB38'],
    [['GB AB*', 'GB AB31-AB38'], 'GB', 'AB10 1AA', 'GB AB*'],
    [['GB AB31-AB38', 'GB AB33*', 'GB AB33 8AA'], 'GB', 'AB33 8AA', 'GB AB33 8AA'],
    [['GB AB31-AB38', 'GB AB33*', 'GB AB33 8AA'], 'GB', 'AB33 8AB', 'GB AB33*'],
    [['GB KA27*'], 'GB', 'KA27 8AA', 'GB KA27*'],
    [['GB KA27*'], 'GB', 'KA2 7XX', undefined],
    [['GB KA2*'], 'GB', 'KA2 7XX', 'GB KA2*'],
    [['GB KA2*'], 'GB', 'KA27 8AA', 'GB KA2*'],
    [['GB KA2*'], 'GB', 'KA3 1AA', undefined],
    [['GB KA2*', 'GB KA27*'], 'GB', 'KA27 8AA', 'GB KA27*'],
    // The blank ends the district.
    [['GB KA2 7*'], 'GB', 'KA2 7XX', 'GB KA2 7*'],
    [['GB KA2 7*'], 'GB', 'KA27 8AA', undefined],
    [['GB SW1 *'], 'GB', 'SW1 1AA', 'GB SW1 *'],
    [['GB SW1 *'], 'GB', 'SW1A 1AA', undefined],
    [['GB SW1 *'], 'GB', 'SW10 1AA', undefined],
    [['GB SW1*'], 'GB', 'SW1A 1AA', 'GB SW1*'],
    [['GB KA2 7-KA2 9'], 'GB', 'KA2 8XX', 'GB KA2 7-KA2 9'],
    [['GB KA2 7-KA2 9'], 'GB', 'KA27 8AA', undefined],
    [['GB AB31 4AA-AB31 4ZZ'], 'GB', 'AB31 4XX', 'GB AB31 4AA-AB31 4ZZ'],
    [['GB SW1A 1*'], 'GB', 'SW1A 1AA', 'GB SW1A 1*'],
    [['GB SW1A 1*'], 'GB', 'SW1A 2AA', undefined],
    [['GB B*'], 'GB', 'BT1 5GS', 'GB B*'],
    [['GB B1-B20'], 'GB', 'BT1 5GS', undefined],
    [['NL 1000 AA-1099 ZZ'], 'NL', '1012 AB', 'NL 1000 AA-1099 ZZ'],
    [['NL 1000 AA-1099 ZZ'], 'NL', '1099ZZ', 'NL 1000 AA-1099 ZZ'],
    [['NL 1000 AA-1099 ZZ'], 'NL', '1100 AA', undefined],
    [['NL 1000-1999', 'NL 1012 AA-1012 KZ'], 'NL', '1012 KZ', 'NL 1012 AA-1012 KZ'],
    [['NL 1000-1999', 'NL 1012 AA-1012 KZ'], 'NL', '1012 LA', 'NL 1000-1999'],
    [['NL 1000-1999', 'NL 1012 AA-1012 KZ', 'NL 10*'], 'NL', '1099 ZZ', 'NL 10*'],
    [['IE D01-D24'], 'IE', 'D02 X285', 'IE D01-D24'],
    [['IE D01-D24'], 'IE', 'D6W XY00', 'IE D01-D24'],
    [['IE D01-D24'], 'IE', 'A94 XY00', undefined],
    [['IE D07-D24'], 'IE', 'D6W XY00', undefined],
    [['IE D06*'], 'IE', 'D06 W123', 'IE D06*'],
    [['IE D06*'], 'IE', 'D6W XY00', undefined],
    [['IE D6W*'], 'IE', 'D6W XY00', 'IE D6W*'],
    [['IE D6W*'], 'IE', 'D06 W123', undefined],
    [['IE D*'], 'IE', 'D6W XY00', 'IE D*'],
    [['CA K0A-K9Z'], 'CA', 'K1A 0B1', 'CA K0A-K9Z'],
    [['CA K0A-K9Z'], 'CA', 'L0A 1A0', undefined],
    [['LV LV1001-LV1099'], 'LV', 'LV-1073', 'LV LV1001-LV1099'],
    [['BM HM 11-HM 20'], 'BM', 'HM 12', 'BM HM 11-HM 20'],
  ])('is found in its range: of %j, %s %s finds %s', (rules, country, code, found) => {
    expect(areaProblems([{ postalCodes: rules }])).toEqual([]);
    const table = areaTable([{ postalCodes: rules }]);
    expect(ruleAt(table, findRule(table, at(country, code)))?.text).toBe(found);
  });

  test.each<[rules: string[], code: string]>([
    [['GB AB1-AB35', 'GB AB31-AB38'], 'overlap'],
    [['GB AB31-AB38', 'GB AB31 - AB38'], 'conflict'],
    [['GB AB38-AB31'], 'empty_range'],
    [['GB AB31-38'], 'invalid_postal_code'],
    [['NL 1000 AA-1099'], 'invalid_postal_code'],
    [['CA K0A-K9'], 'invalid_postal_code'],
    [['GB AB1-AB2-AB3'], 'invalid_postal_code'],
  ])('may not overlap or be malformed: zones of %j are rejected: %s', (rules, code) => {
    expect(areaProblems(rules.map(rule => ({ postalCodes: [rule] })))).toMatchObject([{ code }]);
  });

  test('in an exception is looked up in the ranges around the one that it is in', () => {
    const highlands = { postalCodes: ['GB AB31-AB38', 'GB KA2*'], except: { postalCodes: ['GB AB33*', 'GB KA27*'] } };
    const scotland = { postalCodes: ['GB AB*', 'GB KA20-KA30'] };
    expect(areaProblems([highlands, scotland])).toEqual([]);
    const table = areaTable([highlands, scotland]);
    const found = (code: string) => areaOf(table, findRule(table, at('GB', code)));
    const codes = ['AB31 4XX', 'AB33 8AA', 'AB10 1AA', 'KA2 7XX', 'KA21 5AA', 'KA27 8AA', 'KA30 8AA'];
    expect(codes.map(found)).toEqual([0, 1, 1, 0, 0, 1, 1]);
  });
});

interface District {
  readonly area: string;
  readonly number: number;
}
/** A rule, and the number of districts in its matching part; 0 if none matches. */
interface Rule {
  readonly text: string;
  readonly sizeAround: (one: District) => number;
}

const AREAS = ['B', 'BA', 'BT', 'G'];
const DISTRICTS: readonly District[] = AREAS.flatMap(area =>
  Array.from({ length: 99 }, (_, i) => ({ area, number: i + 1 })),
);
const area = fc.constantFrom(...AREAS);
const number = fc.integer({ min: 1, max: 99 });
const ruleOf: fc.Arbitrary<Rule> = fc.oneof(
  fc.tuple(area, number, fc.integer({ min: 0, max: 40 })).map(([of, low, length]) => {
    const high = Math.min(99, low + length);
    const has = (one: District) => one.area === of && low <= one.number && one.number <= high;
    return { text: `GB ${of}${low}-${of}${high}`, sizeAround: (one: District) => (has(one) ? high - low + 1 : 0) };
  }),
  // A beginning of one digit is a district, and ten others.
  fc.tuple(area, number).map(([of, begin]) => ({
    text: `GB ${of}${begin}*`,
    sizeAround: (one: District) => {
      if (one.area !== of) return 0;
      if (one.number === begin) return 1;
      return Math.floor(one.number / 10) === begin ? 10 : 0;
    },
  })),
  area.map(of => ({
    text: `GB ${of}*`,
    sizeAround: (one: District) => (one.area.startsWith(of) ? 99 * AREAS.filter(it => it.startsWith(of)).length : 0),
  })),
);

test('The narrowest of British ranges and beginnings is found, whether they lie within each other or apart', () => {
  let looked = 0;
  fc.assert(
    fc.property(fc.uniqueArray(ruleOf, { maxLength: 8, selector: ({ text }) => text }), rules => {
      const areas = rules.map(({ text }) => ({ postalCodes: [text] }));
      if (areaProblems(areas).length > 0) return;
      const table = areaTable(areas);
      for (const one of DISTRICTS) {
        const sizes = rules.map(({ sizeAround }) => sizeAround(one) || Number.POSITIVE_INFINITY);
        const least = Math.min(...sizes);
        const narrowest = Number.isFinite(least) ? sizes.indexOf(least) : -1;
        if (narrowest >= 0) looked++;
        const found = areaOf(table, findRule(table, at('GB', `${one.area}${one.number} 1AA`)));
        if (found !== narrowest) expect([one, rules, found]).toEqual([one, rules, narrowest]);
      }
    }),
    { numRuns: runs(300), seed: 9 },
  );
  expect(looked).toBeGreaterThan(runs(10_000));
});
