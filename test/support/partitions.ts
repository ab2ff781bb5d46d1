import type pg from 'pg';

/**
 * Rebuilds every table that companies' rows are in as one that is partitioned by hash of `company_id`. There PostgreSQL shows
 * of each statement whether it can meet rows of another company. For a database that is migrated and empty.
 */

export const PARTITIONS = 4;

/** Read by its id alone. */
const WHOLE = `'api_key'`;

// Every step, in the order in which it runs; the catalog is read after the migrations.
const STEPS = `
  with companies as (
    select c.oid, c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in (${WHOLE})
  ), step(place, of, run) as (
    select 1, conname::text, format('alter table %s drop constraint %I', conrelid::regclass, conname)
      from pg_constraint where contype = 'f' and (conrelid in (select oid from companies) or confrelid in (select oid from companies))
    union all
    select 2, name, format('alter table %I rename to %I', name, 'whole_' || name) from companies
    union all
    select 3, name, format('create table %I (like %I including defaults including identity including generated including constraints)
      partition by hash (company_id)', name, 'whole_' || name) from companies
    union all
    select 4, name || n, format('create table %I partition of %I for values with (modulus ${PARTITIONS}, remainder %s)',
      name || '_p' || n, name, n) from companies, generate_series(0, ${PARTITIONS - 1}) as n
    union all
    select 5, name, format('drop table %I', 'whole_' || name) from companies
    union all
    select 6, conname, format('alter table %I add constraint %I %s', name, conname, pg_get_constraintdef(k.oid))
      from pg_constraint k join companies on companies.oid = conrelid where contype in ('p', 'u')
    union all
    select 6, indexrelid::regclass::text, pg_get_indexdef(indexrelid) from pg_index join companies on companies.oid = indrelid
      where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
    union all
    select 7, conname, format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where contype = 'f' and (conrelid in (select oid from companies) or confrelid in (select oid from companies))
  )
  select run from step order by place, of`;

/** Does nothing where it was done already, as to the template of a run with `TEST_DATABASE=partitioned`. */
export async function partitionByCompany(client: pg.Client): Promise<void> {
  const known = await client.query(`select from pg_class where oid = 'warehouse'::regclass and relkind = 'p'`);
  if (known.rowCount === 1) return;
  const { rows } = await client.query<{ run: string }>(STEPS);
  await client.query(`begin; ${rows.map(({ run }) => run).join('; ')}; commit`);
}
