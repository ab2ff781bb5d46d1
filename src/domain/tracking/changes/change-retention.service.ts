import type { Database } from '../../../platform/database/database.ts';
import { type Batches, batchOf, inBatches } from '../../../platform/database/statements/batches.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import { companyByCompany, type Removal } from '../../../platform/retention-rule.ts';
import { beginEpoch, companiesWithChanges, deleteForgotten, forgetOldest } from './changes.repository.ts';

/** Changes that are forgotten at a time. */
const AT_ONCE = 5_000;

/** Deletes the changes of all companies that were made before. */
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
 * Has every cursor that was given so far expire: after the database was restored to an earlier time, since the numbers after
 * it are given again, to other changes; and after an upgrade from a version that kept no change log.
 */
export async function expireCursors(database: Database, companyIds: readonly CompanyId[], now: Date): Promise<void> {
  for (const companyId of companyIds) {
    await new Tenant(companyId, database).transaction(tx => beginEpoch(tx, now.getTime()));
  }
}
