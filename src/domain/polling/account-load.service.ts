import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../platform/database/tenancy/tenancy.ts';
import { accountLoad } from './account-load.repository.ts';
import { AGE_BOUNDS_MS, stretchOf } from './poll.rules.ts';

/** A load changes over hours, and to count it reads all shipments of the connection that are polled. */
const KEPT_MS = 10 * 60_000;
const MAX_ACCOUNTS = 10_000;

interface Counted {
  readonly tenant: Tenant;
  readonly connectionId: number;
  readonly numbersPerMinute: number;
}

/** How far the load of accounts lengthens the intervals of their polls. */
export class AccountLoads {
  readonly #stretches = new LRUCache<string, number, Counted>({
    max: MAX_ACCOUNTS,
    ttl: KEPT_MS,
    fetchMethod: async (_key, _stale, { context: { tenant, connectionId, numbersPerMinute } }) =>
      stretchOf(await accountLoad(tenant, connectionId, AGE_BOUNDS_MS), numbersPerMinute),
  });

  /** @param numbersPerMinute what its carrier lets the account ask; infinite where it sets no pace */
  async stretch(tenant: Tenant, connectionId: number, numbersPerMinute: number): Promise<number> {
    if (numbersPerMinute === Number.POSITIVE_INFINITY) return 1;
    const context = { tenant, connectionId, numbersPerMinute };
    return this.#stretches.forceFetch(`${tenant.companyId}/${connectionId}`, { context });
  }
}
