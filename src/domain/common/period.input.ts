import type { Issue } from '../../platform/fault.ts';
import { inputObject } from './fields.input.ts';
import { lengthOf } from './period.rules.ts';
import { calendarDay } from './times.input.ts';

/** Days in Italy from a first to a last one, as many as `maxDays` at most. */
export function periodInput(name: string, description: string, maxDays: number) {
  return inputObject(
    name,
    description,
    {
      from: calendarDay().describe('The first day.'),
      to: calendarDay().describe(`The last day; at most ${maxDays} days in all.`),
    },
    ({ from, to }): readonly Issue[] => {
      if (from === undefined || to === undefined) return [];
      const days = lengthOf({ from, to });
      if (days < 1) return [{ path: ['to'], code: 'empty_range', message: 'must not be before `from`' }];
      if (days <= maxDays) return [];
      return [{ path: ['to'], code: 'out_of_range', message: `must end at most ${maxDays} days after it begins` }];
    },
  );
}
