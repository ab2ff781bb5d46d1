import type { Database } from '../../../../platform/database/database.ts';
import { type Batches, batchOf, inBatches } from '../../../../platform/database/statements/batches.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';
import { companyByCompany, type Removal } from '../../../../platform/retention-rule.ts';
import { beginEpoch, companiesWithChanges, deleteForgotten, forgetOldest } from './changes.repository.ts';

/** Changes that are deleted at a time. */
const AT_ONCE = 5_000;

export async function deleteChanges(work: Removal): Promise<Batches> {
  const { database, before, signal } = work;
  return companyByCompany(work, await companiesWithChanges(database), async tenant => {
    let rows = 0;
    while (!signal?.aborted) {
      const upTo = await forgetOldest(tenant, before, AT_ONCE);
      if (upTo === null) return { rows, isComplete: true };
      const batches = await inBatches(
        tenant,
        async (tx, atMost) => batchOf(await deleteForgotten(tx, upTo, atMost), atMost),
        { signal },
      );
      rows += batches.rows;
    }
    return { rows, isComplete: false };
  });
}

/**
 * Invalidates every cursor: after the database was restored to an earlier time, because later numbers are assigned
 * again to other changes; and after an upgrade from a version without a change log.
 */
export async function expireCursors(database: Database, companyIds: readonly CompanyId[], now: Date): Promise<void> {
  for (const companyId of companyIds) {
    await new Tenant(companyId, database).transaction(tx => beginEpoch(tx, now.getTime()));
  }
}
