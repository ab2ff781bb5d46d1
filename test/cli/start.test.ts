import { beforeAll, describe, expect, test, vi } from 'vitest';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { beginWalk } from '../../src/demo/walk.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import { connectFeatures } from '../../src/wiring/connect-features.ts';
import { curl } from './curl.ts';
import { embeddedServer, expectStopped, type Service, useProcesses } from './processes.ts';
import { get, refusedStart, renameUnderWay, SOON, STOP_MS } from './service-calls.ts';

const processes = useProcesses();

describe('After `npm start` in an empty folder', () => {
  let dataDir: string;
  let service: Service;
  beforeAll(async () => {
    dataDir = await processes.dataDir();
    service = await processes.service({ DATA_DIR: dataDir });
  });

  describe('the first start', () => {
    test('prints its address, and a whole key alone on a line', async () => {
      expect(service.page).toMatch(/^.*listening on http:\/\/127\.0\.0\.1:\d+$/m);
      expect(service.page.match(/^API key: sk_test_[0-9A-Za-z_]+$/gm)).toHaveLength(1);
      expect((await fetch(`${service.url}/livez`)).status).toBe(200);
      expect((await get(service, '/health')).status).toBe(200);
    });

    test('says each step with its time, and names its PostgreSQL', async () => {
      const { stdout, pid } = service.program;
      const steps = stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []));
      expect(steps.slice(0, 6)).toEqual([
        expect.objectContaining({ msg: 'creating the embedded database', dataDir }),
        expect.objectContaining({
          msg: 'the embedded PostgreSQL is ready',
          afterMs: expect.any(Number),
          pid: expect.any(Number),
        }),
        expect.objectContaining({ msg: 'migrating the database', pending: expect.any(Number) }),
        expect.objectContaining({
          msg: 'the database is migrated',
          afterMs: expect.any(Number),
          migrations: steps[2]?.pending,
        }),
        expect.objectContaining({ msg: 'creating the demo company' }),
        expect.objectContaining({ msg: 'the demo company is ready', afterMs: expect.any(Number) }),
      ]);
      expect(steps[1].pid).toBeGreaterThan(1);
      // The service that runs, and not its PostgreSQL, is what must be stopped.
      expect(await refusedStart(processes, { DATA_DIR: dataDir })).toContain(`in use by process ${pid}:`);
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
          status: 'warning',
          code: 'ADDRESS_NORMALIZED',
          carrierCode: 'GLS',
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
        has: { data: { shipments: { nodes: expect.arrayContaining([expect.anything()]) } } },
      },
    ];
    test.each(lines.map((line, index) => ({ ...line, index })))(
      'prints a curl line about $about that works',
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

  test('there is a shipment whose walk begins with the start, and each later start has another', async () => {
    expect(service.page).toMatch(/^WALK000000001 moves from registered/m);
    const query = `mutation { recordTrackingEvents(input: { events: [
      { trackingNumber: "WALK000000001", occurredAt: "${new Date().toISOString()}", statusCode: DELIVERED }] }) { created } }`;
    await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': service.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    connectFeatures();
    const { url = '' } = (await embeddedServer(dataDir)) ?? {};
    const database = await Database.connect(databaseOptions(url, 2), createMetrics(), createLog('silent'));
    try {
      expect(await beginWalk(database, new Date('2026-07-02T09:30:05Z'))).toBe('WALK20260702093005');
    } finally {
      await database.close();
    }
    const tracked = await get(service, '/shipments/tracking/by-tracking-number/WALK20260702093005');
    expect(await tracked.json()).toMatchObject({ trackingNumber: 'WALK20260702093005', carrier: { name: 'BRT' } });
  });

  describe('a stop', () => {
    test('by SIGTERM finishes the request under way, takes no more, stops the database and exits with 0', async () => {
      const { program, url } = service;
      const server = await embeddedServer(dataDir);
      const { patched, letGo } = await renameUnderWay(processes, service, server?.url ?? '');

      const stoppingAt = performance.now();
      program.kill('SIGTERM');
      await vi.waitFor(() => expect(fetch(`${url}/livez`)).rejects.toThrow(), SOON);
      expect(program.runs).toBe(true);
      await letGo();

      const response = await patched;
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ name: 'Cambiato' });
      // Kept, it would hold up the end.
      expect(response.headers.get('connection')).toBe('close');
      expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
      expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
      await expectStopped(server, dataDir);
    });
  });
});
