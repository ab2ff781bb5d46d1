import type { TenantTransaction } from '../../platform/database/tenancy/tenant-transaction.ts';
import { insertEntry } from './audit.repository.ts';
import type { Act } from './audit.rules.ts';

export { brokenEntry } from './audit.repository.ts';

/** Records an act in the transaction in which it is done: there is an entry exactly where there is the act. */
export async function record(tx: TenantTransaction, { action, subject, detail = {} }: Act): Promise<void> {
  await insertEntry(tx, { at: new Date().toISOString(), actor: tx.actor, action, subject, detail });
}
