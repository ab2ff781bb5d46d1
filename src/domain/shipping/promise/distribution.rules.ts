import type { DestinationLevel } from './lane.rules.ts';

/**
 * The transit time of a parcel, from deliveries of its own area, and from wider areas if they are too few.
 *
 * The time within which a share of n deliveries has arrived is the time of rank ⌈(n + 1) · share⌉, as in split
 * conformal prediction: the next parcel, if it is like them, arrives within that time with at least this probability,
 * and with at most 1 / (n + 1) more. It needs no assumption about the times, holds for nine deliveries as for a
 * thousand, and does not depend on other areas. It is undefined for shares above n / (n + 1). These come from the next
 * wider group, which cannot be earlier than the longest delivery of the nearer one.
 */

/** The share of deliveries that has arrived by each of the three moments of a promise. */
export const SHARES = { earliest: 0.05, expected: 0.8, latest: 0.95 } as const;
export type Moment = keyof typeof SHARES;
export const MOMENTS = Object.keys(SHARES) as readonly Moment[];

/** The shares whose times are stored. Times between them are interpolated linearly. */
export const KEPT_SHARES: readonly number[] = [
  ...Array.from({ length: 18 }, (_, i) => (i + 1) / 20),
  ...[0.925, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998],
];
const EXPECTED = KEPT_SHARES.indexOf(SHARES.expected);

/**
 * With fewer deliveries the wider group is used. The eighth of nine states the 80 % date; with fewer it would be close
 * to the longest, which one late parcel moves by days.
 */
export const MIN_DELIVERIES = 9;
/** With fewer parcels of similar weight, all parcels to the place are used: they tell more than a few of one weight. */
export const MIN_AS_HEAVY = 30;
/** With fewer deliveries to the whole country there is no promise, because no wider group exists. */
const MIN_IN_COUNTRY = 30;
/** Minutes. Times are rounded to these steps, so that fewer rows are sorted. */
export const STEP = 5;

/** Comparable deliveries. Times are minutes of working days. */
export interface Group {
  readonly level: DestinationLevel;
  readonly deliveries: number;
  /** Times by `KEPT_SHARES`, as far as the deliveries reach. */
  readonly times: readonly number[];
  readonly longest: number;
}

/** Minutes from the event at which a distribution starts. */
export interface Moments {
  readonly earliest: number;
  readonly expected: number;
  /** Undefined if no group has enough deliveries. */
  readonly latest: number | undefined;
}

export class Distribution {
  readonly #groups: readonly Group[];
  /** The group that states the 80 % date. */
  readonly stating: Group;

  private constructor(groups: readonly Group[], stating: Group) {
    this.#groups = groups;
    this.stating = stating;
  }

  /** @param groups from the nearest to the widest, each a part of the deliveries of the country */
  static of(groups: readonly Group[]): Distribution | undefined {
    const stating = groups.find(({ times }) => EXPECTED < times.length);
    const widest = groups.at(-1);
    return stating && widest && widest.deliveries >= MIN_IN_COUNTRY ? new Distribution(groups, stating) : undefined;
  }

  /** The 80 % time of all deliveries. */
  get usual(): number {
    return this.#timeAt(EXPECTED) ?? 0;
  }

  /**
   * The remaining time of a parcel that has been under way for this long: 5, 80 and 95 of 100 parcels that took longer
   * arrived within these times. Undefined if the deliveries do not reach so far.
   */
  after(elapsed: number): Moments | undefined {
    const passed = Math.ceil(elapsed / STEP) * STEP;
    const gone = this.#shareWithin(passed);
    if (gone === undefined) return undefined;
    const at = (share: number) => this.#timeOf(1 - (1 - share) * (1 - gone));
    const [earliest, expected] = [at(SHARES.earliest), at(SHARES.expected)];
    return earliest === undefined || expected === undefined
      ? undefined
      : { earliest, expected, latest: at(SHARES.latest) };
  }

  /** The share that is delivered within a time; undefined beyond the known times. */
  #shareWithin(minutes: number): number | undefined {
    let place = -1;
    for (let time = this.#timeAt(0); time !== undefined && time <= minutes; time = this.#timeAt(place + 1)) place++;
    if (place < 0) return 0;
    const [from, to] = [this.#timeAt(place), this.#timeAt(place + 1)];
    if (from === undefined || to === undefined) return undefined;
    const [less, more] = [KEPT_SHARES[place] as number, KEPT_SHARES[place + 1] as number];
    return less + ((more - less) * (minutes - from)) / (to - from);
  }

  #timeOf(share: number): number | undefined {
    const place = KEPT_SHARES.findIndex(kept => kept >= share - 1e-9);
    const to = this.#timeAt(place);
    const more = KEPT_SHARES[place];
    if (to === undefined || more === undefined || place === 0 || more - share < 1e-9) return to;
    const [from, less] = [this.#timeAt(place - 1) as number, KEPT_SHARES[place - 1] as number];
    return Math.ceil((from + ((to - from) * (share - less)) / (more - less)) / STEP) * STEP;
  }

  /** The time of a stored share: by the nearest group with it, and not before the longest delivery of nearer ones. */
  #timeAt(place: number): number | undefined {
    let atLeast = 0;
    for (const { times, longest } of this.#groups) {
      const time = times[place];
      if (time !== undefined) return Math.max(atLeast, time);
      atLeast = Math.max(atLeast, longest);
    }
    return undefined;
  }
}
