import { builder } from '../../graphql/builder.ts';
import { pointer } from '../../platform/fault.ts';
import { carrierOf } from '../carriers/carriers.catalog.ts';
import { CarrierConnectionRef } from '../carriers/carriers.graphql.ts';
import { exclusionMessage, WARNING_MESSAGES, warningCode } from './exclusion.rules.ts';
import { calculation, weightCalculation } from './explanation.rules.ts';
import { NOT_CHARGED } from './quote.rules.ts';
import { type ExcludedConnection, type Quote, type Quotes, quoteShipment } from './quote.service.ts';
import type { Notice } from './shipment.rules.ts';
import { DECIMALS, decimalNumber, decimalText } from './units.rules.ts';

const money = (cents: number) => decimalText(cents, DECIMALS.money);
const shortest = (count: number, decimals: number) => String(decimalNumber(count, decimals));
const kilograms = (grams: number) => shortest(grams, DECIMALS.kg);
const percent = (ppm: number) => shortest(ppm, DECIMALS.percent);

/** A line of a price, by its position in the version. */
interface QuoteLine {
  readonly quote: Quote;
  readonly position: number;
}

function chargedLines(quote: Quote): QuoteLine[] {
  return quote.price.amounts.flatMap((amount, position) => (amount === NOT_CHARGED ? [] : [{ quote, position }]));
}

const lineOf = ({ quote, position }: QuoteLine) => {
  const line = quote.price.version.lines[position];
  if (!line) throw new Error(`A price has no line ${position}`);
  return line;
};
/** The base price stands with its band; every other line has a place of its own. */
const rulePath = (line: QuoteLine) => {
  const { zone, band } = line.quote.price;
  return line.position === 0 ? ['zones', zone.index, 'bands', band] : lineOf(line).path;
};
const amountOf = ({ quote, position }: QuoteLine) => money(quote.price.amounts[position] ?? 0);

const ComponentEnum = builder.enumType('QuoteComponent', {
  description: 'The component of a price that a line counts to.',
  values: {
    base: { description: 'Price by weight and zone.' },
    surcharges: { description: 'Surcharges.' },
    fuel: { description: 'Fuel.' },
    options: { description: 'Options asked for.' },
    cod: { description: 'Cash on delivery.' },
    insurance: { description: 'Insurance.' },
  } as const,
});

const RuleKindEnum = builder.enumType('PlaceRuleKind', {
  description: 'What kind of rule put a destination in a zone, the most specific first.',
  values: {
    postal_code: { description: 'One postal code.' },
    postal_code_range: { description: 'A range of postal codes, or a beginning.' },
    municipality: { description: 'An Italian comune.' },
    province: { description: 'An Italian province.' },
    region: { description: 'An Italian region.' },
    country: { description: 'A country.' },
    country_group: { description: 'The European Union.' },
    default: { description: 'Whatever nothing else takes.' },
  } as const,
});

const QuoteOption = builder.objectRef<QuoteLine>('QuoteOption').implement({
  description: 'The price of one option that was asked for.',
  fields: t => ({
    code: t.string({ description: "The option's code.", resolve: line => lineOf(line).code }),
    price: t.field({ type: 'Decimal', description: 'EUR before VAT.', resolve: amountOf }),
    calculated: t.boolean({
      description: 'Whether the price follows from weight, value or a percentage; false for a fixed amount.',
      resolve: line => lineOf(line).calculated,
    }),
    description: t.string({ description: 'What it is, in Italian.', resolve: line => lineOf(line).description }),
  }),
});

const QuoteLineRef = builder.objectRef<QuoteLine>('QuoteLine').implement({
  description: 'One line of a price; lines add up to their component, and components to the total.',
  fields: t => ({
    code: t.string({ description: "The line's code in the tariff.", resolve: line => lineOf(line).code }),
    component: t.field({
      type: ComponentEnum,
      description: 'The component it counts to.',
      resolve: line => lineOf(line).component,
    }),
    description: t.string({ description: 'What it is, in Italian.', resolve: line => lineOf(line).description }),
    amount: t.field({
      type: 'Decimal',
      description: 'EUR before VAT, rounded half up to the cent.',
      resolve: amountOf,
    }),
    calculation: t.string({
      description: 'How it was reckoned, such as `2.9 % of 12.20 (base)`.',
      resolve: ({ quote, position }) => calculation(quote.price, position, quote.shipment),
    }),
    rule: t.string({
      description: 'RFC 6901 pointer to the rule in the tariff.',
      resolve: line => pointer(['versions', line.quote.price.version.index, ...rulePath(line)]),
    }),
  }),
});

const QuoteZone = builder.objectRef<Quote>('QuoteZone').implement({
  description: 'The zone a destination lies in, and the rule that put it there.',
  fields: t => ({
    code: t.string({ description: "The zone's code in the tariff.", resolve: ({ price }) => price.zone.code }),
    name: t.string({ description: 'Its name.', resolve: ({ price }) => price.zone.name }),
    ruleKind: t.field({
      type: RuleKindEnum,
      description: 'What kind of rule it was.',
      resolve: quote => zoneRule(quote).kind,
    }),
    place: t.string({
      description: 'What the rule says, such as `57030-57039`.',
      resolve: quote => zoneRule(quote).text,
    }),
    rule: t.string({
      description: 'RFC 6901 pointer to the rule in the tariff.',
      resolve: quote => {
        const { version, zone } = quote.price;
        return pointer(['versions', version.index, 'zones', zone.index, 'to', ...zoneRule(quote).path]);
      },
    }),
  }),
});

function zoneRule({ price }: Quote) {
  const rule = price.version.zoneTable.rules[price.zoneRule];
  if (!rule) throw new Error('A price has no zone rule');
  return rule;
}

const QuoteBand = builder.objectRef<Quote>('QuoteBand').implement({
  description: 'The band of weight a shipment falls in.',
  fields: t => ({
    overKg: t.field({
      type: 'Decimal',
      description: 'Kilograms, beyond.',
      resolve: ({ price: { zone, band } }) => kilograms(zone.upTo[band - 1] ?? 0),
    }),
    upToKg: t.field({
      type: 'Decimal',
      description: 'Kilograms, up to and including.',
      resolve: ({ price: { zone, band } }) => kilograms(zone.upTo[band] ?? 0),
    }),
    price: t.field({
      type: 'Decimal',
      description: 'EUR of the band.',
      resolve: ({ price: { zone, band } }) => money(zone.prices[band] ?? 0),
    }),
    steps: t.int({ description: 'Steps begun beyond the last band.', resolve: ({ price }) => price.steps }),
    stepKg: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'Kilograms of a step; null where nothing is carried beyond the last band.',
      resolve: ({ price: { zone } }) => (zone.stepGrams > 0 ? kilograms(zone.stepGrams) : null),
    }),
    stepPrice: t.field({
      type: 'Decimal',
      nullable: true,
      description: 'EUR of a step; null where nothing is carried beyond the last band.',
      resolve: ({ price: { zone } }) => (zone.stepGrams > 0 ? money(zone.stepCents) : null),
    }),
  }),
});

const QuoteExplanation = builder.objectRef<Quote>('QuoteExplanation').implement({
  description: 'Everything that led to a price.',
  fields: t => ({
    tariffId: t.int({
      nullable: true,
      description: 'Identifier of the tariff.',
      resolve: ({ connection }) => connection.tariffId,
    }),
    tariffName: t.string({
      description: 'Name of the tariff.',
      resolve: ({ connection }) => connection.tariff?.name ?? '',
    }),
    version: t.string({ description: 'Label of the version in force.', resolve: ({ price }) => price.version.label }),
    validFrom: t.string({
      description: 'Its first day, `YYYY-MM-DD`.',
      resolve: ({ price }) => price.version.validFrom,
    }),
    weight: t.string({
      description: 'How the chargeable weight was found.',
      resolve: ({ price }) => weightCalculation(price),
    }),
    zone: t.field({ type: QuoteZone, description: 'The zone, and the rule that chose it.', resolve: quote => quote }),
    band: t.field({ type: QuoteBand, description: 'The band of weight.', resolve: quote => quote }),
    lines: t.field({
      type: [QuoteLineRef],
      description: 'Every line of the price, in its order.',
      resolve: chargedLines,
    }),
    vatNote: t.string({
      nullable: true,
      description: 'Legal ground of the VAT, where there is something to say; in Italian.',
      resolve: ({ price: { version, vatRule } }) => version.vat[version.vatTable.rules[vatRule]?.area ?? -1]?.note,
    }),
  }),
});

const QuoteRef = builder.objectRef<Quote>('Quote').implement({
  description: 'What a shipment costs on one carrier connection. The six component prices add up to `totalPrice`.',
  fields: t => {
    const price = (description: string, resolve: (quote: Quote) => number) =>
      t.field({
        type: 'Decimal',
        description: `${description}, EUR before VAT.`,
        resolve: quote => money(resolve(quote)),
      });
    const weight = (description: string, resolve: (quote: Quote) => number) =>
      t.field({ type: 'Decimal', description, resolve: quote => kilograms(resolve(quote)) });
    return {
      carrierCompanyId: t.int({
        description: 'Identifier of the carrier connection; chooses the carrier later.',
        resolve: ({ connection }) => connection.id,
      }),
      carrierCode: t.string({
        description: 'Short carrier code of the platform.',
        resolve: ({ connection }) => connection.carrierCode,
      }),
      carrierName: t.string({
        description: 'Commercial name.',
        resolve: ({ connection }) => carrierOf(connection.carrierCode).name,
      }),
      chargeableWeight: weight('The weight that is priced, kilograms.', quote => quote.price.chargeableGrams),
      realWeight: weight('Real weight, kilograms.', quote => quote.price.realGrams),
      volumetricWeight: weight(
        'Volumetric weight, kilograms; 0 where the tariff goes by real weight alone.',
        quote => quote.price.volumetricGrams,
      ),
      basePrice: price('Price by weight and zone', quote => quote.price.components.base),
      fuelPrice: price('Fuel; 0 where it is included', quote => quote.price.components.fuel),
      surchargesPrice: price('Surcharges', quote => quote.price.components.surcharges),
      optionsPrice: price('Options; the sum of `carrierOptionsDetail`', quote => quote.price.components.options),
      codPrice: price('Cash on delivery', quote => quote.price.components.cod),
      insurancePrice: price('Insurance', quote => quote.price.components.insurance),
      carrierOptionsDetail: t.field({
        type: [QuoteOption],
        description: 'The options asked for, by code.',
        resolve: quote => chargedLines(quote).filter(line => lineOf(line).component === 'options'),
      }),
      totalPrice: price('Total', quote => quote.price.totalCents),
      vatRate: t.field({
        type: 'Decimal',
        description: 'VAT, percent.',
        resolve: quote => percent(quote.price.vatPpm),
      }),
      vatAmount: t.field({
        type: 'Decimal',
        description: 'VAT on `totalPrice`, EUR, rounded half up to the cent.',
        resolve: quote => money(quote.price.vatCents),
      }),
      totalPriceWithVat: t.field({
        type: 'Decimal',
        description: 'Total with VAT, EUR; quotes are in its order.',
        resolve: quote => money(quote.price.grossCents),
      }),
      currency: t.string({
        description: 'ISO 4217 code of all prices: EUR.',
        extensions: { openapi: { const: 'EUR' } },
        resolve: () => 'EUR',
      }),
      estimatedDeliveryDays: t.int({
        nullable: true,
        description: 'Days to delivery, as the tariff has them.',
        resolve: quote => quote.price.zone.deliveryDays,
      }),
      carrierConnection: t.field({
        type: CarrierConnectionRef,
        description: 'The carrier connection.',
        authScopes: { scope: 'carriers:read' },
        resolve: ({ connection }) => connection.id,
      }),
      explanation: t.field({
        type: QuoteExplanation,
        description: 'Everything that led to the price.',
        resolve: quote => quote,
      }),
    };
  },
});

const ExclusionCodeEnum = builder.enumType('QuoteExclusionCode', {
  description: 'Why a connection does not apply.',
  values: {
    DESTINATION_NOT_SERVED: { description: 'The tariff does not serve the destination, or not from this warehouse.' },
    WEIGHT_OUT_OF_RANGE: { description: 'Heavier than the tariff takes.' },
    DIMENSIONS_OUT_OF_RANGE: { description: 'Larger, or more parcels, than the tariff takes.' },
    COD_NOT_SUPPORTED: { description: 'No cash on delivery, or not of this amount.' },
    INSURANCE_NOT_SUPPORTED: { description: 'No insurance, or not of this value.' },
    OPTION_NOT_SUPPORTED: { description: 'An option is not offered, or not for this shipment.' },
    NO_TARIFF_IN_FORCE: { description: 'No tariff on the day of shipment.' },
  } as const,
});

const WarningCodeEnum = builder.enumType('QuoteWarningCode', {
  description: 'Why no connection applies: the reason all of them share, or `NO_CARRIER_AVAILABLE`.',
  values: {
    NO_CARRIERS_CONNECTED: { description: 'The company has no active connection among those asked for.' },
    NO_CARRIER_AVAILABLE: { description: 'The connections have different reasons; see `details`.' },
    DESTINATION_NOT_SERVED: { description: 'No tariff serves the destination.' },
    WEIGHT_OUT_OF_RANGE: { description: 'Heavier than any tariff takes.' },
    DIMENSIONS_OUT_OF_RANGE: { description: 'Larger, or more parcels, than any tariff takes.' },
    COD_NOT_SUPPORTED: { description: 'No cash on delivery of this amount.' },
    INSURANCE_NOT_SUPPORTED: { description: 'No insurance of this value.' },
    OPTION_NOT_SUPPORTED: { description: 'The options are not offered.' },
    NO_TARIFF_IN_FORCE: { description: 'No tariff on the day of shipment.' },
  } as const,
});

const QuoteExclusion = builder.objectRef<ExcludedConnection>('QuoteExclusion').implement({
  description: 'A connection that does not apply, and the rule that excludes it.',
  fields: t => ({
    carrierCompanyId: t.int({
      description: 'Identifier of the carrier connection.',
      resolve: ({ connection }) => connection.id,
    }),
    carrierName: t.string({
      description: 'Commercial name.',
      resolve: ({ connection }) => carrierOf(connection.carrierCode).name,
    }),
    code: t.field({ type: ExclusionCodeEnum, description: 'Why.', resolve: ({ exclusion }) => exclusion.code }),
    message: t.string({
      description: 'Why, in a sentence; in Italian.',
      resolve: ({ exclusion }) => exclusionMessage(exclusion.reason),
    }),
    version: t.string({
      nullable: true,
      description: 'Label of the version in force, if one is.',
      resolve: ({ exclusion }) => exclusion.version?.label,
    }),
    rule: t.string({
      description: 'RFC 6901 pointer to the rule in the tariff; empty where the connection has no tariff.',
      resolve: ({ exclusion }) => pointer(exclusion.rule),
    }),
  }),
});

const QuoteNotice = builder.objectRef<Notice>('QuoteNotice').implement({
  description: 'Something worth knowing that is no reason to refuse.',
  fields: t => ({
    code: t.exposeString('code', { description: '`unknown_province` or `carrier_connection_not_found`.' }),
    pointer: t.string({
      description: 'RFC 6901 pointer to the field, from `input`.',
      resolve: ({ path }) => pointer(path),
    }),
    message: t.exposeString('message', { description: 'What it is.' }),
  }),
});

const QuoteList = builder.objectRef<Quotes>('QuoteList').implement({
  description: 'Quotes, one for each connection that applies.',
  fields: t => ({
    items: t.field({
      type: [QuoteRef],
      description: 'By `totalPriceWithVat`, `totalPrice`, `carrierCompanyId`, ascending.',
      resolve: ({ items }) => items,
    }),
    excluded: t.field({
      type: [QuoteExclusion],
      description: 'The connections that do not apply, by ascending id.',
      resolve: ({ excluded }) => excluded,
    }),
    notices: t.field({ type: [QuoteNotice], description: 'What is worth knowing.', resolve: ({ notices }) => notices }),
  }),
});

const warningCodeOf = ({ excluded }: Quotes) => warningCode(excluded.map(({ exclusion }) => exclusion.code));

const QuoteWarning = builder.objectRef<Quotes>('QuoteWarning').implement({
  description: 'No connection applies, and why.',
  fields: t => ({
    warning: t.boolean({
      description: 'Always true: tells the warning from a list.',
      extensions: { openapi: { const: true } },
      resolve: () => true,
    }),
    code: t.field({
      type: WarningCodeEnum,
      description: 'The reason all connections share, or `NO_CARRIER_AVAILABLE`.',
      resolve: warningCodeOf,
    }),
    message: t.string({
      description: 'The same in a sentence; in Italian.',
      resolve: quotes => WARNING_MESSAGES[warningCodeOf(quotes)],
    }),
    details: t.field({
      type: [QuoteExclusion],
      description: 'Every connection with its reason, by ascending id.',
      resolve: ({ excluded }) => excluded,
    }),
    notices: t.field({ type: [QuoteNotice], description: 'What is worth knowing.', resolve: ({ notices }) => notices }),
  }),
});

const QuoteResult = builder.unionType('QuoteResult', {
  description: 'Quotes, or why there are none.',
  types: [QuoteList, QuoteWarning],
  resolveType: ({ items }) => (items.length > 0 ? QuoteList : QuoteWarning),
});

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

const QuoteInput = builder.inputType('QuoteInput', {
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
      extensions: { openapi: { minItems: 1 } },
    }),
    shipmentDate: t.string({
      description:
        'Day of shipment, `YYYY-MM-DD` (or a date-time): chooses the tariff in force. Today in Italy where not given.',
    }),
  }),
});

builder.queryField('quoteShipment', t =>
  t.field({
    type: QuoteResult,
    description: 'Quotes of a shipment on every active carrier connection, cheapest first; or why none applies.',
    authScopes: { scope: 'shipments:quote' },
    args: { input: t.arg({ type: QuoteInput, required: true, description: 'The shipment.' }) },
    resolve: (_root, { input }, { tenant, tariffs }) => quoteShipment(tenant, tariffs, input),
  }),
);
