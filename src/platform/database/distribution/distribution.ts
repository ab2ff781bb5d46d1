import type pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import type { Database } from '../database.ts';
import { companyTables } from '../tenancy/company-tables.ts';
import { IS_DISTRIBUTED } from './placement.ts';

/**
 * Distributes the tables over the nodes of a Citus cluster by company. All rows of one company are on one node, so its
 * joins, foreign keys and transactions stay there.
 */

/** Tables that every node has whole: companies, and keys, which are read only by their id. */
const ON_EVERY_NODE = ['company', 'api_key'];
/** The triggers that prevent changes of the audit trail, and their tables. */
const AUDIT_TRIGGERS = {
  audit_entry_is_kept: 'audit_entry',
  audit_is_kept: 'audit_entry',
  audit_head_is_kept: 'audit_head',
  audit_heads_are_kept: 'audit_head',
};
/** The table with which the others are placed. */
const FIRST = 'warehouse';

/** The placement of the tables of a cluster. */
export interface Distribution {
  readonly workers: number;
  /** Tables whose rows are on the node of their company. */
  readonly byCompany: readonly string[];
  readonly onEveryNode: readonly string[];
}

/** @throws StartupError if the server is not a coordinator of a cluster, or the tables are distributed already */
export function distributeTables(database: Database): Promise<Distribution> {
  return database.patiently(async client => {
    const { version, isDistributed } = await citusOf(client);
    if (version === undefined) {
      throw new StartupError(
        'The database has no extension citus: run `create extension citus` on every node, and `citus_add_node` on the coordinator.',
      );
    }
    if (isDistributed) throw new StartupError('The tables are distributed already; `doctor` looks at each of them.');
    const workers = await workersOf(client);
    if (workers === 0) {
      throw new StartupError('The cluster has no workers: add each on the coordinator (`select citus_add_node(…)`).');
    }
    const byCompany = await distributedTables(database);
    await client.query('begin');
    await distributeWithin(client, byCompany);
    await client.query('commit');
    for (const table of [...ON_EVERY_NODE, ...byCompany]) {
      // The former rows stay on the coordinator, unread. Referring rows are removed with each.
      await client.query('select truncate_local_data_after_distributing_table($1)', [table]);
    }
    return { workers, byCompany, onEveryNode: ON_EVERY_NODE };
  });
}

async function distributeWithin(client: pg.Client, byCompany: readonly string[]): Promise<void> {
  // A transaction that has changed a table of every node changes the others over one connection, in sequence.
  await client.query(`set local citus.multi_shard_modify_mode = 'sequential'`);
  // Citus allows a foreign key only if both tables are distributed, and converts a table that a reference table refers
  // to into a reference table, whose identity columns it cannot distribute.
  const keys = await foreignKeys(client);
  for (const { table, name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
  // Distributed tables cannot have triggers. Without these, only the hashes reveal a changed entry.
  for (const [name, table] of Object.entries(AUDIT_TRIGGERS))
    await client.query(`drop trigger if exists ${name} on ${table}`);
  for (const table of ON_EVERY_NODE) await client.query('select create_reference_table($1)', [table]);
  for (const table of [FIRST, ...byCompany.filter(one => one !== FIRST)]) {
    await client.query('select create_distributed_table($1, $2, colocate_with => $3)', [
      table,
      'company_id',
      table === FIRST ? 'none' : FIRST,
    ]);
  }
  for (const { table, name, definition } of keys) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  // Makes Citus part of transactions with jobs (`jobs.ts`), and tells a process at its start that the tables are
  // distributed.
  await client.query('create table commit_point (id integer primary key)');
  await client.query(`select citus_add_local_table_to_metadata('commit_point')`);
}

/** The misplaced tables of a cluster; undefined if the database was never distributed. */
export function misplacedTables(database: Database): Promise<readonly string[] | undefined> {
  return database.patiently(async client => {
    const { version, isDistributed } = await citusOf(client);
    if (!isDistributed) return undefined;
    if (version === undefined) return ['the database has a commit_point, but no extension citus'];
    const { rows } = await client.query<{ name: string; column: string | null; group: number; isWhole: boolean }>(
      `select p.logicalrelid::regclass::text as name, p.colocationid as "group", p.partmethod = 'n' as "isWhole",
          column_to_column_name(p.logicalrelid, p.partkey) as column
        from pg_dist_partition p`,
    );
    const placed = new Map(rows.map(row => [row.name, row]));
    const group = placed.get(FIRST)?.group;
    const ofCompanies = await distributedTables(database);
    return [
      ...ON_EVERY_NODE.filter(table => !placed.get(table)?.isWhole).map(table => `${table} is not on every node`),
      ...ofCompanies
        .filter(table => placed.get(table)?.column !== 'company_id')
        .map(table => `${table} is not distributed by company_id`),
      ...ofCompanies
        .filter(table => placed.get(table)?.column === 'company_id' && placed.get(table)?.group !== group)
        .map(table => `${table} is not placed with ${FIRST}`),
      ...(placed.has('commit_point') ? [] : ['commit_point is not known to Citus']),
    ];
  });
}

async function citusOf(client: pg.Client): Promise<{ version: string | undefined; isDistributed: boolean }> {
  const { rows } = await client.query(
    `select (select extversion from pg_extension where extname = 'citus') as version,
        ${IS_DISTRIBUTED} as "isDistributed"`,
  );
  return { version: rows[0]?.version ?? undefined, isDistributed: rows[0]?.isDistributed };
}

async function workersOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select count(*)::integer as count from citus_get_active_worker_nodes()');
  return rows[0]?.count;
}

/** Every table with rows of companies, except those on every node. */
async function distributedTables(database: Database): Promise<string[]> {
  const names = (await companyTables(database)).map(({ name }) => name);
  return names.filter(name => !ON_EVERY_NODE.includes(name)).toSorted();
}

async function foreignKeys(client: pg.Client): Promise<{ table: string; name: string; definition: string }[]> {
  const { rows } = await client.query(
    `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conrelid::regclass::text, conname`,
  );
  return rows;
}
