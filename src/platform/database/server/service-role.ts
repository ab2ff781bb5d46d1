import pg from 'pg';
import { StartupError } from '../../startup-error.ts';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

/**
 * A database has two roles: one owns the tables and migrates them, and one runs the service, which reads and writes
 * rows. The statements of this module grant the second one what it needs.
 *
 * `company erase` needs the most: it deletes from every table with a company, and vacuums the large ones. There is no
 * third role for it, because it would protect little: retention, old shipments and changes of the platform delete from
 * the same tables, the service can overwrite any row that it may write, and operators would have to keep and rotate one
 * more password with the right to delete everything. Chains of hashes show a deletion from the audit
 * log and from the changes.
 */

/** Tables that only a migration writes. */
export const READ_ONLY_TABLES = ['mikro_orm_migrations', 'migrated_version'] as const;
const SCHEMAS = 'public, pgboss';
/** Since this version a role can be granted VACUUM, which `company erase` runs after large deletions. */
const GRANTS_MAINTENANCE = 17;

/** A condition of SQL: whether the role of the connection can create schemas and tables. */
export const MAY_MIGRATE = `has_database_privilege(current_database(), 'create') and has_schema_privilege('public', 'create')`;

const CURRENT = serviceStatement('current-role', `select ${MAY_MIGRATE} as "mayMigrate", current_user as role`);

/** The role of the connections to the database. */
export interface CurrentRole {
  readonly role: string;
  /** Whether it can create schemas and tables. */
  readonly mayMigrate: boolean;
}

export async function currentRole(database: Database): Promise<CurrentRole> {
  const [row] = await database.rows<CurrentRole>(CURRENT, []);
  return row as CurrentRole;
}

const GRANTEE = serviceStatement(
  'grantee',
  `select current_database() as "databaseName", current_setting('server_version_num')::integer / 10000 as major,
      exists (select from pg_roles where rolname = $1::text) as "isThere",
      exists (select from pg_roles where rolname = $1::text and (rolsuper or pg_has_role(rolname, current_user, 'member'))) as "isOwner"`,
);

interface Grantee {
  readonly databaseName: string;
  readonly major: number;
  readonly isThere: boolean;
  /**
   * Whether the role can change tables anyway: as a superuser, as the current role, or as a member of the owning role.
   */
  readonly isOwner: boolean;
}

/**
 * The statements that grant a role what the service needs, for the owner of the tables to run. They hold for tables of
 * later migrations too, and can be run again.
 *
 * @throws StartupError if the role does not exist, or can change the tables
 */
export async function grantsFor(database: Database, role: string): Promise<readonly string[]> {
  const [grantee] = await database.rows<Grantee>(GRANTEE, [role]);
  const { databaseName, major, isThere, isOwner } = grantee as Grantee;
  const to = pg.escapeIdentifier(role);
  if (!isThere) throw new StartupError(`There is no role ${role}: run create role ${to} login password '…' first.`);
  if (isOwner) throw new StartupError(`The role ${role} can change the tables: name another one.`);
  const rows = `select, insert, update, delete${major >= GRANTS_MAINTENANCE ? ', maintain' : ''}`;
  return [
    `grant connect on database ${pg.escapeIdentifier(databaseName)} to ${to}`,
    `grant usage on schema ${SCHEMAS} to ${to}`,
    `grant ${rows} on all tables in schema ${SCHEMAS} to ${to}`,
    `grant usage on all sequences in schema ${SCHEMAS} to ${to}`,
    `revoke insert, update, delete on ${READ_ONLY_TABLES.join(', ')} from ${to}`,
    `alter default privileges in schema ${SCHEMAS} grant ${rows} on tables to ${to}`,
    `alter default privileges in schema ${SCHEMAS} grant usage on sequences to ${to}`,
  ];
}

/** Runs statements in one transaction. */
export function grant(database: Database, statements: readonly string[]): Promise<void> {
  return database.patiently(async client => {
    await client.query(statements.join(';'));
  });
}
