import type { Config } from '../config.ts';
import { commandName } from '../platform/command-name.ts';
import { type KnownServer, knownServers } from '../platform/database/connections/connection-settings.ts';
import { connectionReason } from '../platform/database/connections/database-errors.ts';
import { serverAddresses } from '../platform/database/connections/server-addresses.ts';
import type { Database } from '../platform/database/database.ts';
import { lacking, missingParts, RESTORE } from '../platform/database/migrations/database-shape.ts';
import { newestMigratedVersion, unusable } from '../platform/database/migrations/migrated-versions.ts';
import { clockSkewSeconds } from '../platform/database/server/database-metrics.ts';
import { type ServerState, serverState } from '../platform/database/server/server-state.ts';
import { type StandbyReport, standbyReport, standbysOf } from '../platform/database/server/standbys.ts';
import { queueTablesVersion } from '../platform/jobs/pgboss-tables.ts';
import { SERVICE_VERSION } from '../platform/service-version.ts';
import { connectionsOf } from '../start/open-database.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const MAX_SKEW_SECONDS = 1;

/** Checks the server, the rights on it, and whether its tables are the ones that this version needs. */
export async function examineDatabase(database: Database, config: Config): Promise<Finding[]> {
  const state = await serverState(database);
  return [
    ok('database', `PostgreSQL ${state.version}`),
    ...(await examineStandbys(database, config)),
    encryption(state, config),
    clock(await clockSkewSeconds(database)),
    privileges(state, config),
    sessions(state),
    isolation(state),
    locale(state),
    connections(state, config),
    await version(database),
    ...(await migrations(database)),
    await queueTables(database),
  ];
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1', '']);
/** Modes that verify the server, so that nobody can impersonate it. */
const VERIFYING = new Set(['verify-ca', 'verify-full']);

function encryption({ tlsVersion }: ServerState, { databaseUrl, isProduction }: Config): Finding {
  const servers = databaseUrl === undefined ? [] : serverAddresses(databaseUrl);
  const isLocal = servers.every(({ hostname }) => LOOPBACK.has(hostname));
  const advice = 'add sslmode=verify-full and sslrootcert to DATABASE_URL';
  if (tlsVersion === null) {
    if (isLocal) return ok('encryption', 'connection not encrypted, to this machine');
    return (isProduction ? warn : ok)('encryption', 'connection not encrypted', advice);
  }
  const mode = servers[0]?.searchParams.get('sslmode') ?? 'without sslmode';
  const found = `connection encrypted: ${mode} (${tlsVersion})`;
  if (VERIFYING.has(mode) || isLocal || !isProduction) return ok('encryption', found);
  return warn('encryption', `${found}, which does not verify the server`, advice);
}

function clock(seconds: number): Finding {
  const found = `the clock of the database is ${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the clock of this machine`;
  return Math.abs(seconds) > MAX_SKEW_SECONDS
    ? warn('clock', found, 'set both clocks by NTP: expiries and retries depend on them')
    : ok('clock', found);
}

function privileges({ isReadOnly, closedTables, role, mayMigrate }: ServerState, config: Config): Finding {
  const [first] = closedTables;
  if (isReadOnly) return fail('privileges', 'the server is read-only', 'point DATABASE_URL at the primary');
  if (first !== undefined) {
    const found = `${role} cannot read and write ${closedTables.length} tables, such as ${first}`;
    const advice = `run \`${commandName()} migrate --grant ${role}\` as the role that owns the tables`;
    return fail('privileges', found, advice);
  }
  if (!mayMigrate) return ok('privileges', `${role} can read and write all tables, and cannot change or drop them`);
  const found = `${role} owns the tables, and can change and drop them`;
  if (config.databaseUrl === undefined || !config.isProduction) return ok('privileges', found);
  const advice = `run the service as another role, which \`${commandName()} migrate --grant\` gives its rights`;
  return warn('privileges', found, advice);
}

function sessions({ maySeeSessions }: ServerState): Finding {
  if (maySeeSessions) return ok('sessions', 'transactions of all users can be seen');
  const found = 'transactions of other users cannot be seen, so no alert fires if one stays open';
  return warn('sessions', found, 'grant pg_monitor to the user of DATABASE_URL');
}

function isolation({ isolation }: ServerState): Finding {
  if (isolation === 'read committed') return ok('isolation', isolation);
  const found = `default_transaction_isolation is ${isolation}`;
  const advice = "alter role … set default_transaction_isolation = 'read committed'";
  return fail('isolation', `${found}, with which concurrent batches fail`, advice);
}

// A collation in the statements would correct the filters only in a UTF-8 database: in SQL_ASCII, which `initdb`
// chooses for the locale C, PostgreSQL has no such collation.
function locale({ encoding, knowsLetters }: ServerState): Finding {
  if (knowsLetters) return ok('locale', `encoding ${encoding}, with upper and lower case of all letters`);
  const found = `encoding ${encoding}, with upper and lower case of ASCII letters only: the filter \`recipient\` does not find Müller by MÜLLER`;
  const advice = `create a database with encoding 'UTF8' and locale 'C.UTF-8', and restore a dump of this one into it`;
  return warn('locale', found, advice);
}

function connections({ connections }: ServerState, config: Config): Finding {
  const perStart = connectionsOf(config);
  const starts = Math.floor(connections / perStart);
  const start = config.processes === 1 ? 'a process' : `a start of ${config.processes} processes`;
  const found = `this user can open ${connections}, and ${start} needs ${perStart}: enough for ${starts}`;
  const advice = 'raise max_connections, lower DATABASE_POOL_SIZE, or use a pooler';
  if (starts === 0) return fail('connections', found, advice);
  return starts === 1 ? warn('connections', found, advice) : ok('connections', found);
}

async function version(database: Database): Promise<Finding> {
  const reason = await unusable(database);
  if (reason !== undefined) return fail('version', reason.found, reason.advice);
  const newest = await newestMigratedVersion(database);
  const found = newest ? `the database was migrated by ${newest.version}` : 'the database is not migrated yet';
  return ok('version', `${SERVICE_VERSION}; ${found}`);
}

async function migrations(database: Database): Promise<Finding[]> {
  const pending = await database.pendingMigrations();
  if (pending.length > 0) {
    return [fail('migrations', `not run yet: ${pending.join(', ')}`, `run \`${commandName()} migrate\``)];
  }
  const missing = await missingParts(database);
  if (missing.length > 0) return [ok('migrations', 'all have been run'), fail('shape', lacking(missing), RESTORE)];
  return [
    ok('migrations', 'all have been run'),
    ok('shape', 'every table, column, index and trigger of the migrations is there'),
  ];
}

async function queueTables(database: Database): Promise<Finding> {
  const { found, needed } = await queueTablesVersion(database);
  if (found === needed) return ok('queue tables', `the tables of pg-boss have version ${found}`);
  const what =
    found === undefined ? 'the tables of pg-boss are missing' : `the tables of pg-boss have version ${found}`;
  if (found !== undefined && found > needed) {
    return fail('queue tables', `${what}, but this service supports ${needed}`, 'use the newer version of the service');
  }
  return fail('queue tables', `${what}, and version ${needed} is needed`, `run \`${commandName()} migrate\``);
}

/** Checks the servers that `DATABASE_URL` names, and the standbys that follow the primary. */
async function examineStandbys(database: Database, { databaseUrl }: Config): Promise<Finding[]> {
  const servers = databaseUrl === undefined ? [] : await knownServers(databaseUrl);
  const standbys = standbysFinding(standbyReport(await standbysOf(database)));
  return [...(servers.length > 1 ? [serversFinding(servers)] : []), ...standbys];
}

function serversFinding(servers: readonly KnownServer[]): Finding {
  const found = servers.map(
    ({ host, is }) =>
      `${host} ${typeof is === 'string' ? `is ${IS[is]}` : `does not respond (${connectionReason(is)})`}`,
  );
  const primaries = servers.filter(({ is }) => is === 'primary').length;
  if (primaries > 1) {
    return fail('servers', found.join(', '), 'stop the former primary, and set it up as a standby of the other one');
  }
  const isWhole = servers.every(({ is }) => typeof is === 'string');
  if (isWhole) return ok('servers', found.join(', '));
  return warn(
    'servers',
    found.join(', '),
    'start what does not respond as a standby: without one, nothing can be promoted',
  );
}

const IS = { primary: 'the primary', standby: 'a standby' };

function standbysFinding(report: StandbyReport | undefined): Finding[] {
  // The finding `sessions` says how to see them.
  if (report === undefined) return [];
  const { found, status } = report;
  if (status === 'ok') return [ok('standbys', found)];
  if (status === 'behind')
    return [warn('standbys', found, 'look at the load, the disk and the network of the standby')];
  return [fail('standbys', found, 'start the standby, or reset synchronous_standby_names on the primary')];
}
