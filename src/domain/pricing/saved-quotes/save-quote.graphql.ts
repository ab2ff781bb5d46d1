import { builder } from '../../../graphql/builder.ts';
import { MUTATION, QUOTE } from '../../../graphql/costs.ts';
import { connectionOf, PAGE_ARGS, pageById, pageCost } from '../../../graphql/lists.ts';
import { mutation, numberId } from '../../../graphql/mutation.ts';
import { numberSought } from '../../../graphql/node-id.ts';
import { numberedNode } from '../../../graphql/nodes.ts';
import { idArg, lookUp, query } from '../../../graphql/query.ts';
import {
  CarrierCodeRef,
  CarrierConnectionRef,
  carrierConnectionOf,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { ShipmentRef } from '../../shipping/tracking/tracking.graphql.ts';
import { ComponentEnum } from '../quotes/explanation/explanation.graphql.ts';
import { VAT_BREAKDOWN, VatShareRef } from '../quotes/explanation/vat-breakdown.graphql.ts';
import { LANGUAGE_ARG } from '../tariffs/language.graphql.ts';
import { TariffRevisionRef } from '../tariffs/revisions/revisions.graphql.ts';
import { saveQuoteInput } from './save-quote.input.ts';
import { revisionOfQuote, savedQuote, saveQuote } from './save-quote.service.ts';
import type { SavedLine } from './saved-quote.rules.ts';
import {
  countSavedQuotes,
  listSavedQuotes,
  quoteOfShipment,
  type SavedQuoteRow,
  savedQuoteById,
} from './saved-quotes.repository.ts';

const scope = 'shipments:quote';

const SavedLineRef = builder.objectRef<SavedLine>('SavedQuoteLine').implement({
  description: 'A line of the price of a saved quote.',
  fields: t => ({
    ...t.columns('String', { code: "The line's code in the tariff.", description: 'The description in Italian.' }),
    component: t.value(ComponentEnum, 'The component that it is part of.', ({ component }) => component),
    amount: t.expose('amount', { type: 'Money', description: 'EUR before VAT.' }),
    calculation: t.string({
      description: 'How it was calculated. Quotes that were saved before version 1.1 have it in English alone.',
      args: LANGUAGE_ARG,
      resolve: ({ calculation, calculationIt = calculation }, { language }) =>
        language === 'it' ? calculationIt : calculation,
    }),
  }),
});

export const SavedQuoteRef = builder.objectRef<SavedQuoteRow>('SavedQuote').implement({
  description: 'A saved quote: the request, and the price at that time.',
  fields: t => {
    const money = (name: MoneyName, description: string) =>
      t.field({ type: 'Money', description, resolve: ({ price }) => price[name] });
    const decimal = (name: DecimalName, description: string) =>
      t.field({ type: 'Decimal', description, resolve: ({ price }) => String(price[name]) });
    return {
      databaseId: t.exposeInt('id', { description: 'Number of the quote: what `quoteId` of a shipment names.' }),
      carrierConnectionId: t.id({
        description: 'Id of the carrier connection.',
        resolve: ({ carrierConnectionId }) => recordIdOfConnection(carrierConnectionId),
      }),
      carrierConnection: t.field({
        type: CarrierConnectionRef,
        description: 'The carrier connection.',
        authScopes: { scope: 'carriers:read' },
        resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
      }),
      carrierCode: t.field({
        type: CarrierCodeRef,
        description: 'Short carrier code of the platform.',
        resolve: ({ price }) => price.carrierCode,
      }),
      carrierName: t.string({ description: 'Commercial name.', resolve: ({ price }) => price.carrierName }),
      tariffRevision: t.field({
        type: TariffRevisionRef,
        nullable: true,
        description: 'The tariff that gave the price. Null if it is no longer known.',
        authScopes: { scope: 'carriers:manage' },
        resolve: ({ tariffRevisionId }, _args, { tenant }) => revisionOfQuote(tenant, tariffRevisionId ?? null),
      }),
      request: t.field({
        type: 'JSON',
        description:
          'The request: `quote` as `POST /shipments/quote` takes it, without name and street of the destination, and `terms` if they were given.',
        resolve: ({ request }) => request,
      }),
      version: t.string({ description: "Label of the tariff's version.", resolve: ({ price }) => price.version }),
      serviceCode: t.string({
        nullable: true,
        description: 'Code of the service. Null if the tariff had no services.',
        resolve: ({ price }) => price.service?.code,
      }),
      serviceName: t.string({
        nullable: true,
        description: 'Name of the service. Null if the tariff had no services.',
        resolve: ({ price }) => price.service?.name,
      }),
      zoneCode: t.string({ description: 'Code of the zone.', resolve: ({ price }) => price.zone.code }),
      zoneName: t.string({ description: 'Name of the zone.', resolve: ({ price }) => price.zone.name }),
      chargeableWeight: decimal('chargeableWeight', 'The weight that the price is for, in kilograms.'),
      realWeight: decimal('realWeight', 'Real weight, kilograms.'),
      volumetricWeight: decimal('volumetricWeight', 'Volumetric weight, in kilograms.'),
      basePrice: money('basePrice', 'Price by weight and zone, EUR before VAT.'),
      fuelPrice: money('fuelPrice', 'Fuel, EUR before VAT.'),
      surchargesPrice: money('surchargesPrice', 'Surcharges, EUR before VAT.'),
      optionsPrice: money('optionsPrice', 'Options, EUR before VAT.'),
      codPrice: money('codPrice', 'Cash on delivery, EUR before VAT.'),
      insurancePrice: money('insurancePrice', 'Insurance, EUR before VAT.'),
      totalPrice: money('totalPrice', 'Total, EUR before VAT.'),
      vatRate: decimal('vatRate', 'VAT of the base price, percent.'),
      vatAmount: money('vatAmount', 'VAT, EUR: the sum over the rates of the lines.'),
      vatBreakdown: t.field({
        type: [VatShareRef],
        description: VAT_BREAKDOWN,
        resolve: ({ price }) => price.vatBreakdown,
      }),
      totalPriceWithVat: money('totalPriceWithVat', 'Total with VAT, EUR.'),
      lines: t.field({
        type: [SavedLineRef],
        description: 'The lines of the price, which add up to `totalPrice`.',
        resolve: ({ price }) => price.lines,
      }),
      createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was kept.' }),
    };
  },
});

type MoneyName =
  | 'basePrice'
  | 'fuelPrice'
  | 'surchargesPrice'
  | 'optionsPrice'
  | 'codPrice'
  | 'insurancePrice'
  | 'totalPrice'
  | 'vatAmount'
  | 'totalPriceWithVat';
type DecimalName = 'chargeableWeight' | 'realWeight' | 'volumetricWeight' | 'vatRate';

numberedNode(SavedQuoteRef, scope, savedQuoteById);

builder.objectField(ShipmentRef, 'quote', t =>
  t.field({
    type: SavedQuoteRef,
    nullable: true,
    description: 'The quote that it was booked with. Null if it names none.',
    authScopes: { scope },
    resolve: ({ id }, _args, { tenant }) => quoteOfShipment(tenant, id),
  }),
);

query('savedQuote', {
  type: SavedQuoteRef,
  nullable: true,
  description: 'One saved quote. Null if the company has none with this id.',
  authScopes: { scope },
  args: idArg('Global id of the quote, or its `databaseId`.'),
  resolve: (_root, { id }, context) =>
    lookUp(context, () => savedQuote(context.tenant, numberSought('SavedQuote', id))),
});

query('savedQuotes', {
  type: connectionOf(SavedQuoteRef),
  description: 'The saved quotes, the newest first.',
  authScopes: { scope },
  args: PAGE_ARGS,
  complexity: pageCost,
  resolve: (_root, args, { tenant }) =>
    pageById(
      args,
      () => countSavedQuotes(tenant),
      page => listSavedQuotes(tenant, page),
    ),
});

mutation('saveQuote', {
  description:
    'Quotes a shipment on one carrier connection and saves the quote: the request, the price with its lines, and the tariff. It is the current price; nothing reserves it with the carrier.',
  scope,
  ids: { carrierConnectionId: numberId('CarrierConnection', 'The carrier connection.') },
  fields: saveQuoteInput,
  payload: { savedQuote: { type: SavedQuoteRef, description: 'The quote.' } },
  complexity: QUOTE + MUTATION,
  resolve: async ({ carrierConnectionId, ...input }, { tenant, tariffs, promiseBook: promises }) => ({
    savedQuote: await saveQuote(tenant, { tariffs, promises }, carrierConnectionId, input),
  }),
});
