import { LockMode } from '@mikro-orm/core';
import type { Database, Statement } from '../../platform/database.ts';
import type { Rates } from '../../platform/rates.ts';
import type { Scope } from '../../platform/scopes.ts';
import { ms } from '../../platform/sql.ts';
import { type CompanyId, companyStatement, type Tenant, type TenantTransaction } from '../../platform/tenancy.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';

/** A key as authentication needs it. Times are milliseconds since 1970. */
export interface StoredKey {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** Where they are not the service's. */
  readonly rates: Partial<Rates> | null;
  readonly secretHash: Buffer;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
}

// The one read without a company: it is what finds out which company is asking.
const KEY_BY_ID: Statement = {
  name: 'api-key-by-id',
  text: `select company_id as "companyId", id as "apiKeyId", label, scopes, rates, secret_hash as "secretHash",
      ${ms('expires_at')} as "expiresAtMs", ${ms('revoked_at')} as "revokedAtMs"
    from api_key where id = $1`,
};

export async function findKey(database: Database, apiKeyId: string): Promise<StoredKey | undefined> {
  const [key] = await database.rows<StoredKey>(KEY_BY_ID, [apiKeyId]);
  return key;
}

/** A key of the company, which stays as it is until the transaction ends. */
export function lockKey(tx: TenantTransaction, id: string): Promise<ApiKeyRecord | null> {
  return tx.em.findOne(ApiKeyEntity, { companyId: tx.companyId, id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

const RECORD_USE = companyStatement(
  'api-key-used',
  `update api_key set last_used_at = greatest(last_used_at, $3::timestamptz) where company_id = $1 and id = $2`,
);

export async function recordUse(tenant: Tenant, apiKeyId: string, usedAt: string): Promise<void> {
  await tenant.rows(RECORD_USE, apiKeyId, usedAt);
}

const KEY_DETAILS = companyStatement(
  'api-key-details',
  `select created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
    from api_key where company_id = $1 and id = $2`,
);

export interface KeyDetails {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export async function keyDetails(tenant: Tenant, apiKeyId: string): Promise<KeyDetails | undefined> {
  const [details] = await tenant.rows<KeyDetails>(KEY_DETAILS, apiKeyId);
  return details;
}
