import { jittered } from '../../common/jitter.rules.ts';
import type { TrackingFinding } from '../carriers/carrier.port.ts';
import type { OpenStatus } from '../tracking/events.rules.ts';
import type { StatusCode } from '../tracking/status.rules.ts';

/** How often a carrier is asked about a shipment, as data with reasons, and the outcomes of a question. */

/** The outcomes of a question to a carrier. */
const ASK_OUTCOMES = [
  'answered',
  'not_found',
  'not_asked',
  'unavailable',
  'unreadable',
  'rejected',
  'refused',
] as const;
export type AskOutcome = (typeof ASK_OUTCOMES)[number];

/** Outcomes with a response of the carrier. */
export const ANSWERS = ['answered', 'not_found'] as const satisfies readonly AskOutcome[];

export function outcomeOf(kind: TrackingFinding['kind']): AskOutcome {
  return kind === 'events' ? 'answered' : kind;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A shipment is polled for this many days; after that it hardly moves. */
export const POLLED_DAYS = 60;

/** A returned shipment is polled for this many days more: the return may be a mistake, and the parcel goes out again. */
export const POLLED_DAYS_AFTER_RETURN = 7;

/** Statuses that are polled: a lost parcel is sometimes found. */
type PolledStatus = OpenStatus | 'lost' | 'returned';

/** The interval between questions about a shipment, by its status. */
const EVERY_MS: Readonly<Record<PolledStatus, number>> = {
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
  lost: 6 * HOUR_MS,
  returned: DAY_MS,
};

/** Nobody watches an ended shipment, so the sandbox keeps the usual intervals for it. */
const ENDED: ReadonlySet<PolledStatus> = new Set(['lost', 'returned']);

/** Older shipments rarely have news; the last row that matches counts. */
const AGES: readonly { readonly afterMs: number; readonly status?: OpenStatus; readonly everyMs: number }[] = [
  { afterMs: 2 * DAY_MS, status: 'created', everyMs: 6 * HOUR_MS },
  { afterMs: 14 * DAY_MS, everyMs: DAY_MS },
];

/**
 * On an account with more shipments than its pace allows, statuses with an awaited next scan keep their intervals. All
 * others are lengthened by one factor, so that the account is asked as often as allowed, but at most to a day: with
 * longer intervals a delivery would be seen a day late.
 */
const KEPT_SHORT: ReadonlySet<PolledStatus> = new Set(['out_for_delivery']);
const LONGEST_LENGTHENED_MS = DAY_MS;
/** The share of a pace that polls use. The rest is for gaps between jobs, for retries and for refreshes. */
const SHARE_OF_PACE = 0.9;

/** Due with the jobs of the next minute, so that a demonstration moves while one watches. */
const SANDBOX_MS = 45_000;

/** The interval after a missing response: doubled with each in a row, from the first to the longest. */
const PATIENCE = {
  // A carrier that is down is back in minutes or in hours.
  unavailable: { firstMs: 5 * MINUTE_MS, longestMs: 6 * HOUR_MS },
  unreadable: { firstMs: 5 * MINUTE_MS, longestMs: 6 * HOUR_MS },
  // Nothing changes until the account or this service does.
  rejected: { firstMs: 1 * HOUR_MS, longestMs: 12 * HOUR_MS },
  // Wrong credentials stay wrong until someone changes them, and carriers lock accounts that try too often.
  refused: { firstMs: 1 * HOUR_MS, longestMs: 12 * HOUR_MS },
} as const;

/** A shipment after a question to its carrier. */
export interface Polled {
  /** The status after the response was recorded. */
  readonly statusCode: StatusCode;
  readonly ageMs: number;
  /** The time since the event that gave it its status. */
  readonly statusAgeMs: number;
  readonly isSandbox: boolean;
  /** The factor by which the account's load lengthens intervals (`intervalFactorOf`); 1 for not at all. */
  readonly intervalFactor: number;
  /** Null if there was a response, including "no such shipment". */
  readonly noAnswer: keyof typeof PATIENCE | 'not_asked' | null;
  /** Questions in a row without a response, including this one; a carrier that was not asked does not count. */
  readonly misses: number;
  /** The carrier's `Retry-After`; if it was not asked, the time until it can be. */
  readonly askedMs: number | undefined;
}

/** The time until the next question, in milliseconds; null if there is none. */
export function nextPollMs(polled: Polled, random: number): number | null {
  const { statusCode, ageMs, statusAgeMs, isSandbox, intervalFactor, noAnswer, misses, askedMs = 0 } = polled;
  if (!isPolled(statusCode) || ageMs >= POLLED_DAYS * DAY_MS) return null;
  if (statusCode === 'returned' && statusAgeMs >= POLLED_DAYS_AFTER_RETURN * DAY_MS) return null;
  // Not spread, because it would be too early for some. The jobs of a connection alternate anyway.
  if (noAnswer === 'not_asked') return askedMs;
  if (noAnswer !== null) {
    const { firstMs, longestMs } = PATIENCE[noAnswer];
    return Math.max(jittered(Math.min(firstMs * 2 ** (misses - 1), longestMs), random), askedMs);
  }
  const isQuick = isSandbox && !ENDED.has(statusCode);
  return jittered(isQuick ? SANDBOX_MS : lengthened(statusCode, everyMs(statusCode, ageMs), intervalFactor), random);
}

function everyMs(status: PolledStatus, ageMs: number): number {
  const old = AGES.findLast(age => ageMs >= age.afterMs && (age.status ?? status) === status);
  return old?.everyMs ?? EVERY_MS[status];
}

function lengthened(status: PolledStatus, ms: number, intervalFactor: number): number {
  return KEPT_SHORT.has(status) ? ms : Math.max(ms, Math.min(ms * intervalFactor, LONGEST_LENGTHENED_MS));
}

/** The ages at which an interval may change. */
export const AGE_BOUNDS_MS: readonly number[] = [...new Set(AGES.map(({ afterMs }) => afterMs))].toSorted(
  (a, b) => a - b,
);

/** The number of shipments of an account by status and age; age is the number of bounds that it exceeds. */
export interface LoadShare {
  readonly statusCode: StatusCode;
  readonly boundsPassed: number;
  readonly count: number;
}

/**
 * The factor that lengthens the intervals of an account, so that its carrier is asked no more than it allows.
 *
 * @param numbersPerMinute the pace of the account at its carrier
 * @returns 1 if no interval is lengthened; infinity if the constant intervals use up the pace
 */
export function intervalFactorOf(load: readonly LoadShare[], numbersPerMinute: number): number {
  let kept = 0;
  let others = 0;
  for (const { statusCode, boundsPassed, count } of load) {
    if (!isPolled(statusCode)) continue;
    const perMinute = (count * MINUTE_MS) / everyMs(statusCode, AGE_BOUNDS_MS[boundsPassed - 1] ?? 0);
    if (KEPT_SHORT.has(statusCode)) kept += perMinute;
    else others += perMinute;
  }
  const left = numbersPerMinute * SHARE_OF_PACE - kept;
  if (others <= left) return 1;
  return left <= 0 ? Number.POSITIVE_INFINITY : others / left;
}

/** Whether a shipment with a status is polled. A status that only a later version knows has no interval. */
export function isPolled(status: StatusCode): status is PolledStatus {
  return status in EVERY_MS;
}
