import type { TrackingFinding } from '../carriers/carrier.port.ts';
import { jittered } from '../common/jitter.rules.ts';
import type { TERMINAL_STATUSES } from '../tracking/events.rules.ts';
import type { StatusCode } from '../tracking/status.rules.ts';

/**
 * How often a carrier is asked about a shipment, as data with its reasons, and what comes of asking.
 */

/** What came of asking a carrier about a shipment. */
export const ASK_OUTCOMES = ['answered', 'not_found', 'not_asked', 'unavailable', 'unreadable', 'refused'] as const;
export type AskOutcome = (typeof ASK_OUTCOMES)[number];

/** Those by which the carrier has said what it knows. */
export const ANSWERS = ['answered', 'not_found'] as const satisfies readonly AskOutcome[];

export function outcomeOf(kind: TrackingFinding['kind']): AskOutcome {
  return kind === 'events' ? 'answered' : kind;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A shipment is polled for as many days; one that is still open then will not move any more. */
export const POLLED_DAYS = 60;

type OpenStatus = Exclude<StatusCode, (typeof TERMINAL_STATUSES)[number]>;

/** How often a carrier is asked about a shipment, by what it last said of it. */
const EVERY_MS: Readonly<Record<OpenStatus, number>> = {
  // Picked up by the evening; after two days it mostly waits for its sender.
  created: 1 * HOUR_MS,
  shipped: 2 * HOUR_MS,
  in_transit: 2 * HOUR_MS,
  // The next scan is the courier's, in the morning.
  at_depot: 1 * HOUR_MS,
  customs: 2 * HOUR_MS,
  // Somebody waits at the door.
  out_for_delivery: 10 * MINUTE_MS,
  delayed: 1 * HOUR_MS,
  // Tried again within a day, or left at a pickup point.
  delivery_failed: 1 * HOUR_MS,
  // Somebody has to decide.
  held: 2 * HOUR_MS,
  refused: 2 * HOUR_MS,
  // Its recipient has days to come for it.
  pickup_point: 3 * HOUR_MS,
  // Days on the road, and nobody waits for it.
  returning: 6 * HOUR_MS,
  unknown: 2 * HOUR_MS,
};

/** A shipment that is older is seldom heard of; the last row that fits counts. */
const AGES: readonly { readonly afterMs: number; readonly status?: OpenStatus; readonly everyMs: number }[] = [
  { afterMs: 2 * DAY_MS, status: 'created', everyMs: 6 * HOUR_MS },
  { afterMs: 14 * DAY_MS, everyMs: DAY_MS },
];

/**
 * Of an account with more shipments than its pace allows, those whose next scan somebody waits for keep their intervals.
 * All others are lengthened by one factor, so that the account is asked as much as it may be, and no interval beyond a day
 * by that: of one that is asked less often a delivery would be seen the day after.
 */
const KEPT_SHORT: ReadonlySet<OpenStatus> = new Set(['out_for_delivery']);
const LONGEST_STRETCHED_MS = DAY_MS;
/** What polls use of a pace. The rest is for the gaps between two jobs, for repeated requests and for callers who have a carrier asked. */
const SHARE_OF_PACE = 0.9;

/** Due with the jobs of the next minute, so that a demonstration moves while one looks at it. */
const SANDBOX_MS = 45_000;

/** After answers that were none: doubled with each in a row, from the first to the longest. */
const PATIENCE = {
  // A carrier that is down is back in minutes or in hours.
  unavailable: { firstMs: 5 * MINUTE_MS, longestMs: 6 * HOUR_MS },
  unreadable: { firstMs: 5 * MINUTE_MS, longestMs: 6 * HOUR_MS },
  // Wrong credentials stay wrong until someone changes them, and carriers lock accounts that try too often.
  refused: { firstMs: 1 * HOUR_MS, longestMs: 12 * HOUR_MS },
} as const;

/** A shipment that its carrier was asked about, with what came of it. */
export interface Polled {
  /** After what the carrier said was recorded. */
  readonly statusCode: StatusCode;
  readonly ageMs: number;
  readonly isSandbox: boolean;
  /** By how much the account's load lengthens intervals (`stretchOf`); 1 for not at all. */
  readonly stretch: number;
  /** Null where there was an answer, "no such shipment" too. */
  readonly noAnswer: keyof typeof PATIENCE | 'not_asked' | null;
  /** Answers in a row that were none, this one included; a carrier that was not asked counts for nothing. */
  readonly misses: number;
  /** What the carrier asked for in `Retry-After`; of one that was not asked, in what time it can be. */
  readonly askedMs: number | undefined;
}

/** When the carrier is asked next, in milliseconds from now; null where it is not asked any more. */
export function nextPollMs(polled: Polled, random: number): number | null {
  const { statusCode, ageMs, isSandbox, stretch, noAnswer, misses, askedMs = 0 } = polled;
  if (!isOpen(statusCode) || ageMs >= POLLED_DAYS * DAY_MS) return null;
  // Not spread, since it would come too soon for some. The jobs of a connection take turns anyway.
  if (noAnswer === 'not_asked') return askedMs;
  if (noAnswer !== null) {
    const { firstMs, longestMs } = PATIENCE[noAnswer];
    return Math.max(jittered(Math.min(firstMs * 2 ** (misses - 1), longestMs), random), askedMs);
  }
  return jittered(isSandbox ? SANDBOX_MS : stretched(statusCode, everyMs(statusCode, ageMs), stretch), random);
}

function everyMs(status: OpenStatus, ageMs: number): number {
  const old = AGES.findLast(age => ageMs >= age.afterMs && (age.status ?? status) === status);
  return old?.everyMs ?? EVERY_MS[status];
}

function stretched(status: OpenStatus, ms: number, stretch: number): number {
  return KEPT_SHORT.has(status) ? ms : Math.max(ms, Math.min(ms * stretch, LONGEST_STRETCHED_MS));
}

/** The ages from which another interval may hold. */
export const AGE_BOUNDS_MS: readonly number[] = [...new Set(AGES.map(({ afterMs }) => afterMs))].toSorted(
  (a, b) => a - b,
);

/** How many shipments of an account have a status, and are of an age: as many of the bounds lie behind them. */
export interface LoadShare {
  readonly statusCode: StatusCode;
  readonly boundsPassed: number;
  readonly count: number;
}

/**
 * By what factor the intervals of an account are lengthened, so that its carrier is asked no more than it allows.
 *
 * @param numbersPerMinute what the carrier lets one account ask
 * @returns 1 where nothing need be lengthened; infinity where those that keep their intervals take all
 */
export function stretchOf(load: readonly LoadShare[], numbersPerMinute: number): number {
  let kept = 0;
  let others = 0;
  for (const { statusCode, boundsPassed, count } of load) {
    if (!isOpen(statusCode)) continue;
    const perMinute = (count * MINUTE_MS) / everyMs(statusCode, AGE_BOUNDS_MS[boundsPassed - 1] ?? 0);
    if (KEPT_SHORT.has(statusCode)) kept += perMinute;
    else others += perMinute;
  }
  const left = numbersPerMinute * SHARE_OF_PACE - kept;
  if (others <= left) return 1;
  return left <= 0 ? Number.POSITIVE_INFINITY : others / left;
}

/** Whether more is expected of a shipment. */
export function isOpen(status: StatusCode): status is OpenStatus {
  return status in EVERY_MS;
}
