import type { CarrierEvent } from '../carriers/carrier.port.ts';
import { readDateTime } from '../checks.rules.ts';

const MAX_NOTE = 1000;
const MAX_TIME = 100;
const SEPARATOR = ' · ';

export type PlacedEvent = CarrierEvent & { readonly statusCode?: 'unknown' };

/**
 * A carrier's events, from oldest to newest, each with a time. One whose time can't be read is kept as it was told, as
 * `unknown`, just before the event it came after, so that it moves no status; or before the one that came after it. Where
 * none has a time there is no place for it, and it stays as it is.
 */
export function placed(events: readonly CarrierEvent[]): readonly PlacedEvent[] {
  const times = events.map(({ timestamp }) => readDateTime(timestamp)?.getTime());
  return events.map((event, at) => {
    const isKnown = (time: number | undefined) => time !== undefined;
    const neighbour = times.slice(0, at).findLast(isKnown) ?? times.slice(at + 1).find(isKnown);
    if (times[at] !== undefined || neighbour === undefined) return event;
    return { ...event, timestamp: new Date(neighbour - 1).toISOString(), statusCode: 'unknown', note: noteOf(event) };
  });
}

/** What the carrier noted, as far as there is room, and the time as it was told. */
function noteOf({ note, timestamp }: CarrierEvent): string {
  const told = `Orario non leggibile: ${[...timestamp].slice(0, MAX_TIME).join('')}`;
  if (note === null) return told;
  return `${[...note].slice(0, MAX_NOTE - told.length - SEPARATOR.length).join('')}${SEPARATOR}${told}`;
}
