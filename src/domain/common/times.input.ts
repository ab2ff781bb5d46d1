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

/** A calendar day, `YYYY-MM-DD`. */
export function calendarDay() {
  const allowed = `a date ${YEARS}, such as 2026-06-30`;
  const schema = z
    .string(mustBe(allowed))
    .check(payload => {
      payload.value = oneLine(payload.value);
      const isDay = /^\d{4}-\d{2}-\d{2}$/.test(payload.value) && readDateTime(`${payload.value}T12:00:00Z`) !== null;
      if (!isDay) add(payload, { code: 'invalid_date_time', message: `must be ${allowed}` });
    })
    .meta({ type: 'string', format: 'date', pattern: YEARS_PATTERN });
  return named('Date', schema);
}

/** A calendar day, or a moment, which means its day in Italy. */
export function dayOrDateTime() {
  const allowed = `a date ${YEARS}, such as 2026-06-30`;
  return z
    .string(mustBe(allowed))
    .transform((value, context) => {
      const day = oneLine(value);
      const at = readDateTime(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T12:00:00Z` : day);
      if (at !== null) return dayInItaly(at);
      add(context, { code: 'invalid_date_time', message: `must be ${allowed}` });
      return '';
    })
    .meta({
      type: 'string',
      anyOf: ['date', 'date-time'].map(format => ({ type: 'string', format, pattern: YEARS_PATTERN })),
    });
}
