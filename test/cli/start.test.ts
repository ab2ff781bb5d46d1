import { beforeAll, describe, expect, test, vi } from 'vitest';
import { curl } from './curl.ts';
import { embeddedServer, expectStopped, type Service, stop, useProcesses } from './processes.ts';
import { get, renameUnderWay, SOON, STOP_MS } from './service-calls.ts';

const processes = useProcesses();

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

  describe('the first start', () => {
    test('prints its address, and a whole key alone on a line', async () => {
      expect(service.page).toMatch(/^.*listening on http:\/\/127\.0\.0\.1:\d+$/m);
      expect(service.page.match(/^API key: sk_test_[0-9A-Za-z_]+$/gm)).toHaveLength(1);
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

  describe('a stop', () => {
    test('by SIGTERM finishes the request under way, takes no more, stops the database and exits with 0', async () => {
      const { program, url } = await running();
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
