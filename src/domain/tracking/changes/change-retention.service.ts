import type { Database } from '../../../platform/database/database.ts';
import { type CompanyId, Tenant } from '../../../platform/database/tenancy.ts';
import { beginEpoch, companiesWithChanges, deleteOldest } from './changes.repository.ts';

/** Changes that are deleted by one statement. */
const AT_ONCE = 5_000;

/** Deletes the changes of all companies that are older than `days`; returns how many. */
export async function deleteOldChanges(database: Database, days: number): Promise<number> {
  let deleted = 0;
  for (const companyId of await companiesWithChanges(database)) {
    const tenant = new Tenant(companyId, database);
    for (let last = AT_ONCE; last === AT_ONCE; deleted += last) last = await deleteOldest(tenant, days, AT_ONCE);
  }
  return deleted;
}

/**
 * Has every cursor that was given so far expire, after the database was restored to an earlier time: the numbers since then
 * are given again, to other changes.
 */
export async function expireCursors(database: Database, companyIds: readonly CompanyId[], now: Date): Promise<void> {
  for (const companyId of companyIds) await beginEpoch(new Tenant(companyId, database), now.getTime());
}
