import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import type { GraphQLAnswer } from '../support/graphql-client.ts';
import { failureOf } from '../support/graphql-client.ts';
import {
  ask,
  askNodes,
  connectCarrier,
  outcomes,
  recordEvents,
  shipment,
  times,
  upsertShipments,
  WAREHOUSE,
} from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { removeOld } from '../support/retention.ts';
import { type Caller, useWorld } from '../support/world.ts';

const CAP = 3;
const world = useWorld({
  ...REACHABLE,
  ROLE: 'api',
  MAX_WAREHOUSES: String(CAP),
  MAX_CARRIER_CONNECTIONS: String(CAP),
  MAX_API_KEYS: String(CAP),
  MAX_WEBHOOK_ENDPOINTS: String(CAP),
  MAX_SHIPMENT_EVENTS: String(CAP),
});
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

const CONNECT =
  'mutation { connectCarrier(input: { carrierCode: BRT, label: "x" }) { carrierConnection { databaseId } userErrors { code pointer message } } }';
const DISCONNECT =
  'mutation ($id: ID!) { disconnectCarrier(input: { id: $id }) { carrierConnection { databaseId } userErrors { code pointer message } } }';
const ISSUE = `mutation { createApiKey(input: { label: "x", scopes: [HEALTH_READ] }) { key { apiKeyId: id } userErrors { code pointer message } } }`;
const ROTATE = `mutation ($id: ID!, $hours: Int) { rotateApiKey(input: { id: $id, overlapHours: $hours }) { key { apiKeyId: id } userErrors { code pointer message } } }`;
const REVOKE =
  'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { key { apiKeyId: id } userErrors { code pointer message } } }';
const ADD_WAREHOUSE =
  'mutation ($input: CreateWarehouseInput!) { createWarehouse(input: $input) { warehouse { id: databaseId } userErrors { code pointer message } } }';
const ADD_ENDPOINT =
  'mutation { createWebhookEndpoint(input: { label: "x", url: "http://127.0.0.1:9/x", events: [TRACKING_ALL] }) { webhookEndpoint { id } userErrors { code pointer message } } }';
const DELETE_ENDPOINT =
  'mutation ($id: ID!) { deleteWebhookEndpoint(input: { id: $id }) { webhookEndpoint { id } userErrors { code pointer message } } }';

/** The results of many concurrent calls: successes, and the codes of rejections. */
function summed(answers: readonly GraphQLAnswer<unknown>[]) {
  const refused = answers.flatMap(answer => failureOf(answer) ?? []);
  return { done: answers.length - refused.length, refused };
}

describe('A company that has reached its cap', () => {
  const kinds: [what: string, code: string, document: string, variables: Record<string, unknown>, before: number][] = [
    ['warehouses', 'warehouse_limit_reached', ADD_WAREHOUSE, { input: WAREHOUSE }, 0],
    ['carrier connections', 'carrier_connection_limit_reached', CONNECT, {}, 0],
    // One that the operator issued asks.
    ['keys', 'api_key_limit_reached', ISSUE, {}, 1],
    ['webhook endpoints', 'webhook_limit_reached', ADD_ENDPOINT, {}, 0],
  ];
  test.each(kinds)(
    'cannot add %s, however many it requests at once',
    async (_what, code, document, variables, before) => {
      const own = await world.company();
      const { done, refused } = summed(await Promise.all(times(8, () => own.graphql(document, variables))));
      expect(done).toBe(CAP - before);
      for (const { code: said, message } of refused)
        expect([said, message]).toEqual([code, expect.stringContaining(`The limit is ${CAP}.`)]);
      // Another company has its own.
      expect(failureOf(await (await world.company()).graphql(document, variables))).toBeUndefined();
    },
  );

  test('gets the same rejection from REST', async () => {
    const own = await world.company();
    for (let i = 0; i < CAP; i++) expect((await own.rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201);
    const { status, body } = await own.rest('POST', '/warehouses', WAREHOUSE);
    expect([status, body]).toMatchObject([409, { code: 'warehouse_limit_reached', limit: CAP }]);
    const { body: listed } = await own.rest('GET', '/warehouses');
    expect((await own.rest('DELETE', `/warehouses/${listed[0].id}`)).status).toBe(204);
    expect((await own.rest('POST', '/warehouses', WAREHOUSE)).status).toBe(201);
  });

  test('can add a connection once another one is disconnected', async () => {
    const own = await world.company();
    const [first] = await Promise.all(times(CAP, () => connectCarrier(own)));
    await ask(own, DISCONNECT, { id: first });
    await connectCarrier(own);
    expect(failureOf(await own.graphql(CONNECT))?.code).toMatch(/_limit_reached$/);
  });
});

describe('The keys of a company that has as many as its cap allows', () => {
  const list = async (of: Caller) =>
    (await askNodes<{ apiKeyId: string }>(of, '{ apiKeys { nodes { apiKeyId: id } } }')).length;
  const rotate = (of: Caller, id: string, hours: number) => of.graphql(ROTATE, { id, hours });

  test('can all be rotated, with and without an overlap, but only up to twice the cap', async () => {
    const own = await world.company();
    for (let i = 1; i < CAP; i++) await ask(own, ISSUE);
    const ids = (await askNodes<{ apiKeyId: string }>(own, '{ apiKeys { nodes { apiKeyId: id } } }')).map(
      ({ apiKeyId }) => apiKeyId,
    );
    // Its own last: from then on it expires, and leaves those alone that do not.
    for (const id of ids.toReversed()) expect(failureOf(await rotate(own, id, 1))).toBeUndefined();
    expect(failureOf(await rotate(own, own.apiKeyId, 1))).toMatchObject({
      code: 'api_key_limit_reached',
      message: expect.stringContaining(`The limit is ${2 * CAP}.`),
    });
    expect(failureOf(await own.graphql(ISSUE))?.message).toContain(`The limit is ${CAP}.`);
    expect(failureOf(await rotate(own, own.apiKeyId, 0))).toBeUndefined();
  });

  test('can still be added to by the operator', async () => {
    const own = await world.company();
    for (let i = 1; i < CAP; i++) await ask(own, ISSUE);
    const { apiKeyId } = await world.key(own.companyId);
    expect(failureOf(await own.graphql(ISSUE))?.code).toMatch(/_limit_reached$/);
    for (const id of [apiKeyId, apiKeyId]) await ask(own, REVOKE, { id });
    expect(failureOf(await own.graphql(ISSUE))?.code).toMatch(/_limit_reached$/);
  });

  test('are deleted once they are revoked, except for the last ones', async () => {
    const own = await world.company();
    for (let i = 0; i < 2 * CAP + 2; i++) {
      const { apiKeyId } = await ask<{ apiKeyId: string }>(own, ISSUE);
      await ask(own, REVOKE, { id: apiKeyId });
    }
    expect(await list(own)).toBe(1 + CAP + 1);
    expect((await own.rest('GET', '/health')).status).toBe(200);
  });
});

describe('Deleted webhook endpoints', () => {
  const ENDPOINTS = '{ webhookEndpoints { nodes { id } } }';
  const add = (of: Caller) => ask<{ id: string }>(of, ADD_ENDPOINT);
  const ids = async (of: Caller) => (await askNodes<{ id: string }>(of, ENDPOINTS)).map(({ id }) => id);

  test('are removed for new ones, the oldest first, so that the cap blocks no company', async () => {
    const own = await world.company();
    const made: string[] = [];
    for (let i = 0; i < 3 * CAP; i++) {
      const { id } = await add(own);
      made.unshift(id);
      await ask(own, DELETE_ENDPOINT, { id });
      expect(await ids(own)).toEqual(made.slice(0, CAP));
    }
  });

  test('are kept as long as one of their deliveries is kept', async () => {
    const own = await world.company();
    const made: string[] = [];
    for (let i = 0; i < CAP; i++) {
      const { id } = await add(own);
      made.unshift(id);
      await ask(
        own,
        'mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } userErrors { code pointer message } } }',
        { id },
      );
      await ask(own, DELETE_ENDPOINT, { id });
    }
    expect(failureOf(await own.graphql(ADD_ENDPOINT))).toMatchObject({
      code: 'webhook_limit_reached',
      message: expect.stringContaining(`The limit is ${CAP}.`),
    });
    expect(await ids(own)).toEqual(made);
  });
});

describe('A shipment at its cap of events', () => {
  const event = (trackingNumber: string, minute: number, statusCode = 'in_transit') => ({
    trackingNumber,
    occurredAt: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString(),
    statusCode,
  });
  const track = async (of: Caller, trackingNumber: string) => {
    const record = await ask<{ timeline: { nodes: { occurredAt: string }[] } }>(
      of,
      'query ($n: String!) { trackingByNumber(trackingNumber: $n) { timeline { nodes { occurredAt } } } }',
      { n: trackingNumber },
    );
    return record.timeline.nodes.map(({ occurredAt }) => new Date(occurredAt).getUTCMinutes());
  };
  beforeAll(async () => {
    const connection = await connectCarrier(caller);
    const numbers = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX', 'SEVEN'];
    expect(
      await upsertShipments(
        caller,
        numbers.map(number => shipment(connection, number)),
      ),
    ).toMatchObject({ created: 7 });
  });

  test('rejects further events of a batch, whose other events are stored', async () => {
    const batch = [1, 1, 2, 3, 4, 5].map(minute => event('ONE', minute)).concat(event('TWO', 1));
    const result = await recordEvents(caller, batch);
    expect(outcomes(result)).toEqual(['created', 'unchanged', 'created', 'created', 'rejected', 'rejected', 'created']);
    expect(result.results[4]).toMatchObject({
      code: 'too_many_events',
      pointer: '/events/4/trackingNumber',
      message: 'The field events[4].trackingNumber belongs to a shipment that has reached the limit of 3 events.',
    });
    expect(await track(caller, 'ONE')).toEqual([1, 2, 3]);
  });

  test('rejects events of later batches, and still recognizes events that were sent before', async () => {
    await recordEvents(
      caller,
      [2, 3].map(minute => event('THREE', minute)),
    );
    const result = await recordEvents(
      caller,
      [5, 2, 4, 3, 5].map(minute => event('THREE', minute)),
    );
    expect(outcomes(result)).toEqual(['created', 'unchanged', 'rejected', 'unchanged', 'unchanged']);
    expect(await track(caller, 'THREE')).toEqual([2, 3, 5]);
  });

  test('rejects events of concurrent batches', async () => {
    const results = await Promise.all(times(6, i => recordEvents(caller, [event('FOUR', i), event('FOUR', i + 10)])));
    const all = results.flatMap(outcomes);
    expect(all.filter(outcome => outcome === 'created')).toHaveLength(CAP);
    expect(await track(caller, 'FOUR')).toHaveLength(CAP);
  });

  test('still accepts an event that ends it', async () => {
    const status = async () => {
      const query = '{ trackingByNumber(trackingNumber: "FIVE") { statusCode } }';
      return (await ask<{ statusCode: string }>(caller, query)).statusCode;
    };
    const full = [1, 2, 3].map(minute => event('FIVE', minute));
    const [lost, returning] = [event('FIVE', 4, 'lost'), event('FIVE', 5, 'returning')];
    expect(outcomes(await recordEvents(caller, [...full, lost, returning]))).toEqual([
      ...['created', 'created', 'created', 'created', 'rejected'],
    ]);
    expect(await status()).toBe('lost');
    const found = [returning, lost, event('FIVE', 6, 'delivered')];
    expect(outcomes(await recordEvents(caller, found))).toEqual(['rejected', 'unchanged', 'created']);
    expect(await status()).toBe('delivered');
  });

  test('accepts at most 100 events that end it', async () => {
    const deliveries = times(59, minute => event('SIX', minute, 'delivered'));
    const returns = times(59, minute => event('SIX', minute, 'returned'));
    expect(await recordEvents(caller, deliveries)).toMatchObject({ created: 59, rejected: 0 });
    expect(await recordEvents(caller, returns)).toMatchObject({ created: 41, rejected: 18 });
    expect(await track(caller, 'SIX')).toHaveLength(100);
  });

  test('does not count events that the retention has deleted', async () => {
    await recordEvents(caller, [event('SEVEN', 1), event('SEVEN', 2), event('SEVEN', 3, 'delivered')]);
    expect(outcomes(await recordEvents(caller, [event('SEVEN', 4, 'returning')]))).toEqual(['rejected']);
    const now = new Date(Date.now() + 101 * 86_400_000);
    await removeOld(world, { table: 'tracking_event', now, timelineDays: 100 });
    expect(await track(caller, 'SEVEN')).toEqual([3]);
    const later = [4, 5, 6].map(minute => event('SEVEN', minute, 'returning'));
    expect(outcomes(await recordEvents(caller, later))).toEqual(['created', 'created', 'rejected']);
  });
});

test('A cap is set by the operator, who sees the allowed values', () => {
  expect(readConfig({ MAX_WAREHOUSES: '5' }).caps).toEqual({
    warehouses: 5,
    carrierConnections: 200,
    apiKeys: 100,
    webhookEndpoints: 100,
    shipmentEvents: 2000,
  });
  expect(() => readConfig({ MAX_API_KEYS: '0' })).toThrow(
    'MAX_API_KEYS is "0", but must be a whole number from 1 to 10000',
  );
});
