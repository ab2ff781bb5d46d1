import type { TenantTransaction } from './database/tenancy/tenant-transaction.ts';

/** Reacts to a change in the transaction that makes it; an error rolls the change back. */
export type Handler<Change> = (tx: TenantTransaction, change: Change) => Promise<void>;

/** Registers a handler of an announcement. */
export type Reaction = () => void;

/**
 * A port through which one domain announces a change and others react to it, so that the domain that changes imports
 * none of them. It holds functions only; a reaction gets everything beyond the transaction from the change.
 */
export class Announcement<Change> {
  readonly #name: string;
  #handlers: Handler<Change>[] | undefined;

  constructor(name: string) {
    this.#name = name;
  }

  /** Begins with no handler. Without this call, an announcement fails. */
  open(): void {
    this.#handlers = [];
  }

  /** The reaction of another domain, which runs after the ones that were registered before it. */
  handledBy(handler: Handler<Change>): Reaction {
    return () => {
      this.#handlers?.push(handler);
    };
  }

  /**
   * Runs the handlers in order.
   *
   * @throws Error if it was not opened, because the change would be lost to all who react to it
   */
  async announce(tx: TenantTransaction, change: Change): Promise<void> {
    if (!this.#handlers) throw new Error(`"${this.#name}" has no handlers: connectFeatures() was not called`);
    for (const handle of this.#handlers) await handle(tx, change);
  }
}
