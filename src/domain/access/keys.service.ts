import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '../../platform/fault.ts';
import { ALL_RATE_CLASSES, MAX_RATE, type RateClass, type Rates, type RatesPatch } from '../../platform/rates.ts';
import { ALL_SCOPES, isScope, type Scope } from '../../platform/scopes.ts';
import type { CompanyId, Tenant, TenantTransaction } from '../../platform/tenancy.ts';
import { Checks } from '../checks.rules.ts';
import { isUuid } from '../uuid.rules.ts';
import { ApiKeyEntity, type ApiKeyRecord } from './access.entity.ts';
import { lockKey } from './access.repository.ts';
import type { Principal } from './authenticate.service.ts';
import { DEFAULT_OVERLAP_HOURS, hashKey, isCurrent, MAX_OVERLAP_HOURS, makeKey } from './key.rules.ts';

const HOUR_MS = 3_600_000;

/** Who decides about keys: an operator may grant everything, a key no scope that it lacks and no higher rate. */
export interface Grantor {
  readonly scopes: ReadonlySet<Scope>;
  /** Its own rates and the service's; undefined for an operator. */
  readonly limits?: { readonly own: Partial<Rates>; readonly service: Rates };
}
const OPERATOR: Grantor = { scopes: new Set(ALL_SCOPES) };

/** A key that manages keys. */
export function grantorOf({ scopes, rates }: Principal, service: Rates): Grantor {
  return { scopes, limits: { own: rates, service } };
}

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
  const rates = storedRates({ ...lowerRates(grantor), ...checkRates(checks, input.rates ?? {}) });
  checks.throwIfAny();
  return tenant.transaction(({ em, companyId }) => insertKey(em, { companyId, label, scopes, rates, expiresAt }));
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
 * have. Where the old one was issued for a time, the new one is for as long.
 *
 * @throws Fault `api_key_not_found`, `validation_failed`
 */
export async function rotateKey(
  tenant: Tenant,
  { apiKeyId, overlapHours }: { apiKeyId: string; overlapHours?: number | null | undefined },
  grantor: Grantor = OPERATOR,
): Promise<RotatedKey> {
  return tenant.transaction(async tx => {
    const old = await keyToChange(tx, apiKeyId);
    const now = Date.now();
    const checks = new Checks();
    const overlap = checks.integer(['overlapHours'], overlapHours ?? DEFAULT_OVERLAP_HOURS, 0, MAX_OVERLAP_HOURS);
    checkCurrent(checks, old);
    const lacking = old.scopes.filter(scope => !grantor.scopes.has(scope as Scope));
    if (lacking.length > 0) {
      checks.add(['apiKeyId'], 'not_allowed', `must be a key without scopes yours lacks: it has ${lacking.join(', ')}`);
    }
    const higher = ratesAbove(grantor, old.rates ?? {});
    if (higher.length > 0) {
      checks.add(['apiKeyId'], 'not_allowed', `must be a key without higher rates than yours: of ${higher.join(', ')}`);
    }
    checks.throwIfAny();

    const lifetimeMs = old.expiresAt ? old.expiresAt.getTime() - (old.createdAt?.getTime() ?? now) : undefined;
    const issued = await insertKey(tx.em, {
      companyId: tx.companyId,
      label: old.label,
      scopes: old.scopes,
      rates: old.rates,
      expiresAt: lifetimeMs === undefined ? null : new Date(now + lifetimeMs),
    });
    old.expiresAt = new Date(Math.min(now + overlap * HOUR_MS, old.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
    await tx.em.flush();
    return { ...issued, oldKey: summarizeKey(old) };
  });
}

/** Revokes a key for good; revoking it again keeps the first time. @throws Fault `api_key_not_found` */
export async function revokeKey(tenant: Tenant, apiKeyId: string): Promise<KeySummary> {
  return tenant.transaction(async tx => {
    const key = await keyToChange(tx, apiKeyId);
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

const SERVICE_RATES: RatesPatch = { reads: null, quotes: null, writes: null, cost: null };

/** The rates that are sent. */
function checkRates(checks: Checks, rates: RatesPatch): RatesPatch {
  const sent = ALL_RATE_CLASSES.flatMap(rateClass => {
    const rate = rates[rateClass];
    if (rate === undefined) return [];
    return [[rateClass, rate === null ? null : checks.integer(['rates', rateClass], rate, 1, MAX_RATE)]];
  });
  return Object.fromEntries(sent);
}

/** A key gives no rate above its own and the service's, unless the other has as much already. */
function checkGrantable(checks: Checks, rates: RatesPatch, before: Partial<Rates>, grantor: Grantor): void {
  if (!grantor.limits) return;
  const { service } = grantor.limits;
  const highest = effective(service, lowerRates(grantor));
  const old = effective(service, before);
  for (const rateClass of ALL_RATE_CLASSES) {
    const rate = rates[rateClass];
    const most = Math.max(highest[rateClass], old[rateClass]);
    if (rate === undefined || (rate ?? service[rateClass]) <= most) continue;
    checks.add(['rates', rateClass], 'not_allowed', `must be at most ${most}: only an operator gives more`);
  }
}

/** Classes in which other rates are above the asking key's. */
function ratesAbove({ limits }: Grantor, rates: Partial<Rates>): RateClass[] {
  if (!limits) return [];
  const theirs = effective(limits.service, rates);
  const own = effective(limits.service, limits.own);
  return ALL_RATE_CLASSES.filter(rateClass => theirs[rateClass] > own[rateClass]);
}

/** A key's own rates, where they are below the service's: those that it issues get them too. */
function lowerRates({ limits }: Grantor): Partial<Rates> {
  if (!limits) return {};
  const own = effective(limits.service, limits.own);
  const lower = ALL_RATE_CLASSES.filter(rateClass => own[rateClass] < limits.service[rateClass]);
  return Object.fromEntries(lower.map(rateClass => [rateClass, own[rateClass]]));
}

/** What a key may ask for: its own rates, and the service's where it has none. */
function effective(service: Rates, own: Partial<Rates>): Rates {
  return { ...service, ...own };
}

/** As they are kept: those that are not the service's. */
function storedRates(rates: RatesPatch): Partial<Rates> | null {
  const own = Object.entries(rates).filter(([, rate]) => rate != null);
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
