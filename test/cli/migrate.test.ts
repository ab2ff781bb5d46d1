import { beforeAll, describe, expect, test } from 'vitest';
import { withBoss } from '../support/boss.ts';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, useProcesses } from './processes.ts';

const LAST = 'Migration20261121140000_shared_rates';

const processes = useProcesses();

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
      [await processes.database('empty'), /Migration20261121000000_service, .*Migration/],
    ];
    databases = await Promise.all(urls.map(async ([url, missing]) => ({ url, shape: await shapeOf(url), missing })));
  });

  test.each(commands)('$command', async ({ command, options = [] }) => {
    for (const { url, shape, missing } of databases) {
      const env = { DATABASE_URL: url, DATA_DIR: await processes.dataDir() };
      const rejected = await inProcess([...command.split(' '), ...options], env);
      expect(rejected).toMatchObject({ code: 1, stdout: '' });
      expectSentence(rejected.stderr);
      expect(rejected.stderr).toMatch(missing);
      expect(rejected.stderr).toContain('run `npm run -s cli -- migrate` first');
      expect(await shapeOf(url)).toBe(shape);
    }
  });

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

  test('migrate waits for the indexes that pg-boss builds in the background, which no service can build', async () => {
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
