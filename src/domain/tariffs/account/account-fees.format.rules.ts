import { z } from 'zod';
import { lineCode, price, text } from '../format/parts.format.rules.ts';

/** The form of what a contract charges for the account, outside of the price of a shipment. */

const named = {
  code: lineCode,
  description: text.describe('What it is, in Italian.'),
};

const fee = z
  .strictObject({
    ...named,
    per: z.enum(['month', 'pickup']).describe('Charged once a month, or for each pickup.'),
    price,
  })
  .meta({ id: 'AccountFee' });

const minimum = z
  .strictObject({ ...named, price: price.describe('EUR that the shipments of a month come to at least, before VAT.') })
  .describe('What the shipments of a month lack to this amount is charged.')
  .meta({ id: 'AccountMinimum' });

const bonus = z
  .strictObject({
    ...named,
    by: z.enum(['shipments', 'spend']).describe('The volume of a year: the number of shipments, or EUR before VAT.'),
    steps: z
      .array(
        z.strictObject({
          from: z.number().min(0).max(1_000_000_000).describe('From this volume on.'),
          percent: z.number().positive().max(100).describe('Percent of all shipments of the year, at most 4 decimals.'),
        }),
      )
      .min(1)
      .max(50)
      .describe('Ascending; the last that is reached counts for the whole year.'),
  })
  .describe('What the carrier pays back after a year. Only simulations show it.')
  .meta({ id: 'AccountBonus' });

export const account = z
  .strictObject({
    fees: z.array(fee).max(20).default([]),
    minimum: minimum.optional(),
    bonus: bonus.optional(),
  })
  .describe(
    'What is charged for the account. It is in no price of a shipment; simulations and checks of invoices know it.',
  )
  .meta({ id: 'Account' });

export type Account = z.infer<typeof account>;
