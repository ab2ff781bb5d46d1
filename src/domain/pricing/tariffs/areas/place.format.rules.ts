import { z } from 'zod';
import { lineCode, PLACE_FIELDS, PLACES_IN_ORDER } from '../format/parts.format.rules.ts';

/** Places as a tariff names them. */

const listName = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/)
  .describe('Name of a list of places of the carrier, in snake_case.');

export const palletType = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,40}$/)
  .describe('Type of a pallet, such as `EUR`.');

const NAMED_PLACES = {
  ...PLACE_FIELDS,
  lists: z.array(listName).max(100).describe("The places of the carrier's lists of these names.").optional(),
};

export const area = z
  .strictObject({
    ...NAMED_PLACES,
    sameProvince: z.literal(true).describe('The province of the warehouse; before any province by name.').optional(),
    sameRegion: z.literal(true).describe('The region of the warehouse; before any region by name.').optional(),
    except: z
      .strictObject(NAMED_PLACES)
      .describe('Places that do not belong: there, it is as if the rest were not here.')
      .meta({ id: 'Exception' })
      .optional(),
  })
  .describe(PLACES_IN_ORDER)
  .meta({ id: 'Area' });

/** A list of places, replaced by itself. */
export const placeListFormat = z.strictObject(PLACE_FIELDS).describe('Places.');

export type Area = z.infer<typeof area>;
export type PlaceList = z.infer<typeof placeListFormat>;

export const originCodes = z.array(lineCode).min(1).max(100).describe('It leaves from one of these origins.');
