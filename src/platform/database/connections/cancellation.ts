import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Cancellable, Work } from '../../limits/work.ts';
import { cancelStatement, replaceConnect, replaceRelease } from '../internals/pg-internals.ts';

/** A connection that a request uses. */
export class CancellableConnection implements Cancellable {
  /** A cancelled connection must not return to the pool, where a late cancellation would hit the next statement. */
  isCancelled = false;
  readonly #client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  cancel(): void {
    this.isCancelled = true;
    cancelStatement(this.#client);
  }
}

/** The work for which a statement is run. */
export type WorkOfStatement = Pick<Work, 'isOver' | 'register' | 'unregister' | 'throwIfOver'>;

/** The work of several requests that share a statement, which is cancelled once none of them continues. */
export class WorkOfSeveral implements WorkOfStatement {
  readonly #works: readonly WorkOfStatement[];
  #share: Cancellable | undefined;

  constructor(works: readonly WorkOfStatement[]) {
    this.#works = works;
  }

  register(statement: Cancellable): void {
    let left = this.#works.length;
    const share = {
      cancel: () => {
        if (--left === 0) statement.cancel();
      },
    };
    this.#share = share;
    for (const work of this.#works) work.register(share);
  }

  unregister(): void {
    if (this.#share) for (const work of this.#works) work.unregister(this.#share);
  }

  get isOver(): boolean {
    return this.#works.every(({ isOver }) => isOver);
  }

  throwIfOver(): void {
    if (this.isOver) this.#works[0]?.throwIfOver();
  }
}

interface RunningWork {
  readonly work: WorkOfStatement;
  connection: CancellableConnection | undefined;
}

const running = new AsyncLocalStorage<RunningWork>();

/** Registers the connections of transactions that run `within` a request's work. */
export function registerConnections(pool: pg.Pool): void {
  // With a callback it is the pool's own query, which holds its connection itself.
  replaceConnect(pool, take => callback => (callback === undefined ? take().then(registerWithWork) : take(callback)));
}

function registerWithWork(client: pg.PoolClient): pg.PoolClient {
  const current = running.getStore();
  if (current) {
    const connection = new CancellableConnection(client);
    replaceRelease(client, release => failure => release(failure ?? connection.isCancelled));
    current.connection = connection;
    current.work.register(connection);
  }
  return client;
}

/** Runs a transaction that is cancelled when the work ends. */
export async function cancelledWith<Result>(
  work: WorkOfStatement,
  transaction: () => Promise<Result>,
): Promise<Result> {
  const current: RunningWork = { work, connection: undefined };
  try {
    return await running.run(current, transaction);
  } finally {
    if (current.connection) work.unregister(current.connection);
  }
}
