import { z } from 'zod';
import { graphqlTypes } from '../../../platform/input.ts';
import { readDateTime } from '../../common/date-time.rules.ts';
import { add, inputObject, mustBe, text } from '../../common/fields.input.ts';

export const publishTariffInput = inputObject('PublishTariffInput', 'A draft to be published.', {
  publishDate: calendarDay()
    .nullish()
    .describe('The day in Italy on which quotes begin to use it. At once if left out, or for today.'),
});

export const rollbackTariffInput = inputObject('RollbackTariffInput', 'A tariff to restore.', {
  name: text().nullish().describe('Name of the new revision. The name of the old one if left out.'),
});

/** A calendar day, `YYYY-MM-DD`. */
function calendarDay() {
  const allowed = 'a date such as 2026-06-30';
  const schema = z
    .string(mustBe(allowed))
    .check(payload => {
      payload.value = payload.value.trim();
      const isDay = /^\d{4}-\d{2}-\d{2}$/.test(payload.value) && readDateTime(`${payload.value}T12:00:00Z`) !== null;
      if (!isDay) add(payload, { code: 'invalid_date_time', message: `must be ${allowed}` });
    })
    .meta({ type: 'string', format: 'date' });
  graphqlTypes.add(schema, { name: 'Date' });
  return schema;
}
