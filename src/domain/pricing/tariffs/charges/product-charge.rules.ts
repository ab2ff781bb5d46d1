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

/** The price for one step of each measure. */
interface Product {
  readonly cents: number;
  readonly factors: readonly MeasuredStep[];
}

/**
 * An amount for each begun step of one measure times each begun step of another, such as storage by quintale and day.
 */
export const productCharge = chargeKind({
  form: {
    product: z
      .strictObject({
        price: euro.describe('EUR for each begun of the one and of the other.'),
        measures: z.array(z.strictObject(stepForm)).length(2).describe('The two counts that are multiplied.'),
      })
      .describe('A price for each begun so much of two measures, which are multiplied.')
      .optional(),
  },
  parts: ['product'],
  needs: {},
  units: {},
  guide: [
    '`product`',
    '`price` EUR, multiplied by the begun `every` of each of two `measures`; with `above`, only of what lies above it. Storage of 0.50 for each 100 kg and day: `{ "price": 0.5, "measures": [{ "measure": "chargeableKg", "every": 100 }, { "measure": "storageDays", "every": 1 }] }`',
  ],
  words: { product: 'price by two measures' },
  isCalculated: ({ product }) => product !== undefined,
  check: (issues, path, { product }, rules) => {
    if (product === undefined) return;
    const { measures, price } = product;
    for (const [i, { measure }] of measures.entries())
      checkMeasure(issues, [...path, 'product', 'measures', i, 'measure'], measure, rules.isLate);
    rejectNegative(issues, [...path, 'product', 'price'], price, rules);
  },
  compile: ({ product }): Product | undefined =>
    product && {
      cents: cents(product.price),
      factors: product.measures.map(compileStep),
    },
  apply: ({ cents: each, factors }, _amounts, situation) => {
    let amount = each;
    for (const factor of factors) amount *= begun(factor, situation);
    return boundedMicroCents(amount);
  },
  pricing: ({ cents: each, factors }, { words }) =>
    `${money(each)} ${factors.map(factor => eachText(words, factor)).join(words.and)}`,
  explain: ({ cents: each, factors }, { words }, situation) => {
    const counts = factors.map(factor => {
      const measured = words.of(measureText(words, factor.measure, situation));
      return ` × ${begun(factor, situation)} ${eachText(words, factor)}${measured}`;
    });
    return `${money(each)}${counts.join('')}`;
  },
});
