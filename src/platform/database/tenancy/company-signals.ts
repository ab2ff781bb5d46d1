import type { AskListener, Notifications } from '../connections/notifications.ts';
import { serviceStatement } from '../statements/statements.ts';
import { atEnd, rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from './company-id.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/**
 * Wakes waiting processes when something of a company changes.
 *
 * PostgreSQL serializes the commits of transactions that notify, over all companies. So a writer notifies only if
 * somebody waits: a waiting process holds a shared advisory lock, and the writer tries to take that lock exclusively
 * until its commit. A process that waits meanwhile gets its lock after the commit, and then looks for changes.
 * Companies share 256 locks, because PostgreSQL has room for some thousands. If a company shares its lock with one that
 * somebody waits for, or with another writer, its writers notify needlessly.
 */

const CHANNEL = 'company_changed';
/** The first number of the locks. */
const LOCKS = 1936222577;
const RETRY_MS = 1_000;

const SIGNAL = serviceStatement(
  'signal-company',
  `select pg_notify('${CHANNEL}', company_id) from unnest($1::text[], $2::integer[]) as changed(company_id, number)
    where not pg_try_advisory_xact_lock(${LOCKS}, number)`,
);
const SHARE_LOCKS = serviceStatement(
  'hold-company-signals',
  `select pg_advisory_lock_shared(${LOCKS}, number) from unnest($1::integer[]) number`,
);
const RELEASE_LOCKS = serviceStatement(
  'let-go-company-signals',
  `select pg_advisory_unlock_shared(${LOCKS}, number) from unnest($1::integer[]) number`,
);

/** The last byte of the id, which is random. */
const lockOf = (companyId: CompanyId) => Number.parseInt(companyId.slice(-2), 16);

/** The companies that changed, by transaction. */
const changed = new WeakMap<object, Set<CompanyId>>();

/** Wakes the processes that wait for the company, in the round trip of the commit. */
export function signalAtEnd({ em, companyId }: TenantTransaction): void {
  const known = changed.get(em);
  if (known !== undefined) {
    known.add(companyId);
    return;
  }
  const companies = new Set([companyId]);
  changed.set(em, companies);
  atEnd(em, () => rowsWithin(em, SIGNAL, [[...companies], [...companies].map(lockOf)]));
}

/** The waiting callers of this process, and the locks that show them to others. */
export class CompanySignals {
  readonly #waiting = new Map<CompanyId, Set<() => void>>();
  /** The number of waiting callers by lock. */
  readonly #wanted = new Map<number, number>();
  /** The locks of the connection. */
  #held = new Set<number>();
  #ask: AskListener | undefined;
  #isUpdating = false;

  constructor(notifications: Pick<Notifications, 'on' | 'onConnect' | 'onGap'>) {
    notifications.on(CHANNEL, companyId => this.#wake(companyId as CompanyId));
    notifications.onConnect(ask => {
      this.#held = new Set();
      this.#ask = ask;
    });
    notifications.onGap(() => {
      for (const companyId of this.#waiting.keys()) this.#wake(companyId);
      void this.#updateLocks();
    });
  }

  /**
   * Calls `wake` whenever something of the company may have changed since the last call, until the returned function is
   * called. Changes before the first call are not missed either.
   */
  on(companyId: CompanyId, wake: () => void): () => void {
    const waiting = this.#waiting.get(companyId) ?? new Set();
    this.#waiting.set(companyId, waiting.add(wake));
    this.#count(lockOf(companyId), 1);
    return () => {
      if (!waiting.delete(wake)) return;
      if (waiting.size === 0) this.#waiting.delete(companyId);
      this.#count(lockOf(companyId), -1);
    };
  }

  #count(lock: number, change: 1 | -1): void {
    const count = (this.#wanted.get(lock) ?? 0) + change;
    if (count > 0) this.#wanted.set(lock, count);
    else this.#wanted.delete(lock);
    void this.#updateLocks();
  }

  /** Updates the locks of the connection. Callers that wait for a lock look again once it is held. */
  async #updateLocks(): Promise<void> {
    if (this.#isUpdating) return;
    this.#isUpdating = true;
    try {
      for (let ask = this.#ask; ask !== undefined; ask = this.#ask) {
        const held = this.#held;
        const missing = [...this.#wanted.keys()].filter(lock => !held.has(lock));
        const spare = [...held].filter(lock => !this.#wanted.has(lock));
        if (missing.length === 0 && spare.length === 0) return;
        if (spare.length > 0) await ask(RELEASE_LOCKS, [spare]);
        for (const lock of spare) held.delete(lock);
        if (missing.length > 0) await ask(SHARE_LOCKS, [missing]);
        for (const lock of missing) held.add(lock);
        const gained = new Set(missing);
        for (const companyId of this.#waiting.keys()) if (gained.has(lockOf(companyId))) this.#wake(companyId);
      }
    } catch {
      // Most likely the connection is lost, and the next one takes all locks.
      if (this.#wanted.size > 0) setTimeout(() => void this.#updateLocks(), RETRY_MS).unref();
    } finally {
      this.#isUpdating = false;
    }
  }

  #wake(companyId: CompanyId): void {
    for (const wake of this.#waiting.get(companyId) ?? []) wake();
  }
}
