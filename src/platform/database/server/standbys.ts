import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

/** The standbys that follow the primary, as it sees them. */
interface Standbys {
  /** False if the user of the service may not see them. */
  readonly isVisible: boolean;
  /** Whether commits wait for a synchronous standby. */
  readonly isAwaited: boolean;
  readonly following: readonly {
    readonly name: string;
    readonly isSynchronous: boolean;
    /** The bytes of the log that it has not applied. */
    readonly bytesBehind: number;
  }[];
}

// A former primary that is a standby itself has no position in a log of its own.
const STANDBYS = serviceStatement(
  'standbys',
  `select pg_has_role('pg_read_all_stats', 'usage') as "isVisible",
      current_setting('synchronous_standby_names') <> '' as "isAwaited",
      coalesce((select json_agg(json_build_object('name', application_name,
          'isSynchronous', sync_state in ('sync', 'quorum'),
          'bytesBehind', coalesce(pg_wal_lsn_diff(case when not pg_is_in_recovery() then pg_current_wal_flush_lsn() end, replay_lsn), 0))
        order by application_name, pid) from pg_stat_replication where state = 'streaming'), '[]') as following`,
);

export async function standbysOf(database: Database): Promise<Standbys> {
  const [standbys] = await database.rows<Standbys>(STANDBYS, []);
  return standbys as Standbys;
}

const MAX_MB_BEHIND = 64;
const BYTES_PER_MB = 1_048_576;

/** The state of the standbys in words. */
export interface StandbyReport {
  readonly found: string;
  readonly status: 'ok' | 'behind' | 'gone';
}

/** The state of the standbys; undefined if none is connected or expected. */
export function standbyReport({ isVisible, isAwaited, following }: Standbys): StandbyReport | undefined {
  if (!isVisible || (following.length === 0 && !isAwaited)) return undefined;
  if (isAwaited && !following.some(({ isSynchronous }) => isSynchronous)) {
    return { found: 'no synchronous standby follows the primary, so each commit waits', status: 'gone' };
  }
  const megabytes = Math.max(...following.map(({ bytesBehind }) => bytesBehind)) / BYTES_PER_MB;
  const count = following.length === 1 ? 'one standby follows' : `${following.length} standbys follow`;
  const kind = isAwaited ? 'synchronous' : 'asynchronous, so the last moment before a crash can be lost';
  const found = `${count} the primary (${kind}), ${megabytes.toFixed(1)} MB behind`;
  return { found, status: megabytes > MAX_MB_BEHIND ? 'behind' : 'ok' };
}
