import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Loader, listLoader, rowLoader } from '../../src/platform/database/gather/loader.ts';
import type { CompanyId } from '../../src/platform/database/tenancy/company-id.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { Fault } from '../../src/platform/fault.ts';
import { Work } from '../../src/platform/limits/work.ts';
import { type Span, traced } from '../../src/platform/telemetry/tracing.ts';
import { runs } from '../support/property-runs.ts';
import { statementsOf } from '../support/statements.ts';
import { useWorld } from '../support/world.ts';

// Without the jobs of a worker, whose statements are not this file's.
const POOL_SIZE = 8;
const world = useWorld({ ROLE: 'api', DATABASE_POOL_SIZE: String(POOL_SIZE) });

interface Row {
  readonly id: number;
  readonly companyId: string;
  readonly name: string;
}

const COLUMNS = 'id, company_id as "companyId", name';
const MINE = 'company_id = each.company_id and id = each.id';
const BY_ID = rowLoader<[id: number], Row>({
  name: 'test-by-id',
  key: { id: 'integer' },
  text: `select ${COLUMNS} from warehouse where ${MINE}`,
});
/** Fails for the warehouses of one type. */
const FRAGILE = rowLoader<[id: number], Row>({
  name: 'test-fragile',
  key: { id: 'integer' },
  text: `select ${COLUMNS}, 1 / (type_id - 4) as fragile from warehouse where ${MINE}`,
});
const OF_TYPE = listLoader<[typeId: number, max: number], Row>({
  name: 'test-of-type',
  key: { type_id: 'integer', max: 'integer' },
  text: `select ${COLUMNS} from warehouse
    where company_id = each.company_id and type_id = each.type_id order by id desc limit each.max`,
  order: 'r.id desc',
  isSplitByCompany: true,
});
/** Waits for a lock that a test holds. */
const LOCKED = rowLoader<[id: number], Row>({
  name: 'test-locked',
  key: { id: 'integer' },
  text: `select ${COLUMNS}, pg_advisory_xact_lock_shared(42) from warehouse where ${MINE}`,
});

const SOUND = 2;
const FAILING = 4;
const COMPANIES = 4;
/** The type of each company; the last one makes `FRAGILE` fail. */
const TYPES = [SOUND, SOUND, 3, FAILING];

let client: pg.Client;
let companies: { readonly companyId: CompanyId; readonly rows: readonly (Row & { typeId: number })[] }[];

beforeAll(async () => {
  client = new pg.Client({ connectionString: world.ownerUrl });
  await client.connect();
  companies = [];
  for (let i = 0; i < COMPANIES; i++) {
    const companyId = (await world.company()).companyId as CompanyId;
    const rows = [];
    for (const [n, typeId] of TYPES.entries())
      rows.push(await insert(companyId, `Company ${i} Warehouse ${n}`, typeId));
    companies.push({ companyId, rows });
  }
});
afterAll(() => client?.end());

async function insert(companyId: CompanyId, name: string, typeId = SOUND) {
  const { rows } = await client.query(
    `insert into warehouse (company_id, name, type_id, address, postal_code, city, state, country)
      values ($1, $2, $3, 'Via Po 1', '10121', 'Torino', 'TO', 'IT') returning ${COLUMNS}, type_id as "typeId"`,
    [companyId, name, typeId],
  );
  return rows[0] as Row & { typeId: number };
}

const tenantOf = (companyId: CompanyId, work?: Work) => new Tenant(companyId, world.app.database, { work });
const company = (i: number) => companies[i] as (typeof companies)[number];
const rowOf = (i: number, n: number) => company(i).rows[n] as Row & { typeId: number };
/** The rows that a loader has read, without their numbers. */
const plain = (row: Row | undefined) => row && { id: row.id, companyId: row.companyId, name: row.name };
const newWork = () => new Work('a', { units: 1e9, characters: 1e9 }, () => new Fault('request_too_expensive'));
const gone = () => new Fault('graphql_timeout');

describe('Within one turn of the event loop', () => {
  test('keys are read by one statement, whichever company asks, and each key once', async () => {
    const ask = () =>
      companies.flatMap(({ companyId, rows }) => rows.map(({ id }) => tenantOf(companyId).load(BY_ID, id)));
    const answers: (Row | undefined)[] = [];
    const statements = await statementsOf(world, async () => {
      answers.push(...(await Promise.all([...ask(), ...ask()])));
    });
    expect(statements).toEqual(['test-by-id']);
    const rows = companies.flatMap(({ rows }) => rows.map(plain));
    expect(answers.map(plain)).toEqual([...rows, ...rows]);
  });

  test('keys are read by one statement for each company where it may be long', async () => {
    const statements = await statementsOf(world, async () => {
      const lists = await Promise.all(companies.map(({ companyId }) => tenantOf(companyId).load(OF_TYPE, SOUND, 10)));
      expect(lists.map(list => list.map(({ companyId }) => companyId))).toEqual(
        companies.map(({ companyId }) => [companyId, companyId]),
      );
    });
    expect(statements).toEqual(companies.map(() => 'test-of-type'));
  });

  test('a company that asks for a whole page is read for separately, so that no other waits for its rows', async () => {
    const [many, ...few] = companies as [(typeof companies)[number], ...typeof companies];
    const statements = await statementsOf(world, async () => {
      const page = Array.from({ length: 17 }, (_, i) => tenantOf(many.companyId).load(BY_ID, 2_000_000 + i));
      const others = few.map(({ companyId, rows }) => tenantOf(companyId).load(BY_ID, rows[0]?.id as number));
      expect((await Promise.all(page)).every(row => row === undefined)).toBe(true);
      expect((await Promise.all(others)).map(plain)).toEqual(few.map(({ rows }) => plain(rows[0])));
    });
    expect(statements).toEqual(['test-by-id', 'test-by-id']);
  });

  test('more keys than one statement may read are read by several', async () => {
    const { companyId } = company(0);
    const ids = Array.from({ length: 600 }, (_, i) => 1_000_000 + i);
    const statements = await statementsOf(world, async () => {
      expect(
        await tenantOf(companyId).loadAll(
          BY_ID,
          ids.map(id => [id]),
        ),
      ).toEqual(ids.map(() => undefined));
    });
    expect(statements).toHaveLength(3);
  });

  test('the rows of a list are in their order, and each key has as many as it asks for', async () => {
    const tenant = tenantOf(company(0).companyId);
    const ids = [rowOf(0, 1).id, rowOf(0, 0).id];
    const lists = await tenant.loadAll(OF_TYPE, [
      [SOUND, 10],
      [SOUND, 1],
      [3, 10],
      [1, 10],
    ]);
    expect(lists.map(list => list.map(({ id }) => id))).toEqual([ids, ids.slice(0, 1), [rowOf(0, 2).id], []]);
  });

  test('each read has the row of its own company, none, or its own failure', async () => {
    const question = fc.record({
      asker: fc.nat(COMPANIES - 1),
      owner: fc.nat(COMPANIES - 1),
      // One more than there are: an id of nobody.
      row: fc.nat(TYPES.length),
      withWork: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(question, { minLength: 1, maxLength: 40 }), async questions => {
        const wanted = questions.map(({ asker, owner, row }) => {
          const found = company(owner).rows[row];
          return { id: found?.id ?? 2_000_000_000, row: asker === owner ? found : undefined };
        });
        let answers: PromiseSettledResult<Row | undefined>[] = [];
        const statements = await statementsOf(world, async () => {
          answers = await Promise.allSettled(
            questions.map(({ asker, withWork }, i) =>
              tenantOf(company(asker).companyId, withWork ? newWork() : undefined).load(FRAGILE, wanted[i]?.id ?? 0),
            ),
          );
        });
        for (const [i, answer] of answers.entries()) {
          const row = wanted[i]?.row;
          if (row?.typeId === FAILING) expect(answer).toMatchObject({ status: 'rejected', reason: { code: '22012' } });
          else expect(answer).toMatchObject({ status: 'fulfilled' });
          if (answer.status === 'fulfilled') expect(plain(answer.value)).toEqual(plain(row));
        }
        const keys = new Set(questions.map(({ asker }, i) => `${asker} ${wanted[i]?.id}`)).size;
        const isRepeated = keys > 1 && wanted.some(({ row }) => row?.typeId === FAILING);
        expect(statements).toHaveLength(isRepeated ? 1 + keys : 1);
      }),
      { numRuns: runs(60) },
    );
  });

  test('no read returns data that is older than the question', async () => {
    const row = await insert(company(0).companyId, 'before');
    const tenant = tenantOf(company(0).companyId);
    for (const name of ['first', 'second']) {
      await client.query('update warehouse set name = $2 where id = $1', [row.id, name]);
      expect((await tenant.load(BY_ID, row.id))?.name).toBe(name);
    }
  });
});

describe('A failure', () => {
  test('of the server, and not of a key, is not repeated for each key', async () => {
    const ends = rowLoader<[id: number], Row>({
      name: 'test-ends',
      key: { id: 'integer' },
      text: `select ${COLUMNS}, pg_terminate_backend(pg_backend_pid()) from warehouse where ${MINE}`,
    });
    const statements = await statementsOf(world, async () => {
      const answers = await Promise.allSettled(
        [0, 1].map(i => tenantOf(company(i).companyId).load(ends, rowOf(i, 0).id)),
      );
      expect(answers).toMatchObject([{ reason: { code: 'unavailable' } }, { reason: { code: 'unavailable' } }]);
    });
    expect(statements).toEqual(['test-ends']);
  });

  test('of one key by the timeout of statements does not affect the rows of the others', async () => {
    // As PostgreSQL ends a statement at its timeout, without the ten seconds before it.
    await client.query(`create function ends_at_timeout() returns integer language plpgsql as
      $$ begin raise query_canceled using message = 'canceling statement due to statement timeout'; end $$`);
    const endless = rowLoader<[id: number], Row>({
      name: 'test-endless',
      key: { id: 'integer' },
      text: `select ${COLUMNS}, case when type_id = ${FAILING} then ends_at_timeout() end as ended from warehouse where ${MINE}`,
    });
    const load = (i: number, n: number) => tenantOf(company(i).companyId).load(endless, rowOf(i, n).id);
    const [failing, ofSame, ofOther] = await Promise.allSettled([load(0, 3), load(0, 0), load(1, 0)]);
    expect(failing).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect([ofSame, ofOther]).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  });

  test('of one key does not delay the others', async () => {
    // Its first row fails at once, and waits for the lock when it is asked for alone.
    const slow = rowLoader<[id: number], Row>({
      name: 'test-slow',
      key: { id: 'integer' },
      text: `select ${COLUMNS}, case when type_id <> ${FAILING} then null
          when (select count(*) from unnest($1)) > 1 then 1 / (type_id - 4)::text::integer
          else 1 + length(pg_advisory_xact_lock_shared(42)::text) end as slow
        from warehouse where ${MINE}`,
    });
    await whileLocked(async release => {
      const failing = tenantOf(company(0).companyId).load(slow, rowOf(0, 3).id);
      const neighbour = tenantOf(company(1).companyId).load(slow, rowOf(1, 0).id);
      expect(plain(await neighbour)).toEqual(plain(rowOf(1, 0)));
      await release();
      expect(plain(await failing)).toEqual(plain(rowOf(0, 3)));
    });
  });
});

/** Holds the lock that `LOCKED` waits for. */
async function whileLocked(work: (release: () => Promise<unknown>) => Promise<void>): Promise<void> {
  await client.query('select pg_advisory_lock(42)');
  const release = () => client.query('select pg_advisory_unlock_all()');
  try {
    await work(release);
  } finally {
    await release();
  }
}

/** How many statements wait for the lock. */
async function waiting(): Promise<number> {
  const { rows } = await client.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

describe('A statement for several requests', () => {
  const asked = (loader: Loader<[id: number], Row | undefined>, works: readonly Work[]) =>
    works.map((work, i) => tenantOf(company(i).companyId, work).load(loader, rowOf(i, 0).id));

  test('continues until the last of them is over, and is then cancelled', async () => {
    const [one, other] = [newWork(), newWork()];
    await whileLocked(async () => {
      const answers = Promise.allSettled(asked(LOCKED, [one, other]));
      await expect.poll(waiting).toBe(1);
      // The only request of another statement, which ends with it.
      const alone = newWork();
      const cancelled = Promise.allSettled(asked(LOCKED, [alone]));
      await expect.poll(waiting).toBe(2);
      one.end(gone());
      alone.end(gone());
      expect(await cancelled).toMatchObject([{ status: 'rejected' }]);
      await expect.poll(waiting).toBe(1);
      other.end(gone());
      await expect.poll(waiting).toBe(0);
      expect(await answers).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    });
  });

  test('still answers those that continue', async () => {
    const [one, other] = [newWork(), newWork()];
    await whileLocked(async release => {
      const answers = Promise.all(asked(LOCKED, [one, other]));
      await expect.poll(waiting).toBe(1);
      one.end(gone());
      await release();
      expect(plain((await answers)[1])).toEqual(plain(rowOf(1, 0)));
    });
  });

  test('is not run if all of them are over', async () => {
    const works = [newWork(), newWork()];
    const answers = asked(BY_ID, works);
    for (const work of works) work.end(gone());
    expect(await Promise.allSettled(answers)).toMatchObject(
      works.map(() => ({ status: 'rejected', reason: { code: 'graphql_timeout' } })),
    );
  });

  test('is shown under each of them in traces', async () => {
    const started: string[] = [];
    const request = (name: string): Span => ({
      traceId: '',
      start: statement => {
        started.push(`${name} ${statement}`);
        return request(name);
      },
      rename: () => undefined,
      add: () => undefined,
      fail: () => undefined,
      end: () => void started.push(`${name} ended`),
    });
    const options = { kind: 'server', attributes: {} } as const;
    await Promise.all(
      ['one', 'other'].map((name, i) =>
        traced(request(name), 'request', options, () => tenantOf(company(i).companyId).load(BY_ID, rowOf(i, 0).id)),
      ),
    );
    expect(started.filter(line => line.includes('test-by-id')).toSorted()).toEqual([
      'one test-by-id',
      'other test-by-id',
    ]);
    expect(started.filter(line => line === 'one ended')).toHaveLength(2);
  });

  test('of a company whose connections are all in use delays no other company', async () => {
    const { companyId } = company(0);
    await whileLocked(async release => {
      const taken = [];
      for (let i = 0; i < POOL_SIZE / 2; i++) {
        taken.push(tenantOf(companyId).load(LOCKED, rowOf(0, 0).id));
        await expect.poll(waiting).toBe(i + 1);
      }
      const late = tenantOf(companyId).load(BY_ID, rowOf(0, 0).id);
      const prompt = tenantOf(company(1).companyId).load(BY_ID, rowOf(1, 0).id);
      expect(plain(await prompt)).toEqual(plain(rowOf(1, 0)));
      await release();
      expect(plain(await late)).toEqual(plain(rowOf(0, 0)));
      await Promise.all(taken);
    });
  });
});

test('A transaction loads what it has itself written', async () => {
  const row = await insert(company(0).companyId, 'before');
  const tenant = tenantOf(company(0).companyId);
  const rename = tenant.transaction(async tx => {
    await tx.em.getKysely().executeQuery({
      sql: `update warehouse set name = 'within' where id = ${row.id}`,
    } as never);
    const [own, others] = await tx.loadAll(BY_ID, [[row.id], [rowOf(1, 0).id]]);
    expect([own?.name, others]).toEqual(['within', undefined]);
    expect((await tx.load(BY_ID, row.id))?.name).toBe('within');
    expect((await tenant.load(BY_ID, row.id))?.name).toBe('before');
    throw new Error('rolled back');
  });
  await expect(rename).rejects.toThrow('rolled back');
});

test('A loader whose rows need not be of the company that asks cannot be declared', () => {
  const declare = () => rowLoader({ name: 'test-open', key: { id: 'integer' }, text: 'select 1 where id = each.id' });
  expect(declare).toThrow('Statement test-open lacks the predicate company_id = each.company_id');
});
