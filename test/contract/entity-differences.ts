import { type AnyEntity, defineEntity, type EntitySchema, MikroORM, p } from '@mikro-orm/postgresql';
import { inject } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { foreignKeys } from '../../src/platform/database/tenancy/company-entity.ts';
import { urlOf } from '../support/databases.ts';

/** By which statements MikroORM would change a migrated database, with another entity of warehouses where one is given. */
export async function differences(warehouse?: EntitySchema<AnyEntity>): Promise<string[]> {
  const options = databaseOptions(urlOf(inject('serverUrl'), inject('template')), 1);
  const others = options.entities?.filter(entity => (entity as EntitySchema).meta.name !== 'Warehouse') ?? [];
  const orm = new MikroORM({ ...options, ...(warehouse && { entities: [...others, warehouse] }) });
  try {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false });
    return sql.split(/;\s*/).filter(statement => statement !== '');
  } finally {
    await orm.close(true);
  }
}

const named = {
  companyId: p.uuid().primary(),
  id: p.integer().primary().autoincrement().generated('by default as identity'),
  name: p.text(),
  typeId: p.smallint().check('type_id >= 1 and type_id <= 4'),
  address: p.text(),
  postalCode: p.text(),
  city: p.text(),
  country: p.text().check("country ~ '^[A-Z]{2}$'"),
  createdAt: p.datetime(3).defaultRaw('now()'),
  updatedAt: p.datetime(3).defaultRaw('now()'),
};
const state = p.text();
const toCompany = foreignKeys({ columns: ['company_id'], references: 'company' });
/** Faults of an entity, and by which statement each is found. */
export const FAULTS: [fault: string, properties: object, others: object, found: string][] = [
  ['a column without a property', named, toCompany, 'alter table "warehouse" drop column "state"'],
  [
    'a property without a column',
    { ...named, state, zone: p.text() },
    toCompany,
    'alter table "warehouse" add "zone" text not null',
  ],
  [
    'another type',
    { ...named, state: p.integer() },
    toCompany,
    'alter table "warehouse" alter column "state" type int using ("state"::int)',
  ],
  [
    'null where the column takes none',
    { ...named, state: p.text().nullable() },
    toCompany,
    'alter table "warehouse" alter column "state" drop not null',
  ],
  [
    'a default that is missing',
    { ...named, state, createdAt: p.datetime(3) },
    toCompany,
    'alter table "warehouse" alter column "created_at" drop default',
  ],
  [
    'a check that is missing',
    { ...named, state, country: p.text() },
    toCompany,
    'alter table "warehouse" drop constraint "warehouse_country_check"',
  ],
  [
    'an index that the database has not',
    { ...named, state },
    { ...toCompany, indexes: [{ name: 'warehouse_by_city', properties: ['companyId', 'city'] }] },
    'create index "warehouse_by_city" on "warehouse" ("company_id", "city")',
  ],
  [
    'a foreign key that is missing',
    { ...named, state },
    {},
    'alter table "warehouse" drop constraint "warehouse_company_id_fkey"',
  ],
];

/** By which statements it would, were the entity of warehouses a faulty one. */
export function differencesOf(properties: object, others: object): Promise<string[]> {
  return differences(
    defineEntity({ name: 'Warehouse', tableName: 'warehouse', properties, ...others }) as EntitySchema<AnyEntity>,
  );
}
