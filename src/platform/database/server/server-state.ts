import type { Database } from '../database.ts';
import { ms } from '../statements/sql.ts';
import { serviceStatement } from '../statements/statements.ts';
import { type CurrentRole, MAY_MIGRATE, READ_ONLY_TABLES } from './service-role.ts';

/** The state of a database server, and the rights of the service's role there. */
export interface ServerState extends CurrentRole {
  readonly version: string;
  readonly isolation: string;
  readonly encoding: string;
  /** Whether `lower` and `upper` handle letters beyond ASCII, such as Ü. */
  readonly knowsLetters: boolean;
  /** The connection limit for users like this one. */
  readonly connections: number;
  readonly isReadOnly: boolean;
  /** Whether transactions of other users can be seen. */
  readonly maySeeSessions: boolean;
  /** The version of TLS of the connections, or null where they are not encrypted. */
  readonly tlsVersion: string | null;
  /** Tables that cannot be read and written. */
  readonly closedTables: readonly string[];
}

const IS_READ_ONLY = `pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean`;
const READ_ONLY = serviceStatement('server-read-only', `select ${IS_READ_ONLY} as "isReadOnly"`);
const STATE = serviceStatement(
  'server-state',
  `select current_setting('server_version') as version,
      current_setting('default_transaction_isolation') as isolation,
      current_setting('server_encoding') as encoding, lower('Ü') = 'ü' as "knowsLetters",
      current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
        - coalesce(current_setting('reserved_connections', true)::integer, 0) as connections,
      ${IS_READ_ONLY} as "isReadOnly",
      current_user as role, ${MAY_MIGRATE} as "mayMigrate",
      pg_has_role('pg_read_all_stats', 'usage') as "maySeeSessions",
      (select s.version from pg_stat_ssl s where s.pid = pg_backend_pid() and s.ssl) as "tlsVersion",
      array(select format('%s.%s', n.nspname, c.relname) from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not (has_schema_privilege(n.oid, 'usage')
          and has_table_privilege(c.oid, 'select') and (c.relname = any($1::text[]) or has_table_privilege(c.oid, 'insert')
          and has_table_privilege(c.oid, 'update') and has_table_privilege(c.oid, 'delete')))
        order by 1) as "closedTables"`,
);

/** Early signs of trouble on a server. */
interface ServerHealth {
  readonly oldestTransactionSeconds: number;
  readonly bytes: number;
  /** By table, for tables large enough for a vacuum. */
  readonly deadRows: readonly { readonly table: string; readonly ratio: number }[];
}

const CLOCK = serviceStatement('server-clock', `select ${ms('clock_timestamp()')} as "nowMs"`);
// Sessions of other users show no transaction to a user without `pg_read_all_stats`.
const HEALTH = serviceStatement(
  'server-health',
  `select coalesce((select extract(epoch from clock_timestamp() - min(xact_start)) from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()), 0)::float8
        as "oldestTransactionSeconds",
      pg_database_size(current_database())::float8 as bytes,
      coalesce((select json_agg(json_build_object('table', relname, 'ratio', n_dead_tup::float8 / (n_live_tup + n_dead_tup))
        order by relname) from pg_stat_user_tables where n_live_tup + n_dead_tup > 10000), '[]') as "deadRows"`,
);

export async function serverHealth(database: Database): Promise<ServerHealth> {
  const [health] = await database.rows<ServerHealth>(HEALTH, []);
  return health as ServerHealth;
}

/** The clock of the server, in milliseconds since 1970. */
export async function serverClockMs(database: Database): Promise<number> {
  const [row] = await database.rows<{ nowMs: number }>(CLOCK, []);
  return (row as { nowMs: number }).nowMs;
}

export async function serverState(database: Database): Promise<ServerState> {
  const [state] = await database.rows<ServerState>(STATE, [READ_ONLY_TABLES]);
  return state as ServerState;
}

/** Whether the server accepts no changes, like a standby until it is promoted. */
export async function isServerReadOnly(database: Database): Promise<boolean> {
  const [state] = await database.rows<Pick<ServerState, 'isReadOnly'>>(READ_ONLY, []);
  return state?.isReadOnly ?? false;
}
