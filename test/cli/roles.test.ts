import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { oneProcess, type Service } from '../../src/start/one-process.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { freePort } from '../support/ports.ts';
import { busyRequests, SECRETS } from './busy.ts';
import { type Env, embeddedServer, useProcesses } from './processes.ts';
import { get } from './service-calls.ts';

const lines: LogLine[] = [];
const log = useWatchedLog(line => lines.push(JSON.parse(line)));
const processes = useProcesses();

describe('A process with ROLE=api and a database that already runs', () => {
  let env: { readonly DATA_DIR: string; readonly DATABASE_URL: string };
  let service: Service;
  let api: { readonly url: string; readonly apiKey: string };
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: await processes.database('migrated') };
    const settings = { ...env, PORT: '0', SECRETS_KEY: newSecretsKey(), ROLE: 'api', METRICS_PORT: `${metricsPort}` };
    const config = { ...readConfig(settings), databaseUrl: env.DATABASE_URL };
    service = oneProcess(config, log, new Promise(() => {}));
    const { url = '', page = '' } = (await service.ready) ?? {};
    api = { url, apiKey: /^API key: (\S+)$/m.exec(page)?.[1] ?? '' };
  });
  afterAll(() => service?.stop());

  test('serves the API, and starts no database', async () => {
    expect((await get(api, '/warehouses')).status).toBe(200);
    expect((await fetch(`${api.url}/readyz`)).status).toBe(200);
    expect(await embeddedServer(env.DATA_DIR)).toBeUndefined();
  });

  test('has figures for Prometheus at METRICS_PORT, which callers of the API cannot reach', async () => {
    await get(api, '/carriers');
    const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
    const figures = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(figures).toContain('# TYPE shipping_http_request_duration_seconds histogram');
    expect(figures).toMatch(
      /^shipping_http_request_duration_seconds_count\{route="\S*\/carriers",method="GET",status="200"\} 1$/m,
    );
    expect((await fetch(`${api.url}/metrics`)).status).toBe(404);
  });

  test('logs every request as one line of JSON, without any key, name or address, whatever fails', async () => {
    const database = await processes.connect(env.DATABASE_URL);
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

    for (const [index, { status, route, authenticated = true }] of requests.entries()) {
      const own = lines.filter(({ requestId, msg }) => requestId === `busy-${index}` && msg === 'request');
      expect(own).toEqual([
        expect.objectContaining({
          status,
          route,
          level: log.levels.values.info,
          durationMs: expect.any(Number),
          ...(authenticated && { companyId, apiKeyId }),
        }),
      ]);
    }
    const said = lines.map(line => JSON.stringify(line)).join('\n');
    expect(said).toMatch(/"level":50.*"reason":/);
    for (const secret of [...SECRETS, api.apiKey, api.apiKey.slice(-20)]) expect(said).not.toContain(secret);
  });
});

describe('The demo company', () => {
  // The demo company is the sandbox of another one, which has no key.
  const cases: { env: Env; companies: number; keys: number }[] = [
    { env: { NODE_ENV: 'production' }, companies: 0, keys: 0 },
    { env: { NODE_ENV: 'production', DEMO: 'true' }, companies: 2, keys: 1 },
  ];
  test('is not made in production, nor where DEMO is false, unless DEMO is true', () => {
    const demoOf = (env: Env) =>
      readConfig({ SECRETS_KEY: newSecretsKey(), DATABASE_URL: 'postgres://a@b/c', ...env }).demo;
    expect([demoOf({}), demoOf({ DEMO: 'false' })]).toEqual([true, false]);
    expect([demoOf({ NODE_ENV: 'production' }), demoOf({ NODE_ENV: 'production', DEMO: 'true' })]).toEqual([
      false,
      true,
    ]);
  });

  test.each(cases)('is made or not by $env: $companies companies', async ({ env, companies, keys }) => {
    const databaseUrl = await processes.database('migrated');
    const settings = { PORT: '0', SECRETS_KEY: newSecretsKey(), DATA_DIR: await processes.dataDir(), ...env };
    const service = oneProcess({ ...readConfig(settings), databaseUrl }, createLog('silent'), new Promise(() => {}));
    const ready = await service.ready;
    await service.stop();
    const database = await processes.connect(databaseUrl);
    expect((await database.query('select from company')).rowCount).toBe(companies);
    expect((await database.query('select from api_key')).rowCount).toBe(keys);
    expect(ready?.page?.match(/^API key: /gm) ?? []).toHaveLength(keys);
  });
});

interface LogLine {
  readonly msg: string;
  readonly requestId?: string;
}
