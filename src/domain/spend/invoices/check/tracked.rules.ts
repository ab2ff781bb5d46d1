import type { Tracked } from './event-findings.rules.ts';

/** Derives facts for charges after the shipment from its tracking. */

interface TrackedEvent {
  readonly status: string;
  /** `YYYY-MM-DD`, in Italy. */
  readonly day: string;
}

const DAY_MS = 86_400_000;
/** Statuses that do not end a parcel's storage. */
const STILL_HELD: ReadonlySet<string> = new Set(['held', 'delayed', 'unknown', 'delivery_failed']);
const RETURNED: ReadonlySet<string> = new Set(['returning', 'returned', 'refused']);

/**
 * Undefined without events. A day of storage is each calendar day from the first to the last, both included: a carrier
 * cannot count more.
 *
 * @param events by their time
 * @param until the last day of storage that has not ended
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
