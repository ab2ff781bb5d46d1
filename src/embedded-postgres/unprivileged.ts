import { spawn } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { StartupError } from '../platform/startup-error.ts';

/** The account that runs a program which does not run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** Runs a program to its end, which a signal brings about. */
export type Run = (file: string, args: readonly string[], logFd: number, signal?: AbortSignal) => Promise<void>;

/** First the account that packages of PostgreSQL create, then the one that every system has. */
const ACCOUNT_NAMES = ['postgres', 'nobody'];

export async function unprivilegedAccount(): Promise<Account> {
  const passwd = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'));
  for (const name of ACCOUNT_NAMES) {
    const [, , uid = '', gid = ''] = passwd.find(fields => fields[0] === name) ?? [];
    if (/^\d+$/.test(uid) && /^\d+$/.test(gid)) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new StartupError(
    'PostgreSQL does not run as root, and this system has no user postgres or nobody to run it: start as an ordinary user, or set DATABASE_URL.',
  );
}

/** Runs programs as `account`, or as the current user without one, so that they reach `places` in any folders. */
export async function runner(account: Account | undefined, places: readonly string[]): Promise<Run> {
  if (!account) return (file, args, logFd, signal) => run(file, args, logFd, signal);
  const barred = await folderBarredTo(account, places);
  if (!barred) return (file, args, logFd, signal) => run(file, args, logFd, signal, account);
  // Root's own folders (/root is mode 700) hide the binaries or the data from other users. They must not be opened up,
  // so the program gets the one capability that bypasses them, and only when nothing less suffices.
  const setpriv = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  return (file, args, logFd, signal) =>
    run('setpriv', [...setpriv, file, ...args], logFd, signal).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new StartupError(
        `PostgreSQL does not run as root, and the user that runs it may not enter ${barred}: choose a data folder elsewhere with DATA_DIR, move the project, or set DATABASE_URL.`,
      );
    });
}

function run(
  file: string,
  args: readonly string[],
  logFd: number,
  signal?: AbortSignal,
  account?: Account,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...account,
      // The working folder may be closed to the account, and a server that outlives this process must not keep it busy.
      cwd: parse(file).root || '/',
      // initdb would otherwise try hundreds of time zones to find the name of the local one.
      env: { ...process.env, TZ: 'UTC' },
      // A pipe would stay open while a server that inherited it runs; 'exit' and not 'close' for that reason too.
      stdio: ['ignore', logFd, logFd],
      windowsHide: true,
    });
    // Not by the option `signal` of spawn, which does not wait for the end of the program.
    const stop = () => child.kill();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    child.once('error', reject);
    child.once('exit', (code, killedBy) => {
      signal?.removeEventListener('abort', stop);
      if (code === 0) resolve();
      else reject(new ProgramFailed(file, code ?? killedBy));
    });
  });
}

/** The program failed; its output is in the log. */
export class ProgramFailed extends Error {
  constructor(file: string, end: number | string | null) {
    super(`${file} ended with ${end}`);
  }
}

/** Checks the permission bits, not access lists: if they differ, the program reports it in its log. */
async function folderBarredTo(account: Account, places: readonly string[]): Promise<string | undefined> {
  for (const place of places) {
    for (let folder = await realpath(place), inner = ''; folder !== inner; inner = folder, folder = dirname(folder)) {
      const { mode, uid, gid } = await stat(folder);
      const enter = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001;
      if ((mode & enter) === 0) return folder;
    }
  }
  return undefined;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
