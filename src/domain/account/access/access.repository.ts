import { LockMode } from '@mikro-orm/core';
import type { Database } from '../../../platform/database/database.ts';
import { rowLoader } from '../../../platform/database/gather/loader.ts';
import type { ListPage } from '../../../platform/database/lists/page.ts';
import { ENVIRONMENT, ms } from '../../../platform/database/statements/sql.ts';
import { companyStatement, serviceStatement } from '../../../platform/database/statements/statements.ts';
import { rowsWithin } from '../../../platform/database/statements/transaction.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Environment } from '../../../platform/environment.ts';
import type { Rates } from '../../../platform/limits/rates.ts';
import type { Scope } from '../../../platform/scopes.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';

/** A key for authentication. Times are milliseconds since 1970. */
export interface StoredKey {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  readonly environment: Environment;
  /** Rates that differ from the service's. */
  readonly rates: Partial<Rates> | null;
  /** The key whose counters are used; often itself. */
  readonly rateKeyId: string;
  readonly secretHash: Buffer;
  readonly expiresAtMs: number | null;
  readonly revokedAtMs: number | null;
  readonly suspendedAtMs: number | null;
}

// The only read without a company, because it finds the company of a request.
const KEY_BY_ID = serviceStatement(
  'api-key-by-id',
  `select k.company_id as "companyId", k.id as "apiKeyId", k.label, k.scopes, ${ENVIRONMENT} as environment, k.rates,
      coalesce(k.rate_key_id, k.id) as "rateKeyId", k.secret_hash as "secretHash",
      ${ms('k.expires_at')} as "expiresAtMs", ${ms('k.revoked_at')} as "revokedAtMs",
      ${ms('c.suspended_at')} as "suspendedAtMs"
    from api_key k join company c on c.id = k.company_id where k.id = $1`,
);

export async function findKey(database: Database, apiKeyId: string): Promise<StoredKey | undefined> {
  const [key] = await database.rows<StoredKey>(KEY_BY_ID, [apiKeyId]);
  return key;
}

const UNFINISHED = serviceStatement(
  'unfinished-erasure',
  'select from erased_company where id = $1 and finished_at is null',
);

/** Whether the erasure of the company has begun. */
export async function isBeingErased({ em, companyId }: TenantTransaction): Promise<boolean> {
  const rows = await rowsWithin(em, UNFINISHED, [companyId]);
  return rows.length > 0;
}

/** The channel that tells processes about keys whose rights have changed. */
export const KEY_CHANGED = 'api_key_changed';

const IDS = companyStatement('api-key-ids', 'select id from api_key where company_id = $1');

/** Makes every process look up the keys of the company again. */
export async function notifyOfAllKeys(tx: TenantTransaction): Promise<void> {
  for (const { id } of await tx.rows<{ id: string }>(IDS)) await tx.notify(KEY_CHANGED, id);
}

/** A key of the company, locked until the transaction ends. */
export function lockKey(tx: TenantTransaction, id: string): Promise<ApiKeyRecord | null> {
  return tx.em.findOne(ApiKeyEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** A key for its managers; the key itself is never shown again. */
export interface KeySummary {
  readonly apiKeyId: string;
  readonly companyId: CompanyId;
  readonly label: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly environment: Environment;
  /** Requests a minute that differ from the service's. */
  readonly rates: Partial<Rates>;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

const KEY = `select k.id as "apiKeyId", k.company_id as "companyId", k.label, k.last4, k.scopes, ${ENVIRONMENT} as environment,
    coalesce(k.rates, '{}') as rates, k.created_at as "createdAt", k.expires_at as "expiresAt", k.revoked_at as "revokedAt",
    k.last_used_at as "lastUsedAt"
  from api_key k join company c on c.id = k.company_id`;

const BY_ID = rowLoader<[id: string], KeySummary>({
  name: 'company-api-key',
  key: { id: 'uuid' },
  text: `${KEY} where k.company_id = each.company_id and k.id = each.id`,
});

export function keyById(tenant: Tenant, id: string): Promise<KeySummary | undefined> {
  return tenant.load(BY_ID, id);
}

const OF_COMPANIES = serviceStatement(
  'api-keys-of-companies',
  `${KEY} where $1::uuid is null or c.id = $1 or c.sandbox_of = $1 order by k.created_at, k.id`,
);

/** The keys of a company and of its sandbox, or of all companies; oldest first. */
export function keysOfCompanies(database: Database, companyId: string | null): Promise<KeySummary[]> {
  return database.rows<KeySummary>(OF_COMPANIES, [companyId]);
}

const COUNT = companyStatement(
  'count-listed-api-keys',
  'select count(*)::integer as count from api_key where company_id = $1',
);

/** The number of stored keys, including those that have ended, of which only the last are kept. */
export async function countKeys(tenant: Tenant): Promise<number> {
  const [row] = await tenant.rows<{ count: number }>(COUNT);
  return row?.count ?? 0;
}

const LIST = companyStatement(
  'api-keys',
  `${KEY} where k.company_id = $1 and ($2::uuid is null
      or (k.created_at, k.id) > (select a.created_at, a.id from api_key a where a.company_id = $1 and a.id = $2))
    order by k.created_at, k.id limit $3`,
);

/** Oldest first. */
export function listKeys(tenant: Tenant, { after, limit }: ListPage<string>): Promise<KeySummary[]> {
  return tenant.rows<KeySummary>(LIST, after, limit);
}

const HAS_ENDED = '(revoked_at is not null or expires_at <= now())';

const COUNT_CURRENT = companyStatement(
  'count-api-keys',
  `select count(*)::integer as count from api_key where company_id = $1 and not coalesce(${HAS_ENDED}, false)`,
);

/** How many keys are neither revoked nor expired. */
export async function countCurrentKeys(tx: TenantTransaction): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(COUNT_CURRENT);
  return row?.count ?? 0;
}

const FORGET_ENDED = companyStatement(
  'forget-api-keys',
  `delete from api_key where company_id = $1 and id in (
    select id from api_key where company_id = $1 and ${HAS_ENDED} order by least(revoked_at, expires_at) desc, id offset $2)`,
);

/** Deletes keys that were revoked or have expired, except the last ones. */
export async function forgetEndedKeys(tx: TenantTransaction, keep: number): Promise<void> {
  await tx.rows(FORGET_ENDED, keep);
}

const RECORD_USE = companyStatement(
  'api-key-used',
  `update api_key set last_used_at = greatest(last_used_at, $3::timestamptz) where company_id = $1 and id = $2`,
);

export async function recordUse(tenant: Tenant, apiKeyId: string, usedAt: string): Promise<void> {
  await tenant.rows(RECORD_USE, apiKeyId, usedAt);
}

const KEY_DETAILS = rowLoader<[apiKeyId: string], KeyDetails>({
  name: 'api-key-details',
  key: { id: 'uuid' },
  text: `select created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt"
    from api_key where company_id = each.company_id and id = each.id`,
});

export interface KeyDetails {
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export function keyDetails(tenant: Tenant, apiKeyId: string): Promise<KeyDetails | undefined> {
  return tenant.load(KEY_DETAILS, apiKeyId);
}

const COMPANY_NAMES = serviceStatement(
  'company-names',
  'select id::text as id, name from company where id = any($1::uuid[])',
);

export async function companyNames(
  database: Database,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await database.rows<{ id: string; name: string }>(COMPANY_NAMES, [companyIds]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

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
