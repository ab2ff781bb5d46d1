import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { parse } from 'csv-parse';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { kyselyOn } from '../../src/platform/database/internals/kysely-internals.ts';
import { joinTransaction } from '../../src/platform/database/internals/mikro-orm-internals.ts';
import {
  cancelStatement,
  closeSocket,
  dropIdle,
  onIdle,
  replaceConnect,
  replaceQuery,
  replaceRelease,
  saysLost,
  writeTogether,
} from '../../src/platform/database/internals/pg-internals.ts';
import { completedIds, insertStatement, optionsOf } from '../../src/platform/jobs/pgboss-internals.ts';
import { allowAnyLength } from '../../src/platform/tables/csv-internals.ts';
import { withBoss } from '../support/boss.ts';
import { useWorld } from '../support/world.ts';

/** Undeclared behaviour of libraries that the service relies on. A test that fails after an upgrade names it. */

const world = useWorld({ ROLE: 'api' });
const soon = { timeout: 15_000, interval: 20 };
const SLEEP = 'select pg_sleep(20)';
const PID = 'select pg_backend_pid() as pid';

let pool: pg.Pool;
beforeEach(() => {
  const settings = { connectionString: world.ownerUrl, max: 2, pipeline: true };
  pool = new pg.Pool(settings);
  pool.on('error', () => undefined);
});
afterEach(async () => {
  await pool.end();
});

/** A client of the pool, given back for good when the test ends. */
async function taken(): Promise<pg.PoolClient> {
  const client = await pool.connect();
  client.on('error', () => undefined);
  return client;
}

describe('The driver pg', () => {
  test('cancels a statement on the server by the numbers that its connection has', async () => {
    const client = await taken();
    const [{ pid }] = (await client.query<{ pid: number }>(PID)).rows as [{ pid: number }];
    const sleeping = client.query(SLEEP);
    const isActive = async () =>
      (await world.pool.query(`select from pg_stat_activity where pid = $1 and state = 'active'`, [pid])).rowCount;
    await expect.poll(isActive, soon).toBe(1);
    cancelStatement(client);
    await expect(sleeping).rejects.toThrow();
    await expect.poll(isActive, soon).toBe(0);
    client.release(true);
  });

  test('lets a statement that waits on a connection with a closed socket fail with the reason', async () => {
    const client = await taken();
    const sleeping = client.query(SLEEP);
    closeSocket(client, new Error('closed by the test'));
    await expect(sleeping).rejects.toThrow('closed by the test');
    client.release(true);
  });

  /** The message of each failure. */
  const failures: readonly (readonly [what: string, fails: () => Promise<unknown>])[] = [
    [
      'a connection that breaks under a statement',
      async () => {
        const client = await taken();
        const sleeping = client.query(SLEEP);
        closeSocket(client);
        return sleeping.finally(() => client.release(true));
      },
    ],
    [
      'a statement on a connection that is broken',
      async () => {
        const client = await taken();
        const sleeping = client.query(SLEEP);
        closeSocket(client);
        await sleeping.catch(() => undefined);
        return client.query('select 1').finally(() => client.release(true));
      },
    ],
    [
      'a statement on a connection that was ended',
      async () => {
        const client = new pg.Client({ connectionString: world.ownerUrl });
        await client.connect();
        await client.end();
        return client.query('select 1');
      },
    ],
    [
      'a pool that has no connection free in time',
      async () => {
        const full = new pg.Pool({ connectionString: world.ownerUrl, max: 1, connectionTimeoutMillis: 50 });
        const client = await full.connect();
        try {
          return await full.connect();
        } finally {
          client.release();
          await full.end();
        }
      },
    ],
    [
      'a server that does not answer in time',
      async () => {
        const client = new pg.Client({ connectionString: world.ownerUrl, query_timeout: 50 });
        client.on('error', () => undefined);
        await client.connect();
        return client.query(SLEEP).finally(() => closeSocket(client));
      },
    ],
  ];
  test.each(failures)('reports %s by the text of its error', async (_what, fails) => {
    const error = await fails().then(
      () => undefined,
      (reason: Error & { code?: string }) => reason,
    );
    expect(error?.code).toBeUndefined();
    expect(saysLost(error?.message), error?.message).toBe(true);
  });

  test('writes statements that are sent in one turn of the event loop together', async () => {
    const client = await taken();
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    let writes = 0;
    const { _writev: writev, _write: write } = stream as unknown as Record<
      '_writev' | '_write',
      (...args: unknown[]) => void
    >;
    Object.assign(stream, {
      _writev: (...args: unknown[]) => {
        writes++;
        writev.apply(stream, args);
      },
      _write: (...args: unknown[]) => {
        writes++;
        write.apply(stream, args);
      },
    });
    const sent = [1, 2, 3].map(n => {
      writeTogether(client);
      return client.query('select $1::integer as n', [n]);
    });
    const results = await Promise.all(sent);
    expect(results.map(({ rows }) => rows[0].n)).toEqual([1, 2, 3]);
    expect(writes).toBe(1);
    client.release();
  });

  test('removes an idle connection from its pool when it is reported lost', async () => {
    const client = await pool.connect();
    client.release();
    expect([pool.totalCount, pool.idleCount]).toEqual([1, 1]);
    dropIdle(client, 'lost');
    expect([pool.totalCount, pool.idleCount]).toEqual([0, 0]);
    expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });

  test('sends the statements of a pool through a replaced query of its client', async () => {
    const client = await pool.connect();
    const passed: unknown[] = [];
    replaceQuery(client, query => (...args) => {
      passed.push(args[0]);
      return query(...args);
    });
    client.release();
    await pool.query('select 1');
    expect(passed).toEqual(['select 1']);
  });

  test('accepts a replaced release, and makes a new one when the pool hands the client out again', async () => {
    const client = await pool.connect();
    const released: unknown[] = [];
    replaceRelease(client, release => failure => {
      released.push(failure);
      release(failure);
    });
    client.release();
    const again = await pool.connect();
    expect(again).toBe(client);
    again.release(true);
    expect(released).toEqual([undefined]);
    expect(pool.totalCount).toBe(0);
  });

  test('takes connections for a pool’s own statements by the function that replaces `connect`, with a callback', async () => {
    const by: string[] = [];
    replaceConnect(pool, take => callback => {
      by.push(callback === undefined ? 'promise' : 'callback');
      return take(callback);
    });
    await pool.query('select 1');
    (await pool.connect()).release();
    expect(by).toEqual(['callback', 'promise']);
  });

  test('reports each time that nothing is under way on a client any more', async () => {
    const client = await taken();
    let idle = 0;
    onIdle(client, () => idle++);
    await Promise.all([client.query('select 1'), client.query('select 2')]);
    await expect.poll(() => idle, soon).toBe(1);
    await client.query('select 3');
    await expect.poll(() => idle, soon).toBe(2);
    client.release();
  });
});

describe('Kysely', () => {
  test('runs statements on the connection that it was made for, and does not give it back', async () => {
    const client = await taken();
    const { rows } = await client.query(PID);
    const kysely = kyselyOn(client);
    for (const _ of [1, 2]) expect((await sql`select pg_backend_pid() as pid`.execute(kysely)).rows).toEqual(rows);
    expect(pool.idleCount).toBe(0);
    expect(kyselyOn(client)).toBe(kysely);
    client.release();
  });
});

describe('The unit of work of MikroORM', () => {
  test('runs its statements in the transaction that it joins, and does not end this transaction', async () => {
    const client = await taken();
    await client.query('begin');
    const em = world.app.database.orm.em.fork();
    joinTransaction(em, kyselyOn(client));
    const name = `test-${randomUUID()}`;
    expect(await em.execute(PID)).toEqual((await client.query(PID)).rows);
    await em.execute(`select set_config('test.name', ?, true)`, [name]);
    await em.flush();
    const named = async () => (await client.query(`select current_setting('test.name', true) as name`)).rows[0].name;
    expect(await named()).toBe(name);
    await client.query('rollback');
    expect(await named()).not.toBe(name);
    client.release();
  });
});

describe('The library pg-boss', () => {
  test('inserts jobs by one statement, which it passes to the database that it is given', async () => {
    const queue = `test.${randomUUID()}`;
    const id = randomUUID();
    const [ids, found] = await withBoss(world, async boss => {
      await boss.createQueue(queue);
      const { text, values } = await insertStatement(boss, queue, [{ id, data: { n: 1 } }]);
      const before = await boss.findJobs(queue);
      await world.pool.query(text, values);
      return [before.map(job => job.id), (await boss.findJobs(queue)).map(job => job.id)];
    });
    expect(ids).toEqual([]);
    expect(found).toEqual([id]);
  });

  test('returns the jobs that it completed: those that are still held', async () => {
    const queue = `test.${randomUUID()}`;
    const completed = await withBoss(world, async boss => {
      await boss.createQueue(queue);
      await boss.insert(queue, [{ data: {} }, { data: {} }]);
      const [held = { id: '' }, lost = { id: '' }] = await boss.fetch(queue, { batchSize: 2 });
      const holds = [
        { id: held.id, retryCount: 0 },
        { id: lost.id, retryCount: 7 },
      ];
      return [held.id, completedIds(await boss.complete(queue, holds))] as const;
    });
    expect([...completed[1]]).toEqual([completed[0]]);
    expect(() => completedIds({})).toThrow('no longer says');
  });

  test('returns the options of a queue by the names that it was made with', async () => {
    const queue = `test.${randomUUID()}`;
    const options = { retryLimit: 3, heartbeatSeconds: 20, retentionSeconds: 3600, deleteAfterSeconds: 7200 };
    const known = await withBoss(world, async boss => {
      await boss.createQueue(queue, options);
      return (await boss.getQueues()).find(({ name }) => name === queue);
    });
    expect(optionsOf(known as object)).toMatchObject(options);
  });
});

test('The library csv-parse gives no error for a record of another length than the first', async () => {
  const parser = parse({ relax_column_count: true });
  allowAnyLength(parser);
  parser.end('a,b,c\n1\n1,2,3,4\n');
  expect(await Array.fromAsync(parser)).toEqual([['a', 'b', 'c'], ['1'], ['1', '2', '3', '4']]);
  expect(parser.info.invalid_field_length).toBe(0);
});
