import { request } from 'node:http';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  connectCarrier,
  createWarehouse,
  RECIPIENT,
  RECORD_EVENTS,
  times,
  UPSERT_ORDERS,
  upsertOrders,
  upsertShipments,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { restClient } from '../support/rest-client.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { whileLocked } from './locked-tables.ts';

/** The work of a request is counted while it is done, and ends with its response. */

const world = useWorld({ ROLE: 'api' });
const hasty = useWorld({ ROLE: 'api', GRAPHQL_TIMEOUT_SECONDS: '0.5' });
const few = useWorld({ ROLE: 'api', RATE_LIMIT_READS: '10' });
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

const aliases = (count: number, field: string) => times(count, i => `f${i}: ${field}`).join(' ');
const CREATE = `createWarehouse(input: ${JSON.stringify(WAREHOUSE).replaceAll(/"(\w+)":/g, '$1:')}) { warehouse { id: databaseId } userErrors { code pointer message } }`;

/** How many statements wait for a lock. */
async function waiting(app: { database: { pool: pg.Pool } }): Promise<number> {
  const { rows } = await app.database.pool.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length;
}

describe('A request for nested lists', () => {
  beforeAll(async () => {
    const carrierConnectionId = await connectCarrier(caller);
    await upsertOrders(caller, [{ orderNumber: 'ORD-1', recipient: RECIPIENT }]);
    const shipments = times(60, i => ({ carrierConnectionId, trackingNumber: `B0-${i}`, orderNumber: 'ORD-1' }));
    expect(await upsertShipments(caller, shipments)).toMatchObject({ created: 60 });
  });

  const nested = (arguments_: string) => `{ trackingByNumber(trackingNumber: "B0-1") { order { shipments${arguments_} {
    nodes { order { shipments${arguments_} { nodes { order { shipments${arguments_} { totalCount } } } } } } } } } }`;

  // Three levels of 60 are 216,000; four are 13 million, which once ended the process.
  test('is rejected for its possible size, and no other request notices', async () => {
    const other = await world.company();
    for (const arguments_ of ['', '(first: 60)', '(first: 10000)']) {
      const { errors } = await caller.graphql(nested(arguments_));
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'graphql_too_complex', limit: 200_000 });
      expect((await other.rest('GET', '/health')).status).toBe(200);
    }
  });

  test('is answered in full within the limit, in several turns of the event loop', async () => {
    const within =
      '{ trackingByNumber(trackingNumber: "B0-1") { order { shipments(first: 60) { nodes { order { shipments(first: 60) { nodes { id: databaseId } } } } } } } }';
    // Interpreted at first, and compiled when it comes back.
    for (let i = 0; i < 4; i++) {
      const { data, errors } = await caller.graphql<{
        trackingByNumber: { order: { shipments: { nodes: { order: { shipments: { nodes: { id: number }[] } } }[] } } };
      }>(within);
      expect(errors).toBeUndefined();
      const lists = data.trackingByNumber.order.shipments.nodes.map(({ order }) =>
        order.shipments.nodes.map(({ id }) => id),
      );
      expect(lists).toEqual(times(60, () => lists[0]));
      expect(new Set(lists[0]).size).toBe(60);
    }
  });
});

describe('Work past the time limit', () => {
  test('is stopped: its statement is cancelled, and none of the later fields is executed', async () => {
    const slow = await hasty.company();
    const first = await createWarehouse(slow);
    await whileLocked(hasty.app, 'warehouse', async () => {
      const { status, errors } = await slow.graphql(
        `mutation { a: deleteWarehouse(input: { id: ${first} }) { warehouse { id: databaseId } userErrors { code pointer message } } ${aliases(20, CREATE)} }`,
      );
      expect([status, errors?.[0]?.extensions.code]).toEqual([503, 'graphql_timeout']);
      await expect.poll(() => waiting(hasty.app)).toBe(0);
    });
    const { body } = await slow.rest('GET', '/warehouses');
    expect(body.map(({ id }: { id: number }) => id)).toEqual([first]);
  });

  test('is stopped if its caller disconnects', async () => {
    const gone = await world.company();
    await whileLocked(world.app, 'warehouse', async () => {
      const abort = new AbortController();
      const asked = fetch(`${world.app.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': gone.apiKey },
        body: JSON.stringify({ query: `mutation { ${aliases(20, CREATE)} }` }),
        signal: abort.signal,
      });
      await expect.poll(() => waiting(world.app)).toBe(1);
      abort.abort();
      await expect(asked).rejects.toThrow();
      await expect.poll(() => waiting(world.app)).toBe(0);
    });
    expect((await gone.rest('GET', '/warehouses')).body).toEqual([]);
  });

  test('is stopped if it was requested over REST too', async () => {
    const gone = await world.company();
    await whileLocked(world.app, 'warehouse', async () => {
      const abort = new AbortController();
      const asked = fetch(`${world.app.url}/api/v1/integrations/warehouses`, {
        headers: { 'x-api-key': gone.apiKey },
        signal: abort.signal,
      });
      await expect.poll(() => waiting(world.app)).toBe(1);
      abort.abort();
      await expect(asked).rejects.toThrow();
      await expect.poll(() => waiting(world.app)).toBe(0);
    });
    expect((await gone.rest('GET', '/warehouses')).status).toBe(200);
  });
});

describe('The rate limit', () => {
  // A test that begins at the end of a minute would see two of them.
  beforeAll(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });

  /** A company whose key has rates of its own. */
  async function limited(rates: { reads?: number; writes?: number; cost?: number }) {
    const { companyId } = await world.administration.createCompany('Limited');
    const { apiKey } = await world.administration.createKey({ companyId, label: 'Test', scopes: ['all'], rates });
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const ask = async (query: string, variables?: object) => {
      const body = JSON.stringify({ query, variables });
      const response = await fetch(`${world.app.url}/graphql`, { method: 'POST', headers, body });
      return { status: response.status, headers: response.headers, ...(await response.json()) };
    };
    return { companyId, ask, rest: restClient(world.app.url, { 'x-api-key': apiKey }) };
  }
  const left = (answer: { headers: Headers }, rateClass: string) =>
    Number(new RegExp(`"${rateClass}";r=(\\d+)`).exec(answer.headers.get('ratelimit') ?? '')?.[1]);

  test('counts each field of a mutation as a write', async () => {
    const { ask, rest } = await limited({ writes: 50 });
    expect(left(await ask(`mutation { ${aliases(12, CREATE)} }`), 'writes')).toBe(38);
    const refused = await ask(`mutation { ${aliases(39, CREATE)} }`);
    expect([refused.status, refused.errors[0].extensions.code]).toEqual([429, 'rate_limited']);
    expect((await rest('GET', '/warehouses')).body).toHaveLength(12);
  });

  test('rejects a document with more mutations than the writes of a minute as too complex', async () => {
    const { ask, rest } = await limited({ writes: 50 });
    const refused = await ask(`mutation { ${aliases(51, CREATE)} }`);
    expect([refused.status, refused.errors[0]]).toEqual([
      400,
      expect.objectContaining({
        message: 'The document has 51 mutations. The limit of the key is 50 writes in a minute. Send fewer at a time.',
        extensions: expect.objectContaining({ code: 'graphql_too_complex', limit: 50 }),
      }),
    ]);
    expect((await rest('GET', '/warehouses')).body).toEqual([]);
  });

  test('counts each record of a batch and each value of a response as cost, until the cost of a minute is used up', async () => {
    const { ask, rest } = await limited({ cost: 5_000 });
    const before = await rest('GET', '/health');
    const orders = times(100, i => ({ orderNumber: `ORD-${i}`, recipient: RECIPIENT }));
    const after = await ask(UPSERT_ORDERS, { input: orders });
    expect(after.errors).toBeUndefined();
    expect(left(before, 'cost') - left(after, 'cost')).toBeGreaterThan(100 * 25);
    expect(left(before, 'cost')).toBeGreaterThan(4_900);

    let answer = after;
    for (let i = 0; i < 20 && answer.status === 200; i++) {
      answer = await ask('{ orders(first: 100) { edges { node { id: databaseId orderNumber } } } }');
    }
    expect([answer.status, answer.errors[0].message]).toEqual([
      429,
      expect.stringMatching(
        /^The key has reached its limit for units of cost: 5000 in a minute\. Send the request again in \d+ s\.$/,
      ),
    ]);
    expect((await rest('GET', '/health')).status).toBe(429);
  });

  test('counts introspection once, whose response is afterwards cached', async () => {
    const { ask } = await limited({ cost: 1_000_000 });
    const query = '{ __schema { types { name fields { name description } } } } # of this test alone';
    const unasked = left(await ask('{ __typename }'), 'cost');
    const first = await ask(query);
    const second = await ask(query);
    expect([first.status, second.data]).toEqual([200, first.data]);
    expect(first.data.__schema.types.length).toBeGreaterThan(100);
    expect(unasked - left(first, 'cost')).toBeGreaterThan(50_000);
    expect(left(first, 'cost') - left(second, 'cost')).toBeLessThan(20_000);
  });

  test('counts the requests of all keys of a company together', async () => {
    const { rest, companyId } = await few.company();
    const other = await few.key(companyId);
    for (let i = 0; i < 5; i++) {
      expect((await rest('GET', '/warehouses')).status).toBe(200);
      expect((await other.rest('GET', '/warehouses')).status).toBe(200);
    }
    const refused = await other.rest('GET', '/warehouses');
    expect(refused.status).toBe(429);
    expect(refused.body.detail).toMatch(
      /^The keys of the company together have reached their limit for reads: 10 in a minute\./,
    );
    expect((await (await few.company()).rest('GET', '/warehouses')).status).toBe(200);
  });

  test('counts a request by its actual kind, once its body is read', async () => {
    const { ask } = await limited({ reads: 1, writes: 1 });
    expect((await ask('{ apiKey { label } }')).status).toBe(200);
    // Writes have room, so the document is read; then it shows that it is none.
    const refused = await ask('{ apiKey { label } }');
    expect([refused.status, left(refused, 'reads')]).toEqual([429, 0]);
    expect(
      await ask(
        'mutation { deleteWarehouse(input: { id: 1 }) { warehouse { databaseId } userErrors { code pointer message } } }',
      ),
    ).toMatchObject({
      data: { deleteWarehouse: { userErrors: [{ code: 'WAREHOUSE_NOT_FOUND' }] } },
    });
  });

  test('counts an event of an unknown shipment as much as another event', async () => {
    const { ask } = await limited({ cost: 30_000 });
    const events = times(100, i => ({
      trackingNumber: `NONE-${i}`,
      occurredAt: '2026-11-21T09:30:00Z',
      statusCode: 'SHIPPED',
    }));
    const answer = await ask(RECORD_EVENTS, { input: events });
    expect(left(answer, 'cost')).toBeLessThan(30_000 - 100 * 25);
  });
});

test('A company that waits for a lock leaves connections to other companies', async () => {
  const [locked, other] = [await world.company(), await world.company()];
  await whileLocked(world.app, 'warehouse', async () => {
    // More than the pool has. `fetch` would open a connection in place of each that ends, for which the service waits.
    const asked = times(12, () =>
      request(`${world.app.url}/api/v1/integrations/warehouses`, { headers: { 'x-api-key': locked.apiKey } }).end(),
    );
    for (const one of asked) one.on('error', () => undefined);
    await expect.poll(() => waiting(world.app)).toBeGreaterThan(2);
    for (let i = 0; i < 20; i++) expect((await other.rest('GET', '/carriers')).status).toBe(200);
    for (const one of asked) one.destroy();
  });
});
