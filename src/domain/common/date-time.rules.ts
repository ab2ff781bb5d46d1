import { oneLine } from '../../platform/plain-text.ts';

/** The years that days and times may be in, in words for messages. */
export const YEARS = 'in the years 2000 to 2099';
/** The bound of the years in JSON Schema. */
export const YEARS_PATTERN = '^20[0-9]{2}-';

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/;

/** ISO 8601 with an offset, years 2000 to 2099; fractions below milliseconds are dropped. Null for any other text. */
export function readDateTime(value: string): Date | null {
  const text = oneLine(value);
  const [, year = '', month = '', day = ''] = DATE_TIME.exec(text) ?? [];
  const at = new Date(text);
  // `new Date` reads 31 February as 3 March, but a date that does not exist is an error of the sender.
  const exists = day <= '28' || new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDate() === Number(day);
  return !exists || Number.isNaN(at.getTime()) || year < '2000' || year > '2099' ? null : at;
}

let italianDay: Intl.DateTimeFormat | undefined; // making it takes milliseconds

/** The calendar day of a moment in Italy, `YYYY-MM-DD`. */
export function dayInItaly(at: Date): string {
  italianDay ??= new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' });
  return italianDay.format(at);
}

let italianTime: Intl.DateTimeFormat | undefined;

/**
 * The moments at which clocks in Italy show a day and a time, `YYYY-MM-DD` and `HH:MM:SS`: two in the hour that comes
 * twice in autumn, and none in the hour that spring leaves out.
 */
export function momentsInItaly(day: string, time: string): Date[] {
  italianTime ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Rome',
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  const moments: Date[] = [];
  for (const offset of ['+02:00', '+01:00']) {
    const at = readDateTime(`${day}T${time}${offset}`);
    if (at !== null && italianTime.format(at) === `${day} ${time}`) moments.push(at);
  }
  return moments;
}

/** The last millisecond of a day in Italy, `YYYY-MM-DD`; null for any other text. */
export function endOfDayInItaly(day: string): Date | null {
  // The clocks change in the night, and not at its beginning.
  const [lastSecond] = momentsInItaly(day, '23:59:59');
  return lastSecond ? new Date(lastSecond.getTime() + 999) : null;
}
