import { LRUCache } from 'lru-cache';
import { ReadThroughCache } from '../../../platform/caches/read-through-cache.ts';
import type { Notifications } from '../../../platform/database/connections/notifications.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Actor } from '../../../platform/database/tenancy/actor.ts';
import type { CompanyId } from '../../../platform/database/tenancy/company-id.ts';
import type { Environment } from '../../../platform/environment.ts';
import { Fault } from '../../../platform/fault.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Rates } from '../../../platform/limits/rates.ts';
import { ownTurn } from '../../../platform/limits/turns.ts';
import type { Scope } from '../../../platform/scopes.ts';
import type { Log } from '../../../platform/telemetry/log.ts';
import type { Metrics } from '../../../platform/telemetry/metrics.ts';
import { keyUsed } from './access.jobs.ts';
import { findKey, KEY_CHANGED, type StoredKey } from './access.repository.ts';
import { isLetIn, keyIdOf } from './key.rules.ts';

/** The caller: one company's key and its rights, or an operator on the command line. */
export interface Principal {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly environment: Environment;
  /** Requests a minute that differ from the service's. */
  readonly rates: Partial<Rates>;
  /** The key whose counters are used: itself, or one that it shares its rates with. */
  readonly rateKeyId: string;
  /** Milliseconds since 1970; null for never. */
  readonly expiresAtMs: number | null;
  /** Whether the caller is an operator, who has no key. */
  readonly isOperator?: boolean;
}

/** The key as the actor of the audit trail. */
export function actorOf({ apiKeyId, label }: Principal, requestId: string): Actor {
  return { kind: 'key', apiKeyId, label, requestId };
}

interface KnownKey {
  readonly stored: StoredKey;
  readonly principal: Principal;
}

const MAX_KEYS = 10_000;
/** The owner of the turns that look-ups take. */
const LOOK_UPS = 'look-ups of keys';
const USE_WRITTEN_EVERY_SECONDS = 60;

/** Authenticates keys: one indexed look-up, then from memory until the key changes. */
export class Authenticator {
  readonly #database: Database;
  readonly #notifications: Notifications;
  readonly #jobs: Jobs;
  readonly #metrics: Metrics;
  readonly #log: Log;
  readonly #keys: ReadThroughCache<string, KnownKey>;
  /** Keys whose use was recorded in the last minute. */
  readonly #noted = new LRUCache<string, true>({ max: MAX_KEYS, ttl: USE_WRITTEN_EVERY_SECONDS * 1000 });

  constructor(database: Database, notifications: Notifications, jobs: Jobs, metrics: Metrics, log: Log) {
    this.#database = database;
    this.#notifications = notifications;
    this.#jobs = jobs;
    this.#metrics = metrics;
    this.#log = log;
    this.#keys = new ReadThroughCache(notifications, KEY_CHANGED, MAX_KEYS);
    metrics.watchCache('api_keys', this.#keys.counts);
  }

  /**
   * @throws Fault `invalid_api_key`, alike for unknown, revoked, expired and garbled keys. The holder of a valid key
   *   of a suspended company gets the reason.
   */
  async authenticate(key: string): Promise<Principal> {
    const apiKeyId = keyIdOf(key);
    if (apiKeyId === undefined) throw invalidKey();
    const known = await this.#keys.get(apiKeyId, () => this.#lookUp(apiKeyId));
    if (known === undefined || !isLetIn(known.stored, key, Date.now())) throw invalidKey();
    if (known.stored.suspendedAtMs !== null) throw suspended();
    if (!this.#noted.has(apiKeyId)) this.#noteUse(known.principal);
    return known.principal;
  }

  /** Calls back with the id of a changed key; without an id if any key may have changed. */
  onChange(changed: (apiKeyId?: string) => void): void {
    this.#notifications.on(KEY_CHANGED, changed);
    this.#notifications.onGap(() => changed());
  }

  async #lookUp(apiKeyId: string): Promise<KnownKey | undefined> {
    // One per turn of the event loop, because callers with unknown keys are not counted.
    await ownTurn(LOOK_UPS);
    this.#metrics.keyLookups.inc();
    const stored = await findKey(this.#database, apiKeyId);
    return stored && { stored, principal: principalOf(stored) };
  }

  /** Not part of the request, and at most once a minute a key over all processes, by pg-boss' one job a slot. */
  #noteUse({ companyId, apiKeyId }: Principal): void {
    this.#noted.set(apiKeyId, true);
    const use = { companyId, apiKeyId, usedAt: new Date().toISOString() };
    this.#jobs
      .send(keyUsed, use, { singletonKey: apiKeyId, singletonSeconds: USE_WRITTEN_EVERY_SECONDS })
      .catch(error => this.#log.warn({ apiKeyId, reason: error.message }, 'last use of a key not noted'));
  }
}

function principalOf(key: StoredKey): Principal {
  const { scopes, rates, secretHash: _, revokedAtMs: __, suspendedAtMs: ___, ...stored } = key;
  return { ...stored, scopes: new Set(scopes), rates: rates ?? {} };
}

const CHALLENGE = { 'www-authenticate': 'Bearer' };

function invalidKey(): Fault {
  return new Fault('invalid_api_key', { headers: CHALLENGE });
}

function suspended(): Fault {
  return new Fault('invalid_api_key', {
    detail: 'The operator of the service has suspended the company. Its data is kept. Ask the operator.',
    members: { reason: 'suspended' },
    headers: CHALLENGE,
  });
}
