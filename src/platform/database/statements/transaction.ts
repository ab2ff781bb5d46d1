import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { isLockFailure, isOfAborted } from '../connections/database-errors.ts';
import { kyselyOn } from '../internals/kysely-internals.ts';
import { joinTransaction } from '../internals/mikro-orm-internals.ts';
import { writeTogether } from '../internals/pg-internals.ts';
import type { Statement } from './statements.ts';

/**
 * Transactions in few round trips. Connections are in `pg`'s pipeline mode: what is asked without waiting for the answer
 * before is sent at once and answered in its order. So `begin`, and the lock that a transaction may need, go with its
 * first statement, and what is put off until the end goes with `commit`. A statement that fails fails all after it, and
 * then `commit` rolls back.
 */

/** How a transaction is run. */
export interface TransactionOptions {
  /** Whether the connection stays the same, so that PostgreSQL may keep plans of statements that have a name. */
  readonly isPrepared: boolean;
  /** The name of a lock that is held until the transaction ends. */
  readonly lock?: string | undefined;
}

interface Session {
  readonly client: pg.PoolClient;
  readonly isPrepared: boolean;
  /** Sends what the transaction does last. */
  readonly last: (() => Promise<unknown>)[];
  /** The first statement that failed. */
  failure?: unknown;
}

const sessions = new WeakMap<EntityManager, Session>();
const noop = () => undefined;

/** Of a transaction that did not come to its first statement: nothing of what it is about is to blame. */
export class NotBegun extends Error {
  constructor(cause: unknown) {
    super('The transaction was not begun', { cause });
  }
}

/** Does `work` in a transaction of a unit of work, on a connection that it gives back. */
export async function transact<Result>(
  pool: pg.Pool,
  em: EntityManager,
  { isPrepared, lock }: TransactionOptions,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const begin = lock === undefined ? 'begin' : `begin; ${lockBy(client.escapeLiteral(lock))}`;
  const begun = ask(client, { text: begin });
  // Whoever asks next on the connection gets an error too, and it is looked at then.
  begun.catch(noop);
  const session: Session = { client, isPrepared, last: [] };
  sessions.set(em, session);
  joinTransaction(em, kyselyOn(client));
  try {
    const result = await work(em);
    await em.flush();
    await commit(session);
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    await begun.catch(cause => {
      throw new NotBegun(cause);
    });
    // Those sent after a statement that failed fail for that alone, and what waits for one of them may hear of it first.
    throw isOfAborted(error) ? (session.failure ?? error) : error;
  }
}

const lockBy = (literal: string) => `select pg_advisory_xact_lock(hashtextextended(${literal}, 0))`;

async function commit({ client, last }: Session): Promise<void> {
  const sent: Promise<unknown>[] = [];
  // One of them may put off another.
  for (const send of last) sent.push(send());
  const results = await Promise.allSettled([ask(client, { text: 'commit' }), ...sent]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  const [committed] = results as [PromiseFulfilledResult<pg.QueryResult>];
  // Of a transaction in which a statement failed PostgreSQL says that it was rolled back, and no error.
  if (committed.value.command !== 'COMMIT') throw new Error('A statement of the transaction failed unnoticed');
}

/** A connection on which that fails does not go back to the pool. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('rollback');
    client.release();
  } catch (error) {
    client.release(error as Error);
  }
}

/** Runs a statement in a transaction. */
export async function rowsWithin<Row>(
  em: EntityManager,
  { name, preparedAs = name, text }: Statement,
  values: readonly unknown[],
): Promise<Row[]> {
  const session = sessionOf(em);
  const query = { text, values: [...values] };
  try {
    const { rows } = await ask(session.client, session.isPrepared ? { name: preparedAs, ...query } : query);
    return rows as Row[];
  } catch (error) {
    session.failure ??= error;
    throw error;
  }
}

/** Asks a statement. Those that are asked without a wait in between are written to the socket by one system call. */
function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  writeTogether(client);
  return client.query(query);
}

/**
 * Puts statements off until all else of the transaction is done: they are sent with `commit`.
 *
 * @param send asks for them before it returns, in their order
 */
export function atEnd(em: EntityManager, send: () => Promise<unknown>): void {
  sessionOf(em).last.push(send);
}

function sessionOf(em: EntityManager): Session {
  const session = sessions.get(em);
  if (session === undefined) throw new Error('This unit of work is in no transaction');
  return session;
}

/** Whether an advisory lock was to be had within the `lock_timeout` of a client. */
export async function isLocked(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return true;
  } catch (error) {
    if (isLockFailure(error)) return false;
    throw error;
  }
}
