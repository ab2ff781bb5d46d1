import { z } from 'zod';
import {
  atLeastOne,
  cm,
  country,
  day,
  kg,
  lineCode,
  MAX_BAND_KG,
  MAX_BANDS,
  PLACE_FIELDS,
  PLACES_IN_ORDER,
  percent,
  price,
  text,
  zoneCode,
} from '../format/parts.format.rules.ts';

/** The form of tariffs of version 0.1, which have no `format`. They are read, and translated by `legacy.rules.ts` at once. */

const of = z
  .array(lineCode)
  .min(1)
  .max(100)
  .describe(
    'Lines of the price: `base`, `fuel`, `cod`, `insurance`, a surcharge or an option by its code, or all `surcharges` or `options`.',
  );

const area = z.strictObject(PLACE_FIELDS).describe(PLACES_IN_ORDER);

const PARTS = ['fixed', 'perKg', 'perParcel', 'percent'];
const TOGETHER = { dependentRequired: { percent: ['of'], of: ['percent'] } };

const sumFields = z.strictObject({
  fixed: price.describe('EUR a shipment.').optional(),
  perKg: z.number().min(0).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.').optional(),
  perParcel: z.number().min(0).max(1_000).describe('EUR a parcel, at most 2 decimals.').optional(),
  percent: percent.optional(),
  of: of.optional(),
});

const sum = sumFields.meta({ ...atLeastOne(...PARTS), ...TOGETHER });

const charge = z
  .strictObject({
    ...sumFields.shape,
    greaterOf: z.tuple([sum, sum]).describe('The greater of two.').optional(),
    minimum: price.describe('EUR at least.').optional(),
    maximum: price.describe('EUR at most.').optional(),
  })
  .describe(
    'The sum of the given prices, or the greater of two sums; minimum and maximum apply before it is rounded to the cent.',
  )
  .meta({ ...atLeastOne(...PARTS, 'greaterOf'), ...TOGETHER });

const condition = z
  .strictObject({
    zones: z.array(zoneCode).min(1).max(1_000).optional(),
    to: area.optional(),
    fromKg: kg.describe('Chargeable weight at least, kg.').optional(),
    parcelFromKg: kg.describe('Real weight of the heaviest parcel at least, kg.').optional(),
    longestSideOverCm: cm.describe('Longest side of any parcel beyond, cm.').optional(),
    sumOfSidesOverCm: cm.describe('Sum of the sides of any parcel beyond, cm.').optional(),
  })
  .describe('When it applies: all that is given must hold. Conditions on sides hold only where parcels are given.');

const line = z.strictObject({
  code: lineCode,
  description: text.describe('The description in Italian, shown with the price.'),
  when: condition.optional(),
  price: charge,
});

const band = z.strictObject({
  overKg: z
    .number()
    .min(0)
    .max(MAX_BAND_KG)
    .describe('The limit of the band before, if it is to be checked.')
    .optional(),
  upToKg: kg.describe('Up to and including, kg.'),
  price,
});

const zone = z
  .strictObject({
    code: zoneCode,
    name: text,
    to: area,
    deliveryDays: z.int().min(0).max(365).describe('Estimated days to delivery.').optional(),
    notServed: text.describe('Why nothing is carried there; such a zone has no bands.').optional(),
    bands: z
      .array(band)
      .max(MAX_BANDS)
      .describe('By weight, ascending. Empty where a CSV grid gives them.')
      .default([]),
    beyond: z
      .strictObject({ everyKg: kg.describe('Step, kg.'), price: price.describe('EUR for each step begun.') })
      .describe('Beyond the last band; without it nothing heavier is carried.')
      .optional(),
  })
  .describe('Where a price applies, and the price by weight.');

const version = z
  .strictObject({
    label: text.describe('Name of the version, such as `2026`.'),
    validFrom: day,
    validUntil: day.describe('Last day; left out on the last version: until further notice.').optional(),
    originCountries: z
      .array(country)
      .min(1)
      .max(250)
      .describe('Only from warehouses in these; left out: from anywhere.')
      .optional(),
    weight: z
      .strictObject({
        volumetric: z
          .union([
            z.strictObject({ kgPerM3: z.int().min(1).max(1_000).describe('Factor, kg a cubic metre.') }),
            z.strictObject({ cm3PerKg: z.int().min(1_000).max(1_000_000).describe('Divisor, cm³ a kilogram.') }),
          ])
          .describe('Left out: only the real weight counts.')
          .optional(),
        per: z
          .enum(['shipment', 'parcel'])
          .describe('Whether the greater weight is taken of the shipment, or of each parcel and then added.'),
        roundUpToKg: z
          .number()
          .positive()
          .max(100)
          .describe('The step to whose multiples chargeable weight is rounded up.'),
      })
      .describe('How the chargeable weight is found: the greater of real and volumetric, rounded up.'),
    limits: z
      .strictObject({
        parcelKg: kg.describe('Most real weight of a parcel.').optional(),
        shipmentKg: kg.describe('Most real weight of a shipment.').optional(),
        longestSideCm: cm.optional(),
        sumOfSidesCm: cm.optional(),
        parcels: z.int().min(1).max(500).describe('Most parcels of a shipment.').optional(),
      })
      .describe('The limits on what the carrier takes.')
      .default({}),
    zones: z.array(zone).min(1).max(1_000),
    surcharges: z.array(line).max(100).default([]),
    fuel: z
      .strictObject({
        description: text,
        of,
        rates: z
          .array(z.strictObject({ from: day, percent }))
          .min(1)
          .max(1_000)
          .describe('By date, ascending; the first not after `validFrom`.'),
      })
      .describe('Left out: included in the prices.')
      .optional(),
    options: z
      .array(line)
      .max(100)
      .describe('What can be asked for; `when` says for which shipments it is offered.')
      .default([]),
    cod: z
      .strictObject({
        description: text.optional(),
        fixed: price.optional(),
        percent: percent.describe('Percent of the amount collected.').optional(),
        minimum: price.optional(),
        maximumAmount: z.number().positive().max(1_000_000).describe('Most that is collected, EUR.').optional(),
      })
      .describe('Cash on delivery: the greater of the minimum and fixed + percentage. Left out: not offered.')
      .meta(atLeastOne('fixed', 'percent', 'minimum'))
      .optional(),
    insurance: z
      .strictObject({
        description: text.optional(),
        percent,
        minimum: price.optional(),
        allowance: price.describe('Value covered at no price; the percentage is of what lies above it.').optional(),
        maximumAmount: z.number().positive().max(1_000_000).describe('Most that is insured, EUR.').optional(),
      })
      .describe(
        'The greater of the minimum and the percentage of the value above the allowance. Left out: not offered.',
      )
      .optional(),
    vat: z
      .array(
        z.strictObject({
          to: area,
          percent: z.number().min(0).max(100).describe('VAT, percent, at most 4 decimals.'),
          note: text.describe('The legal ground.').optional(),
        }),
      )
      .min(1)
      .max(1_000)
      .describe('VAT by destination; left out: the table of the service.')
      .optional(),
  })
  .describe('The prices of a period.');

export const legacyFormat = z.strictObject({
  $schema: z.string().max(500).optional(),
  name: text,
  currency: z.literal('EUR').default('EUR'),
  versions: z.array(version).min(1).max(50),
});

export type LegacyTariff = z.infer<typeof legacyFormat>;
export type LegacyVersion = LegacyTariff['versions'][number];
export type LegacyCondition = z.infer<typeof condition>;
export type LegacyLine = z.infer<typeof line>;

/** Units of the numbers that the current format does not have, by field. */
export const legacyUnits = {
  maximumAmount: 'money',
  allowance: 'money',
  fromKg: 'kg',
  parcelFromKg: 'kg',
  roundUpToKg: 'kg',
  longestSideOverCm: 'cm',
  sumOfSidesOverCm: 'cm',
} as const;
