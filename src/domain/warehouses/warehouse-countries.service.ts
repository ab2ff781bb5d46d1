import { ReadThroughCache } from '../../platform/caches/read-through-cache.ts';
import type { Notifications } from '../../platform/database/notifications.ts';
import type { CompanyId, Tenant } from '../../platform/database/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import type { Metrics } from '../../platform/telemetry/metrics.ts';
import { countryOf } from './warehouses.repository.ts';

/** The channel on which processes hear of warehouses that were changed or deleted, by company and id. */
export const WAREHOUSE_CHANGED = 'warehouse_changed';

const MAX_WAREHOUSES = 50_000;

/**
 * The countries of warehouses, in memory. Every quote starts at a warehouse, and warehouses hardly ever change: with
 * their countries known, a quote needs no statement at all.
 */
export class WarehouseCountries {
  readonly #known: ReadThroughCache<string, { readonly country: string }>;

  constructor(notifications: Notifications, metrics: Metrics) {
    this.#known = new ReadThroughCache(notifications, WAREHOUSE_CHANGED, MAX_WAREHOUSES);
    metrics.watchCache('warehouse_countries', this.#known.counts);
  }

  /** Where a warehouse ships from, as an ISO 3166-1 alpha-2 code. @throws Fault `warehouse_not_found` */
  async of(tenant: Tenant, id: number): Promise<string> {
    const found = await this.#known.get(warehouseKey(tenant.companyId, id), async () => {
      const country = await countryOf(tenant, id);
      return country === undefined ? undefined : { country };
    });
    if (found === undefined) throw new Fault('warehouse_not_found');
    return found.country;
  }

  /**
   * To be called by services that have changed or deleted a warehouse, once that is done: the notification comes back
   * only after the caller may have asked again.
   */
  invalidate(companyId: CompanyId, id: number): void {
    this.#known.invalidate(warehouseKey(companyId, id));
  }
}

/** What a warehouse is known by, here and in notifications. */
export function warehouseKey(companyId: CompanyId, id: number): string {
  return `${companyId} ${id}`;
}
