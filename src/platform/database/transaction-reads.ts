import DataLoader from 'dataloader';
import type { AnyLoader, Loader } from './loader.ts';
import type { CompanyStatement, Reader, TenantTransaction } from './tenancy.ts';
import { rollBackToSavepoint, setSavepoint } from './transaction.ts';

/**
 * Reads of a transaction, gathered: what is asked for in one turn is read by one statement, and each key once. Where a
 * statement fails, the transaction can go on as if none of these reads had been.
 */
export class TransactionReads implements Reader {
  readonly #tx: TenantTransaction;
  readonly #gathering = new Map<AnyLoader, DataLoader<readonly unknown[], unknown, string>>();
  #hasSavepoint = false;
  #hasFailed = false;

  constructor(tx: TenantTransaction) {
    this.#tx = tx;
  }

  get companyId() {
    return this.#tx.companyId;
  }

  load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    let gathering = this.#gathering.get(loader);
    if (gathering === undefined) {
      gathering = new DataLoader<readonly unknown[], unknown, string>(
        keys => this.#read(() => this.#tx.loadAll(loader as Loader<readonly unknown[], unknown>, keys)),
        { cacheKeyFn: parts => JSON.stringify(parts) },
      );
      this.#gathering.set(loader, gathering);
    }
    return gathering.load(key) as Promise<Value>;
  }

  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    return Promise.all(keys.map(key => this.load(loader, ...key)));
  }

  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]> {
    return this.#read(() => this.#tx.rows<Row>(statement, ...values));
  }

  /** To be called when nothing is being read: undoes that a statement failed. */
  async recover(): Promise<void> {
    if (!this.#hasFailed) return;
    await rollBackToSavepoint(this.#tx.em);
    this.#hasFailed = false;
  }

  async #read<Found>(read: () => Promise<Found>): Promise<Found> {
    if (!this.#hasSavepoint) {
      this.#hasSavepoint = true;
      // Sent with the statement that follows it. If it fails, so does that.
      setSavepoint(this.#tx.em).catch(() => undefined);
    }
    try {
      return await read();
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }
}
