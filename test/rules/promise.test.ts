import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Measured, quantilesOf } from '../../src/domain/promise/calibration.rules.ts';
import { type TransitTimes, withCoarser } from '../../src/domain/promise/coarser.rules.ts';
import { laneOf, provincesByBeginning, weightBand } from '../../src/domain/promise/lane.rules.ts';
import { type CellRow, PromiseTable } from '../../src/domain/promise/promise-table.rules.ts';
import { promisedFrom, promisedOf } from '../../src/domain/promise/promised-dates.rules.ts';
import { STATUS_CODES } from '../../src/domain/tracking/status.rules.ts';
import { addWorkingDays, workingDaysBetween } from '../../src/domain/working-days.rules.ts';

describe('A destination is compared as', () => {
  test.each([
    ['IT', '20121', ['20121', 'MI', 'Lombardia', '']],
    ['IT', '90139', ['90139', 'PA', 'Sicilia', '']],
    // Beside others that begin alike.
    ['IT', '86100', ['86100', 'CB', 'Molise', '']],
    ['IT', '86170', ['86170', 'IS', 'Molise', '']],
    ['IT', 'x', ['X', undefined, undefined, '']],
    ['DE', '10115', ['DE 10115', undefined, 'DE', '']],
    ['NL', '1012 ab', ['NL 1012AB', undefined, 'NL', '']],
  ])('%s %s: %j', (country, postalCode, wanted) => {
    expect(laneOf(country, postalCode)).toEqual(wanted);
  });

  test('in SQL as in look-ups', () => {
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
  ])('%s kg: %s', (weight, band) => {
    expect(weightBand(weight)).toBe(band);
  });
});

const cell = (fields: Partial<CellRow> = {}): CellRow => ({
  ...{ carrierCompanyId: 1, level: 3, destination: '', kind: 'any_weight', deliveries: 30 },
  ...{ earliest: 600, expected: 1_500, latest: 2_900 },
  ...fields,
});
const MILANO = { countryCode: 'IT', postalCode: '20121' };

describe('A promise', () => {
  const computedAt = new Date('2026-11-20T01:30:00Z');
  const table = new PromiseTable(computedAt, [
    cell(),
    cell({ kind: 'out_for_delivery', earliest: 30, expected: 300, latest: 1_500, deliveries: 50 }),
    cell({ level: 2, destination: 'Lombardia', kind: 'out_for_delivery', expected: 200, deliveries: 40 }),
  ]);
  const scannedAt = new Date('2026-11-19T17:00:00Z');
  const shipment = {
    ...{ carrierCompanyId: 1, weight: '2.5', recipient: MILANO },
    firstScanAt: scannedAt.getTime(),
  };

  test('is kept from the first scan on while nothing more is learnt, and is of working days', () => {
    const promised = promisedOf(table, { ...shipment, statusCode: 'in_transit', statusAt: scannedAt.getTime() + 1 });
    expect(promised).toEqual({
      earliest: addWorkingDays(scannedAt, 600 / 1440).getTime(),
      // From Thursday over Friday to the Monday after the weekend.
      date: new Date('2026-11-20T18:00:00Z').getTime(),
      latest: new Date('2026-11-23T17:20:00Z').getTime(),
      sampleSize: 30,
      updatedAt: computedAt.getTime(),
    });
  });

  test('is that of the newest event once it says more, of its region where that has enough', () => {
    const statusAt = new Date('2026-11-20T07:00:00Z').getTime();
    const out = { ...shipment, statusCode: 'out_for_delivery', statusAt } as const;
    expect(promisedOf(table, out)).toMatchObject({
      date: statusAt + 200 * 60_000,
      sampleSize: 40,
      updatedAt: statusAt,
    });
    const roma = { ...out, recipient: { countryCode: 'IT', postalCode: '00184' } };
    expect(promisedOf(table, roma)).toMatchObject({ date: statusAt + 300 * 60_000, sampleSize: 50 });
  });

  test('is none where there is no table, no scan, or no delivery to come', () => {
    const [statusAt, open] = [scannedAt.getTime(), { ...shipment, statusCode: 'shipped' as const }];
    expect(promisedOf(new PromiseTable(undefined, []), { ...open, statusAt })).toBeNull();
    expect(promisedOf(table, { ...open, statusAt, firstScanAt: null })).toBeNull();
    const none = STATUS_CODES.filter(statusCode => promisedOf(table, { ...shipment, statusCode, statusAt }) === null);
    expect(none).toEqual(['created', 'refused', 'delivered', 'returning', 'returned', 'lost', 'cancelled']);
  });

  test('of a lane in whole days ends on no earlier day than its moment, whenever the parcel is scanned', () => {
    const minutes = fc.integer({ min: 1, max: 20_000 });
    const second = fc.integer({ min: 0, max: 86_399 });
    fc.assert(
      fc.property(minutes, second, (expected, at) => {
        const one = new PromiseTable(computedAt, [cell({ expected })]);
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

describe('The quantile that is taken', () => {
  const counts = (promised: number, share: number) => ({ promised, kept: Math.round(promised * share) });
  const measured = (level: number, promised: number, kept: number): Measured => {
    const moment = { all: counts(promised, kept), recent: counts(promised / 10, kept) };
    return { carrierCompanyId: 1, level, moments: { earliest: moment, expected: moment, latest: moment } };
  };
  const expected = (own: readonly Measured[], level = 0, days = 90) =>
    quantilesOf([1], own, days).find(one => one.level === level)?.expected ?? Number.NaN;

  test('is the stated share where nothing was promised yet, at each level of each connection', () => {
    const all = quantilesOf([1, 2], [], 0);
    expect(all).toHaveLength(8);
    for (const one of all) expect(one).toMatchObject({ earliest: 0.05, expected: 0.8, latest: 0.95 });
  });

  test('is higher where too little was kept, and lower where too much; by less the less there is to go by', () => {
    expect(expected([measured(0, 5_000, 0.78)])).toBeGreaterThan(0.86);
    expect(expected([measured(0, 5_000, 0.82)])).toBeLessThan(0.74);
    expect(expected([measured(0, 5_000, 0.78)], 0, 9)).toBeLessThan(0.82);
    expect(Math.abs(expected([measured(0, 20, 0.77)]) - 0.8)).toBeLessThan(expected([measured(0, 200, 0.77)]) - 0.8);
  });

  test('of a level without promises of its own is that of its connection, and never that of another one', () => {
    const [own] = [[measured(1, 5_000, 0.78)]];
    expect(expected(own, 0)).toBeCloseTo(expected([measured(0, 5_000, 0.78)], 3), 9);
    expect(quantilesOf([2], own, 90)).toEqual(quantilesOf([2], [], 90));
  });

  test('rises with every promise that is not kept, and stays within what deliveries can say', () => {
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

describe('A quantile that a group is too small for', () => {
  const times = (fields: Partial<TransitTimes>): TransitTimes => ({
    ...cell({ kind: 'to3kg' }),
    ...{ latest: null, longest: 2_000 },
    ...fields,
  });
  test.each([
    ['20121', 0, 4_000, 'of a postal code is that of its province'],
    ['RM', 1, 6_000, 'of a province is that of the next group there is'],
    ['DE 10115', 0, 5_000, 'abroad is that of the country'],
    ['Sicilia', 2, 6_000, 'of a region is that of the connection'],
  ])('%s: %s', (destination, level, wanted) => {
    const rows = [
      times({ level, destination }),
      times({ level: 1, destination: 'MI', latest: 4_000 }),
      times({ level: 2, destination: 'DE', latest: 5_000 }),
      times({ level: 3, destination: '', latest: 6_000 }),
      times({ level: 3, destination: '', latest: 9_000, carrierCompanyId: 2 }),
    ];
    expect(withCoarser(rows).find(row => row.destination === destination)?.latest).toBe(wanted);
  });

  test('is at least its own longest delivery', () => {
    const rows = [times({ level: 0, destination: '20121', longest: 7_000 }), times({ latest: 6_000 })];
    expect(withCoarser(rows).map(({ latest }) => latest)).toEqual([6_000, 7_000]);
  });
});
