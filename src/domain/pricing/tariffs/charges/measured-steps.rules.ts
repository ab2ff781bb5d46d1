import { z } from 'zod';
import { amountText, MEASURE_NAMES, MEASURES, type Measure, measured } from '../conditions/measures.rules.ts';
import type { Words } from '../explanation-words.rules.ts';
import type { Situation } from '../shipment-terms.rules.ts';
import { MAX_TOTAL_CENTS, MICRO, scaledSigned } from '../units.rules.ts';

/** The begun steps of a measure, such as 10 kg, by which charges are counted. */

/** In whole units of the measure. */
export interface MeasuredStep {
  readonly measure: Measure;
  readonly every: number;
  readonly above: number;
}

export const stepForm = {
  measure: z.enum(MEASURE_NAMES),
  every: z.number().positive().max(1_000_000),
  above: z.number().min(0).max(1_000_000).describe('Only what lies above this.').optional(),
};

type StepInput = z.infer<z.ZodObject<typeof stepForm>>;

export const compileStep = ({ measure, every, above = 0 }: StepInput): MeasuredStep => ({
  measure,
  every: scaledSigned(every, MEASURES[measure].decimals) ?? Number.NaN,
  above: scaledSigned(above, MEASURES[measure].decimals) ?? Number.NaN,
});

export const begun = ({ measure, above, every }: MeasuredStep, situation: Situation) =>
  Math.ceil(Math.max(0, measured(measure, situation) - above) / every);

export const eachText = (words: Words, { measure, every, above }: MeasuredStep) =>
  words.forEach(amountText(words, measure, every)) + (above > 0 ? words.above(amountText(words, measure, above)) : '');

/** A limit above every price that the service quotes. It keeps prices of many small steps within exact numbers. */
const MOST_CENTS = 4 * MAX_TOTAL_CENTS;

/** An amount that was counted by steps, in millionths of a cent. */
export const boundedMicroCents = (amount: number) => Math.max(-MOST_CENTS, Math.min(amount, MOST_CENTS)) * MICRO;
