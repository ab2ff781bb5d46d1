import { z } from 'zod';
import {
  decimal,
  identifier,
  inputObject,
  integer,
  list,
  optionalStreet,
  optionalText,
  quantity,
  text,
} from '../../common/fields.input.ts';
import { formerly, namesIssues } from '../../common/former-names.input.ts';
import { oneOf } from '../../common/one-of.input.ts';
import { countryOrItaly, postalCode, readInCountry } from '../../common/places/places.input.ts';
import { recordId } from '../../common/record-id.input.ts';
import { calendarDay, dayOrDateTime } from '../../common/times.input.ts';
import { MAX_PARCEL_KINDS, MAX_PARCELS } from '../../shipping/orders/orders.rules.ts';
import { DECIMALS, MAX_GRAMS, MAX_VALUE_CENTS, MAX_VOLUME_CM3 } from '../tariffs/units.rules.ts';
import { provinceIssues, totalIssues } from './price/shipment.rules.ts';

/**
 * The input of a quote: a shipment in one of three forms, and what it needs. REST has the fields of all three in one
 * object (`quote-body.input.ts`).
 */

const MAX_OPTIONS = 50;
export const MAX_CONNECTIONS = 250;
const WEIGHT = { isAbove0: true, max: MAX_GRAMS / 1000, decimals: DECIMALS.kg };
const SIDE = { isAbove0: true, max: 1000, decimals: DECIMALS.cm };
const VOLUME = { isAbove0: true, max: MAX_VOLUME_CM3, decimals: 2 };
export const EUR = { max: MAX_VALUE_CENTS / 100, decimals: DECIMALS.money };

export const TOTAL_WEIGHT = 'Kilograms of all parcels; at most 3 decimals.';

/** The fields that the graph and REST share. @param json how the decimals are written */
export function quoteFields(json: { readonly isNumber: boolean }) {
  const side = () => decimal({ ...SIDE, ...json }).describe('Centimetres; at most 2 decimals.');
  const parcel = inputObject('QuoteParcelInput', 'Equal parcels.', {
    weight: decimal({ ...WEIGHT, ...json }).describe('Kilograms, each; at most 3 decimals.'),
    length: side(),
    width: side(),
    height: side(),
    quantity: quantity(MAX_PARCELS).describe('Number of parcels of this kind.'),
  });
  return {
    parcel,
    parcels: list(parcel, { min: 1, max: MAX_PARCEL_KINDS }).describe(
      '1 to 100 kinds of parcels, at most 500 parcels in all.',
    ),
    totals: {
      weight: decimal({ ...WEIGHT, ...json }),
      volume: decimal({ ...VOLUME, ...json })
        .nullish()
        .describe(
          'Cubic centimetres of all parcels; at most 2 decimals. Required unless the company has a default parcel.',
        ),
      parcelCount: integer(1, MAX_PARCELS).nullish(),
    },
    needs: {
      codAmount: decimal({ ...EUR, ...json })
        .nullish()
        .describe('Cash on delivery, EUR; at most 2 decimals. With `orderId` it replaces the amount of the order.'),
      insuranceAmount: decimal({ ...EUR, ...json })
        .nullish()
        .describe('Insured value, EUR; at most 2 decimals. With `orderId` it replaces the value of the order.'),
      options: list(text(40), { max: MAX_OPTIONS })
        .nullish()
        .describe('Codes of the options you want. A carrier that does not offer them does not apply.'),
    },
    shipmentDate: dayOrDateTime()
      .nullish()
      .describe(
        'Day of shipment, `YYYY-MM-DD` (or a date-time): chooses the tariff in force. Today in Italy where not given.',
      ),
  };
}

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

const { parcel, parcels, totals, needs, shipmentDate } = quoteFields({ isNumber: false });

const PLACES = {
  warehouseId: recordId('Warehouse').describe('The warehouse that it is shipped from.'),
  destination: quoteDestinationInput.describe('The destination.'),
};

const parcelsInput = inputObject('QuotedParcelsInput', 'Parcels of stated sizes.', { ...PLACES, parcels }, sent =>
  totalIssues(['parcels'], sent.parcels ?? []),
);

const totalsInput = inputObject('QuotedTotalsInput', 'Equal parcels, by their totals.', {
  ...PLACES,
  ...totals,
  weight: totals.weight.describe(TOTAL_WEIGHT),
  parcelCount: totals.parcelCount.describe('Number of equal parcels. 1 if left out.'),
});

const shipmentInput = oneOf('QuotedShipmentInput', 'A shipment to quote.', {
  orderId: recordId('Order')
    .nullish()
    .describe('An order, which supplies warehouse, destination, parcels, cash on delivery and insured value.'),
  parcels: parcelsInput.nullish().describe('Parcels of stated sizes.'),
  totals: totalsInput.nullish().describe('Equal parcels, by their totals.'),
});

export const quoteInput = inputObject(
  'QuoteInput',
  'A shipment to quote, and what it needs.',
  {
    shipment: shipmentInput.describe('The shipment.'),
    ...needs,
    carrierConnectionIds: list(recordId('CarrierConnection'), { min: 1, max: MAX_CONNECTIONS })
      .nullish()
      .describe('Only these carrier connections.'),
    shipmentDay: calendarDay()
      .nullish()
      .describe('Day of shipment in Italy: chooses the tariff in force. Today where not given.'),
    shipmentDate: formerly(shipmentDate, 'shipmentDay'),
  },
  (_fields, sent) => namesIssues(sent, 'shipmentDay', 'shipmentDate'),
);

export type QuoteInput = z.output<typeof quoteInput>;

/** The parcels of an order, which states which ones are pallets. */
const orderParcel = parcel.extend({
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
