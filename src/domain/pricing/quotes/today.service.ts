import { dayInItaly } from '../../common/date-time.rules.ts';

let day: { readonly minute: number; readonly text: string } | undefined;

/** The calendar day in Italy; formatted once a minute, because that takes as long as a price. */
export function today(): string {
  const minute = Math.floor(Date.now() / 60_000);
  if (day?.minute !== minute) day = { minute, text: dayInItaly(new Date(minute * 60_000)) };
  return day.text;
}
