import { once } from 'node:events';
import { Agent } from 'node:http';
import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import { createWarehouse } from '../support/platform-side.ts';
import { freePort } from '../support/ports.ts';
import { PATIENTLY } from '../support/time.ts';
import { BASE, useHttp } from './http-calls.ts';
import { open, responses, send } from './raw-http.ts';

const given = useHttp();
const { openApp, world } = given;

describe('A service that stops', () => {
  test('finishes the request under way, rejects new ones, and ends', async () => {
    const app = await openApp(world.databaseUrl);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const id = await createWarehouse(given.caller);
    const headers = { 'x-api-key': given.caller.apiKey, 'content-type': 'application/json' };
    const health = { path: `${BASE}/health`, headers };
    expect((await send(app.url, { ...health, agent })).status).toBe(200);

    const holder = new pg.Client({ connectionString: world.ownerUrl });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select 1 from warehouse where id = $1 for update', [id]);
    const underWay = send(app.url, {
      method: 'PATCH',
      path: `${BASE}/warehouses/${id}`,
      headers,
      chunks: ['{"name":"Fino in fondo"}'],
      agent,
    });
    await vi.waitFor(async () => {
      const { rows } = await holder.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      expect(rows).toHaveLength(1);
    }, PATIENTLY);

    const since = performance.now();
    const stopped = app.stop();
    await expect(send(app.url, health)).rejects.toThrow('ECONNREFUSED');
    await holder.query('rollback');
    await holder.end();
    const answer = await underWay;
    expect([answer.status, answer.body.name]).toEqual([200, 'Fino in fondo']);

    // On the open connection: closed or rejected, but not served.
    const late = await send(app.url, { ...health, agent }).catch((error: Error) => error);
    if (late instanceof Error) expect(late.message).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    else {
      expect([late.status, late.body.code]).toEqual([503, 'unavailable']);
      expect(Number(late.headers['retry-after'])).toBeGreaterThan(0);
    }
    await stopped;
    expect(performance.now() - since).toBeLessThan(10_000);
    agent.destroy();
  });

  test.each([
    { accept: '*/*', type: 'application/json; charset=utf-8' },
    { accept: 'application/graphql-response+json', type: 'application/graphql-response+json; charset=utf-8' },
    { accept: 'text/plain', type: 'application/json; charset=utf-8' },
  ])('says so in GraphQL to callers that accept $accept', async ({ accept, type }) => {
    const app = await openApp(world.databaseUrl);
    const socket = open(app.url);
    // The beginning of the second request has come once the first is answered.
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\nPOST /graphql HTTP/1.1\r\nhost: localhost\r\n');
    await once(socket, 'readable');
    const stopped = app.stop();
    await vi.waitFor(() => expect(send(app.url, { path: '/livez' })).rejects.toThrow('ECONNREFUSED'), PATIENTLY);
    socket.write(`x-api-key: ${given.caller.apiKey}\r\naccept: ${accept}\r\ncontent-length: 0\r\n\r\n`);
    const [, refused] = await responses(socket);
    await stopped;
    const {
      'content-type': contentType,
      'retry-after': retryAfter,
      'x-request-id': requestId,
    } = refused?.headers ?? {};
    expect([refused?.status, contentType, retryAfter]).toEqual([503, type, '2']);
    const { errors, ...others } = refused?.body ?? {};
    expect(others).toEqual({});
    expect(errors).toEqual([
      { message: 'The service is shutting down.', extensions: { code: 'unavailable', status: 503, requestId } },
    ]);
  });

  test('takes no more requests at once, even while a scrape of its metrics is slow', async () => {
    const port = await freePort();
    const app = await openApp(world.databaseUrl, { METRICS_PORT: String(port) });
    const scrapes = `http://127.0.0.1:${port}`;
    const slow = open(scrapes);
    slow.write('GET /metrics HTTP/1.1\r\n');
    // By then the beginning of the slow one has arrived too.
    expect((await send(scrapes, { path: '/metrics' })).status).toBe(200);
    const stopped = app.stop();
    const isRefused = () => expect(send(app.url, { path: '/livez' })).rejects.toThrow('ECONNREFUSED');
    await vi.waitFor(isRefused, { timeout: 3_000 });
    slow.destroy();
    await stopped;
  });

  test('does not wait for connections that are idle or were never used', async () => {
    const app = await openApp(world.databaseUrl);
    await once(open(app.url), 'connect');
    const agent = new Agent({ keepAlive: true });
    const requests = Array.from({ length: 5 }, () => send(app.url, { path: '/livez', agent }));
    for (const { status } of await Promise.all(requests)) expect(status).toBe(200);
    const since = performance.now();
    await app.stop();
    expect(performance.now() - since).toBeLessThan(3000);
    await expect(send(app.url, { path: '/livez', agent })).rejects.toThrow();
    agent.destroy();
  });
});
