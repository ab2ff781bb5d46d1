import { type Maybe, textOf } from './normalize.ts';

/** Wall-clock time without an offset, as carriers in Italy tell it. */
export interface WallClock {
  readonly year: number;
  /** From 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MARCH = 2;
const OCTOBER = 9;

/** Before it Italy's summer time ended in September; no event is that old. */
const FIRST_YEAR = 1996;

/**
 * Rome's wall clocks, from the oldest event to the newest, as ISO 8601 with their offset; null for those that no clock
 * shows. What the clock shows twice, in the night when summer time ends, is taken for the first time unless the event
 * before it was later: older events alone decide, so that an answer with newer ones says the same again.
 */
export function romeTimestamps(clocks: readonly (WallClock | null)[]): readonly (string | null)[] {
  let previousMs = Number.NEGATIVE_INFINITY;
  return clocks.map(clock => {
    const shownMs = clock && asUtc(clock);
    if (shownMs === null) return null;
    const summer = summerTime(new Date(shownMs).getUTCFullYear());
    // An hour that no clock shows is what one shows that was not put forward.
    const ms = shownMs >= summer.begins && shownMs < summer.begins + HOUR_MS ? shownMs + HOUR_MS : shownMs;
    const canBeSummer = ms >= summer.begins && ms < summer.ends;
    const isTwice = canBeSummer && ms >= summer.ends - HOUR_MS;
    const offset = canBeSummer && !(isTwice && ms - 2 * HOUR_MS < previousMs) ? 2 : 1;
    previousMs = ms - offset * HOUR_MS;
    return `${new Date(ms).toISOString().slice(0, -'.000Z'.length)}+0${offset}:00`;
  });
}

/** A time in the two texts that Italian carriers tell it in: day, month and year; hours and minutes. */
export interface ToldTime {
  readonly date: Maybe<string>;
  readonly time: Maybe<string>;
}

/** The same of times as they are told; what was said, where that is no time. */
export function italianTimestamps(told: readonly ToldTime[]): readonly string[] {
  const timestamps = romeTimestamps(told.map(wallClock));
  return told.map(({ date, time }, index) => timestamps[index] ?? textOf(`${date ?? ''} ${time ?? ''}`) ?? '');
}

const DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})$/;
const TIME = /^(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?$/;

function wallClock({ date, time }: ToldTime): WallClock | null {
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

const LOCAL_TIME = /^(\d{4})-?(\d\d)-?(\d\d)T(\d\d):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?$/;
const OFFSET = /^([+-]\d\d)(?::?(\d\d))?$/;

/**
 * Times of events told with their offset, from oldest to newest, as ISO 8601; what is no time, as it was told. One without
 * has the offset of the event before it, or else Rome's: it may be in the hands of a sender, who is in Italy.
 */
export function timestamps(
  told: readonly { readonly local: string; readonly offset: Maybe<string> }[],
): readonly string[] {
  let before: string | null = null;
  const read = told.map(({ local, offset }) => {
    const own = textOf(offset)?.replace(OFFSET, (_, hours, minutes = '00') => `${hours}:${minutes}`) ?? null;
    // Neither UTC nor what is no offset says anything of where the next one happened.
    if (own && OFFSET.test(own)) before = own;
    return {
      asTold: textOf(`${local}${offset ?? ''}`) ?? '',
      local: LOCAL_TIME.exec(local.trim()),
      offset: own ?? before,
    };
  });
  const rome = romeTimestamps(read.map(({ local, offset }) => (local && offset === null ? clockOf(local) : null)));
  return read.map(({ asTold, local, offset }, n) => {
    if (!local) return asTold;
    if (offset === null) return rome[n] ?? asTold;
    const [, year, month, day, hour, minute, second = '00', fraction] = local;
    return `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction ? `.${fraction}` : ''}${offset}`;
  });
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

/** What the clock shows, as if it showed UTC. */
function asUtc({ year, month, day, hour, minute, second }: WallClock): number | null {
  const isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
  if (!isTime || !(year >= FIRST_YEAR && year <= 9999)) return null;
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}

/**
 * Directive 2000/84/EC: from 01:00 UTC on the last Sunday of March to 01:00 UTC on the last Sunday of October, here by
 * the clock on the wall. Reckoned, because `Intl` would have to be asked twice for each of thousands of events a second.
 */
function summerTime(year: number): { readonly begins: number; readonly ends: number } {
  return { begins: lastSunday(year, MARCH) + 2 * HOUR_MS, ends: lastSunday(year, OCTOBER) + 3 * HOUR_MS };
}

/** Of a month of 31 days. */
function lastSunday(year: number, month: number): number {
  const last = Date.UTC(year, month, 31);
  return last - new Date(last).getUTCDay() * DAY_MS;
}
