import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { CITUS_STAND_IN } from '../support/citus-stand-in.ts';
import { createDatabase, dropDatabase, urlOf, withClient } from '../support/databases.ts';
import { SECRETS_KEY } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { type Env, useProcesses } from './processes.ts';

const serverUrl = inject('serverUrl');
const processes = useProcesses();
let name: string;
let settings: Env;
beforeAll(async () => {
  name = await createDatabase(serverUrl, inject('template'));
  const databaseUrl = urlOf(serverUrl, name);
  settings = { DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl, SECRETS_KEY, DEMO: 'false' };
});
afterAll(() => dropDatabase(serverUrl, name));

const sql = (text: string) => withClient(urlOf(serverUrl, name), async client => (await client.query(text)).rows);
const distribute = () => inProcess(['distribute', '--yes', '--json'], settings);
const foreignKeys = () =>
  sql(`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by 1, 2`);

async function doctor(): Promise<{ status: string; found: string } | undefined> {
  const { stdout } = await inProcess(['doctor', '--json'], settings);
  return JSON.parse(stdout).find(({ check }: { check: string }) => check === 'distribution');
}

// In this order: each finds the database as the one before has left it.

test('A server without Citus is rejected, and doctor does not mention it', async () => {
  expect(await distribute()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('create extension citus'),
  });
  expect(await doctor()).toBeUndefined();
});

test('A cluster without workers is rejected', async () => {
  await sql(CITUS_STAND_IN);
  expect(await distribute()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('has no workers') });
});

test('What fails half way leaves the database as it was', async () => {
  const before = await foreignKeys();
  await sql(`insert into worker values ('one'), ('two')`);
  await sql(`create trigger mine after insert on webhook_secret execute function suppress_redundant_updates_trigger()`);
  expect(await distribute()).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('webhook_secret because it has triggers'),
  });
  expect(await foreignKeys()).toEqual(before);
  expect(await sql('select * from pg_dist_partition')).toEqual([]);
  expect(await doctor()).toBeUndefined();
  await sql('drop trigger mine on webhook_secret');
});

test('All tables are distributed by company, in one group, and keep their foreign keys', async () => {
  const before = await foreignKeys();
  const { code, stdout } = await distribute();
  expect(code).toBe(0);
  const answer = JSON.parse(stdout);
  expect(answer).toMatchObject({ workers: 2, onEveryNode: ['company', 'api_key'] });
  expect(answer.byCompany).toEqual(
    expect.arrayContaining(['shipment', 'tracking_poll', 'rate_use', 'webhook_attempt']),
  );
  expect(await foreignKeys()).toEqual(before);
  const groups = await sql(`select distinct colocationid, partkey from pg_dist_partition where partmethod = 'h'`);
  expect(groups).toEqual([{ colocationid: expect.any(Number), partkey: 'company_id' }]);
  expect(await doctor()).toMatchObject({ status: 'ok' });
});

test('A second time is rejected', async () => {
  expect(await distribute()).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('distributed already'),
  });
});

test('The doctor finds a table that is not with the others', async () => {
  await sql('create table parcel_note (company_id uuid, note text)');
  expect(await doctor()).toMatchObject({ status: 'fail', found: 'parcel_note is not distributed by company_id' });
  await sql(`insert into pg_dist_partition values ('parcel_note', 'h', 'company_id', 99)`);
  expect(await doctor()).toMatchObject({ status: 'fail', found: 'parcel_note is not placed with warehouse' });
  await sql(
    `delete from pg_dist_partition where logicalrelid = 'api_key'::regclass or colocationid = 99; drop table parcel_note`,
  );
  expect(await doctor()).toMatchObject({ status: 'fail', found: 'api_key is not on every node' });
});
