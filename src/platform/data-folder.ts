import { mkdir, mkdtemp, realpath, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { StartupError } from './startup-error.ts';

// The folder of `DATA_DIR`. It is made on demand, and tried before anything is kept in it.

const FULL = 'its disk is full';
const NO_FOLDER = 'it or a folder above it is a file';
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write to it',
  EPERM: 'this user may not write to it',
  EROFS: 'its file system is read-only',
  ENOSPC: FULL,
  EDQUOT: FULL,
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  ENOENT: 'no folder can be made there',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  ERR_SQLITE_ERROR: 'its file postgres.lock cannot be locked',
};

/**
 * Makes the folder if there is none, and tries to write to it.
 *
 * @returns its path without symbolic links
 * @throws StartupError if it cannot be used
 */
export async function openDataFolder(dataDir: string): Promise<string> {
  const folder = resolve(dataDir);
  try {
    await makeFolder(folder);
    await tryToWrite(folder);
    return await realpath(folder);
  } catch (error) {
    throw await inOneSentence(error, folder);
  }
}

/** Tries to write, because permission bits do not suffice: root passes them in /proc and on a read-only file system. */
async function tryToWrite(folder: string): Promise<void> {
  try {
    await rmdir(await mkdtemp(join(folder, '.tried-')));
  } catch (error) {
    // A full disk does not stop commands that only read a running database.
    if (REASONS[(error as NodeJS.ErrnoException).code ?? ''] !== FULL) throw error;
  }
}

/** Errors of the file system are for the operator to resolve; any other error is returned as it is. */
export async function inOneSentence(error: unknown, folder: string): Promise<unknown> {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = REASONS[code];
  if (reason === undefined) return error;
  const owner = code === 'EACCES' || code === 'EPERM' ? await foreignOwner(folder) : undefined;
  const why = owner === undefined ? reason : `it belongs to another user (uid ${owner})`;
  return new StartupError(
    `The data folder ${folder} cannot be used, because ${why} (${code}): make it a folder that this user may write to, or set DATA_DIR to another one.`,
    { cause: error },
  );
}

/** The user whom a file or folder belongs to, if it is there and belongs to neither this user nor to anybody under root. */
export async function foreignOwner(path: string): Promise<number | undefined> {
  const me = process.geteuid?.();
  const uid = (await stat(path).catch(() => undefined))?.uid;
  return me === undefined || me === 0 || uid === me ? undefined : uid;
}

/** Makes one folder after the other: with `recursive`, Node tries indefinitely where the system allows none, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if ((await stat(folder).catch(() => undefined))?.isDirectory()) return;
    const parent = dirname(folder);
    if (code !== 'ENOENT' || parent === folder || (await stat(parent).catch(() => undefined))) throw error;
    await makeFolder(parent);
    // Begins again, because another process may have made the folder.
    await makeFolder(folder);
  }
}
