import { beforeAll, describe, expect, test } from 'vitest';
import { withBoss } from '../support/boss.ts';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, type Json, useProcesses } from './processes.ts';
import { startError } from './service-calls.ts';

const BASELINE = 'Migration20261126000005_version_1_contracted';
const LAST = 'Migration20261128150001_credentials_by_question_checked';

const processes = useProcesses();

describe('Before a migration', () => {
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
    { command: 'key list', options: ['--company', id] },
    { command: 'company list' },
    { command: 'queue list' },
    { command: 'webhook list', options: ['--company', id] },
    { command: 'company create', options: ['--name', 'Prima'] },
    { command: 'key create', options: ['--company', id, '--label', 'L', '--scopes', 'all'] },
    { command: 'webhook redrive' },
    { command: 'demo' },
  ];
  /** With the shape that they have, which no command may change. */
  let databases: { url: string; shape: string; missing: RegExp }[];
  beforeAll(async () => {
    const urls: [url: string, missing: RegExp][] = [
      [await migratedUpTo(processes, LAST), new RegExp(LAST)],
      [await processes.database('empty'), new RegExp(`${BASELINE}, .*Migration`)],
    ];
    databases = await Promise.all(urls.map(async ([url, missing]) => ({ url, shape: await shapeOf(url), missing })));
  });

  test.each(commands)(
    '$command leaves the shape of the database as it is, and names `migrate`',
    async ({ command, options = [] }) => {
      for (const { url, shape, missing } of databases) {
        const env = { DATABASE_URL: url, DATA_DIR: await processes.dataDir() };
        const rejected = await inProcess([...command.split(' '), ...options], env);
        expect(rejected).toMatchObject({ code: 1, stdout: '' });
        expectSentence(rejected.stderr);
        expect(rejected.stderr).toMatch(missing);
        expect(rejected.stderr).toContain('run `npm run -s cli -- migrate` first');
        expect(await shapeOf(url)).toBe(shape);
      }
    },
  );

  test('a queue that is missing is named too', async () => {
    const url = processes.ownerOf(await processes.database('migrated'));
    const database = await processes.connect(url);
    await database.query("select pgboss.delete_queue('retention.run')");
    const rejected = await inProcess(['company', 'list'], { DATABASE_URL: url });
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/retention\.run.*`npm run -s cli -- migrate`/);
    answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    answerOf(await inProcess(['company', 'list', '--json'], { DATABASE_URL: url }));
  });

  test('`migrate` waits for the indexes that pg-boss builds in the background, which no service can build', async () => {
    const url = processes.ownerOf(await processes.database('migrated'));
    const database = await processes.connect(url);
    await database.query(
      `insert into pgboss.bam (name, version, table_name, command) values ('slow', 99, 'job_common', 'select pg_sleep(0.3)'),
        ('index', 99, 'job_common', 'create index concurrently later_index on pgboss.job_common (output)')`,
    );
    // As if the last build was long ago, which pg-boss would pause after.
    await database.query('update pgboss.version set bam_on = null');
    answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    const { rows } = await database.query(`select name, status from pgboss.bam where version = 99 order by name`);
    expect(rows).toEqual([
      { name: 'index', status: 'completed' },
      { name: 'slow', status: 'completed' },
    ]);
    await database.query('drop index pgboss.later_index');
  });

  test('a schedule of an earlier version makes no more jobs, and its queue stays for processes that still run', async () => {
    const url = processes.ownerOf(await processes.database('migrated'));
    const database = await processes.connect(url);
    await withBoss({ databaseUrl: url }, async boss => {
      await boss.createQueue('former.schedule');
      await boss.schedule('former.schedule', '* * * * *');
      await boss.schedule('retention.run', '17 * * * *');
    });
    answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    const { rows } = await database.query('select name from pgboss.schedule');
    expect(rows).toEqual([{ name: 'retention.run' }]);
    const { rowCount } = await database.query(`select from pgboss.queue where name = 'former.schedule'`);
    expect(rowCount).toBe(1);
  });
});

/** Names as 1.0.0 recorded them before its last migration. */
const EARLIER = ['Migration20261121000000_service', 'Migration20261126000004_stored_names'];

test('A database that 1.0.0 has migrated is upgraded by the migrations since then alone, to the shape of a new one', async () => {
  const url = await migratedUpTo(processes, 'Migration20261128');
  const database = await processes.connect(url);
  await database.query('insert into mikro_orm_migrations (name) select unnest($1::text[])', [EARLIER]);
  const { migrations } = answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
  expect(migrations).not.toContain(BASELINE);
  expect(migrations).toContain(LAST);
  const findings: Json[] = JSON.parse((await inProcess(['doctor', '--json'], { DATABASE_URL: url })).stdout);
  const statusOf = (name: string) => findings.find(({ check }) => check === name)?.status;
  expect(['version', 'migrations', 'shape'].map(statusOf)).toEqual(['ok', 'ok', 'ok']);
});

test('A database of a version before 1.0.0 stays as it is, and whatever opens it says to upgrade it to 1.0.0 first', async () => {
  const url = await migratedUpTo(processes, 'Migration20261128');
  const database = await processes.connect(url);
  await database.query('insert into mikro_orm_migrations (name) select unnest($1::text[])', [EARLIER]);
  await database.query('delete from mikro_orm_migrations where name = $1', [BASELINE]);
  const ADVICE = /too old .*a version before 1\.0\.0 has migrated .*install 1\.0\.0 and run its `migrate` first/;
  for (const command of ['migrate', 'key list --company 00000000-0000-4000-8000-000000000000', 'demo']) {
    const rejected = await inProcess(command.split(' '), { DATABASE_URL: url, DATA_DIR: await processes.dataDir() });
    expect(rejected, command).toMatchObject({ code: 1, stdout: '' });
    expectSentence(rejected.stderr);
    expect(rejected.stderr, command).toMatch(ADVICE);
  }
  for (const MIGRATE_ON_START of ['true', 'false']) {
    expect(await startError({ DATABASE_URL: url, MIGRATE_ON_START })).toMatch(ADVICE);
  }
  const findings: Json[] = JSON.parse((await inProcess(['doctor', '--json'], { DATABASE_URL: url })).stdout);
  expect(findings.find(({ check }) => check === 'version')).toMatchObject({
    status: 'fail',
    advice: expect.stringContaining('install 1.0.0'),
  });
  const { rows } = await database.query('select name from mikro_orm_migrations order by name');
  expect(rows.map(({ name }) => name)).toEqual(EARLIER);
});
