import type { z } from 'zod';
import { periodInput } from '../../../common/period.input.ts';

/** The longest period of a scorecard: a quarter. */
const MAX_DAYS = 92;

/** The days of a scorecard. */
export const scorecardPeriod = periodInput(
  'DeliveryPeriodInput',
  'Days in Italy on which shipments were delivered.',
  MAX_DAYS,
);

export type ScorecardPeriod = z.output<typeof scorecardPeriod>;
