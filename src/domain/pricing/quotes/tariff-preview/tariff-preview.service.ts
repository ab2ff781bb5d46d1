import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { Fault } from '../../../../platform/fault.ts';
import { dayInItaly } from '../../../common/date-time.rules.ts';
import { newestOrders } from '../../../shipping/orders/orders.service.ts';
import type { CompiledTariff } from '../../tariffs/compile/compiled-tariff.rules.ts';
import { compiledTariffOf } from '../../tariffs/compile/large-tariffs.service.ts';
import { asOffered } from '../../tariffs/engine/quote.rules.ts';
import type { Exclusion } from '../../tariffs/exclusion.rules.ts';
import type { Tariff } from '../../tariffs/format/tariff.format.rules.ts';
import type { Price } from '../../tariffs/price.rules.ts';
import type { References } from '../../tariffs/references/references.rules.ts';
import { referencesOfConnection } from '../../tariffs/references/references.service.ts';
import type { TariffDiff } from '../../tariffs/revisions/tariff-diff.service.ts';
import { priceIn } from '../price/province.rules.ts';
import { destinationsOf, loadOf, originAt, PLAIN_TERMS, type QuoteDestination } from '../price/shipment.rules.ts';
import { type Asked, askedFor, orFault } from '../quote.service.ts';

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
  const { references } = await referencesOfConnection(diff.tenant, diff.carrierConnectionId);
  return previewPrices(diff.tenant, { before, after }, references);
}

/** Sample parcels and the company's newest quotable orders, priced by both on the first day of the whole new tariff. */
async function previewPrices(
  tenant: Tenant,
  tariffs: { readonly before: Tariff; readonly after: Tariff },
  references: References,
): Promise<TariffPrices> {
  const compiled = {
    before: await compiledTariffOf(tenant, tariffs.before, references),
    after: await compiledTariffOf(tenant, tariffs.after, references),
  };
  const [today, newest = today] = [dayInItaly(new Date()), tariffs.after.versions.at(-1)?.validFrom];
  const date = newest > today ? newest : today;
  const samples = WEIGHTS.flatMap(weight => PLACES.map(place => sampleOf(weight, place, date)));
  const all = [...samples, ...(await quotableOrders(tenant, date))];
  const prices = all.map(({ name, destination, shipment, destinations }) => {
    const { country, postalCode, city } = destination;
    const on = (tariff: CompiledTariff) => net(priceIn(tariff, asOffered(tariff, shipment), destinations));
    const to = [country, postalCode, city].join(' ');
    return { shipment: name, to, before: on(compiled.before), after: on(compiled.after) };
  });
  return { date, prices: prices.filter(({ before, after }) => before !== null || after !== null) };
}

interface Sample extends Pick<Asked, 'destination' | 'destinations' | 'shipment'> {
  readonly name: string;
}

function sampleOf(weight: string, destination: QuoteDestination, date: string): Sample {
  const destinations = destinationsOf(destination);
  const asked = { codCents: 0, insuredCents: 0, options: [], date, ...PLAIN_TERMS };
  const load = loadOf([{ ...SIDES, weight, quantity: 1 }]);
  const shipment = { origin: originAt(0, MILAN), destination: destinations[0], ...load, ...asked };
  return { name: `parcel of ${weight} kg`, destination, destinations, shipment };
}

/** The newest orders that can be quoted, as a quote prices them. */
async function quotableOrders(tenant: Tenant, date: string): Promise<Sample[]> {
  const samples = (await newestOrders(tenant, MAX_ORDERS)).map(async ({ id, orderNumber }): Promise<Sample[]> => {
    const asked = await orFault(askedFor(tenant, { input: { shipment: { orderId: id } } }, date));
    return asked instanceof Fault ? [] : [{ ...asked, name: `order ${orderNumber}` }];
  });
  return (await Promise.all(samples)).flat();
}

function net(priced: Price | Exclusion): string | null {
  return priced.ok ? (priced.totalCents / 100).toFixed(2) : null;
}
