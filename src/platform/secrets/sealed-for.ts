import { sealedFor } from '../database/statements/sql.ts';
import { serviceStatement } from '../database/statements/statements.ts';
import { rowsWithin } from '../database/statements/transaction.ts';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import type { TenantTransaction } from '../database/tenancy/tenant-transaction.ts';

const SEALED_FOR = serviceStatement('sealed-for', `select ${sealedFor('$1')} as "companyId"`);

export async function companySealedFor({ em, companyId }: TenantTransaction): Promise<CompanyId> {
  const [row] = await rowsWithin<{ companyId: CompanyId | null }>(em, SEALED_FOR, [companyId]);
  return row?.companyId ?? companyId;
}
