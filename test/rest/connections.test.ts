import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { Connections } from '../../src/http/connections.ts';
import { addressOf, createListener, drain, listen } from '../../src/http/listener.ts';
import { HTTP_LIMITS, type HttpLimits } from '../../src/platform/limits/http-limits.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { PATIENTLY } from '../support/time.ts';
import { type Caller, SECRETS_KEY, UNLIMITED, useWorld } from '../support/world.ts';
import { open, responses, send } from './raw-http.ts';

const world = useWorld({ ROLE: 'api' });
const BASE = '/api/v1/integrations';
const HOST = 'host: localhost';
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** The service with other limits, over the same database. */
function useLimits(limits: Partial<HttpLimits>): () => string {
  let app: App | undefined;
  beforeAll(async () => {
    const { databaseUrl } = world;
    const config = readConfig({
      PORT: '0',
      DATABASE_POOL_SIZE: '4',
      DATABASE_URL: databaseUrl,
      SECRETS_KEY,
      ROLE: 'api',
      ...UNLIMITED,
    });
    app = await createApp({ ...config, databaseUrl, http: { ...HTTP_LIMITS, ...limits } }, world.app.log);
  });
  afterAll(() => app?.stop());
  return () => app?.url ?? '';
}

/** Begins a POST on a connection of its own, of whose body more may follow. */
function begin(url: string, path: string, length: number, body = '', apiKey = caller.apiKey): Socket {
  const socket = open(url);
  const lines = [`POST ${path} HTTP/1.1`, HOST, `x-api-key: ${apiKey}`, 'content-type: application/json'];
  socket.write([...lines, `content-length: ${length}`, 'connection: close', '', body].join('\r\n'));
  return socket;
}

/** Sends more of a body until the response comes: a write to a closed connection would end it unread. */
function sendMore(socket: Socket, more: string): void {
  const timer = setInterval(() => socket.write(more), 10);
  socket.once('readable', () => clearInterval(timer));
}

/** A request, several of which use one connection. */
const get = (path: string) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n\r\n`;

describe('Connections are bounded:', () => {
  describe('connections of one key', () => {
    const url = useLimits({ maxConnectionsPerKey: 2 });
    const health = (agent: Agent, { apiKey }: Caller, path = `${BASE}/health`) =>
      send(url(), { path, headers: { 'x-api-key': apiKey }, agent });
    const agents = Array.from({ length: 3 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    afterAll(() => {
      for (const agent of agents) agent.destroy();
    });

    test('to a number, beyond which the response is 429, until one of them is closed or used with another key', async () => {
      const [one, two, three] = agents as [Agent, Agent, Agent];
      for (const agent of [one, two, one, two]) expect((await health(agent, caller)).status).toBe(200);
      const refused = await health(three, caller);
      expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
      expect(refused.headers.ratelimit).toMatch(/^"reads";r=/);
      const graphql = await health(three, caller, '/graphql?query={__typename}');
      expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);

      expect((await health(two, await world.company())).status).toBe(200);
      expect((await health(three, caller)).status).toBe(200);
      expect((await health(two, caller)).status).toBe(429);

      one.destroy();
      await vi.waitFor(async () => expect((await health(two, caller)).status).toBe(200), PATIENTLY);
    });
  });

  describe('all connections together', () => {
    const url = useLimits({ maxConnections: 2 });
    test('to a number, beyond which a connection is closed at once', async () => {
      const sockets = [open(url()), open(url())];
      await Promise.all(sockets.map(socket => once(socket, 'connect')));
      expect(await responses(open(url()))).toEqual([]);
      sockets[0]?.write(`GET /livez HTTP/1.1\r\n${HOST}\r\nconnection: close\r\n\r\n`);
      for (const socket of sockets) socket.end();
      expect((await responses(sockets[0] as Socket)).map(({ status }) => status)).toEqual([200]);
    });
  });
});

describe('A request must arrive in time:', () => {
  const url = useLimits({
    headersMs: 150,
    requestMs: 400,
    checkMs: 25,
    bodyWindowMs: 100,
    bodyWindowBytes: 100,
    unreadMs: 200,
  });

  test.each([
    ['its headers', `GET /livez HTTP/1.1\r\n${HOST}\r\n`],
    ['anything', ''],
  ])('%s', async (_what, text) => {
    const socket = open(url());
    socket.write(text);
    const [answer] = await responses(socket);
    expect([answer?.status, answer?.body.code, answer?.headers.connection]).toEqual([408, 'request_timeout', 'close']);
    expect(answer?.headers['x-request-id']).toBe(answer?.body.requestId);
  });

  test.each([`${BASE}/warehouses`, '/graphql'])('its body, which may not be slower than stated, at %s', async path => {
    const socket = begin(url(), path, 10_000, '{');
    sendMore(socket, ' ');
    const [answer] = await responses(socket);
    const { code, requestId } = answer?.body.errors ? answer.body.errors[0].extensions : (answer?.body ?? {});
    expect([answer?.status, code, answer?.headers.connection]).toEqual([408, 'request_timeout', 'close']);
    expect(answer?.headers['x-request-id']).toBe(requestId);
  });

  test('and the whole of it, however fast its body is', async () => {
    const socket = begin(url(), '/graphql', 1_000_000, '{');
    sendMore(socket, ' '.repeat(100));
    const [answer] = await responses(socket);
    expect([answer?.status, answer?.body.errors[0].extensions.code]).toEqual([408, 'request_timeout']);
  });

  test('and the whole chunk of a body, also one that announces more than any body has', async () => {
    const socket = open(url());
    const headers = [
      HOST,
      `x-api-key: ${caller.apiKey}`,
      'content-type: application/json',
      'transfer-encoding: chunked',
    ];
    socket.write(['POST /graphql HTTP/1.1', ...headers, '', 'f'.repeat(16), '{"query":"{ __typename }"}'].join('\r\n'));
    const [answer] = await responses(socket);
    const { code } = answer?.body.errors[0].extensions ?? {};
    expect([answer?.status, code, answer?.headers.connection]).toEqual([408, 'request_timeout', 'close']);
  });

  test('and a response that nobody reads ends its connection', async () => {
    const socket = open(url());
    const closed = once(socket, 'error');
    socket.write(get('/openapi.json').repeat(MANY));
    // A later write shows that the other side has gone.
    const more = setInterval(() => socket.write(' '), 20);
    await closed.finally(() => clearInterval(more));
  });
});

test('A response that is read slowly is sent to its end', async () => {
  const { metrics, log } = world.app;
  const limits = { ...HTTP_LIMITS, unreadMs: 1_000 };
  const body = Buffer.alloc(16 * 1024 * 1024);
  const connections = new Connections(limits, metrics, log, () => '');
  const server = createListener((_request, response) => response.end(body), connections, limits, metrics);
  await listen(server, 0, '127.0.0.1');
  const socket = open(addressOf(server, '127.0.0.1'));
  socket.write(`GET / HTTP/1.1\r\n${HOST}\r\nconnection: close\r\n\r\n`);
  let read = 0;
  for await (const part of socket) {
    read += (part as Buffer).length;
    await setTimeout(5);
  }
  expect(read).toBeGreaterThan(body.length);
  await drain(server);
});

describe('A body', () => {
  const url = useLimits({ bodyWindowMs: 400, bodyWindowBytes: 10 });
  test('that arrives slowly, but at the stated rate, is read', async () => {
    const body = JSON.stringify(WAREHOUSE).padEnd(1_000);
    const socket = begin(url(), `${BASE}/warehouses`, body.length);
    const answers = responses(socket);
    for (let i = 0; i < body.length; i += 100) {
      socket.write(body.slice(i, i + 100));
      await setTimeout(100);
    }
    expect((await answers).map(({ status }) => status)).toEqual([201]);
  });
});

/** Requests for the contract: more than the buffers of both sides hold, and fewer than may wait. */
const MANY = 90;

test('A connection is kept open longer than the 60 seconds of common load balancers', async () => {
  const agent = new Agent({ keepAlive: true });
  const { headers } = await send(world.app.url, { path: '/livez', agent });
  expect(headers['keep-alive']).toBe('timeout=75');
  agent.destroy();
});

describe('Requests of one connection are carried out one after the other:', () => {
  /** How many requests of a route were answered. */
  async function answered(route: string): Promise<number> {
    const { values } = await world.app.metrics.requests.get();
    const counts = values.filter(
      ({ labels, metricName }) =>
        labels.route === route && metricName === 'shipping_http_request_duration_seconds_count',
    );
    return counts.reduce((sum, { value }) => sum + value, 0);
  }

  test('the next waits until somebody reads the response before it', async () => {
    const before = await answered('/openapi.json');
    const socket = open(world.app.url);
    socket.write(get('/openapi.json').repeat(MANY));
    await vi.waitFor(async () => expect(await answered('/openapi.json')).toBeGreaterThan(before), PATIENTLY);
    for (let i = 0; i < 20; i++) await fetch(`${world.app.url}/livez`);
    expect((await answered('/openapi.json')) - before).toBeLessThan(MANY);

    socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\nconnection: close\r\n\r\n`);
    const answers = await responses(socket);
    expect(answers.map(({ status }) => status)).toEqual(Array(MANY + 1).fill(200));
    expect(answers.at(-1)?.body).toMatchObject({ status: 'alive' });
  });

  test('the responses arrive in their order, also of requests with a body', async () => {
    const socket = open(world.app.url);
    const body = JSON.stringify({ query: '{ apiKey { label } }' });
    const lines = [
      'POST /graphql HTTP/1.1',
      HOST,
      `x-api-key: ${caller.apiKey}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      '',
      body,
    ];
    socket.write((lines.join('\r\n') + get('/nowhere')).repeat(10));
    socket.write(`GET /livez HTTP/1.1\r\n${HOST}\r\nconnection: close\r\n\r\n`);
    const statuses = (await responses(socket)).map(({ status }) => status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => [200, 404]).flat(), 200]);
  });

  test.each([200, 500])('each of %i that arrive together is answered or rejected, in their order', async count => {
    const socket = open(world.app.url);
    const lines = (i: number) => `GET /livez?${i} HTTP/1.1\r\n${HOST}\r\nx-request-id: r${i}\r\n`;
    const last = `GET /livez HTTP/1.1\r\n${HOST}\r\nx-request-id: last\r\nconnection: close\r\n\r\n`;
    socket.write(`${Array.from({ length: count }, (_, i) => `${lines(i)}\r\n`).join('')}${last}`);
    const answers = await responses(socket);
    expect(answers.map(({ headers }) => headers['x-request-id'])).toEqual([
      ...Array.from({ length: count }, (_, i) => `r${i}`),
      'last',
    ]);
    const rejected = answers.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    for (const { status, headers, body } of rejected) {
      expect([status, body.code, headers['retry-after']]).toEqual([429, 'rate_limited', '1']);
    }
    expect(answers.length - rejected.length).toBeGreaterThan(100);
    const { values } = await world.app.metrics.requests.get();
    expect(values.some(({ labels }) => labels.status === '429' && labels.route === 'unmatched')).toBe(true);
  });
});

describe('A request with Expect: 100-continue', () => {
  /** A POST whose body is sent once it is asked for, as curl does. */
  function ask(headers: Record<string, string>, path = `${BASE}/warehouses`, body = JSON.stringify(WAREHOUSE)) {
    const { promise, resolve, reject } = Promise.withResolvers<{
      isAsked: boolean;
      status?: number;
      closes: boolean;
    }>();
    const all = { ...headers, expect: '100-continue' };
    const outgoing = request(`${world.app.url}${path}`, { method: 'POST', headers: all, agent: new Agent() });
    let isAsked = false;
    outgoing.on('continue', () => {
      isAsked = true;
      outgoing.end(body);
    });
    outgoing.on('error', reject);
    outgoing.on('response', response => {
      resolve({ isAsked, status: response.statusCode ?? 0, closes: response.headers.connection === 'close' });
      response.destroy();
    });
    outgoing.flushHeaders();
    return promise;
  }
  const json = (length: number) => ({ 'content-type': 'application/json', 'content-length': String(length) });
  const LENGTH = Buffer.byteLength(JSON.stringify(WAREHOUSE));
  const key = () => ({ 'x-api-key': caller.apiKey });

  test('is asked for its body once its key, its type and its length are accepted', async () => {
    expect(await ask({ ...json(LENGTH), ...key() })).toMatchObject({ isAsked: true, status: 201 });
    const query = JSON.stringify({ query: '{ __typename }' });
    expect(await ask({ ...json(query.length), ...key() }, '/graphql', query)).toMatchObject({
      isAsked: true,
      status: 200,
    });
  });

  test.each<[string, number, () => Record<string, string>, string?]>([
    ['without a key', 401, () => json(LENGTH)],
    ['with a wrong key', 401, () => ({ ...json(LENGTH), 'x-api-key': 'sk_live_wrong' })],
    ['that is too long', 413, () => ({ ...json(1_000_000), ...key() })],
    ['of another type', 415, () => ({ 'content-type': 'text/plain', 'transfer-encoding': 'chunked', ...key() })],
    ['to nowhere', 404, () => json(LENGTH), '/nowhere'],
  ])(
    'is rejected before its body is asked for, and its connection closes, if it is one %s',
    async (_what, status, all, path) => {
      expect(await ask(all(), path)).toEqual({ isAsked: false, status, closes: true });
    },
  );
});

describe('The memory for the bodies of all requests is limited:', () => {
  const room = { bodyBytes: 3_000, bodyBytesPerCompany: 2_000, requestMs: 60_000, bodyWindowMs: 60_000 };
  const url = useLimits({ ...room, bodyWaitMs: 100 });
  const patientUrl = useLimits({ ...room, bodyWaitMs: 20_000 });
  const body = (length: number) => JSON.stringify(WAREHOUSE).padEnd(length);
  const post = (length: number, { apiKey }: Caller, path = `${BASE}/warehouses`, service = url()) =>
    send(service, {
      method: 'POST',
      path,
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': String(length) },
      chunks: [body(length)],
    });

  test('a company has its share, and the others the rest', async () => {
    const [other, third] = [await world.company(), await world.company()];
    const held = begin(url(), `${BASE}/warehouses`, 1_500, body(1_500).slice(0, 1_499));
    const [status, headers, problem] = await vi.waitFor(async () => {
      const answer = await post(1_000, caller);
      expect(answer.status).not.toBe(201);
      return [answer.status, answer.headers, answer.body];
    }, PATIENTLY);
    expect([status, problem.code, problem.detail]).toEqual([
      429,
      'rate_limited',
      expect.stringContaining('2000 bytes'),
    ]);
    expect([headers['retry-after'], headers.ratelimit]).toEqual(['2', expect.stringContaining('"writes";')]);
    const graphql = await post(1_000, caller, '/graphql');
    expect([graphql.status, graphql.body.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expect((await post(500, caller)).status).toBe(201);
    expect((await post(1_500, other)).status).toBe(201);

    const alsoHeld = begin(url(), `${BASE}/warehouses`, 1_400, body(1_400).slice(0, 1_399), other.apiKey);
    const refused = await vi.waitFor(async () => {
      const answer = await post(1_000, third);
      expect(answer.status).not.toBe(201);
      return answer;
    }, PATIENTLY);
    expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([503, 'unavailable', '2']);

    // A request that was abandoned or answered makes room again.
    alsoHeld.destroy();
    held.write(' ');
    expect((await responses(held)).map(answer => answer.status)).toEqual([201]);
    await vi.waitFor(async () => expect((await post(2_000, third)).status).toBe(201), PATIENTLY);
    expect((await post(2_000, caller)).status).toBe(201);
  });

  test('a body that does not fit waits for a moment', async () => {
    const path = `${BASE}/warehouses`;
    const held = begin(patientUrl(), path, 2_000, body(2_000).slice(0, 1_999));
    const answers = Array.from({ length: 5 }, () => post(1_000, caller, path, patientUrl()));
    held.write(' ');
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(5).fill(201));
    held.destroy();
  });

  test('and a body in chunks counts as the largest until it is complete', async () => {
    const roomy = await send(world.app.url, {
      method: 'POST',
      path: `${BASE}/warehouses`,
      headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' },
      chunks: [body(1_000)],
    });
    expect(roomy.status).toBe(201);
    const refused = await send(url(), {
      method: 'POST',
      path: `${BASE}/warehouses`,
      headers: { 'x-api-key': caller.apiKey, 'content-type': 'application/json' },
      chunks: [body(1_000)],
    });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  });
});
