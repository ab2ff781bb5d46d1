import { expect, test, vi } from 'vitest';
import { type Batches, batchOf, inBatches, inBatchesOfAll } from '../../src/platform/database/statements/batches.ts';
import { companyStatement, serviceStatement } from '../../src/platform/database/statements/statements.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { withClient } from '../support/databases.ts';
import { useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api' });

/** Deletes warehouses of a company, and takes some milliseconds for each. */
const DELETE_SLOWLY = companyStatement(
  'test-delete-slowly',
  `with gone as (
      delete from warehouse where company_id = $1
        and id in (select id from warehouse where company_id = $1 order by id limit $2)
        returning company_id, pg_sleep($3::float8 / 1000)
    ) select count(*)::integer as count from gone where company_id = $1`,
);
const RENAME = serviceStatement(
  'test-rename',
  `with named as (
      update warehouse set name = 'new' where name = 'old' and (company_id, id) in
        (select company_id, id from warehouse where name = 'old' limit $1) returning 1
    ) select count(*)::integer as count from named`,
);

async function companyWith(warehouses: number, name = 'Deposito') {
  const { companyId } = await world.company();
  await world.pool.query(
    `insert into warehouse (company_id, name, type_id, address, postal_code, city, state, country)
      select $1, $3, 2, 'Via Po 1', '10121', 'Torino', 'TO', 'IT' from generate_series(1, $2)`,
    [companyId, warehouses, name],
  );
  const left = async () => {
    const { rows } = await world.pool.query('select count(*)::integer as n from warehouse where company_id = $1', [
      companyId,
    ]);
    return rows[0].n as number;
  };
  return { tenant: new Tenant(companyId as CompanyId, world.app.database), left };
}

/** Deletes a company's warehouses; also returns how many rows the batches met that were committed. */
async function deleteSlowly(
  tenant: Tenant,
  msEach: number,
  after: (committed: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<Batches & { readonly committed: readonly number[] }> {
  const committed: number[] = [];
  const work = async (tx: Parameters<Parameters<Tenant['transaction']>[0]>[0], atMost: number) => {
    const [row] = await tx.rows<{ count: number }>(DELETE_SLOWLY, atMost, msEach);
    committed.push(row?.count ?? 0);
    after(committed.length);
    return batchOf(row?.count ?? 0, atMost);
  };
  return { ...(await inBatches(tenant, work, { signal })), committed };
}

test('Batches process every row of their company, and none of another', async () => {
  const [mine, other] = [await companyWith(730), await companyWith(3)];
  expect(await deleteSlowly(mine.tenant, 0)).toMatchObject({ rows: 730, isComplete: true });
  expect([await mine.left(), await other.left()]).toEqual([0, 3]);
});

test('A batch that takes longer than 90 ms is undone, and repeated with fewer rows', async () => {
  const { tenant, left } = await companyWith(60);
  const { rows, committed } = await deleteSlowly(tenant, 5);
  expect([rows, await left()]).toEqual([60, 0]);
  expect(Math.max(...committed)).toBeLessThanOrEqual(18);
});

test('A row that takes longer by itself is removed all the same', async () => {
  const { tenant, left } = await companyWith(2);
  expect(await deleteSlowly(tenant, 150)).toMatchObject({ rows: 2, isComplete: true });
  expect(await left()).toBe(0);
});

test('Work that is stopped has committed its finished batches, and another run does the rest', async () => {
  const { tenant, left } = await companyWith(500);
  const stop = new AbortController();
  const first = await deleteSlowly(tenant, 0, () => stop.abort(), stop.signal);
  expect(first.isComplete).toBe(false);
  expect(first.rows).toBeGreaterThan(0);
  expect(await left()).toBe(500 - first.rows);
  expect((await deleteSlowly(tenant, 0)).rows).toBe(500 - first.rows);
});

test('Batches wait for a row that another transaction holds, and continue once it is released', async () => {
  const { tenant, left } = await companyWith(20);
  await withClient(world.ownerUrl, async client => {
    await client.query('begin');
    await client.query('select from warehouse where company_id = $1 for update', [tenant.companyId]);
    const deleted = deleteSlowly(tenant, 0);
    // Batches of more rows were cancelled while they waited.
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%delete from warehouse%' and clock_timestamp() - query_start > interval '150 milliseconds'`;
    await vi.waitUntil(async () => (await world.pool.query(waiting)).rowCount, { timeout: 20_000 });
    await client.query('rollback');
    expect((await deleted).rows).toBe(20);
  });
  expect(await left()).toBe(0);
});

test('Batches of all companies process the rows of each', async () => {
  const companies = [await companyWith(150, 'old'), await companyWith(120, 'old')];
  const { rows } = await inBatchesOfAll(world.app.database, async (run, atMost) => {
    const [row] = await run<{ count: number }>(RENAME, [atMost]);
    return batchOf(row?.count ?? 0, atMost);
  });
  expect(rows).toBe(270);
  expect(await Promise.all(companies.map(({ left }) => left()))).toEqual([150, 120]);
});
