import { DAY_MS, workingMs } from '../../src/domain/common/working-days.rules.ts';

/** @param day `YYYY-MM-DD`, in Italy, where it is the same day at 10:00 and 20:00 UTC */
export function isWorkingDay(day: string): boolean {
  return workingMs(new Date(`${day}T20:00:00Z`)) > workingMs(new Date(`${day}T10:00:00Z`));
}

/** Negative if `to` is before `from`. */
export function workingDaysBetween(from: Date, to: Date): number {
  return (workingMs(to) - workingMs(from)) / DAY_MS;
}
