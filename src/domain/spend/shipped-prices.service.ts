import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { priceIn } from '../pricing/quotes/price/province.rules.ts';
import { asOffered } from '../pricing/tariffs/engine/quote.rules.ts';
import type { Price } from '../pricing/tariffs/price.rules.ts';
import { uncachedTariffs } from '../pricing/tariffs/tariff-book.service.ts';
import { isPriceable } from './shipped.rules.ts';
import { ShippedShipments } from './shipped.service.ts';

/** Prices of shipments by the current tariff of their connection, by tracking key, if they have a price. */
export async function pricesAsShipped(
  tenant: Tenant,
  carrierConnectionId: number,
  trackingKeys: readonly string[],
): Promise<ReadonlyMap<string, Price>> {
  const [connection] = await uncachedTariffs.connections(tenant, new Set([carrierConnectionId]));
  const prices = new Map<string, Price>();
  if (!connection?.tariff) return prices;
  const found = await new ShippedShipments(tenant).byNumber('tracking_number', trackingKeys);
  for (const [key, shipments] of found) {
    const shipped = shipments.filter(isPriceable).find(one => one.carrierConnectionId === carrierConnectionId);
    const priced =
      shipped && priceIn(connection.tariff, asOffered(connection.tariff, shipped.shipment), shipped.destinations);
    if (priced?.ok) prices.set(key, priced);
  }
  return prices;
}
