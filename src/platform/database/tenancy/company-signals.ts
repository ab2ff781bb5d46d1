import type { AskListener, Notifications } from '../connections/notifications.ts';
import { serviceStatement } from '../statements/statements.ts';
import { atEnd, rowsWithin } from '../statements/transaction.ts';
import type { CompanyId } from './company-id.ts';
import type { TenantTransaction } from './tenant-transaction.ts';

/**
 * Wakes those who wait, in any process, for something of a company to change. PostgreSQL commits transactions that notify one
 * after the other, over all companies. So a writer notifies only if somebody waits: a process that waits holds a shared
 * advisory lock, and the writer tries to take the same lock alone until it has committed. A process that comes while the
 * writer has it gets its lock once the writer has committed, and then looks at what there is.
 *
 * Companies share 256 locks, since PostgreSQL has room for some thousands. If a company shares its lock with one that
 * somebody waits for, or with another writer, its writers notify needlessly.
 */

const CHANNEL = 'company_changed';
/** The first number of the locks. */
const LOCKS = 1936222577;
const RETRY_MS = 1_000;

const SIGNAL = serviceStatement(
  'signal-company',
  `select pg_notify('${CHANNEL}', $1) where not pg_try_advisory_xact_lock(${LOCKS}, $2)`,
);
const HOLD = serviceStatement(
  'hold-company-signals',
  `select pg_advisory_lock_shared(${LOCKS}, number) from unnest($1::integer[]) number`,
);
const LET_GO = serviceStatement(
  'let-go-company-signals',
  `select pg_advisory_unlock_shared(${LOCKS}, number) from unnest($1::integer[]) number`,
);

/** The last byte of the id, which is random. */
const lockOf = (companyId: CompanyId) => Number.parseInt(companyId.slice(-2), 16);

const signalling = new WeakSet<object>();

/** Wakes those who wait for the company once the transaction is committed, in the round trip that commits it. */
export function signalAtEnd({ em, companyId }: TenantTransaction): void {
  if (signalling.has(em)) return;
  signalling.add(em);
  atEnd(em, () => rowsWithin(em, SIGNAL, [companyId, lockOf(companyId)]));
}

/** What waits in this process, and the locks that show it to others. */
export class CompanySignals {
  readonly #waiting = new Map<CompanyId, Set<() => void>>();
  /** How many wait by each lock. */
  readonly #wanted = new Map<number, number>();
  /** Locks that the connection has. */
  #held = new Set<number>();
  /** Undefined while there is no connection. */
  #ask: AskListener | undefined;
  #isSettling = false;

  constructor(notifications: Pick<Notifications, 'on' | 'onConnect' | 'onGap'>) {
    notifications.on(CHANNEL, companyId => this.#wake(companyId as CompanyId));
    notifications.onConnect(ask => {
      this.#held = new Set();
      this.#ask = ask;
    });
    notifications.onGap(() => {
      for (const companyId of this.#waiting.keys()) this.#wake(companyId);
      void this.#settle();
    });
  }

  /**
   * Calls `wake` whenever something of the company may have changed since it was called last, until the returned function is
   * called. What changed before the first call is not missed either.
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
    void this.#settle();
  }

  /** Brings the locks of the connection up to date. Those who wait for one look again once it is held. */
  async #settle(): Promise<void> {
    if (this.#isSettling) return;
    this.#isSettling = true;
    try {
      for (let ask = this.#ask; ask !== undefined; ask = this.#ask) {
        const held = this.#held;
        const missing = [...this.#wanted.keys()].filter(lock => !held.has(lock));
        const spare = [...held].filter(lock => !this.#wanted.has(lock));
        if (missing.length === 0 && spare.length === 0) return;
        if (spare.length > 0) await ask(LET_GO, [spare]);
        for (const lock of spare) held.delete(lock);
        if (missing.length > 0) await ask(HOLD, [missing]);
        for (const lock of missing) held.add(lock);
        const gained = new Set(missing);
        for (const companyId of this.#waiting.keys()) if (gained.has(lockOf(companyId))) this.#wake(companyId);
      }
    } catch {
      // Most likely the connection is lost, and the next one takes all that are wanted.
      if (this.#wanted.size > 0) setTimeout(() => void this.#settle(), RETRY_MS).unref();
    } finally {
      this.#isSettling = false;
    }
  }

  #wake(companyId: CompanyId): void {
    for (const wake of this.#waiting.get(companyId) ?? []) wake();
  }
}
