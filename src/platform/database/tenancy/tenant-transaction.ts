import type { EntityManager } from '@mikro-orm/postgresql';
import { activeSpan, traced } from '../../telemetry/tracing.ts';
import { type Loader, readKeys } from '../gather/loader.ts';
import type { SharedStatements } from '../gather/shared-statements.ts';
import { notify } from '../statements/notify.ts';
import {
  type CompanyStatement,
  DATABASE_SPAN,
  type Statement,
  type StatementForEach,
} from '../statements/statements.ts';
import { rowsWithin } from '../statements/transaction.ts';
import { type Actor, SERVICE } from './actor.ts';
import type { CompanyId } from './company-id.ts';

/** The final work of a transaction for a call. It is committed together with the call's own work. */
export interface Ending<Subject = unknown> {
  readonly subject: Subject;
  /** One function for all calls of a kind, because calls that share a transaction end together. */
  readonly end: (tx: TenantTransaction, subjects: readonly Subject[]) => Promise<void>;
}

/** A tenant inside a transaction that takes long. */
export interface PatientTransaction {
  readonly companyId: CompanyId;
  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]>;
  /** Notifies the processes that listen to a channel, once the transaction is committed. */
  notify(channel: string, payload: string): Promise<unknown>;
}

/** A tenant inside a transaction: entities through `em`, filtered by the company, and statements through `rows`. */
export class TenantTransaction {
  readonly companyId: CompanyId;
  readonly em: EntityManager;
  /** In a transaction that several calls share, the actor of one of them. */
  readonly actor: Actor;

  readonly #shared: SharedStatements | undefined;

  /** @param shared the statements of the companies that share the transaction; a shared transaction has no entities */
  constructor(companyId: CompanyId, em: EntityManager, actor: Actor = SERVICE, shared?: SharedStatements) {
    this.companyId = companyId;
    this.em = em;
    this.actor = actor;
    this.#shared = shared;
    if (shared === undefined) em.setFilterParams('company', { companyId });
  }

  /** This transaction at the company's sandbox, or back at the company. */
  at(companyId: CompanyId): TenantTransaction {
    return companyId === this.companyId ? this : new TenantTransaction(companyId, this.em, this.actor, this.#shared);
  }

  rows<Row>(statement: CompanyStatement, ...values: unknown[]): Promise<Row[]> {
    this.#shared?.sendFor(this.companyId);
    return this.#run<Row>(statement, [this.companyId, ...values]);
  }

  /**
   * Rows of a statement whose input is rows, given by their columns. In a shared transaction it is run together with the
   * statements of other companies.
   */
  rowsForEach<Row>(statement: StatementForEach, ...columns: (readonly unknown[])[]): Promise<Row[]> {
    return (
      this.#shared?.ask(this.companyId, statement, columns) ??
      this.#run<Row>(statement.ofOne, [this.companyId, ...columns])
    );
  }

  /** Notifies the processes that listen to a channel, once the transaction is committed. */
  notify(channel: string, payload: string): Promise<void> {
    return notify(this.em, channel, payload);
  }

  /** The value of a key, read within the transaction. */
  async load<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, ...key: Key): Promise<Value> {
    const [value] = await this.loadAll(loader, [key]);
    return value as Value;
  }

  /** The values of keys in their order, read within the transaction. */
  loadAll<Key extends readonly unknown[], Value>(loader: Loader<Key, Value>, keys: readonly Key[]): Promise<Value[]> {
    const ofCompany = keys.map(key => ({ companyId: this.companyId, key }));
    return readKeys(loader, ofCompany, (statement, columns) => this.rowsForEach(statement, ...columns));
  }

  #run<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    return traced(activeSpan(), statement.name, DATABASE_SPAN, () => rowsWithin<Row>(this.em, statement, values));
  }
}
