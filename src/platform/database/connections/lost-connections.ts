import type { Options } from '@mikro-orm/postgresql';
import pg from 'pg';
import { logRepeated } from '../../telemetry/failure-log.ts';
import type { Log } from '../../telemetry/log.ts';
import { closeSocket, dropIdle, onIdle, replaceQuery, replaceRelease, timedOut } from '../internals/pg-internals.ts';
import { connectionSettings } from './connection-settings.ts';
import { isReadOnly } from './database-errors.ts';

interface Watched {
  readonly client: pg.PoolClient;
  isHeld: boolean;
  /** When the statement under way was asked. */
  askedAt: number | undefined;
}

/** How long a statement may take: longer than the server lets it, so that only one that does not answer at all comes to it. */
export const QUERY_MS = 12_000;

/** How often connections are looked at, within the time that a statement has. */
const LOOKS = 8;

/**
 * Keeps connections that lead nowhere out of a pool, and its places free of them.
 *
 * - A connection whose statement has no answer in time is closed, and the statement fails. After a failover without a
 *   reset the idle connections are as dead as that one, and each of them would cost a request its deadline: all of these
 *   are closed at once. `pg` has `query_timeout` for the first half, a timer for each statement, by which so much of each
 *   request outlives its collection by the garbage collector that tracking costs 5 % more; and it goes on using the
 *   connection.
 * - So is the connection of a write that a server rejected because it is read-only: the same name may lead to another
 *   server by now.
 * - A transaction whose connection ends can't be rolled back, and Kysely gives no connection back whose rollback failed:
 *   its place in the pool would be lost for good.
 *
 * @param queryMs how long a statement may take to be answered
 */
export function closeLostConnections(pool: pg.Pool, queryMs: number, log: Log, message: string): void {
  const open = new Map<pg.PoolClient, Watched>();
  let looking: NodeJS.Timeout | undefined;
  const look = () => {
    const since = performance.now() - queryMs;
    const lost = [...open.values()].filter(({ askedAt }) => askedAt !== undefined && askedAt < since);
    if (lost.length === 0) return;
    for (const { client } of lost) closeSocket(client, timedOut());
    for (const { client, isHeld } of open.values()) {
      if (!isHeld) dropIdle(client, 'closed, since another connection gave no answer');
    }
  };
  const forget = (client: pg.PoolClient) => {
    open.delete(client);
    if (open.size > 0) return;
    clearInterval(looking);
    looking = undefined;
  };
  // A server that goes away ends idle connections; without a listener that would end the process too.
  pool.on('error', error => logRepeated(log, { level: 'warn', message, fields: { reason: error.message } }));
  pool.on('connect', client => {
    const watched: Watched = { client, isHeld: true, askedAt: undefined };
    open.set(client, watched);
    looking ??= setInterval(look, queryMs / LOOKS).unref();
    watchStatements(watched);
    // While it is held the pool does not listen for its errors, and one that nobody hears would end the process.
    client.on('error', () => undefined);
    client.once('end', () => {
      forget(client);
      if (!watched.isHeld) return;
      client.release(true);
      // Whoever holds it may still give it back, and the pool bears that once.
      replaceRelease(client, () => () => undefined);
    });
  });
  const setHeld = (client: pg.PoolClient, isHeld: boolean) => {
    const watched = open.get(client);
    if (watched) watched.isHeld = isHeld;
  };
  pool.on('acquire', client => setHeld(client, true));
  pool.on('release', (error, client) => {
    setHeld(client, false);
    if (error) forget(client);
  });
  pool.on('remove', forget);
}

function watchStatements(watched: Watched): void {
  const { client } = watched;
  replaceQuery(client, query => (...args) => {
    watched.askedAt ??= performance.now();
    const result = query(...args);
    // Of a transaction; what has a callback instead is `pool.query`'s, and the pool closes what failed by itself.
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
