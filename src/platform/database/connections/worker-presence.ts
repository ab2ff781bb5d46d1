import type { Database } from '../database.ts';
import { ms } from '../statements/sql.ts';
import { serviceStatement } from '../statements/statements.ts';

// Each worker holds a shared advisory lock on its connection for notifications. PostgreSQL releases it when the
// connection ends, however the process ends, so that the number of holders is the number of workers. A row with a time
// would be late, and would have to be updated all the time.

export const SHOW_WORKER = serviceStatement('worker-show', 'select pg_advisory_lock_shared(1936222576, 3)');

// Each process sets its name on that connection, of which it has one.
const NAMED = 'shipping-process';
export const SHOW_PROCESS = serviceStatement(
  'process-show',
  `select set_config('application_name', left($1, 63), false)`,
);

/** The name of a process' connection: its role, its number and its host. */
export function processName(role: string, pid: number, host: string): string {
  return `${NAMED} ${role} ${pid}@${host}`;
}

const WORKERS = serviceStatement(
  'worker-count',
  `select count(*)::integer as count from pg_locks where locktype = 'advisory' and classid = 1936222576 and objid = 3
      and database = (select oid from pg_database where datname = current_database())`,
);

/** The number of processes that work jobs on this database. */
export async function connectedWorkers(database: Database): Promise<number> {
  const [row] = await database.rows<{ count: number }>(WORKERS, []);
  return row?.count ?? 0;
}

/** A process of the service that is connected to the database. */
export interface ConnectedProcess {
  readonly role: string;
  /** Its number and its host. */
  readonly process: string;
  readonly worksJobs: boolean;
  /** The start of its connection, in milliseconds since 1970. */
  readonly connectedSince: number;
}

// One row per connection of the server.
const PROCESSES = serviceStatement(
  'processes',
  `select split_part(a.application_name, ' ', 2) as role, split_part(a.application_name, ' ', 3) as process,
      exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory' and l.classid = 1936222576 and l.objid = 3)
        as "worksJobs", ${ms('a.backend_start')} as "connectedSince"
    from pg_stat_activity a where a.datname = current_database() and a.application_name like '${NAMED} %'
    order by a.backend_start, a.pid`,
);

export function connectedProcesses(database: Database): Promise<ConnectedProcess[]> {
  return database.rows<ConnectedProcess>(PROCESSES, []);
}
