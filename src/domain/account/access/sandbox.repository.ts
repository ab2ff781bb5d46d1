import { serviceStatement } from '../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';

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

/** The pair that a company belongs to; undefined while it has no sandbox. */
export async function pairOf({ em, companyId }: TenantTransaction): Promise<Pair | undefined> {
  const [pair] = await rowsWithin<Pair>(em, PAIR, [companyId]);
  return pair;
}

// A concurrent creation waits for the row, and then finds it. The lock also prevents a suspension of the company
// without its sandbox.
const CREATE = serviceStatement(
  'create-sandbox',
  `with live as (select id, name, suspended_at from company where id = $1 and sandbox_of is null for share)
    insert into company (id, name, created_at, suspended_at, sandbox_of)
      select $2::uuid, left(name, 190) || ' (sandbox)', now(), suspended_at, id from live
      on conflict (sandbox_of) do nothing`,
);

/** Creates the sandbox of a live company that has none. */
export async function createSandbox({ em, companyId }: TenantTransaction, sandboxId: string): Promise<void> {
  await rowsWithin(em, CREATE, [companyId, sandboxId]);
}
