import { readdir } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type pg from 'pg';
import { declaredStatements } from '../../src/platform/database/statements/statements.ts';
import { PARTITIONS } from './partitions.ts';

export type Declared = Pick<ReturnType<typeof declaredStatements>[number], 'name' | 'text' | 'isOfOneCompany'>;

const SRC = new URL('../../src/', import.meta.url);

/**
 * Every statement of the service, whichever module declares it. Those that an export or an erasure makes of the catalogue,
 * and names by a table behind a blank, are left out: whether they are here depends on which files the process ran before.
 * The tests of both run them.
 */
export async function allStatements(): Promise<readonly Declared[]> {
  const files = await readdir(SRC, { recursive: true });
  const modules = files.filter(file => /^platform\/.*\.ts$|\.(repository|jobs)\.ts$/.test(file));
  for (const file of modules) await import(pathToFileURL(`${SRC.pathname}${file}`).href);
  // Files of tests declare some of their own in the same process.
  return declaredStatements().filter(({ name }) => !name.startsWith('test-') && !name.includes(' '));
}

/** The tables that a statement would read and write, according to PostgreSQL. */
export interface Touched {
  /** Partitions whose rows it reads, changes or locks. */
  readonly partitions: readonly string[];
  /** Tables of companies, whole or by their partitions. */
  readonly tables: readonly string[];
}

/** Numbers go down and times up, so that no range is empty: PostgreSQL would read nothing for it. */
const SAMPLES: Readonly<Record<string, (position: number) => string>> = {
  'timestamp with time zone': position => new Date(position * 86_400_000).toISOString(),
  bigint: position => String(100 - position),
  boolean: () => 'true',
  bytea: () => '\\x00',
  date: () => '2026-01-01',
  'double precision': () => '1',
  integer: position => String(100 - position),
  json: () => '[]',
  jsonb: () => '[]',
  numeric: () => '1',
  pg_lsn: () => '0/0',
  smallint: () => '1',
  text: () => 'A',
};

/** A value of a type; of UUIDs always the company's. */
function sampleOf(type: string, position: number, companyId: string): string {
  const element = type.replace(/\[\]$/, '');
  const value = element === 'uuid' ? companyId : SAMPLES[element]?.(position);
  if (value === undefined) throw new Error(`No sample of the type ${type}`);
  return type === element ? value : `{${value.replaceAll('\\', '\\\\')}}`;
}

interface Plan {
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Plan[];
}

function relationsOf(plan: Plan): string[] {
  const own = plan['Relation Name'];
  return [...(own === undefined ? [] : [own]), ...(plan.Plans ?? []).flatMap(relationsOf)];
}

/** Which partitions a statement of a company touches, planned for its values. */
export async function touchedBy(
  client: pg.Client,
  statement: Pick<Declared, 'text'>,
  companyId: string,
): Promise<Touched> {
  const relations = relationsOf(await planOf(client, statement, companyId));
  const partitions = [...new Set(relations.filter(name => PARTITION.test(name)))];
  return { partitions, tables: [...new Set(relations.map(name => name.replace(PARTITION, '')))] };
}

async function planOf(client: pg.Client, { text }: Pick<Declared, 'text'>, companyId: string): Promise<Plan> {
  await client.query('set plan_cache_mode = force_custom_plan');
  await client.query(`prepare looked_at as ${text}`);
  try {
    const { rows } = await client.query<{ types: string[] }>(
      `select parameter_types::text[] as types from pg_prepared_statements where name = 'looked_at'`,
    );
    const values = (rows[0]?.types ?? []).map(
      (type, i) => `${client.escapeLiteral(sampleOf(type, i, companyId))}::${type}`,
    );
    const call = values.length === 0 ? 'looked_at' : `looked_at(${values.join(', ')})`;
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(`explain (format json) execute ${call}`);
    return explained.rows[0]?.['QUERY PLAN'][0].Plan ?? {};
  } finally {
    await client.query('deallocate looked_at');
  }
}

const PARTITION = /_p\d+$/;

/** The number of the partition that a company's rows are in. */
export async function partitionOf(client: pg.Client, companyId: string): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select n from generate_series(0, ${PARTITIONS - 1}) as n
      where satisfies_hash_partition('warehouse'::regclass, ${PARTITIONS}, n, $1::uuid)`,
    [companyId],
  );
  return rows[0]?.n ?? Number.NaN;
}
