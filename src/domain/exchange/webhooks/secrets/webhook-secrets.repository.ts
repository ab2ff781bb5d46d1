import type { Database } from '../../../../platform/database/database.ts';
import { companyStatement, serviceStatement } from '../../../../platform/database/statements/statements.ts';
import type { CompanyId } from '../../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../../platform/database/tenancy/tenancy.ts';

const DELETE_EXPIRED = serviceStatement(
  'expired-webhook-secrets',
  'delete from webhook_secret where expires_at < now() returning id',
);

/** Deletes secrets whose time to sign has ended. */
export async function deleteExpiredSecrets(database: Database): Promise<number> {
  return (await database.rows(DELETE_EXPIRED, [])).length;
}

export interface SealedSecret {
  readonly companyId: CompanyId;
  readonly endpointId: string;
  readonly id: number;
  readonly box: Buffer;
}

const SECRETS = serviceStatement(
  'webhook-secrets',
  `select company_id as "companyId", endpoint_id as "endpointId", id, box from webhook_secret
    where id > $1 order by id limit $2`,
);

/** Sealed secrets of all companies, in the order of their ids. */
export function sealedSecrets(database: Database, afterId: number, max: number): Promise<SealedSecret[]> {
  return database.rows<SealedSecret>(SECRETS, [afterId, max]);
}

const RESEAL = companyStatement(
  'reseal-webhook-secret',
  'update webhook_secret set box = $5 where company_id = $1 and endpoint_id = $2 and id = $3 and box = $4 returning id',
);

/** Replaces a box unless it has changed since it was read; returns whether it did. */
export async function replaceBox(
  tenant: Tenant,
  { endpointId, id, box }: SealedSecret,
  sealed: Buffer,
): Promise<boolean> {
  return (await tenant.rows(RESEAL, endpointId, id, box, sealed)).length > 0;
}
