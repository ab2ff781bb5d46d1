import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Migration } from '@mikro-orm/migrations';
import pg from 'pg';
import { vi } from 'vitest';
import { migrationClass } from '../../src/platform/database/migrations/migrations.ts';

const FOLDER = new URL('../../schema/migrations/', import.meta.url);

/** The statements of a migration, and how they run. */
export interface Steps {
  readonly statements: readonly string[];
  /** Outside a transaction where false. */
  readonly isTransactional?: boolean;
  /** Tables and columns that it takes away, since the version before does not use them any more. */
  readonly contracts?: readonly string[];
}

interface Table {
  readonly name: string;
  readonly file: number;
  /** How often the transaction has read it from end to end. */
  readonly scans: number;
  /** Whether the transaction has changed rows of it. */
  readonly hasWritten: boolean;
  /** Whether nobody else can change it while the transaction lasts. */
  readonly isHeld: boolean;
}

interface Part {
  /** The table's. */
  readonly of: string;
  readonly name: string;
}

interface Column extends Part {
  readonly isNotNull: boolean;
  readonly hasDefault: boolean;
}

interface Constraint extends Part {
  readonly isValid: boolean;
}

/** The tables in PostgreSQL's catalog, each entry by the identity of its object. */
interface Catalog {
  readonly tables: Record<string, Table>;
  readonly columns: Record<string, Column>;
  readonly indexes: Record<string, Part>;
  readonly constraints: Record<string, Constraint>;
}

const CATALOG = `
  with ours as (
    select c.oid, c.relname, c.relfilenode from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> 'mikro_orm_migrations'
  ), held as (
    select relation, mode from pg_locks where pid = pg_backend_pid() and locktype = 'relation' and granted
  )
  select
    (select coalesce(json_object_agg(oid, json_build_object('name', relname, 'file', relfilenode,
      'scans', pg_stat_get_xact_numscans(oid),
      'hasWritten', exists (select from held where relation = oid and mode = 'RowExclusiveLock'),
      'isHeld', exists (select from held where relation = oid
        and mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')))), '{}')
      from ours) as tables,
    (select coalesce(json_object_agg(attrelid || '.' || attnum, json_build_object('of', attrelid, 'name', attname,
      'isNotNull', attnotnull, 'hasDefault', atthasdef or attidentity <> '')), '{}')
      from pg_attribute join ours on oid = attrelid where attnum > 0 and not attisdropped) as columns,
    (select coalesce(json_object_agg(indexrelid, json_build_object('of', indrelid,
      'name', indexrelid::regclass::text)), '{}') from pg_index join ours on oid = indrelid) as indexes,
    (select coalesce(json_object_agg(k.oid, json_build_object('of', conrelid, 'name', conname,
      'isValid', convalidated)), '{}')
      from pg_constraint k join ours on ours.oid = conrelid where contype in ('c', 'f')) as constraints`;

/** The migrations of the service, in their order. */
export async function migrations(): Promise<(Steps & { readonly name: string })[]> {
  const files = (await readdir(FOLDER)).filter(file => file.endsWith('.ts')).toSorted();
  return Promise.all(
    files.map(async file => {
      const Class = await migrationClass(fileURLToPath(new URL(file, FOLDER)));
      const migration = new Class() as Migration & { contracts?: readonly string[] };
      await migration.up();
      const statements = migration.getQueries().map(String);
      const { contracts = [] } = migration;
      return { name: file.replace('.ts', ''), statements, isTransactional: migration.isTransactional(), contracts };
    }),
  );
}

/**
 * Runs a migration, and tells what it does to tables that are in use: what keeps others waiting for longer than a
 * moment, and what the version before can't live with. It asks PostgreSQL after each statement, so rows don't matter.
 */
export async function refusals(databaseUrl: string, steps: Steps): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const start = await catalog(client);
    return steps.isTransactional === false
      ? await outsideTransaction(client, databaseUrl, start, steps)
      : await withinTransaction(client, start, steps);
  } finally {
    await client.end();
  }
}

async function withinTransaction(client: pg.Client, start: Catalog, steps: Steps): Promise<string[]> {
  const found: string[] = [];
  await client.query('begin');
  let before = start;
  for (const statement of steps.statements) {
    await client.query(statement);
    const after = await catalog(client);
    found.push(...waits(start, before, after));
    before = after;
  }
  await client.query('commit');
  return [...found, ...breaks(start, before, steps.contracts)];
}

async function outsideTransaction(
  client: pg.Client,
  databaseUrl: string,
  start: Catalog,
  { statements, contracts }: Steps,
): Promise<string[]> {
  const found: string[] = [];
  for (const statement of statements) {
    if (await blocksWrites(client, databaseUrl, start, statement)) {
      found.push(
        `"${statement.trim()}" keeps writes waiting: only what waits for writes itself, such as CREATE INDEX CONCURRENTLY, may be outside a transaction`,
      );
    }
  }
  const once = await catalog(client);
  found.push(...breaks(start, once, contracts));
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    return [...found, `it can't be run again after it has failed half way (${(error as Error).message})`];
  }
  const twice = await catalog(client);
  const anew = appeared(once.indexes, twice.indexes).map(({ name }) => name);
  for (const { name } of appeared(start.indexes, once.indexes).filter(built => !anew.includes(built.name))) {
    found.push(
      `index ${name} of a build that failed would be taken for one that is whole: drop it first (DROP INDEX CONCURRENTLY IF EXISTS)`,
    );
  }
  return found;
}

/** Runs a statement beside one who writes to every table, until it is done or waits: it must wait for no table. */
async function blocksWrites(client: pg.Client, databaseUrl: string, { tables }: Catalog, statement: string) {
  const writer = new pg.Client({ connectionString: databaseUrl });
  await writer.connect();
  try {
    const { rows } = await client.query('select pg_backend_pid() as pid');
    await writer.query('begin');
    for (const { name } of Object.values(tables)) await writer.query(`lock table "${name}" in row exclusive mode`);
    let isDone = false;
    const run = client.query(statement).finally(() => {
      isDone = true;
    });
    run.catch(() => {}); // explained below
    const waitsFor = await vi.waitUntil(
      async () => {
        const waited = await writer.query('select locktype from pg_locks where pid = $1 and not granted', [
          rows[0]?.pid,
        ]);
        return waited.rows[0]?.locktype ?? (isDone && 'nothing');
      },
      { timeout: 10_000, interval: 10 },
    );
    await writer.query('rollback');
    await run;
    return waitsFor === 'relation';
  } finally {
    await writer.end();
  }
}

async function catalog(client: pg.Client): Promise<Catalog> {
  const { rows } = await client.query<Catalog>(CATALOG);
  const [found] = rows;
  if (!found) throw new Error('no catalog');
  return found;
}

function appeared<Of extends Part>(before: Record<string, Of>, after: Record<string, Of>): Of[] {
  return Object.entries(after)
    .filter(([id]) => !(id in before))
    .map(([, part]) => part);
}

/** Why a change of an existing table blocks others for as long as the table is large; the first reason is enough. */
function waits({ tables }: Catalog, before: Catalog, after: Catalog): string[] {
  const validated = Object.entries(after.constraints)
    .filter(([id, { of, isValid }]) => isValid && !before.constraints[id]?.isValid && after.tables[of]?.isHeld)
    .map(([, constraint]) => constraint);
  return Object.keys(tables).flatMap(id => {
    const [was, is] = [before.tables[id], after.tables[id]];
    if (!was || !is) return [];
    if (is.file !== was.file) {
      return `${is.name} is written anew while everyone waits: add a column of the new type, or without a default, fill it in batches from a job, and let a later version drop the old one`;
    }
    const index = appeared(before.indexes, after.indexes).find(({ of }) => String(of) === id);
    if (index) {
      return `index ${index.name} is built over ${is.name} while writes wait: CREATE INDEX CONCURRENTLY in a migration outside a transaction, and in the next ADD CONSTRAINT … USING INDEX`;
    }
    const constraint = validated.find(({ of }) => String(of) === id);
    if (constraint) {
      return `constraint ${constraint.name} reads ${is.name} while writes wait: add it NOT VALID, and VALIDATE CONSTRAINT in the next migration`;
    }
    if (is.scans > was.scans && is.isHeld && validated.length === 0) {
      return `${is.name} is read from end to end while writes wait: for NOT NULL, add a check (… is not null) NOT VALID, validate it in the next migration, and SET NOT NULL in the one after`;
    }
    if (is.hasWritten && !was.hasWritten) {
      return `rows of ${is.name} are changed in one transaction: change them in batches from a job`;
    }
    return [];
  });
}

/** Columns that the previous version uses and loses, or needs and does not set. */
function breaks(before: Catalog, after: Catalog, contracts: readonly string[] = []): string[] {
  const nameOf = ({ of, name }: Part) => `${before.tables[of]?.name}.${name}`;
  const tables = Object.entries(before.tables).filter(([id, { name }]) => after.tables[id]?.name !== name);
  const columns = Object.entries(before.columns).filter(
    ([id, { of, name }]) => of in after.tables && after.columns[id]?.name !== name,
  );
  const gone = [...tables.map(([, { name }]) => name), ...columns.map(([, column]) => nameOf(column))];
  const wanted = Object.entries(after.columns).filter(
    ([id, { of, isNotNull, hasDefault }]) =>
      of in before.tables && isNotNull && !hasDefault && before.columns[id]?.hasDefault !== false,
  );
  return [
    ...gone
      .filter(name => !contracts.includes(name))
      .map(
        name =>
          `the version before still uses ${name}: let this version stop using it, and a later one drop it and name it in contracts`,
      ),
    ...wanted.map(
      ([, column]) =>
        `the version before does not fill ${nameOf(column)}: let it be null or give it a constant default`,
    ),
  ];
}
