import { AsyncLocalStorage } from 'node:async_hooks';
import type pg from 'pg';
import type { Cancellable, Work } from '../../limits/work.ts';
import { cancelStatement, replaceConnect, replaceRelease } from '../internals/pg-internals.ts';

/** A connection that a request uses. */
export class HeldConnection implements Cancellable {
  /** Then the connection must not go back to the pool, where a cancellation that comes late would hit the next one's statement. */
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
  // With a callback it is the pool's own query, which holds its connection itself.
  replaceConnect(pool, take => callback => (callback === undefined ? take().then(holdByCaller) : take(callback)));
}

function holdByCaller(client: pg.PoolClient): pg.PoolClient {
  const holder = holders.getStore();
  if (holder) {
    const held = new HeldConnection(client);
    replaceRelease(client, release => failure => release(failure ?? held.isCancelled));
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
