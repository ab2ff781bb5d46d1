import type { EntityManager } from '@mikro-orm/core';

/** The company of the unit of work: its door has said which one it is. For the `companyId` of an entity that is made. */
export function ofUnitOfWork(_record: object, em: EntityManager): string {
  return em.getFilterParams<{ companyId: string }>('company').companyId;
}

/** What every entity of a company has: a filter, always on, that keeps a unit of work inside its company. */
export const ofCompany = {
  filters: {
    company: { name: 'company', cond: ({ companyId }: { companyId?: string }) => ({ companyId }), default: true },
  },
};

/** For `updatedAt`: a new record was last changed when it was created, to the millisecond. */
export function asCreated(record: object): Date {
  return (record as { createdAt?: Date }).createdAt ?? new Date();
}

/** A foreign key: MikroORM knows them only as relations, by which a unit of work could load what no statement asks for. */
export interface ForeignKey {
  readonly columns: readonly string[];
  /** A table. */
  readonly references: string;
  /** Columns of that table, where they are not the same ones with `id` as the last. */
  readonly to?: readonly string[];
  readonly onDelete?: 'cascade';
  /** Where it is not the one that PostgreSQL gives. */
  readonly name?: string;
}

export const foreignKeys = (...foreignKeys: readonly ForeignKey[]) => ({ foreignKeys });
