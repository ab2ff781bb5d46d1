import { builder } from '../../../../graphql/builder.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { RecordId } from '../../../../graphql/node-id.ts';
import { pointer } from '../../../../platform/fault.ts';
import { areaOf, ruleAt } from '../../tariffs/areas/area.rules.ts';
import type { ServiceLevel } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { calculation, placeText } from '../../tariffs/engine/explanation.rules.ts';
import { WORDS } from '../../tariffs/explanation-words.rules.ts';
import { LANGUAGE_ARG } from '../../tariffs/language.graphql.ts';
import type { PricedPallets } from '../../tariffs/pallets/pallet-prices.rules.ts';
import type { ExplainedPrice } from '../../tariffs/price.rules.ts';
import { euro, kilograms, NOT_CHARGED, percent } from '../../tariffs/units.rules.ts';
import { weightText } from '../../tariffs/weight/chargeable-weight.rules.ts';

/** A line of a price, by its position in the version. */
interface QuoteLine {
  readonly quote: ExplainedPrice;
  readonly position: number;
}

function chargedLines(quote: ExplainedPrice): QuoteLine[] {
  return quote.price.amounts.flatMap((amount, position) => (amount === NOT_CHARGED ? [] : [{ quote, position }]));
}

const lineOf = ({ quote, position }: QuoteLine) => {
  const line = quote.price.version.lines[position];
  if (!line) throw new Error(`A price has no line ${position}`);
  return line;
};
/** The base price has the path of its band or its pallets; every other line has its own path. */
const rulePath = (line: QuoteLine) => {
  const { zone, base } = line.quote.price;
  const [first] = base.pallets;
  const basePath = base.band < 0 && first ? ['pallets', first.position] : ['bands', base.band];
  return line.position === 0 ? ['zones', zone.index, ...basePath] : lineOf(line).path;
};
const amountOf = ({ quote, position }: QuoteLine) => euro(quote.price.amounts[position] ?? 0);

export const ComponentEnum = enumType('QuoteComponent', 'The component of a price that a line is part of.', {
  base: 'Price by weight and zone.',
  surcharges: 'Surcharges.',
  fuel: 'Fuel.',
  options: 'Options asked for.',
  cod: 'Cash on delivery.',
  insurance: 'Insurance.',
});

const RuleKindEnum = enumType(
  'PlaceRuleKind',
  'What kind of rule assigns a destination to a zone, the most specific first.',
  {
    postal_code: 'One postal code.',
    postal_code_range: 'A range of postal codes, or their first digits.',
    municipality: 'An Italian comune.',
    town: 'A town abroad.',
    same_province: 'The province of the warehouse.',
    province: 'An Italian province.',
    same_region: 'The region of the warehouse.',
    region: 'An Italian region.',
    country: 'A country.',
    country_group: 'The European Union.',
    default: 'Every place that no other rule names.',
  },
);

const QuoteLineRef = builder.objectRef<QuoteLine>('QuoteLine').implement({
  description: 'One line of a price. The lines of a component add up to it, and the components to the total.',
  fields: t => ({
    code: t.string({ description: "The line's code in the tariff.", resolve: line => lineOf(line).code }),
    component: t.value(ComponentEnum, 'The component that it is part of.', line => lineOf(line).component),
    description: t.string({ description: 'The description in Italian.', resolve: line => lineOf(line).description }),
    amount: t.value('Money', 'EUR before VAT, rounded half up to the cent.', amountOf),
    calculation: t.string({
      description: 'How it was calculated, such as `2.9 % di 12.20 (base)`.',
      args: LANGUAGE_ARG,
      resolve: ({ quote, position }, { language }) =>
        calculation(WORDS[language], quote.price, position, quote.shipment),
    }),
    vatRate: t.value(
      'Decimal',
      'VAT of the line, percent: its own where the tariff gives it one, or else the rate of the destination.',
      line => percent(lineOf(line).vat?.ppm ?? line.quote.price.vatPpm),
    ),
    vatNote: t.string({
      nullable: true,
      description: 'Legal basis of that VAT in Italian, if there is one.',
      resolve: line => (lineOf(line).vat ?? vatOfDestination(line.quote))?.note,
    }),
    rule: t.string({
      description: 'RFC 6901 pointer to the rule in the tariff.',
      resolve: line => pointer(['versions', line.quote.price.version.index, ...rulePath(line)]),
    }),
  }),
});

const vatOfDestination = ({ price: { version, vatRule } }: ExplainedPrice) =>
  version.vat[areaOf(version.vatTable, vatRule)];

interface ExplainedPallets {
  readonly quote: ExplainedPrice;
  readonly pallets: PricedPallets;
}

const QuotePallets = builder.objectRef<ExplainedPallets>('QuotePallets').implement({
  description: 'Pallets that are priced by their number, and not by weight.',
  fields: t => ({
    types: t.stringList({
      description: 'The types that the price is for.',
      resolve: ({ quote, pallets }) => [...(quote.price.zone.pallets[pallets.position]?.types ?? [])],
    }),
    count: t.int({ description: 'How many of them the shipment has.', resolve: ({ pallets }) => pallets.count }),
    price: t.money('Price of all of them, EUR.', ({ pallets }) => pallets.cents),
    rule: t.value('String', 'RFC 6901 pointer to the prices in the tariff.', ({ quote, pallets }) => {
      const { version, zone } = quote.price;
      return pointer(['versions', version.index, 'zones', zone.index, 'pallets', pallets.position]);
    }),
  }),
});

const QuoteZone = builder.objectRef<ExplainedPrice>('QuoteZone').implement({
  description: 'The zone of a destination, and the rule that assigns it.',
  fields: t => ({
    code: t.string({ description: "The zone's code in the tariff.", resolve: ({ price }) => price.zone.code }),
    name: t.string({ description: 'Its name.', resolve: ({ price }) => price.zone.name }),
    ruleKind: t.value(RuleKindEnum, 'Kind of the rule.', quote => zoneRule(quote).kind),
    place: t.string({
      description: 'Text of the rule, such as `57030-57039`.',
      args: LANGUAGE_ARG,
      resolve: (quote, { language }) => placeText(WORDS[language], zoneRule(quote)),
    }),
    rule: t.value('String', 'RFC 6901 pointer to the rule in the tariff.', quote => {
      const { version, zone } = quote.price;
      return pointer(['versions', version.index, 'zones', zone.index, 'to', ...zoneRule(quote).path]);
    }),
  }),
});

function zoneRule({ price }: ExplainedPrice) {
  const rule = ruleAt(price.zoneTable, price.zoneRule);
  if (!rule) throw new Error('A price has no zone rule');
  return rule;
}

const QuoteBand = builder.objectRef<ExplainedPrice>('QuoteBand').implement({
  description:
    'The weight band of a shipment, or of its dearest parcel where bands price each parcel. All fields are 0 if pallets alone are priced, by their number.',
  fields: t => ({
    overKg: t.field({
      type: 'Decimal',
      description: 'Lower limit in kilograms, which is not part of the band.',
      resolve: ({ price: { zone, base } }) => kilograms(zone.upTo[base.band - 1] ?? 0),
    }),
    upToKg: t.field({
      type: 'Decimal',
      description: 'Upper limit in kilograms, which is part of the band.',
      resolve: ({ price: { zone, base } }) => kilograms(zone.upTo[base.band] ?? 0),
    }),
    price: t.money('Price of the band, EUR.', ({ price: { zone, base } }) => zone.prices[base.band] ?? 0),
    steps: t.value('Int', 'Number of steps, whole or begun, beyond the last band.', ({ price }) => price.base.steps),
    stepKg: t.nullable(
      'Decimal',
      'Kilograms of a step, of the first of several. Null if the tariff has no price beyond the last band.',
      ({ price: { zone } }) => (zone.beyond[0] ? kilograms(zone.beyond[0].stepGrams) : null),
    ),
    stepPrice: t.nullable(
      'Money',
      'Price of a step, of the first of several, EUR. Null if the tariff has no price beyond the last band.',
      ({ price: { zone } }) => (zone.beyond[0] ? euro(zone.beyond[0].stepCents) : null),
    ),
  }),
});

/** The service of a price, and the version that has it. */
type QuotedService = ServiceLevel & { readonly version: number };

/** Null where the contract has one service. */
export function serviceOf({ price: { version } }: ExplainedPrice): QuotedService | null {
  return version.service ? { ...version.service, version: version.index } : null;
}

export const QuoteServiceRef = builder.objectRef<QuotedService>('QuoteService').implement({
  description: 'A service of a contract, such as standard or express.',
  fields: t => ({
    ...t.columns('String', { code: "The service's code in the tariff: what `terms` ask for.", name: 'Its name.' }),
    rule: t.string({
      description: 'RFC 6901 pointer to the service in the tariff.',
      resolve: ({ version, index }) => pointer(['versions', version, 'services', index]),
    }),
  }),
});

/** The whole calculation of a price; made only if it is selected. */
export const QuoteExplanation = builder.objectRef<ExplainedPrice>('QuoteExplanation').implement({
  description: 'Everything that led to a price.',
  fields: t => ({
    tariffId: t.id({
      nullable: true,
      description: 'Id of the tariff, for `tariff(id:)`.',
      resolve: ({ connection }) => (connection.tariffId === null ? null : new RecordId('Tariff', connection.tariffId)),
    }),
    tariffName: t.value('String', 'Name of the tariff.', ({ connection }) => connection.tariff?.name ?? ''),
    version: t.string({ description: 'Label of the version in force.', resolve: ({ price }) => price.version.label }),
    validFrom: t.value('Date', 'Its first day.', ({ price }) => price.version.validFrom),
    service: t.nullable(
      QuoteServiceRef,
      'The service that was priced: the one that was asked for, or the cheapest that fits. Null if the tariff has no services.',
      serviceOf,
    ),
    weight: t.string({
      description: 'How the chargeable weight was found.',
      args: LANGUAGE_ARG,
      resolve: ({ price }, { language }) => weightText(WORDS[language], price),
    }),
    zone: t.field({ type: QuoteZone, description: 'The zone, and the rule that chose it.', resolve: quote => quote }),
    band: t.field({ type: QuoteBand, description: 'The band of weight.', resolve: quote => quote }),
    pallets: t.field({
      type: [QuotePallets],
      description: 'The pallets that are priced by their number. The band is for the other parcels.',
      resolve: quote => quote.price.base.pallets.map(pallets => ({ quote, pallets })),
    }),
    lines: t.value([QuoteLineRef], 'Every line of the price, in its order.', chargedLines),
    vatNote: t.string({
      nullable: true,
      description: 'Legal basis of the VAT of the destination in Italian, if there is one.',
      resolve: quote => vatOfDestination(quote)?.note,
    }),
  }),
});
