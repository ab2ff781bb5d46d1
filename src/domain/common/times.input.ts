import { z } from 'zod';
import { graphqlTypes } from '../../platform/input.ts';
import { oneLine } from '../../platform/plain-text.ts';
import { dayInItaly, endOfDayInItaly, readDateTime, YEARS, YEARS_PATTERN } from './date-time.rules.ts';
import { add, mustBe, named } from './fields.input.ts';

/** The fields of inputs that hold a moment or a day. */

/** A date-time, as `readDateTime` reads it. */
export function dateTime() {
  return moment(`an ISO 8601 date-time with an offset, ${YEARS}, such as 2026-11-21T09:30:00Z`, readDateTime);
}

/** The end of something that may take a whole day: a date-time, or a day, which means its end in Italy. */
export function dateTimeOrDay() {
  const allowed = `an ISO 8601 date-time with an offset, ${YEARS}, such as 2026-11-21T09:30:00Z, or a date such as 2026-11-21`;
  return moment(allowed, text => readDateTime(text) ?? endOfDayInItaly(oneLine(text)));
}

function moment(allowed: string, read: (text: string) => Date | null) {
  const schema = z
    .string(mustBe(allowed))
    .transform((value, context) => {
      const at = read(value);
      if (at === null) add(context, { code: 'invalid_date_time', message: `must be ${allowed}` });
      return at ?? new Date(0);
    })
    .meta({ type: 'string', format: 'date-time', pattern: YEARS_PATTERN });
  graphqlTypes.add(schema, { name: 'DateTime' });
  return schema;
}

const A_DAY = `a date ${YEARS}, such as 2026-06-30`;

function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && readDateTime(`${text}T12:00:00Z`) !== null;
}

/** A calendar day, `YYYY-MM-DD`. */
export function calendarDay() {
  const schema = z
    .string(mustBe(A_DAY))
    .check(payload => {
      payload.value = oneLine(payload.value);
      if (!isDay(payload.value)) add(payload, { code: 'invalid_date_time', message: `must be ${A_DAY}` });
    })
    .meta({ type: 'string', format: 'date', pattern: YEARS_PATTERN });
  return named('Date', schema);
}

/** A calendar day, or a moment, which means its day in Italy. */
export function dayOrDateTime() {
  return z
    .string(mustBe(A_DAY))
    .transform((value, context) => {
      const text = oneLine(value);
      if (isDay(text)) return text;
      const at = readDateTime(text);
      if (at !== null) return dayInItaly(at);
      add(context, { code: 'invalid_date_time', message: `must be ${A_DAY}` });
      return '';
    })
    .meta({
      type: 'string',
      anyOf: ['date', 'date-time'].map(format => ({ type: 'string', format, pattern: YEARS_PATTERN })),
    });
}
