import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { PATIENTLY } from '../support/time.ts';

const OPENER = fileURLToPath(new URL('open-embedded-postgres.ts', import.meta.url));
const isRoot = process.geteuid?.() === 0;

let home: string;
let dataDir: string;
let opened: EmbeddedPostgres[];
let children: ChildProcess[];

/** A data folder as a first start and its end leave it: to make one takes longer than most tests. */
let used: string;

beforeAll(async () => {
  used = await newHome();
  await (await openEmbeddedPostgres({ dataDir: join(used, 'data'), as: 'tool', throwaway: true })).close();
});
afterAll(() => rm(used, { recursive: true, force: true }));

beforeEach(async () => {
  home = await newHome();
  dataDir = join(home, 'data');
  opened = [];
  children = [];
});

afterEach(async () => {
  for (const child of children.filter(isRunning)) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await Promise.all(opened.map(postgres => postgres.close().catch(() => {})));
  if (await serverRuns()) await (await openEmbeddedPostgres({ dataDir, as: 'tool' })).close();
  await rm(home, { recursive: true, force: true });
});

async function newHome(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  await chmod(folder, 0o755);
  return folder;
}

/** For tests that are not about a first start. With owners and modes, which PostgreSQL checks. */
async function usedDataDir(): Promise<void> {
  await promisify(execFile)('cp', ['-a', join(used, 'data'), dataDir]);
}

describe('With one process,', () => {
  test('the first start creates the database, and closing it stops the server', async () => {
    const postgres = await openEmbeddedPostgres({ dataDir, as: 'service' });
    opened.push(postgres);
    expect(await query(postgres.url, 'select current_database() as name, 7 * 6 as answer')).toEqual([
      { name: 'shipping', answer: 42 },
    ]);
    expect(
      await query(
        postgres.url,
        `select setting from pg_settings where name in ('listen_addresses', 'unix_socket_directories', 'fsync') order by name`,
      ),
    ).toEqual([{ setting: 'on' }, { setting: '127.0.0.1' }, { setting: '' }]);
    await postgres.close();
    expect(await serverRuns()).toBe(false);
    await expect(query(postgres.url, 'select 1')).rejects.toThrow();
    expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
  });

  test('a later start finds the data again', async () => {
    await usedDataDir();
    const first = await open('service');
    await query(first.url, `create table parcel as select 'kept' as fate`);
    await first.close();
    const second = await open('service');
    expect(await query(second.url, 'select fate from parcel')).toEqual([{ fate: 'kept' }]);
  });

  test('closing it twice has no further effect', async () => {
    await usedDataDir();
    const postgres = await open('tool');
    await Promise.all([postgres.close(), postgres.close()]);
    await postgres.close();
    expect(await serverRuns()).toBe(false);
  });

  test('a process that has closed ends by itself', async () => {
    await usedDataDir();
    const opener = await openElsewhere('service');
    opener.child.stdin?.end();
    expect(await once(opener.child, 'exit')).toEqual([0, null]);
    expect(await serverRuns()).toBe(false);
  });

  test.runIf(isRoot)('root may keep the data in a folder of root’s own', async () => {
    await usedDataDir();
    await chmod(home, 0o700);
    const postgres = await open('service');
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await postgres.close();
    expect(await serverRuns()).toBe(false);
  });
});

describe('With several processes,', () => {
  test('a second service is rejected, and the first continues undisturbed', async () => {
    await usedDataDir();
    const first = await open('service');
    const refusal = await open('service').catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(StartupError);
    expect((refusal as Error).message).toBe(
      `The data folder ${dataDir} is in use by process ${process.pid}: stop that one, or set DATA_DIR to another folder.`,
    );
    expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a command starts and ends beside a service', async () => {
    await usedDataDir();
    const service = await openElsewhere('service');
    const tool = await open('tool');
    expect(tool.url).toBe(service.url);
    await tool.close();
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('a command continues when the service ends, and then stops the server', async () => {
    await usedDataDir();
    const service = await open('service');
    const tool = await open('tool');
    await service.close();
    expect(await query(tool.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await tool.close();
    expect(await serverRuns()).toBe(false);
  });

  test('a service and a command that start at the same moment on an empty folder share one server', async () => {
    const [service, tool] = await Promise.all([openElsewhere('service'), openElsewhere('tool')]);
    expect(tool.url).toBe(service.url);
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await readdir(dataDir)).not.toContainEqual(expect.stringContaining('postgres.new-'));
  });

  test('a process that opens the database while the last one stops the server gets a working server', async () => {
    await usedDataDir();
    const visits = Array.from({ length: 6 }, async () => {
      for (let visit = 0; visit < 4; visit++) {
        const postgres = await open('tool');
        expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
        await postgres.close();
      }
    });
    await Promise.all(visits);
    expect(await serverRuns()).toBe(false);
  });

  test('a service whose connection is cut claims the server again', async () => {
    await usedDataDir();
    const service = await open('service');
    await query(service.url, `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres'`);
    await vi.waitFor(async () => {
      const held = `select count(*)::int as held from pg_locks where locktype = 'advisory'`;
      expect(await query(service.url, held)).toEqual([{ held: 2 }]);
    }, PATIENTLY);
    await (await open('tool')).close();
    expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await service.close();
    expect(await serverRuns()).toBe(false);
  });
});

describe('After an accident,', () => {
  test('the server of a killed process is taken over', async () => {
    await usedDataDir();
    const killed = await openElsewhere('service');
    await query(killed.url, `create table parcel as select 'kept' as fate`);
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    const next = await open('service');
    expect(next.url).toBe(killed.url);
    expect(await query(next.url, 'select fate from parcel')).toEqual([{ fate: 'kept' }]);
    await next.close();
    expect(await serverRuns()).toBe(false);
  });

  test('a first start that was killed half way begins again', async () => {
    const opener = start('service');
    await vi.waitFor(
      async () => {
        const files = await readdir(dataDir, { recursive: true });
        expect(files).toContainEqual(expect.stringMatching(/postgres\.new-.*PG_VERSION$/));
      },
      { interval: 2, timeout: 10_000 },
    );
    opener.kill('SIGKILL');
    await once(opener, 'exit');
    expect(await readdir(dataDir)).not.toContain('postgres');
    const postgres = await open('service');
    expect(await query(postgres.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test.runIf(process.platform === 'linux')(
    'a process number of a killed server that another program has now does not prevent the next start',
    async () => {
      await usedDataDir();
      const lost = await openElsewhere('service');
      lost.child.kill('SIGKILL');
      await once(lost.child, 'exit');
      const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
      const [pid, ...rest] = (await readFile(pidFile, 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      const { uid, gid } = await stat(pidFile);
      const stranger = spawn('sleep', ['600'], isRoot ? { uid, gid } : {});
      children.push(stranger);
      await once(stranger, 'spawn');
      await writeFile(pidFile, [stranger.pid, ...rest].join('\n'));
      const next = await open('service');
      expect(await query(next.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      expect(isRunning(stranger)).toBe(true);
    },
  );
});

describe('A server that ended while it was in use', () => {
  const heard: string[] = [];
  beforeEach(() => {
    heard.length = 0;
  });
  const log = pino({ level: 'trace', base: null }, { write: line => void heard.push(line) });

  async function openService(): Promise<EmbeddedPostgres> {
    await usedDataDir();
    const service = await openEmbeddedPostgres({ dataDir, as: 'service', throwaway: true, log });
    opened.push(service);
    return service;
  }
  async function keepParcel(url: string): Promise<void> {
    await query(url, `create table parcel as select 'kept' as fate`);
    // A throwaway server writes late.
    await query(url, 'checkpoint');
  }
  const answers = (url: string) =>
    vi.waitFor(async () => expect(await query(url, 'select fate from parcel')).toEqual([{ fate: 'kept' }]), {
      timeout: 15_000,
      interval: 50,
    });
  async function killServer(): Promise<void> {
    const [pid] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), 'SIGKILL');
  }

  test('is started again by the service at the same address, each time, and this is logged', async () => {
    const service = await openService();
    await keepParcel(service.url);
    const tool = await open('tool');
    for (let times = 1; times <= 2; times++) {
      await killServer();
      await answers(service.url);
      await vi.waitFor(
        () => expect(heard.filter(line => line.includes('has been started again'))).toHaveLength(times),
        PATIENTLY,
      );
    }
    expect(tool.url).toBe(service.url);
    await tool.close();
    expect(await query(service.url, 'select fate from parcel')).toEqual([{ fate: 'kept' }]);
    await service.close();
    expect(await serverRuns()).toBe(false);
  });

  test('is not started again by a service that stops', async () => {
    const service = await openService();
    await killServer();
    await service.close();
    await expect(query(service.url, 'select 1')).rejects.toThrow();
    expect(heard.filter(line => !line.includes('the embedded PostgreSQL is ready'))).toEqual([]);
  });

  test('is logged once where it cannot be started, and is started when it can be', async () => {
    const service = await openService();
    await keepParcel(service.url);
    const control = join(dataDir, 'postgres', 'global', 'pg_control');
    await rename(control, `${control}.away`);
    await killServer();
    const starts = async () =>
      (await readFile(join(dataDir, 'postgres.log'), 'utf8')).match(/could not find the database system/g)?.length;
    await vi.waitFor(async () => expect(await starts()).toBeGreaterThan(1), { timeout: 10_000 });
    const said = () =>
      heard.map(line => JSON.parse(line)).filter(({ msg }) => msg !== 'the embedded PostgreSQL is ready');
    expect(said()).toMatchObject([
      { msg: 'embedded PostgreSQL has ended and is started again', startedAfterMs: 0 },
      {
        msg: 'embedded PostgreSQL cannot be started again, trying on',
        reason: expect.stringContaining('postgres.log'),
        triedAtLeastEveryMs: 30_000,
      },
    ]);
    await rename(`${control}.away`, control);
    await answers(service.url);
    await vi.waitFor(
      () => expect(said()[2]).toMatchObject({ msg: 'embedded PostgreSQL has been started again' }),
      PATIENTLY,
    );
    expect(said()[2].starts).toBeGreaterThan(2);
  });

  test('has a port that no outgoing connection takes meanwhile', async () => {
    const { url } = await openService();
    expect(Number(new URL(url).port)).toBeLessThan(32_768);
  });

  test('is shared, at the same address, with a command that has started it meanwhile', async () => {
    const service = await openElsewhereStopped();
    await killServer();
    await vi.waitFor(async () => await expect(query(service.url, 'select 1')).rejects.toThrow(), PATIENTLY);
    const tool = await open('tool');
    expect(tool.url).toBe(service.url);
    process.kill(service.child.pid ?? 0, 'SIGCONT');
    await tool.close();
    await vi.waitFor(async () => expect(await query(service.url, 'select 1 as one')).toEqual([{ one: 1 }]), {
      timeout: 15_000,
      interval: 50,
    });
  });

  /** A service that is held still. */
  async function openElsewhereStopped() {
    await usedDataDir();
    const service = await openElsewhere('service');
    process.kill(service.child.pid ?? 0, 'SIGSTOP');
    return service;
  }
});

describe('A problem that the operator must solve is reported in one sentence:', () => {
  test('a cluster of another major version', async () => {
    await mkdir(join(dataDir, 'postgres'), { recursive: true });
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
    await expect(open('service')).rejects.toThrow(/^The data folder .* was made by PostgreSQL 12 and this is .*\.$/);
  });

  test('a folder with something else in it', async () => {
    await mkdir(join(dataDir, 'postgres', 'holiday-photos'), { recursive: true });
    await expect(open('service')).rejects.toThrow(/^The folder .* holds something else than a database: .*\.$/);
  });

  test('a file where the folder should be', async () => {
    await writeFile(dataDir, '');
    await expect(open('service')).rejects.toThrow(
      /^The data folder .* cannot be used, because .* is a file \(EEXIST\): .*\.$/,
    );
    await rm(dataDir);
  });

  test('a password that was lost or is not the right one', async () => {
    await usedDataDir();
    await (await open('tool')).close();
    const file = join(dataDir, 'postgres-password');
    const password = await readFile(file, 'utf8');
    await writeFile(file, 'guess');
    await expect(open('tool')).rejects.toThrow(/^The file postgres-password in .*\.$/);
    await rm(file);
    await expect(open('tool')).rejects.toThrow(/^The database's password is missing: .*\.$/);
    await writeFile(file, password, { mode: 0o600 });
    await (await open('tool')).close();
  });
});

async function open(as: 'service' | 'tool'): Promise<EmbeddedPostgres> {
  const postgres = await openEmbeddedPostgres({ dataDir, as, throwaway: true });
  opened.push(postgres);
  return postgres;
}

function start(as: 'service' | 'tool'): ChildProcess {
  const child = spawn(process.execPath, [OPENER, dataDir, as], { stdio: ['pipe', 'pipe', 'inherit'] });
  children.push(child);
  return child;
}

async function openElsewhere(as: 'service' | 'tool'): Promise<{ child: ChildProcess; url: string }> {
  const child = start(as);
  if (!child.stdout) throw new Error('no standard output');
  for await (const url of createInterface(child.stdout)) return { child, url };
  throw new Error('the process ended before it had the database open');
}

async function query(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function serverRuns(): Promise<boolean> {
  return (await readdir(join(dataDir, 'postgres')).catch((): string[] => [])).includes('postmaster.pid');
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
