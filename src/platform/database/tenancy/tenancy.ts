import type { EntityManager } from '@mikro-orm/postgresql';
import type { Work } from '../../limits/work.ts';
import { activeSpan, traced } from '../../telemetry/tracing.ts';
import { NOTIFY, notify } from '../connections/notifications.ts';
import { DATABASE_SPAN, type Database, type Requester } from '../database.ts';
import type { GatheredWrite, WriteCall } from '../gather/gathered-writes.ts';
import { type Loader, readKeys } from '../gather/loader.ts';
import { type Statement, statementOfOne } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';

declare const companyIdBrand: unique symbol;

/** A company's UUID; made where a key is recognised or an operator names the company, and nowhere else. */
export type CompanyId = string & { readonly [companyIdBrand]: true };

/** A statement that has the company in its predicate as `$1`. */
export interface CompanyStatement extends Statement {
  readonly company: true;
}

/** Declares a statement of a company, by its predicate `company_id = $1`. @throws Error where it lacks that */
export function companyStatement(name: string, text: string, options?: Pick<Statement, 'canLag'>): CompanyStatement {
  return { ...statementOfOne(name, text, options), company: true };
}

/** What reads a company's rows: a tenant, or its transaction. */
export type Reader = Pick<Tenant, 'companyId' | 'load' | 'loadAll'> & { readonly work?: Work | undefined };

/** Who acts: a key of the company, an operator on the command line, or the service by itself. */
export type Actor =
  | {
      readonly kind: 'key';
      readonly apiKeyId: string;
      readonly label: string;
      readonly requestId: string;
    }
  | { readonly kind: 'operator' }
  | { readonly kind: 'service' };

export const OPERATOR: Actor = { kind: 'operator' };
const SERVICE: Actor = { kind: 'service' };

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

/** What a transaction does last for a call, which is committed with the call's work, or neither is. */
export interface Ending<Subject = unknown> {
  readonly subject: Subject;
  /** The same function for all calls of one kind: those that share a transaction are ended together. */
  readonly end: (tx: TenantTransaction, subjects: readonly Subject[]) => Promise<void>;
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

/** A tenant inside a transaction that takes long. */
export interface PatientTransaction {
  readonly companyId: CompanyId;
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]>;
  /** Notifies the processes that listen to a channel, once the transaction is committed. */
  notify(channel: string, payload: string): Promise<unknown>;
}

/** A tenant inside a transaction: entities through `em`, whose queries are filtered by the company, statements through `rows`. */
export class TenantTransaction {
  readonly companyId: CompanyId;
  readonly em: EntityManager;
  /** Of a transaction that several calls share, that of one of them. */
  readonly actor: Actor;

  constructor(companyId: CompanyId, em: EntityManager, actor: Actor = SERVICE) {
    this.companyId = companyId;
    this.em = em;
    this.actor = actor;
    em.setFilterParams('company', { companyId });
  }

  /** The same transaction at the company's sandbox, or from there at the company. */
  at(companyId: CompanyId): TenantTransaction {
    return companyId === this.companyId ? this : new TenantTransaction(companyId, this.em, this.actor);
  }

  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]> {
    return this.#run<Row>(statement, [this.companyId, ...values]);
  }

  /** Notifies the processes that listen to a channel, once the transaction is committed. */
  notify(channel: string, payload: string): Promise<void> {
    return notify(this.em, channel, payload);
  }

  /** What belongs to a key, as it is within the transaction. */
  async load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    const [value] = await this.loadAll(loader, [key]);
    return value as Value;
  }

  /** What belongs to each of some keys, in their order, as it is within the transaction. */
  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const ofCompany = keys.map(key => ({ companyId: this.companyId, key }));
    return readKeys(loader, ofCompany, true, (statement, values) => this.#run(statement, values));
  }

  #run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return traced(activeSpan(), statement.name, DATABASE_SPAN, () => rowsWithin<Row>(this.em, statement, values));
  }
}
