import { mkdir } from 'node:fs/promises';
import pg from 'pg';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { VARIABLES } from '../../src/config.ts';
import { type Env, embeddedServer, expectStopped, type Service, stop, useProcesses } from './processes.ts';
import { API, get, refusedStart, STOP_MS, startError } from './service-calls.ts';

const processes = useProcesses();
const refused = (env: Env) => refusedStart(processes, env);

test('A server that never responds is named in one sentence, without its password', async () => {
  const message = await startError({ DATABASE_URL: `postgres://me:pass-word@127.0.0.1:${await processes.listen()}/x` });
  expect(message).toMatch(/reached/);
  expect(message).not.toContain('pass-word');
});

test.runIf(process.platform === 'linux')('`npm start` says that its data folder cannot be used, and ends', async () => {
  const DATA_DIR = '/proc/shipping/data';
  expect(await refusedStart(processes, { DATA_DIR })).toContain(DATA_DIR);
});

test('Wrong settings are all named in one sentence', async () => {
  const said = await refused({ DATA_DIR: await processes.dataDir(), PORT: 'abc', ROLE: 'x', DATABASE_POOL_SIZE: '1' });
  for (const name of ['PORT', 'ROLE', 'DATABASE_POOL_SIZE']) expect(said).toContain(name);
});

test('`npm start -- --help` prints the settings and the other commands, and starts nothing', async () => {
  const dataDir = await processes.dataDir();
  const { code, stdout, stderr } = await processes.start({ DATA_DIR: dataDir }, { words: ['--help'] }).ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm start$/m);
  expect(stdout).toContain('npm run -s cli -- --help');
  for (const name of VARIABLES.filter(variable => !variable.endsWith('_FILE')))
    expect(stdout).toContain(`\n  ${name}\n`);
  await expect(mkdir(dataDir)).resolves.toBeUndefined();
});

test('Each start has a shipment whose walk begins with it, and names it', async () => {
  const env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
  const walkOf = ({ page }: Service) => /^(WALK\d+) moves from registered/m.exec(page)?.[1] ?? '';
  const track = async (service: Service, number: string) =>
    (await get(service, `/shipments/tracking/by-tracking-number/${number}`)).json();
  const first = await processes.service(env);
  expect(walkOf(first)).toBe('WALK000000001');
  const query = `mutation { recordTrackingEvents(input: { events: [
    { trackingNumber: "WALK000000001", occurredAt: "${new Date().toISOString()}", statusCode: DELIVERED }] }) { created } }`;
  await fetch(`${first.url}/graphql`, {
    method: 'POST',
    headers: { 'x-api-key': first.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  expect(await track(first, 'WALK000000001')).toMatchObject({ status: 'Consegnata' });
  await stop(first);
  const second = await processes.service(env);
  const walk = walkOf(second);
  expect(walk).toMatch(/^WALK20\d{12}$/);
  expect(await track(second, walk)).toMatchObject({ trackingNumber: walk, carrier: { name: 'BRT' } });
  await stop(second);
});

describe('After `npm start` in an empty folder', () => {
  let dataDir: string;
  let service: Service;
  beforeAll(async () => {
    dataDir = await processes.dataDir();
    service = await processes.service({ DATA_DIR: dataDir });
  });

  /** The service that runs on the folder, or a new one. */
  const running = async () => {
    if (!service.program.runs) service = await processes.service({ DATA_DIR: dataDir });
    return service;
  };

  const again = async () => {
    await stop(service);
    return running();
  };

  describe('while the service runs,', () => {
    test('another service on the same folder stops with a message, and the first continues', async () => {
      const first = await running();
      const said = await refused({ DATA_DIR: dataDir });
      expect(said).toContain(dataDir);
      expect(said).toContain('in use');
      expect((await get(first, '/warehouses')).status).toBe(200);
    });

    test('a wrong password is reported in one sentence that does not contain it', async () => {
      await running();
      const url = new URL((await embeddedServer(dataDir))?.url ?? '');
      url.password = 'open-sesame';
      const said = await refused({ DATA_DIR: dataDir, DATABASE_URL: url.href });
      expect(said).toContain('password');
      expect(said).not.toContain('open-sesame');
    });
  });

  describe('when the service is stopped and started again,', () => {
    test('Ctrl-C, even if it is pressed twice, stops the service and its database', async () => {
      const { program } = await running();
      const server = await embeddedServer(dataDir);
      const stoppingAt = performance.now();
      program.kill('SIGINT');
      program.kill('SIGINT');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
      await expectStopped(server, dataDir);
    });

    test('a port in use is reported in one sentence, and no database is left running', async () => {
      expect(await embeddedServer(dataDir)).toBeUndefined();
      const port = await processes.listen();
      const said = await refused({ DATA_DIR: dataDir, PORT: String(port) });
      expect(said).toContain(`Port ${port}`);
      expect(said).toContain('in use');
      expect(await embeddedServer(dataDir)).toBeUndefined();
    });

    test('a later start keeps companies, key and warehouses', async () => {
      const first = await running();
      const posted = await fetch(`${first.url}${API}/warehouses`, {
        method: 'POST',
        headers: { 'x-api-key': first.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(warehouse('Via Nuova 1')),
      });
      expect(posted.status).toBe(201);
      const before = await contents(dataDir);
      const second = await again();
      expect(second.apiKey).toBe(first.apiKey);
      expect(await contents(dataDir)).toEqual(before);
      const list = (await (await get(second, '/warehouses')).json()) as { address: string }[];
      expect(list.map(({ address }) => address)).toContain('Via Nuova 1');
    });

    test('the service starts on the same data after it was killed', async () => {
      const killed = await running();
      const before = await contents(dataDir);
      killed.program.kill('SIGKILL');
      expect(await killed.program.ended()).toMatchObject({ signal: 'SIGKILL' });

      const next = await running();
      expect(next.apiKey).toBe(killed.apiKey);
      expect(await contents(dataDir)).toEqual(before);
      expect((await get(next, '/warehouses')).status).toBe(200);

      const server = await embeddedServer(dataDir);
      next.program.kill('SIGTERM');
      expect(await next.program.ended()).toMatchObject({ code: 0 });
      await expectStopped(server, dataDir);
    });

    test('SIGTERM stops the service and its database even before it is ready', async () => {
      const program = processes.start({ DATA_DIR: dataDir });
      const server = await vi.waitFor(
        async () => {
          const found = await embeddedServer(dataDir);
          if (!found) throw new Error('no server yet');
          return found;
        },
        { timeout: 10_000, interval: 5 },
      );
      expect(program.stdout).not.toContain('"msg":"ready"');
      program.kill('SIGTERM');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      await expectStopped(server, dataDir);
    });
  });
});

function warehouse(address: string, city = 'Milano') {
  return { name: 'Nuovo', typeId: 1, address, postalCode: '20138', city, state: 'MI', country: 'IT' };
}

/** Everything of companies, keys and warehouses that has to last. */
async function contents(dataDir: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: (await embeddedServer(dataDir))?.url });
  await client.connect();
  try {
    const { rows } = await client.query(`
      select (select json_agg(c order by id) from company c) as companies,
        (select json_agg(to_jsonb(k) - 'last_used_at' order by id) from api_key k) as keys,
        (select json_agg(w order by id) from warehouse w) as warehouses`);
    return rows;
  } finally {
    await client.end();
  }
}
