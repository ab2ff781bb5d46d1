import { KEPT_SHARES, MOMENTS, type Moment, SHARES } from './distribution.rules.ts';
import { DESTINATION_LEVELS } from './lane.rules.ts';

/**
 * Keeps the stated shares true while carriers change. A quantile of past deliveries is right only if the next ones are like
 * them; in a strike or a peak season they are not. So each night the quantile that is taken is moved by how far what was
 * promised before has been kept (adaptive conformal inference, Gibbs and Candès 2021): by the last three months, so that
 * their whole comes out as stated, and by the last days, so that a change is answered soon. It is calculated anew from
 * what is stored, so a night that is missed does no harm.
 */

/** Promises whose moment has passed, and those of them that were kept. */
export interface Kept {
  readonly promised: number;
  readonly kept: number;
}

/** What came of the promises of one connection at one level. */
export interface Measured {
  readonly carrierCompanyId: number;
  readonly level: number;
  /** Of the last 90 days, and of the last days alone. */
  readonly moments: Readonly<Record<Moment, { readonly all: Kept; readonly recent: Kept }>>;
}

/** Quantiles to be taken. */
export interface Quantiles extends Readonly<Record<Moment, number>> {
  readonly carrierCompanyId: number;
  readonly level: number;
}

/** How much of what is lacking over three months, and over the last days, the quantile is moved by. */
const GAIN = 5;
const RECENT_GAIN = 0.4;
/** Over fewer days than that less is lacking, and what is measured of it is uncertain. */
const DAYS = 90;
/** So many promises as stated are counted to those of a connection, and so many of the connection to those of a level. */
const PRIOR = 100;
/** A quantile that went further would keep its share by dates that nobody can use. */
const BOUNDS: Readonly<Record<Moment, readonly [least: number, most: number]>> = {
  earliest: [0.002, 0.3],
  expected: [0.5, 0.95],
  latest: [0.7, 0.998],
};

/**
 * For each of the connections, at each level, whether or not anything was measured of it.
 *
 * @param days for how long promises have been made
 */
export function quantilesOf(connections: readonly number[], measured: readonly Measured[], days: number): Quantiles[] {
  const gain = GAIN * Math.min(1, days / DAYS);
  const byConnection = Map.groupBy(measured, ({ carrierCompanyId }) => carrierCompanyId);
  return connections.flatMap(carrierCompanyId => {
    const own = byConnection.get(carrierCompanyId) ?? [];
    return DESTINATION_LEVELS.map((_, level): Quantiles => {
      const quantile = (moment: Moment) =>
        quantileOf(
          moment,
          own,
          own.find(one => one.level === level),
          gain,
        );
      const entries = MOMENTS.map(moment => [moment, quantile(moment)] as const);
      return { carrierCompanyId, level, ...(Object.fromEntries(entries) as Record<Moment, number>) };
    });
  });
}

function quantileOf(moment: Moment, own: readonly Measured[], at: Measured | undefined, gain: number): number {
  const share = SHARES[moment];
  const lack = (period: 'all' | 'recent') => {
    const kept = own.map(({ moments }) => moments[moment][period]);
    const sum = (field: keyof Kept) => kept.reduce((total, one) => total + one[field], 0);
    const ofConnection = towards(share, { promised: sum('promised'), kept: sum('kept') });
    return share - (at === undefined ? ofConnection : towards(ofConnection, at.moments[moment][period]));
  };
  const [least, most] = BOUNDS[moment];
  return Math.min(most, Math.max(least, share + gain * lack('all') + RECENT_GAIN * lack('recent')));
}

/** The share that was kept; where there is little to go by, near to what is expected. */
function towards(expected: number, { promised, kept }: Kept): number {
  return (kept + PRIOR * expected) / (promised + PRIOR);
}

/** The quantiles to be taken for `KEPT_SHARES`: between the three that are measured, on straight lines. They never fall. */
export function quantilesOfKept({ earliest, expected, latest }: Readonly<Record<Moment, number>>): number[] {
  const corners = [
    [0, 0],
    [SHARES.earliest, earliest],
    [SHARES.expected, expected],
    [SHARES.latest, Math.max(expected, latest)],
    [1, 1],
  ] as const;
  return KEPT_SHARES.map(share => {
    const place = corners.findIndex(([stated]) => share <= stated);
    const [[less, from], [more, to]] = corners.slice(place - 1, place + 1) as [Corner, Corner];
    return to - ((to - from) * (more - share)) / (more - less);
  });
}

type Corner = readonly [share: number, quantile: number];
