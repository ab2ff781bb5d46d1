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

/** One of the counts that are multiplied, in whole units of the measure. */
interface Factor {
  readonly measure: Measure;
  readonly every: number;
  readonly above: number;
}

interface Product {
  readonly cents: number;
  readonly factors: readonly Factor[];
}

/** A limit above every price that the service quotes. It keeps the product of large counts within exact numbers. */
const MOST_CENTS = 4 * MAX_TOTAL_CENTS;

const begun = ({ measure, above, every }: Factor, situation: Situation) =>
  Math.ceil(Math.max(0, measured(measure, situation) - above) / every);
const eachText = ({ measure, every, above }: Factor) =>
  `for each ${amountText(measure, every)} begun${above > 0 ? ` above ${amountText(measure, above)}` : ''}`;

/**
 * An amount for each begun step of one measure times each begun step of another, such as storage by quintale and day.
 */
export const productCharge = chargeKind({
  form: {
    product: z
      .strictObject({
        price: euro.describe('EUR for each begun of the one and of the other.'),
        measures: z
          .array(
            z.strictObject({
              measure: z.enum(MEASURE_NAMES),
              every: z.number().positive().max(1_000_000),
              above: z.number().min(0).max(1_000_000).describe('Only what lies above this.').optional(),
            }),
          )
          .length(2)
          .describe('What is counted, and multiplied.'),
      })
      .describe('A price for each begun so much of two measures, which are multiplied.')
      .optional(),
  },
  parts: ['product'],
  needs: {},
  decimals: {},
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
      factors: product.measures.map(({ measure, every, above = 0 }) => ({
        measure,
        every: scaledSigned(every, MEASURES[measure].decimals) ?? Number.NaN,
        above: scaledSigned(above, MEASURES[measure].decimals) ?? Number.NaN,
      })),
    },
  apply: ({ cents: each, factors }, _amounts, situation) => {
    let amount = each;
    for (const factor of factors) amount *= begun(factor, situation);
    return Math.max(-MOST_CENTS, Math.min(amount, MOST_CENTS)) * MICRO;
  },
  pricing: ({ cents: each, factors }) => `${money(each)} ${factors.map(eachText).join(' and ')}`,
  explain: ({ cents: each, factors }, _amounts, situation) => {
    const counts = factors.map(factor => {
      const of = measureText(factor.measure, situation);
      return ` × ${begun(factor, situation)} ${eachText(factor)} of ${of}`;
    });
    return `${money(each)}${counts.join('')}`;
  },
});
