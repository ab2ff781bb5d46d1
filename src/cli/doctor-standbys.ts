import type { Config } from '../config.ts';
import { type KnownServer, knownServers } from '../platform/database/connections/connection-settings.ts';
import { connectionReason } from '../platform/database/connections/database-errors.ts';
import type { Database } from '../platform/database/database.ts';
import { type StandbyReport, standbyReport, standbysOf } from '../platform/database/server/standbys.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

/** Checks the servers that `DATABASE_URL` names, and the standbys that follow the primary. */
export async function examineStandbys(database: Database, { databaseUrl }: Config): Promise<Finding[]> {
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
