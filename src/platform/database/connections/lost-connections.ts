import type { Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { logRepeated } from '../../telemetry/failure-log.ts';
import type { Log } from '../../telemetry/log.ts';
import { closeSocket, dropIdle, onIdle, replaceQuery, replaceRelease, timedOut } from '../internals/pg-internals.ts';
import { connectionSettings } from './connection-settings.ts';
import { isReadOnly } from './database-errors.ts';

interface Watched {
  readonly client: pg.PoolClient;
  isCheckedOut: boolean;
  /** When the current statement was sent. */
  askedAt: number | undefined;
}

/** The time limit of a statement: longer than the server's, so that only a dead connection reaches it. */
export const QUERY_MS = 12_000;

/** How often connections are checked within the time limit. */
const LOOKS = 8;

/**
 * Removes dead connections from a pool, and frees their places.
 *
 * - A connection whose statement has no response in time is closed, and the statement fails. After a failover without a
 * reset the idle connections are dead too, and each of them would cost a request its deadline, so all of them are
 * closed at once. `query_timeout` of `pg` does only the first half, with a timer for each statement, by which so much
 * of each request survives garbage collections that tracking costs 5 % more; and it keeps using the connection.
 * - A connection whose write a server rejected as read-only is closed too: the name may lead to another server by now.
 * - A transaction whose connection ends cannot be rolled back, and Kysely does not return a connection whose rollback
 * failed: its place in the pool would be lost.
 *
 * @param queryMs the time limit of a statement
 */
export function closeLostConnections(pool: pg.Pool, queryMs: number, log: Log, message: string): void {
  const open = new Map<pg.PoolClient, Watched>();
  let looking: NodeJS.Timeout | undefined;
  const look = () => {
    const since = performance.now() - queryMs;
    const lost = [...open.values()].filter(({ askedAt }) => askedAt !== undefined && askedAt < since);
    if (lost.length === 0) return;
    for (const { client } of lost) closeSocket(client, timedOut());
    for (const { client, isCheckedOut } of open.values()) {
      if (!isCheckedOut) dropIdle(client, 'closed, since another connection gave no answer');
    }
  };
  const forget = (client: pg.PoolClient) => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
  // A server that shuts down ends idle connections; without a listener that would end the process too.
  pool.on('error', error => logRepeated(log, { level: 'warn', message, fields: { reason: error.message } }));
  pool.on('connect', client => {
    const watched: Watched = { client, isCheckedOut: true, askedAt: undefined };
    open.set(client, watched);
    looking ??= setInterval(look, queryMs / LOOKS).unref();
    watchStatements(watched);
    // While it is checked out the pool does not listen for its errors, and an unhandled one would end the process.
    client.on('error', () => undefined);
    client.once('end', () => {
      forget(client);
      if (!watched.isCheckedOut) return;
      client.release(true);
      // Its user may still release it, which the pool accepts only once.
      replaceRelease(client, () => () => undefined);
    });
  });
  const setCheckedOut = (client: pg.PoolClient, isCheckedOut: boolean) => {
    const watched = open.get(client);
    if (watched) watched.isCheckedOut = isCheckedOut;
  };
  pool.on('acquire', client => setCheckedOut(client, true));
  pool.on('release', (error, client) => {
    setCheckedOut(client, false);
    if (error) forget(client);
  });
  pool.on('remove', forget);
}

function watchStatements(watched: Watched): void {
  const { client } = watched;
  replaceQuery(client, query => (...args) => {
    watched.askedAt ??= performance.now();
    const result = query(...args);
    // A statement of a transaction; with a callback it belongs to `pool.query`, and the pool closes failed connections
    // itself.
    if (result instanceof Promise) {
      result.catch(error => {
        if (isReadOnly(error)) void (client as pg.PoolClient & pg.Client).end();
      });
    }
    return result;
  });
  onIdle(client, () => {
    watched.askedAt = undefined;
  });
}

/** Connections to a replica, with the options of those to the primary. */
export function replicaPool(url: string, { pool, driverOptions }: Options, queryMs: number, log: Log): pg.Pool {
  const replica = new pg.Pool({ ...driverOptions, ...connectionSettings(url), max: pool?.max ?? 16 });
  closeLostConnections(replica, queryMs, log, 'connection to the replica lost');
  return replica;
}
