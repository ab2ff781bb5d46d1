import { inputObject, text } from '../../../common/fields.input.ts';
import { calendarDay } from '../../../common/times.input.ts';

export const publishTariffInput = inputObject('PublishTariffInput', 'A draft to be published.', {
  publishDate: calendarDay()
    .nullish()
    .describe('The day in Italy on which quotes begin to use it. At once if left out, or for today.'),
});

export const rollbackTariffInput = inputObject('RollbackTariffInput', 'A tariff to restore.', {
  name: text().nullish().describe('Name of the new revision. The name of the old one if left out.'),
});
