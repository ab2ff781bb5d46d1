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
const [, creation = ''] = /### 1\. Create the database and two roles.*?```sql\n(.*?)```/s.exec(guide) ?? [];
const statements = creation
  .replace(/\bshipping_(owner|app)\b/g, `$1_${unique}`)
  .replace(/\bdatabase shipping\b/g, `database ${database}`);

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

test('A role that cannot change tables runs the service, as the guide sets it up', async () => {
  await run(inject('serverUrl'), statements);
  const migrated = await processes.cli(['migrate', '--grant', `app_${unique}`, '--json'], { DATABASE_URL: owner });
  expect([migrated.code, migrated.stderr]).toEqual([0, '']);
  await expect(run(app, 'create table mine (id integer)')).rejects.toThrow('permission denied');
  // With the demo company, which takes rows of nearly every table, and without a setting that keeps it from migrating.
  const env = { DATABASE_URL: app, DATA_DIR: await processes.dataDir() };
  const service = await processes.service(env);
  expect((await get(service, '/warehouses')).status).toBe(200);
  const { stdout } = await processes.cli(['doctor'], env);
  expect(stdout).toMatch(/^ok +privileges +app_\w+ can read and write all tables, and cannot change or drop them$/m);
  expect(stdout).not.toMatch(/^fail/m);
});
