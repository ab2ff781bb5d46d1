import type { JobInsert, PgBoss } from 'pg-boss';

/**
 * The undeclared parts of pg-boss that the service relies on, beside the SQL on its tables (`pgboss-tables.ts`).
 * `test/platform/library-internals.test.ts` checks them after an upgrade.
 */

/** The statement that pg-boss would insert jobs by: it reads its own tables before it does, and so cannot be asked at the end. */
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

/** The ids of the jobs that a call to complete jobs has completed: those that were still held. Its types do not declare it. */
export function completedIds(answer: { readonly settled?: string[] }): ReadonlySet<string> {
  if (answer.settled === undefined) throw new Error('pg-boss no longer says which jobs it completed');
  return new Set(answer.settled);
}

/** The options that a queue has, by the names of those that it was made with. */
export function optionsOf(queue: object): Readonly<Record<string, unknown>> {
  return queue as Record<string, unknown>;
}
