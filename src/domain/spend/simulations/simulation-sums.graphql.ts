import { builder } from '../../../graphql/builder.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { ComponentEnum, QuoteExplanation } from '../../pricing/quotes/explanation/explanation.graphql.ts';
import { LANGUAGE_ARG } from '../../pricing/tariffs/language.graphql.ts';
import { kilograms } from '../../pricing/tariffs/units.rules.ts';
import { recordIdOfConnection } from '../../shipping/carriers/carriers.graphql.ts';
import { type AccountSum, accountCents, type SimulatedAccount, type SimulatedBonus } from './account-sums.rules.ts';
import type { SimulatedPrices } from './simulation.service.ts';
import type { NotPriced } from './sums.rules.ts';
import type { BandSum, Compared, LineSum, Move, ServiceSum, ZoneSum } from './tally.rules.ts';

/** Sums, counts and shipments in the results of simulations. */

/** Fields with single shipments need the right to read them. */
export const OF_SHIPMENTS = { scope: 'shipments:tracking' } as const;

const ReasonEnum = enumType('NotPricedReason', 'Why a shipment has no price. More values can be added.', {
  warehouse_missing: 'Neither the shipment nor its order has a warehouse.',
  recipient_not_quotable: 'The address of the recipient is not one that quotes accept.',
  parcels_not_quotable: 'The parcels of the order, or the totals of the shipment, cannot be quoted.',
  weight_missing: 'The shipment has no weight.',
  volume_missing: 'The shipment has no volume.',
  amount_not_quotable: 'The cash on delivery or the insured value is more than quotes accept.',
  DESTINATION_NOT_SERVED: 'The tariff does not serve the destination, or not from the warehouse.',
  WEIGHT_OUT_OF_RANGE: 'The shipment is heavier than the tariff allows.',
  DIMENSIONS_OUT_OF_RANGE: 'The parcels are larger or more than the tariff allows.',
  COD_NOT_SUPPORTED: 'The tariff has no cash on delivery, or none of this amount.',
  INSURANCE_NOT_SUPPORTED: 'The tariff has no insurance, or none of this value.',
  OPTION_NOT_SUPPORTED: 'An option is not offered, or not for the shipment.',
  PROVINCE_NEEDED: 'The postal code lies in several provinces with different prices, and the shipment names none.',
  NO_TARIFF_IN_FORCE: 'There is no tariff, or it has no version for the day.',
});

type NotPricedEntry = readonly [reason: string, count: NotPriced[string]];

export const NotPricedRef = builder.objectRef<NotPricedEntry>('NotPricedShipments').implement({
  description: 'Shipments that have no price for one reason.',
  fields: t => ({
    reason: t.field({ type: ReasonEnum, description: 'Why.', resolve: ([reason]) => reason as never }),
    shipments: t.int({ description: 'How many there are.', resolve: ([, { shipments }]) => shipments }),
    examples: t.stringList({
      description: 'Tracking numbers of up to three.',
      authScopes: OF_SHIPMENTS,
      resolve: ([, { examples }]) => examples,
    }),
    detail: t.string({
      nullable: true,
      description: 'The error of the first, where the reason alone does not show it.',
      resolve: ([, { detail }]) => detail,
    }),
  }),
});

/** The most frequent first. */
export function reasonsOf(counts: NotPriced): NotPricedEntry[] {
  return Object.entries(counts).toSorted(([, one], [, other]) => other.shipments - one.shipments);
}

const BandRef = builder.objectRef<readonly [upTo: number, sum: BandSum]>('SimulatedBand').implement({
  description: 'Shipments whose chargeable weight is in one band.',
  fields: t => ({
    overKg: t.field({
      type: 'Decimal',
      description: 'Lower limit in kilograms, which is not part of the band.',
      resolve: ([, { over }]) => kilograms(over),
    }),
    upToKg: t.nullable(
      'Decimal',
      'Upper limit in kilograms, which is part of the band. Null for pallets, priced by their number.',
      ([upTo]) => (upTo === 0 ? null : kilograms(upTo)),
    ),
    shipments: t.int({
      description: 'Number of shipments, with those beyond the last band.',
      resolve: ([, { shipments }]) => shipments,
    }),
    shipmentsBeyond: t.value('Int', 'How many shipments are heavier than the last band.', ([, { beyond }]) => beyond),
    basePrice: t.money('The sum of their prices by weight, EUR before VAT.', ([, { netCents }]) => netCents),
  }),
});

export const ZoneRef = builder.objectRef<ZoneSum>('SimulatedZone').implement({
  description: 'Shipments that go to one zone of a tariff.',
  fields: t => ({
    ...t.columns('String', { code: "The zone's code in the tariff.", name: 'Its name.' }),
    shipments: t.exposeInt('shipments', { description: 'Number of shipments.' }),
    basePrice: t.money('The sum of their prices by weight, EUR before VAT.', ({ netCents }) => netCents),
    bands: t.field({
      type: [BandRef],
      description: 'The bands that have shipments, by weight.',
      resolve: ({ bands }) =>
        Object.entries(bands)
          .map(([upTo, sum]) => [Number(upTo), sum] as const)
          .toSorted(([one], [other]) => one - other),
    }),
  }),
});

export const ServiceRef = builder.objectRef<readonly [code: string, sum: ServiceSum]>('SimulatedService').implement({
  description: 'Shipments that go by one service of a tariff.',
  fields: t => ({
    code: t.string({ description: "The service's code in the tariff.", resolve: ([code]) => code }),
    name: t.string({ description: 'Its name.', resolve: ([, { name }]) => name }),
    shipments: t.int({ description: 'Number of shipments.', resolve: ([, { shipments }]) => shipments }),
    total: t.money('Their total, EUR before VAT.', ([, { netCents }]) => netCents),
  }),
});

export const LineRef = builder.objectRef<readonly [code: string, sum: LineSum]>('SimulatedLine').implement({
  description: 'The total of one line of a tariff over all shipments.',
  fields: t => ({
    code: t.string({ description: "The line's code in the tariff.", resolve: ([code]) => code }),
    component: t.value(ComponentEnum, 'The component of a price that it is part of.', ([, { component }]) => component),
    description: t.value('String', 'The description in Italian.', ([, { description }]) => description),
    shipments: t.int({ description: 'Number of shipments that have it.', resolve: ([, { shipments }]) => shipments }),
    amount: t.money('EUR before VAT.', ([, { netCents }]) => netCents),
  }),
});

const AccountSumRef = builder.objectRef<AccountSum>('SimulatedAccountCharge').implement({
  description: 'What the account is charged in the months of a simulation, outside of the prices of shipments.',
  fields: t => ({
    ...t.columns('String', { code: 'Its code in the tariff.', description: 'The description in Italian.' }),
    months: t.exposeInt('months', { description: 'Number of months in which it is charged.' }),
    amount: t.money('EUR before VAT.', ({ cents }) => cents),
  }),
});

const BonusRef = builder.objectRef<SimulatedBonus>('SimulatedBonus').implement({
  description:
    'What the carrier would pay back after a year with shipments in proportion to the period. It is a projection, and part of no total.',
  fields: t => ({
    ...t.columns('String', { code: 'Its code in the tariff.', description: 'The description in Italian.' }),
    amount: t.money('For the shipments of the period, EUR before VAT: zero or less.', ({ cents }) => cents),
    calculation: t.string({
      description: 'How it is calculated.',
      args: LANGUAGE_ARG,
      resolve: ({ calculation, calculationIt = calculation }, { language }) =>
        language === 'it' ? calculationIt : calculation,
    }),
  }),
});

export const AccountRef = builder.objectRef<SimulatedAccount>('SimulatedAccount').implement({
  description:
    'What a tariff charges for the account: fees of a month and of pickups, and the difference to the minimum of a month. Every month with a day in the period counts as a whole.',
  fields: t => ({
    charges: t.field({ type: [AccountSumRef], description: 'The charges.', resolve: ({ charges }) => charges }),
    total: t.money('Their total, EUR before VAT.', accountCents),
    bonus: t.nullable(
      BonusRef,
      'The bonus by the volume of a year, if the tariff has one.',
      ({ bonus }) => bonus ?? null,
    ),
  }),
});

/** A shipment with the data that explain its prices. */
interface Repriced {
  readonly move: Move;
  readonly prices: () => SimulatedPrices;
}

/** A comparison with the data that explain the prices of its shipments. */
export interface Comparison {
  readonly compared: Compared;
  readonly prices: () => SimulatedPrices;
}

const RepricedRef = builder.objectRef<Repriced>('RepricedShipment').implement({
  description: 'A shipment that would have cost more or less. Prices are EUR before VAT.',
  fields: t => ({
    trackingNumber: t.string({ description: 'Its tracking number.', resolve: ({ move }) => move.trackingNumber }),
    orderNumber: t.nullable('String', 'Number of its order.', ({ move }) => move.orderNumber),
    shipmentDate: t.value('Date', 'The day in Italy on which it left.', ({ move }) => move.shipment.date),
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection that it was shipped on.',
      resolve: ({ move }) => recordIdOfConnection(move.carrierCompanyId),
    }),
    tariffNumber: t.int({
      description: '`number` of the tariff in the simulation that gives the new price.',
      resolve: ({ move }) => move.tariff + 1,
    }),
    before: t.money('Its price on the tariff in force of that connection.', ({ move }) => move.beforeCents),
    after: t.money('Its price on the tariff that it is compared with.', ({ move }) => move.afterCents),
    difference: t.money(
      '`after` less `before`: negative for a saving.',
      ({ move }) => move.afterCents - move.beforeCents,
    ),
    explanationBefore: t.field({
      type: QuoteExplanation,
      description: 'Everything that led to `before`.',
      resolve: ({ move, prices }) => prices().before(move),
    }),
    explanation: t.field({
      type: QuoteExplanation,
      description: 'Everything that led to `after`.',
      resolve: ({ move, prices }) => prices().after(move),
    }),
  }),
});

const repriced = (moves: readonly Move[], { prices }: Comparison) => moves.map(move => ({ move, prices }));

export const ComparisonRef = builder.objectRef<Comparison>('SimulatedComparison').implement({
  description:
    'What shipments cost on the tariffs in force of their own connections, and would have cost. Only shipments that have both prices count. EUR before VAT.',
  fields: t => ({
    shipments: t.int({ description: 'Number of shipments.', resolve: ({ compared }) => compared.shipments }),
    before: t.money('The sum of the former prices.', ({ compared }) => compared.beforeCents),
    after: t.money('The sum of the prices that they would have had.', ({ compared }) => compared.afterCents),
    difference: t.money(
      '`after` less `before`: negative for a saving.',
      ({ compared }) => compared.afterCents - compared.beforeCents,
    ),
    largestSavings: t.field({
      type: [RepricedRef],
      description: 'The 20 shipments with the largest savings.',
      authScopes: OF_SHIPMENTS,
      resolve: one => repriced(one.compared.savings, one),
    }),
    largestIncreases: t.field({
      type: [RepricedRef],
      description: 'The 20 shipments with the largest increases.',
      authScopes: OF_SHIPMENTS,
      resolve: one => repriced(one.compared.increases, one),
    }),
  }),
});
