import { builder } from '../../../../graphql/builder.ts';
import { QUOTE } from '../../../../graphql/costs.ts';
import { enumType } from '../../../../graphql/enum-type.ts';
import { inputType, rawInputType } from '../../../../graphql/input-type.ts';
import { requireAtMost } from '../../../../graphql/nodes.ts';
import { query } from '../../../../graphql/query.ts';
import { pointer } from '../../../../platform/fault.ts';
import { CarrierCodeRef, recordIdOfConnection } from '../../../shipping/carriers/carriers.graphql.ts';
import { vatBreakdown } from '../../tariffs/engine/quote.rules.ts';
import { WORDS } from '../../tariffs/explanation-words.rules.ts';
import { LANGUAGE_ARG } from '../../tariffs/language.graphql.ts';
import { percent } from '../../tariffs/units.rules.ts';
import { QuoteExclusion, QuoteNotice } from '../explanation/exclusion.graphql.ts';
import { VatShareRef } from '../explanation/vat-breakdown.graphql.ts';
import { quoteInput } from '../quote.input.ts';
import { readQuote } from '../quote.service.ts';
import { quoteTermsInput } from '../quote-terms.input.ts';
import { shipmentEventInput } from './after-shipment.input.ts';
import type { EventCharge } from './after-shipment.rules.ts';
import { type AfterShipment, type ChargedConnection, quoteAfterShipment } from './after-shipment.service.ts';

/** Charges after a shipment was quoted. */

const MAX_EVENTS = 20;

const ShipmentEventKindEnum = enumType('ShipmentEventKind', 'What can happen to a shipment after it was quoted.', {
  storage: 'It lay in storage (giacenza).',
  redelivery: 'It was delivered again.',
  return: 'It returned to the sender.',
  address_change: 'Its address was changed.',
  waiting: 'The courier waited.',
});

const ChargeRef = builder.objectRef<EventCharge>('AfterShipmentCharge').implement({
  description: 'What one event costs.',
  fields: t => ({
    kind: t.field({ type: ShipmentEventKindEnum, description: 'What happened.', resolve: ({ on }) => on }),
    ...t.columns('String', { code: "The line's code in the tariff.", description: 'The description in Italian.' }),
    amount: t.money('EUR before VAT.', ({ cents }) => cents),
    calculation: t.string({
      description:
        'How it was calculated, such as `5.00 + 0.80 × 4 per ogni 1 giorno o frazione oltre 3 giorni su 7 giorni`.',
      args: LANGUAGE_ARG,
      resolve: ({ calculation }, { language }) => calculation(WORDS[language]),
    }),
    vatRate: t.field({ type: 'Decimal', description: 'VAT, percent.', resolve: ({ vatPpm }) => percent(vatPpm) }),
    rule: t.value('String', 'RFC 6901 pointer to the rule in the tariff.', ({ rule }) => pointer(rule)),
  }),
});

const ItemRef = builder.objectRef<ChargedConnection>('AfterShipmentQuote').implement({
  description: 'What events cost on one carrier connection.',
  fields: t => ({
    carrierConnectionId: t.id({
      description: 'Id of the carrier connection.',
      resolve: ({ connection }) => recordIdOfConnection(connection.id),
    }),
    carrierCode: t.field({
      type: CarrierCodeRef,
      description: 'Short carrier code of the platform.',
      resolve: ({ connection }) => connection.carrierCode,
    }),
    carrierName: t.value('String', 'Commercial name.', ({ connection }) => connection.carrierName),
    charges: t.value(
      [ChargeRef],
      'The charge of each event, in the order of `events`. An event that the tariff has no line for has none.',
      ({ charges }) => charges,
    ),
    totalPrice: t.money('Sum of the charges, EUR before VAT.', ({ netCents }) => netCents),
    vatAmount: t.money('VAT on them, EUR, rounded half up to the cent once for each rate.', ({ vatCents }) => vatCents),
    vatBreakdown: t.field({
      type: [VatShareRef],
      description: 'The VAT by rate. The amounts add up to `vatAmount`, and the taxable sums to `totalPrice`.',
      resolve: ({ vatOfRates }) => vatBreakdown(vatOfRates),
    }),
    totalPriceWithVat: t.money('Total with VAT, EUR.', ({ netCents, vatCents }) => netCents + vatCents),
  }),
});

const ListRef = builder.objectRef<AfterShipment>('AfterShipmentList').implement({
  description: 'What events cost, on each connection that the shipment can be quoted on.',
  fields: t => ({
    items: t.value([ItemRef], 'By ascending number of the connection.', ({ items }) => items),
    excluded: t.field({
      type: [QuoteExclusion],
      description: 'The connections that do not apply, by ascending id.',
      resolve: ({ excluded }) => excluded,
    }),
    notices: t.value([QuoteNotice], 'Notices about the request.', ({ notices }) => notices),
  }),
});

query('quoteAfterShipment', {
  type: ListRef,
  nullable: true,
  description:
    'What carriers charge for what happens after a shipment was quoted: storage, redelivery, return, a changed address, waiting. It takes the shipment as `quoteShipment` does, with its day of shipment, and counts as a quote.',
  authScopes: { scope: 'shipments:quote' },
  args: builder.args(t => ({
    input: t.field({ type: rawInputType(quoteInput), required: true, description: 'The shipment.' }),
    terms: t.field({ type: rawInputType(quoteTermsInput), description: 'What else prices can depend on.' }),
    events: t.field({
      type: [inputType(shipmentEventInput)],
      required: true,
      description: `What happened, at most ${MAX_EVENTS}.`,
    }),
  })),
  complexity: QUOTE,
  resolve: (_root, { input, terms, events }, { tenant, tariffs }) => {
    requireAtMost(MAX_EVENTS, 'events', events);
    return quoteAfterShipment(tenant, tariffs, readQuote(input, terms), events);
  },
});
