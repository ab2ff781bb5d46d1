import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { administer } from '../support/databases.ts';
import { WAREHOUSE } from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { openTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';
import type { Caller } from '../support/world.ts';
import { BASE, useHttp } from './http-calls.ts';
import { send } from './raw-http.ts';

interface Outage {
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

/** A service whose database can go away, and what it promises of each way. */
export function useOutages() {
  const given = useHttp();
  const { world, openApp } = given;
  let line: TcpProxy;
  let app: App;
  let databaseName: string;
  beforeAll(async () => {
    line = await openTcpProxy(world.databaseUrl);
    app = await openApp(line.url);
    databaseName = new URL(world.databaseUrl).pathname.slice(1);
  });
  afterAll(async () => {
    await line?.restore();
    await app?.stop();
    await line?.close();
  });

  const terminate = () =>
    administer(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName}' and pid <> pg_backend_pid()`,
    );
  const allow = (allowed: boolean) => administer(`alter database ${databaseName} with allow_connections ${allowed}`);

  const OUTAGES = {
    'refuses connections': { begin: () => line.cut(), end: () => line.restore() },
    'takes connections and never answers': { begin: async () => line.mute(), end: () => line.restore() },
    'lets nobody in': {
      begin: async () => {
        await allow(false);
        await terminate();
      },
      end: () => allow(true),
    },
  } satisfies Record<string, Outage>;

  const survives = (name: keyof typeof OUTAGES) =>
    describe(`The service without its database, which ${name},`, () => {
      const { begin, end } = OUTAGES[name];
      let cold: Caller;
      beforeAll(async () => {
        cold = await world.key(given.caller.companyId);
        await begin();
      });
      afterAll(end);

      const REQUESTS: readonly { name: string; method: string; path: string; body?: string; isCold?: boolean }[] = [
        { name: 'a read', method: 'GET', path: '/warehouses' },
        { name: 'a record', method: 'GET', path: '/shipments/tracking/by-tracking-number/A' },
        { name: 'a new warehouse', method: 'POST', path: '/warehouses', body: JSON.stringify(WAREHOUSE) },
        { name: 'a change', method: 'PATCH', path: '/warehouses/1', body: '{"name":"x"}' },
        { name: 'a removal', method: 'DELETE', path: '/warehouses/1' },
        { name: 'a key never seen before', method: 'GET', path: '/health', isCold: true },
      ];

      // Beside each other, or each would wait by itself for connections in vain.
      test.concurrent('returns 503 with Retry-After for everything, and nothing internal', async () => {
        const { port, username } = new URL(line.url);
        // At once, so that waiting for connections in vain is waited for once.
        const answers = await Promise.all(
          REQUESTS.map(({ method, path, body, isCold }) =>
            send(app.url, {
              method,
              path: BASE + path,
              headers: {
                'x-api-key': isCold ? cold.apiKey : given.caller.apiKey,
                ...(body && { 'content-type': 'application/json', 'content-length': String(body.length) }),
              },
              chunks: body ? [body] : [],
            }),
          ),
        );
        for (const [i, { status, headers, body, text }] of answers.entries()) {
          expect([REQUESTS[i]?.name, status, body.code]).toEqual([REQUESTS[i]?.name, 503, 'unavailable']);
          expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          for (const inner of [`:${port}`, databaseName, 'ECONN', 'terminat', 'timeout', 'select', 'pg_', 'Error']) {
            expect(text).not.toContain(inner);
          }
          expect(body.detail).not.toContain(username || 'postgres');
        }
        // Which of them depends on whether a connection is still waited for.
        const SAID = ['The service cannot reach its database.', 'The service is waiting for its database.'];
        for (const { body } of answers) expect(SAID).toContain(body.detail);
      });

      const graphql = ({ apiKey }: Caller, accept: string) =>
        send(app.url, {
          method: 'POST',
          path: '/graphql',
          headers: { 'x-api-key': apiKey, 'content-type': 'application/json', accept },
          chunks: [JSON.stringify({ query: '{ warehouses { nodes { id: databaseId } } }' })],
        });

      test.concurrent.for(['application/json', 'application/graphql-response+json'])(
        'returns the same over GraphQL in %s, whether or not the key is known',
        async accept => {
          // With a known key the graph fails, and with another one the request as a whole.
          const [known, unknown] = await Promise.all([graphql(given.caller, accept), graphql(cold, accept)]);
          expect([unknown.status, Number(unknown.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
          for (const { headers, body, text } of [known, unknown]) {
            expect(headers['content-type']).toBe(`${accept}; charset=utf-8`);
            const extensions = { code: 'unavailable', status: 503, requestId: headers['x-request-id'] };
            expect(body.errors).toMatchObject([{ message: expect.any(String), extensions }]);
            expect(body).not.toHaveProperty('code');
            expect(text).not.toContain(databaseName);
          }
        },
      );

      test.concurrent('is live but not ready', async () => {
        expect((await send(app.url, { path: '/livez' })).status).toBe(200);
        await vi.waitFor(
          async () => {
            const { status, headers, body } = await send(app.url, { path: '/readyz' });
            expect([status, body.code]).toEqual([503, 'unavailable']);
            expect(Number(headers['retry-after'])).toBeGreaterThan(0);
          },
          { timeout: 10_000 },
        );
      });

      test('recovers by itself once the database is back', async () => {
        await end();
        await vi.waitFor(
          async () => {
            expect((await send(app.url, { path: '/readyz' })).status).toBe(200);
            expect((await restClient(app.url, { 'x-api-key': cold.apiKey })('GET', '/warehouses')).status).toBe(200);
          },
          { timeout: 15_000, interval: 50 },
        );
      });
    });

  return { given, terminate, survives, url: () => app.url };
}
