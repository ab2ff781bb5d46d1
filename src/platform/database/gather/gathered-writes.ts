import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '../../fault.ts';
import { activeSpan, type Span } from '../../telemetry/tracing.ts';
import { isAway, isLockFailure, isOfStatement } from '../connections/database-errors.ts';
import { type Requester, requesterOf } from '../connections/requester.ts';
import { type Lock, NotBegun } from '../statements/transaction.ts';
import type { CompanyId } from '../tenancy/company-id.ts';
import type { Ending, TenantTransaction } from '../tenancy/tenant-transaction.ts';
import { SharedStatements } from './shared-statements.ts';

/**
 * Gathers writes of one kind. Calls that arrive during a transaction of their kind share the next one: its round trips
 * and its commit cost as much for one call as for many. Each call has the results of a separate transaction, and fails
 * alone. No call is part of a commit after its request has ended.
 *
 * Small calls of several companies share a transaction if the kind allows it. An event of one of 20 companies took 1,410
 * µs of CPU in the process and 2,905 in PostgreSQL with a transaction for each company, and about 700 and 650 with one
 * for all. Two such transactions at a time, each with half of the calls, recorded as many events a second for a
 * quarter more CPU. A shared transaction waits only for a moment for any lock. If it fails, the calls of each company are
 * repeated in a transaction of the company, and if that fails, each call in its own. As long as a company has such a
 * transaction, its calls wait for that one, and delay no others.
 */

/** Calls of one transaction: as many as a company may have in progress in a process. */
const MAX_CALLS = 64;
/**
 * Items of one transaction, unless a single call has more. Small calls do not share a transaction with a large one, and
 * so wait only for earlier calls.
 */
const MAX_ITEMS = 500;

/**
 * Items of a call, of a company's calls, and of all calls of a transaction of several companies. Companies wait for the
 * work of the others in their transaction: 40 calls at once for shipments with timelines of 200 entries raised the median
 * of another company from 11 to 109–135 ms, and 40 calls for different shipments to 33–41 ms, when a company could have
 * 64 items in it.
 */
const MAX_SHARED = { ofCall: 16, ofCompany: 16, ofAll: 128 };
/** Transactions of several companies that may wait. Further calls wait for a transaction of their company. */
const MAX_SHARED_WAITING = 3;
/**
 * Concurrent transactions of a company in a process: the process prepares one while PostgreSQL works on the other.
 * Batches of 100 events from four connections: 8,500 to 11,250 events a second with one, 13,400 to 16,000 with two, and
 * 15,000 with three. Batches of 1,000 that share shipments gain nothing, since they wait for the rows of each other.
 */
const OWN_AT_ONCE = 2;
/** How long a transaction of several companies waits for a lock that somebody else holds. */
const SHARED_LOCK_MS = 300;

/** The keys and the number of items of a call. */
export interface WriteCall {
  readonly items: readonly unknown[];
}

export interface GatheredWrite<Call extends WriteCall, Result> {
  readonly name: string;
  /**
   * Whether its transactions may run at the same time, and companies share one: it has no entities, and locks its rows
   * first, in the order of companies and keys. Other transactions of one kind and company run one after the other, over
   * all processes.
   */
  readonly isConcurrent?: boolean;
  /** Carries out calls of a company with the effect of carrying them out one by one in this order; returns the result of each. */
  readonly write: (tx: TenantTransaction, calls: readonly Call[]) => Promise<readonly Result[]>;
}

interface Made<Call> {
  readonly companyId: CompanyId;
  readonly requester: Requester;
  /** The company's access to a transaction, which it may share with others. */
  readonly within: (em: EntityManager, shared?: SharedStatements) => TenantTransaction;
  /** The final work of its transaction. */
  readonly last: Ending | undefined;
  readonly call: Call;
}

interface Waiting<Call, Result> extends Made<Call> {
  readonly span: Span | undefined;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

type AnyWaiting = Waiting<WriteCall, unknown>;
type AnyWrite = GatheredWrite<WriteCall, unknown>;

/** Makes transactions. */
interface Source {
  transaction<T>(work: (em: EntityManager) => Promise<T>, requester: Requester, lock: Lock | undefined): Promise<T>;
  inLine<T>(name: string, work: () => Promise<T>, line?: { atOnce: number }): Promise<T>;
  /** Whether a statement of the company would run at once. */
  hasPlace(companyId: CompanyId): boolean;
}

/** Thrown if the requests of some calls ended while they were carried out. */
const SOME_LEFT = Symbol('some calls have left');

export class GatheredWrites {
  readonly #source: Source;
  /** The last calls in each queue, while more may join them. */
  readonly #open = new Map<string, AnyWaiting[]>();
  /** The number of transactions in each queue, with the one in progress. */
  readonly #queued = new Map<string, number>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** @throws Fault `unavailable` if too many transactions of the kind wait for the company already */
  write<Call extends WriteCall, Result>(write: GatheredWrite<Call, Result>, made: Made<Call>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one = { ...made, span: activeSpan(), resolve, reject } as Waiting<Call, Result> as unknown as AnyWaiting;
    this.#enter(write as unknown as AnyWrite, one);
    return promise;
  }

  #enter(write: AnyWrite, one: AnyWaiting): void {
    if (this.#mayShare(write, one)) {
      const open = this.#open.get(write.name);
      if (open && hasSharedRoom(open, one)) open.push(one);
      else this.#begin({ queue: write.name, atOnce: 1 }, calls => this.#carryOutShared(write, calls), [one]);
    } else {
      const open = this.#open.get(lockOf(write, one));
      if (open && hasRoom(open, one)) open.push(one);
      else this.#beginOwn(write, [one]);
    }
  }

  /** Whether a call may share a transaction with calls of other companies. */
  #mayShare(write: AnyWrite, one: AnyWaiting): boolean {
    if (!write.isConcurrent) return false;
    if (one.call.items.length > MAX_SHARED.ofCall || this.#queued.has(lockOf(write, one))) return false;
    const open = this.#open.get(write.name);
    return (open && hasSharedRoom(open, one)) || (this.#queued.get(write.name) ?? 0) <= MAX_SHARED_WAITING;
  }

  /** Carries out calls of one company in its own queue. */
  #beginOwn(write: AnyWrite, calls: AnyWaiting[]): void {
    const [first] = calls as [AnyWaiting];
    const line = { queue: lockOf(write, first), atOnce: write.isConcurrent ? OWN_AT_ONCE : 1 };
    this.#begin(line, own => this.#carryOut(write, own), calls);
  }

  #begin(
    { queue, atOnce }: { readonly queue: string; readonly atOnce: number },
    carryOut: (calls: readonly AnyWaiting[]) => Promise<void>,
    calls: AnyWaiting[],
  ): void {
    this.#open.set(queue, calls);
    this.#queued.set(queue, (this.#queued.get(queue) ?? 0) + 1);
    const close = () => {
      if (this.#open.get(queue) === calls) this.#open.delete(queue);
    };
    const work = async () => {
      // Together with other calls of this turn of the event loop.
      await nextTurn();
      close();
      await carryOut(calls);
    };
    this.#source
      .inLine(queue, work, { atOnce })
      .catch(reason => {
        close();
        for (const { reject } of calls) reject(reason);
      })
      .finally(() => {
        const left = (this.#queued.get(queue) ?? 0) - 1;
        if (left > 0) this.#queued.set(queue, left);
        else this.#queued.delete(queue);
      });
  }

  /** Carries out calls of several companies, without those whose company has other transactions in progress. */
  async #carryOutShared(write: AnyWrite, calls: readonly AnyWaiting[]): Promise<void> {
    const byCompany = Map.groupBy(calls.filter(isWanted), ({ companyId }) => companyId);
    const together: AnyWaiting[] = [];
    for (const [companyId, own] of byCompany) {
      // Its own transaction may have begun since these calls arrived, and would hold its lock.
      const isBusy = this.#queued.has(lockOf(write, own[0] as AnyWaiting));
      if (!isBusy && this.#source.hasPlace(companyId)) together.push(...own);
      else this.#beginOwn(write, own);
    }
    if (together.length === 0) return;
    try {
      await this.#transact(write, together, { waitMs: SHARED_LOCK_MS });
    } catch (error) {
      if (error === SOME_LEFT) return this.#withoutLeavers(write, together);
      if (!isLockFailure(error) && !mayBeOfOne(error)) {
        for (const { reject } of together) reject(error);
        return;
      }
      for (const own of Map.groupBy(together, ({ companyId }) => companyId).values()) this.#beginOwn(write, own);
    }
  }

  /** Repeats calls, apart from companies of which some requests ended: more may end, and would end each repetition. */
  #withoutLeavers(write: AnyWrite, calls: readonly AnyWaiting[]): Promise<void> {
    const stayed: AnyWaiting[] = [];
    for (const own of Map.groupBy(calls, ({ companyId }) => companyId).values()) {
      if (own.some(({ requester }) => requester.work?.isOver)) this.#beginOwn(write, own);
      else stayed.push(...own);
    }
    return this.#carryOutShared(write, stayed);
  }

  /** Carries out calls of one company. */
  async #carryOut(write: AnyWrite, calls: readonly AnyWaiting[]): Promise<void> {
    const wanted = calls.filter(isWanted);
    const [first] = wanted;
    if (first === undefined) return;
    try {
      await this.#transact(write, wanted, write.isConcurrent ? undefined : lockOf(write, first));
    } catch (error) {
      if (error === SOME_LEFT) return this.#carryOut(write, wanted);
      if (wanted.length === 1 || !mayBeOfOne(error)) for (const { reject } of wanted) reject(error);
      else for (const one of wanted) await this.#carryOut(write, [one]);
    }
  }

  async #transact(write: AnyWrite, calls: readonly AnyWaiting[], lock: Lock | undefined): Promise<void> {
    const byCompany = Map.groupBy(calls, ({ companyId }) => companyId);
    const results = await this.#source.transaction(
      async em => {
        const shared = byCompany.size > 1 ? new SharedStatements(em) : undefined;
        const written = [...byCompany.values()].map(own => writeWithin(write, own, em, shared));
        // All of them have ended before the transaction does.
        const settled = await Promise.allSettled(written);
        for (const one of settled) if (one.status === 'rejected') throw one.reason;
        if (calls.some(({ requester }) => requester.work?.isOver)) throw SOME_LEFT;
        return Promise.all(written);
      },
      requesterOf(calls),
      lock,
    );
    for (const [i, own] of [...byCompany.values()].entries()) {
      for (const [place, { resolve }] of own.entries()) resolve(results[i]?.[place]);
    }
  }
}

/** The lock of a kind and company, which is also the name of its queue. */
function lockOf({ name }: AnyWrite, { companyId }: AnyWaiting): string {
  return `${companyId} ${name}`;
}

/** Carries out calls of one company in a transaction. */
async function writeWithin(
  { write }: AnyWrite,
  calls: readonly AnyWaiting[],
  em: EntityManager,
  shared: SharedStatements | undefined,
): Promise<readonly unknown[]> {
  const [{ within }] = calls as [AnyWaiting];
  const tx = within(em, shared);
  const results = await write(
    tx,
    calls.map(({ call }) => call),
  );
  const endings = calls.flatMap(({ last }) => last ?? []);
  for (const [end, of] of Map.groupBy(endings, one => one.end)) {
    await end(
      tx,
      of.map(({ subject }) => subject),
    );
  }
  return results;
}

/** Whether calls of several companies have room for one more: its company's calls are few among many. */
function hasSharedRoom(calls: readonly AnyWaiting[], one: AnyWaiting): boolean {
  const itemsOf = (some: readonly AnyWaiting[]) =>
    some.reduce((sum, { call }) => sum + call.items.length, one.call.items.length);
  const own = calls.filter(({ companyId }) => companyId === one.companyId);
  return calls.length < MAX_CALLS && itemsOf(calls) <= MAX_SHARED.ofAll && itemsOf(own) <= MAX_SHARED.ofCompany;
}

function hasRoom(calls: readonly AnyWaiting[], { call }: AnyWaiting): boolean {
  const items = calls.reduce((sum, one) => sum + one.call.items.length, call.items.length);
  return calls.length < MAX_CALLS && items <= MAX_ITEMS;
}

/** Whether a call's request continues; otherwise the call is rejected with the reason. */
function isWanted({ requester, reject }: AnyWaiting): boolean {
  try {
    requester.work?.throwIfOver();
    return true;
  } catch (reason) {
    reject(reason);
    return false;
  }
}

/**
 * Whether one of several calls may have caused the failure, so that the others would succeed without it. If the
 * database is down the outcome of the transaction is unknown, and it is not repeated.
 */
function mayBeOfOne(error: unknown): boolean {
  const cause = error instanceof Fault && error.cause !== undefined ? error.cause : error;
  if (cause instanceof NotBegun) return false;
  if (cause instanceof Fault) return cause.code !== 'unavailable';
  return isOfStatement(cause) || !isAway(cause);
}

/** Calls without a common key. */
export type Round<Call> = readonly Call[];

/**
 * Divides calls into rounds. Calls of a round have no common key, so they may be carried out together; of two calls
 * with a common key, the earlier one is in an earlier round.
 */
export function roundsOf<Call>(
  calls: readonly Call[],
  keysOf: (call: Call) => readonly (string | number)[],
): Round<Call>[] {
  const next = new Map<string | number, number>();
  const rounds: Call[][] = [];
  for (const call of calls) {
    const keys = keysOf(call);
    const round = keys.reduce<number>((latest, key) => Math.max(latest, next.get(key) ?? 0), 0);
    for (const key of keys) next.set(key, round + 1);
    const together = rounds[round];
    if (together) together.push(call);
    else rounds.push([call]);
  }
  return rounds;
}
