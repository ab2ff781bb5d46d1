import { LRUCache } from 'lru-cache';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { AGE_BOUNDS_MS, intervalFactorOf } from './poll.rules.ts';
import { accountLoad } from './poll-rows.repository.ts';

/** A load changes over hours, and counting it reads all polled shipments of the connection. */
const KEPT_MS = 10 * 60_000;
const MAX_ACCOUNTS = 10_000;

interface Counted {
  readonly tenant: Tenant;
  readonly carrierConnectionId: number;
  readonly numbersPerMinute: number;
}

/** The factors by which the load of accounts lengthens the intervals of polls. */
export class AccountLoads {
  readonly #factors = new LRUCache<string, number, Counted>({
    max: MAX_ACCOUNTS,
    ttl: KEPT_MS,
    fetchMethod: async (_key, _stale, { context: { tenant, carrierConnectionId, numbersPerMinute } }) =>
      intervalFactorOf(await accountLoad(tenant, carrierConnectionId, AGE_BOUNDS_MS), numbersPerMinute),
  });

  /** @param numbersPerMinute the pace of the account at its carrier; infinite without a limit */
  async intervalFactor(tenant: Tenant, carrierConnectionId: number, numbersPerMinute: number): Promise<number> {
    if (numbersPerMinute === Number.POSITIVE_INFINITY) return 1;
    const context = { tenant, carrierConnectionId, numbersPerMinute };
    return this.#factors.forceFetch(`${tenant.companyId}/${carrierConnectionId}`, { context });
  }
}
