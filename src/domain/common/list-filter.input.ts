import { inputObject, list, text } from './fields.input.ts';
import { dateTime } from './times.input.ts';

/** Conditions that lists of shipments and of orders share. */

/** How many values a condition may have. */
export const MAX_SOUGHT = 100;

export const dateRangeInput = inputObject('DateTimeRange', 'A range of times. One end may be left open.', {
  from: dateTime().nullish().describe('At this time or later.'),
  to: dateTime().nullish().describe('Before this time.'),
});

/** Texts, one of which a record must have. */
export function soughtTexts(max?: number) {
  return list(text(max), { max: MAX_SOUGHT }).nullish();
}
