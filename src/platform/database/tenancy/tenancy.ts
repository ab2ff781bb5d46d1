import type { EntityManager } from '@mikro-orm/postgresql';
import type { Work } from '../../limits/work.ts';
import type { Requester } from '../connections/requester.ts';
import type { Database } from '../database.ts';
import type { GatheredWrite, WriteCall } from '../gather/gathered-writes.ts';
import type { Loader } from '../gather/loader.ts';
import { NOTIFY } from '../statements/notify.ts';
import type { CompanyStatement } from '../statements/statements.ts';
import { type Actor, SERVICE } from './actor.ts';
import type { CompanyId } from './company-id.ts';
import { type Ending, type PatientTransaction, TenantTransaction } from './tenant-transaction.ts';

/** What reads a company's rows: a tenant, or its transaction. */
export type Reader = Pick<Tenant, 'companyId' | 'load' | 'loadAll'> & { readonly work?: Work | undefined };

/** What a tenant may be made with. */
interface TenantOptions {
  /** Who acts; the service itself, where nobody is named. */
  readonly actor?: Actor;
  /** The request that it is for: when its work is over, statements are cancelled and transactions rolled back. */
  readonly work?: Work | undefined;
  /** What its transactions do last. */
  readonly last?: Ending | undefined;
  /** Whether it reads nothing from a replica. */
  readonly isFresh?: boolean;
}

/** The only door to a company's data: repositories take a tenant, and every statement gets its company first. */
export class Tenant {
  readonly companyId: CompanyId;
  readonly #database: Database;
  readonly #options: TenantOptions;
  readonly #requester: Requester;

  constructor(companyId: CompanyId, database: Database, options: TenantOptions = {}) {
    this.companyId = companyId;
    this.#database = database;
    this.#options = options;
    this.#requester = { companyIds: [companyId], work: options.work, isFresh: options.isFresh };
  }

  /** Of the request that it is for. */
  get work(): Work | undefined {
    return this.#options.work;
  }

  /** The same door, whose transactions do this last. */
  ending<Subject>(last: Ending<Subject>): Tenant {
    return new Tenant(this.companyId, this.#database, { ...this.#options, last: last as Ending });
  }

  /** The same door for reads that must see what has just been committed. */
  fresh(): Tenant {
    return new Tenant(this.companyId, this.#database, { ...this.#options, isFresh: true });
  }

  /** The same door for what is done whether or not the request is still wanted. */
  lasting(): Tenant {
    return new Tenant(this.companyId, this.#database, { actor: this.#actor });
  }

  /** The door to the company's sandbox, for the same actor. What transactions do last, they do in this company. */
  at(sandboxId: CompanyId): Tenant {
    const { last, ...options } = this.#options;
    const end: Ending['end'] | undefined = last && ((tx, subjects) => last.end(tx.at(this.companyId), subjects));
    return new Tenant(sandboxId, this.#database, { ...options, ...(last && end && { last: { ...last, end } }) });
  }

  /** Rows of a statement; `values` are `$2` and on. */
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]> {
    return this.#database.rows<Row>(statement, [this.companyId, ...values], this.#requester);
  }

  /** What belongs to a key. It is read with what others ask for in the same turn of the event loop. */
  load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    return this.#database.loaders.load(loader, this, this.#requester, key);
  }

  /** What belongs to each of some keys, in their order. */
  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    return Promise.all(keys.map(key => this.load(loader, ...key)));
  }

  /** All of `work` in one transaction, or nothing of it. */
  transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#transact(work);
  }

  /**
   * The same, while no other transaction of the company holds the lock of this name, in any process: batches of one
   * kind follow each other. Those of this process wait here and not each on a connection, which others need.
   *
   * @param maxWaiting how many of them may wait here
   */
  exclusively<T>(name: string, work: (tx: TenantTransaction) => Promise<T>, maxWaiting?: number): Promise<T> {
    const lock = `${this.companyId} ${name}`;
    return this.#database.inTurn(lock, () => this.#transact(work, lock), maxWaiting);
  }

  /**
   * The same in one transaction that may take as long as it needs, on a connection of its own beside the pool; what it has
   * not committed when that ends never was. Without a unit of work.
   */
  patiently<T>(
    name: string,
    settings: Readonly<Record<string, string>>,
    work: (tx: PatientTransaction) => Promise<T>,
  ): Promise<T> {
    const { companyId } = this;
    return this.#database.patientTransaction(`${companyId} ${name}`, settings, run =>
      work({
        companyId,
        rows: (statement, ...values) => run(statement, [companyId, ...values]),
        notify: (channel, payload) => run(NOTIFY, [channel, payload]),
      }),
    );
  }

  /** Carries a call out in one transaction with others of its kind that arrive meanwhile. */
  gathered<Call extends WriteCall, Result>(write: GatheredWrite<Call, Result>, call: Call): Promise<Result> {
    return this.#database.writes.write(write, {
      companyId: this.companyId,
      requester: this.#requester,
      within: em => this.#within(em),
      last: this.#options.last,
      call,
    });
  }

  /** Of the request that a key sent; null for anybody else. */
  get requestId(): string | null {
    const actor = this.#actor;
    return actor.kind === 'key' ? actor.requestId : null;
  }

  get #actor(): Actor {
    return this.#options.actor ?? SERVICE;
  }

  #within(em: EntityManager): TenantTransaction {
    return new TenantTransaction(this.companyId, em, this.#actor);
  }

  #transact<T>(work: (tx: TenantTransaction) => Promise<T>, lock?: string): Promise<T> {
    const inTransaction = async (em: EntityManager) => {
      const tx = this.#within(em);
      const result = await work(tx);
      const { last } = this.#options;
      await last?.end(tx, [last.subject]);
      this.#options.work?.throwIfOver();
      return result;
    };
    return this.#database.transaction(inTransaction, this.#requester, lock);
  }
}
