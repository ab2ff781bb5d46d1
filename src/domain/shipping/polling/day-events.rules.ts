import { dayInItaly, endOfDayInItaly, readDateTime } from '../../common/date-time.rules.ts';
import type { CarrierEvent } from '../carriers/carrier.port.ts';

/**
 * Events that a carrier dates by a day alone. Each is placed within its day after the events before it in the carrier's
 * own list and before the ones after it, at the last possible moment: a delivery of a day ends that day's scans. When
 * the list has grown, the place may be another one, so stored events are moved to it.
 */

/** The end of the note of an event that has only a day: the time beside it is not the carrier's. */
export const NO_TIME = 'Orario non indicato dal corriere';

const YEAR_FIRST = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(?:Z|[+-]\d\d:?\d\d)?)?$/;
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;

/** A day without a time as `YYYY-MM-DD`, from the texts that carriers send; Italian ones begin with the day. */
function dayIn(text: string): string | null {
  const sent = text.trim();
  const yearFirst = YEAR_FIRST.exec(sent);
  if (yearFirst) return yearFirst.slice(1).join('-');
  const [isDay, day = '', month = '', year = ''] = DAY_FIRST.exec(sent) ?? [];
  if (isDay === undefined) return null;
  return `${year.length === 2 ? '20' : ''}${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * The times of the events of a list, from oldest to newest: null for an event that is not dated by a day alone.
 *
 * @param timestamps ISO 8601 with an offset, or the carrier's text
 */
export function placesInTheirDays(timestamps: readonly string[]): (Date | null)[] {
  const timed = timestamps.map(timestamp => readDateTime(timestamp)?.getTime());
  const placed: (number | undefined)[] = [...timed];
  for (let i = timestamps.length - 1; i >= 0; i--) {
    const day = timed[i] === undefined ? dayIn(timestamps[i] as string) : null;
    const end = day === null ? undefined : endOfDayInItaly(day)?.getTime();
    if (end === undefined) continue;
    const next = placed.slice(i + 1).find(at => at !== undefined);
    const isBounded = next !== undefined && dayInItaly(new Date(next)) === day;
    // Events of one moment keep the order of the list.
    const before = timed.slice(0, i).findLast(at => at !== undefined && dayInItaly(new Date(at)) === day);
    placed[i] = Math.max(isBounded ? next - 1 : end, Math.min(before ?? 0, end));
  }
  return placed.map((at, i) => (at === undefined || timed[i] !== undefined ? null : new Date(at)));
}

/** A stored event that is dated by a day alone. */
export interface StoredDayEvent extends Pick<CarrierEvent, 'carrierStatusCode' | 'location'> {
  readonly id: number;
  readonly occurredAtMs: number;
}

/** The stored events whose place in the list is another one now, with their new times. */
export function movedInTheirDays(
  events: readonly CarrierEvent[],
  stored: readonly StoredDayEvent[],
): { readonly id: number; readonly occurredAt: Date }[] {
  const left = Map.groupBy(stored, ({ occurredAtMs, ...event }) => identity(event, new Date(occurredAtMs)));
  return events.flatMap(event => {
    const occurredAt = new Date(event.timestamp);
    const known = left.get(identity(event, occurredAt))?.shift();
    return known && known.occurredAtMs !== occurredAt.getTime() ? [{ id: known.id, occurredAt }] : [];
  });
}

function identity(event: Pick<CarrierEvent, 'carrierStatusCode' | 'location'>, at: Date): string {
  return JSON.stringify([dayInItaly(at), event.carrierStatusCode, event.location]);
}
