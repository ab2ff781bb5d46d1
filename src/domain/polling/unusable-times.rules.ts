import type { CarrierEvent } from '../carriers/carrier.port.ts';
import { readDateTime } from '../date-time.rules.ts';

const MAX_NOTE = 1000;
const MAX_TIME = 100;
const SEPARATOR = ' · ';

export type TimedEvent = CarrierEvent & { readonly statusCode?: 'unknown' };

/**
 * Gives every event of a carrier, from oldest to newest, a time that can be read. An event whose time cannot be read gets
 * the status `unknown`, its original time in the note, and a time just before that of the event it follows, so that it
 * changes no current status; the first event gets one just before that of the next. Where no event has a time that can
 * be read, all stay as they are.
 */
export function withReadableTimes(events: readonly CarrierEvent[]): readonly TimedEvent[] {
  const times = events.map(({ timestamp }) => readDateTime(timestamp)?.getTime());
  return events.map((event, at) => {
    const isKnown = (time: number | undefined) => time !== undefined;
    const neighbour = times.slice(0, at).findLast(isKnown) ?? times.slice(at + 1).find(isKnown);
    if (times[at] !== undefined || neighbour === undefined) return event;
    return { ...event, timestamp: new Date(neighbour - 1).toISOString(), statusCode: 'unknown', note: noteOf(event) };
  });
}

/** The carrier's note, cut to the room there is, and the time as the carrier sent it. */
function noteOf({ note, timestamp }: CarrierEvent): string {
  const original = `Orario non leggibile: ${[...timestamp].slice(0, MAX_TIME).join('')}`;
  if (note === null) return original;
  return `${[...note].slice(0, MAX_NOTE - original.length - SEPARATOR.length).join('')}${SEPARATOR}${original}`;
}
