import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { freePort } from '../support/ports.ts';
import { busyRequests, SECRETS } from './busy.ts';
import { curl } from './curl.ts';
import { oldPostgres } from './old-postgres.ts';
import {
  type Env,
  embeddedServer,
  expectSentence,
  expectStopped,
  type Service,
  stop,
  useProcesses,
  waiting,
} from './processes.ts';

const FIRST_START_MS = 10_000;
const LATER_START_MS = 3_000;
const STOP_MS = 10_000;

const SOON = { timeout: 10_000, interval: 20 };

const processes = useProcesses();
const API = '/api/v1/integrations';

describe('npm start in an empty folder', () => {
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

  describe('the first start', () => {
    test('it is ready within ten seconds', () => {
      expect(service.readyAfterMs).toBeLessThan(FIRST_START_MS);
    });

    test('it prints where it is, and a whole key alone on a line', async () => {
      expect(service.page).toMatch(/^.*listening on http:\/\/127\.0\.0\.1:\d+$/m);
      expect(service.page.match(/^API key: sk_live_[0-9A-Za-z_]+$/gm)).toHaveLength(1);
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      expect((await get(service, '/health')).status).toBe(200);
    });

    const lines = [
      { about: 'the key', has: { ok: true, authScheme: 'x-api-key' } },
      { about: 'the warehouses', has: expect.arrayContaining([expect.objectContaining({ country: 'IT' })]) },
      {
        about: 'a quote',
        has: expect.arrayContaining([expect.objectContaining({ carrierCode: 'BRT', totalPriceWithVat: 26.34 })]),
      },
      {
        about: 'an address',
        has: {
          ...{ status: 'warning', code: 'ADDRESS_NORMALIZED', carrierCode: 'GLS' },
          suggestions: [expect.objectContaining({ zip: '90100', transitTimeHours: 48 })],
        },
      },
      {
        about: 'a shipment by its number',
        has: { trackingNumber: '084007001234567', timeline: expect.arrayContaining([expect.anything()]) },
      },
      {
        about: 'the shipments of an order',
        has: [expect.objectContaining({ marketplaceOrderNumber: '405-1234567-1234567' })],
      },
      {
        about: 'the graph',
        has: { data: { shipments: { edges: expect.arrayContaining([{ node: expect.anything() }]) } } },
      },
    ];
    test.each(lines.map((line, index) => ({ ...line, index })))(
      'the curl line about $about works as it is printed',
      async ({ index, has }) => {
        const printed = service.page.match(/^curl .+$/gm) ?? [];
        expect(printed).toHaveLength(lines.length);
        const response = await curl(printed[index] ?? '');
        const body = await response.json();
        expect(response.status).toBe(200);
        if (Array.isArray(body)) expect(body).toEqual(has);
        else expect(body).toMatchObject(has);
        expect(body).not.toHaveProperty('errors');
      },
    );
  });

  describe('while it runs', () => {
    test('another service on the same folder is told so, and the first goes on', async () => {
      const first = await running();
      const said = await refusal({ DATA_DIR: dataDir });
      expect(said).toContain(dataDir);
      expect(said).toContain('in use');
      expect((await get(first, '/warehouses')).status).toBe(200);
    });

    test('a wrong password is said in one sentence that does not hold it', async () => {
      await running();
      const url = new URL((await embeddedServer(dataDir))?.url ?? '');
      url.password = 'open-sesame';
      const said = await refusal({ DATA_DIR: dataDir, DATABASE_URL: url.href });
      expect(said).toContain('password');
      expect(said).not.toContain('open-sesame');
    });
  });

  describe('stopping and starting again', () => {
    test('SIGTERM finishes the request under way, takes no more, stops the database and exits with 0', async () => {
      const { program, url } = await running();
      const server = await embeddedServer(dataDir);
      const lock = await processes.connect(server?.url ?? '');
      await lock.query('begin');
      const { rows } = await lock.query('select id from warehouse order by id limit 1 for update');
      const patched = rename(service, rows[0]?.id);
      await vi.waitUntil(async () => (await waiting(lock)) === 1, SOON);

      const stoppingAt = performance.now();
      program.kill('SIGTERM');
      await vi.waitFor(() => expect(fetch(`${url}/livez`)).rejects.toThrow(), SOON);
      expect(program.runs).toBe(true);
      await lock.query('rollback');
      await lock.end();

      const response = await patched;
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ name: 'Cambiato' });
      // Kept, it would hold up the end.
      expect(response.headers.get('connection')).toBe('close');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
      await expectStopped(server, dataDir);
    });

    test('a port in use is said in one sentence, and no database is left running', async () => {
      expect(await embeddedServer(dataDir)).toBeUndefined();
      const port = await processes.listen();
      const said = await refusal({ DATA_DIR: dataDir, PORT: String(port) });
      expect(said).toContain(`Port ${port}`);
      expect(said).toContain('in use');
      expect(await embeddedServer(dataDir)).toBeUndefined();
    });

    test('a later start is ready within three seconds and keeps companies, key and warehouses', async () => {
      const first = await running();
      const posted = await fetch(`${first.url}${API}/warehouses`, {
        method: 'POST',
        headers: { 'x-api-key': first.apiKey, 'content-type': 'application/json' },
        body: JSON.stringify(warehouse('Via Nuova 1')),
      });
      expect(posted.status).toBe(201);
      const before = await contents(dataDir);
      let second = await again();
      // Whatever else keeps the machine busy may slow down a start, or two.
      for (let left = 2; left > 0 && second.readyAfterMs >= LATER_START_MS; left--) second = await again();
      expect(second.readyAfterMs).toBeLessThan(LATER_START_MS);
      expect(second.apiKey).toBe(first.apiKey);
      expect(await contents(dataDir)).toEqual(before);
      const list = (await (await get(second, '/warehouses')).json()) as { address: string }[];
      expect(list.map(({ address }) => address)).toContain('Via Nuova 1');
    });

    test('Ctrl-C, and Ctrl-C again for the impatient, stops the service and its database', async () => {
      const { program } = await running();
      const server = await embeddedServer(dataDir);
      const stoppingAt = performance.now();
      program.kill('SIGINT');
      program.kill('SIGINT');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
      await expectStopped(server, dataDir);
    });

    test('killed without warning, it starts again on the same data', async () => {
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

    test('SIGTERM before it is ready stops it and its database as well', async () => {
      const program = processes.start({ DATA_DIR: dataDir });
      const server = await vi.waitFor(
        async () => {
          const found = await embeddedServer(dataDir);
          if (!found) throw new Error('no server yet');
          return found;
        },
        { timeout: 10_000, interval: 5 },
      );
      expect(program.stdout).toBe('');
      program.kill('SIGTERM');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      await expectStopped(server, dataDir);
    });
  });
});

describe.concurrent('a database that will not do is named in one sentence, without its password', () => {
  const cases: { name: string; url: () => Promise<string>; says: RegExp }[] = [
    {
      name: 'nothing listens',
      url: async () => `postgres://me:pass-word@127.0.0.1:${await freePort()}/x`,
      says: /listens/,
    },
    { name: 'the host is unknown', url: async () => 'postgres://me:pass-word@nowhere.invalid/x', says: /host/ },
    {
      name: 'the server never answers',
      url: async () => `postgres://me:pass-word@127.0.0.1:${await processes.listen()}/x`,
      says: /reached/,
    },
    {
      name: 'the database is missing',
      url: async () => processes.missingDatabase(),
      says: /does not exist/,
    },
    {
      name: 'the server is too old',
      url: async () => `postgres://me:pass-word@127.0.0.1:${await processes.listen(oldPostgres())}/x`,
      says: /PostgreSQL 14\b.*\b15 or newer/,
    },
  ];
  test.each(cases)('$name', async ({ url, says }) => {
    const databaseUrl = await url();
    const said = await refusal({ DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl });
    expect(said).toMatch(says);
    expect(said).not.toContain(new URL(databaseUrl).password || 'pass-word');
  });

  test('a missing database is not made', async () => {
    const databaseUrl = processes.missingDatabase();
    await refusal({ DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl }).catch(() => {});
    const database = await processes.connect(inject('serverUrl'));
    const names = (await database.query('select datname from pg_database')).rows.map(({ datname }) => datname);
    expect(names).not.toContain(new URL(databaseUrl).pathname.slice(1));
  });

  test('it is not migrated and must not be', async () => {
    const env = {
      DATA_DIR: await processes.dataDir(),
      DATABASE_URL: await processes.database('empty'),
      MIGRATE_ON_START: 'false',
    };
    expect(await refusal(env)).toContain('migrate');
  });
});

describe.concurrent('wrong settings', () => {
  const cases: { name: string; value: string; allowed: RegExp }[] = [
    { name: 'PORT', value: 'abc', allowed: /0 .*to 65535/ },
    { name: 'PORT', value: '70000', allowed: /0 .*to 65535/ },
    { name: 'ROLE', value: 'x', allowed: /all, api or worker/ },
    { name: 'DATABASE_POOL_SIZE', value: '1', allowed: /2 to 500/ },
    { name: 'LOG_LEVEL', value: 'loud', allowed: /info/ },
    { name: 'DATABASE_URL', value: 'http://me:pass-word@127.0.0.1/x', allowed: /postgres:\/\// },
    { name: 'DEMO', value: 'maybe', allowed: /true or false/ },
    { name: 'METRICS_PORT', value: '0', allowed: /1 to 65535/ },
    { name: 'NODE_ENV', value: 'staging', allowed: /development, test or production/ },
  ];
  const refused = async (env: Env) => refusal({ DATA_DIR: await processes.dataDir(), ...env });
  const thrown = (env: Env) => {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof StartupError) return error.message;
      throw error;
    }
    throw new Error('the settings were taken');
  };

  // They are read by one function; that `npm start` says what it throws is seen of all of them.
  test.each(cases)('$name=$value is refused with what is allowed', ({ name, value, allowed }) => {
    const said = thrown({ [name]: value });
    expectSentence(`${said}\n`);
    expect(said).toContain(name);
    expect(said).toMatch(allowed);
    if (name === 'DATABASE_URL') expect(said).not.toContain('pass-word');
    else expect(said).toContain(value);
  });

  test('all of them are named at once', async () => {
    const all: Env = Object.fromEntries(cases.map(({ name, value }) => [name, value]));
    const said = await refused(all);
    for (const name of Object.keys(all)) expect(said).toContain(name);
    expect(said).toBe(`${thrown(all)}\n`);
    expect(said).not.toContain('pass-word');
  });

  test('a host that is not of this machine', async () => {
    expect(await refused({ HOST: '192.0.2.1', DATABASE_URL: await processes.database('migrated') })).toContain(
      '192.0.2.1',
    );
  });

  test('a port for the figures that is taken', async () => {
    const port = await processes.listen();
    const said = await refused({ METRICS_PORT: String(port), DATABASE_URL: await processes.database('migrated') });
    expect(said).toContain(String(port));
  });
});

test.concurrent('a request that never ends does not hold SIGTERM up for ten seconds', async () => {
  const databaseUrl = await processes.database('migrated');
  const service = await processes.service({ DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl });
  const [row, table] = [await processes.connect(databaseUrl), await processes.connect(databaseUrl)];
  await row.query('begin');
  const { rows } = await row.query('select id from warehouse order by id limit 1 for update');
  const stuck = rename(service, rows[0]?.id).catch((error: unknown) => error);
  await vi.waitUntil(async () => (await waiting(row)) === 1, SOON);
  await table.query('begin');
  await table.query('lock table warehouse in share mode');

  const stoppingAt = performance.now();
  service.program.kill('SIGTERM');
  await stuck;
  // Its next statement has to wait as well.
  await row.query('rollback');
  expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
});

describe('roles over a database of one’s own', () => {
  let env: Env;
  let api: Service;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
    api = await processes.service({ ...env, ROLE: 'api', METRICS_PORT: String(metricsPort), LOG_LEVEL: 'trace' });
  });

  test('api answers the API, and starts no database', async () => {
    expect((await get(api, '/warehouses')).status).toBe(200);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    expect(await embeddedServer(env.DATA_DIR ?? '')).toBeUndefined();
  });

  test('worker says that it lives and is ready, has no API, and does the work', async () => {
    await get(api, '/health');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const program = processes.start({ ...env, ROLE: 'worker', PORT: String(port) });
    await vi.waitFor(() => fetch(url), SOON);
    for (const probe of ['/livez', '/readyz']) expect((await fetch(url + probe)).status).toBe(200);
    for (const path of [`${API}/health`, `${API}/warehouses`, '/graphql', '/openapi.json']) {
      expect((await fetch(url + path, { headers: { 'x-api-key': api.apiKey } })).status).toBe(404);
    }
    const database = await processes.connect(env.DATABASE_URL ?? '');
    await vi.waitFor(async () => {
      const { rows } = await database.query('select from api_key where last_used_at is not null');
      expect(rows).toHaveLength(1);
    }, SOON);
    program.kill('SIGTERM');
    const { code, stdout, stderr } = await program.ended();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(logLines(stdout).map(({ msg }) => msg)).toContain('ready');
  });

  test('METRICS_PORT has figures for Prometheus, which callers of the API do not reach', async () => {
    await get(api, '/carriers');
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const figures = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(figures).toContain('# TYPE http_request_duration_seconds histogram');
    expect(figures).toMatch(
      /^http_request_duration_seconds_count\{route="\S*\/carriers",method="GET",status="200"\} 1$/m,
    );
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
  });

  test('every request is one line of JSON, which tells no key, name or address, whatever goes wrong', async () => {
    const database = await processes.connect(env.DATABASE_URL ?? '');
    // Rows that PostgreSQL refuses: it would quote them.
    await database.query(`alter table warehouse add check (city <> 'Rifiuto')`);
    await database.query(`alter table customer_order add check (order_number <> 'REFUSED')`);
    const { rows } = await database.query('select company_id, id from api_key');
    const [{ company_id: companyId, id: apiKeyId }] = rows as [{ company_id: string; id: string }];

    const requests = busyRequests(api.apiKey);
    for (const [index, { method, path, headers, body }] of requests.entries()) {
      const response = await fetch(api.url + path, {
        method,
        headers: {
          'x-api-key': api.apiKey,
          'content-type': 'application/json',
          'x-request-id': `busy-${index}`,
          ...headers,
        },
        body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
      });
      await response.text();
      expect({ index, path, status: response.status }).toEqual({ index, path, status: requests[index]?.status });
    }
    api.program.kill('SIGTERM');
    const { code, stdout } = await api.program.ended();
    expect(code).toBe(0);

    const lines = logLines(stdout);
    for (const [index, { status, route, authenticated = true }] of requests.entries()) {
      const own = lines.filter(({ requestId, msg }) => requestId === `busy-${index}` && msg === 'request');
      expect(own).toEqual([
        expect.objectContaining({
          status,
          route,
          level: 'info',
          durationMs: expect.any(Number),
          ...(authenticated && { companyId, apiKeyId }),
        }),
      ]);
    }
    const log = lines.map(line => JSON.stringify(line)).join('\n');
    expect(log).toMatch(/"level":"error".*"reason":/);
    for (const secret of [...SECRETS, api.apiKey, api.apiKey.slice(-20)]) expect(log).not.toContain(secret);
  });
});

const SECRETS_KEY = randomBytes(32).toString('base64');

describe.concurrent('the demo company', () => {
  const cases: { env: Env; companies: number }[] = [
    { env: { NODE_ENV: 'production', SECRETS_KEY }, companies: 0 },
    { env: { NODE_ENV: 'production', SECRETS_KEY, DEMO: 'true' }, companies: 1 },
    { env: { DEMO: 'false' }, companies: 0 },
  ];
  test.each(cases)('with $env there are $companies', async ({ env, companies }) => {
    const databaseUrl = await processes.database('migrated');
    const service = await processes.service({ DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl, ...env });
    const database = await processes.connect(databaseUrl);
    expect((await database.query('select from company')).rowCount).toBe(companies);
    expect((await database.query('select from api_key')).rowCount).toBe(companies);
    expect(service.page.match(/^API key: /gm) ?? []).toHaveLength(companies);
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
    service.program.kill('SIGTERM');
    expect(await service.program.ended()).toMatchObject({ code: 0, stderr: '' });
  });
});

/** What a service says that cannot start. */
async function refusal(env: Env): Promise<string> {
  const program = processes.start(env);
  // One that starts all the same would not end by itself.
  const started = program.said(/listening/).then(() => program.kill('SIGKILL'));
  await Promise.race([program.ended(), started.catch(() => {})]);
  const { code, stdout, stderr } = await program.ended();
  expect(stdout).not.toContain('listening');
  expectSentence(stderr);
  expect(code).toBe(1);
  return stderr;
}

function get({ url, apiKey }: Service, path: string): Promise<Response> {
  return fetch(url + API + path, { headers: { 'x-api-key': apiKey } });
}

function rename({ url, apiKey }: Service, warehouseId: number): Promise<Response> {
  return fetch(`${url}${API}/warehouses/${warehouseId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"name":"Cambiato"}',
  });
}

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

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg: string;
  readonly requestId?: string;
}

/** What follows the page; every line of it is JSON. */
function logLines(stdout: string): LogLine[] {
  const log = stdout.slice(stdout.search(/^\{/m));
  return log
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as LogLine);
}
