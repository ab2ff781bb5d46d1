import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { afterAll, expect, inject, test } from 'vitest';
import { useProcesses } from './processes.ts';
import { get } from './service-calls.ts';

const processes = useProcesses();
const unique = randomBytes(8).toString('hex');
const database = `split_${unique}`;

/** Statements of the guide, for roles and a database of this test. */
const guide = readFileSync(new URL('../../src/docs/install.md', import.meta.url), 'utf8');
const [, section = ''] = guide.split('### Two roles');
const [creation = '', grants = ''] = Array.from(section.matchAll(/```sql\n(.*?)```/gs), ([, sql = '']) =>
  sql.replace(/\bshipping_(owner|app)\b/g, `$1_${unique}`).replace(/\bdatabase shipping\b/g, `database ${database}`),
);

const urlOf = (role: 'owner' | 'app', password: string) => {
  const url = new URL(inject('serverUrl'));
  return Object.assign(url, { username: `${role}_${unique}`, password, pathname: `/${database}` }).href;
};
const owner = urlOf('owner', 'another-password');
const app = urlOf('app', 'a-password');

/** Each by itself, since a database cannot be created in a transaction. */
async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of sql.split(';')) if (statement.trim() !== '') await client.query(statement);
  } finally {
    await client.end();
  }
}

afterAll(() =>
  run(
    inject('serverUrl'),
    `drop database if exists ${database} (force); drop role owner_${unique}; drop role app_${unique}`,
  ),
);

test('a role that cannot change tables runs the service, as the guide sets it up', async () => {
  await run(inject('serverUrl'), creation);
  expect((await processes.cli(['migrate'], { DATABASE_URL: owner })).code).toBe(0);
  await run(owner, grants);
  await expect(run(app, 'create table mine (id integer)')).rejects.toThrow('permission denied');
  await expect(run(app, 'alter table warehouse add column mine integer')).rejects.toThrow('must be owner');
  // With the demo company, which takes rows of nearly every table.
  const env = { DATABASE_URL: app, MIGRATE_ON_START: 'false', DATA_DIR: await processes.dataDir() };
  const service = await processes.service(env);
  expect((await get(service, '/warehouses')).status).toBe(200);
  const { stdout } = await processes.cli(['doctor'], env);
  expect(stdout).toMatch(/^warn +privileges +tables can be read and written, but migrations cannot run$/m);
  expect(stdout).not.toMatch(/^fail/m);
});
