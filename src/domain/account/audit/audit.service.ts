import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import { insertEntry } from './audit.repository.ts';
import type { Act } from './audit.rules.ts';

export { brokenEntry } from './audit.repository.ts';

/** Records an act in its own transaction, so that an entry exists exactly if the act was committed. */
export async function record(tx: TenantTransaction, { action, subject, detail = {} }: Act): Promise<void> {
  await insertEntry(tx, { at: new Date().toISOString(), actor: tx.actor, action, subject, detail });
}
