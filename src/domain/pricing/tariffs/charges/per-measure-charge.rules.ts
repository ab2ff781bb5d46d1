import { z } from 'zod';
import { measureText } from '../conditions/measures.rules.ts';
import { checkMeasure } from '../conditions/measures-condition.rules.ts';
import { euro } from '../format/parts.format.rules.ts';
import { cents, money } from '../units.rules.ts';
import { chargeKind, rejectNegative } from './charge-kind.rules.ts';
import {
  begun,
  boundedMicroCents,
  compileStep,
  eachText,
  type MeasuredStep,
  stepForm,
} from './measured-steps.rules.ts';

interface PricedStep extends MeasuredStep {
  readonly cents: number;
}

/** An amount for each begun step of a measure, such as 10 kg. */
export const perMeasureCharge = chargeKind({
  form: {
    per: z
      .array(
        z.strictObject({
          ...stepForm,
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
  units: {},
  guide: ['`per`', 'a list: `price` EUR for each begun `every` of `measure`; with `above`, only of what lies above it'],
  words: {},
  isCalculated: ({ per }) => per !== undefined,
  check: (issues, path, { per = [] }, rules) => {
    for (const [i, { measure, price }] of per.entries()) {
      checkMeasure(issues, [...path, 'per', i, 'measure'], measure, rules.isLate);
      rejectNegative(issues, [...path, 'per', i, 'price'], price, rules);
    }
  },
  compile: ({ per }): readonly PricedStep[] | undefined =>
    per?.map(step => ({ ...compileStep(step), cents: cents(step.price) })),
  apply: (steps, _amounts, situation) => {
    let microCents = 0;
    for (const step of steps) microCents += boundedMicroCents(step.cents * begun(step, situation));
    return microCents;
  },
  pricing: (steps, { words }) => steps.map(step => `${money(step.cents)} ${eachText(words, step)}`).join(' + '),
  explain: (steps, { words }, situation) =>
    steps
      .map(step => {
        const measured = words.of(measureText(words, step.measure, situation));
        return `${money(step.cents)} × ${begun(step, situation)} ${eachText(words, step)}${measured}`;
      })
      .join(' + '),
});
