import type pg from 'pg';

/** Lets every insert of a company's rows into a table fail, until the returned function is called. */
export async function failInserts(database: pg.Pool, table: string, companyId: string, code = 'P0001') {
  const name = `failing_${companyId.replaceAll('-', '')}`;
  await database.query(
    `create function ${name}() returns trigger language plpgsql
      as $$ begin raise exception 'out of order' using errcode = '${code}'; end $$;
    create trigger ${name} before insert on ${table}
      for each row when (new.company_id = '${companyId}') execute function ${name}()`,
  );
  return async () => {
    await database.query(`drop function ${name} cascade`);
  };
}
