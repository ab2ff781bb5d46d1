import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/database.ts';
import { Fault } from '../../platform/fault.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notifications } from '../../platform/notifications.ts';
import type { Scope } from '../../platform/scopes.ts';
import type { CompanyId } from '../../platform/tenancy.ts';
import { keyUsed } from './access.jobs.ts';
import { findKey, isCurrent, type StoredKey } from './access.repository.ts';
import { hashesEqual, hashKey, keyIdOf } from './key.rules.ts';

/** Who is asking: one company's key and what it may do. */
export interface Principal {
  readonly companyId: CompanyId;
  readonly apiKeyId: string;
  readonly label: string;
  readonly scopes: ReadonlySet<Scope>;
}

interface KnownKey {
  readonly stored: StoredKey;
  readonly principal: Principal;
  /** When this process last sent word of its use. */
  usedAtMs: number;
}

const MAX_KEYS = 10_000;
/** How long a key is believed without asking again: notifications do the work, this catches one that got lost. */
const TRUST_MS = 5_000;
/** The same while notifications are not being heard; still within the second that a revocation may take. */
const TRUST_UNHEARD_MS = 500;
const USE_WRITTEN_EVERY_SECONDS = 60;

/** Recognises keys: one indexed look-up, then from memory until the key changes. */
export class Authenticator {
  readonly #database: Database;
  readonly #jobs: Jobs;
  readonly #log: Log;
  readonly #cache: LRUCache<string, KnownKey>;

  constructor(database: Database, notifications: Notifications, jobs: Jobs, metrics: Metrics, log: Log) {
    this.#database = database;
    this.#jobs = jobs;
    this.#log = log;
    this.#cache = new LRUCache<string, KnownKey>({
      max: MAX_KEYS,
      ttl: TRUST_MS,
      // Concurrent requests with one key share one look-up; an unknown key is not remembered, so that a new one works at once.
      fetchMethod: async (apiKeyId, former, { options }) => {
        metrics.keyLookups.inc();
        options.ttl = notifications.listening ? TRUST_MS : TRUST_UNHEARD_MS;
        const stored = await findKey(this.#database, apiKeyId);
        return stored && { stored, principal: principalOf(stored), usedAtMs: former?.usedAtMs ?? 0 };
      },
    });
    notifications.on('api_key_changed', apiKeyId => this.#cache.delete(apiKeyId));
    notifications.onGap(() => this.#cache.clear());
  }

  /** @throws Fault `invalid_api_key`, alike for unknown, revoked, expired and garbled keys. */
  async authenticate(key: string): Promise<Principal> {
    const apiKeyId = keyIdOf(key);
    if (apiKeyId === undefined) throw refused();
    const known = this.#cache.get(apiKeyId) ?? (await this.#cache.fetch(apiKeyId));
    const now = Date.now();
    if (known === undefined || !hashesEqual(known.stored.secretHash, hashKey(key)) || !isCurrent(known.stored, now)) {
      throw refused();
    }
    if (now - known.usedAtMs >= USE_WRITTEN_EVERY_SECONDS * 1000) this.#noteUse(known, now);
    return known.principal;
  }

  /** Off the request's path, and at most once a minute a key over all processes: pg-boss keeps one job a slot of time. */
  #noteUse(known: KnownKey, now: number): void {
    known.usedAtMs = now;
    const { companyId, apiKeyId } = known.principal;
    this.#jobs
      .send(
        keyUsed,
        { companyId, apiKeyId, usedAt: new Date(now).toISOString() },
        {
          singletonKey: apiKeyId,
          singletonSeconds: USE_WRITTEN_EVERY_SECONDS,
        },
      )
      .catch(error => this.#log.warn({ apiKeyId, reason: error.message }, 'last use of a key not noted'));
  }
}

function principalOf(stored: StoredKey): Principal {
  const { companyId, apiKeyId, label, scopes } = stored;
  return { companyId, apiKeyId, label, scopes: new Set(scopes) };
}

function refused(): Fault {
  return new Fault('invalid_api_key', { headers: { 'www-authenticate': 'Bearer' } });
}
