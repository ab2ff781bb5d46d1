import { type Place, type PlaceZone, zoneOf } from './event-zone.ts';
import { romeTimestamps, type WallClock } from './local-time.ts';
import { type Maybe, textOf } from './normalize.ts';

/** Converts the times of events all over the world, with an offset or local to their place, to ISO 8601. */

/** A time as a carrier sends it. */
export interface SentTime {
  /** `2026-11-25T18:00:00` or `20261125T180000`. */
  readonly local: string;
  /** `+01:00`, `+0100`, `+01`, `GMT+01:00` or `Z`; any other text is as good as none. */
  readonly offset: Maybe<string>;
  readonly place: Place;
}

export interface PlacedTime {
  /** ISO 8601 with an offset; the carrier's text if it is not a time. */
  readonly timestamp: string;
  /** Whether the offset is a guess. */
  readonly isUncertain: boolean;
}

/** An ISO 8601 time, or any other text, as a time at a place. */
export function sentTime(text: Maybe<string>, place: Place): SentTime {
  const sent = textOf(text) ?? '';
  const time = sent.includes('T') ? sent.slice(sent.indexOf('T')) : '';
  const [offset = null] = /(?:Z|[+-]\d\d(?::?\d\d)?)$/.exec(time) ?? [];
  return { local: sent.slice(0, offset === null ? undefined : -offset.length), offset, place };
}

/** The newest of times; less than any time if none can be read. */
export function newestMs(times: readonly PlacedTime[]): number {
  const known = times.map(({ timestamp }) => Date.parse(timestamp)).filter(Number.isFinite);
  return Math.max(Number.NEGATIVE_INFINITY, ...known);
}

const UNCERTAIN_ZONE = 'Fuso orario non indicato dal corriere';

/** The note of an event, in Italian, with a mark if its offset is a guess. */
export function withUncertainty(note: Maybe<string>, time: PlacedTime | undefined): Maybe<string> {
  return time?.isUncertain ? [textOf(note), UNCERTAIN_ZONE].filter(part => part !== null).join(' · ') : note;
}

const LOCAL_TIME = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?$/;
const OFFSET = /^(?:GMT|UTC)?(?:Z|([+-])(0\d|1[0-4]|\d):?([0-5]\d)?)$/i;

/**
 * The times of events from oldest to newest. A time without an offset is local to its place. If the place is unknown or
 * has several zones, the event before it is likely to have the same offset. The first event at an unknown place has
 * Rome's, because it may be with a sender in Italy.
 */
export function placedTimes(times: readonly SentTime[]): readonly PlacedTime[] {
  let before: { readonly offset: string; readonly country: Maybe<string> } | null = null;
  const parsed = times.map(({ local, offset, place }) => {
    const own = readOffset(offset);
    const zone = own === null ? zoneOf(place) : null;
    const guessed: string | null = own === null && mayFollow(zone, place, before) ? (before?.offset ?? null) : null;
    // UTC says nothing about the place of the next event.
    if (own !== null && own !== 'Z') before = { offset: own, country: place.country };
    return {
      asSent: textOf(`${local}${offset ?? ''}`) ?? '',
      local: LOCAL_TIME.exec(local.trim()),
      offset: own ?? guessed,
      zone: zone?.zone ?? null,
      isUncertain: own === null && zone?.isCertain !== true,
    };
  });
  const zoned = romeTimestamps(
    parsed.map(({ local, offset }) => (local && offset === null ? clockOf(local) : null)),
    parsed.map(({ zone }) => zone),
  );
  return parsed.map(({ asSent, local, offset, isUncertain }, n) => {
    if (!local) return { timestamp: asSent, isUncertain: false };
    if (offset === null) return { timestamp: zoned[n] ?? asSent, isUncertain };
    const [, year, month, day, hour, minute, second = '00', fraction] = local;
    const seconds = `${second}${fraction ? `.${fraction}` : ''}`;
    return { timestamp: `${year}-${month}-${day}T${hour}:${minute}:${seconds}${offset}`, isUncertain };
  });
}

function mayFollow(zone: PlaceZone | null, { country }: Place, before: { country: Maybe<string> } | null): boolean {
  return zone === null || (!zone.isCertain && before?.country === country);
}

/** `Z` or `+01:00`; null for a text that is not an offset. */
function readOffset(offset: Maybe<string>): string | null {
  const [isOffset, sign, hours = '', minutes = '00'] = OFFSET.exec(textOf(offset) ?? '') ?? [];
  if (isOffset === undefined) return null;
  return sign === undefined ? 'Z' : `${sign}${hours.padStart(2, '0')}:${minutes}`;
}

/** Whether a text is a local time of a day that exists. */
export function isLocalTime(text: string): boolean {
  const parts = LOCAL_TIME.exec(text.trim());
  return parts !== null && romeTimestamps([clockOf(parts)])[0] !== null;
}

function clockOf([, year, month, day, hour, minute, second = '0']: RegExpExecArray): WallClock {
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
}
