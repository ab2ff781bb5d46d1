import type { EntityManager } from '@mikro-orm/postgresql';
import type { Work } from '../../limits/work.ts';
import type { Requester } from '../connections/requester.ts';
import type { Database } from '../database.ts';
import type { GatheredWrite, WriteCall } from '../gather/gathered-writes.ts';
import type { Loader } from '../gather/loader.ts';
import type { SharedStatements } from '../gather/shared-statements.ts';
import { NOTIFY } from '../statements/notify.ts';
import type { CompanyStatement } from '../statements/statements.ts';
import { type Actor, SERVICE } from './actor.ts';
import type { CompanyId } from './company-id.ts';
import { type Ending, type PatientTransaction, TenantTransaction } from './tenant-transaction.ts';

/** Reads a company's rows: a tenant, or its transaction. */
export type Reader = Pick<Tenant, 'companyId' | 'load' | 'loadAll'> & { readonly work?: Work | undefined };

interface TenantOptions {
  /** The actor; the service itself by default. */
  readonly actor?: Actor;
  /** The request's work: at its end, statements are cancelled and transactions rolled back. */
  readonly work?: Work | undefined;
  /** The final work of its transactions. */
  readonly last?: Ending | undefined;
  /** Whether a replica must not be read. */
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

  get work(): Work | undefined {
    return this.#options.work;
  }

  /** A tenant whose transactions end with this work. */
  ending<Subject>(last: Ending<Subject>): Tenant {
    return new Tenant(this.companyId, this.#database, { ...this.#options, last: last as Ending });
  }

  /** A tenant for reads that must see the latest commits. */
  fresh(): Tenant {
    return new Tenant(this.companyId, this.#database, { ...this.#options, isFresh: true });
  }

  /** A tenant for work that continues even if the caller disconnects. */
  lasting(): Tenant {
    return new Tenant(this.companyId, this.#database, { actor: this.#actor });
  }

  /** The tenant of the company's sandbox, for the actor. The final work of transactions stays in this company. */
  at(sandboxId: CompanyId): Tenant {
    const { last, ...options } = this.#options;
    const end: Ending['end'] | undefined = last && ((tx, subjects) => last.end(tx.at(this.companyId), subjects));
    return new Tenant(sandboxId, this.#database, { ...options, ...(last && end && { last: { ...last, end } }) });
  }

  /** Rows of a statement; `values` are `$2` and on. */
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]> {
    return this.#database.rows<Row>(statement, [this.companyId, ...values], this.#requester);
  }

  /** The value of a key. It is read together with other reads of this turn of the event loop. */
  load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    return this.#database.loaders.load(loader, this, this.#requester, key);
  }

  /** The values of keys, in their order. */
  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    return Promise.all(keys.map(key => this.load(loader, ...key)));
  }

  /** Runs all of `work` in one transaction, or nothing. */
  transaction<T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> {
    return this.#transact(work);
  }

  /**
   * Like `transaction`, while no other transaction of the company holds the lock of this name, in any process: batches
   * of one kind run one after the other. Batches of this process wait here and not each on a connection, which others
   * need.
   *
   * @param maxWaiting how many of them may wait here
   */
  exclusively<T>(name: string, work: (tx: TenantTransaction) => Promise<T>, maxWaiting?: number): Promise<T> {
    const lock = `${this.companyId} ${name}`;
    return this.#database.inLine(lock, () => this.#transact(work, lock), { maxWaiting });
  }

  /**
   * A transaction without a time limit, on its own connection outside of the pool and without a unit of work; if the
   * connection ends, it is rolled back.
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

  /** Carries out a call in one transaction with others of its kind that arrive meanwhile. */
  gathered<Call extends WriteCall, Result>(write: GatheredWrite<Call, Result>, call: Call): Promise<Result> {
    return this.#database.writes.write(write, {
      companyId: this.companyId,
      requester: this.#requester,
      within: (em, shared) => this.#within(em, shared),
      last: this.#options.last,
      call,
    });
  }

  /** The id of a key's request; null for other actors. */
  get requestId(): string | null {
    const actor = this.#actor;
    return actor.kind === 'key' ? actor.requestId : null;
  }

  get #actor(): Actor {
    return this.#options.actor ?? SERVICE;
  }

  #within(em: EntityManager, shared?: SharedStatements): TenantTransaction {
    return new TenantTransaction(this.companyId, em, this.#actor, shared);
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
