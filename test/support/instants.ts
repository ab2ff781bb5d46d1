/** A time as both faces write it: UTC, in milliseconds. */
export const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Until the clock shows a later millisecond than this one. */
export function untilAfter(instant: string): void {
  while (Date.now() <= Date.parse(instant));
}
