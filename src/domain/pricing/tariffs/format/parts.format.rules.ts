import { z } from 'zod';
import { oneLine } from '../../../../platform/plain-text.ts';
import type { Unit } from '../units.rules.ts';

/** Parts that the forms of tariffs consist of: numbers, days, codes and places. */

const MAX_PRICE = 100_000;
export const MAX_BAND_KG = 100_000;
export const MAX_BANDS = 1_000;
export const MAX_PLACES = 200_000;
export const MAX_PLACE_LENGTH = 200;

const MAX_CM = 1_000;

export const price = z.number().min(0).max(MAX_PRICE).describe('EUR before VAT, at most 2 decimals.');
/** EUR that may be below 0. */
export const euro = z.number().min(-MAX_PRICE).max(MAX_PRICE);
export const percent = z.number().min(0).max(300).describe('Percent, at most 4 decimals.');
export const kg = z.number().positive().max(MAX_BAND_KG).describe('Kilograms, at most 3 decimals.');
export const cm = z.number().positive().max(MAX_CM).describe('Centimetres, at most 2 decimals.');
export const day = z.iso
  .date({ abort: true })
  .regex(/^20/)
  .describe('Calendar day in Italy, `YYYY-MM-DD`, 2000 to 2099.');
/** Without control characters and halves of characters, which could not be stored. */
export const PLAIN_TEXT = /^[^\p{Cc}\p{Cs}]*$/u;
export const text = z.string().overwrite(oneLine).min(1).max(200).regex(PLAIN_TEXT);
export const country = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .describe('ISO 3166-1 alpha-2 code; `EU` stands for every member state.');
export const zoneCode = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/)
  .describe('Code of a zone.');
export const lineCode = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Code of a line of the price, in snake_case.');

/** States in JSON Schema that at least one of these fields is needed. */
export const atLeastOne = (...fields: readonly string[]) => ({ anyOf: fields.map(field => ({ required: [field] })) });

/** Fields of a rule by name, each with its properties. */
export interface RuleFields<Shape extends z.ZodRawShape> {
  readonly form: Shape;
  /** The words for them in a comparison of two tariffs. */
  readonly words: Readonly<Record<string, string>>;
  /** Units of its numbers, by field: they say how many decimals each may have. */
  readonly units: Readonly<Record<string, Unit>>;
}

export function ruleFields<Shape extends z.ZodRawShape>(fields: RuleFields<Shape>): RuleFields<Shape> {
  return fields;
}

/** Places by what they are; lists of places and zones have them. */
export const PLACE_FIELDS = {
  // Read one by one where they are compiled: there may be many thousands, and each wrong one would be an issue here.
  postalCodes: z
    .array(z.string().meta({ pattern: '^(?:[A-Z]{2} )?[A-Za-z0-9][A-Za-z0-9 -]{0,20}\\*?$' }))
    .max(MAX_PLACES)
    .describe(
      '`90139`, a range of whole codes `57030-57039`, or a beginning `90*`; Italian unless a country stands before it: `ES 35*`, `GB AB31-AB38`. `47890-47899` and `00120` are of San Marino and the Vatican; a wider range holds Italian places only.',
    )
    .optional(),
  municipalities: z
    .array(z.string().meta({ minLength: 1, maxLength: MAX_PLACE_LENGTH }))
    .max(20_000)
    .describe(
      'Italian comuni, such as `Cortina d’Ampezzo`, `Samone (TO)` or `Lipari (ME 98055)`. A comune counts with the CAPs in brackets, else with every CAP of the province in brackets, else with every CAP; Livigno, Campione d’Italia and a few more count with their own CAPs only.',
    )
    .optional(),
  towns: z
    .array(z.string().meta({ minLength: 1, maxLength: MAX_PLACE_LENGTH }))
    .max(20_000)
    .describe(
      'Towns abroad, with their country: `CH Samnaun`. One with a postal code in brackets counts with that code alone: `DE Neustadt (67433)`.',
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
};

export const PLACES_IN_ORDER =
  'Places. If several fit, the most specific counts: postal code, range (the narrower first), comune or town, province, region, country, EU, anywhere.';
