import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import { connectionSettings } from './connection-settings.ts';

// Finds a pooler that gives a connection to another client after each transaction, such as PgBouncer with
// `pool_mode = transaction`. Prepared statements, LISTEN and locks of sessions fail behind it, now and then and with errors
// that name no pooler.

interface Pools {
  readonly pool: pg.Pool;
  /** The pool of the replica; without one, the pool of the primary. */
  readonly readPool: pg.Pool;
  /** The address past a pooler, if `pool` leads to one. */
  readonly direct: string | undefined;
}

const CONNECT_MS = 5_000;
const PROCESS = 'select pg_backend_pid() as pid';
/** The transaction is sent in one write, because a pooler keeps the session of an open transaction. */
const KEPT_PROCESS = `begin; ${PROCESS}`;

/** @throws StartupError for a setting that leads through such a pooler and must not */
export async function rejectPoolers({ pool, readPool, direct }: Pools): Promise<void> {
  if (direct === undefined) {
    await Promise.all([
      rejectPooler(pool, 'DATABASE_URL', 'set DATABASE_DIRECT_URL to the address of the database itself'),
      readPool === pool ||
        rejectPooler(readPool, 'READ_DATABASE_URL', 'set DATABASE_DIRECT_URL, so that no statement is prepared'),
    ]);
    return;
  }
  const directPool = new pg.Pool({ ...connectionSettings(direct), connectionTimeoutMillis: CONNECT_MS, max: 2 });
  directPool.on('error', () => undefined);
  try {
    await rejectPooler(directPool, 'DATABASE_DIRECT_URL', 'set it to the address of the database itself');
  } finally {
    await directPool.end();
  }
}

async function rejectPooler(pool: pg.Pool, setting: string, advice: string): Promise<void> {
  if (!(await leadsThroughPooler(pool))) return;
  throw new StartupError(
    `${setting} leads through a pooler that shares connections between transactions, such as PgBouncer with pool_mode=transaction: ${advice}.`,
  );
}

/**
 * Each session of PostgreSQL has a process of its own from its begin to its end. Behind a pooler two sessions have the same
 * one, or one of them gets another while the second keeps the first in a transaction.
 */
async function leadsThroughPooler(pool: pg.Pool): Promise<boolean> {
  if (pool.options.max < 2) return false;
  const clients: pg.PoolClient[] = [];
  try {
    for (let opened = 0; opened < 2; opened++) clients.push(await pool.connect());
    const [first, second] = clients as [pg.PoolClient, pg.PoolClient];
    const before = await processOf(first, PROCESS);
    // A pooler of one connection has none for the first client now, so that is asked only where the two differ.
    if ((await processOf(second, KEPT_PROCESS)) === before) return true;
    return (await processOf(first, PROCESS)) !== before;
  } catch {
    // Other failures, such as no free second connection, do not show a pooler.
    return false;
  } finally {
    await clients[1]?.query('rollback').catch(() => undefined);
    for (const client of clients) client.release();
  }
}

async function processOf(client: pg.PoolClient, text: string): Promise<number | undefined> {
  const results: pg.QueryResult<{ pid: number }> | pg.QueryResult<{ pid: number }>[] = await client.query(text);
  return [results].flat().at(-1)?.rows[0]?.pid;
}
