import { ReadThroughCache } from '../../../platform/caches/read-through-cache.ts';
import type { Notifications } from '../../../platform/database/connections/notifications.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import type { Arrivals, PromiseSource, ShipmentPromises } from '../tracking/promised.rules.ts';
import { promiseTable } from './promise.repository.ts';
import type { PromiseTable } from './promise-table.rules.ts';
import { promisedFrom, promisedOf } from './promised-dates.rules.ts';

/** Notified with the company whose table was replaced. */
export const PROMISES_CHANGED = 'promises_changed';

const MAX_COMPANIES = 10_000;
/** Groups of deliveries over all tables; each takes some 400 bytes. */
const MAX_GROUPS = 150_000;
/** A table is replaced each night with a notification: this covers a lost one. */
const TTL_MS = 3_600_000;

/** For one-time use: the table is read each time. */
export const uncachedPromises: PromiseSource = {
  within: async tx => promisesOf((await promiseTable(tx)).table),
};

function promisesOf(table: PromiseTable): ShipmentPromises {
  return { promiseOf: shipment => promisedOf(table, shipment, Date.now()) };
}

/** The tables of companies in memory, so that a promise is looked up without a statement. */
export class PromiseBook implements PromiseSource {
  readonly #tables: ReadThroughCache<CompanyId, PromiseTable>;
  /** Companies whose tables are read on a connection that is not available yet. */
  readonly #waiting = new Set<CompanyId>();

  constructor(notifications: Pick<Notifications, 'on' | 'onGap'>, metrics: Metrics) {
    this.#tables = new ReadThroughCache(notifications, PROMISES_CHANGED, MAX_COMPANIES, {
      ttlMs: TTL_MS,
      maxWeight: MAX_GROUPS,
      weigh: ({ size }) => size + 1,
    });
    metrics.watchCache('promises', this.#tables.counts);
  }

  /** The company's table; empty without one. It is a JavaScript promise only if it is not in memory. */
  table(tenant: Tenant): PromiseTable | Promise<PromiseTable> {
    const { companyId } = tenant;
    let isOwn = false;
    const read = async () => {
      isOwn = true;
      this.#waiting.add(companyId);
      try {
        return (await promiseTable(tenant)).table;
      } finally {
        this.#waiting.delete(companyId);
      }
    };
    const found = this.#tables.get(companyId, read) as PromiseTable | Promise<PromiseTable>;
    if (!(found instanceof Promise)) return found;
    // A read that a transaction began fails with the transaction, also because of another company.
    return found.catch(error => {
      if (isOwn) throw error;
      return read();
    });
  }

  /** The promises of parcels that the company has not shipped yet. */
  async arrivals(tenant: Tenant): Promise<Arrivals> {
    const table = await this.table(tenant);
    return (lading, scannedAt) => promisedFrom(table, lading, scannedAt);
  }

  /** The promises of a company's shipments, for a request. */
  of(tenant: Tenant): ShipmentPromises {
    return {
      promiseOf: shipment => {
        const table = this.table(tenant);
        return table instanceof Promise
          ? table.then(read => promisedOf(read, shipment, Date.now()))
          : promisedOf(table, shipment, Date.now());
      },
    };
  }

  /** The promises within a transaction. It must not wait for readers outside, which may wait for its connection. */
  async within(tx: TenantTransaction): Promise<ShipmentPromises> {
    const read = async () => (await promiseTable(tx)).table;
    const found = this.#waiting.has(tx.companyId) ? read() : this.#tables.get(tx.companyId, read);
    return promisesOf((await found) as PromiseTable);
  }
}
