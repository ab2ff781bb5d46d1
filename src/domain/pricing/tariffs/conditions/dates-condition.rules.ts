import { z } from 'zod';
import { day } from '../format/parts.format.rules.ts';
import { conditionKind } from './condition-kind.rules.ts';
import { checkNotEmpty } from './ranges.rules.ts';

const FIRST_DAY = '0000-01-01';
const LAST_DAY = '9999-12-31';

/** A day of shipment within a range. */
export const datesCondition = conditionKind({
  form: {
    dates: z
      .strictObject({
        from: day.describe('First day.').optional(),
        until: day.describe('Last day.').optional(),
      })
      .describe('Day of shipment.')
      .meta({ minProperties: 1 })
      .optional(),
  },
  isEarly: true,
  isCostly: false,
  guide: ['`dates`', 'the day of shipment is not before `from` and not after `until`; one of them can be left out'],
  words: {},
  check: (issues, path, { dates }) => {
    if (!dates) return;
    checkNotEmpty(issues, [...path, 'dates'], dates);
    const { from = '', until = '9' } = dates;
    if (until < from) issues.add([...path, 'dates', 'until'], 'out_of_range', `must not lie before from, ${from}`);
  },
  compile: ({ dates }) => dates && { from: dates.from ?? FIRST_DAY, until: dates.until ?? LAST_DAY },
  holds: ({ from, until }, { shipment: { date } }) => from <= date && date <= until,
});
