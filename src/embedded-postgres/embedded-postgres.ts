import { statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { inOneSentence, openDataFolder } from '../platform/data-folder.ts';
import { StartupError } from '../platform/startup-error.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { PostgresCluster, rejectForeignFiles, SUPERUSER } from './postgres-cluster.ts';
import { IN_USE, nameOfProcess, SERVICE, serviceProcess, tryLock, withFolderLock } from './server-claims.ts';

export interface EmbeddedPostgres {
  /** The URL of the application's database, with the password. */
  readonly url: string;
  /** Stops the server, unless another process uses it. */
  close(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Created on demand; it holds the cluster, its password and its log. */
  readonly dataDir: string;
  /** A service has the folder exclusively among services; a tool shares it. */
  readonly as: 'service' | 'tool';
  /** How many connections the service may open. */
  readonly connections?: number;
  /** Reports the steps of the start, and that the server is lost, or back. */
  readonly log?: Log | undefined;
  /** Ends an opening that is under way, which leaves no server that this process has started. */
  readonly signal?: AbortSignal | undefined;
  /** For tests: data need not survive a power cut. */
  readonly throwaway?: boolean;
  /** For benches: settings of the server that replace ours, while this process starts it. */
  readonly settings?: Readonly<Record<string, string>>;
}

const DATABASE = 'shipping';

/** Long enough for a recovery after a crash. */
const CONNECT_TIMEOUT_MS = 120_000;
/** The session of a killed service ends after a moment. */
const SERVICE_LOCK_TIMEOUT_MS = 500;
/** Another process may take the port between its choice and the start. */
const START_ATTEMPTS = 4;
/** For a server that recovers by itself while it must stop. */
const LEAVE_TIMEOUT_MS = 5_000;
/** The pause between looks at a lost server. */
const LOOK_PAUSE_MS = 100;
/** The pause between starts of a server that has ended; it doubles after each. */
const FIRST_START_PAUSE_MS = 500;
const MAX_START_PAUSE_MS = 30_000;
/** After running this long, a server did not end for the reason of its last end. */
const STEADY_MS = 60_000;
const RETRY_MS = 20;
/** PostgreSQL writes its WAL in segments of this size, and needs room for one. */
const NEEDED_BYTES = 16 * 1024 * 1024;

const noop = () => undefined;

/** The database of the service and its command line, if no server is configured. */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const folder = await openDataFolder(options.dataDir);
  await rejectForeignFiles(folder);
  const { signal } = options;
  const session = new Session(folder, options);
  const stop = () => session.close().catch(noop);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    signal?.throwIfAborted();
    await session.open();
    signal?.throwIfAborted();
    return session;
  } catch (error) {
    if (!signal?.aborted) throw await inOneSentence(error, folder);
    await stop();
    throw signal.reason;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** This process' share in the server: one connection, whose locks end with the process in any case. */
class Session implements EmbeddedPostgres {
  readonly #folder: string;
  readonly #as: EmbeddedPostgresOptions['as'];
  readonly #cluster: PostgresCluster;
  #port = 0;
  #password = '';
  #client: pg.Client | undefined;
  readonly #log: Log | undefined;
  #regaining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  /** Whether this process is starting the server again. */
  #isStarting = false;
  /** Ends the pause before the next attempt. */
  readonly #closed = new AbortController();
  /** The earliest time to start a server that has ended, and the pause after that start. */
  #nextStartMs = Number.NEGATIVE_INFINITY;
  #startPauseMs = FIRST_START_PAUSE_MS;

  constructor(folder: string, { as, connections, log, throwaway = false, settings }: EmbeddedPostgresOptions) {
    this.#folder = folder;
    this.#as = as;
    this.#log = log;
    this.#cluster = new PostgresCluster(folder, { throwaway, connections, settings });
  }

  get url(): string {
    return `postgres://${SUPERUSER}:${this.#password}@127.0.0.1:${this.#port}/${DATABASE}`;
  }

  open(): Promise<void> {
    const startedAtMs = performance.now();
    const { signal } = this.#closed;
    const work = async () => {
      const onCreate = () => this.#say({ dataDir: this.#folder }, 'creating the embedded database');
      this.#password = await this.#cluster.prepare(signal, onCreate);
      const found = await this.#cluster.postmaster();
      if (found) this.#say({ pid: found.pid }, 'an embedded PostgreSQL that runs already is used');
      const client = await this.#reachServer();
      try {
        await this.#claim(client);
        await createDatabase(client);
        this.#watch(client);
      } catch (error) {
        await this.#leave(client);
        throw error;
      }
      const afterMs = Math.round(performance.now() - startedAtMs);
      this.#say({ afterMs, pid: (await this.#cluster.postmaster())?.pid }, 'the embedded PostgreSQL is ready');
    };
    return withFolderLock(this.#folder, work, signal);
  }

  /** At once, and not within a second: a person waits for it. */
  #say(about: object, message: string): void {
    this.#log?.info(about, message);
    this.#log?.flush();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed.abort();
    // A starting server may have to recover for longer than there is time to stop.
    while (this.#isStarting) if (!(await this.#stopStarting())) await sleep(RETRY_MS);
    await this.#regaining;
    try {
      await withFolderLock(this.#folder, () => (this.#client ? this.#leave(this.#client) : this.#leaveLost()));
    } finally {
      await this.#client?.end(); // without the folder, for instance, there is no lock
    }
  }

  /** Stops a server that accepts no connections yet; returns whether there was one. */
  async #stopStarting(): Promise<boolean> {
    const isStarting = (await this.#cluster.postmaster())?.isStarting ?? false;
    if (isStarting) await this.#cluster.stop();
    return isStarting;
  }

  /** A lost server may be back, or about to be. */
  async #leaveLost(): Promise<void> {
    const deadline = Date.now() + LEAVE_TIMEOUT_MS;
    while (Date.now() < deadline && !(await this.#stopStarting()) && (await this.#cluster.postmaster())) {
      const client = await this.#connect().catch(() => undefined);
      if (client) return this.#leave(client);
      await sleep(RETRY_MS);
    }
  }

  /** Finds the server or starts it. A server that is shutting down, because its last user was killed, is awaited. */
  async #reachServer(): Promise<pg.Client> {
    const deadline = Date.now() + CONNECT_TIMEOUT_MS;
    let starts = 0;
    while (Date.now() < deadline) {
      this.#closed.signal.throwIfAborted();
      const postmaster = await this.#cluster.postmaster();
      if (postmaster) {
        this.#port = postmaster.port;
        const client = await this.#connect();
        if (client) return client;
        await sleep(RETRY_MS);
      } else if (starts < START_ATTEMPTS) {
        // A service whose server is lost keeps using the same port.
        const port = this.#as === 'tool' && starts === 0 ? await this.#cluster.lastPort() : undefined;
        await this.#start(port);
        starts++;
      } else break;
    }
    throw new StartupError(
      `PostgreSQL does not start in the data folder ${this.#folder}: its file postgres.log says why.`,
    );
  }

  async #start(port: number | undefined): Promise<void> {
    this.#isStarting = true;
    try {
      await this.#cluster.start(port);
    } finally {
      this.#isStarting = false;
    }
  }

  async #connect(): Promise<pg.Client | undefined> {
    const connectionString = this.url.replace(/(?<=\/)[^/]*$/, 'postgres');
    const options = { ssl: false, connectionTimeoutMillis: 5_000, application_name: nameOfProcess() };
    const client = new pg.Client({ connectionString, ...options });
    client.on('error', () => {}); // without a listener, the error of a lost server would end the process
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (codeOf(error) !== '28P01') return undefined;
      throw new StartupError(
        `The file postgres-password in the data folder ${this.#folder} does not hold the database's password: put the right one back, or set DATA_DIR to another folder.`,
      );
    }
  }

  async #claim(client: pg.Client): Promise<void> {
    await client.query('select pg_advisory_lock_shared($1, $2)', IN_USE);
    if (this.#as === 'tool') return;
    const deadline = Date.now() + SERVICE_LOCK_TIMEOUT_MS;
    while (!(await tryLock(client, SERVICE))) {
      if (Date.now() > deadline) {
        throw new StartupError(
          `The data folder ${this.#folder} is in use by ${await serviceProcess(client)}: stop that one, or set DATA_DIR to another folder.`,
        );
      }
      await sleep(RETRY_MS);
    }
  }

  /**
   * When one backend crashes, PostgreSQL ends every connection and recovers. Pools reconnect, so this connection must
   * too: without its locks the next tool to finish would stop the server.
   */
  #watch(client: pg.Client): void {
    this.#client = client;
    client.once('end', () => {
      this.#client = undefined;
      if (!this.#closing) this.#regaining = this.#regain();
    });
  }

  /** Retries indefinitely. A service starts a server that has ended; a tool waits for that. */
  async #regain(): Promise<void> {
    const lostAtMs = performance.now();
    if (lostAtMs - this.#nextStartMs > STEADY_MS) this.#startPauseMs = FIRST_START_PAUSE_MS;
    let starts = 0;
    const said = new Set<string>();
    const sayOnce = (message: string, about: object) => {
      if (!said.has(message)) this.#log?.error(about, message);
      said.add(message);
    };
    while (await this.#pause()) {
      try {
        if (await this.#reclaim()) {
          const afterMs = Math.round(performance.now() - lostAtMs);
          if (starts > 0) this.#log?.warn({ starts, afterMs }, 'embedded PostgreSQL has been started again');
          return;
        }
        if (this.#as === 'tool' || (await this.#cluster.postmaster())) continue;
        const startedAfterMs = Math.max(0, Math.round(this.#nextStartMs - performance.now()));
        sayOnce('embedded PostgreSQL has ended and is started again', { startedAfterMs });
        if (startedAfterMs > 0) continue;
        this.#nextStartMs = performance.now() + this.#startPauseMs;
        this.#startPauseMs = Math.min(2 * this.#startPauseMs, MAX_START_PAUSE_MS);
        starts++;
        if (!(await this.#restart()) && !this.#closing) throw new Error(await this.#whyDown());
      } catch (error) {
        const about = { reason: (error as Error).message, triedAtLeastEveryMs: MAX_START_PAUSE_MS };
        sayOnce('embedded PostgreSQL cannot be started again, trying on', about);
      }
    }
  }

  /** Whether the server is back at its address, and has been claimed again. */
  async #reclaim(): Promise<boolean> {
    const postmaster = await this.#cluster.postmaster();
    const client = postmaster?.port === this.#port ? await this.#connect() : undefined;
    if (!client) return false;
    try {
      await this.#claim(client);
    } catch (error) {
      await client.end();
      throw error;
    }
    this.#watch(client);
    return true;
  }

  /** Under the folder's lock, so that only one process starts it; on the same port, which every process keeps using. */
  #restart(): Promise<boolean> {
    return withFolderLock(this.#folder, async () => {
      if (!this.#closing && !(await this.#cluster.postmaster())) await this.#start(this.#port);
      return (await this.#cluster.postmaster()) !== undefined;
    });
  }

  async #whyDown(): Promise<string> {
    const { bavail, bsize } = await statfs(this.#folder);
    return bavail * bsize < NEEDED_BYTES
      ? `The disk of the data folder ${this.#folder} is full: make room on it.`
      : `The file postgres.log in the data folder ${this.#folder} says why.`;
  }

  /** Whether to look again. */
  #pause(): Promise<boolean> {
    return sleep(LOOK_PAUSE_MS, undefined, { signal: this.#closed.signal }).then(
      () => true,
      () => false,
    );
  }

  /** The last process to leave stops the server, under the folder's lock so that none joins meanwhile. */
  async #leave(client: pg.Client): Promise<void> {
    let last = false;
    try {
      await client.query('select pg_advisory_unlock_all()');
      last = await tryLock(client, IN_USE);
    } catch {
      // The server has already ended.
    }
    await client.end();
    if (last) await this.#cluster.stop();
  }
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
  if (rowCount === 0) await client.query(`create database ${DATABASE}`);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
