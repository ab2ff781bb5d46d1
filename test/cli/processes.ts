import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, expect, inject, vi } from 'vitest';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { note, noteSettings, useLogWatch } from '../support/log-watch.ts';
import { OWN_CLOCK } from '../support/own-clock.ts';
import { portOf } from '../support/ports.ts';
import { noteProgram } from '../support/run-folder.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: { start: string; cli: string };
};
/** The arguments that `npm start` and `npm run cli` give to Node, from any working folder. */
const argumentsOf = (script: string) =>
  script
    .replace(/^.*?\bnode /, '')
    .split(' ')
    .map(word => (word.startsWith('src/') ? join(ROOT, word) : word));
const START = argumentsOf(scripts.start);
const CLI = argumentsOf(scripts.cli);

/** Longer than anything takes that goes right. */
export const DEADLINE_MS = 60_000;

export type Env = Readonly<Record<string, string>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Run {
  readonly input?: 'none' | 'open';
  /** By default Node, the one that runs the tests. */
  readonly file?: string;
  /** By default one that has no `.env`: a developer's own settings change no test. */
  readonly cwd?: string;
  /** The words after `npm start --`. */
  readonly words?: readonly string[];
}

/** One of our programs in a process, and a process group, of its own. It has nothing of our environment but where programs lie. */
export class Program {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #ended: Promise<Ended>;

  constructor(
    args: readonly string[],
    env: Env,
    { input = 'none', file = process.execPath, cwd = tmpdir() }: Run = {},
  ) {
    const { PATH = '', TMPDIR } = process.env;
    this.#child = spawn(file, args, {
      cwd,
      env: { PATH, ...OWN_CLOCK, ...(TMPDIR && { TMPDIR }), ...env },
      stdio: [input === 'open' ? 'pipe' : 'ignore', 'pipe', 'pipe'],
      detached: true,
    });
    noteProgram(this.#child.pid);
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#ended = once(this.#child, 'close').then(([code, signal]) => {
      return { code, signal, stdout: this.stdout, stderr: this.stderr };
    });
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** To its standard input, where that is open. */
  write(text: string): void {
    this.#child.stdin?.write(text);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Sent to the process that was started and to none that it has started, as a supervisor does. */
  killAlone(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sent to the whole process group, as a terminal does. */
  kill(signal: NodeJS.Signals): void {
    if (this.runs && this.#child.pid) process.kill(-this.#child.pid, signal);
  }

  /** How it ended, once it has. */
  ended(): Promise<Ended> {
    return within(this.#ended, () => `the end of a process that said:\n${this.stdout}${this.stderr}`);
  }

  /** Waits until its standard output has something. */
  said(pattern: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>();
    const look = () => {
      const match = pattern.exec(this.stdout);
      if (match) resolve(match);
    };
    look();
    this.#child.stdout?.on('data', look);
    void this.#ended.then(({ code }) =>
      reject(new Error(`ended with ${code} before it said ${pattern}: ${this.stderr}`)),
    );
    return within(promise, () => `${pattern} in:\n${this.stdout}${this.stderr}`);
  }
}

/** The service, once it has printed its page. */
export interface Service {
  readonly program: Program;
  readonly page: string;
  readonly url: string;
  /** The key of the demo company; empty without one. */
  readonly apiKey: string;
}

/** Starts programs and what they need; whatever is left at the end of the file is ended and removed. */
export interface Processes {
  /** A temporary folder, not made yet, for a `DATA_DIR`. */
  dataDir(): Promise<string>;
  /** `npm start`, on any free port and without npm. Not slower than a user's, nor faster. */
  start(env: Env, run?: Run): Program;
  /** A file of another folder, run by Node with these arguments. */
  startFile(args: readonly string[], env: Env, run: Run): Program;
  /** Starts it by another program: npm itself, or one that gives it a terminal. */
  startBy(file: string, args: (start: readonly string[]) => readonly string[], env: Env): Program;
  /** Starts it, and resolves once it is ready. */
  service(env: Env): Promise<Service>;
  /** `npm run cli -- …`, without npm. Node keeps the compiled code from one call to the next. */
  startCli(args: readonly string[], env: Env, run?: Run): Program;
  cli(args: readonly string[], env: Env): Promise<Ended>;
  /** A database of its own on the run's server; answers its URL, of the service if it is migrated, and of its owner if it is empty. */
  database(state: 'migrated' | 'empty'): Promise<string>;
  /** The URL of such a database for the role that owns its tables. */
  ownerOf(url: string): string;
  /** The URL of a database there that nobody has made. */
  missingDatabase(): string;
  /** As the role that owns the tables, if the database is on the run's server. */
  connect(url: string): Promise<pg.Client>;
  /** Has a server listen, by default one that never answers; gives its port. */
  listen(server?: Server): Promise<number>;
}

export function useProcesses(): Processes {
  const serverUrl = inject('serverUrl');
  const codeCache = inject('codeCache');
  const watch = useLogWatch();
  const undo: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    const failures: unknown[] = [];
    for (const step of undo.toReversed()) await step().catch(error => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, 'not everything could be cleaned up');
  });
  const start = (args: readonly string[], env: Env, run?: Run) => {
    const program = new Program(args, env, run);
    undo.push(() => {
      program.kill('SIGKILL');
      return program.ended();
    });
    return program;
  };
  const processes: Processes = {
    async dataDir() {
      const home = await mkdtemp(join(tmpdir(), 'cli-test-'));
      const dataDir = join(home, 'data');
      undo.push(async () => {
        await stopServer(dataDir);
        await rm(home, { recursive: true, force: true });
      });
      await chmod(home, 0o755); // for the account that PostgreSQL runs as when we are root
      return dataDir;
    },
    start(env, run) {
      const service = start(
        [...START, ...(run?.words ?? [])],
        { PORT: '0', NODE_COMPILE_CACHE: codeCache, ...env },
        run,
      );
      noteSettings(env);
      undo.push(async () => {
        note('issued', service.stdout);
        for (const line of service.stdout.split('\n')) if (/^\{.*\}$/.test(line)) watch.read(line);
      });
      return service;
    },
    startFile: (args, env, run) => start(args, env, run),
    startBy: (file, args, env) =>
      start(
        args([process.execPath, ...START]),
        { PORT: '0', NODE_COMPILE_CACHE: codeCache, ...env },
        { file, cwd: ROOT, input: 'open' },
      ),
    async service(env) {
      const program = processes.start(env);
      const hasDemo = env.DEMO === undefined ? env.NODE_ENV !== 'production' : env.DEMO === 'true';
      // Without the demo there is no page.
      const [, urlOfLog] = await program.said(hasDemo ? /(^curl .+\n){7}/m : /"url":"([^"]+)".*"msg":"ready"\}\n/m);
      // With several processes, one may log before the page is there.
      const page = program.stdout.replace(/^\{.*\n?/gm, '');
      return {
        program,
        page,
        url: /listening on (\S+)$/m.exec(page)?.[1] ?? urlOfLog ?? '',
        apiKey: /^API key: (\S+)$/m.exec(page)?.[1] ?? '',
      };
    },
    startCli: (args, env, run) => start([...CLI, ...args], { NODE_COMPILE_CACHE: codeCache, ...env }, run),
    cli: (args, env) => processes.startCli(args, env).ended(),
    async database(state) {
      const name = await createDatabase(serverUrl, state === 'migrated' ? inject('template') : undefined);
      undo.push(() => dropDatabase(serverUrl, name));
      return urlOf(state === 'migrated' ? inject('serviceUrl') : serverUrl, name);
    },
    ownerOf: url => urlOf(serverUrl, new URL(url).pathname.slice(1)),
    missingDatabase() {
      const name = `test_${randomBytes(8).toString('hex')}`;
      undo.push(() => dropDatabase(serverUrl, name)); // if it is made all the same
      return urlOf(serverUrl, name);
    },
    async connect(url) {
      const isOurs = new URL(url).username === new URL(inject('serviceUrl')).username;
      const client = new pg.Client({ connectionString: isOurs ? processes.ownerOf(url) : url });
      client.on('error', () => {}); // its server may be stopped
      await client.connect();
      undo.push(() => client.end());
      return client;
    },
    async listen(server = createServer(socket => socket.resume().on('error', () => {}))) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      undo.push(async () => server.close());
      return portOf(server);
    },
  };
  return processes;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
export type Json = any;

/** The one value of a command with `--json`. */
export function answerOf({ code, stdout, stderr }: Ended): Json {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^[^\n]+\n$/);
  return JSON.parse(stdout);
}

/** Ends a service, if there is one, and waits for its end. */
export async function stop(service: Service | undefined): Promise<void> {
  service?.program.kill('SIGTERM');
  await service?.program.ended();
}

/** The embedded server that runs in a data folder, and how to reach its database past the service. */
export async function embeddedServer(dataDir: string): Promise<{ pid: number; url: string } | undefined> {
  const [pid, , , port] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')).split(
    '\n',
  );
  const password = await readFile(join(dataDir, 'postgres-password'), 'utf8').catch(() => '');
  if (!pid || !port) return undefined;
  return { pid: Number(pid), url: `postgres://shipping:${password}@127.0.0.1:${port}/shipping` };
}

/**
 * Nothing in the folder answers any more, and nothing says that it would. A service ends within ten seconds and leaves a
 * server that writes its last pages for longer, on a slow disk, to end by itself.
 */
export async function expectStopped(server: { pid: number; url: string } | undefined, dataDir: string): Promise<void> {
  if (!server) throw new Error('there was no server to be stopped');
  await vi.waitFor(async () => expect(await embeddedServer(dataDir)).toBeUndefined(), DEADLINE_MS);
  const client = new pg.Client({ connectionString: server.url });
  await expect(client.connect()).rejects.toThrow('ECONNREFUSED');
}

/** How many wait for a lock in a client's database. */
export async function waiting(client: pg.Client): Promise<number> {
  await client.query('select pg_stat_clear_snapshot()'); // within a transaction it would always be the first answer
  const { rows } = await client.query(
    `select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );
  return rows[0]?.waiting;
}

/** The message that an operator reads at a failure: one line, no stack. */
export function expectSentence(stderr: string): void {
  expect(stderr).toMatch(/^[^\n]+\n$/);
  expect(stderr).not.toMatch(/Error:|node_modules|\.ts:\d/);
}

async function stopServer(dataDir: string): Promise<void> {
  const server = await embeddedServer(dataDir);
  if (!server) return;
  // It may still be starting. Only one that answers is stopped: the number of one that was killed may be another program's by now.
  await vi.waitUntil(async () => !isAlive(server.pid) || (await answers(server.url)), {
    timeout: 10_000,
    interval: 20,
  });
  if (!isAlive(server.pid)) return;
  process.kill(server.pid, 'SIGINT');
  await vi.waitUntil(async () => !(await embeddedServer(dataDir)), { timeout: 10_000, interval: 20 });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: urlOf(url, 'postgres'), connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function within<T>(promise: Promise<T>, what: () => string): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`waited ${DEADLINE_MS} ms in vain for ${what()}`)), DEADLINE_MS);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
