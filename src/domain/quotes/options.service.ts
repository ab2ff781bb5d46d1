import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import type { TariffBook } from '../tariffs/tariff-book.service.ts';
import { type OfferedOption, offeredOptions } from './options.rules.ts';
import type { QuotedConnection } from './quote-item.rules.ts';
import { today } from './today.service.ts';

/** What each request asked the book for last. */
const lookups = new WeakMap<Tenant, Promise<readonly QuotedConnection[]>>();

/**
 * The options of a connection's tariff, as it is in force today in Italy; none where it is not active or has no tariff.
 * Those of a list are looked up one after the other: of many tariffs that are new, one at a time is read and compiled.
 */
export async function connectionOptions(
  tenant: Tenant,
  tariffs: TariffBook,
  carrierCompanyId: number,
): Promise<readonly OfferedOption[]> {
  const before = lookups.get(tenant);
  const lookup = Promise.allSettled([before]).then(() => tariffs.connections(tenant, new Set([carrierCompanyId])));
  lookups.set(tenant, lookup);
  const [connection] = await lookup;
  return offeredOptions(connection?.tariff ?? null, today());
}
