import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, useProcesses, waiting } from './processes.ts';

/** It changes `carrier_connection`, which requests read. */
const MIGRATION = 'Migration20261128150000_credentials_by_question';
/** It changes `shipment`, and the one after it builds an index concurrently. */
const BEFORE_INDEX = 'Migration20261128120000_fold';

const INDEX = 'Migration20261128100002_delivery_index';

const processes = useProcesses();

const databaseBefore = (migration: string) => migratedUpTo(processes, migration);

/** A transaction that has read a table and continues, such as a dump. */
async function longReader(url: string, table = 'carrier_connection'): Promise<pg.Client> {
  const holder = await processes.connect(url);
  await holder.query('begin isolation level repeatable read');
  await holder.query(`select from ${table}`);
  return holder;
}

describe('While a transaction has a table in use, `migrate`', { timeout: 60_000 }, () => {
  test('gives up if the transaction never ends, changes nothing, and can be run again', async () => {
    const url = await databaseBefore(MIGRATION);
    // So that it gives up soon.
    const administrator = await processes.connect(url);
    await administrator.query(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout = 50`);
    const holder = await longReader(url);
    const refused = await inProcess(['migrate'], { DATABASE_URL: url });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expectSentence(refused.stderr);
    expect(refused.stderr).toContain(MIGRATION);
    expect(refused.stderr).toMatch(/pg_stat_activity.*cli -- migrate/);
    await expect(administrator.query('select questions from carrier_connection')).rejects.toThrow('questions');

    await holder.query('rollback');
    const done = answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    expect(done.migrations).toContain(MIGRATION);
  });

  test('lets others continue, and completes when the transaction has ended', async () => {
    const url = await databaseBefore(MIGRATION);
    const holder = await longReader(url);
    const reader = await processes.connect(url);
    const migrate = processes.startCli(['migrate', '--json'], { DATABASE_URL: url });
    await vi.waitUntil(async () => (await waiting(holder)) === 1, { timeout: 20_000, interval: 20 });
    // It stands behind the migration, which stands behind the holder.
    await reader.query('select from carrier_connection');
    expect(migrate.runs).toBe(true);
    await holder.query('rollback');
    expect(answerOf(await migrate.ended()).migrations).toContain(MIGRATION);
    await reader.query('select questions from carrier_connection');
  });

  test('can be run again at once after it was killed while it built an index', async () => {
    const url = await databaseBefore(INDEX);
    const holder = await longReader(url, 'shipment');
    const killed = processes.startCli(['migrate'], { DATABASE_URL: url });
    await vi.waitUntil(async () => (await waiting(holder)) === 1, { timeout: 20_000, interval: 20 });
    killed.kill('SIGKILL');
    // Its session would otherwise build on while the next one begins anew.
    await vi.waitUntil(async () => (await waiting(holder)) === 0, { timeout: 20_000, interval: 20 });
    const migrate = processes.startCli(['migrate', '--json'], { DATABASE_URL: url });
    await vi.waitUntil(async () => (await waiting(holder)) === 1, { timeout: 20_000, interval: 20 });
    await holder.query('rollback');
    expect(answerOf(await migrate.ended()).migrations).toContain(INDEX);
    const { rows } = await holder.query(
      "select indisvalid from pg_index where indexrelid = 'shipment_by_delivered'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('follows another `migrate` that began at the same moment, though one waits for every statement before its index', async () => {
    const url = await databaseBefore(BEFORE_INDEX);
    const holder = await longReader(url, 'shipment');
    const both = [1, 2].map(() => processes.cli(['migrate', '--json'], { DATABASE_URL: url }));
    await vi.waitUntil(async () => (await waiting(holder)) === 2, { timeout: 20_000, interval: 20 });
    await holder.query('rollback');
    const answers = (await Promise.all(both)).map(answerOf);
    const [none, all] = answers.toSorted((one, other) => one.migrations.length - other.migrations.length);
    expect(none.migrations).toEqual([]);
    expect(all.migrations).toContain(BEFORE_INDEX);
  });
});

test('`migrate` whose connection the server ends between two statements says so, and can be run again', async () => {
  const url = await processes.database('empty');
  const administrator = await processes.connect(url);
  // As a failover does, or a timeout of the server.
  const ended = administrator.query(`do $$ begin
    loop
      perform pg_stat_clear_snapshot();
      perform pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction' and query ~* '(create|alter) table';
      exit when found;
    end loop;
  end $$`);
  const refused = await processes.cli(['migrate'], { DATABASE_URL: url });
  await ended;
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expectSentence(refused.stderr);
  expect(refused.stderr).toMatch(/was cut off: .*cli -- migrate/);
  expect((await processes.cli(['migrate'], { DATABASE_URL: url })).code).toBe(0);
});

test('A command that only reads does not set up an embedded database, and names `migrate`', async () => {
  const env = { DATA_DIR: await processes.dataDir() };
  const rejected = await inProcess(['company', 'list'], env);
  expect(rejected).toMatchObject({ code: 1, stdout: '' });
  expect(rejected.stderr).toContain('run `npm run -s cli -- migrate` first');
  const { companyId } = answerOf(await inProcess(['company', 'create', '--name', 'Prima', '--json'], env));
  expect(answerOf(await inProcess(['key', 'list', '--company', companyId, '--json'], env))).toEqual([]);
});
