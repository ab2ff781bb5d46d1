import type pg from 'pg';
import { isReadOnly, isTimedOut } from './database-errors.ts';
import { logRepeated } from './failure-log.ts';
import type { Log } from './log.ts';

type PooledClient = pg.PoolClient & pg.Client;

/**
 * Keeps connections that lead nowhere out of a pool, and its places free of them.
 *
 * - After a statement that was not answered in time (`query_timeout`) `pg` would go on using its connection, behind an
 *   answer that never comes. After a failover without a reset the idle connections are as dead as that one, and each of
 *   them would cost a request its deadline. All of these are closed at once.
 * - So is the connection of a write that a server refused because it can only be read: the same name may lead to another
 *   server by now.
 * - A transaction whose connection ends can't be rolled back, and Kysely gives no connection back whose rollback failed:
 *   its place in the pool would be lost for good.
 */
export function closeLostConnections(pool: pg.Pool, log: Log, message: string): void {
  const open = new Set<pg.PoolClient>();
  const held = new Set<pg.PoolClient>();
  const closeIdle = () => {
    for (const client of open) {
      // What an idle connection reports as its error is how the pool hears that it is lost.
      if (!held.has(client)) client.emit('error', new Error('closed, since another connection gave no answer'));
    }
  };
  // A server that goes away ends idle connections; without a listener that would end the process too.
  pool.on('error', error => logRepeated(log, { level: 'warn', message, fields: { reason: error.message } }));
  pool.on('connect', client => {
    open.add(client);
    // While it is held the pool does not listen for its errors, and one that nobody hears would end the process.
    client.on('error', () => undefined);
    closeAfterFailure(client as PooledClient, closeIdle);
    client.once('end', () => {
      open.delete(client);
      if (!held.has(client)) return;
      const { release } = client;
      // Whoever holds it may still give it back, and the pool bears that once.
      client.release = () => undefined;
      release(true);
    });
  });
  pool.on('acquire', client => held.add(client));
  pool.on('release', (error, client) => {
    held.delete(client);
    if (error) open.delete(client);
    if (isTimedOut(error)) closeIdle();
  });
  pool.on('remove', client => open.delete(client));
}

/** For statements of transactions; those of `pool.query` have a callback, and the pool closes what failed by itself. */
function closeAfterFailure(client: PooledClient, closeIdle: () => void): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]): unknown => {
    const result = query(...args);
    if (result instanceof Promise) {
      result.catch(error => {
        if (isTimedOut(error)) closeIdle();
        if (isTimedOut(error) || isReadOnly(error)) void client.end();
      });
    }
    return result;
  };
  client.query = watched as typeof client.query;
}
