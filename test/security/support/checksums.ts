import type { Database } from '../../../src/platform/database/database.ts';

/** A checksum over all rows of a company in each table that has any company's, by the table's name. */
export async function checksums({ pool }: Database, companyId: string): Promise<Map<string, string>> {
  const { rows: tables } = await pool.query<{ name: string; column: string }>(
    `select quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) as name, c.column_name as column
      from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema = 'public'
        and (c.column_name = 'company_id' or (c.table_name = 'company' and c.column_name = 'id'))
      order by 1`,
  );
  const sums = new Map<string, string>();
  for (const { name, column } of tables) {
    const { rows } = await pool.query<{ sum: string }>(
      `select count(*) || ' rows ' || md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${name} t where ${column} = $1`,
      [companyId],
    );
    sums.set(name, rows[0]?.sum ?? '');
  }
  return sums;
}
