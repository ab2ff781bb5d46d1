import { ms } from '../../../platform/database/statements/sql.ts';
import { serviceStatement } from '../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../platform/database/statements/transaction.ts';
import { notifyOfSuspension } from '../../../platform/database/tenancy/suspended-companies.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';

/** A company, locked against suspension, resumption and erasure until the transaction ends. */
export interface LockedCompany {
  readonly name: string;
  /** Milliseconds since 1970; null if it is not suspended. */
  readonly suspendedAtMs: number | null;
}

const LOCK = serviceStatement(
  'hold-company',
  `select name, ${ms('suspended_at')} as "suspendedAtMs" from company where id = $1 for no key update`,
);

export async function lockCompany({ em, companyId }: TenantTransaction): Promise<LockedCompany | undefined> {
  const [company] = await rowsWithin<LockedCompany>(em, LOCK, [companyId]);
  return company;
}

const SET_SUSPENDED = serviceStatement(
  'set-company-suspended',
  'update company set suspended_at = $2 where id = $1 or sandbox_of = $1',
);

/** Suspends a company and its sandbox at a time, or resumes both, and notifies the processes. */
export async function setSuspended(tx: TenantTransaction, suspendedAt: Date | null): Promise<void> {
  await rowsWithin(tx.em, SET_SUSPENDED, [tx.companyId, suspendedAt]);
  await notifyOfSuspension(tx);
}
