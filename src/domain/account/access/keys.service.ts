import { randomUUID } from 'node:crypto';
import type { Tenant } from '../../../platform/database/tenancy/tenancy.ts';
import type { TenantTransaction } from '../../../platform/database/tenancy/tenant-transaction.ts';
import type { Environment } from '../../../platform/environment.ts';
import { Fault, type Issue, requireNone } from '../../../platform/fault.ts';
import { checkInput } from '../../../platform/input.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../../platform/limits/caps.ts';
import { ALL_RATE_CLASSES, type Rates, type RatesPatch } from '../../../platform/limits/rates.ts';
import { ALL_SCOPES, type Scope } from '../../../platform/scopes.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { AuditAction } from '../audit/audit.rules.ts';
import { record } from '../audit/audit.service.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';
import {
  countCurrentKeys,
  forgetEndedKeys,
  KEY_CHANGED,
  type KeySummary,
  keyById,
  lockKey,
} from './access.repository.ts';
import type { Principal } from './authenticate.service.ts';
import {
  effective,
  environmentIssues,
  type Grantor,
  grantableIssues,
  grantedScopes,
  lowerRates,
  ratesAbove,
  SERVICE_RATES,
  storedRates,
} from './grants.rules.ts';
import { DEFAULT_OVERLAP_HOURS, expiryAfter, hashKey, isCurrent, makeKey } from './key.rules.ts';
import { type CheckedKeyInput, type KeyInput, type KeyPatch, operatorKeyInput } from './keys.input.ts';
import { ensureSandbox, environmentOf, sandboxOf } from './sandbox.service.ts';

const HOUR_MS = 3_600_000;

/** An operator's limits on the keys of a live company. */
export const OPERATOR: Grantor = { scopes: new Set(ALL_SCOPES), environment: 'live' };

/** An operator at a company, as its only caller without a key. */
export async function operatorAt(tenant: Tenant): Promise<Principal> {
  const environment = await tenant.transaction(environmentOf);
  const rights = { scopes: OPERATOR.scopes, rates: {}, expiresAtMs: null, isOperator: true };
  return { companyId: tenant.companyId, apiKeyId: '', rateKeyId: '', label: 'operator', environment, ...rights };
}

/** A key that manages keys. If its rates are below the service's, the keys that it issues share them. */
export function grantorOf(principal: Principal, service: Rates, { apiKeys }: Pick<Caps, 'apiKeys'>): Grantor {
  const { apiKeyId, scopes, environment, rates, rateKeyId, expiresAtMs } = principal;
  if (principal.isOperator) return { scopes, environment };
  const keyRates = effective(service, rates);
  const isShared =
    rateKeyId !== apiKeyId || ALL_RATE_CLASSES.some(rateClass => keyRates[rateClass] < service[rateClass]);
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const limits = {
    own: rates,
    service,
    rateKeyId: isShared ? rateKeyId : null,
    expiresAt,
    maxKeys: apiKeys,
  };
  return { scopes, environment, limits };
}

/** A new key, shown only this once, because only its hash is stored. */
interface IssuedKey {
  readonly apiKey: string;
  readonly key: KeySummary;
}

interface RotatedKey extends IssuedKey {
  readonly oldKey: KeySummary;
}

/** The company's keys of an environment; undefined without a sandbox. @throws Fault `validation_failed` */
export async function keysOf(
  tenant: Tenant,
  own: Environment,
  wanted: Environment | null | undefined,
): Promise<Tenant | undefined> {
  requireNone(environmentIssues(wanted, own));
  return wanted === 'sandbox' ? sandboxOf(tenant) : tenant;
}

/** The company of a key: the caller's, or else its sandbox, whose keys live keys manage too. */
async function holderOf(tenant: Tenant, apiKeyId: string): Promise<Tenant> {
  if (!isUuid(apiKeyId) || (await keyById(tenant, apiKeyId))) return tenant;
  return (await sandboxOf(tenant)) ?? tenant;
}

/** A key of the company or of its sandbox. */
export async function findKey(tenant: Tenant, apiKeyId: string): Promise<KeySummary | undefined> {
  return keyById(await holderOf(tenant, apiKeyId), apiKeyId);
}

/**
 * @param found issues that were already found
 * @throws Fault `validation_failed`, `api_key_limit_reached`
 */
export async function issueKey(
  tenant: Tenant,
  input: KeyInput,
  grantor: Grantor = OPERATOR,
  found: readonly Issue[] = [],
): Promise<IssuedKey> {
  const { data, issues } = checkInput(operatorKeyInput, input);
  const granted = grantedScopes(input.scopes, grantor);
  const environment = data?.environment ?? grantor.environment;
  const elsewhere = environmentIssues(environment, grantor.environment);
  const end = data?.expiresAt ?? null;
  requireNone([...found, ...issues, ...granted.issues, ...elsewhere, ...expiryIssues(end, grantor)]);
  const { label, rates: ownRates } = data as CheckedKeyInput;
  const { scopes } = granted;
  const expiresAt = end ?? grantor.limits?.expiresAt ?? null;
  const rates = storedRates({ ...lowerRates(grantor), ...ownRates });
  const holder = environment === 'sandbox' ? await ensureSandbox(tenant) : tenant;
  const { apiKeyId, apiKey } = await changeKeys(holder, async tx => {
    await makeRoom(tx, grantor);
    const rateKeyId = grantor.limits?.rateKeyId ?? null;
    const inserted = await insertKey(tx, environment, { label, scopes, rates, rateKeyId, expiresAt });
    const detail = { label, scopes, environment, expiresAt };
    await recordKey(tx.at(tenant.companyId), 'key_issued', inserted.apiKeyId, detail);
    return inserted;
  });
  return { apiKey, key: await summary(holder, apiKeyId) };
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `api_key_not_found` */
export async function updateKey(
  tenant: Tenant,
  apiKeyId: string,
  patch: KeyPatch,
  grantor: Grantor = OPERATOR,
): Promise<KeySummary> {
  const { label } = patch;
  // An undefined rate was not sent.
  const sent = Object.entries(patch.rates ?? {}).filter(([, rate]) => rate !== undefined);
  const rates: RatesPatch = patch.rates === null ? SERVICE_RATES : Object.fromEntries(sent);
  const holder = await holderOf(tenant, apiKeyId);
  await holder.transaction(async tx => {
    const key = await keyToChange(tx, apiKeyId);
    const before = key.rates ?? {};
    const issues = grantableIssues(rates, before, grantor);
    requireNone([...currentIssues(key), ...lackIssues(key, grantor), ...issues]);
    const fields = { ...(label !== undefined && { label }), rates: storedRates({ ...before, ...rates }) };
    tx.em.assign(key, fields);
    await saveKey(tx, key);
    await recordKey(tx.at(tenant.companyId), 'key_updated', key.id, fields);
  });
  return summary(holder, apiKeyId);
}

/**
 * Issues a copy of a key as its successor; the old key stays valid for `overlapHours`, but not beyond its own expiry.
 * If the old key was issued for a time, the new one is valid for as long, but not longer than the caller's key.
 *
 * @throws Fault `api_key_not_found`, `validation_failed`, `api_key_limit_reached`
 */
export async function rotateKey(
  tenant: Tenant,
  { apiKeyId, overlapHours }: { apiKeyId: string; overlapHours?: number | null | undefined },
  grantor: Grantor = OPERATOR,
): Promise<RotatedKey> {
  const holder = await holderOf(tenant, apiKeyId);
  const next = await changeKeys(holder, async tx => {
    const old = await keyToChange(tx, apiKeyId);
    const now = Date.now();
    const overlap = overlapHours ?? DEFAULT_OVERLAP_HOURS;
    requireNone([...currentIssues(old), ...lackIssues(old, grantor)]);

    await makeRoom(tx, grantor, { isEnding: overlap === 0 });
    const { createdAt = new Date(now), expiresAt } = old;
    const newExpiry = expiresAt ? expiryAfter({ createdAt, expiresAt }, new Date(now)) : null;
    const inserted = await insertKey(tx, await environmentOf(tx), {
      label: old.label,
      scopes: old.scopes,
      rates: old.rates,
      // Both keys together keep the rate of the old one.
      rateKeyId: grantor.limits?.rateKeyId ?? old.rateKeyId ?? (old.rates ? old.id : null),
      expiresAt: earlier(newExpiry, grantor.limits?.expiresAt),
    });
    old.expiresAt = earlier(new Date(now + overlap * HOUR_MS), old.expiresAt);
    old.rotatedAt = new Date(now);
    await saveKey(tx, old);
    const detail = { newApiKeyId: inserted.apiKeyId, expiresAt: old.expiresAt };
    await recordKey(tx.at(tenant.companyId), 'key_rotated', old.id, detail);
    return inserted;
  });
  const [key, oldKey] = await Promise.all([summary(holder, next.apiKeyId), summary(holder, apiKeyId)]);
  return { apiKey: next.apiKey, key, oldKey };
}

/** Revokes a key permanently; a repetition keeps the time. @throws Fault `api_key_not_found`, `validation_failed` */
export async function revokeKey(tenant: Tenant, apiKeyId: string, grantor: Grantor = OPERATOR): Promise<KeySummary> {
  const holder = await holderOf(tenant, apiKeyId);
  await holder.transaction(async tx => {
    const key = await keyToChange(tx, apiKeyId);
    requireNone(lackIssues(key, grantor));
    if (!key.revokedAt) {
      key.revokedAt = new Date();
      await saveKey(tx, key);
      await recordKey(tx.at(tenant.companyId), 'key_revoked', key.id, { label: key.label });
    }
  });
  return summary(holder, apiKeyId);
}

/** A stored key for its managers. */
async function summary(holder: Tenant, apiKeyId: string): Promise<KeySummary> {
  return (await keyById(holder.fresh(), apiKeyId)) as KeySummary;
}

/** A key, locked against concurrent changes. */
async function keyToChange(tx: TenantTransaction, id: string): Promise<ApiKeyRecord> {
  const key = isUuid(id) ? await lockKey(tx, id) : null;
  if (!key) throw new Fault('api_key_not_found');
  return key;
}

function recordKey(tx: TenantTransaction, action: AuditAction, key: string, detail: object): Promise<void> {
  return record(tx, { action, subject: { type: 'CompanyApiKey', key }, detail: { ...detail } });
}

/** Writes the changes of a key; every process invalidates it. */
async function saveKey(tx: TenantTransaction, key: ApiKeyRecord): Promise<void> {
  await tx.em.flush();
  await tx.notify(KEY_CHANGED, key.id);
}

function currentIssues({ revokedAt, expiresAt }: ApiKeyRecord): readonly Issue[] {
  if (isCurrent(revokedAt, expiresAt, Date.now())) return [];
  return [{ path: ['apiKeyId'], code: 'not_current', message: 'names a key that is revoked or expired' }];
}

/** A key cannot change keys with more rights than its own, because their rights would exceed its grants. */
function lackIssues(key: ApiKeyRecord, grantor: Grantor): readonly Issue[] {
  const lacking = key.scopes.filter(scope => !grantor.scopes.has(scope as Scope));
  const higher = ratesAbove(grantor, key.rates ?? {});
  const ownEnd = grantor.limits?.expiresAt;
  const reasons = [
    lacking.length > 0 && `names a key with scopes that yours lacks: ${lacking.join(', ')}`,
    higher.length > 0 && `names a key with higher rates than yours: ${higher.join(', ')}`,
    ownEnd && isLater(key.expiresAt, ownEnd) && `names a key that expires later than yours, ${ownEnd.toISOString()}`,
  ];
  return reasons.flatMap(message => (message ? [{ path: ['apiKeyId'], code: 'not_allowed', message }] : []));
}

/** Whether an expiry is valid: in the future, and no later than the expiry of the caller's key. */
function expiryIssues(expiresAt: Date | null, { limits }: Grantor): readonly Issue[] {
  const path = ['expiresAt'];
  const latest = limits?.expiresAt ?? null;
  if (expiresAt === null) return [];
  if (expiresAt.getTime() <= Date.now()) return [{ path, code: 'out_of_range', message: 'must be in the future' }];
  if (!latest || !isLater(expiresAt, latest)) return [];
  const message = `must be ${latest.toISOString()} at the latest, when the asking key expires`;
  return [{ path, code: 'not_allowed', message }];
}

/** Null means never. */
function isLater(time: Date | null | undefined, than: Date): boolean {
  return time == null || time > than;
}

function earlier(time: Date | null, other: Date | null | undefined): Date | null {
  return other && isLater(time, other) ? other : time;
}

/** Changes of one company's keys run one after the other, so that keys can be counted. */
function changeKeys<T>(tenant: Tenant, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return tenant.exclusively('keys', work, MAX_WAITING_CHANGES);
}

/**
 * Makes room for one more key, and deletes all but the last ended keys. A rotation has twice the room, so that a
 * company at its limit can rotate every key.
 *
 * @param followed the key that the new one succeeds, which may end with this transaction
 */
async function makeRoom(tx: TenantTransaction, { limits }: Grantor, followed?: { isEnding: boolean }): Promise<void> {
  if (!limits) return;
  const { maxKeys } = limits;
  const count = (await countCurrentKeys(tx)) - Number(followed?.isEnding ?? false);
  requireRoom('api_key_limit_reached', count, followed ? 2 * maxKeys : maxKeys, 'active API keys');
  await forgetEndedKeys(tx, maxKeys);
}

async function insertKey(
  tx: TenantTransaction,
  environment: Environment,
  {
    scopes,
    ...input
  }: Pick<ApiKeyRecord, 'label' | 'rates' | 'rateKeyId' | 'expiresAt'> & { scopes: readonly string[] },
): Promise<{ apiKeyId: string; apiKey: string }> {
  const id = randomUUID();
  const apiKey = makeKey(id, environment);
  tx.em.create(ApiKeyEntity, {
    companyId: tx.companyId,
    ...input,
    id,
    scopes: [...scopes],
    secretHash: hashKey(apiKey),
    last4: apiKey.slice(-4),
  });
  await tx.em.flush();
  return { apiKeyId: id, apiKey };
}
