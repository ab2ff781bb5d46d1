import { type Batches, batchOf, inBatches } from '../../../platform/database/batches.ts';
import type { Database } from '../../../platform/database/database.ts';
import { type CompanyId, Tenant } from '../../../platform/database/tenancy.ts';
import type { TrimmingWork } from '../../../platform/trimming.ts';
import { beginEpoch, companiesWithChanges, deleteForgotten, forgetOldest } from './changes.repository.ts';

/** Changes that are forgotten at a time. */
const AT_ONCE = 5_000;

/** Deletes the changes of all companies that were made before. */
export async function deleteChanges({ database, before, signal }: TrimmingWork): Promise<Batches> {
  let rows = 0;
  for (const companyId of await companiesWithChanges(database)) {
    const tenant = new Tenant(companyId, database);
    for (;;) {
      if (signal?.aborted) return { rows, isComplete: false };
      const upTo = await forgetOldest(tenant, before, AT_ONCE);
      if (upTo === null) break;
      const work = async (tx: Parameters<typeof deleteForgotten>[0], atMost: number) =>
        batchOf(await deleteForgotten(tx, upTo, atMost), atMost);
      rows += (await inBatches(tenant, work, { signal })).rows;
    }
  }
  return { rows, isComplete: true };
}

/**
 * Has every cursor that was given so far expire, after the database was restored to an earlier time: the numbers since then
 * are given again, to other changes.
 */
export async function expireCursors(database: Database, companyIds: readonly CompanyId[], now: Date): Promise<void> {
  for (const companyId of companyIds) await beginEpoch(new Tenant(companyId, database), now.getTime());
}
