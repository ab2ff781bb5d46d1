import { beforeAll, describe, expect, test } from 'vitest';
import { coverage, PARTS, type Prediction, pinballLoss, replay } from '../support/backtest.ts';
import { withClient } from '../support/databases.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { type Simulation, simulate } from '../support/simulated-carriers.ts';
import { useWorld } from '../support/world.ts';

/**
 * Weeks of three invented carriers, the last of which are predicted day by day: what `npm run bench -- promise`
 * measures over half a year, small enough to be run with every change, and as true each time.
 */

const SIMULATION: Simulation = {
  seed: 11,
  from: '2025-08-18',
  days: 90,
  parcelsPerDay: 80,
  provinces: 4,
  drift: ['2025-09-15', '2025-12-31'],
  strike: ['2025-10-02', '2025-10-02'],
  peak: ['2025-10-08', '2025-10-12'],
};

const world = useWorld();
let predictions: readonly Prediction[] = [];

beforeAll(async () => {
  const caller = await world.company();
  const connections: number[] = [];
  for (const label of ['first', 'second', 'third']) connections.push(await connectCarrier(caller, 'BRT', label));
  const options = {
    database: world.app.database,
    databaseUrl: world.ownerUrl,
    companyId: caller.companyId,
    connections,
  };
  predictions = await replay(simulate(SIMULATION), {
    ...options,
    from: new Date('2025-09-22T01:30:00Z'),
    until: new Date('2025-10-31T01:30:00Z'),
    onNight: async night => {
      const late = await withClient(world.ownerUrl, client =>
        client.query('select count(*)::integer as count from tracking_event where occurred_at > $1', [night]),
      );
      // Nothing of the day that is predicted is there when its table is made.
      expect(late.rows).toEqual([{ count: 0 }]);
    },
  });
}, 120_000);

describe('Over a drift, a strike and a peak season', () => {
  test.each([
    ['date', 80, 3],
    ['latest', 95, 2],
    ['earliest', 5, 2],
  ] as const)('the moment "%s" holds for %s of 100 parcels, within %s', (moment, stated, within) => {
    const scanned = PARTS.scanned(predictions);
    expect(scanned.length).toBeGreaterThan(1_500);
    expect(Math.abs(coverage(scanned, moment) - stated)).toBeLessThan(within);
  });

  test.each([
    ['scanned', ['POSTAL_CODE', 'PROVINCE']],
    ['withoutWeight', ['PROVINCE']],
    ['toSparseAreas', ['POSTAL_CODE', 'PROVINCE']],
  ] as const)('the moments hold at every level that has 200 parcels or more: %s', (part, levels) => {
    const byLevel = Map.groupBy(PARTS[part](predictions), ({ level }) => level);
    const measured = [...byLevel].filter(([, own]) => own.length >= 200);
    expect(measured.map(([level]) => level).toSorted()).toEqual(levels);
    for (const [, own] of measured) {
      // A tolerance for chance among so few parcels, and for the part that a month does not correct.
      const within = (share: number) => 300 * Math.sqrt((share * (1 - share)) / own.length) + 2;
      expect(Math.abs(coverage(own, 'date') - 80)).toBeLessThan(within(0.8));
      expect(Math.abs(coverage(own, 'latest') - 95)).toBeLessThan(within(0.95));
    }
  });

  test('no date is in the past when it is requested, and dates hold for silent parcels too', () => {
    for (const { askedAt, promised } of predictions) expect(promised.date).toBeGreaterThanOrEqual(askedAt.getTime());
    const silent = PARTS.silent(predictions);
    expect(silent.length).toBeGreaterThan(500);
    // More than over half a year: in this month parcels become slower from week to week.
    expect(Math.abs(coverage(silent, 'date') - 80)).toBeLessThan(10);
    expect(Math.abs(coverage(silent, 'latest') - 95)).toBeLessThan(6);
  });

  test('the remaining time after a later event holds as well', () => {
    const brought = predictions.filter(({ statusCode }) => statusCode === 'out_for_delivery');
    expect(Math.abs(coverage(brought, 'date') - 80)).toBeLessThan(5);
    expect(Math.abs(coverage(brought, 'latest') - 95)).toBeLessThan(4);
  });

  test('the 80 % date is closer to the actual delivery than the days of the tariff', () => {
    const scanned = PARTS.scanned(predictions);
    const ours = pinballLoss(scanned, ({ promised }) => new Date(promised.date));
    expect(ours).toBeLessThan(pinballLoss(scanned, ({ tariffDate }) => tariffDate));
  });
});
