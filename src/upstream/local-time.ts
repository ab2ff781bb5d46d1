import { Temporal } from 'temporal-polyfill';
import { type Maybe, textOf } from './normalize.ts';

// Converts the times of events, which carriers send as local time or with an offset, to ISO 8601.

/** Local time without an offset, as carriers in Italy send it. */
export interface WallClock {
  readonly year: number;
  /** Counted from 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const ROME = 'Europe/Rome';

/** An earlier year is a default of the carrier's system, such as 1 January 1970. */
const FIRST_YEAR = 1996;
const LAST_YEAR = 9999;

/**
 * Local times of Rome, or of the given zones, from the oldest event to the newest, as ISO 8601 with their offset;
 * null for an invalid time. A time that occurs twice, in the night when summer time ends, is taken for the first occurrence unless the event before
 * it was later: only older events decide, so a response with newer ones gives the same result. A time in the hour that
 * summer time skips comes from a clock that was not put forward.
 */
export function romeTimestamps(
  clocks: readonly (WallClock | null)[],
  zones: readonly Maybe<string>[] = [],
): readonly (string | null)[] {
  let previousMs = Number.NEGATIVE_INFINITY;
  return clocks.map((clock, n) => {
    const local = clock && plainDateTime(clock);
    if (local === null) return null;
    const zone = zones[n] ?? ROME;
    const first = local.toZonedDateTime(zone, { disambiguation: 'compatible' });
    const zoned =
      first.epochMilliseconds < previousMs ? local.toZonedDateTime(zone, { disambiguation: 'later' }) : first;
    previousMs = zoned.epochMilliseconds;
    return zoned.toString({ timeZoneName: 'never' });
  });
}

function plainDateTime(clock: WallClock): Temporal.PlainDateTime | null {
  if (!(clock.year >= FIRST_YEAR && clock.year <= LAST_YEAR)) return null;
  try {
    return Temporal.PlainDateTime.from(clock, { overflow: 'reject' });
  } catch {
    return null;
  }
}

/** A time in the two texts that Italian carriers send: a date, and hours and minutes. */
interface ItalianTime {
  readonly date: Maybe<string>;
  readonly time: Maybe<string>;
  /** Rome's if left out. */
  readonly zone?: Maybe<string>;
}

/** Times as Italian carriers send them; a text that is not a time stays unchanged. */
export function italianTimestamps(times: readonly ItalianTime[]): readonly string[] {
  const timestamps = romeTimestamps(
    times.map(wallClock),
    times.map(({ zone }) => zone),
  );
  return times.map(({ date, time }, index) => timestamps[index] ?? textOf(`${date ?? ''} ${time ?? ''}`) ?? '');
}

const DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
const TIME = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?$/;

function wallClock({ date, time }: ItalianTime): WallClock | null {
  const [isDate, day, month, year] = DATE.exec(date?.trim() ?? '') ?? [];
  const [isTime, hour, minute, second = 0] = TIME.exec(time?.trim() ?? '') ?? [];
  if (isDate === undefined || isTime === undefined) return null;
  return {
    year: Number(year?.length === 2 ? `20${year}` : year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  };
}
