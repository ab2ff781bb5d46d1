import { z } from 'zod';
import type { Issue } from '../../platform/fault.ts';
import { oneLine } from '../../platform/plain-text.ts';
import { dayInItaly, readDateTime, YEARS, YEARS_PATTERN } from '../common/date-time.rules.ts';
import {
  add,
  decimal,
  identifier,
  inputObject,
  integer,
  isGiven,
  list,
  mustBe,
  optionalStreet,
  optionalText,
  quantity,
  text,
} from '../common/fields.input.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS } from '../orders/orders.rules.ts';
import { countryOrItaly, postalCode, readInCountry } from '../places/places.input.ts';
import { DECIMALS, MAX_GRAMS, MAX_VALUE_CENTS, MAX_VOLUME_CM3 } from '../tariffs/units.rules.ts';
import { provinceIssues, totalIssues, unknownProvinceIssues } from './price/shipment.rules.ts';

/** The input of a quote: an order, or a warehouse, a destination and parcels or totals. */

const MAX_OPTIONS = 50;
export const MAX_CONNECTIONS = 250;
const WEIGHT = { isAbove0: true, max: MAX_GRAMS / 1000, decimals: DECIMALS.kg };
const SIDE = { isAbove0: true, max: 1000, decimals: DECIMALS.cm };
const VOLUME = { isAbove0: true, max: MAX_VOLUME_CM3, decimals: 2 };
export const EUR = { max: MAX_VALUE_CENTS / 100, decimals: DECIMALS.money };

const quoteParcelInput = inputObject('QuoteParcelInput', 'Equal parcels.', {
  weight: decimal(WEIGHT).describe('Kilograms, each; at most 3 decimals.'),
  length: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
  width: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
  height: decimal(SIDE).describe('Centimetres; at most 2 decimals.'),
  quantity: quantity(MAX_PARCELS).describe('Number of parcels of this kind.'),
});

export const quoteParcels = list(quoteParcelInput, { min: 1, max: MAX_PARCEL_KINDS });

export const quoteDestinationInput = inputObject(
  'QuoteDestinationInput',
  'Where a shipment goes.',
  {
    country: countryOrItaly().describe(
      'ISO 3166-1 alpha-2 country code, in either case. Italian postal codes of San Marino (47890 to 47899) and the Vatican (00120) are of those countries, whatever is given.',
    ),
    postalCode: postalCode().describe(
      'Postal code, in any form that is written in its country. Required where the country has postal codes.',
    ),
    city: text().describe('City. In Italy, the comune.'),
    province: optionalText().describe(
      'Italian province: abbreviation or name. The postal code must be able to belong to it, now or before a change of provinces. If several provinces share the postal code and neither this nor the city decides, the connections whose price depends on it are excluded with `PROVINCE_NEEDED`.',
    ),
    address: optionalStreet().describe('Street and house number. No price depends on it.'),
    companyName: optionalText().describe('Name of the person or company. No price depends on it.'),
  },
  sent => readInCountry(sent, sent.country),
  provinceIssues,
);

/** The alternatives of a quote: required and optional fields of each. Fields of the other alternatives are rejected. */
const VARIANTS = {
  QuoteOfOrder: { title: 'An order', required: ['orderId'] },
  QuoteOfParcels: { title: 'Parcels', required: ['warehouseId', 'destination', 'parcels'] },
  QuoteOfTotals: {
    title: 'Totals of equal parcels',
    required: ['warehouseId', 'destination', 'totalWeight'],
    optional: ['totalVolume', 'parcelNumber'],
  },
};

/** A quote as REST takes it. */
export const quoteBody = inputObject(
  'QuoteInput',
  {
    description:
      'Either an order by `orderId`, which supplies warehouse, destination, parcels, cash on delivery and insured value; or `warehouseId` and `destination`, with `parcels` or with `totalWeight` and `totalVolume`. `totalVolume` can be left out if the company has a default parcel.',
    variants: VARIANTS,
  },
  {
    orderId: identifier().nullish().describe('Order identifier.'),
    warehouseId: identifier().nullish().describe('Warehouse it is shipped from.'),
    destination: quoteDestinationInput.nullish().describe('The destination.'),
    totalWeight: decimal(WEIGHT).nullish().describe('Kilograms of all parcels; at most 3 decimals.'),
    totalVolume: decimal(VOLUME)
      .nullish()
      .describe(
        'Cubic centimetres of all parcels; at most 2 decimals. Required unless the company has a default parcel.',
      ),
    parcelNumber: integer(1, MAX_PARCELS)
      .nullish()
      .describe('Number of equal parcels that make up the totals. 1 if left out.'),
    parcels: quoteParcels.nullish().describe('1 to 100 kinds of parcels, at most 500 parcels in all.'),
    codAmount: decimal(EUR)
      .nullish()
      .describe('Cash on delivery, EUR; at most 2 decimals. With `orderId` it replaces the amount of the order.'),
    insuranceAmount: decimal(EUR)
      .nullish()
      .describe('Insured value, EUR; at most 2 decimals. With `orderId` it replaces the value of the order.'),
    options: list(text(40), { max: MAX_OPTIONS })
      .nullish()
      .describe('Codes of the options you want. A carrier that does not offer them does not apply.'),
    carrierCompanyIds: list(identifier(), { min: 1, max: MAX_CONNECTIONS })
      .nullish()
      .describe('Only these carrier connections.'),
    shipmentDate: dayOrDateTime()
      .nullish()
      .describe(
        'Day of shipment, `YYYY-MM-DD` (or a date-time): chooses the tariff in force. Today in Italy where not given.',
      ),
  },
  modeIssues,
  // Responses of REST have no notices.
  ({ destination }) => unknownProvinceIssues(['destination'], destination ?? {}),
  ({ parcels }) => totalIssues(['parcels'], parcels ?? []),
);

/** The parcels of an order, which states which ones are pallets. */
const orderParcel = quoteParcelInput.extend({
  pallet: z.strictObject({ type: z.string().nullable(), isStackable: z.boolean() }).optional(),
});

/** The fields that an order needs to be quoted. */
export const quotableOrder = z.object({
  warehouseId: identifier(),
  recipient: quoteDestinationInput,
  parcels: list(orderParcel, { min: 1, max: MAX_PARCEL_KINDS }),
  codAmount: decimal(EUR).nullish(),
  insuranceAmount: decimal(EUR).nullish(),
  goodsValue: decimal(EUR).nullish(),
});

/** A quote as the domain takes it: as in a body, with one mode complete. */
export type QuoteInput = Omit<z.output<typeof quoteBody>, 'carrierCompanyIds'> & {
  readonly carrierConnectionIds?: readonly number[] | null | undefined;
};

/** A calendar day, or a moment, which means its day in Italy. */
function dayOrDateTime() {
  const allowed = `a date ${YEARS}, such as 2026-06-30`;
  return z
    .string(mustBe(allowed))
    .transform((value, context) => {
      const day = oneLine(value);
      const at = readDateTime(/^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T12:00:00Z` : day);
      if (at !== null) return dayInItaly(at);
      add(context, { code: 'invalid_date_time', message: `must be ${allowed}` });
      return '';
    })
    .meta({
      type: 'string',
      anyOf: ['date', 'date-time'].map(format => ({ type: 'string', format, pattern: YEARS_PATTERN })),
    });
}

const MANUAL_FIELDS = ['warehouseId', 'destination', 'totalWeight', 'totalVolume', 'parcelNumber', 'parcels'];
const TOTALS = ['totalWeight', 'totalVolume', 'parcelNumber'];

/** Checks that exactly one alternative was chosen, with all of its required fields. */
export function modeIssues(fields: object, sent: object): readonly Issue[] {
  const given = (name: string) => isGiven(name, fields, sent);
  const conflicts = (names: readonly string[], message: string): Issue[] =>
    names.filter(given).map(name => ({ path: [name], code: 'conflicting_modes', message }));
  const lacks = (name: string, message: string): Issue[] =>
    given(name) ? [] : [{ path: [name], code: 'required', message: `must be given${message}` }];
  if (given('orderId')) return conflicts(MANUAL_FIELDS, 'must not be given with orderId: the order supplies it');
  if (!MANUAL_FIELDS.some(given)) {
    return lacks('orderId', ', or else warehouseId, destination, and parcels or totals');
  }
  const place = [...lacks('warehouseId', ', or else orderId'), ...lacks('destination', ', or else orderId')];
  if (given('parcels')) return [...place, ...conflicts(TOTALS, 'must not be given with parcels')];
  if (!given('totalWeight') && !given('totalVolume')) {
    return [...place, ...lacks('parcels', ', or else totalWeight and totalVolume')];
  }
  // Whether the volume is needed depends on the default parcel of the company.
  return [...place, ...lacks('totalWeight', ' with totalVolume')];
}
