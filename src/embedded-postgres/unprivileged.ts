import { spawn } from 'node:child_process';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, parse } from 'node:path';
import { StartupError } from '../platform/startup-error.ts';

/** Whom a program runs as when we are root and the program does not run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

export type Run = (file: string, args: readonly string[], logFd: number) => Promise<void>;

/** In this order: the account that packages of PostgreSQL make, then the one that every system has. */
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

/** How to run programs as `account`, or as ourselves without one, so that they reach `places` whatever folders these lie in. */
export async function runner(account: Account | undefined, places: readonly string[]): Promise<Run> {
  if (!account) return (file, args, logFd) => run(file, args, logFd);
  const barred = await folderBarredTo(account, places);
  if (!barred) return (file, args, logFd) => run(file, args, logFd, account);
  // Root's own folders (/root is mode 700) hide the binaries or the data from everybody else. Opening them up is not ours to
  // do, so the program gets the one capability that passes them by. It is asked for only here, where nothing less will do.
  const setpriv = [
    `--reuid=${account.uid}`,
    `--regid=${account.gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
    '--',
  ];
  return (file, args, logFd) =>
    run('setpriv', [...setpriv, file, ...args], logFd).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
      throw new StartupError(
        `PostgreSQL does not run as root, and the user that runs it may not enter ${barred}: choose a data folder elsewhere with DATA_DIR, move the project, or set DATABASE_URL.`,
      );
    });
}

function run(file: string, args: readonly string[], logFd: number, account?: Account): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      ...account,
      // Our own working folder may be closed to the account, and must not be kept busy by a server that outlives us.
      cwd: parse(file).root || '/',
      // initdb would otherwise try hundreds of time zones to find the name of the local one.
      env: { ...process.env, TZ: 'UTC' },
      // A pipe would stay open as long as a server that inherited it; 'exit' and not 'close' for the same reason.
      stdio: ['ignore', logFd, logFd],
      windowsHide: true,
    });
    child.once('error', reject);
    child.once('exit', (code, signal) => (code === 0 ? resolve() : reject(new ProgramFailed(file, code ?? signal))));
  });
}

/** The program ran and said no; what it said is in the log it was given. */
export class ProgramFailed extends Error {
  constructor(file: string, end: number | string | null) {
    super(`${file} ended with ${end}`);
  }
}

/** Goes by the permission bits. Access lists are not looked at: where they differ from the bits, the program says so in its log. */
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
