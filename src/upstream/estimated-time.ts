import { romeTimestamps } from './local-time.ts';
import { type Maybe, textOf } from './normalize.ts';

/** The end of a carrier's delivery estimate, in the texts that it sends. */
interface EstimatedTime {
  /** `2026-11-25`, `20261125` or `25.11.2026`. */
  readonly date: Maybe<string>;
  /** The end of the window: `18:00`, `18:00:00`, `18.00` or `180000`. */
  readonly time?: Maybe<string>;
  readonly offset?: Maybe<string>;
  /** The destination's, for a time without an offset; Rome's if left out. */
  readonly zone?: Maybe<string>;
}

const YEAR_FIRST = /^(\d{4})-?(\d\d)-?(\d\d)$/;
const DAY_FIRST = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})$/;
const TIME = /^(\d{1,2})[:.]?(\d\d)(?:[:.]?(\d\d)(?:\.\d+)?)?$/;
const OFFSET = /^(?:Z|[+-]\d\d:\d\d)$/;

type Clock = readonly [hour: string, minute: string, second: string];

const END_OF_DAY: Clock = ['23', '59', '59'];

/**
 * The time as ISO 8601; the sent text if it is not a time; null if nothing was sent. A day without a time, or at
 * midnight, which some carriers send for a day, means its end: a parcel that is expected today is late tomorrow. A time
 * without an offset is taken for the destination's where a response names it, or else for Rome's; a day alone ends in
 * Italy, wherever the parcel goes.
 */
export function estimatedTime({ date, time, offset, zone }: EstimatedTime): string | null {
  const [text, clockText, own] = [textOf(date), textOf(time), textOf(offset)];
  if (text === null) return null;
  const clock = clockOf(clockText);
  const [hour, minute, second] = clock;
  const [year, month, day] = dayOf(text);
  const [local] = romeTimestamps(
    [
      {
        year: Number(year),
        month: Number(month),
        day: Number(day),
        hour: Number(hour),
        minute: Number(minute),
        second: Number(second),
      },
    ],
    [clock === END_OF_DAY ? null : zone],
  );
  if (!local) return [text, clockText, own].filter(part => part !== null).join(' ');
  return own !== null && OFFSET.test(own) ? `${year}-${month}-${day}T${hour}:${minute}:${second}${own}` : local;
}

/** Year, month and day, which are not numbers if the text is not a date. */
function dayOf(text: string): readonly [year: string, month: string, day: string] {
  const [, day = '', month = '', yearOfDayFirst] = DAY_FIRST.exec(text) ?? [];
  if (yearOfDayFirst !== undefined) return [yearOfDayFirst, month.padStart(2, '0'), day.padStart(2, '0')];
  const [, ...parts] = YEAR_FIRST.exec(text) ?? [];
  return [parts[0] ?? '?', parts[1] ?? '?', parts[2] ?? '?'];
}

function clockOf(text: string | null): Clock {
  const [, hour = '', minute = '', second = '00'] = TIME.exec(text ?? '') ?? [];
  return Number(`${hour}${minute}${second}`) === 0 ? END_OF_DAY : [hour.padStart(2, '0'), minute, second];
}

const DATE_TIME = /^([^T]+)T([\d:.]+)(Z|[+-]\d\d:\d\d)?$/;

/** Like `estimatedTime`, for a date or a date and a time in one ISO 8601 text. */
export function estimatedTimeOf(text: Maybe<string>, zone: Maybe<string> = null): string | null {
  const sent = textOf(text);
  const [, date = sent, time, offset] = DATE_TIME.exec(sent ?? '') ?? [];
  return estimatedTime({ date, time, offset, zone });
}
