import type { Tenant } from '../../platform/database/tenancy.ts';
import { Fault, invalid } from '../../platform/fault.ts';
import { orderById } from '../orders/orders.service.ts';
import type { PromiseBook } from '../promise/promise-book.service.ts';
import type { TariffBook } from '../tariffs/tariff-book.service.ts';
import { warehousePlace } from '../warehouses/warehouses.service.ts';
import { type QuoteInput, quotableOrder } from './quote.input.ts';
import { type Exclusion, price, type Shipment, samePrice } from './quote.rules.ts';
import { type ExcludedConnection, Quote, type QuotedConnection } from './quote-item.rules.ts';
import { type QuoteRequest, quoteRequest } from './quote-request.rules.ts';
import type { QuoteTermsInput } from './quote-terms.input.ts';
import {
  ambiguousProvince,
  centsOf,
  type Destinations,
  destinationNotices,
  destinationsOf,
  type Load,
  loadOf,
  type Notice,
  originAt,
  PLAIN_TERMS,
  totalIssues,
} from './shipment.rules.ts';
import { today } from './today.service.ts';

/** What quotes are made of. */
export interface QuoteSources {
  readonly tariffs: TariffBook;
  readonly promises: PromiseBook;
}

/** The answer to a quote: the cheapest first, and what does not apply by ascending id. */
export interface Quotes {
  readonly items: readonly Quote[];
  readonly excluded: readonly ExcludedConnection[];
  readonly notices: readonly Notice[];
}

const NO_TARIFF: Exclusion = {
  ok: false,
  code: 'NO_TARIFF_IN_FORCE',
  rule: [],
  version: undefined,
  reason: { is: 'no_tariff' },
};

/**
 * Prices a shipment on every active connection of the company.
 *
 * @param terms what prices can depend on beside it
 * @throws Fault `order_not_found`, `warehouse_not_found`; `validation_failed` for an order that lacks something, and for a
 * CAP of several provinces with different prices
 */
export async function quoteShipment(
  tenant: Tenant,
  { tariffs, promises }: QuoteSources,
  input: QuoteInput,
  terms: QuoteTermsInput = {},
): Promise<Quotes> {
  const request = quoteRequest(input, today());
  const source = request.mode === 'order' ? await fromOrder(tenant, request) : request;
  const origin = originAt(source.warehouseId, await warehousePlace(tenant, source.warehouseId));
  const { options, date } = request;
  const { destinations, codCents = 0, insuredCents = 0 } = source;
  const load = withPallets(source.load, terms.pallets ?? []);
  const [destination, ...others] = destinations;
  const asked = { codCents, insuredCents, options, date, ...PLAIN_TERMS, ...statedTerms(terms) };
  const shipment: Shipment = { ...load, origin, destination, ...asked };

  const wanted = request.carrierCompanyIds && new Set(request.carrierCompanyIds);
  const connections = await tariffs.connections(tenant, wanted);
  const promised = { table: await promises.table(tenant), scannedAt: onThatDay(date) };
  const items: Quote[] = [];
  const excluded: ExcludedConnection[] = [];
  for (const connection of connections) {
    const { tariff } = connection;
    const priced = tariff === null ? NO_TARIFF : price(tariff, shipment);
    for (const other of others) {
      if (tariff === null || samePrice(priced, price(tariff, { ...shipment, destination: other }))) continue;
      throw request.mode === 'order'
        ? notQuotable([ambiguousProvince(['recipient'], destinations)])
        : invalid([ambiguousProvince(['destination'], destinations)]);
    }
    if (priced.ok) items.push(new Quote(connection, shipment, priced, promised));
    else excluded.push({ connection, exclusion: priced });
  }
  return {
    items: items.sort(Quote.compare),
    excluded,
    notices: [...source.notices, ...unknownIds(wanted, connections)],
  };
}

function statedTerms({ codPayment, monthlyShipments }: QuoteTermsInput): Partial<typeof PLAIN_TERMS> {
  return { ...(codPayment && { codPayment }), ...(monthlyShipments && { monthlyShipments }) };
}

/** Parcels of which some kinds are pallets. @throws Fault `validation_failed` for a kind that is not there */
function withPallets(load: Load, pallets: NonNullable<QuoteTermsInput['pallets']>): Load {
  if (pallets.length === 0) return load;
  const parcels = [...load.parcels];
  for (const [i, { parcel, type, isStackable }] of pallets.entries()) {
    const kind = parcels[parcel];
    if (!kind || kind.longestSide === 0) {
      const message = `must be the position of one of the ${load.parcels.length} kinds of parcels, which need sides`;
      throw invalid([{ path: ['terms', 'pallets', i, 'parcel'], code: 'out_of_range', message }]);
    }
    parcels[parcel] = { ...kind, pallet: { type, isStackable } };
  }
  return { ...load, parcels };
}

/** This time of day on the day of shipment, or now where that is past. */
function onThatDay(date: string): number {
  return Date.now() + Math.max(0, Date.parse(date) - Date.parse(today()));
}

function unknownIds(wanted: ReadonlySet<number> | undefined, connections: readonly QuotedConnection[]): Notice[] {
  if (wanted === undefined) return [];
  const known = new Set(connections.map(({ id }) => id));
  return [...wanted]
    .filter(id => !known.has(id))
    .map(id => ({
      code: 'carrier_connection_not_found',
      path: ['carrierCompanyIds'],
      message: `${id} is not an active carrier connection of the company.`,
    }));
}

type OrderRequest = Extract<QuoteRequest, { mode: 'order' }>;

interface OrderSource {
  readonly warehouseId: number;
  readonly destinations: Destinations;
  readonly load: Load;
  readonly notices: readonly Notice[];
  readonly codCents?: number | undefined;
  readonly insuredCents?: number | undefined;
}

/** What an order supplies to a quote. @throws Fault `order_not_found`; `validation_failed` saying what it lacks */
async function fromOrder(tenant: Tenant, request: OrderRequest): Promise<OrderSource> {
  const order = await orderById(tenant, request.orderId);
  if (!order) throw new Fault('order_not_found', { detail: 'The company has no order with this id.' });
  const { countryCode: country, postalCode, city, province } = order.recipient;
  // Those given in the request take the place of the order's.
  const codAmount = request.codCents === undefined ? order.codAmount : null;
  const insuranceAmount = request.insuredCents === undefined ? order.insuranceAmount : null;
  const recipient = { country, postalCode, city, province };
  const read = quotableOrder.safeParse({ ...order, recipient, codAmount, insuranceAmount });
  const issues = read.success ? totalIssues(['parcels'], read.data.parcels) : read.error.issues;
  if (!read.success || issues.length > 0) throw notQuotable(issues);
  return {
    warehouseId: read.data.warehouseId,
    destinations: destinationsOf(read.data.recipient),
    load: loadOf(read.data.parcels),
    notices: destinationNotices([], recipient).map(notice => ({ ...notice, path: ['orderId'] })),
    codCents: request.codCents ?? centsOf(read.data.codAmount),
    insuredCents: request.insuredCents ?? centsOf(read.data.insuranceAmount),
  };
}

function notQuotable(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): Fault {
  const lacks = issues.map(({ path, message }) => `${path.join('/')} ${message}`).join('; ');
  return invalid([
    { path: ['orderId'], code: 'order_not_quotable', message: `must name an order that can be quoted: ${lacks}` },
  ]);
}
