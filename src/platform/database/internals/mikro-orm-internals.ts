import type { EntityMetadata, MikroORM } from '@mikro-orm/core';
import { type EntityManager, SchemaGenerator, type SqlEntityManager } from '@mikro-orm/postgresql';
import type { Kysely, Transaction } from 'kysely';
import type { ForeignKey } from '../tenancy/company-entity.ts';

/**
 * Undeclared behaviour of MikroORM that the service relies on: a transaction needs only Kysely on its connection, and
 * the schema generator compares the result of `getTargetSchema`. `test/platform/library-internals.test.ts` and
 * `test/contract/entities.test.ts` check it.
 */

/** Makes a unit of work run its statements by this Kysely, in a transaction that it neither begins nor commits. */
export function joinTransaction(em: EntityManager, kysely: Kysely<unknown>): void {
  em.setTransactionContext(kysely as Transaction<unknown>);
}

/**
 * MikroORM's comparison of entities and database, with the foreign keys that entities state by `foreignKeys`. In the
 * database the number of a row is the last part of its key. In an entity it is the first: MikroORM assigns the number
 * that an insert returns to the first part, and would overwrite the company.
 */
export class EntitySchemaGenerator extends SchemaGenerator {
  static override register(orm: MikroORM): void {
    const create = () => new EntitySchemaGenerator(orm.em as SqlEntityManager);
    orm.config.registerExtension('@mikro-orm/schema-generator', create);
  }

  override getTargetSchema(...args: Parameters<SchemaGenerator['getTargetSchema']>) {
    const schema = super.getTargetSchema(...args);
    for (const meta of this.getOrderedMetadata()) {
      const { tableName, foreignKeys = [] } = meta as EntityMetadata & { foreignKeys?: readonly ForeignKey[] };
      const table = schema.getTable(tableName);
      const isNumber = (column: string) => Number(table?.getColumn(column)?.autoincrement ?? false);
      table?.getPrimaryKey()?.columnNames.sort((a, b) => isNumber(a) - isNumber(b));
      const keys = table?.getForeignKeys() ?? {};
      for (const { columns, references, to, onDelete, name } of foreignKeys) {
        const constraintName = name ?? `${tableName}_${columns.join('_')}_fkey`;
        keys[constraintName] = {
          constraintName,
          columnNames: [...columns],
          localTableName: `${schema.name}.${tableName}`,
          referencedColumnNames: [...(to ?? columns.with(-1, 'id'))],
          referencedTableName: `${schema.name}.${references}`,
          ...(onDelete && { deleteRule: onDelete }),
        };
      }
    }
    return schema;
  }
}
