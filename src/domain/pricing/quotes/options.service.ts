import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import {
  type OfferedOption,
  type OfferedServiceLevel,
  offeredOptions,
  offeredServices,
} from '../tariffs/engine/options.rules.ts';
import type { QuotedConnection } from '../tariffs/price.rules.ts';
import type { TariffBook } from '../tariffs/tariff-book.service.ts';
import { today } from './today.service.ts';

/** The last look-up of each request. */
const lookups = new WeakMap<Tenant, Promise<readonly QuotedConnection[]>>();

/** The options of a connection's tariff in force today in Italy; none if it is not active or has no tariff. */
export async function connectionOptions(
  tenant: Tenant,
  tariffs: TariffBook,
  carrierConnectionId: number,
): Promise<readonly OfferedOption[]> {
  return offeredOptions(await tariffOf(tenant, tariffs, carrierConnectionId), today());
}

/** The services of a connection's tariff in force today in Italy; none if it is not active or has no tariff. */
export async function connectionServices(
  tenant: Tenant,
  tariffs: TariffBook,
  carrierConnectionId: number,
): Promise<readonly OfferedServiceLevel[]> {
  return offeredServices(await tariffOf(tenant, tariffs, carrierConnectionId), today());
}

/** The tariffs of a list of connections are looked up in sequence, so that new tariffs are read and compiled one at a time. */
async function tariffOf(tenant: Tenant, tariffs: TariffBook, carrierConnectionId: number) {
  const before = lookups.get(tenant);
  const lookup = Promise.allSettled([before]).then(() => tariffs.connections(tenant, new Set([carrierConnectionId])));
  lookups.set(tenant, lookup);
  const [connection] = await lookup;
  return connection?.tariff ?? null;
}
