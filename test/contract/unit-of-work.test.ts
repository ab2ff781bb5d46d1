import { randomUUID } from 'node:crypto';
import { type EntityManager, type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { CompanyEntity } from '../../src/domain/access/access.entity.ts';
import { WarehouseEntity } from '../../src/domain/warehouses/warehouses.entity.ts';
import { type CompanyId, TenantTransaction } from '../../src/platform/database/tenancy.ts';
import { urlOf } from '../support/databases.ts';

// What MikroORM makes of the entities of a company.

const options = databaseOptions(urlOf(inject('serverUrl'), inject('template')), 1);
const entities = (options.entities as EntitySchema<object>[]).filter(({ meta }) => 'companyId' in meta.properties);
const companyId = randomUUID() as CompanyId;
let orm: MikroORM;

beforeAll(() => {
  orm = new MikroORM(options);
});
afterAll(() => orm?.close(true));

describe('The unit of work of a company', () => {
  test('keeps the whole key of what it has made, by which it changes and deletes it', async () => {
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
});
