import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { freePort } from '../support/ports.ts';
import { REACHABLE, type Receiver, startReceiver } from '../support/receiver.ts';
import { embeddedServer, expectStopped, isAlive, type Service, useProcesses } from './processes.ts';
import { API, get, refusedStart, renameUnderWay, SOON, STOP_MS, WITHOUT_CACHE } from './service-calls.ts';

const processes = useProcesses();

interface LogLine {
  readonly pid: number;
  readonly msg: string;
  readonly process?: number;
}

/** All that is written beside the page: every line of it must be JSON, whichever process wrote it. */
function logOf({ page, program: { stdout } }: Service): LogLine[] {
  const ofPage = new Set(page.split('\n'));
  const lines = stdout.slice(0, stdout.lastIndexOf('\n')).split('\n');
  return lines.filter(line => !ofPage.has(line)).map(line => JSON.parse(line));
}

const inLog = (service: Service, msg: string) => logOf(service).filter(line => line.msg === msg);

/** A request over a connection of its own, which goes to the process whose turn it is. */
function ask({ url, apiKey }: Service, path = `${API}/health`): Promise<Response> {
  return fetch(url + path, { headers: { 'x-api-key': apiKey, connection: 'close' } });
}

/** The processes that respond to requests, once there are so many that are none of `others`. */
async function responding(service: Service, count: number, others: readonly number[] = []): Promise<number[]> {
  return vi.waitFor(async () => {
    for (let i = 0; i < 2 * count; i++) expect((await ask(service)).status).toBe(200);
    const pids = new Set(inLog(service, 'request').map(({ pid }) => pid));
    const found = [...pids].filter(pid => !others.includes(pid));
    expect(found).toHaveLength(count);
    return found;
  }, SOON);
}

const gone = (pids: readonly number[]) => vi.waitUntil(() => !pids.some(isAlive), SOON);

describe('With PROCESSES=2', () => {
  let dataDir: string;
  let service: Service;
  let receiver: Receiver;
  let metricsPort: number;
  beforeAll(async () => {
    dataDir = await processes.dataDir();
    receiver = await startReceiver();
    metricsPort = await freePort();
    const env = { DATA_DIR: dataDir, PROCESSES: '2', METRICS_PORT: String(metricsPort), ...REACHABLE };
    service = await processes.service({ ...env, ...WITHOUT_CACHE });
  });
  afterAll(() => receiver.close());

  const scraped = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

  test('one address responds from two processes, with one page and one line when it is ready', async () => {
    const both = await responding(service, 2);
    expect(both).not.toContain(service.program.pid);
    expect(service.program.stdout.match(/listening on/g)).toHaveLength(1);
    await vi.waitUntil(() => inLog(service, 'ready').length > 0, SOON);
    const lines = logOf(service).map(({ msg }) => msg);
    const steps = ['creating the embedded database', 'the embedded PostgreSQL is ready'];
    expect(lines.filter(line => !steps.includes(line)).indexOf('starting processes')).toBe(0);
    expect(inLog(service, 'ready').map(({ pid }) => pid)).toEqual([service.program.pid]);
    expect((await ask(service, '/readyz')).status).toBe(200);
  });

  /** Each process has series of its own, by its number. */
  const countsOf = (text: string): Record<string, number> =>
    Object.fromEntries(
      Array.from(
        text.matchAll(
          /^shipping_http_request_duration_seconds_count\{route="\S*\/warehouses",.*process="(\d)"\} (\d+)$/gm,
        ),
        ([, process, count]) => [process, Number(count)],
      ),
    );
  const totalOf = (text: string) => Object.values(countsOf(text)).reduce((sum, count) => sum + count, 0);

  test('metrics cover both processes, whichever of them responds', async () => {
    const before = totalOf(await scraped());
    for (let i = 0; i < 6; i++) expect((await ask(service, `${API}/warehouses`)).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      const text = await scraped();
      expect(totalOf(text)).toBe(before + 6);
      for (const process of [1, 2]) expect(text).toContain(`shipping_database_pool_max{process="${process}"} 16\n`);
    }
  });

  test('a webhook is delivered once', async () => {
    const send = async (path: string, body: object) => {
      const headers = { 'x-api-key': service.apiKey, 'content-type': 'application/json' };
      return (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    const { id } = await send(`${API}/webhooks`, { label: 'Test', url: receiver.url, events: ['tracking.*'] });
    const query = `mutation { sendTestEvent(input: { endpointId: "${id}" }) { webhookDelivery { id } userErrors { code pointer message } } }`;
    for (let i = 0; i < 10; i++) expect(await send('/graphql', { query })).not.toHaveProperty('errors');
    const deliveries = `{ webhookEndpoint(id: "${id}") { deliveries(first: 20) { edges { node { status attemptCount } } } } }`;
    await vi.waitFor(async () => {
      const { data } = await send('/graphql', { query: deliveries });
      const nodes = data.webhookEndpoint.deliveries.edges.map(({ node }: { node: object }) => node);
      expect(nodes).toEqual(Array(10).fill({ status: 'SUCCESS', attemptCount: 1 }));
    }, SOON);
    const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
    expect(ids).toHaveLength(10);
    expect(new Set(ids).size).toBe(10);
  });

  test('a process that is killed is replaced, while the other continues', async () => {
    const [killed = 0, kept = 0] = await responding(service, 2);
    process.kill(killed, 'SIGKILL');
    await vi.waitFor(() => {
      const ends = inLog(service, 'a process has ended and is replaced');
      expect(ends).toEqual([expect.objectContaining({ process: killed, signal: 'SIGKILL' })]);
      return expect(isAlive(kept)).toBe(true);
    }, SOON);
    const [next = 0] = await responding(service, 1, [killed, kept]);
    expect(isAlive(next)).toBe(true);
    // The other process keeps its counts, and the replacement counts from 0, as a service that has restarted.
    expect(Object.values(countsOf(await scraped()))).toEqual([3]);
  });

  test('Ctrl-C, which reaches all processes, finishes the request under way before the database stops', async () => {
    const pids = [...new Set(logOf(service).map(({ pid }) => pid))];
    const server = await embeddedServer(dataDir);
    const { patched, letGo } = await renameUnderWay(processes, service, server?.url ?? '');

    const stoppingAt = performance.now();
    service.program.kill('SIGINT');
    service.program.kill('SIGINT');
    await vi.waitUntil(() => inLog(service, 'stopping').length > 0, SOON);
    // Once no process listens any more, each has begun to stop.
    await vi.waitFor(() => expect(ask(service, '/livez')).rejects.toThrow(), SOON);
    expect(service.program.runs).toBe(true);
    await letGo();
    const response = await patched;
    expect(response.status).toBe(200);
    // Its process had begun to stop.
    expect(response.headers.get('connection')).toBe('close');
    expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
    expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
    await gone(pids);
    await expectStopped(server, dataDir);
  });

  test('the other processes end when the one that started them is killed', async () => {
    const killed = await processes.service({ DATA_DIR: dataDir, PROCESSES: '2', ...WITHOUT_CACHE });
    const both = await responding(killed, 2);
    killed.program.killAlone('SIGKILL');
    await gone(both);
  });

  test('the next start finds everything as it was', async () => {
    const { apiKey } = service;
    service = await processes.service({ DATA_DIR: dataDir, PROCESSES: '2', ...WITHOUT_CACHE });
    expect(service.apiKey).toBe(apiKey);
    expect((await get(service, '/warehouses')).status).toBe(200);
  });

  test('SIGTERM to the process that started the others stops them and the database', async () => {
    const both = await responding(service, 2);
    const server = await embeddedServer(dataDir);
    service.program.killAlone('SIGTERM');
    expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
    await gone(both);
    await expectStopped(server, dataDir);
  });
});

test('A port in use is reported once, as by a single process', async () => {
  const env = { PORT: String(await processes.listen()), DATABASE_URL: await processes.database('migrated') };
  const said = await refusedStart(processes, { ...env, PROCESSES: '2', DEMO: 'false' });
  const where = `Port ${env.PORT} on 127.0.0.1`;
  expect(said).toBe(`${where} is in use by another process: stop that one, or set PORT to another.\n`);
});

test('A port of the metrics in use is reported with its own setting', async () => {
  const metricsPort = String(await processes.listen());
  const env = { PORT: '0', METRICS_PORT: metricsPort, DATABASE_URL: await processes.database('migrated') };
  const where = `Port ${metricsPort} on 127.0.0.1`;
  expect(await refusedStart(processes, { ...env, DEMO: 'false' })).toBe(
    `${where} is in use by another process: stop that one, or set METRICS_PORT to another.\n`,
  );
});

test('PROCESSES=auto means one process for each core', () => {
  expect(readConfig({ PROCESSES: 'auto' }).processes).toBe(Math.min(availableParallelism(), 64));
  expect(readConfig({}).processes).toBe(1);
});
