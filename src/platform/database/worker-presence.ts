import type { Database } from './database.ts';
import { serviceStatement } from './statements.ts';

// Each worker holds a shared advisory lock on its connection for notifications. PostgreSQL lets it go when the connection
// ends, however the process ends, so that the number of holders is the number of workers. A row with a time would be late,
// and would have to be written again and again.

export const SHOW_WORKER = serviceStatement('worker-show', 'select pg_advisory_lock_shared(1936222576, 3)');
const WORKERS = serviceStatement(
  'worker-count',
  `select count(*)::integer as count from pg_locks where locktype = 'advisory' and classid = 1936222576 and objid = 3
      and database = (select oid from pg_database where datname = current_database())`,
);

/** How many processes work jobs on this database just now. */
export async function connectedWorkers(database: Database): Promise<number> {
  const [row] = await database.rows<{ count: number }>(WORKERS, []);
  return row?.count ?? 0;
}
