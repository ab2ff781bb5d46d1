import { setTimeout } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

/** The limit on a scrape's wait for a replica that does not respond. */
const RESPONSE_MS = 800;
/** A replica that applies changes at once has caught up after this time. */
const CATCH_UP_MS = 300;

const POSITION = serviceStatement(
  'primary-position',
  `select pg_current_wal_flush_lsn()::text as lsn, clock_timestamp()::text as at, pg_postmaster_start_time()::text as "startedAt"`,
);

interface Position {
  readonly lsn: string;
  readonly at: string;
  readonly startedAt: string;
}

// Compares positions in the log and not only times: if a primary writes nothing, its last change is old though the
// replica has it. Both times are by the primary's clock, except on a replica that has applied nothing since its start.
// A server that follows nothing returns no row, unless it is the primary itself.
const LAG = serviceStatement(
  'replica-lag',
  `select case when not pg_is_in_recovery() or pg_last_wal_replay_lsn() >= $1::pg_lsn then 0
      else greatest(extract(epoch from $2::timestamptz - coalesce(pg_last_xact_replay_timestamp(), pg_postmaster_start_time())), 0)
      end::float8 as seconds
    where pg_is_in_recovery() or pg_postmaster_start_time() = $3::timestamptz`,
  { canLag: true },
);

/**
 * The age of the data from the replica, measured on the connections that reads use. The primary does not know it: a
 * disconnected replica is missing there. Null if the replica does not respond or does not follow the primary.
 *
 * @throws Fault if the primary does not respond
 */
export async function replicaLagSeconds(database: Database): Promise<number | null> {
  const [position] = await database.rows<Position>(POSITION, []);
  const late = setTimeout(RESPONSE_MS, null, { ref: false });
  return Promise.race([lagBehind(database, position as Position).catch(() => null), late]);
}

/** Measured again if the replica lacks something, which may have been written just now after a long pause. */
async function lagBehind(database: Database, { lsn, at, startedAt }: Position): Promise<number | null> {
  const ask = async () => (await database.rows<{ seconds: number }>(LAG, [lsn, at, startedAt]))[0]?.seconds ?? null;
  const lag = await ask();
  if (lag === null || lag === 0) return lag;
  await setTimeout(CATCH_UP_MS, undefined, { ref: false });
  return ask();
}
