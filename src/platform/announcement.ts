import type { TenantTransaction } from './database/tenancy/tenant-transaction.ts';

/** Reacts to a change in the transaction that makes it; an error rolls the change back. */
export type Handler<Change> = (tx: TenantTransaction, change: Change) => Promise<void>;

/**
 * A port through which one domain announces a change and others react to it, so that the domain that changes imports
 * none of them. It holds functions only; a reaction gets everything beyond the transaction from the change.
 */
export class Announcement<Change> {
  readonly #name: string;
  #handlers: readonly Handler<Change>[] | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Sets all handlers, in the order in which they run. A second call replaces them. */
  handleWith(first: Handler<Change>, ...others: readonly Handler<Change>[]): void {
    this.#handlers = [first, ...others];
  }

  /**
   * Runs the handlers in order.
   *
   * @throws Error if none were set, because the change would be lost to all who react to it
   */
  async announce(tx: TenantTransaction, change: Change): Promise<void> {
    if (!this.#handlers) throw new Error(`"${this.#name}" has no handlers: connectDomains() was not called`);
    for (const handle of this.#handlers) await handle(tx, change);
  }
}
