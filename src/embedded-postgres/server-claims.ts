import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { StartupError } from '../platform/startup-error.ts';

// How processes share the embedded server: each claims it by advisory locks of a connection that it keeps, and a lock on the
// folder lets one process at a time start or stop the server.

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

/** Longer than any holder waits for the server. */
const LOCK_TIMEOUT_MS = 200_000;
const RETRY_MS = 20;
const SQLITE_BUSY = 5;

/**
 * Lets one process at a time create, start or stop a server in a folder. A transaction of SQLite on a file in it serves
 * as the lock: the system releases it when its holder dies, even by `kill -9`, on every platform and by whatever path
 * the folder was reached. A file with a process number goes stale, a named socket exists on some systems only, and
 * PostgreSQL's own locks need a server.
 *
 * @param signal ends the wait for the lock, not the work
 */
export async function withFolderLock<T>(folder: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const path = join(folder, 'postgres.lock');
  const lock = new DatabaseSync(path, { timeout: 0 }); // waiting inside SQLite would stop the event loop
  try {
    // On a read-only file, SQLite would accept a lock that others may share.
    await access(path, constants.W_OK);
    const deadline = Date.now() + LOCK_TIMEOUT_MS;
    while (!tryBegin(lock)) {
      if (Date.now() > deadline) {
        throw new StartupError(
          `Another process has been starting or stopping the database in ${folder} for minutes: stop that one, or set DATA_DIR to another folder.`,
        );
      }
      await sleep(RETRY_MS, undefined, { signal });
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryBegin(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
