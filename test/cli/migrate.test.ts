import type pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { withBoss } from '../support/boss.ts';
import { migratedUpTo } from './earlier-database.ts';
import { inProcess } from './in-process.ts';
import { answerOf, expectSentence, useProcesses } from './processes.ts';

/** It changes `api_key`, which every request reads. */
const MIGRATION = 'Migration20261121130000_limits';

const LAST = 'Migration20261121140000_shared_rates';

const processes = useProcesses();

const databaseBefore = (migration: string) => migratedUpTo(processes, migration);

/** A transaction that has read a table and continues, such as a dump. */
async function longReader(url: string, table = 'api_key'): Promise<pg.Client> {
  const holder = await processes.connect(url);
  await holder.query('begin isolation level repeatable read');
  await holder.query(`select from ${table}`);
  return holder;
}

describe('migrate beside a transaction that has a table in use', () => {
  test('it gives up when the transaction never ends, having changed nothing, and can be run again', async () => {
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
    await expect(administrator.query('select rates from api_key')).rejects.toThrow('rates');

    await holder.query('rollback');
    const done = answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    expect(done.migrations).toContain(MIGRATION);
  });
});

describe('migrate converts earlier shipments to the new form', () => {
  const STEPS = 'Migration20261122100001_steps_of_before';
  const companyId = '00000000-0000-4000-8000-00000000000a';
  const [LONG, SOON] = ['2098-05-01T08:00:00.000Z', new Date(Date.now() + 23 * 3_600_000).toISOString()];
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
  const recorded = at(15);

  type Event = [at: string, statusCode: string, code?: string, note?: string];
  type After = [
    status: string,
    statusAt: string | null,
    deliveredAt: string | null,
    scan: string | null,
    shipped: string | null,
  ];
  // biome-ignore format: a table reads as rows
  const shipments: Record<string, { was: string; events: Event[]; is: After; timeline?: Event[]; isPolled?: boolean }> = {
    'has none':       { was: 'created', events: [], is: ['created', null, null, null, null] },
    'under way':      { was: 'in_transit', events: [[at(8), 'created'], [at(9), 'shipped'], [at(11), 'in_transit']],
                        is: ['in_transit', at(11), null, at(9), at(9)] },
    'unknown only':   { was: 'unknown', events: [[at(8), 'unknown', '1'], [at(9), 'unknown', '2']],
                        is: ['unknown', at(9), null, null, null] },
    'delivered once': { was: 'unknown', events: [[at(9), 'shipped'], [at(10), 'delivered', '906'], [at(12), 'unknown', '999']],
                        is: ['delivered', at(10), at(10), at(9), at(9)] },
    'a day ahead':    { was: 'held', events: [[SOON, 'held']], is: ['held', SOON, null, SOON, null] },
    'of 2098':        { was: 'delivered', events: [[at(9), 'in_transit'], [LONG, 'delivered', '906', 'Firma']],
                        is: ['in_transit', at(9), null, at(9), null], isPolled: true,
                        timeline: [[at(9), 'in_transit'], [recorded, 'unknown', '906', `Firma · Orario nel futuro: ${LONG}`]] },
    'twice of 2098':  { was: 'held', events: [[LONG, 'held', '3'], ['2098-05-01T09:00:00.000Z', 'held', '3']],
                        is: ['unknown', recorded, null, null, null], isPolled: true,
                        timeline: [['2026-11-20T14:59:59.999Z', 'unknown', '3', `Orario nel futuro: ${LONG}`],
                          [recorded, 'unknown', '3', 'Orario nel futuro: 2098-05-01T09:00:00.000Z']] },
  };

  test('in a run, and in a second one that finds nothing to do', async () => {
    const url = await databaseBefore(STEPS);
    const database = await processes.connect(url);
    await database.query("insert into company (id, name) values ($1, 'A')", [companyId]);
    await database.query(
      `insert into carrier_connection (company_id, id, carrier_code, label, is_active, credentials)
        values ($1, 7, 'GLS', 'A', true, 'sealed')`,
      [companyId],
    );
    for (const [number, { was, events }] of Object.entries(shipments)) {
      const newest =
        events
          .map(([time]) => time)
          .toSorted()
          .at(-1) ?? null;
      const { rows } = await database.query(
        `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, recipient, parcel_number,
            status_code, status_at, delivered_at)
          values ($1, 7, $2, $2, '{}', 1, $3, $4, case $3 when 'delivered' then $4::timestamptz end) returning id`,
        [companyId, number, was, newest],
      );
      for (const [time, statusCode, code, note] of events) {
        await database.query(
          `insert into tracking_event (company_id, shipment_id, occurred_at, status_code, carrier_status_code, note, recorded_at)
            values ($1, $2, $3, $4, $5, $6, $7)`,
          [companyId, rows[0]?.id, time, statusCode, code, note, recorded],
        );
      }
    }
    const found = async () => {
      const { rows } = await database.query(
        `select s.*, p.shipment_id is not null as "isPolled", (select coalesce(json_agg(e order by e.occurred_at, e.id), '[]')
            from tracking_event e where e.shipment_id = s.id) as timeline
          from shipment s left join tracking_poll p on p.shipment_id = s.id order by s.id`,
      );
      return rows;
    };
    const iso = (time: string | Date | null) => (time === null ? null : new Date(time).toISOString());
    expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toContain(STEPS);
    const rows = await found();
    const after = rows.map(row => [
      row.tracking_number,
      {
        is: [row.status_code, ...[row.status_at, row.delivered_at, row.first_scan_at, row.shipped_at].map(iso)],
        timeline: row.timeline.map((one: Record<string, string | null>) => [
          iso(one.occurred_at ?? null),
          one.status_code,
          one.carrier_status_code ?? undefined,
          one.note ?? undefined,
        ]),
        isPolled: row.isPolled,
      },
    ]);
    const whole = ([time, statusCode, code, note]: Event) => [time, statusCode, code, note];
    expect(Object.fromEntries(after)).toEqual(
      Object.fromEntries(
        Object.entries(shipments).map(([number, { is, events, timeline = events, isPolled = false }]) => [
          number,
          { is, timeline: timeline.map(whole), isPolled },
        ]),
      ),
    );
    // As after one that was stopped.
    await database.query('delete from mikro_orm_migrations where name = $1', [STEPS]);
    expect(answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url })).migrations).toEqual([STEPS]);
    expect(await found()).toEqual(rows);
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
  /** With the shape that they have, which no command may change. */
  let databases: { url: string; shape: string; missing: RegExp }[];
  beforeAll(async () => {
    const urls: [url: string, missing: RegExp][] = [
      [await databaseBefore(LAST), new RegExp(LAST)],
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
    const rejected = await inProcess(['key', 'list'], { DATABASE_URL: url });
    expect(rejected).toMatchObject({ code: 1, stdout: '' });
    expect(rejected.stderr).toMatch(/retention\.run.*`npm run -s cli -- migrate`/);
    answerOf(await inProcess(['migrate', '--json'], { DATABASE_URL: url }));
    answerOf(await inProcess(['key', 'list', '--json'], { DATABASE_URL: url }));
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
