import { builder } from '../../graphql/builder.ts';

const above0 = { openapi: { exclusiveMinimum: 0 } };
const from0 = { openapi: { minimum: 0 } };

const QuoteParcelInput = builder.inputType('QuoteParcelInput', {
  description: 'A kind of parcel, and how many of it.',
  fields: t => ({
    weight: t.field({
      type: 'Decimal',
      required: true,
      description: 'Kilograms, each; at most 3 decimals.',
      extensions: above0,
    }),
    length: t.field({
      type: 'Decimal',
      required: true,
      description: 'Centimetres; at most 2 decimals.',
      extensions: above0,
    }),
    width: t.field({
      type: 'Decimal',
      required: true,
      description: 'Centimetres; at most 2 decimals.',
      extensions: above0,
    }),
    height: t.field({
      type: 'Decimal',
      required: true,
      description: 'Centimetres; at most 2 decimals.',
      extensions: above0,
    }),
    quantity: t.int({
      defaultValue: 1,
      description: 'How many of this kind.',
      extensions: { openapi: { minimum: 1, maximum: 500 } },
    }),
  }),
});

const QuoteDestinationInput = builder.inputType('QuoteDestinationInput', {
  description: 'Where a shipment goes.',
  fields: t => ({
    country: t.string({ defaultValue: 'IT', description: 'ISO 3166-1 alpha-2 country code, in either case.' }),
    postalCode: t.string({ required: true, description: "Postal code, in the form of its country's." }),
    city: t.string({ required: true, description: 'City; for Italy the comune.' }),
    province: t.string({
      description: 'Italian province: abbreviation or name. The postal code must be able to belong to it.',
    }),
    address: t.string({ description: 'Street and house number; no price depends on it.' }),
    companyName: t.string({ description: 'Name of the person or company; no price depends on it.' }),
  }),
});

export const QuoteInputRef = builder.inputType('QuoteInput', {
  description:
    'Either an order by `orderId`, which supplies warehouse, destination, parcels, cash on delivery and insured value; or `warehouseId` and `destination`, with `parcels` or with `totalWeight` and `totalVolume`.',
  extensions: {
    openapi: { oneOf: [{ required: ['orderId'] }, { required: ['warehouseId', 'destination'] }] },
  },
  fields: t => ({
    orderId: t.int({ description: 'Order identifier.' }),
    warehouseId: t.int({ description: 'Warehouse it is shipped from.' }),
    destination: t.field({ type: QuoteDestinationInput, description: 'Where it goes.' }),
    totalWeight: t.field({
      type: 'Decimal',
      description: 'Kilograms of all parcels; at most 3 decimals.',
      extensions: above0,
    }),
    totalVolume: t.field({ type: 'Decimal', description: 'Cubic centimetres of all parcels.', extensions: above0 }),
    parcelNumber: t.int({
      description: 'How many equal parcels the totals are; 1 where not given.',
      extensions: { openapi: { minimum: 1, maximum: 500 } },
    }),
    parcels: t.field({
      type: [QuoteParcelInput],
      description: '1 to 100 kinds of parcels, at most 500 parcels in all.',
      extensions: { openapi: { minItems: 1, maxItems: 100 } },
    }),
    codAmount: t.field({
      type: 'Decimal',
      description: "Cash on delivery, EUR; takes the place of the order's.",
      extensions: from0,
    }),
    insuranceAmount: t.field({
      type: 'Decimal',
      description: "Insured value, EUR; takes the place of the order's.",
      extensions: from0,
    }),
    options: t.stringList({
      description: 'Codes of options that are asked for; a carrier without them does not apply.',
    }),
    carrierCompanyIds: t.intList({
      description: 'Only these carrier connections.',
      extensions: { openapi: { minItems: 1, maxItems: 250 } },
    }),
    shipmentDate: t.string({
      description:
        'Day of shipment, `YYYY-MM-DD` (or a date-time): chooses the tariff in force. Today in Italy where not given.',
    }),
  }),
});
