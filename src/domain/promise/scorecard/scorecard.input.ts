import type { z } from 'zod';
import type { Issue } from '../../../platform/fault.ts';
import { inputObject } from '../../common/fields.input.ts';
import { lengthOf } from '../../common/period.rules.ts';
import { calendarDay } from '../../common/times.input.ts';

/** A quarter. */
const MAX_DAYS = 92;

/** The days of a scorecard. */
export const scorecardPeriod = inputObject(
  'DeliveryPeriodInput',
  'Days in Italy on which shipments were delivered.',
  {
    from: calendarDay().describe('The first day.'),
    to: calendarDay().describe(`The last day; at most ${MAX_DAYS} days in all.`),
  },
  ({ from, to }): readonly Issue[] => {
    if (from === undefined || to === undefined) return [];
    const days = lengthOf({ from, to });
    if (days < 1) return [{ path: ['to'], code: 'empty_range', message: 'must not be before `from`' }];
    if (days <= MAX_DAYS) return [];
    return [{ path: ['to'], code: 'out_of_range', message: `must end at most ${MAX_DAYS} days after it begins` }];
  },
);

export type ScorecardPeriod = z.output<typeof scorecardPeriod>;
