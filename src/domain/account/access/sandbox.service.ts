import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Environment } from '../../../platform/environment.ts';
import { createSandbox, pairOf } from './access.repository.ts';

/**
 * A company has at most one sandbox, which is created with its first sandbox key. The sandbox is a company of its own: only
 * `company.sandbox_of` says that it is a sandbox, and of which company.
 */

export async function environmentOf(tx: TenantTransaction): Promise<Environment> {
  return (await pairOf(tx))?.sandboxId === tx.companyId ? 'sandbox' : 'live';
}

/** The sandbox of a company, or the company itself if it is one; undefined while it has none. */
export async function sandboxOf(tenant: Tenant): Promise<Tenant | undefined> {
  const pair = await tenant.lasting().transaction(pairOf);
  return pair && tenant.at(pair.sandboxId);
}

/** A transaction at a live company, and one at its sandbox if it has one. */
export async function withSandbox(tx: TenantTransaction): Promise<TenantTransaction[]> {
  const pair = await pairOf(tx);
  return pair ? [tx, tx.at(pair.sandboxId)] : [tx];
}

/** The sandbox of a company, created on demand; the company itself if it is a sandbox. */
export async function ensureSandbox(tenant: Tenant, sandboxId: string = randomUUID()): Promise<Tenant> {
  const created = await sandboxOf(tenant);
  if (created) return created;
  await tenant.lasting().transaction(tx => createSandbox(tx, sandboxId));
  return (await sandboxOf(tenant)) as Tenant;
}
