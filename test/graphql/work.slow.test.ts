import { beforeAll, describe, expect, test } from 'vitest';
import { REQUEST_PLACES } from '../../src/platform/limits/request-places.ts';
import { connectCarrier, RECIPIENT, times, upsertOrders, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { whileLocked } from './locked-tables.ts';

/** The work of a request is counted while it is done, and ends with its response. */

const world = useWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

describe('A request for nested lists', () => {
  beforeAll(async () => {
    const carrierConnectionId = await connectCarrier(caller);
    await upsertOrders(caller, [{ orderNumber: 'ORD-1', recipient: RECIPIENT }]);
    const shipments = times(60, i => ({ carrierConnectionId, trackingNumber: `B0-${i}`, orderNumber: 'ORD-1' }));
    expect(await upsertShipments(caller, shipments)).toMatchObject({ created: 60 });
  });

  test('is aborted at the maximum cost of a request if the lists are longer than estimated', async () => {
    const parcels = times(100, () => ({ weight: '1', length: '10', width: '10', height: '10', quantity: 1 }));
    const orders = times(200, i => ({ orderNumber: `MANY-${i}`, recipient: RECIPIENT, parcels }));
    expect(await upsertOrders(caller, orders)).toMatchObject({ created: 200 });
    const all = 'orders(first: 200) { edges { node { parcels { weight length width height quantity } } } }';
    for (let i = 0; i < 4; i++) {
      expect((await caller.graphql(`{ ${all} }`)).errors).toBeUndefined();
      const { status, errors, data } = await caller.graphql(`{ a: ${all} b: ${all} }`);
      expect([status, data]).toEqual([422, undefined]);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'request_too_expensive', limit: 200_000 });
    }
  });
});

describe('A request that waits too long for a slot', () => {
  /** The responses to the first of many requests. */
  async function firstEnded(count: number, asked: readonly Promise<Response>[]): Promise<Response[]> {
    const ended: Response[] = [];
    for (const one of asked) void one.then(response => ended.push(response));
    await expect.poll(() => ended.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    return ended;
  }

  test('is unavailable if the database does not respond, however many requests the company sends', async () => {
    const own = await world.company();
    let asked: Promise<Response>[] = [];
    await whileLocked(world.app, 'warehouse', async () => {
      asked = times(100, () =>
        fetch(`${world.app.url}/api/v1/integrations/warehouses`, { headers: { 'x-api-key': own.apiKey } }),
      );
      for (const response of await firstEnded(100 - REQUEST_PLACES, asked)) {
        expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
        expect(await response.json()).toMatchObject({
          code: 'unavailable',
          detail: expect.stringContaining('is slow'),
        });
      }
    });
    const rest = (await Promise.all(asked)).filter(({ status }) => status === 200);
    expect(rest.length).toBeGreaterThan(0);
    expect(rest.length).toBeLessThanOrEqual(REQUEST_PLACES);
  });

  test('is rejected as one too many if requests of its own company fill the slots', async () => {
    const shipments = (selection: string) => `order { shipments(first: 60) { nodes { ${selection} } } }`;
    const query = `{ trackingByNumber(trackingNumber: "B0-1") { ${shipments(shipments('id: databaseId trackingNumber statusCode'))} } }`;
    const headers = { 'x-api-key': caller.apiKey, 'content-type': 'application/json' };
    const ask = () => fetch(`${world.app.url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    let rejected: Response[] = [];
    // A fast machine carries out the smaller number within the time that a request waits.
    for (const count of [200, 900]) {
      const answers = await Promise.all(times(count, ask));
      rejected = answers.filter(({ status }) => status !== 200);
      if (rejected.length > 0) break;
    }
    expect(rejected.length).toBeGreaterThan(0);
    for (const response of rejected) {
      expect([response.status, response.headers.get('retry-after')]).toEqual([429, '1']);
      const { errors } = (await response.json()) as { errors: { extensions: object }[] };
      expect(errors[0]).toMatchObject({
        message: expect.stringContaining('too many requests in progress'),
        extensions: { code: 'rate_limited' },
      });
    }
  });
});
