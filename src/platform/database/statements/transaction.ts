import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { isLockFailure, isOfAborted } from '../connections/database-errors.ts';
import { kyselyOn } from '../internals/kysely-internals.ts';
import { joinTransaction } from '../internals/mikro-orm-internals.ts';
import { writeTogether } from '../internals/pg-internals.ts';
import type { CompanyId } from '../tenancy/company-id.ts';
import type { Statement, StatementForEach } from './statements.ts';

/**
 * Transactions in few round trips. Connections are in `pg`'s pipeline mode: statements that are not awaited are sent at
 * once, and answered in their order. So `begin`, and the lock of a transaction, are sent with its first statement, and
 * deferred statements with `commit`. A failed statement fails all after it, and then `commit` rolls back.
 */

interface TransactionOptions {
  /** Whether the connection stays the same, so that PostgreSQL may keep plans of named statements. */
  readonly isPrepared: boolean;
  readonly lock?: Lock | undefined;
}

/** The name of a lock that is held until the transaction ends; or how long the transaction waits for locks of others. */
export type Lock = string | { readonly waitMs: number };

interface Session {
  readonly client: pg.PoolClient;
  readonly isPrepared: boolean;
  /** Prepares deferred statements. */
  readonly prepare: (() => Promise<unknown>)[];
  /** Sends the deferred statements. */
  readonly last: (() => Promise<unknown>)[];
  /** The first statement that failed. */
  failure?: unknown;
}

const sessions = new WeakMap<EntityManager, Session>();
const noop = () => undefined;

/** The transaction failed before its first statement, so its content is not the cause. */
export class NotBegun extends Error {
  constructor(cause: unknown) {
    super('The transaction was not begun', { cause });
  }
}

/** Runs `work` in a transaction of a unit of work, on a connection that it returns. */
export async function transact<Result>(
  pool: pg.Pool,
  em: EntityManager,
  { isPrepared, lock }: TransactionOptions,
  work: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const begun = ask(client, { text: lock === undefined ? 'begin' : `begin; ${locking(client, lock)}` });
  // The next statement on the connection gets the error too, and its caller handles the error.
  begun.catch(noop);
  const session: Session = { client, isPrepared, prepare: [], last: [] };
  sessions.set(em, session);
  joinTransaction(em, kyselyOn(client));
  try {
    const result = await work(em);
    await em.flush();
    for (const prepare of session.prepare) await prepare();
    await commit(session);
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    await begun.catch(cause => {
      throw new NotBegun(cause);
    });
    // Statements after a failed one fail only because of it, and a caller may see their errors first.
    throw isOfAborted(error) ? (session.failure ?? error) : error;
  }
}

function locking(client: pg.PoolClient, lock: Lock): string {
  if (typeof lock === 'object') return `set local lock_timeout = ${lock.waitMs}`;
  return `select pg_advisory_xact_lock(hashtextextended(${client.escapeLiteral(lock)}, 0))`;
}

async function commit({ client, last }: Session): Promise<void> {
  const sent: Promise<unknown>[] = [];
  // One of them may defer another.
  for (const send of last) sent.push(send());
  const results = await Promise.allSettled([ask(client, { text: 'commit' }), ...sent]);
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  const [committed] = results as [PromiseFulfilledResult<pg.QueryResult>];
  // After a failed statement PostgreSQL reports a rollback, and no error.
  if (committed.value.command !== 'COMMIT') throw new Error('A statement of the transaction failed unnoticed');
}

/** A connection on which that fails does not return to the pool. */
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
  const query = { text, values: values.map(value => (Array.isArray(value) ? arrayText(value) : value)) };
  try {
    const { rows } = await ask(session.client, session.isPrepared ? { name: preparedAs, ...query } : query);
    return rows as Row[];
  } catch (error) {
    session.failure ??= error;
    throw error;
  }
}

/** How JSON escapes control characters and halves of characters. An array of PostgreSQL does not know these escapes. */
const OTHER_ESCAPE = /\\[^"\\]/;

/**
 * An array as PostgreSQL reads it: JSON in other brackets, as long as it has no other escapes. Other arrays get the
 * driver's own text. A row of ten columns, of 1,000, took 0.9 µs of CPU in the process and 1.4 in PostgreSQL; by the
 * driver's text 2.0 and 1.5, and as one JSON text for `json_to_recordset` 1.3 and 3.4 (`jsonb_to_recordset`: 1.3 and 4.5).
 */
function arrayText(values: readonly unknown[]): unknown {
  if (!values.every(isPlain)) return values;
  const json = JSON.stringify(values);
  return OTHER_ESCAPE.test(json) ? values : `{${json.slice(1, -1)}}`;
}

function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value == null || typeof value === 'string' || typeof value === 'boolean';
}

/** A row of the input of a statement for rows of many companies. */
interface CompanyRow {
  readonly companyId: CompanyId;
  /** By the order of the columns that the statement declares. */
  readonly values: readonly unknown[];
}

/**
 * Runs a statement for rows of many companies in a transaction; without rows it does not run. A call for each company
 * would cost more: 500 results of webhooks take 30 µs of PostgreSQL's CPU each with one call, and 32, 43 and 369 µs with
 * a call for each of 1, 20 and 500 companies.
 */
export async function rowsForEach<Row>(
  em: EntityManager,
  { spanning }: StatementForEach,
  rows: readonly CompanyRow[],
): Promise<Row[]> {
  const [first] = rows;
  if (first === undefined) return [];
  const columns = first.values.map((_, i) => rows.map(({ values }) => values[i]));
  return rowsWithin<Row>(em, spanning, [rows.map(({ companyId }) => companyId), ...columns]);
}

/** Sends a statement. Consecutive ones without a wait in between are written to the socket by one system call. */
function ask(client: pg.PoolClient, query: pg.QueryConfig): Promise<pg.QueryResult> {
  writeTogether(client);
  return client.query(query);
}

/**
 * Defers statements until all other work of the transaction is done: they are sent with `commit`.
 *
 * @param send sends them before it returns, in their order
 */
export function atEnd(em: EntityManager, send: () => Promise<unknown>): void {
  sessionOf(em).last.push(send);
}

/** Prepares deferred statements once all other work of the transaction is done. */
export function beforeEnd(em: EntityManager, prepare: () => Promise<unknown>): void {
  sessionOf(em).prepare.push(prepare);
}

function sessionOf(em: EntityManager): Session {
  const session = sessions.get(em);
  if (session === undefined) throw new Error('This unit of work is in no transaction');
  return session;
}

/** Whether an advisory lock was available within the `lock_timeout` of a client. */
export async function isLocked(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return true;
  } catch (error) {
    if (isLockFailure(error)) return false;
    throw error;
  }
}
