import { randomUUID } from 'node:crypto';
import type { CompanyId, Tenant, TenantTransaction } from '../../platform/database/tenancy.ts';
import { Fault } from '../../platform/fault.ts';
import { type Caps, MAX_WAITING_CHANGES, requireRoom } from '../../platform/limits/caps.ts';
import { ALL_RATE_CLASSES, type Rates, type RatesPatch } from '../../platform/limits/rates.ts';
import { ALL_SCOPES, type Scope } from '../../platform/scopes.ts';
import { Checks } from '../checks.rules.ts';
import { isUuid } from '../uuid.rules.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';
import { countCurrentKeys, forgetEndedKeys, type KeySummary, listKeys, lockKey } from './access.repository.ts';
import type { Principal } from './authenticate.service.ts';
import {
  checkGrantable,
  checkRates,
  checkScopes,
  effective,
  type Grantor,
  lowerRates,
  ratesAbove,
  SERVICE_RATES,
  storedRates,
} from './grants.rules.ts';
import { hashKey, isCurrent, makeKey } from './key.rules.ts';
import { DEFAULT_OVERLAP_HOURS, MAX_OVERLAP_HOURS } from './rotation.rules.ts';

const HOUR_MS = 3_600_000;

export type { KeySummary } from './access.repository.ts';

const OPERATOR: Grantor = { scopes: new Set(ALL_SCOPES) };

/** A key that manages keys. One with rates below the service's shares them with those that it issues. */
export function grantorOf(principal: Principal, service: Rates, { apiKeys }: Pick<Caps, 'apiKeys'>): Grantor {
  const { apiKeyId, scopes, rates, rateKeyId, expiresAtMs } = principal;
  const own = effective(service, rates);
  const isShared = rateKeyId !== apiKeyId || ALL_RATE_CLASSES.some(rateClass => own[rateClass] < service[rateClass]);
  const expiresAt = expiresAtMs === null ? null : new Date(expiresAtMs);
  const limits = { own: rates, service, rateKeyId: isShared ? rateKeyId : null, expiresAt, maxKeys: apiKeys };
  return { scopes, limits };
}

export interface KeyInput {
  readonly label: string;
  /** Names of scopes, or `['all']`: all that may be granted. */
  readonly scopes: readonly string[];
  readonly expiresAt?: string | null | undefined;
  /** Requests a minute, where they are not to be the service's. */
  readonly rates?: Partial<Rates> | undefined;
}

/** What is left out stays as it is. */
export interface KeyPatch {
  readonly label?: string | null | undefined;
  /** Null for the service's own in every class. */
  readonly rates?: RatesPatch | null | undefined;
}

/** A new key; this answer has its only copy. */
export interface IssuedKey {
  readonly apiKey: string;
  readonly key: KeySummary;
}

export interface RotatedKey extends IssuedKey {
  readonly oldKey: KeySummary;
}

/** Keys of a company, oldest first. */
export const companyKeys = listKeys;

/** @throws Fault `validation_failed`, with what `checks` found before; `api_key_limit_reached` */
export async function issueKey(
  tenant: Tenant,
  input: KeyInput,
  grantor: Grantor = OPERATOR,
  checks = new Checks(),
): Promise<IssuedKey> {
  const label = checks.text(['label'], input.label);
  const scopes = checkScopes(checks, input.scopes, grantor);
  const expiresAt = checkExpiry(checks, input.expiresAt ?? null, grantor);
  const rates = storedRates({ ...lowerRates(grantor), ...checkRates(checks, input.rates ?? {}) });
  checks.throwIfAny();
  return changeKeys(tenant, async tx => {
    await makeRoom(tx, grantor);
    return insertKey(tx, { label, scopes, rates, rateKeyId: grantor.limits?.rateKeyId ?? null, expiresAt });
  });
}

/** Changes the fields that are sent. @throws Fault `validation_failed`, `api_key_not_found` */
export async function updateKey(
  tenant: Tenant,
  apiKeyId: string,
  patch: KeyPatch,
  grantor: Grantor = OPERATOR,
): Promise<KeySummary> {
  const checks = new Checks();
  const label = patch.label === undefined ? undefined : checks.text(['label'], patch.label);
  const rates = patch.rates === null ? SERVICE_RATES : checkRates(checks, patch.rates ?? {});
  if (label === undefined && Object.keys(rates).length === 0) checks.add([], 'empty', 'must have at least one field');
  checks.throwIfAny();
  return tenant.transaction(async tx => {
    const key = await keyToChange(tx, apiKeyId);
    checkCurrent(checks, key);
    checkNoMore(checks, key, grantor);
    const before = key.rates ?? {};
    checkGrantable(checks, rates, before, grantor);
    checks.throwIfAny();
    tx.em.assign(key, { ...(label !== undefined && { label }), rates: storedRates({ ...before, ...rates }) });
    await tx.em.flush();
    return summarizeKey(key);
  });
}

/**
 * Issues a key like another, to follow it; the old one works for `overlapHours` more, but never longer than it would
 * have. Where the old one was issued for a time, the new one is for as long, but never longer than the asking key.
 *
 * @throws Fault `api_key_not_found`, `validation_failed`, `api_key_limit_reached`
 */
export async function rotateKey(
  tenant: Tenant,
  { apiKeyId, overlapHours }: { apiKeyId: string; overlapHours?: number | null | undefined },
  grantor: Grantor = OPERATOR,
): Promise<RotatedKey> {
  return changeKeys(tenant, async tx => {
    const old = await keyToChange(tx, apiKeyId);
    const now = Date.now();
    const checks = new Checks();
    const overlap = checks.integer(['overlapHours'], overlapHours ?? DEFAULT_OVERLAP_HOURS, 0, MAX_OVERLAP_HOURS);
    checkCurrent(checks, old);
    checkNoMore(checks, old, grantor);
    checks.throwIfAny();

    await makeRoom(tx, grantor, { isEnding: overlap === 0 });
    const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - (old.createdAt?.getTime() ?? now) : undefined;
    const issued = await insertKey(tx, {
      label: old.label,
      scopes: old.scopes,
      rates: old.rates,
      // Both together have what the old one had.
      rateKeyId: grantor.limits?.rateKeyId ?? old.rateKeyId ?? (old.rates ? old.id : null),
      expiresAt: earlier(lifetimeMs === undefined ? null : new Date(now + lifetimeMs), grantor.limits?.expiresAt),
    });
    old.expiresAt = earlier(new Date(now + overlap * HOUR_MS), old.expiresAt);
    await tx.em.flush();
    return { ...issued, oldKey: summarizeKey(old) };
  });
}

/** Revokes a key for good; revoking it again keeps the first time. @throws Fault `api_key_not_found`, `validation_failed` */
export async function revokeKey(tenant: Tenant, apiKeyId: string, grantor: Grantor = OPERATOR): Promise<KeySummary> {
  return tenant.transaction(async tx => {
    const key = await keyToChange(tx, apiKeyId);
    const checks = new Checks();
    checkNoMore(checks, key, grantor);
    checks.throwIfAny();
    key.revokedAt ??= new Date();
    await tx.em.flush();
    return summarizeKey(key);
  });
}

/** The form in which managers see a stored key. */
export function summarizeKey(key: ApiKeyRecord): KeySummary {
  const { id, companyId, label, last4, scopes, rates, createdAt } = key;
  const { expiresAt = null, revokedAt = null, lastUsedAt = null } = key;
  return {
    apiKeyId: id,
    companyId: companyId as CompanyId,
    label,
    last4,
    scopes,
    rates: rates ?? {},
    createdAt: createdAt ?? new Date(),
    expiresAt,
    revokedAt,
    lastUsedAt,
  };
}

/** A key that nobody else changes meanwhile. */
async function keyToChange(tx: TenantTransaction, id: string): Promise<ApiKeyRecord> {
  const key = isUuid(id) ? await lockKey(tx, id) : null;
  if (!key) throw new Fault('api_key_not_found');
  return key;
}

function checkCurrent(checks: Checks, { revokedAt, expiresAt }: ApiKeyRecord): void {
  if (isCurrent(revokedAt, expiresAt, Date.now())) return;
  checks.add(['apiKeyId'], 'not_current', 'must be a key that is neither revoked nor expired');
}

/** A key leaves those alone that have more than itself: what it does to them would be more than it may. */
function checkNoMore(checks: Checks, key: ApiKeyRecord, grantor: Grantor): void {
  const lacking = key.scopes.filter(scope => !grantor.scopes.has(scope as Scope));
  const higher = ratesAbove(grantor, key.rates ?? {});
  const ownEnd = grantor.limits?.expiresAt;
  const reasons = [
    lacking.length > 0 && `must be a key without scopes yours lacks: it has ${lacking.join(', ')}`,
    higher.length > 0 && `must be a key without higher rates than yours: of ${higher.join(', ')}`,
    ownEnd &&
      isLater(key.expiresAt, ownEnd) &&
      `must be a key that expires no later than yours: ${ownEnd.toISOString()}`,
  ];
  for (const reason of reasons) if (reason) checks.add(['apiKeyId'], 'not_allowed', reason);
}

/** When a new key expires: no later than the asking one, and by default with it. */
function checkExpiry(checks: Checks, text: string | null, { limits }: Grantor): Date | null {
  const latest = limits?.expiresAt ?? null;
  const expiresAt = checks.dateTime(['expiresAt'], text);
  if (expiresAt === null) return latest;
  if (expiresAt.getTime() <= Date.now()) checks.add(['expiresAt'], 'out_of_range', 'must lie in the future');
  if (latest && isLater(expiresAt, latest)) {
    checks.add(
      ['expiresAt'],
      'not_allowed',
      `must be ${latest.toISOString()} at the latest, when the asking key expires`,
    );
  }
  return expiresAt;
}

/** Null is never. */
function isLater(time: Date | null | undefined, than: Date): boolean {
  return time == null || time > than;
}

function earlier(time: Date | null, other: Date | null | undefined): Date | null {
  return other && isLater(time, other) ? other : time;
}

/** New keys of a company follow each other, so that they can be counted. */
function changeKeys<T>(tenant: Tenant, work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
  return tenant.exclusively('keys', work, MAX_WAITING_CHANGES);
}

/**
 * Makes sure that there is room for one more key, and forgets all but the last of those that have ended. To follow a key,
 * there is room for as many again, so that a company with all its keys can rotate each of them.
 *
 * @param followed the key that the new one follows, which may end with this transaction
 */
async function makeRoom(tx: TenantTransaction, { limits }: Grantor, followed?: { isEnding: boolean }): Promise<void> {
  if (!limits) return;
  const { maxKeys } = limits;
  const count = (await countCurrentKeys(tx)) - Number(followed?.isEnding ?? false);
  requireRoom('api_key_limit_reached', count, followed ? 2 * maxKeys : maxKeys, 'API keys that work');
  await forgetEndedKeys(tx, maxKeys);
}

async function insertKey(
  { em, companyId }: TenantTransaction,
  {
    scopes,
    ...input
  }: Pick<ApiKeyRecord, 'label' | 'rates' | 'rateKeyId' | 'expiresAt'> & { scopes: readonly string[] },
): Promise<IssuedKey> {
  const id = randomUUID();
  const apiKey = makeKey(id);
  const key = em.create(ApiKeyEntity, {
    companyId,
    ...input,
    id,
    scopes: [...scopes],
    secretHash: hashKey(apiKey),
    last4: apiKey.slice(-4),
  });
  await em.flush();
  return { apiKey, key: summarizeKey(key) };
}
