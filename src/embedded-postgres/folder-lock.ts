import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../platform/startup-error.ts';

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
