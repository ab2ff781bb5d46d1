import { KEPT_SHARES, MOMENTS, type Moment, SHARES } from './distribution.rules.ts';
import { DESTINATION_LEVELS } from './lane.rules.ts';

/**
 * Keeps the stated shares true while carriers change. A quantile of past deliveries is right only if future ones are
 * like them, which a strike or a peak season prevents. So each night the quantile is moved by how well earlier promises
 * were kept (adaptive conformal inference, Gibbs and Candès 2021): promises of the last three months, so that the whole
 * period has the stated share, and promises of the last days, so that changes are followed soon. It is calculated from
 * stored data each time, so a missed night is harmless.
 */

/** Promises that are due, and how many of them were kept. */
interface Kept {
  readonly promised: number;
  readonly kept: number;
}

/** The kept promises of one connection at one level. */
export interface Measured {
  readonly carrierConnectionId: number;
  readonly level: number;
  /** Over the last 90 days, and over the last days. */
  readonly moments: Readonly<Record<Moment, { readonly all: Kept; readonly recent: Kept }>>;
}

export interface Quantiles extends Readonly<Record<Moment, number>> {
  readonly carrierConnectionId: number;
  readonly level: number;
}

/** How much the quantile is moved for a deviation over three months, and over the last days. */
const GAIN = 5;
const RECENT_GAIN = 0.4;
/** Over fewer days the correction is smaller, because the measurement is uncertain. */
const DAYS = 90;
/** A prior of kept promises for a connection, and one of the connection for a level. */
const PRIOR = 100;
/** Beyond these bounds the dates would be useless, though the share would be kept. */
const BOUNDS: Readonly<Record<Moment, readonly [least: number, most: number]>> = {
  earliest: [0.002, 0.3],
  expected: [0.5, 0.95],
  latest: [0.7, 0.998],
};

/**
 * For each connection and level, even without measurements.
 *
 * @param days for how long promises have been made
 */
export function quantilesOf(connections: readonly number[], measured: readonly Measured[], days: number): Quantiles[] {
  const gain = GAIN * Math.min(1, days / DAYS);
  const byConnection = Map.groupBy(measured, ({ carrierConnectionId }) => carrierConnectionId);
  return connections.flatMap(carrierConnectionId => {
    const own = byConnection.get(carrierConnectionId) ?? [];
    return DESTINATION_LEVELS.map((_, level): Quantiles => {
      const quantile = (moment: Moment) =>
        quantileOf(
          moment,
          own,
          own.find(one => one.level === level),
          gain,
        );
      const entries = MOMENTS.map(moment => [moment, quantile(moment)] as const);
      return { carrierConnectionId, level, ...(Object.fromEntries(entries) as Record<Moment, number>) };
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

/** The kept share; with few promises, close to the expected share. */
function towards(expected: number, { promised, kept }: Kept): number {
  return (kept + PRIOR * expected) / (promised + PRIOR);
}

/** The quantiles for `KEPT_SHARES`: linear between the three measured ones, and never decreasing. */
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
