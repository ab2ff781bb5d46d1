import { z } from 'zod';
import { measureName } from './condition.format.rules.ts';
import { atLeastOne, day, MAX_PRICE } from './parts.format.rules.ts';

/** What a line costs, in the one form that it has everywhere in a tariff. */

const euro = z.number().min(-MAX_PRICE).max(MAX_PRICE);
const percent = z.number().min(-100).max(300).describe('Percent, at most 4 decimals; below 0 for a discount.');

const sumFields = {
  fixed: euro.describe('EUR a shipment.').optional(),
  perKg: z.number().min(-50).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.').optional(),
  aboveKg: z.number().positive().max(100_000).describe('With `perKg`: only kilograms above this.').optional(),
  perParcel: z.number().min(-1_000).max(1_000).describe('EUR a parcel, at most 2 decimals.').optional(),
  parcels: z
    .enum(['matching', 'all'])
    .describe(
      'With `perParcel`: the parcels that the condition `parcel` of the line is about (without one: all), or all.',
    )
    .optional(),
  afterParcels: z.int().min(1).max(500).describe('With `perParcel`: not for the first so many.').optional(),
  percent: percent.optional(),
  rates: z
    .array(z.strictObject({ from: day, percent }))
    .min(1)
    .max(1_000)
    .describe('Instead of `percent`: by date, ascending; the first not after `validFrom`.')
    .optional(),
  index: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,39}$/)
    .describe("Instead of `percent`: the carrier's index of this name, by month.")
    .optional(),
  of: z
    .array(z.string().regex(/^[a-z][A-Za-z0-9_]{0,39}$/))
    .min(1)
    .max(100)
    .describe(
      'Lines by code, all lines of `base`, `surcharges`, `fuel`, `options`, `cod` or `insurance`, or the amounts `codAmount` and `insuredValue`.',
    )
    .optional(),
  per: z
    .array(
      z.strictObject({
        measure: measureName,
        every: z.number().positive().max(1_000_000),
        above: z.number().min(0).max(1_000_000).describe('Only what lies above this.').optional(),
        price: euro.describe('EUR for each begun.'),
      }),
    )
    .min(1)
    .max(10)
    .describe('A price for each begun so much of something.')
    .optional(),
};

const PARTS = ['fixed', 'perKg', 'perParcel', 'percent', 'rates', 'index', 'per'];
const TOGETHER = {
  dependentRequired: {
    percent: ['of'],
    rates: ['of'],
    index: ['of'],
    aboveKg: ['perKg'],
    parcels: ['perParcel'],
    afterParcels: ['perParcel'],
  },
};

export const amount = z.strictObject(sumFields).meta({ id: 'Sum', ...atLeastOne(...PARTS), ...TOGETHER });

const bounds = {
  minimum: euro.describe('EUR at least.').optional(),
  maximum: euro.describe('EUR at most.').optional(),
};

export const charge = z
  .strictObject({
    ...sumFields,
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
        by: measureName,
        prices: z
          .array(
            z
              .strictObject({
                upTo: z.number().positive().max(1_000_000).describe('This or less; left out on the last.').optional(),
                ...sumFields,
                ...bounds,
              })
              .meta({ ...atLeastOne(...PARTS), ...TOGETHER }),
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
    ...atLeastOne(...PARTS, 'greaterOf', 'brackets'),
    dependentRequired: { ...TOGETHER.dependentRequired, above: ['of'] },
  });

export type Sum = z.infer<typeof amount>;
export type Charge = z.infer<typeof charge>;
export type Bracket = NonNullable<Charge['brackets']>['prices'][number];
