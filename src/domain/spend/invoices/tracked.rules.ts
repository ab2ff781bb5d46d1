import type { Tracked } from './event-findings.rules.ts';

/** What the tracking of a shipment says of what carriers bill after it was sent. */

interface TrackedEvent {
  readonly status: string;
  /** `YYYY-MM-DD`, in Italy. */
  readonly day: string;
}

const DAY_MS = 86_400_000;
/** Statuses that say nothing of where a parcel is that lies in storage. */
const STILL_HELD: ReadonlySet<string> = new Set(['held', 'delayed', 'unknown', 'delivery_failed']);
const RETURNED: ReadonlySet<string> = new Set(['returning', 'returned', 'refused']);

/**
 * Undefined where there are no events, so that nothing is known. A day of storage is each calendar day from the one on
 * which it began to the one on which it ended, both included: a carrier cannot count more.
 *
 * @param events by their time
 * @param until the last day that counts of storage that has not ended
 */
export function trackedOf(
  events: readonly TrackedEvent[] | null,
  hasReturned: boolean,
  until: string,
): Tracked | undefined {
  if (events === null || events.length === 0) return undefined;
  let storageDays = 0;
  let since: string | undefined;
  for (const { status, day } of events) {
    if (status === 'held') since ??= day;
    else if (since !== undefined && !STILL_HELD.has(status)) {
      storageDays += daysFrom(since, day);
      since = undefined;
    }
  }
  if (since !== undefined) storageDays += daysFrom(since, until > since ? until : since);
  return { storageDays, hasReturned: hasReturned || events.some(({ status }) => RETURNED.has(status)) };
}

function daysFrom(first: string, last: string): number {
  return Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
}
