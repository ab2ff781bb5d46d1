import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { CompanyEntity } from '../../src/domain/account/access/access.entity.ts';
import { WarehouseEntity } from '../../src/domain/shipping/warehouses/warehouses.entity.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { TenantTransaction } from '../../src/platform/database/tenancy/tenant-transaction.ts';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';

/**
 * MikroORM's query for an entity of a company: the door to a company sets the filter, without which there is no query.
 */

const serverUrl = inject('serverUrl');
const entities = (databaseOptions(serverUrl, 1).entities as EntitySchema<object>[]).filter(
  ({ meta }) => 'companyId' in meta.properties,
);
const companyId = randomUUID() as CompanyId;
const statements: string[] = [];
let name: string;
let orm: MikroORM;

beforeAll(async () => {
  name = await createDatabase(serverUrl, inject('template'));
  orm = new MikroORM({
    ...databaseOptions(urlOf(serverUrl, name), 1),
    debug: ['query', 'query-params'],
    colors: false,
    logger: text => statements.push(text),
  });
});
afterAll(async () => {
  await orm?.close(true);
  await dropDatabase(serverUrl, name);
});

const queries: [name: string, run: (em: EntityManager, entity: EntitySchema<object>) => Promise<unknown>][] = [
  ['find', (em, entity) => em.find(entity, {})],
  ['findOne', (em, entity) => em.findOne(entity, {}, { orderBy: { companyId: 'asc' } as object })],
  ['count', (em, entity) => em.count(entity, {})],
  ['nativeUpdate', (em, entity) => em.nativeUpdate(entity, {}, { [lastOf(entity)]: null })],
  ['nativeDelete', (em, entity) => em.nativeDelete(entity, {})],
];
const lastOf = ({ meta }: EntitySchema<object>) => Object.keys(meta.properties).at(-1) ?? '';

describe('A query of an entity of a company', () => {
  test('returns objects with their whole key, by which they are changed and deleted', async () => {
    await expect(
      orm.em.transactional(async own => {
        const { em } = new TenantTransaction(companyId, own as EntityManager);
        em.create(CompanyEntity, { id: companyId, name: 'Una' });
        await em.flush();
        const address = { address: 'Via Roma 1', postalCode: '37137', city: 'Verona', state: 'VR', country: 'IT' };
        const made = em.create(WarehouseEntity, { companyId, name: 'Deposito', typeId: 4, ...address });
        await em.flush();
        made.name = 'Nuovo';
        await em.flush();
        em.clear();
        expect(await em.find(WarehouseEntity, {})).toMatchObject([{ companyId, id: made.id, name: 'Nuovo' }]);
        throw new Error('nothing is kept');
      }),
    ).rejects.toThrow('nothing is kept');
    const numbered = entities.map(({ meta }) => orm.getMetadata().getByClassName(meta.name ?? ''));
    const others = numbered.filter(({ props, primaryKeys }) =>
      props.some(({ name, autoincrement }) => autoincrement && name !== primaryKeys[0]),
    );
    expect(others.map(({ name }) => name)).toEqual([]);
  });

  test.each(entities.map(entity => [entity.meta.name, entity] as const))(
    'names the company of its transaction: %s',
    async (_, entity) => {
      for (const [, run] of queries) {
        statements.length = 0;
        await orm.em.transactional(async em => {
          await run(new TenantTransaction(companyId, em as EntityManager).em, entity);
        });
        const [statement = ''] = statements.filter(
          text => !/(?<![a-z_])(begin|commit)\b/.test(stripVTControlCharacters(text)),
        );
        expect(statement).toMatch(new RegExp(`"company_id" = '${companyId}'`));
      }
    },
  );

  test.each(queries)('cannot be made without a company: %s', async (_, run) => {
    for (const entity of entities) {
      await expect(run(orm.em.fork(), entity)).rejects.toThrow("No arguments provided for filter 'company'");
    }
  });
});
