import { readDateTime } from '../../common/date-time.rules.ts';
import type { CarrierEvent } from '../carriers/carrier.port.ts';
import { isInTheFuture } from '../tracking/events.rules.ts';
import { NO_TIME, placesInTheirDays } from './day-events.rules.ts';

/**
 * Events of a carrier whose time cannot be read or lies in the future. They are recorded at the time of receipt, with
 * the carrier's time in the note, and as `unknown`: their order among the other events is uncertain, so they must not
 * change a shipment's status.
 */

const MAX_NOTE = 1000;
const MAX_TIME = 100;
const SEPARATOR = ' · ';

export interface UntimedEvent extends CarrierEvent {
  readonly statusCode: 'unknown';
  /** The carrier's time, as the note ends with it. */
  readonly carrierTime: string;
}

/** The compared fields of a stored event. */
export type RecordedEvent = Pick<CarrierEvent, 'carrierStatusCode' | 'location' | 'note'>;

/**
 * Divides the events of a response, from oldest to newest, into events with a usable time and others. `byDay` names the
 * usable ones that the carrier dates by a day alone.
 */
export function byTheirTimes(
  events: readonly CarrierEvent[],
  receivedAt: Date,
): {
  readonly timed: readonly CarrierEvent[];
  readonly byDay: readonly CarrierEvent[];
  readonly untimed: readonly UntimedEvent[];
} {
  const timed: CarrierEvent[] = [];
  const byDay: CarrierEvent[] = [];
  const untimed: UntimedEvent[] = [];
  const places = placesInTheirDays(events.map(({ timestamp }) => timestamp));
  for (const [i, event] of events.entries()) {
    const place = places[i];
    if (place && !isInTheFuture(place, receivedAt)) {
      const placed = { ...event, timestamp: place.toISOString(), note: noteOf(event.note, NO_TIME) };
      timed.push(placed);
      byDay.push(placed);
      continue;
    }
    const at = readDateTime(event.timestamp);
    if (at !== null && !isInTheFuture(at, receivedAt)) timed.push(event);
    else untimed.push(untimedEvent(event, at));
  }
  // A millisecond apart, so that they keep their order, and events that differ only in the carrier's time stay
  // distinct.
  const first = receivedAt.getTime() - untimed.length + 1;
  return {
    timed,
    byDay,
    untimed: untimed.map((event, i) => ({ ...event, timestamp: new Date(first + i).toISOString() })),
  };
}

/**
 * Events that are not stored yet, without duplicates. Their time differs each time that a carrier is asked, so they are
 * compared by code, place and the carrier's time.
 */
export function notRecorded(
  untimed: readonly UntimedEvent[],
  recorded: readonly RecordedEvent[],
): readonly UntimedEvent[] {
  const wanted: UntimedEvent[] = [];
  for (const event of untimed) {
    if (![...recorded, ...wanted].some(one => isSame(event, one))) wanted.push(event);
  }
  return wanted;
}

function isSame(event: UntimedEvent, { carrierStatusCode, location, note }: RecordedEvent): boolean {
  return (
    event.carrierStatusCode === carrierStatusCode &&
    event.location === location &&
    (note ?? '').endsWith(event.carrierTime)
  );
}

function untimedEvent(event: CarrierEvent, at: Date | null): UntimedEvent {
  const carrierTime =
    at === null ? `Orario non leggibile: ${plain(event.timestamp)}`.trim() : `Orario nel futuro: ${at.toISOString()}`;
  return { ...event, statusCode: 'unknown', carrierTime, note: noteOf(event.note, carrierTime) };
}

/** The carrier's note, cut to fit, and its time. */
function noteOf(note: string | null, carrierTime: string): string {
  if (note === null) return carrierTime;
  return `${[...note].slice(0, MAX_NOTE - carrierTime.length - SEPARATOR.length).join('')}${SEPARATOR}${carrierTime}`;
}

/** In the form of a note: short, well formed and on one line. */
function plain(text: string): string {
  const line = text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
  return [...line].slice(0, MAX_TIME).join('').trim();
}
