import type pg from 'pg';

// How processes share the embedded server: by advisory locks of a connection that each of them keeps.

/** Advisory locks in the database `postgres`. Every process shares the first: an exclusive holder is the last. */
export const IN_USE = [0x73686970, 1];
export const SERVICE = [0x73686970, 2];

export async function tryLock(client: pg.Client, lock: readonly number[]): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, $2) as locked', [...lock]);
  return rows[0]?.locked ?? false;
}

/** The name of the connection of this process. */
export const nameOfProcess = () => `process ${process.pid}`;

/** The process of the service that has claimed the server. */
export async function serviceProcess(client: pg.Client): Promise<string> {
  const holder = `select application_name as name from pg_stat_activity join pg_locks using (pid)
    where locktype = 'advisory' and granted and classid = $1 and objid = $2 and application_name like 'process %'`;
  const { rows } = await client.query<{ name: string }>(holder, SERVICE);
  return rows[0]?.name ?? 'another process';
}
