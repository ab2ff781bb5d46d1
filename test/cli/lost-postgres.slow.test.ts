import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { embeddedServer, expectStopped, type Json, type Service, useProcesses } from './processes.ts';
import { API, get, SOON, STOP_MS } from './service-calls.ts';

const processes = useProcesses();

const ENDED = 'embedded PostgreSQL has ended and is started again';
const FAILED = 'embedded PostgreSQL cannot be started again, trying on';
const STARTED = 'embedded PostgreSQL has been started again';

/** The log lines of the service about its database, and about processes that have ended. */
function saidOf({ program: { stdout } }: Service): Json[] {
  const lines = stdout.split('\n').filter(line => /^\{.*\}$/.test(line));
  return lines.map(line => JSON.parse(line)).filter(({ msg }) => /^embedded PostgreSQL/.test(msg));
}

const says = (service: Service, message: string, times = 1) =>
  vi.waitFor(() => expect(saidOf(service).filter(({ msg }) => msg === message)).toHaveLength(times), SOON);

/** A new warehouse with a name of its own; its name where it was made. */
async function create({ url, apiKey }: Service, name: string): Promise<{ status: number; retryAfter: string | null }> {
  const response = await fetch(`${url}${API}/warehouses`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ ...WAREHOUSE, name }),
  });
  await response.arrayBuffer();
  return { status: response.status, retryAfter: response.headers.get('retry-after') };
}

const WAREHOUSE = {
  typeId: 1,
  address: 'Via Nuova 1',
  city: 'Milano',
  state: 'MI',
  postalCode: '20138',
  country: 'IT',
};

async function killServer(dataDir: string): Promise<number> {
  const { pid = 0 } = (await embeddedServer(dataDir)) ?? {};
  process.kill(pid, 'SIGKILL');
  return pid;
}

describe.each([
  { what: 'one process', env: {} as Record<string, string> },
  { what: 'two processes', env: { PROCESSES: '2' } },
])('`npm start` in $what, whose embedded PostgreSQL is killed,', ({ env }) => {
  let dataDir: string;
  let service: Service;
  beforeAll(async () => {
    dataDir = await processes.dataDir();
    service = await processes.service({ DATA_DIR: dataDir, ...env });
  });

  test('responds with 503 until PostgreSQL is back, each time, and loses nothing that it acknowledged', async () => {
    const made: string[] = [];
    for (let times = 1; times <= 2; times++) {
      const statuses = new Set<number>();
      const attempt = async () => {
        const name = `Magazzino ${times}-${statuses.size}-${made.length}`;
        const { status, retryAfter } = await create(service, name);
        statuses.add(status);
        if (status === 201) made.push(name);
        else expect([status, Number(retryAfter) > 0]).toEqual([503, true]);
        return status;
      };
      expect(await attempt()).toBe(201);
      const killed = await killServer(dataDir);
      await vi.waitFor(async () => expect(await attempt()).toBe(503), SOON);
      await vi.waitFor(async () => expect(await attempt()).toBe(201), { ...SOON, timeout: 20_000 });
      expect((await embeddedServer(dataDir))?.pid).not.toBe(killed);
      await says(service, STARTED, times);
    }
    const listed = (await (await get(service, '/warehouses')).json()) as { name: string }[];
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(made));
    // No process of the service has ended, and one of them has started the server again.
    expect(saidOf(service).map(({ msg }) => msg)).toEqual([ENDED, STARTED, ENDED, STARTED]);
    expect(new Set(saidOf(service).map(({ pid }) => pid)).size).toBe(1);
  });

  test('stops at once while the server is still recovering, and leaves no server behind', async () => {
    const restored = join(dataDir, 'postgres', 'recovery.signal');
    await writeFile(restored, '');
    await appendFile(join(dataDir, 'postgres', 'postgresql.conf'), "\nrestore_command = 'sleep 60; false'\n");
    const killed = await killServer(dataDir);
    const server = await vi.waitFor(async () => {
      const found = await embeddedServer(dataDir);
      expect(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).toContain('starting');
      expect(found?.pid).not.toBe(killed);
      return found;
    }, SOON);
    const stoppingAt = performance.now();
    service.program.killAlone('SIGTERM');
    expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
    await expectStopped(server, dataDir);
  });
});

test('The service tries to start a broken server until it is stopped itself, and logs this once', async () => {
  const dataDir = await processes.dataDir();
  const service = await processes.service({ DATA_DIR: dataDir });
  const control = join(dataDir, 'postgres', 'global', 'pg_control');
  await rename(control, `${control}.away`);
  await killServer(dataDir);
  await says(service, FAILED);
  const starts = async () =>
    (await readFile(join(dataDir, 'postgres.log'), 'utf8')).match(/could not find the database system/g)?.length;
  await vi.waitFor(async () => expect(await starts()).toBeGreaterThan(2), SOON);
  const refused = await get(service, '/warehouses');
  expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([503, true]);
  expect(saidOf(service).map(({ msg }) => msg)).toEqual([ENDED, FAILED]);

  const stoppingAt = performance.now();
  service.program.kill('SIGTERM');
  expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
});
