import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addWorkingDays } from '../../src/domain/common/working-days.rules.ts';
import { type Measured, quantilesOf, quantilesOfKept } from '../../src/domain/shipping/promise/calibration.rules.ts';
import { Distribution, type Group, KEPT_SHARES } from '../../src/domain/shipping/promise/distribution.rules.ts';
import { laneOf, provincesByBeginning, weightBand } from '../../src/domain/shipping/promise/lane.rules.ts';
import { type CellRow, PromiseTable } from '../../src/domain/shipping/promise/promise-table.rules.ts';
import { promisedFrom, promisedOf } from '../../src/domain/shipping/promise/promised-dates.rules.ts';
import { STATUS_CODES } from '../../src/domain/shipping/tracking/status.rules.ts';
import { workingDaysBetween } from '../support/working-days.ts';

describe('A destination', () => {
  test.each([
    ['IT', '20121', ['20121', 'MI', 'Lombardia', 'IT']],
    ['IT', '90139', ['90139', 'PA', 'Sicilia', 'IT']],
    // Beside others that begin alike.
    ['IT', '86100', ['86100', 'CB', 'Molise', 'IT']],
    ['IT', '86170', ['86170', 'IS', 'Molise', 'IT']],
    ['IT', 'x', ['X', undefined, undefined, 'IT']],
    ['DE', '10115', ['DE 10115', undefined, undefined, 'DE']],
    ['NL', '1012 ab', ['NL 1012AB', undefined, undefined, 'NL']],
  ])('is compared by its lane: %s %s: %j', (country, postalCode, wanted) => {
    expect(laneOf(country, postalCode)).toEqual(wanted);
  });

  test('is compared in SQL as in look-ups', () => {
    const { beginnings, provinces, regions } = provincesByBeginning();
    expect(beginnings.length).toBeGreaterThan(8_000);
    for (const [i, beginning] of beginnings.entries()) {
      expect(laneOf('IT', `${beginning}9`).slice(1, 3)).toEqual([provinces[i], regions[i]]);
    }
  });

  test.each([
    [null, 'no_weight'],
    [0, 'to3kg'],
    [3, 'to3kg'],
    [3.001, 'to10kg'],
    [10, 'to10kg'],
    [30, 'to30kg'],
    [30.5, 'over30kg'],
  ])('has a band of weight: %s kg: %s', (weight, band) => {
    expect(weightBand(weight)).toBe(band);
  });
});

/** Times of the kept shares up to 95 %: nothing comes between the three moments. */
const times = (earliest: number, expected: number, latest: number) =>
  KEPT_SHARES.filter(share => share <= 0.95).map(share =>
    share <= 0.05 ? earliest : share <= 0.8 ? expected : latest,
  );
const cell = (fields: Partial<CellRow> = {}): CellRow => ({
  carrierConnectionId: 1,
  level: 3,
  destination: 'IT',
  kind: 'any_weight',
  deliveries: 30,
  times: times(600, 1_500, 2_900),
  longest: 2_900,
  ...fields,
});
const MILANO = { countryCode: 'IT', postalCode: '20121' };

describe('A promise', () => {
  const computedAt = new Date('2026-11-20T01:30:00Z');
  const table = new PromiseTable(computedAt, [
    cell(),
    cell({ kind: 'out_for_delivery', times: times(30, 300, 1_500), deliveries: 50 }),
    cell({
      level: 2,
      destination: 'Lombardia',
      kind: 'out_for_delivery',
      deliveries: 40,
      times: times(30, 200, 1_500),
    }),
  ]);
  const scannedAt = new Date('2026-11-19T17:00:00Z');
  const shipment = {
    carrierConnectionId: 1,
    weight: '2.5',
    recipient: MILANO,
    firstScanAt: scannedAt.getTime(),
  };

  test('is kept from the first scan on while nothing more is known, and counts working days', () => {
    const statusAt = scannedAt.getTime() + 1;
    const promised = promisedOf(table, { ...shipment, statusCode: 'in_transit', statusAt }, statusAt);
    expect(promised).toEqual({
      earliest: addWorkingDays(scannedAt, 600 / 1440).getTime(),
      // From Thursday over Friday to the Monday after the weekend.
      date: new Date('2026-11-20T18:00:00Z').getTime(),
      latest: new Date('2026-11-23T17:20:00Z').getTime(),
      sampleSize: 30,
      updatedAt: computedAt.getTime(),
    });
  });

  test('comes from the newest event once this is more precise, by its region if the region has enough deliveries', () => {
    const statusAt = new Date('2026-11-20T07:00:00Z').getTime();
    const out = { ...shipment, statusCode: 'out_for_delivery', statusAt } as const;
    expect(promisedOf(table, out, statusAt)).toMatchObject({
      date: statusAt + 200 * 60_000,
      sampleSize: 40,
      updatedAt: statusAt,
    });
    const roma = { ...out, recipient: { countryCode: 'IT', postalCode: '00184' } };
    expect(promisedOf(table, roma, statusAt)).toMatchObject({ date: statusAt + 300 * 60_000, sampleSize: 50 });
  });

  test('is missing where there is no table, no scan, or no delivery to come', () => {
    const [statusAt, open] = [scannedAt.getTime(), { ...shipment, statusCode: 'shipped' as const }];
    expect(promisedOf(new PromiseTable(undefined, []), { ...open, statusAt }, statusAt)).toBeNull();
    expect(promisedOf(table, { ...open, statusAt, firstScanAt: null }, statusAt)).toBeNull();
    const none = STATUS_CODES.filter(
      statusCode => promisedOf(table, { ...shipment, statusCode, statusAt }, statusAt) === null,
    );
    expect(none).toEqual(['created', 'refused', 'delivered', 'returning', 'returned', 'lost', 'cancelled']);
  });

  test('is never in the past, whenever it is asked for and whatever was heard last', () => {
    const [minute, status] = [fc.integer({ min: 0, max: 30 * 1440 }), fc.constantFrom(...STATUS_CODES)];
    fc.assert(
      fc.property(minute, minute, status, (heard, later, statusCode) => {
        const statusAt = scannedAt.getTime() + heard * 60_000;
        const now = statusAt + later * 60_000;
        const promised = promisedOf(table, { ...shipment, statusCode, statusAt }, now);
        for (const moment of [promised?.earliest, promised?.date, promised?.latest]) {
          expect(moment ?? now).toBeGreaterThanOrEqual(now);
        }
      }),
    );
  });

  test.each([
    ['of its band in its postal code', '20121', 2, 'own band'],
    ['of any weight in its postal code, before its band farther away', '20121', 12, 'own'],
    ['without a weight: of any weight in its postal code', '20121', null, 'own'],
    ['to a place without deliveries: of its band in the province', '20129', 2, 'province band'],
    ['of another band: of any weight in the province', '20129', 12, 'province'],
    ['elsewhere: of the country', '00184', 12, 'country'],
    ['abroad: of no other country', 'FR 75001', 12, undefined],
  ])('comes from parcels %s', (_, to, weight, wanted) => {
    const groups = ['own band', 'own', 'province band', 'province', 'country band', 'country'];
    const places = ['20121', 'MI', 'IT'];
    const rows = groups.map((group, i) =>
      cell({
        level: [0, 1, 3][i >> 1] as number,
        destination: places[i >> 1] as string,
        deliveries: 100 + i,
        kind: group.endsWith('band') ? 'to3kg' : 'any_weight',
      }),
    );
    const [postalCode = '', countryCode = 'IT'] = to.split(' ').toReversed();
    const found = new PromiseTable(computedAt, rows).transit(1, laneOf(countryCode, postalCode), weight);
    expect(groups[(found?.stating.deliveries ?? Number.NaN) - 100]).toBe(wanted);
  });

  test('for a lane in whole days ends on no earlier day than its moment, whenever the parcel is scanned', () => {
    const minutes = fc.integer({ min: 1, max: 4_000 }).map(n => 5 * n);
    const second = fc.integer({ min: 0, max: 86_399 });
    fc.assert(
      fc.property(minutes, second, (expected, at) => {
        const one = new PromiseTable(computedAt, [cell({ times: times(5, expected, expected), longest: expected })]);
        // A Monday without a holiday in the weeks after it, and without a change of clocks.
        const scan = new Date(Date.parse('2027-01-10T23:00:00Z') + at * 1_000);
        const found = promisedFrom(one, { ...shipment, ...MILANO, weight: 1 }, scan.getTime());
        const midnight = Date.parse('2027-01-10T23:00:00Z');
        const daysAfter = Math.floor(workingDaysBetween(new Date(midnight), new Date(found?.date ?? 0)));
        expect(daysAfter).toBeLessThanOrEqual(found?.days ?? 0);
        expect(found?.days).toBe(Math.ceil(expected / 1440));
      }),
    );
  });
});

describe('The quantile that is used', () => {
  const counts = (promised: number, share: number) => ({ promised, kept: Math.round(promised * share) });
  const measured = (level: number, promised: number, kept: number): Measured => {
    const moment = { all: counts(promised, kept), recent: counts(promised / 10, kept) };
    return { carrierConnectionId: 1, level, moments: { earliest: moment, expected: moment, latest: moment } };
  };
  const expected = (own: readonly Measured[], level = 0, days = 90) =>
    quantilesOf([1], own, days).find(one => one.level === level)?.expected ?? Number.NaN;

  test('is the stated share where nothing was promised yet, at each level of each connection', () => {
    const all = quantilesOf([1, 2], [], 0);
    expect(all).toHaveLength(8);
    for (const one of all) expect(one).toMatchObject({ earliest: 0.05, expected: 0.8, latest: 0.95 });
  });

  test('is higher where too few promises were kept, and lower where too many, by a smaller step if there are few', () => {
    expect(expected([measured(0, 5_000, 0.78)])).toBeGreaterThan(0.86);
    expect(expected([measured(0, 5_000, 0.82)])).toBeLessThan(0.74);
    expect(expected([measured(0, 5_000, 0.78)], 0, 9)).toBeLessThan(0.82);
    expect(Math.abs(expected([measured(0, 20, 0.77)]) - 0.8)).toBeLessThan(expected([measured(0, 200, 0.77)]) - 0.8);
  });

  test('of a level without promises comes from its connection, and never from another one', () => {
    const [own] = [[measured(1, 5_000, 0.78)]];
    expect(expected(own, 0)).toBeCloseTo(expected([measured(0, 5_000, 0.78)], 3), 9);
    expect(quantilesOf([2], own, 90)).toEqual(quantilesOf([2], [], 90));
  });

  test('rises with every promise that is not kept, and stays within what deliveries allow', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000 }), share, share, (promised, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        const [high, low] = [less, more].map(kept => expected([measured(0, promised, kept)])) as [number, number];
        expect(high).toBeGreaterThanOrEqual(low - 1e-9);
        for (const quantile of [high, low]) expect(quantile >= 0.5 && quantile <= 0.95).toBe(true);
      }),
    );
  });
});

test('The quantiles of kept shares are the shares where nothing was moved, and never fall', () => {
  const unmoved = quantilesOfKept({ earliest: 0.05, expected: 0.8, latest: 0.95 });
  for (const [i, share] of KEPT_SHARES.entries()) expect(unmoved[i]).toBeCloseTo(share, 12);
  const between = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(between(0.002, 0.3), between(0.5, 0.95), between(0.7, 0.998), (earliest, expected, latest) => {
      const moved = quantilesOfKept({ earliest, expected, latest });
      expect(moved.toSorted((a, b) => a - b)).toEqual(moved);
      expect(moved[KEPT_SHARES.indexOf(0.8)]).toBeCloseTo(expected, 12);
    }),
  );
});

describe('A group of deliveries', () => {
  const group = (deliveries: number, minutes: number): Group => {
    // As many steps as deliveries, each of which takes as long as the one before and so many minutes more.
    const reached = KEPT_SHARES.filter(share => share <= deliveries / (deliveries + 1));
    const rank = (share: number) => Math.ceil((deliveries + 1) * share - 1e-9);
    return {
      level: 'POSTAL_CODE' as const,
      deliveries,
      longest: deliveries * minutes,
      times: reached.map(share => rank(share) * minutes),
    };
  };
  const left = (groups: readonly Group[], elapsed = 0) => Distribution.of(groups)?.after(elapsed);

  test('states what its own deliveries allow, and takes higher shares from the wider group', () => {
    // The eighth of nine deliveries is the 80 % one; the 95th of 99 is the 95 % one.
    expect(left([group(9, 100), group(99, 20)])).toEqual({ earliest: 100, expected: 800, latest: 1_900 });
  });

  test('takes no time that is earlier than its own longest delivery', () => {
    expect(left([group(9, 500), group(99, 20)])).toMatchObject({ expected: 4_000, latest: 4_500 });
  });

  test('states no latest time where no group reaches it, and no date where none reaches that', () => {
    const lossy = { ...group(40, 100), times: group(40, 100).times.slice(0, KEPT_SHARES.indexOf(0.9)) };
    expect(left([lossy])).toMatchObject({ latest: undefined });
    expect(left([{ ...lossy, times: lossy.times.slice(0, KEPT_SHARES.indexOf(0.8)) }])).toBeUndefined();
  });

  test('states nothing where the whole country has fewer than 30 deliveries', () => {
    expect(left([group(12, 100), group(29, 100)])).toBeUndefined();
    expect(left([group(12, 100), group(30, 100)])).toBeDefined();
  });

  test('states the remaining time of those that took longer, and nothing beyond the longest', () => {
    const hundred = [group(999, 10)];
    // Half of them are left after 5,000 minutes: 80 % of these have come by the 90 % time of all.
    expect(left(hundred, 5_000)).toEqual({ earliest: 5_250, expected: 9_000, latest: 9_750 });
    expect(left(hundred, 9_900)).toMatchObject({ expected: 9_980, latest: undefined });
    expect(left(hundred, 9_990)).toBeUndefined();
  });

  test('states times that are not past and do not fall', () => {
    const groups = fc
      .array(fc.record({ deliveries: fc.integer({ min: 9, max: 300 }), minutes: fc.integer({ min: 1, max: 200 }) }), {
        minLength: 1,
        maxLength: 4,
      })
      .map(all => all.map(({ deliveries, minutes }) => group(deliveries, 5 * minutes)));
    fc.assert(
      fc.property(groups, fc.integer({ min: 0, max: 100_000 }), (all, elapsed) => {
        const moments = left([...all, group(300, 100)], elapsed);
        if (moments === undefined) return;
        const { earliest, expected, latest = expected } = moments;
        expect([elapsed, earliest, expected, latest].toSorted((a, b) => a - b)).toEqual([
          elapsed,
          earliest,
          expected,
          latest,
        ]);
      }),
    );
  });
});
