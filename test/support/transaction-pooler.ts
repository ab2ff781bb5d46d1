import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import pg from 'pg';
import { portOf } from './ports.ts';

/**
 * A pooler as PgBouncer with `pool_mode = transaction`: each transaction of a client runs on whatever connection to the
 * server is free. Clients need no password. It knows no TLS, no COPY, and no cancellation.
 */
export interface TransactionPooler {
  readonly url: string;
  close(): Promise<void>;
}

interface Options {
  /** A session keeps its connection, as with `pool_mode = session`. */
  readonly perSession?: boolean;
  /** Which free connection is taken next: the one that was used last, or first, as with `server_round_robin = 1`. */
  readonly next?: 'last' | 'first';
  /** How many connections to the server are there from the begin. */
  readonly idle?: number;
}

/** A connection to the server, and the client that has it. */
interface Backend {
  readonly socket: Socket;
  readonly client: pg.Client;
  user: Session | undefined;
}

interface Session {
  readonly socket: Socket;
  backend: Backend | undefined;
  /** Requests that the server has not ended with ReadyForQuery. */
  unanswered: number;
}

const SSL_REQUEST = 80_877_103;
const INT = 4;

const message = (type: string, body: Buffer) => {
  const head = Buffer.alloc(1 + INT);
  head.write(type);
  head.writeInt32BE(body.length + INT, 1);
  return Buffer.concat([head, body]);
};
const WELCOME = Buffer.concat([
  message('R', Buffer.alloc(INT)),
  ...['client_encoding\0UTF8\0', 'standard_conforming_strings\0on\0', 'DateStyle\0ISO, MDY\0'].map(text =>
    message('S', Buffer.from(text)),
  ),
  message('K', Buffer.alloc(2 * INT, 1)),
  message('Z', Buffer.from('I')),
]);

export async function openTransactionPooler(
  serverUrl: string,
  { perSession = false, next = 'last', idle = 0 }: Options = {},
): Promise<TransactionPooler> {
  const backends = new Set<Backend>();
  const free: Backend[] = [];

  const connectBackend = async (): Promise<Backend> => {
    const client = new pg.Client({ connectionString: serverUrl });
    client.on('error', () => undefined);
    await client.connect();
    // The pooler reads the messages of the server, and no longer the client.
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    stream.removeAllListeners('data');
    const backend: Backend = { socket: stream, client, user: undefined };
    backends.add(backend);
    eachMessage(stream, (type, bytes) => {
      const session = backend.user;
      session?.socket.write(bytes);
      if (type !== 'Z' || session === undefined) return;
      session.unanswered--;
      if (!perSession && session.unanswered === 0 && bytes.at(-1) === 'I'.charCodeAt(0)) release(session);
    });
    return backend;
  };
  const release = (session: Session) => {
    const { backend } = session;
    if (backend === undefined) return;
    session.backend = undefined;
    backend.user = undefined;
    free.push(backend);
  };
  for (let made = 0; made < idle; made++) free.push(await connectBackend());

  const serve = async (session: Session, type: string, bytes: Buffer) => {
    if (type === 'X') return;
    session.backend ??= (next === 'last' ? free.pop() : free.shift()) ?? (await connectBackend());
    session.backend.user = session;
    if (type === 'Q' || type === 'S') session.unanswered++;
    session.backend.socket.write(bytes);
  };
  const server = createServer(socket => {
    const session: Session = { socket, backend: undefined, unanswered: 0 };
    let earlier = Promise.resolve();
    const onMessage = (type: string, bytes: Buffer) => {
      earlier = earlier.then(() => serve(session, type, bytes));
    };
    socket.on('error', () => socket.destroy()).on('close', () => release(session));
    const greet = (bytes: Buffer) => {
      if (bytes.readInt32BE(INT) === SSL_REQUEST) {
        socket.write('N');
        return void socket.once('data', greet);
      }
      eachMessage(socket, onMessage);
      socket.write(WELCOME);
    };
    socket.once('data', greet);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { username, pathname } = new URL(serverUrl);
  return {
    url: `postgres://${username}:any@127.0.0.1:${portOf(server)}${pathname}`,
    async close() {
      server.close();
      for (const { socket } of backends) socket.destroy();
    },
  };
}

/** Calls back with each whole message, its bytes with type and length. */
function eachMessage(socket: Socket, heard: (type: string, bytes: Buffer) => void): void {
  let rest = Buffer.alloc(0);
  socket.on('data', chunk => {
    rest = Buffer.concat([rest, chunk as Buffer]);
    while (rest.length > INT) {
      const length = 1 + rest.readInt32BE(1);
      if (rest.length < length) return;
      heard(String.fromCharCode(rest[0] ?? 0), rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  });
}
