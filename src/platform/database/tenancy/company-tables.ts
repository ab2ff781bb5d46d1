import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

// The tables with rows of companies, from the catalog of the database, so that an export or an erasure includes the
// tables of later versions.

export interface CompanyTable {
  readonly name: string;
  /** The tables that store its rows: itself, or its partitions. */
  readonly parts: readonly string[];
  /** The columns of its primary key without the company, and their types. */
  readonly key: readonly { readonly name: string; readonly type: string }[];
  /** Its columns of binary data. */
  readonly binary: readonly string[];
  /** The tables of its foreign keys. */
  readonly refersTo: readonly string[];
}

const TABLES = serviceStatement(
  'company-tables',
  `select c.relname as name,
      array(select r.relid::regclass::text from pg_partition_tree(c.oid) r where r.isleaf
        union all select c.oid::regclass::text where c.relkind = 'r' order by 1) as parts,
      coalesce((select json_agg(json_build_object('name', k.attname, 'type', format_type(k.atttypid, null)) order by p.n)
        from pg_index i cross join unnest(i.indkey::smallint[]) with ordinality as p(attnum, n)
          join pg_attribute k on k.attrelid = c.oid and k.attnum = p.attnum
        where i.indrelid = c.oid and i.indisprimary and k.attname <> 'company_id'), '[]') as key,
      array(select b.attname::text from pg_attribute b where b.attrelid = c.oid and b.atttypid = 'bytea'::regtype
        and not b.attisdropped order by 1) as binary,
      array(select distinct f.confrelid::regclass::text from pg_constraint f
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid order by 1) as "refersTo"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`,
);

/** Every table that has a column `company_id`, each before those that it refers to. */
export async function companyTables(database: Database): Promise<CompanyTable[]> {
  return referringFirst(await database.rows<CompanyTable>(TABLES, []));
}

/** @throws Error if tables refer to each other in a circle */
export function referringFirst(tables: readonly CompanyTable[]): CompanyTable[] {
  const ordered: CompanyTable[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const isReferredTo = ({ name }: CompanyTable) =>
      left.some(other => other.name !== name && other.refersTo.includes(name));
    const next = left.filter(table => !isReferredTo(table));
    if (next.length === 0) throw new Error(`Tables refer to each other: ${left.map(({ name }) => name).join(', ')}`);
    ordered.push(...next);
    left = left.filter(table => !next.includes(table));
  }
  return ordered;
}
