import type { Tenant } from '../../platform/database/tenancy.ts';
import { Fault, invalid, pointer } from '../../platform/fault.ts';
import { Checks } from '../checks.rules.ts';
import { orderById } from '../orders/orders.service.ts';
import type { Destination } from '../tariffs/area.rules.ts';
import type { TariffBook } from '../tariffs/tariff-book.service.ts';
import { warehouseCountry } from '../warehouses/warehouses.service.ts';
import { type Exclusion, price, type Shipment } from './quote.rules.ts';
import { type ExcludedConnection, Quote, type QuotedConnection } from './quote-item.rules.ts';
import {
  checkDestination,
  checkMoney,
  checkParcels,
  checkQuote,
  dayInItaly,
  type Load,
  type Notice,
  type QuoteInput,
  type QuoteRequest,
} from './shipment.rules.ts';

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
 * @throws Fault `validation_failed`, `order_not_found`, `warehouse_not_found`
 */
export async function quoteShipment(tenant: Tenant, book: TariffBook, input: QuoteInput): Promise<Quotes> {
  const request = checkQuote(input, today());
  const source = request.mode === 'order' ? await fromOrder(tenant, request) : request;
  const originCountry = await warehouseCountry(tenant, source.warehouseId);
  const { options, date } = request;
  const { load, destination, codCents = 0, insuredCents = 0 } = source;
  const shipment: Shipment = { ...load, originCountry, destination, codCents, insuredCents, options, date };

  const wanted = request.carrierCompanyIds && new Set(request.carrierCompanyIds);
  const connections = await book.connections(tenant, wanted);
  const items: Quote[] = [];
  const excluded: ExcludedConnection[] = [];
  for (const connection of connections) {
    const priced = connection.tariff === null ? NO_TARIFF : price(connection.tariff, shipment);
    if (priced.ok) items.push(new Quote(connection, shipment, priced));
    else excluded.push({ connection, exclusion: priced });
  }
  return {
    items: items.sort(Quote.compare),
    excluded,
    notices: [...source.notices, ...unknownIds(wanted, connections)],
  };
}

let day: { readonly minute: number; readonly text: string } | undefined;

/** The calendar day in Italy; formatted once a minute, since that takes as long as a price. */
function today(): string {
  const minute = Math.floor(Date.now() / 60_000);
  if (day?.minute !== minute) day = { minute, text: dayInItaly(new Date(minute * 60_000)) };
  return day.text;
}

function unknownIds(wanted: ReadonlySet<number> | undefined, connections: readonly QuotedConnection[]): Notice[] {
  if (wanted === undefined) return [];
  const known = new Set(connections.map(({ id }) => id));
  return [...wanted]
    .filter(id => !known.has(id))
    .map(id => ({
      code: 'carrier_connection_not_found',
      path: ['carrierCompanyIds'],
      message: `${id} is no active carrier connection of the company.`,
    }));
}

type OrderRequest = Extract<QuoteRequest, { mode: 'order' }>;

interface OrderSource {
  readonly warehouseId: number;
  readonly destination: Destination;
  readonly load: Load;
  readonly notices: readonly Notice[];
  readonly codCents?: number | undefined;
  readonly insuredCents?: number | undefined;
}

/** What an order supplies to a quote. @throws Fault `order_not_found`; `validation_failed` saying what it lacks */
async function fromOrder(tenant: Tenant, request: OrderRequest): Promise<OrderSource> {
  const order = await orderById(tenant, request.orderId);
  if (!order) throw new Fault('order_not_found', { detail: 'The company has no order with this id.' });
  const { recipient, warehouseId, codAmount, insuranceAmount } = order;
  const checks = new Checks();
  if (warehouseId == null) checks.add(['warehouseId'], 'required', 'must be given');
  const notices: Notice[] = [];
  const destination = checkDestination(
    checks,
    ['recipient'],
    { ...recipient, country: recipient.countryCode },
    notices,
  );
  const load = checkParcels(
    checks,
    ['parcels'],
    // A side that is not known is refused like an empty one.
    order.parcels.map(({ length, width, height, ...parcel }) => ({
      ...parcel,
      length: length ?? '',
      width: width ?? '',
      height: height ?? '',
    })),
  );
  // Those given in the request take their place.
  const codCents = request.codCents ?? checkMoney(checks, ['codAmount'], codAmount);
  const insuredCents = request.insuredCents ?? checkMoney(checks, ['insuranceAmount'], insuranceAmount);
  if (checks.issues.length > 0 || warehouseId == null || load === undefined) {
    const lacks = checks.issues.map(({ path, message }) => `${pointer(path).slice(1)} ${message}`).join('; ');
    throw invalid([
      { path: ['orderId'], code: 'order_not_quotable', message: `names an order that can't be quoted: ${lacks}` },
    ]);
  }
  return {
    warehouseId,
    destination,
    load,
    notices: notices.map(notice => ({ ...notice, path: ['orderId'] })),
    codCents,
    insuredCents,
  };
}
