import { z } from 'zod';
import {
  amountText,
  MEASURE_NAMES,
  MEASURES,
  type Measure,
  measured,
  measureText,
} from '../conditions/measures.rules.ts';
import { checkMeasure } from '../conditions/measures-condition.rules.ts';
import type { Situation } from '../conditions/situation.rules.ts';
import { euro } from '../format/parts.format.rules.ts';
import { cents, MAX_TOTAL_CENTS, MICRO, money, scaledSigned } from '../units.rules.ts';
import { chargeKind, rejectNegative } from './charge-kind.rules.ts';

/** In whole units of the measure, and cents. */
interface PerStep {
  readonly measure: Measure;
  readonly every: number;
  readonly above: number;
  readonly cents: number;
}

/** A limit above every price that the service quotes. It keeps prices of many small steps within exact numbers. */
const MOST_CENTS = 4 * MAX_TOTAL_CENTS;

const begun = ({ measure, above, every }: PerStep, situation: Situation) =>
  Math.ceil(Math.max(0, measured(measure, situation) - above) / every);
const eachText = ({ measure, every, above }: PerStep) =>
  `for each ${amountText(measure, every)} begun${above > 0 ? ` above ${amountText(measure, above)}` : ''}`;

/** An amount for each begun step of a measure, such as 10 kg. */
export const perMeasureCharge = chargeKind({
  form: {
    per: z
      .array(
        z.strictObject({
          measure: z.enum(MEASURE_NAMES),
          every: z.number().positive().max(1_000_000),
          above: z.number().min(0).max(1_000_000).describe('Only what lies above this.').optional(),
          price: euro.describe('EUR for each begun.'),
        }),
      )
      .min(1)
      .max(10)
      .describe('A price for each begun so much of something.')
      .optional(),
  },
  parts: ['per'],
  needs: {},
  decimals: {},
  guide: ['`per`', 'a list: `price` EUR for each begun `every` of `measure`; with `above`, only of what lies above it'],
  words: {},
  isCalculated: ({ per }) => per !== undefined,
  check: (issues, path, { per = [] }, rules) => {
    for (const [i, { measure, price }] of per.entries()) {
      checkMeasure(issues, [...path, 'per', i, 'measure'], measure, rules.isLate);
      rejectNegative(issues, [...path, 'per', i, 'price'], price, rules);
    }
  },
  compile: ({ per }): readonly PerStep[] | undefined =>
    per?.map(({ measure, every, above = 0, price }) => ({
      measure,
      every: scaledSigned(every, MEASURES[measure].decimals) ?? Number.NaN,
      above: scaledSigned(above, MEASURES[measure].decimals) ?? Number.NaN,
      cents: cents(price),
    })),
  apply: (steps, _amounts, situation) => {
    let microCents = 0;
    for (const step of steps) {
      const amount = step.cents * begun(step, situation);
      microCents += Math.max(-MOST_CENTS, Math.min(amount, MOST_CENTS)) * MICRO;
    }
    return microCents;
  },
  pricing: steps => steps.map(step => `${money(step.cents)} ${eachText(step)}`).join(' + '),
  explain: (steps, _amounts, situation) =>
    steps
      .map(step => {
        const of = measureText(step.measure, situation);
        return `${money(step.cents)} × ${begun(step, situation)} ${eachText(step)} of ${of}`;
      })
      .join(' + '),
});
