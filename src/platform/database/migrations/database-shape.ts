import { readFileSync } from 'node:fs';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

/**
 * The shape of the database, a line for each part: tables, columns with their types, indexes, constraints, triggers and
 * functions. `schema/shape.json` has the lines that the migrations make. Missing lines were changed by hand or by a
 * tool; additional ones belong to the operator.
 */

// Rules by name only: versions of PostgreSQL write one definition in several ways. Columns include NOT NULL.
const SHAPE = serviceStatement(
  'database-shape',
  `select format('table %I', c.relname) as line from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')
    and not c.relispartition
  union all
  select format('column %I.%I %s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod), case when a.attnotnull then ' not null' else '' end)
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
  union all
  select format('index %I', c.relname) from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('i', 'I')
    and not c.relispartition
  union all
  select format('constraint %I on %I', k.conname, c.relname) from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and k.contype <> 'n'
  union all
  select format('trigger %I on %I', t.tgname, c.relname) from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not c.relispartition and not t.tgisinternal
  union all
  select format('function %I', p.proname) from pg_proc p where p.pronamespace = 'public'::regnamespace
  order by 1`,
);

export async function shapeOf(database: Database): Promise<string[]> {
  const rows = await database.rows<{ line: string }>(SHAPE, []);
  return rows.map(({ line }) => line);
}

/** The missing parts of the shape, if all migrations have run. */
export async function missingParts(database: Database): Promise<string[]> {
  const file = new URL('../../../../schema/shape.json', import.meta.url);
  const expected = JSON.parse(readFileSync(file, 'utf8')) as string[];
  const found = new Set(await shapeOf(database));
  return expected.filter(line => !found.has(line));
}

const SHOWN = 5;

/** The missing parts in words. */
export function lacking(missing: readonly string[]): string {
  const shown = missing.slice(0, SHOWN).join(', ');
  const others = missing.length > SHOWN ? `, and ${missing.length - SHOWN} more` : '';
  return `the database lacks what the migrations have made: ${shown}${others}`;
}

export const RESTORE = 'restore a backup: a migration that was run is not run again';
