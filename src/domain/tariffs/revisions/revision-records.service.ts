import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { wholeTariff } from '../tariff.repository.ts';
import { lockHistory, recordRevision, tariffNotRecorded } from './revisions.repository.ts';

/**
 * Records the tariff that a connection has, where no revision has its content: it was imported before there were revisions,
 * or by a process of the version before. The connection must be locked.
 */
export async function recordUnrecorded(tx: TenantTransaction, connectionId: number): Promise<void> {
  const missing = await tariffNotRecorded(tx, connectionId);
  const stored = missing && (await wholeTariff(tx, missing.id));
  if (stored) await recordRevision(tx, connectionId, stored.tariff, { name: missing.name, isOfUnknown: true });
}

/** The same for those who read the history of a connection; most find it complete, and lock nothing. */
export async function completeHistory(tenant: Tenant, connectionId: number): Promise<void> {
  if (!(await tariffNotRecorded(tenant, connectionId))) return;
  await tenant.transaction(async tx => {
    await lockHistory(tx, connectionId);
    await recordUnrecorded(tx, connectionId);
  });
}
