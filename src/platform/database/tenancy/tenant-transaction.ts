import type { EntityManager } from '@mikro-orm/postgresql';
import { activeSpan, traced } from '../../telemetry/tracing.ts';
import { type Loader, readKeys } from '../gather/loader.ts';
import { notify } from '../statements/notify.ts';
import { type CompanyStatement, DATABASE_SPAN, type Statement } from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import { type Actor, SERVICE } from './actor.ts';
import type { CompanyId } from './company-id.ts';

/** The final work of a transaction for a call. It is committed together with the call's work. */
export interface Ending<Subject = unknown> {
  readonly subject: Subject;
  /** All calls of one kind have one function, so that calls that share a transaction are ended together. */
  readonly end: (tx: TenantTransaction, subjects: readonly Subject[]) => Promise<void>;
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
  /** The final work; one call's, where several share the transaction. */
  readonly actor: Actor;

  constructor(companyId: CompanyId, em: EntityManager, actor: Actor = SERVICE) {
    this.companyId = companyId;
    this.em = em;
    this.actor = actor;
    em.setFilterParams('company', { companyId });
  }

  /** This transaction as one of the company's sandbox, or, in the sandbox, of its company. */
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

  /** The value of a key within the transaction. */
  async load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    const [value] = await this.loadAll(loader, [key]);
    return value as Value;
  }

  /** The values of keys within the transaction, in the order of the keys. */
  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const ofCompany = keys.map(key => ({ companyId: this.companyId, key }));
    return readKeys(loader, ofCompany, true, (statement, values) => this.#run(statement, values));
  }

  #run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return traced(activeSpan(), statement.name, DATABASE_SPAN, () => rowsWithin<Row>(this.em, statement, values));
  }
}
