import { z } from 'zod';

/**
 * The form of a tariff, from which its type and `schema/tariff.schema.json` come. What a form can't say (bands without
 * gaps, zones that exist, percentages that don't refer in a circle) is checked in `tariff.check.rules.ts`.
 */

/** Bounds that hold for the cells of a grid as well. */
export const MAX_PRICE = 100_000;
export const MAX_BAND_KG = 100_000;
export const MAX_BANDS = 1_000;
export const MAX_PLACES = 200_000;
export const MAX_PLACE_LENGTH = 200;

const MAX_CM = 1_000;

const price = z.number().min(0).max(MAX_PRICE).describe('EUR before VAT, at most 2 decimals.');
const percent = z.number().min(0).max(300).describe('Percent, at most 4 decimals.');
const kg = z.number().positive().max(MAX_BAND_KG).describe('Kilograms, at most 3 decimals.');
const cm = z.number().positive().max(MAX_CM).describe('Centimetres, at most 2 decimals.');
const day = z.iso.date({ abort: true }).regex(/^20/).describe('Calendar day in Italy, `YYYY-MM-DD`, 2000 to 2099.');
/** Without control characters and halves of characters, which could not be stored. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
const text = z.string().trim().min(1).max(200).regex(PLAIN_TEXT);
const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .describe('ISO 3166-1 alpha-2 code; `EU` stands for every member state.');
const zoneCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/)
  .describe('Code of a zone.');
const lineCode = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Code of a line of the price, in snake_case.');
const of = z
  .array(lineCode)
  .min(1)
  .max(100)
  .describe(
    'Lines of the price: `base`, `fuel`, `cod`, `insurance`, a surcharge or an option by its code, or all `surcharges` or `options`.',
  );

const area = z
  .strictObject({
    // Read one by one where they are compiled: there may be many thousands, and each wrong one would be an issue here.
    postalCodes: z
      .array(z.string().meta({ pattern: '^(?:[A-Z]{2} )?[A-Za-z0-9][A-Za-z0-9 -]{0,20}\\*?$' }))
      .max(MAX_PLACES)
      .describe(
        '`90139`, a range `57030-57039` (or of beginnings, `57-59`), or a beginning `90*`; Italian unless a country stands before it: `ES 35*`. `47890-47899` and `00120` are of San Marino and the Vatican; a wider range holds Italian places only.',
      )
      .optional(),
    municipalities: z
      .array(z.string().meta({ minLength: 1, maxLength: MAX_PLACE_LENGTH }))
      .max(20_000)
      .describe(
        'Italian comuni, such as `Cortina d’Ampezzo`, `Samone (TO)` or `Lipari (ME 98055)`. A comune counts with the CAPs in brackets, else with every CAP of the province in brackets, else with every CAP; Livigno, Campione d’Italia and a few more count with their own CAPs only.',
      )
      .optional(),
    provinces: z
      .array(text)
      .max(200)
      .describe(
        "Italian provinces: abbreviation or name. Sardinia's of before 2016, of 2016 to 2025 and of today are known.",
      )
      .optional(),
    regions: z.array(text).max(20).describe('Italian regions, by name.').optional(),
    countries: z.array(country).max(250).optional(),
    anywhere: z.literal(true).describe('Every place that no other rule names.').optional(),
  })
  .describe(
    'Places. Of several that fit, the most specific counts: postal code, range (the narrower first), comune, province, region, country, EU, anywhere.',
  );

const sum = z.strictObject({
  fixed: price.describe('EUR a shipment.').optional(),
  perKg: z.number().min(0).max(50).describe('EUR a kilogram of chargeable weight, at most 5 decimals.').optional(),
  perParcel: z.number().min(0).max(1_000).describe('EUR a parcel, at most 2 decimals.').optional(),
  percent: percent.optional(),
  of: of.optional(),
});

const charge = z
  .strictObject({
    ...sum.shape,
    greaterOf: z.tuple([sum, sum]).describe('The greater of two.').optional(),
    minimum: price.describe('EUR at least.').optional(),
    maximum: price.describe('EUR at most.').optional(),
  })
  .describe(
    'The sum of what is given, or the greater of two sums; minimum and maximum apply before it is rounded to the cent.',
  );

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
  description: text.describe('What it is, in Italian: shown with the price.'),
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
        roundUpToKg: z.number().positive().max(100).describe('Chargeable weight is rounded up to a multiple of it.'),
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
      .describe('What is carried at most.')
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

export const tariffFormat = z
  .strictObject({
    $schema: z.string().max(500).optional(),
    name: text,
    currency: z.literal('EUR').default('EUR'),
    versions: z.array(version).min(1).max(50).describe('By date, ascending, without gaps or overlaps.'),
  })
  .describe("What a carrier charges on one of the company's connections.");

/** A tariff, as it is imported, stored and exported. */
export type Tariff = z.infer<typeof tariffFormat>;
export type TariffVersion = Tariff['versions'][number];
export type Zone = TariffVersion['zones'][number];
export type Band = Zone['bands'][number];
export type Area = z.infer<typeof area>;
export type Line = z.infer<typeof line>;
export type Charge = z.infer<typeof charge>;
export type Sum = z.infer<typeof sum>;
export type Condition = z.infer<typeof condition>;

/** JSON Schema of a tariff, as it stands in `schema/tariff.schema.json`. */
export function tariffJsonSchema(): object {
  return { title: 'Tariff', ...z.toJSONSchema(tariffFormat, { target: 'draft-2020-12', io: 'input' }) };
}
