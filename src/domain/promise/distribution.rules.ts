import type { DestinationLevel } from './lane.rules.ts';

/**
 * How long a parcel takes, by what the deliveries of its own area say, and by those of wider areas where they are too few.
 *
 * The time by which a share of n deliveries has come is that of rank ⌈(n + 1) · share⌉, as split conformal prediction has
 * it: the next parcel, if it is like those, comes within that time with at least this probability, and with at most
 * 1 / (n + 1) more. It needs no assumption about the times, holds for nine deliveries as for a thousand, and does not depend
 * on other areas. It says nothing of shares beyond n / (n + 1). These are taken from the next wider group, which cannot be
 * earlier than the longest delivery of the nearer one.
 */

/** What of the deliveries has come by each of the three moments of a promise. */
export const SHARES = { earliest: 0.05, expected: 0.8, latest: 0.95 } as const;
export type Moment = keyof typeof SHARES;
export const MOMENTS = Object.keys(SHARES) as readonly Moment[];

/** The shares whose times are kept. Between two of them a time is found by a straight line. */
export const KEPT_SHARES: readonly number[] = [
  ...Array.from({ length: 18 }, (_, i) => (i + 1) / 20),
  ...[0.925, 0.95, 0.96, 0.97, 0.98, 0.985, 0.99, 0.995, 0.998],
];
const EXPECTED = KEPT_SHARES.indexOf(SHARES.expected);

/**
 * With fewer deliveries the wider group is asked. Of nine, the eighth states the 80 % date. Of fewer it would be the longest
 * or nearly so, which one late parcel moves by days.
 */
export const MIN_DELIVERIES = 9;
/** With fewer parcels as heavy, all parcels to the place are asked: they say more of it than a few of the same weight. */
export const MIN_AS_HEAVY = 30;
/** Below so many to the whole country nothing is promised: there is nothing to borrow from. */
export const MIN_IN_COUNTRY = 30;
/** Minutes. Times are counted in these steps: with fewer of them there are fewer rows to sort. */
export const STEP = 5;

/** Deliveries that are compared with each other. Times are minutes of working days. */
export interface Group {
  readonly level: DestinationLevel;
  readonly deliveries: number;
  /** By `KEPT_SHARES`, as far as the deliveries reach. */
  readonly times: readonly number[];
  readonly longest: number;
}

/** In minutes from the event that a distribution counts from. */
export interface Moments {
  readonly earliest: number;
  readonly expected: number;
  /** Undefined where no group has enough deliveries to say it. */
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

  /** The 80 % time of all of them. */
  get usual(): number {
    return this.#timeAt(EXPECTED) ?? 0;
  }

  /**
   * What remains for a parcel that has been under way for so long and is not delivered: 5, 80 and 95 of 100 of those that
   * took longer came within these times. Undefined where the deliveries do not reach so far.
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

  /** The share that is delivered within a time; undefined where that is beyond what is known. */
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

  /** The time of a kept share: by the nearest group that has it, and not before the longest delivery of those that do not. */
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
