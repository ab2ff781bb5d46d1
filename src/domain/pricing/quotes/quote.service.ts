import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { Fault, type FaultCode, type Issue, invalid } from '../../../platform/fault.ts';
import { checkInput, issuesOf } from '../../../platform/input.ts';
import { inTurns } from '../../../platform/limits/turns.ts';
import { needsDefault, withDefault } from '../../shipping/orders/default-parcel/default-parcel.rules.ts';
import { defaultParcel } from '../../shipping/orders/default-parcel/default-parcel.service.ts';
import type { Parcel } from '../../shipping/orders/orders.rules.ts';
import { orderById } from '../../shipping/orders/orders.service.ts';
import type { Arrivals, Lading } from '../../shipping/tracking/promised.rules.ts';
import { warehousePlace } from '../../shipping/warehouses/warehouses.service.ts';
import { NO_TARIFF } from '../tariffs/exclusion.rules.ts';
import type { QuotedConnection } from '../tariffs/price.rules.ts';
import { newestDrafts } from '../tariffs/revisions/drafts.service.ts';
import type { RevisionRow } from '../tariffs/revisions/revisions.repository.ts';
import { revisionById } from '../tariffs/revisions/revisions.service.ts';
import { amountFields, type Shipment } from '../tariffs/shipment-terms.rules.ts';
import type { TariffBook } from '../tariffs/tariff-book.service.ts';
import { priceIn } from './price/province.rules.ts';
import {
  centsOf,
  type Destinations,
  destinationNotices,
  destinationsOf,
  type Load,
  loadOf,
  type Notice,
  originAt,
  PLAIN_TERMS,
  type QuoteDestination,
  type Terms,
  totalIssues,
} from './price/shipment.rules.ts';
import { type QuoteInput, quotableOrder, quoteInput } from './quote.input.ts';
import { type ExcludedConnection, Quote } from './quote-item.rules.ts';
import { missingNotices, unknownIds } from './quote-notices.rules.ts';
import { needsBox, type QuoteRequest, quoteRequest } from './quote-request.rules.ts';
import { type QuoteTermsInput, quoteTermsInput } from './quote-terms.input.ts';
import { today } from './today.service.ts';

export { bodyOfQuote } from './quote-body.input.ts';

export interface QuoteSources {
  readonly tariffs: TariffBook;
  readonly promises: { arrivals(tenant: Tenant): Promise<Arrivals> };
}

/** The result of a quote: cheapest first, and excluded connections by ascending id. */
export interface Quotes {
  readonly items: readonly Quote[];
  readonly excluded: readonly ExcludedConnection[];
  readonly notices: readonly Notice[];
  /** The destination as it was written. */
  readonly destination: QuoteDestination;
}

/** Revisions and drafts that are quoted in place of the tariffs in force. */
interface TriedTariffs {
  /** Whether the newest draft of each connection is quoted. */
  readonly drafts?: boolean | null | undefined;
  readonly revisionIds?: readonly number[] | undefined;
}

/**
 * Prices a shipment on every active connection of the company.
 *
 * @throws Fault `order_not_found`, `warehouse_not_found`; `validation_failed` for an incomplete order
 */
export async function quoteShipment(
  tenant: Tenant,
  { tariffs, promises }: QuoteSources,
  quote: TermedQuote,
  tried: TriedTariffs = {},
): Promise<Quotes> {
  const asked = await askedFor(tenant, quote, today());
  const inForce = await tariffs.connections(tenant, asked.wanted);
  const revisionIds = [...(tried.drafts ? await newestDrafts(tenant) : []), ...(tried.revisionIds ?? [])];
  const connections = revisionIds.length > 0 ? await tariffs.withRevisions(tenant, inForce, revisionIds) : inForce;
  return priced(asked, connections, await promises.arrivals(tenant));
}

/** A shipment to quote, and its terms. */
export interface TermedQuote {
  readonly input: QuoteInput;
  readonly terms?: QuoteTermsInput;
}

/**
 * Reads a shipment to quote.
 *
 * @throws Fault `validation_failed` with all errors of both; paths in the terms begin with `terms`
 */
export function readQuote(sent: unknown, sentTerms: unknown): TermedQuote {
  const { data: input, issues } = checkInput(quoteInput, sent);
  if (sentTerms == null && input) return { input };
  const { data: terms, issues: ofTerms } = checkInput(quoteTermsInput, sentTerms ?? {});
  if (input && terms) return { input, terms };
  throw invalid([...issues, ...ofTerms.map(issue => ({ ...issue, path: ['terms', ...issue.path] }))]);
}

/** The quotes of a shipment, or the reason for none. */
export type QuoteOutcome = Quotes | Fault;

/** Prices several shipments separately. Orders and warehouses are read together, connections and tariffs once. */
export async function quoteEach(
  tenant: Tenant,
  { tariffs, promises }: QuoteSources,
  inputs: readonly (TermedQuote | Fault)[],
): Promise<QuoteOutcome[]> {
  const day = today();
  const asked = await Promise.all(
    inputs.map(one => (one instanceof Fault ? one : orFault(askedFor(tenant, one, day)))),
  );
  const wanted = asked.flatMap(one => (one instanceof Fault ? [] : [one.wanted]));
  if (wanted.length === 0) return asked as Fault[];
  const isOfAll = wanted.some(ids => ids === undefined);
  const connections = await tariffs.connections(
    tenant,
    isOfAll ? undefined : new Set(wanted.flatMap(ids => [...(ids ?? [])])),
  );
  const arrivals = await promises.arrivals(tenant);
  const outcomes: QuoteOutcome[] = [];
  for await (const one of inTurns(tenant.companyId, asked)) {
    outcomes.push(one instanceof Fault ? one : outcomeOf(one, connections, arrivals));
  }
  return outcomes;
}

function outcomeOf(asked: Asked, connections: readonly QuotedConnection[], arrivals: Arrivals): QuoteOutcome {
  const { wanted } = asked;
  try {
    return priced(asked, wanted ? connections.filter(({ id }) => wanted.has(id)) : connections, arrivals);
  } catch (thrown) {
    return asInputFault(thrown);
  }
}

/** The result, or a fault of one input. @throws any other fault */
export async function orFault<Result>(result: Promise<Result>): Promise<Result | Fault> {
  return result.catch(asInputFault);
}

/** Faults of one input: the others of the list are still quoted. */
const OF_ONE_INPUT: ReadonlySet<FaultCode> = new Set(['validation_failed', 'order_not_found', 'warehouse_not_found']);

/** Returns a fault of one input. @throws any other fault, which affects all of them */
function asInputFault(thrown: unknown): Fault {
  if (thrown instanceof Fault && OF_ONE_INPUT.has(thrown.code)) return thrown;
  throw thrown;
}

/** The tariff that a connection was quoted by; undefined for a quote without one, and for a draft that was discarded. */
export async function revisionOfQuote(tenant: Tenant, revisionId: number | null): Promise<RevisionRow | undefined> {
  return revisionId === null ? undefined : revisionById(tenant, revisionId);
}

/** A shipment to price, with all of its data except tariffs. */
export interface Asked {
  readonly request: QuoteRequest;
  readonly destination: QuoteDestination;
  readonly destinations: Destinations;
  readonly shipment: Shipment;
  readonly notices: readonly Notice[];
  /** Ids of the requested connections, if they were named. */
  readonly wanted: ReadonlySet<number> | undefined;
}

/** Reads the data of a shipment to price. @param today in Italy */
export async function askedFor(tenant: Tenant, { input, terms = {} }: TermedQuote, today: string): Promise<Asked> {
  const box = needsBox(input) ? await defaultParcel(tenant) : undefined;
  const request = quoteRequest(input, today, box);
  const source: OrderSource = request.mode === 'order' ? await fromOrder(tenant, request) : request;
  const origin = originAt(source.warehouseId, await warehousePlace(tenant, source.warehouseId));
  const { options, date } = request;
  const { destinations, codCents = 0, insuredCents = 0, service, notices } = source;
  const load = withPallets(source.load, terms.pallets ?? []);
  const shipment: Shipment = {
    ...load,
    origin,
    destination: destinations[0],
    codCents,
    insuredCents,
    options,
    date,
    ...PLAIN_TERMS,
    ...source.terms,
    service,
    ...statedTerms(terms),
  };
  return {
    request,
    destination: source.destination,
    destinations,
    shipment,
    notices,
    wanted: request.carrierConnectionIds && new Set(request.carrierConnectionIds),
  };
}

function priced(asked: Asked, connections: readonly QuotedConnection[], arrivals: Arrivals): Quotes {
  const { request, destination, destinations, shipment, notices, wanted } = asked;
  const scannedAt = onThatDay(request.date);
  const arrival = (lading: Lading) => arrivals(lading, scannedAt);
  const items: Quote[] = [];
  const excluded: ExcludedConnection[] = [];
  for (const connection of connections) {
    const { tariff } = connection;
    const found = tariff === null ? NO_TARIFF : priceIn(tariff, shipment, destinations);
    if (found.ok) items.push(new Quote(connection, shipment, found, arrival));
    else excluded.push({ connection, exclusion: found });
  }
  const all = [...notices, ...unknownIds(wanted, connections), ...connections.flatMap(missingNotices)];
  return { items: items.sort(Quote.compare), excluded, notices: all, destination };
}

function statedTerms(terms: QuoteTermsInput): Partial<Terms> {
  const { service, codPayment, monthlyShipments, recipientType } = terms;
  const amounts = Object.entries(amountFields((_, name) => centsOf(terms[name])));
  return {
    ...(service != null && { service }),
    ...Object.fromEntries(amounts.filter(([, cents]) => cents !== undefined)),
    ...(codPayment && { codPayment }),
    ...(monthlyShipments && { monthlyShipments }),
    ...(recipientType && { recipientType }),
  };
}

/** Marks kinds of parcels as pallets. @throws Fault `validation_failed` for an unknown kind */
function withPallets(load: Load, pallets: NonNullable<QuoteTermsInput['pallets']>): Load {
  if (pallets.length === 0) return load;
  const parcels = [...load.parcels];
  for (const [i, { parcel, type, isStackable }] of pallets.entries()) {
    const kind = parcels[parcel];
    if (!kind || kind.longestSide === 0) {
      const message = `names no kind of parcels with sides: positions are 0 to ${load.parcels.length - 1}`;
      throw invalid([{ path: ['terms', 'pallets', i, 'parcel'], code: 'out_of_range', message }]);
    }
    parcels[parcel] = { ...kind, pallet: { type: type ?? '', isStackable } };
  }
  return { ...load, parcels };
}

/** The current time of day on the day of shipment, or now if that day is past. */
function onThatDay(date: string): number {
  return Date.now() + Math.max(0, Date.parse(date) - Date.parse(today()));
}

type OrderRequest = Extract<QuoteRequest, { mode: 'order' }>;

interface OrderSource {
  readonly warehouseId: number;
  readonly destination: QuoteDestination;
  readonly destinations: Destinations;
  readonly load: Load;
  readonly notices: readonly Notice[];
  readonly codCents?: number | undefined;
  readonly insuredCents?: number | undefined;
  readonly service?: string | undefined;
  readonly terms?: Partial<Terms>;
}

/** The data of an order for a quote. @throws Fault `order_not_found`; `validation_failed` with its missing data */
async function fromOrder(tenant: Tenant, request: OrderRequest): Promise<OrderSource> {
  const order = await orderById(tenant, request.orderId);
  if (!order) throw new Fault('order_not_found', { detail: 'The company has no order with this id.' });
  const { countryCode: country, postalCode, city, province } = order.recipient;
  // Values in the request replace the order's.
  const codAmount = request.codCents === undefined ? order.codAmount : null;
  const insuranceAmount = request.insuredCents === undefined ? order.insuranceAmount : null;
  const recipient = { country, postalCode, city, province };
  const parcels = await withSides(tenant, order.parcels);
  const quoted = { ...order, parcels, recipient, codAmount, insuranceAmount };
  const read = quotableOrder.safeParse(quoted);
  if (!read.success) throw notQuotable(issuesOf(read.error.issues, quoted));
  const issues = totalIssues(['parcels'], read.data.parcels);
  if (issues.length > 0) throw notQuotable(issues);
  return {
    warehouseId: read.data.warehouseId,
    destination: read.data.recipient,
    destinations: destinationsOf(read.data.recipient),
    load: loadOf(read.data.parcels),
    notices: destinationNotices([], recipient).map(notice => ({ ...notice, path: ['shipment', 'orderId'] })),
    codCents: request.codCents ?? centsOf(read.data.codAmount),
    insuredCents: request.insuredCents ?? centsOf(read.data.insuranceAmount),
    service: order.service ?? undefined,
    terms: { recipientType: order.recipient.type ?? undefined, goodsCents: centsOf(read.data.goodsValue) },
  };
}

async function withSides(tenant: Tenant, parcels: readonly Parcel[]): Promise<readonly Parcel[]> {
  const box = needsDefault(parcels) ? await defaultParcel(tenant) : undefined;
  return box ? withDefault(parcels, box) : parcels;
}

function notQuotable(issues: readonly Issue[]): Fault {
  const what = ({ path, code, message }: Issue) => {
    if (path.join('/') === 'parcels' && (code === 'required' || code === 'empty'))
      return 'are missing, and the company has no default parcel with a weight';
    return code === 'required' ? 'is missing' : message;
  };
  const lacks = issues.map(issue => `${issue.path.join('/')} ${what(issue)}`).join('; ');
  return invalid([
    {
      path: ['shipment', 'orderId'],
      code: 'order_not_quotable',
      message: `names an order that cannot be quoted: ${lacks}`,
    },
  ]);
}
