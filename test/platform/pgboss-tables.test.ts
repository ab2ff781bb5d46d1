import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from 'pg-boss/package.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { useWorld } from '../support/world.ts';

const FILE = 'src/platform/jobs/pgboss-tables.ts';

/**
 * The parts of pg-boss' tables that the service's SQL relies on. If an upgrade of pg-boss fails here, read its change
 * log, check every statement of the file above, and then update this test.
 */
const RELIED_ON = {
  package: '12.38.0',
  schema: 46,
  columns: [
    'job.blocked bool',
    'job.completed_on timestamptz',
    'job.created_on timestamptz',
    'job.data jsonb',
    'job.group_id text',
    'job.id uuid',
    'job.name text',
    'job.output jsonb',
    'job.retry_count int4',
    'job.singleton_key text',
    'job.source_created_on timestamptz',
    'job.source_name text',
    'job.start_after timestamptz',
    'job.state job_state',
    'queue.active_count int4',
    'queue.dead_letter text',
    'queue.deferred_count int4',
    'queue.failed_count int4',
    'queue.name text',
    'queue.ready_count int4',
    'schedule.created_on timestamptz',
    'schedule.cron text',
    'schedule.name text',
    'version.version int4',
  ],
  /** Their order counts: states below `active` are not taken yet. */
  states: 'created retry active completed cancelled failed',
  clock: 'timestamp with time zone SELECT pg_catalog.now();',
  /** Finds the oldest job that is due. */
  index:
    "(name, state, blocked, start_after) WHERE (state = ANY (ARRAY['created'::pgboss.job_state, 'retry'::pgboss.job_state, 'active'::pgboss.job_state, 'failed'::pgboss.job_state]))",
};

const world = useWorld();
const root = new URL('../../', import.meta.url).pathname;

interface Client {
  query<Row>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** The parts in the tables that the installed version of pg-boss makes. */
async function found(client: Client): Promise<typeof RELIED_ON> {
  const one = async (text: string, values: unknown[] = []) => {
    const { rows } = await client.query<{ value: string }>(text, values);
    return rows.map(({ value }) => value);
  };
  const columns = await one(
    `select table_name || '.' || column_name || ' ' || udt_name as value from information_schema.columns
      where table_schema = 'pgboss' and table_name || '.' || column_name = any($1) order by 1`,
    [RELIED_ON.columns.map(column => column.split(' ')[0])],
  );
  const [states = ''] = await one(
    `select string_agg(enumlabel, ' ' order by enumsortorder) as value from pg_enum where enumtypid = 'pgboss.job_state'::regtype`,
  );
  const [clock = ''] = await one(
    `select pg_get_function_result(p.oid) || ' ' || trim(both e' \\n' from p.prosrc) as value
      from pg_proc p where p.pronamespace = 'pgboss'::regnamespace and p.proname = 'job_now'`,
  );
  const [index = ''] = await one(
    `select substring(indexdef from 'USING btree (.*)$') as value from pg_indexes
      where schemaname = 'pgboss' and indexname = 'job_common_i14'`,
  );
  return { package: packageJson.version, schema: packageJson.pgboss.schema, columns, states, clock, index };
}

test('The installed pg-boss makes the tables that the SQL on them relies on', async () => {
  expect(await found(world.app.database.pool)).toEqual(RELIED_ON);
});

describe('A planted change of those tables is found:', () => {
  test.each([
    ['a renamed column', 'alter table pgboss.job rename column group_id to grouping_id'],
    ['a column of another type', 'alter table pgboss.schedule alter column cron type varchar(60)'],
    ['a missing column', 'alter table pgboss.queue drop column ready_count'],
    ['a new state', `alter type pgboss.job_state add value 'asleep' before 'active'`],
    [
      'another clock',
      `create or replace function pgboss.job_now() returns timestamptz language sql as 'select clock_timestamp()'`,
    ],
    ['an index that is gone', 'drop index pgboss.job_common_i14'],
  ])('%s', async (_what, statement) => {
    const client = await world.pool.connect();
    try {
      await client.query('begin');
      await client.query(statement);
      expect(await found(client)).not.toEqual(RELIED_ON);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});

describe('The SQL on those tables', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith('.ts'))
    .map(entry => join(entry.parentPath, entry.name).slice(root.length));
  const named = (file: string) => new Set(readFileSync(join(root, file), 'utf8').match(/\bpgboss\.\w+/g));

  test('is in one file', () => {
    expect(files.filter(file => named(file).size > 0)).toEqual([FILE]);
  });

  test('names no table or function that is not compared', () => {
    const tables = new Set(RELIED_ON.columns.map(column => `pgboss.${column.split('.')[0]}`));
    // `pgboss.schema` is the version that the package names.
    expect(named(FILE)).toEqual(new Set([...tables, 'pgboss.job_now', 'pgboss.schema']));
  });
});
