import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { dayInItaly } from '../../common/date-time.rules.ts';
import { newestOrders } from '../../orders/orders.service.ts';
import type { CompiledTariff } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from '../../tariffs/compile/large-tariffs.service.ts';
import type { Exclusion } from '../../tariffs/exclusion.rules.ts';
import type { Tariff } from '../../tariffs/format/tariff.format.rules.ts';
import { NO_REFERENCES } from '../../tariffs/references/references.rules.ts';
import { referencesOfConnection } from '../../tariffs/references/references.service.ts';
import type { TariffDiff } from '../../tariffs/revisions/tariff-diff.service.ts';
import { warehousePlace } from '../../warehouses/warehouses.service.ts';
import { priceIn } from '../price/province.rules.ts';
import { asOffered } from '../price/quote.rules.ts';
import {
  centsOf,
  type Destinations,
  destinationsOf,
  loadOf,
  originAt,
  PLAIN_TERMS,
  type QuoteDestination,
  type QuoteParcel,
  totalIssues,
} from '../price/shipment.rules.ts';
import { quotableOrder } from '../quote.input.ts';
import type { Origin, Price, Shipment } from '../quote-terms.rules.ts';

/** The prices of a shipment before and after a change of tariff, EUR before VAT. */
export interface PreviewedPrice {
  readonly shipment: string;
  readonly to: string;
  /** Null if the tariff does not apply, or the price depends on an uncertain province. */
  readonly before: string | null;
  readonly after: string | null;
}

const PLACES: readonly QuoteDestination[] = [
  { country: 'IT', postalCode: '20121', city: 'Milano', province: 'MI' },
  { country: 'IT', postalCode: '90139', city: 'Palermo', province: 'PA' },
  { country: 'DE', postalCode: '10115', city: 'Berlin' },
];
/** The origin of sample parcels. */
const MILAN = { country: 'IT', postalCode: '20121', city: 'Milano', state: 'MI' };
const WEIGHTS = ['1', '10', '30'];
const SIDES = { length: '30', width: '20', height: '15' };
const MAX_ORDERS = 5;

export interface TariffPrices {
  readonly date: string;
  readonly prices: readonly PreviewedPrice[];
}

/** Prices by both tariffs of a comparison; null if there is only one. */
export async function pricesOfDiff(diff: TariffDiff): Promise<TariffPrices | null> {
  const { before, after } = await diff.documents();
  if (!before) return null;
  const { references } = await referencesOfConnection(diff.tenant, diff.carrierCompanyId);
  return previewPrices(diff.tenant, { before, after }, references);
}

/** Sample parcels and the company's newest quotable orders, priced by both on the first day of the whole new tariff. */
export async function previewPrices(
  tenant: Tenant,
  tariffs: { readonly before: Tariff; readonly after: Tariff },
  references = NO_REFERENCES,
): Promise<TariffPrices> {
  const compiled = {
    before: await compiledTariffOf(tenant, tariffs.before, references),
    after: await compiledTariffOf(tenant, tariffs.after, references),
  };
  const [today, newest = today] = [dayInItaly(new Date()), tariffs.after.versions.at(-1)?.validFrom];
  const date = newest > today ? newest : today;
  const samples = WEIGHTS.flatMap(weight =>
    PLACES.map(place => sampleOf(`parcel of ${weight} kg`, place, [{ ...SIDES, weight, quantity: 1 }])),
  );
  const prices = [...samples, ...(await quotableOrders(tenant))].map(({ name, to, shipment, destinations }) => {
    const on = (tariff: CompiledTariff) => net(priceIn(tariff, asOffered(tariff, { ...shipment, date }), destinations));
    return { shipment: name, to, before: on(compiled.before), after: on(compiled.after) };
  });
  return { date, prices: prices.filter(({ before, after }) => before !== null || after !== null) };
}

interface Sample {
  readonly name: string;
  readonly to: string;
  readonly destinations: Destinations;
  readonly shipment: Omit<Shipment, 'date'>;
}

function sampleOf(
  name: string,
  place: QuoteDestination,
  parcels: readonly QuoteParcel[],
  origin: Origin = originAt(0, MILAN),
): Sample {
  const destinations = destinationsOf(place);
  const to = [place.country, place.postalCode, place.city].join(' ');
  const asked = { codCents: 0, insuredCents: 0, options: [], ...PLAIN_TERMS };
  const shipment = { origin, destination: destinations[0], ...loadOf(parcels), ...asked };
  return { name, to, destinations, shipment };
}

/** The newest orders that can be quoted. */
async function quotableOrders(tenant: Tenant): Promise<Sample[]> {
  const orders = await newestOrders(tenant, MAX_ORDERS);
  const samples: Sample[] = [];
  for (const order of orders) {
    const { countryCode: country, postalCode, city, province } = order.recipient;
    const read = quotableOrder.safeParse({ ...order, recipient: { country, postalCode, city, province } });
    if (!read.success || totalIssues(['parcels'], read.data.parcels).length > 0) continue;
    const { recipient, parcels, warehouseId } = read.data;
    const origin = originAt(warehouseId, await warehousePlace(tenant, warehouseId));
    const sample = sampleOf(`order ${order.orderNumber}`, recipient, parcels, origin);
    const service = order.service ?? undefined;
    const recipientType = order.recipient.type ?? undefined;
    const goodsCents = centsOf(read.data.goodsValue);
    samples.push({ ...sample, shipment: { ...sample.shipment, service, recipientType, goodsCents } });
  }
  return samples;
}

function net(priced: Price | Exclusion): string | null {
  return priced.ok ? (priced.totalCents / 100).toFixed(2) : null;
}
