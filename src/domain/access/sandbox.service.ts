import { randomUUID } from 'node:crypto';
import { serviceStatement } from '../../platform/database/statements.ts';
import type { CompanyId, Tenant, TenantTransaction } from '../../platform/database/tenancy.ts';
import { rowsWithin } from '../../platform/database/transaction.ts';
import type { Environment } from '../../platform/environment.ts';

/**
 * A company has at most one sandbox, which is created with its first sandbox key. The sandbox is a company of its own: only
 * `company.sandbox_of` says that it is a sandbox, and of which company.
 */

const PAIR = serviceStatement(
  'company-and-sandbox',
  `select id as "sandboxId", sandbox_of as "liveId" from company
    where sandbox_of = $1 or (id = $1 and sandbox_of is not null)`,
);

/** A live company and its sandbox. */
interface Pair {
  readonly liveId: CompanyId;
  readonly sandboxId: CompanyId;
}

/** The pair that a company is in, as either of the two; undefined while it has no sandbox. */
async function pairOf({ em, companyId }: TenantTransaction): Promise<Pair | undefined> {
  const [pair] = await rowsWithin<Pair>(em, PAIR, [companyId]);
  return pair;
}

export async function environmentOf(tx: TenantTransaction): Promise<Environment> {
  return (await pairOf(tx))?.sandboxId === tx.companyId ? 'sandbox' : 'live';
}

/** The sandbox of a company, or the company itself if it is one; undefined while it has none. */
export async function sandboxOf(tenant: Tenant): Promise<Tenant | undefined> {
  const pair = await tenant.lasting().transaction(pairOf);
  return pair && tenant.at(pair.sandboxId);
}

/** A transaction at a live company, and the same at its sandbox if it has one. */
export async function withSandbox(tx: TenantTransaction): Promise<TenantTransaction[]> {
  const pair = await pairOf(tx);
  return pair ? [tx, tx.at(pair.sandboxId)] : [tx];
}

// Whoever creates it at the same time waits for the row, and then finds it. The lock keeps the company from being suspended
// without its sandbox.
const CREATE = serviceStatement(
  'create-sandbox',
  `with live as (select id, name, suspended_at from company where id = $1 and sandbox_of is null for share)
    insert into company (id, name, created_at, suspended_at, sandbox_of)
      select $2::uuid, left(name, 190) || ' (sandbox)', now(), suspended_at, id from live
      on conflict (sandbox_of) do nothing`,
);

/** The sandbox of a company, which is created where there is none; the company itself if it is one. */
export async function ensureSandbox(tenant: Tenant, sandboxId: string = randomUUID()): Promise<Tenant> {
  const created = await sandboxOf(tenant);
  if (created) return created;
  await tenant.lasting().transaction(tx => rowsWithin(tx.em, CREATE, [tx.companyId, sandboxId]));
  return (await sandboxOf(tenant)) as Tenant;
}
