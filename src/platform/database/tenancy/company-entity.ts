import { type EntityManager, p } from '@mikro-orm/core';

/** The company of the unit of work, which its tenant has set, as the `companyId` of a new entity. */
export function ofUnitOfWork(_record: object, em: EntityManager): string {
  return em.getFilterParams<{ companyId: string }>('company').companyId;
}

/**
 * Options of every entity of a company: a filter, always on, that keeps a unit of work inside its company. An entity
 * states a number from the database before `companyId`, because MikroORM gives an insert's result to the first part of
 * a key.
 */
export const ofCompany = {
  filters: {
    company: { name: 'company', cond: ({ companyId }: { companyId?: string }) => ({ companyId }), default: true },
  },
};

/** When the unit of work created the record. */
export function creationTime() {
  return p
    .datetime(3)
    .defaultRaw('now()')
    .onCreate(() => new Date());
}

/** For `updatedAt`: a new record was last changed when it was created, to the millisecond. */
export function asCreated(record: object): Date {
  return (record as { createdAt?: Date }).createdAt ?? new Date();
}

/** When the unit of work last changed the record. */
export function changeTime() {
  return p
    .datetime(3)
    .defaultRaw('now()')
    .onCreate(asCreated)
    .onUpdate(() => new Date());
}

/** A foreign key: MikroORM models them only as relations, by which a unit of work could load other rows. */
export interface ForeignKey {
  readonly columns: readonly string[];
  readonly references: string;
  /** Columns of that table, if they differ from these ones with `id` as the last. */
  readonly to?: readonly string[];
  readonly onDelete?: 'cascade';
  /** Its name, if it differs from PostgreSQL's default. */
  readonly name?: string;
}

export const foreignKeys = (...foreignKeys: readonly ForeignKey[]) => ({ foreignKeys });
