import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault, invalid } from '../../../platform/fault.ts';
import type { QuoteInput } from '../quotes/quote.input.ts';
import { bodyOfQuote, type QuoteSources, quoteShipment } from '../quotes/quote.service.ts';
import type { Quote } from '../quotes/quote-item.rules.ts';
import { issuesOfInput } from '../quotes/quote-request.rules.ts';
import type { QuoteTermsInput } from '../quotes/quote-terms.input.ts';
import { calculation } from '../tariffs/engine/explanation.rules.ts';
import { WORDS } from '../tariffs/explanation-words.rules.ts';
import { euro, NOT_CHARGED } from '../tariffs/units.rules.ts';
import { placeOf, type SavedPrice } from './saved-quote.rules.ts';
import { type NewSavedQuote, SavedQuoteEntity } from './saved-quotes.entity.ts';
import { type SavedQuoteRow, savedQuoteById } from './saved-quotes.repository.ts';

export { revisionOfQuote } from '../quotes/quote.service.ts';

/**
 * Quotes a shipment on one connection, and stores the quote.
 *
 * @throws Fault as `quoteShipment` does, and `validation_failed` if the connection does not quote it
 */
export async function saveQuote(
  tenant: Tenant,
  sources: QuoteSources,
  carrierConnectionId: number,
  { quote: input, terms }: { readonly quote: QuoteInput; readonly terms?: QuoteTermsInput | null | undefined },
): Promise<SavedQuoteRow> {
  const { items, excluded, destination } = await quoteShipment(tenant, sources, {
    input: { ...input, carrierConnectionIds: [carrierConnectionId] },
    ...(terms && { terms }),
  }).catch(inQuote(input));
  const [quote] = items;
  if (!quote) {
    const [none] = excluded;
    const [code, message] = none
      ? ([
          'quote_not_applicable',
          `names a connection that does not quote this shipment (${none.exclusion.code}); \`quoteShipment\` gives the reason`,
        ] as const)
      : (['carrier_connection_not_found', 'must be the id of an active carrier connection of the company'] as const);
    throw invalid([{ path: ['carrierConnectionId'], code, message }]);
  }
  const { origin, destination: _, ...shipment } = quote.shipment;
  // The shipment is booked with the service of the quote, also if another one becomes the cheapest.
  const load = { ...shipment, service: quote.price.version.service?.code };
  return keepQuote(tenant, {
    carrierConnectionId,
    tariffRevisionId: quote.connection.revisionId,
    orderId: input.shipment.orderId ?? null,
    request: { quote: askedWithoutPerson(input), ...(terms && { terms }) },
    shipment: { warehouseId: origin.warehouseId, destination: placeOf(destination), load },
    price: savedPrice(quote),
  });
}

/** The request in the form of REST. Quotes are stored permanently, and no price depends on a name or a street. */
function askedWithoutPerson(input: QuoteInput): object {
  const { destination, ...body } = bodyOfQuote(input);
  return { ...body, ...(destination && { destination: placeOf(destination) }) };
}

function savedPrice(quote: Quote): SavedPrice {
  const { price, shipment } = quote;
  const { version, zone, amounts } = price;
  const { service } = version;
  return {
    carrierCode: quote.carrierCode as SavedPrice['carrierCode'],
    carrierName: quote.carrierName,
    version: version.label,
    ...(service && { service: { code: service.code, name: service.name } }),
    zone: { code: zone.code, name: zone.name },
    chargeableWeight: quote.chargeableWeight,
    realWeight: quote.realWeight,
    volumetricWeight: quote.volumetricWeight,
    basePrice: quote.basePrice,
    fuelPrice: quote.fuelPrice,
    surchargesPrice: quote.surchargesPrice,
    optionsPrice: quote.optionsPrice,
    codPrice: quote.codPrice,
    insurancePrice: quote.insurancePrice,
    totalPrice: quote.totalPrice,
    vatRate: quote.vatRate,
    vatAmount: quote.vatAmount,
    vatBreakdown: quote.vatBreakdown,
    totalPriceWithVat: quote.totalPriceWithVat,
    lines: version.lines.flatMap(({ code, component, description }, position) => {
      const amount = amounts[position] ?? NOT_CHARGED;
      if (amount === NOT_CHARGED) return [];
      const [calculationIt, inEnglish] = [WORDS.it, WORDS.en].map(words =>
        calculation(words, price, position, shipment),
      );
      return [{ code, component, description, amount: euro(amount), calculation: inEnglish ?? '', calculationIt }];
    }),
  };
}

/** Places the issues of the shipment to quote in its field. @throws always */
const inQuote =
  (input: QuoteInput) =>
  (thrown: unknown): never => {
    if (!(thrown instanceof Fault)) throw thrown;
    const issues = issuesOfInput(thrown, input);
    if (!issues) throw thrown;
    throw invalid(
      issues.map(issue => (issue.path[0] === 'terms' ? issue : { ...issue, path: ['quote', ...issue.path] })),
    );
  };

/** A stored quote. @throws Fault `saved_quote_not_found` */
export async function savedQuote(tenant: Tenant, id: number): Promise<SavedQuoteRow> {
  const found = await savedQuoteById(tenant, id);
  if (!found) throw new Fault('saved_quote_not_found');
  return found;
}

function keepQuote(tenant: Tenant, quote: NewSavedQuote): Promise<SavedQuoteRow> {
  return tenant.transaction(async ({ em }) => em.create(SavedQuoteEntity, quote));
}
