import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { IN_OWN_FORM, LEFT_OUT } from '../../src/domain/operations/companies/export/export-plan.rules.ts';
import { Database } from '../../src/platform/database/database.ts';
import {
  type CompanyTable,
  companyTables,
  referringFirst,
} from '../../src/platform/database/tenancy/company-tables.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { urlOf } from '../support/databases.ts';

/**
 * The export and the erasure of a company walk the tables of the catalog that have a `company_id`. So every table must have
 * one, or hold nothing of a company.
 */

const WITHOUT_COMPANY: Readonly<Record<string, string>> = {
  company: 'The companies themselves: the last row that is erased.',
  erased_company: 'The proofs, which stay.',
  migrated_version: 'Versions of the service.',
  mikro_orm_migrations: 'Names of migrations.',
  secrets_key: 'Ids of the keys of `SECRETS_KEY`, one for all companies.',
};

let database: Database;
let tables: CompanyTable[];
beforeAll(async () => {
  const options = databaseOptions(urlOf(inject('serverUrl'), inject('template')), 1);
  database = await Database.connect(options, createMetrics(), createLog('silent'));
  tables = await companyTables(database);
});
afterAll(() => database?.close());

async function names(text: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(text);
  return rows.map(({ name }) => name);
}

describe('Every table', () => {
  test('has the company of each of its rows, or is listed with its reason', async () => {
    const all = await names(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and not relispartition order by 1`,
    );
    const others = all.filter(name => !tables.some(table => table.name === name));
    expect(others).toEqual(Object.keys(WITHOUT_COMPANY).toSorted());
  });

  test('names the company by `company_id` and in no other way', async () => {
    const columns = await names(
      `select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name ~ 'company|tenant' and column_name <> 'company_id' order by 1`,
    );
    expect(columns).toEqual([]);
  });

  test('of companies has a primary key that begins with the company, along which it is read and erased', async () => {
    const wrong = await names(
      `select i.indrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
          join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
        where c.relnamespace = 'public'::regnamespace and i.indisprimary and i.indkey[0] <> a.attnum`,
    );
    expect(wrong).toEqual([]);
    const keyed = await names(
      `select c.relname as name from pg_index i join pg_class c on c.oid = i.indrelid
        where c.relnamespace = 'public'::regnamespace and i.indisprimary`,
    );
    expect(tables.map(({ name }) => name).filter(name => !keyed.includes(name))).toEqual([]);
  });

  test('comes before those that it refers to', () => {
    const places = new Map(tables.map(({ name }, place) => [name, place]));
    for (const { name, refersTo } of tables) {
      for (const other of refersTo) {
        if (places.has(other))
          expect([name, places.get(name)], other).toSatisfy(() => (places.get(name) ?? 0) < (places.get(other) ?? 0));
      }
    }
  });

  test('that an export has in a form of its own, or leaves out, exists', () => {
    const known = tables.map(({ name }) => name);
    expect([...IN_OWN_FORM, ...Object.keys(LEFT_OUT)].filter(name => !known.includes(name))).toEqual([]);
  });
});

test('Tables that refer to each other are found before anything is erased', () => {
  const table = (name: string, ...refersTo: string[]) => ({ name, parts: [name], key: [], binary: [], refersTo });
  expect(referringFirst([table('a'), table('b', 'a', 'b'), table('c', 'b', 'a')]).map(({ name }) => name)).toEqual([
    'c',
    'b',
    'a',
  ]);
  expect(() => referringFirst([table('a', 'b'), table('b', 'a'), table('c', 'a')])).toThrow(
    'refer to each other: a, b',
  );
});
