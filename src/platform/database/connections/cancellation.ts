import { AsyncLocalStorage } from 'node:async_hooks';
import { connect } from 'node:net';
import type pg from 'pg';
import type { Cancellable, Work } from '../../limits/work.ts';

/** How long the server may take to note that a statement is to be cancelled. */
const CANCEL_MS = 1_000;
const CANCEL_REQUEST = 80_877_102;

/** What `pg` keeps of a connection without declaring it. */
interface Session {
  readonly host: string;
  readonly port: number;
  readonly processID: number;
  readonly secretKey: number;
  readonly connection: { readonly stream: { destroy(): void } };
}

/** A connection that a request uses. */
export class HeldConnection implements Cancellable {
  /** Then the connection must not go back to the pool. */
  isCancelled = false;
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  cancel(): void {
    this.isCancelled = true;
    cutOff(this.#client as unknown as Session);
  }
}

/**
 * Cancels the statement of a connection and drops the connection. It does not go back to the pool, where a cancellation
 * that comes late would hit the next one's statement.
 */
function cutOff({ host, port, processID, secretKey, connection }: Session): void {
  const request = Buffer.alloc(16);
  request.writeInt32BE(request.length, 0);
  request.writeInt32BE(CANCEL_REQUEST, 4);
  request.writeInt32BE(processID, 8);
  request.writeInt32BE(secretKey, 12);
  // A folder is that of a Unix socket.
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => undefined);
  socket.setTimeout(CANCEL_MS, () => socket.destroy());
  // The server closes it when it has passed the request on.
  socket.on('close', () => connection.stream.destroy());
  socket.write(request);
  socket.resume();
}

/** What a statement is run for. */
export type WorkOfStatement = Pick<Work, 'isOver' | 'hold' | 'letGo' | 'throwIfOver'>;

/** The work of several requests that one statement is run for: it is cancelled once none of them goes on. */
export class WorkOfSeveral implements WorkOfStatement {
  readonly #works: readonly WorkOfStatement[];
  #share: Cancellable | undefined;

  constructor(works: readonly WorkOfStatement[]) {
    this.#works = works;
  }

  hold(statement: Cancellable): void {
    let left = this.#works.length;
    const share = {
      cancel: () => {
        if (--left === 0) statement.cancel();
      },
    };
    this.#share = share;
    for (const work of this.#works) work.hold(share);
  }

  letGo(): void {
    if (this.#share) for (const work of this.#works) work.letGo(this.#share);
  }

  get isOver(): boolean {
    return this.#works.every(({ isOver }) => isOver);
  }

  throwIfOver(): void {
    if (this.isOver) this.#works[0]?.throwIfOver();
  }
}

interface Holder {
  readonly work: WorkOfStatement;
  held: HeldConnection | undefined;
}

const holders = new AsyncLocalStorage<Holder>();

/** Has transactions that run `within` a request's work hold their connection for it. */
export function holdForWork(pool: pg.Pool): void {
  const takeConnection = pool.connect.bind(pool) as (callback?: unknown) => Promise<pg.PoolClient>;
  // With a callback it is the pool's own query, which holds its connection itself.
  const take = (callback?: unknown) =>
    callback === undefined ? takeConnection().then(holdByCaller) : takeConnection(callback);
  pool.connect = take as typeof pool.connect;
}

function holdByCaller(client: pg.PoolClient): pg.PoolClient {
  const holder = holders.getStore();
  if (holder) {
    const held = new HeldConnection(client);
    const { release } = client;
    client.release = failure => release(failure ?? held.isCancelled);
    holder.held = held;
    holder.work.hold(held);
  }
  return client;
}

/** Runs a transaction that is cancelled when the work ends. */
export async function cancelledWith<Result>(
  work: WorkOfStatement,
  transaction: () => Promise<Result>,
): Promise<Result> {
  const holder: Holder = { work, held: undefined };
  try {
    return await holders.run(holder, transaction);
  } finally {
    if (holder.held) work.letGo(holder.held);
  }
}
