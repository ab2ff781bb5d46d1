import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '../../fault.ts';
import { activeSpan, type Span } from '../../telemetry/tracing.ts';
import { isAway, isOfStatement } from '../connections/database-errors.ts';
import { type Requester, requesterOf } from '../connections/requester.ts';
import { NotBegun } from '../statements/transaction.ts';
import type { CompanyId } from '../tenancy/company-id.ts';
import type { Ending, TenantTransaction } from '../tenancy/tenant-transaction.ts';

/**
 * Gathers writes of one kind and company. Calls that arrive during a transaction of their kind share the next one: its
 * round trips and its commit cost as much for one call as for many. Each call has the results of a separate
 * transaction, and fails alone: after a failure, each of its calls is repeated in a separate transaction. No call is
 * part of a commit after its request has ended.
 */

/** Calls of one transaction: as many as a company may have in progress in a process. */
const MAX_CALLS = 64;
/**
 * Items of one transaction, unless a single call has more. Small calls do not share a transaction with a large one, and
 * so wait only for earlier calls.
 */
const MAX_ITEMS = 500;

/** The keys and the number of items of a call. */
export interface WriteCall {
  readonly items: readonly unknown[];
}

export interface GatheredWrite<Call extends WriteCall, Result> {
  /** The name of its lock: transactions of one kind and company run one after the other, over all processes. */
  readonly name: string;
  /** Carries out calls with the effect of carrying them out one by one in this order; returns the result of each. */
  readonly write: (tx: TenantTransaction, calls: readonly Call[]) => Promise<readonly Result[]>;
}

export interface Made<Call> {
  readonly companyId: CompanyId;
  readonly requester: Requester;
  /** The company's access to a transaction. */
  readonly within: (em: EntityManager) => TenantTransaction;
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
  transaction<T>(work: (em: EntityManager) => Promise<T>, requester: Requester, lock: string): Promise<T>;
  oneAtATime<T>(name: string, work: () => Promise<T>): Promise<T>;
}

/** Thrown if the requests of some calls ended while they were carried out. */
const SOME_LEFT = Symbol('some calls have left');

export class GatheredWrites {
  readonly #source: Source;
  /** The last calls in the queue of a lock, while more may join them. */
  readonly #open = new Map<string, AnyWaiting[]>();

  constructor(source: Source) {
    this.#source = source;
  }

  /** @throws Fault `unavailable` if too many transactions of the kind wait for the company already */
  write<Call extends WriteCall, Result>(write: GatheredWrite<Call, Result>, made: Made<Call>): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const one = { ...made, span: activeSpan(), resolve, reject } as Waiting<Call, Result> as unknown as AnyWaiting;
    const lock = `${made.companyId} ${write.name}`;
    const open = this.#open.get(lock);
    if (open && hasRoom(open, one)) open.push(one);
    else this.#begin(lock, write as unknown as AnyWrite, one);
    return promise;
  }

  #begin(lock: string, write: AnyWrite, first: AnyWaiting): void {
    const calls = [first];
    this.#open.set(lock, calls);
    const close = () => {
      if (this.#open.get(lock) === calls) this.#open.delete(lock);
    };
    const work = async () => {
      // Together with other calls of this turn of the event loop.
      await nextTurn();
      close();
      await this.#carryOut(lock, write, calls);
    };
    this.#source.oneAtATime(lock, work).catch(reason => {
      close();
      for (const { reject } of calls) reject(reason);
    });
  }

  async #carryOut(lock: string, write: AnyWrite, calls: readonly AnyWaiting[]): Promise<void> {
    const wanted = calls.filter(isWanted);
    if (wanted.length === 0) return;
    try {
      const results = await this.#transact(lock, write, wanted);
      for (const [i, { resolve }] of wanted.entries()) resolve(results[i]);
    } catch (error) {
      if (error === SOME_LEFT) return this.#carryOut(lock, write, wanted);
      if (wanted.length === 1 || !mayBeOfOne(error)) for (const { reject } of wanted) reject(error);
      else for (const one of wanted) await this.#carryOut(lock, write, [one]);
    }
  }

  #transact(lock: string, write: AnyWrite, calls: readonly AnyWaiting[]): Promise<readonly unknown[]> {
    const [{ within }] = calls as [AnyWaiting];
    const work = async (em: EntityManager) => {
      const tx = within(em);
      const results = await write.write(
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
      if (calls.some(({ requester }) => requester.work?.isOver)) throw SOME_LEFT;
      return results;
    };
    return this.#source.transaction(work, requesterOf(calls), lock);
  }
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
