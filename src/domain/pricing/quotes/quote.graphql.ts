import { builder } from '../../../graphql/builder.ts';
import { QUOTE, TARIFF_DOCUMENT } from '../../../graphql/costs.ts';
import { enumType } from '../../../graphql/enum-type.ts';
import { rawInputType } from '../../../graphql/input-type.ts';
import { numberNamed } from '../../../graphql/node-id.ts';
import { query } from '../../../graphql/query.ts';
import { registerBody } from '../../../graphql/rest-bodies.ts';
import {
  CarrierCodeRef,
  CarrierConnectionRef,
  carrierConnectionOf,
  NUMBER_IN_REST,
  recordIdOfConnection,
} from '../../shipping/carriers/carriers.graphql.ts';
import { TariffRevisionRef } from '../tariffs/revisions/revisions.graphql.ts';
import { QuoteExclusion, QuoteNotice, QuoteWarning } from './explanation/exclusion.graphql.ts';
import { QuoteExplanation, QuoteServiceRef, serviceOf } from './explanation/explanation.graphql.ts';
import { VAT_BREAKDOWN, VatShareRef } from './explanation/vat-breakdown.graphql.ts';
import { quoteInput } from './quote.input.ts';
import { type Quotes, quoteShipment, readQuote, revisionOfQuote } from './quote.service.ts';
import { placeInBody, quoteBody, quoteOfBody } from './quote-body.input.ts';
import type { Quote, QuotedOption } from './quote-item.rules.ts';
import { quoteTermsInput } from './quote-terms.input.ts';

export const CodPaymentEnum = enumType('CodPayment', 'How the amount of a cash on delivery is collected.', {
  cash: 'In cash.',
  bank_cheque: "By a banker's cheque (assegno circolare).",
  personal_cheque: 'By a personal cheque (assegno bancario).',
  card: 'By card.',
});

const QuoteOption = builder.objectRef<QuotedOption>('QuoteOption').implement({
  description: 'The price of one option that was asked for.',
  fields: t => ({
    ...t.columns('String', { code: "The option's code.", description: 'The description in Italian.' }),
    price: t.expose('price', { type: 'Money', description: 'EUR before VAT.' }),
    calculated: t.exposeBoolean('calculated', {
      description: 'Whether the price is calculated from a weight, a value or a percentage. False for a fixed amount.',
    }),
  }),
});

// Exposed properties: a quote has many fields, and a resolver for each would cost more than the price.
export const QuoteRef = builder.objectRef<Quote>('Quote').implement({
  description: 'What a shipment costs on one carrier connection. The six component prices add up to `totalPrice`.',
  fields: t => {
    const decimal = (description: string) => ({ type: 'Decimal', description }) as const;
    const money = (description: string) => ({ type: 'Money', description }) as const;
    return {
      carrierConnectionId: t.id({
        description: 'Id of the carrier connection. Use it to choose the carrier later.',
        extensions: {
          openapi: {
            ...NUMBER_IN_REST,
            description: 'Identifier of the carrier connection. Use it to choose the carrier later.',
          },
        },
        resolve: ({ carrierConnectionId }) => recordIdOfConnection(carrierConnectionId),
      }),
      carrierCode: t.expose('carrierCode', {
        type: CarrierCodeRef,
        description: 'Short carrier code of the platform.',
      }),
      carrierName: t.exposeString('carrierName', { description: 'Commercial name.' }),
      service: t.field({
        type: QuoteServiceRef,
        nullable: true,
        description:
          'The service of the connection that the price is of: the one that `terms` ask for, or the cheapest that fits. Null if its tariff has no services.',
        resolve: serviceOf,
      }),
      chargeableWeight: t.expose('chargeableWeight', decimal('The weight that the price is for, in kilograms.')),
      realWeight: t.expose('realWeight', decimal('Real weight, kilograms.')),
      volumetricWeight: t.expose(
        'volumetricWeight',
        decimal('Volumetric weight, in kilograms. 0 if the tariff uses the real weight only.'),
      ),
      basePrice: t.expose('basePrice', money('Price by weight and zone, EUR before VAT.')),
      fuelPrice: t.expose('fuelPrice', money('Fuel, EUR before VAT. 0 if it is included.')),
      surchargesPrice: t.expose('surchargesPrice', money('Surcharges, EUR before VAT.')),
      optionsPrice: t.expose('optionsPrice', money('Options, EUR before VAT: the sum of `carrierOptionsDetail`.')),
      codPrice: t.expose('codPrice', money('Cash on delivery, EUR before VAT.')),
      insurancePrice: t.expose('insurancePrice', money('Insurance, EUR before VAT.')),
      carrierOptionsDetail: t.expose('carrierOptionsDetail', {
        type: [QuoteOption],
        description: 'The options asked for, by code.',
      }),
      totalPrice: t.expose('totalPrice', money('Total, EUR before VAT.')),
      vatRate: t.expose(
        'vatRate',
        decimal('VAT of the base price, percent. A tariff can give other lines rates of their own.'),
      ),
      vatAmount: t.expose(
        'vatAmount',
        money(
          'VAT, EUR: the sum over the rates of the lines, each rate on the sum of its lines, rounded half up to the cent.',
        ),
      ),
      vatBreakdown: t.expose('vatBreakdown', { type: [VatShareRef], description: VAT_BREAKDOWN }),
      totalPriceWithVat: t.expose('totalPriceWithVat', money('Total with VAT, EUR. Quotes are sorted by it.')),
      currency: t.exposeString('currency', {
        description: 'ISO 4217 code of all prices: EUR.',
        extensions: { openapi: { const: 'EUR' } },
      }),
      estimatedDeliveryDays: t.exposeInt('estimatedDeliveryDays', {
        nullable: true,
        description:
          "Days to delivery, from the tariff: of the zone, or else of the service. If the tariff has none: the whole working days after the day of the first scan within which 80 % of the company's own shipments arrive.",
      }),
      carrierConnection: t.field({
        type: CarrierConnectionRef,
        description: 'The carrier connection.',
        authScopes: { scope: 'carriers:read' },
        resolve: ({ carrierConnectionId }, _args, context) => carrierConnectionOf(context, carrierConnectionId),
      }),
      tariffRevision: t.field({
        type: TariffRevisionRef,
        nullable: true,
        description: 'The revision or draft of the tariff that gave the price.',
        authScopes: { scope: 'carriers:manage' },
        resolve: ({ connection }, _args, { tenant }) => revisionOfQuote(tenant, connection.revisionId),
      }),
      explanation: t.field({
        type: QuoteExplanation,
        description: 'Everything that led to the price.',
        resolve: quote => quote,
      }),
    };
  },
});

const QuoteList = builder.objectRef<Quotes>('QuoteList').implement({
  description: 'Quotes, one for each connection that applies.',
  fields: t => ({
    items: t.field({
      type: [QuoteRef],
      description: 'By `totalPriceWithVat`, `totalPrice` and number of the connection, ascending.',
      extensions: {
        openapi: { description: 'By `totalPriceWithVat`, `totalPrice`, `carrierCompanyId`, ascending.' },
      },
      resolve: ({ items }) => items,
    }),
    excluded: t.field({
      type: [QuoteExclusion],
      description: 'The connections that do not apply, by ascending id.',
      resolve: ({ excluded }) => excluded,
    }),
    notices: t.value([QuoteNotice], 'Notices about the request.', ({ notices }) => notices),
  }),
});

export const QuoteResultRef = builder.unionType('QuoteResult', {
  description: 'Quotes, or why there are none.',
  types: [QuoteList, QuoteWarning],
  resolveType: ({ items }) => (items.length > 0 ? QuoteList : QuoteWarning),
});

registerBody('QuoteInput', { schema: quoteBody, toInput: quoteOfBody, placeOf: placeInBody });

query('quoteShipment', {
  type: QuoteResultRef,
  nullable: true,
  description:
    'Quotes of a shipment on every active carrier connection, cheapest first, or the reasons why none applies.',
  authScopes: { scope: 'shipments:quote' },
  args: builder.args(t => ({
    input: t.field({ type: rawInputType(quoteInput), required: true, description: 'The shipment.' }),
    terms: t.field({ type: rawInputType(quoteTermsInput), description: 'What else prices can depend on.' }),
    draft: t.boolean({
      description:
        'Whether each connection that has drafts is quoted with its newest draft in the place of its tariff. False if left out.',
    }),
    revisions: t.idList({
      description:
        'Revisions and drafts of tariffs to quote in place of the tariffs in force; if a connection has several, the last one.',
    }),
  })),
  complexity: ({ draft, revisions }) => QUOTE + TARIFF_DOCUMENT * ((revisions?.length ?? 0) + (draft ? 1 : 0)),
  resolve: (_root, { input, terms, draft, revisions }, { tenant, tariffs, promiseBook: promises }) =>
    quoteShipment(tenant, { tariffs, promises }, readQuote(input, terms), {
      drafts: draft,
      revisionIds: revisions?.map((id, i) => numberNamed('TariffRevision', id, ['revisions', i])),
    }),
});
