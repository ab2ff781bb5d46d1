/**
 * Working days in Italy: not Saturdays, Sundays and national holidays. Time is counted in fractions of a working day,
 * from midnight to midnight of local time, and stands still on all other days. A moment on such a day counts as the
 * start of the next working day.
 */

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SATURDAY = 6;
const SUNDAY = 0;

/** `MM-DD`, and the first year in which it is a holiday. Sundays among them change nothing. */
const HOLIDAYS: readonly (readonly [day: string, since: number])[] = [
  ['01-01', 0],
  ['01-06', 0],
  ['04-25', 0],
  ['05-01', 0],
  ['06-02', 2001],
  ['08-15', 0],
  // San Francesco, by law 151 of 2025.
  ['10-04', 2026],
  ['11-01', 0],
  ['12-08', 0],
  ['12-25', 0],
  ['12-26', 0],
];

/** A calendar year; days are numbered from 1 January 1970 as 0. */
interface Year {
  readonly firstDay: number;
  /** The number of working days from 1970 until each day of the year, and until the first day of the next year. */
  readonly before: Int32Array;
  readonly workingDays: Int32Array;
  /** When summer time begins and ends, in UTC. */
  readonly summerFrom: number;
  readonly summerUntil: number;
}

const EPOCH_YEAR = 1970;
const years = new Map<number, Year>();

function yearOf(year: number): Year {
  let known = years.get(year);
  if (known === undefined) {
    known = makeYear(year);
    years.set(year, known);
  }
  return known;
}

function makeYear(year: number): Year {
  const firstDay = dayNumber(year, 1, 1);
  const length = dayNumber(year + 1, 1, 1) - firstDay;
  const free = new Set(
    HOLIDAYS.filter(([, since]) => year >= since).map(([day]) =>
      dayNumber(year, Number(day.slice(0, 2)), Number(day.slice(3))),
    ),
  );
  free.add(easter(year) + 1);
  const days = Array.from({ length }, (_, i) => firstDay + i);
  const workingDays = days.filter(day => ![SATURDAY, SUNDAY].includes(weekday(day)) && !free.has(day));
  const before = new Int32Array(length + 1);
  before[0] = workingDaysUntil(year, workingDays.length);
  const working = new Set(workingDays);
  for (const [i, day] of days.entries()) before[i + 1] = (before[i] as number) + (working.has(day) ? 1 : 0);
  // At 01:00 UTC on the last Sundays of March and October, as in all of the European Union since 1996.
  const summerFrom = lastSunday(year, 3) * DAY_MS + HOUR_MS;
  const summerUntil = lastSunday(year, 10) * DAY_MS + HOUR_MS;
  return { firstDay, before, workingDays: Int32Array.from(workingDays), summerFrom, summerUntil };
}

/** Working days from 1970 until a year, from the value of its neighbour. */
function workingDaysUntil(year: number, own: number): number {
  if (year === EPOCH_YEAR) return 0;
  if (year > EPOCH_YEAR) return yearOf(year - 1).before.at(-1) as number;
  return (yearOf(year + 1).before[0] as number) - own;
}

function dayNumber(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / DAY_MS;
}

/** 1 January 1970 was a Thursday. */
function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

function lastSunday(year: number, month: number): number {
  const last = dayNumber(year, month + 1, 0);
  return last - weekday(last);
}

/** Easter Sunday by the Gregorian computus (Meeus, Jones and Butcher). */
function easter(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const h = (19 * a + b - Math.floor(b / 4) - Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3) + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return dayNumber(year, Math.floor(n / 31), (n % 31) + 1);
}

/** The offset of Italy from UTC. Years in UTC suffice, because clocks do not change at New Year. */
function aheadMs(utcMs: number): number {
  const { summerFrom, summerUntil } = yearOf(new Date(utcMs).getUTCFullYear());
  return utcMs >= summerFrom && utcMs < summerUntil ? 2 * HOUR_MS : HOUR_MS;
}

/** Milliseconds of working days from 1970 until a moment. Clocks change on Sundays, so a working day has 24 hours. */
export function workingMs(at: Date): number {
  const localMs = at.getTime() + aheadMs(at.getTime());
  const day = Math.floor(localMs / DAY_MS);
  const { firstDay, before } = yearOf(new Date(localMs).getUTCFullYear());
  const until = before[day - firstDay] as number;
  const isWorking = before[day - firstDay + 1] !== until;
  return until * DAY_MS + (isWorking ? localMs - day * DAY_MS : 0);
}

/** The last moment with this many milliseconds of working days before it, which always lies in a working day. */
export function atWorkingMs(ms: number): Date {
  const days = Math.floor(ms / DAY_MS);
  let year = EPOCH_YEAR + Math.floor(days / 253);
  while (days < (yearOf(year).before[0] as number)) year--;
  while (days >= (yearOf(year).before.at(-1) as number)) year++;
  const { before, workingDays } = yearOf(year);
  const day = workingDays[days - (before[0] as number)] as number;
  const midnight = day * DAY_MS;
  return new Date(midnight + (ms - days * DAY_MS) - aheadMs(midnight + DAY_MS / 2));
}

/** Adds working days to a moment; whole days keep the time of day. */
export function addWorkingDays(at: Date, days: number): Date {
  return atWorkingMs(workingMs(at) + Math.round(days * DAY_MS));
}

export function workingDaysBefore(at: Date, days: number): Date {
  return addWorkingDays(at, -days);
}

/**
 * For SQL: the number of working days from 1970 until each day, from the day of `from` to the day after `to`.
 *
 * @returns with `firstDay` as a number: 1 January 1970 is 0
 */
export function workingCalendar(from: Date, to: Date): { firstDay: number; before: number[] } {
  const dayOf = (at: Date) => Math.floor((at.getTime() + aheadMs(at.getTime())) / DAY_MS);
  const firstDay = dayOf(from);
  const before = Array.from({ length: dayOf(to) - firstDay + 2 }, (_, i) => {
    const { firstDay: start, before } = yearOf(new Date((firstDay + i) * DAY_MS).getUTCFullYear());
    return before[firstDay + i - start] as number;
  });
  return { firstDay, before };
}
