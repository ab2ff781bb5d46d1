import { dayInItaly } from './date-time.rules.ts';

/** Calendar days in Italy, including the last one. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** A period of time, without its end. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** From the first moment of the first day to the last of the last. */
export function periodOf({ from, to }: Days): Period {
  return { from: midnight(from), to: midnight(dayAfter(to)) };
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10);
}

export function lengthOf({ from, to }: Days): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
}

/** Local time is ahead of UTC by one hour, or by two in summer. */
function midnight(day: string): Date {
  const summer = new Date(Date.parse(day) - 2 * HOUR_MS);
  return dayInItaly(summer) === day ? summer : new Date(summer.getTime() + HOUR_MS);
}
