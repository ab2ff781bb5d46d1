import { connect, type Socket } from 'node:net';
import type pg from 'pg';

/**
 * Undeclared behaviour of `pg` and its pool that the service relies on. Only this module reads or replaces their
 * private parts; `test/platform/library-internals.test.ts` checks them after an upgrade.
 */

interface Internals {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: { readonly stream: Socket };
}

type Client = pg.ClientBase;
type Release = pg.PoolClient['release'];
type Statement = (...args: unknown[]) => unknown;
type TakeConnection = (callback?: unknown) => Promise<pg.PoolClient>;

const internalsOf = (client: Client) => client as unknown as Internals;

/** The time for the server to note that a statement is to be cancelled. */
const CANCEL_MS = 1_000;
const CANCEL_REQUEST = 80_877_102;

/** The message that `pg` uses. */
const TIMED_OUT = 'Query read timeout';
const LOST = new RegExp(
  `connection terminated|timeout exceeded when trying to connect|client has encountered a connection error|client was closed|${TIMED_OUT}`,
  'i',
);

/** Whether an error of `pg` itself, which has no code, means that a connection is lost or was not available. */
export function saysLost(message = ''): boolean {
  return LOST.test(message);
}

/** The error for a statement that the server did not answer in time. */
export function timedOut(): Error {
  return new Error(TIMED_OUT);
}

/** Closes a connection at once. Statements that wait for a response on it fail with the error. */
export function closeSocket(client: Client, error?: Error): void {
  internalsOf(client).connection.stream.destroy(error);
}

/** Writes the data of this turn of the event loop with one system call. */
export function writeTogether(client: Client): void {
  const { stream } = internalsOf(client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Cancels the statement of a connection and closes the connection; `pg` can cancel only its query objects. */
export function cancelStatement(client: Client): void {
  const { host, port, processID, secretKey } = internalsOf(client);
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  // A folder means a Unix socket.
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => undefined);
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  // The server closes the socket after passing the request on.
  socket.on('close', () => closeSocket(client));
  socket.write(request);
  socket.resume();
}

/** Takes an idle connection out of its pool, which listens for errors of idle connections. */
export function dropIdle(client: Client, reason: string): void {
  client.emit('error', new Error(reason));
}

/** Replaces `query` of a client, also for statements of the pool and of other libraries. */
export function replaceQuery(client: Client, by: (query: Statement) => Statement): void {
  client.query = by(client.query.bind(client) as Statement) as typeof client.query;
}

/** Replaces `release` of a client; the pool assigns another one when it next hands the client out. */
export function replaceRelease(client: pg.PoolClient, by: (release: Release) => Release): void {
  client.release = by(client.release);
}

/** Replaces `connect` of a pool: it has a callback for the pool's own statements, and returns a promise otherwise. */
export function replaceConnect(pool: pg.Pool, by: (take: TakeConnection) => TakeConnection): void {
  pool.connect = by(pool.connect.bind(pool) as TakeConnection) as typeof pool.connect;
}

/** Calls back each time that a client has no more running statements. */
export function onIdle(client: Client, idle: () => void): void {
  client.on('drain', idle);
}
