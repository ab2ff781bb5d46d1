import type { JobInsert, PgBoss } from 'pg-boss';

/**
 * Behaviour of pg-boss that the service relies on and pg-boss does not declare, beside the SQL on its tables
 * (`pgboss-tables.ts`). `test/platform/library-internals.test.ts` checks it.
 */

/** pg-boss' own insert of jobs, as a statement: pg-boss reads its tables first, so it cannot run last itself. */
export async function insertStatement(
  boss: PgBoss,
  queue: string,
  inserts: JobInsert[],
): Promise<{ text: string; values: unknown[] }> {
  const statements: { text: string; values: unknown[] }[] = [];
  const executeSql = async (text: string, values: unknown[] = []) => {
    statements.push({ text, values });
    return { rows: [] };
  };
  await boss.insert(queue, inserts, { db: { executeSql } });
  const [statement] = statements;
  if (statement === undefined || statements.length > 1) throw new Error('pg-boss no longer inserts by one statement');
  return statement;
}

/** The ids of completed jobs, whose leases had not expired. The types of pg-boss do not declare them. */
export function completedIds(answer: { readonly settled?: string[] }): ReadonlySet<string> {
  if (answer.settled === undefined) throw new Error('pg-boss no longer says which jobs it completed');
  return new Set(answer.settled);
}

/** The options of a queue, by the names that it was created with. */
export function optionsOf(queue: object): Readonly<Record<string, unknown>> {
  return queue as Record<string, unknown>;
}
