import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '../../platform/fault.ts';
import { ALL_RATE_CLASSES, MAX_RATE, type Rates } from '../../platform/rates.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../platform/scopes.ts';
import type { CompanyId, Tenant } from '../../platform/tenancy.ts';
import { Checks } from '../checks.rules.ts';
import { isUuid } from '../uuid.rules.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';
import { hashKey, makeKey } from './key.rules.ts';

/** How long a rotated key still works, so that its callers can change over. */
export const DEFAULT_OVERLAP_HOURS = 24;
export const MAX_OVERLAP_HOURS = 30 * 24;
const HOUR_MS = 3_600_000;

/** Who decides about keys: an operator may grant everything, a key no scope that it lacks. */
export interface Grantor {
  readonly scopes: ReadonlySet<Scope>;
}
const OPERATOR: Grantor = { scopes: new Set(ALL_SCOPES) };

/** A key as its managers see it; the key itself is never shown again. */
export interface KeySummary {
  readonly apiKeyId: string;
  readonly companyId: CompanyId;
  readonly label: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  /** Requests a minute, where they are not the service's. */
  readonly rates: Partial<Rates>;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
}

export interface KeyInput {
  readonly label: string;
  /** Names of scopes, or `['all']`: all that may be granted. */
  readonly scopes: readonly string[];
  readonly expiresAt?: string | null | undefined;
  /** Requests a minute, where they are not to be the service's. */
  readonly rates?: Partial<Rates> | undefined;
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
export async function companyKeys(tenant: Tenant): Promise<KeySummary[]> {
  return tenant.transaction(async ({ em, companyId }) => {
    const keys = await em.find(ApiKeyEntity, { companyId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
    return keys.map(summarizeKey);
  });
}

/** @throws Fault `validation_failed`, with what `checks` found before */
export async function issueKey(
  tenant: Tenant,
  input: KeyInput,
  grantor: Grantor = OPERATOR,
  checks = new Checks(),
): Promise<IssuedKey> {
  const label = checks.text(['label'], input.label);
  const scopes = checkScopes(checks, input.scopes, grantor);
  const expiresAt = checks.dateTime(['expiresAt'], input.expiresAt ?? null);
  if (expiresAt !== null && expiresAt.getTime() <= Date.now()) {
    checks.add(['expiresAt'], 'out_of_range', 'must lie in the future');
  }
  const rates = checkRates(checks, input.rates ?? {});
  checks.throwIfAny();
  return tenant.transaction(({ em, companyId }) => insertKey(em, { companyId, label, scopes, rates, expiresAt }));
}

/**
 * Issues a key like another, to follow it; the old one works for `overlapHours` more, but never longer than it would
 * have. Where the old one was issued for a time, the new one is for as long.
 *
 * @throws Fault `api_key_not_found`, `validation_failed`
 */
export async function rotateKey(
  tenant: Tenant,
  { apiKeyId, overlapHours }: { apiKeyId: string; overlapHours?: number | null | undefined },
  grantor: Grantor = OPERATOR,
): Promise<RotatedKey> {
  return tenant.transaction(async ({ em, companyId }) => {
    const old = await findKeyOf(em, companyId, apiKeyId);
    const now = Date.now();
    const checks = new Checks();
    const overlap = checks.integer(['overlapHours'], overlapHours ?? DEFAULT_OVERLAP_HOURS, 0, MAX_OVERLAP_HOURS);
    const isCurrent = old.revokedAt == null && (old.expiresAt == null || now < old.expiresAt.getTime());
    if (!isCurrent) checks.add(['apiKeyId'], 'not_current', 'must be a key that is neither revoked nor expired');
    const lacking = old.scopes.filter(scope => !grantor.scopes.has(scope as Scope));
    if (lacking.length > 0) {
      checks.add(['apiKeyId'], 'not_allowed', `must be a key without scopes yours lacks: it has ${lacking.join(', ')}`);
    }
    checks.throwIfAny();

    const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - (old.createdAt?.getTime() ?? now) : undefined;
    const issued = await insertKey(em, {
      companyId,
      label: old.label,
      scopes: old.scopes,
      rates: old.rates,
      expiresAt: lifetimeMs === undefined ? null : new Date(now + lifetimeMs),
    });
    old.expiresAt = new Date(Math.min(now + overlap * HOUR_MS, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
    await em.flush();
    return { ...issued, oldKey: summarizeKey(old) };
  });
}

/** Revokes a key for good; revoking it again keeps the first time. @throws Fault `api_key_not_found` */
export async function revokeKey(tenant: Tenant, apiKeyId: string): Promise<KeySummary> {
  return tenant.transaction(async ({ em, companyId }) => {
    const key = await findKeyOf(em, companyId, apiKeyId);
    key.revokedAt ??= new Date();
    await em.flush();
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

async function findKeyOf(em: EntityManager, companyId: CompanyId, id: string): Promise<ApiKeyRecord> {
  const key = isUuid(id) ? await em.findOne(ApiKeyEntity, { companyId, id }) : null;
  if (!key) throw new Fault('api_key_not_found');
  return key;
}

async function insertKey(
  em: EntityManager,
  {
    scopes,
    ...input
  }: Pick<ApiKeyRecord, 'companyId' | 'label' | 'rates' | 'expiresAt'> & { scopes: readonly string[] },
): Promise<IssuedKey> {
  const id = randomUUID();
  const apiKey = makeKey(id);
  const key = em.create(ApiKeyEntity, {
    ...input,
    id,
    scopes: [...scopes],
    secretHash: hashKey(apiKey),
    last4: apiKey.slice(-4),
  });
  await em.flush();
  return { apiKey, key: summarizeKey(key) };
}

function checkRates(checks: Checks, rates: Partial<Rates>): Partial<Rates> | null {
  const own = ALL_RATE_CLASSES.flatMap(rateClass => {
    const rate = rates[rateClass];
    return rate === undefined ? [] : [[rateClass, checks.integer(['rates', rateClass], rate, 1, MAX_RATE)]];
  });
  return own.length > 0 ? Object.fromEntries(own) : null;
}

function checkScopes(checks: Checks, names: readonly string[], { scopes }: Grantor): readonly Scope[] {
  const grantable = ALL_SCOPES.filter(scope => scopes.has(scope));
  if (names.length === 1 && names[0] === 'all') return grantable;
  if (names.length === 0) {
    checks.add(['scopes'], 'required', `must name at least one of ${grantable.join(', ')}, or be all`);
  }
  const refused = names.filter(name => !isScope(name) || !scopes.has(name));
  if (refused.length > 0) {
    checks.add(
      ['scopes'],
      'not_allowed',
      `has ${refused.join(', ')}, but must be among ${grantable.join(', ')}, or be all`,
    );
  }
  return grantable.filter(scope => names.includes(scope));
}
