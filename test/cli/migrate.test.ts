import { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, useProcesses, waiting } from './processes.ts';

/** It changes `api_key`, which every request reads. */
const MIGRATION = 'Migration20261121130000_limits';
/** It changes `shipment`, and the one after it builds an index concurrently. */
const BEFORE_INDEX = 'Migration20261121100000_webhooks';

const INDEX = 'Migration20261121100001_shipment_expected';

const LAST = 'Migration20261121140000_shared_rates';

const processes = useProcesses();

/** A database that lacks a migration and those after it. */
async function databaseBefore(migration: string): Promise<string> {
  const url = await processes.database('empty');
  const orm = new MikroORM(databaseOptions(url, 2));
  try {
    const pending = await orm.migrator.getPending();
    for (const { name } of pending.filter(one => one.name < migration)) await orm.migrator.up(name);
  } finally {
    await orm.close(true);
  }
  return url;
}

/** A transaction that has read a table and goes on, such as a dump's. */
async function longReader(url: string, table = 'api_key'): Promise<pg.Client> {
  const holder = await processes.connect(url);
  await holder.query('begin isolation level repeatable read');
  await holder.query(`select from ${table}`);
  return holder;
}

describe.concurrent('migrate beside a transaction that has a table in use', () => {
  test('it lets others go on meanwhile, and completes when the transaction has ended', async () => {
    const url = await databaseBefore(MIGRATION);
    const holder = await longReader(url);
    const reader = await processes.connect(url);
    const migrate = processes.startCli(['migrate', '--json'], { DATABASE_URL: url });
    await vi.waitUntil(async () => (await waiting(holder)) === 1, { timeout: 20_000, interval: 20 });
    // It stands behind the migration, which stands behind the holder.
    await reader.query('select from api_key');
    expect(migrate.runs).toBe(true);
    await holder.query('rollback');
    expect(answerOf(await migrate.ended()).migrations).toContain(MIGRATION);
    await reader.query('select rates from api_key');
  });

  test('it gives up when the transaction never ends, having changed nothing, and can be run again', async () => {
    const url = await databaseBefore(MIGRATION);
    // So that it gives up soon.
    const administrator = await processes.connect(url);
    await administrator.query(`alter database ${new URL(url).pathname.slice(1)} set lock_timeout = 50`);
    const holder = await longReader(url);
    const refused = await processes.cli(['migrate'], { DATABASE_URL: url });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expectSentence(refused.stderr);
    expect(refused.stderr).toContain(MIGRATION);
    expect(refused.stderr).toMatch(/pg_stat_activity.*cli -- migrate/);
    await expect(administrator.query('select rates from api_key')).rejects.toThrow('rates');

    await holder.query('rollback');
    const done = answerOf(await processes.cli(['migrate', '--json'], { DATABASE_URL: url }));
    expect(done.migrations).toContain(MIGRATION);
  });

  test('killed while it builds an index, it can be run again at once', async () => {
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
      "select indisvalid from pg_index where indexrelid = 'shipment_expected'::regclass",
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('two at the same moment follow each other, though one waits for every statement before its index', async () => {
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

describe('every other command leaves the shape of the database as it is, and names migrate', () => {
  /** Everything that a migration makes, as a text. */
  async function shapeOf(url: string): Promise<string> {
    const database = await processes.connect(url);
    const { rows } = await database.query(
      `select table_schema, table_name, column_name, data_type from information_schema.columns
        where table_schema not in ('pg_catalog', 'information_schema') order by 1, 2, 3`,
    );
    return JSON.stringify(rows);
  }

  const id = '00000000-0000-4000-8000-000000000000';
  const commands: { command: string; options?: string[] }[] = [
    { command: 'key list' },
    { command: 'company list' },
    { command: 'queue list' },
    { command: 'webhook list', options: ['--company', id] },
    { command: 'company create', options: ['--name', 'Prima'] },
    { command: 'key create', options: ['--company', id, '--label', 'L', '--scopes', 'all'] },
    { command: 'webhook redrive' },
    { command: 'demo' },
  ];
  test.each(commands)('$command', async ({ command, options = [] }) => {
    const cases: [url: string, missing: RegExp][] = [
      [await databaseBefore(LAST), new RegExp(LAST)],
      [await processes.database('empty'), /Migration20261121000000_service, .*Migration/],
    ];
    for (const [url, missing] of cases) {
      const before = await shapeOf(url);
      const env = { DATABASE_URL: url, DATA_DIR: await processes.dataDir() };
      const rejected = await inProcess([...command.split(' '), ...options], env);
      expect(rejected).toMatchObject({ code: 1, stdout: '' });
      expectSentence(rejected.stderr);
      expect(rejected.stderr).toMatch(missing);
      expect(rejected.stderr).toContain('run `npm run cli -- migrate` first');
      expect(await shapeOf(url)).toBe(before);
    }
  });

  test('a queue that is missing is named too', async () => {
    const url = await processes.database('migrated');
    const database = await processes.connect(url);
    await database.query("select pgboss.delete_queue('webhooks.retention')");
    const rejected = await inProcess(['key', 'list'], { DATABASE_URL: url });
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/webhooks\.retention.*`npm run cli -- migrate`/);
    answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    answerOf(await inProcess(['key', 'list', '--json'], { DATABASE_URL: url }));
  });

  test('a command that only reads does not set up an embedded database either', async () => {
    const env = { DATA_DIR: await processes.dataDir() };
    const rejected = await inProcess(['key', 'list'], env);
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toContain('run `npm run cli -- migrate` first');
    answerOf(await inProcess(['company', 'create', '--name', 'Prima', '--json'], env));
    expect(answerOf(await inProcess(['key', 'list', '--json'], env))).toEqual([]);
  });
});
