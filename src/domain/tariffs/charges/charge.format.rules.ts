import { z } from 'zod';
import { MEASURE_NAMES } from '../conditions/measures.rules.ts';
import { atLeastOne, euro } from '../format/parts.format.rules.ts';
import { CHARGE_KINDS, chargeFields } from './charge-kinds.rules.ts';

/**
 * The form of a price, which is one form everywhere in a tariff: a sum of the ways to charge, with bounds and brackets.
 */

/** Fields of which a sum needs one. */
export const SUM_PARTS: readonly string[] = CHARGE_KINDS.flatMap(({ parts }): readonly string[] => parts);
const needs = Object.assign({}, ...CHARGE_KINDS.map(kind => kind.needs)) as Record<string, readonly string[]>;
const TOGETHER = { dependentRequired: needs };

export const amount = z.strictObject(chargeFields).meta({ id: 'Sum', ...atLeastOne(...SUM_PARTS), ...TOGETHER });

const bounds = {
  minimum: euro.describe('EUR at least.').optional(),
  maximum: euro.describe('EUR at most.').optional(),
};

export const charge = z
  .strictObject({
    ...chargeFields,
    ...bounds,
    above: z
      .number()
      .positive()
      .max(1_000_000)
      .describe('EUR that `of` leaves out; where it is no more, the line costs 0.00.')
      .optional(),
    greaterOf: z.array(amount).min(2).max(10).describe('The greatest of these.').optional(),
    brackets: z
      .strictObject({
        by: z.enum(MEASURE_NAMES),
        prices: z
          .array(
            z
              .strictObject({
                upTo: z.number().positive().max(1_000_000).describe('This or less; left out on the last.').optional(),
                ...chargeFields,
                ...bounds,
              })
              .meta({ ...atLeastOne(...SUM_PARTS), ...TOGETHER }),
          )
          .min(1)
          .max(100),
      })
      .describe('The price of the first that reaches.')
      .meta({ id: 'Brackets' })
      .optional(),
  })
  .describe('The sum of what is given; minimum and maximum apply before it is rounded to the cent.')
  .meta({
    id: 'Price',
    ...atLeastOne(...SUM_PARTS, 'greaterOf', 'brackets'),
    dependentRequired: { ...needs, above: ['of'] },
  });

export type Sum = z.infer<typeof amount>;
export type Charge = z.infer<typeof charge>;
export type Bracket = NonNullable<Charge['brackets']>['prices'][number];
