import { describe, expect, test } from 'vitest';
import { TERMINAL_STATUSES } from '../../src/domain/shipping/tracking/events.rules.ts';
import { connectSandbox, useSandbox } from '../support/carriers.ts';
import { failureOf } from '../support/graphql-client.ts';
import { ask, feedEvents, feedShipments, listed } from '../support/platform-side.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { DAY, HOUR, MINUTE, passTime } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook } from './webhooks.ts';

const sandbox = useSandbox();
const world = useWorld({
  ...REACHABLE,
  get CARRIER_SANDBOX_URL() {
    return sandbox.url;
  },
});
const { pollAfter } = usePolls(world);

interface Polling {
  readonly lastPolledAt: string | null;
  readonly nextPollAt: string | null;
  readonly outcome: string | null;
  readonly consecutiveFailures: number;
}

interface Shipment {
  readonly id: number;
  readonly statusCode: string;
  readonly timeline: readonly unknown[];
  readonly polling: Polling | null;
}

const FIELDS =
  'id: databaseId statusCode timeline { nodes { id } } polling { lastPolledAt nextPollAt outcome consecutiveFailures }';
const REFRESH = `mutation ($id: ID!) { refreshTracking(input: { shipmentId: $id }) { shipment { ${FIELDS} } userErrors { code pointer message } } }`;

function shipmentOf(caller: Caller, number: string): Promise<Shipment> {
  return ask(caller, `query ($n: String!) { trackingByNumber(trackingNumber: $n) { ${FIELDS} } }`, { n: number }).then(
    listed<Shipment>,
  );
}

const refresh = (caller: Caller, id: number) => ask(caller, REFRESH, { id }).then(listed<Shipment>);

/** The errors of a refresh. */
async function rejection(caller: Caller, id: number) {
  return { ...failureOf(await caller.graphql(REFRESH, { id })) };
}

const seconds = (since: string | null | undefined) => (Date.now() - Date.parse(since ?? '')) / 1000;

async function feedOne(caller: Caller, carrierConnectionId: number, trackingNumber: string): Promise<number> {
  const [id] = await feedShipments(caller, carrierConnectionId, { trackingNumber });
  return id as number;
}

describe.concurrent('The polling of a shipment', () => {
  test('shows when the carrier was asked, the outcome, and when it is asked next', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = ['F IN_TRANSIT', 'F NOTFOUND', 'F OFFLINE', 'F HTML', 'F DELIVERED'];
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    const before = await shipmentOf(caller, 'F IN_TRANSIT');
    expect(before.polling).toMatchObject({ lastPolledAt: null, outcome: null, consecutiveFailures: 0 });
    expect(Date.parse(before.polling?.nextPollAt ?? '')).toBeGreaterThan(Date.now() - MINUTE);

    await pollAfter(caller, 2 * MINUTE);
    const outcomes = new Map<string, Polling | null>();
    for (const number of numbers) outcomes.set(number, (await shipmentOf(caller, number)).polling);
    expect([...outcomes.values()].map(polling => polling && [polling.outcome, polling.consecutiveFailures])).toEqual([
      ['answered', 0],
      ['not_found', 0],
      ['unavailable', 1],
      ['unreadable', 1],
      null,
    ]);
    const polling = outcomes.get('F IN_TRANSIT');
    expect(seconds(polling?.lastPolledAt)).toBeLessThan(30);
    expect(seconds(polling?.nextPollAt)).toBeLessThan(0);
  });

  test('is null if its connection cannot be polled', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS', { credentials: null });
    await feedOne(caller, connection, 'F1 IN_TRANSIT');
    expect((await shipmentOf(caller, 'F1 IN_TRANSIT')).polling).toBeNull();
  });

  test('is read for all shipments of a page at once', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = Array.from({ length: 5 }, (_, n) => ({ trackingNumber: `PAGE${n} IN_TRANSIT` }));
    await feedShipments(caller, connection, ...numbers);
    const { edges } = await ask<{ edges: { node: Shipment }[] }>(
      caller,
      '{ shipments(first: 10) { edges { node { polling { consecutiveFailures outcome } } } } }',
    );
    expect(edges).toEqual(numbers.map(() => ({ node: { polling: { consecutiveFailures: 0, outcome: null } } })));
  });
});

describe.concurrent('A shipment that had ended', () => {
  const startMs = Date.now() - DAY;
  const at = (hour: number) => new Date(startMs + hour * HOUR).toISOString();

  test.each(TERMINAL_STATUSES)('is polled again once an event shows that it continues: %s', async statusCode => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = `BACK-${statusCode}`;
    await feedOne(caller, connection, trackingNumber);
    const tell = (...events: [hour: number, statusCode: string][]) =>
      feedEvents(caller, ...events.map(([hour, code]) => ({ trackingNumber, occurredAt: at(hour), statusCode: code })));
    const isFollowed = async () => (await shipmentOf(caller, trackingNumber)).polling !== null;
    // A lost parcel may be found, and a returned one goes out again.
    const stays = statusCode === 'lost' || statusCode === 'returned';
    await tell([10, statusCode]);
    expect(await isFollowed()).toBe(stays);
    // An event before its end changes nothing.
    await tell([9, 'in_transit']);
    expect(await isFollowed()).toBe(stays);
    // Nor does what happened at the same time, as carriers that send whole minutes say.
    await tell([10, 'returning']);
    expect(await isFollowed()).toBe(stays);
    // A scan shows that a lost parcel was found, and that a voided label is used.
    await tell([10.5, 'in_transit']);
    expect(await isFollowed()).toBe(stays || statusCode === 'cancelled');
    await tell([11, 'returning']);
    expect(await isFollowed()).toBe(true);
    await tell([12, statusCode]);
    expect(await isFollowed()).toBe(stays);
    // Through several states in one batch, in any order of arrival.
    await tell([15, 'refused'], [13, 'in_transit'], [14, statusCode]);
    expect(await isFollowed()).toBe(true);
    await tell([16, statusCode], [17, 'returning']);
    expect(await isFollowed()).toBe(true);
    await tell([19, statusCode], [18, 'in_transit']);
    expect(await isFollowed()).toBe(stays);
  });
});

describe.concurrent('refreshTracking', () => {
  test('asks the carrier at once, records what a poll would, and notifies subscribers', async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      const connection = await connectSandbox(caller, 'GLS');
      const id = await feedOne(caller, connection, 'WALK-R1');
      expect(await refresh(caller, id)).toMatchObject({ id, statusCode: 'created', timeline: [{}] });
      await passTime(world.pool, MINUTE, caller.companyId);
      const second = await refresh(caller, id);
      expect(second).toMatchObject({ statusCode: 'shipped', polling: { outcome: 'answered', consecutiveFailures: 0 } });
      expect(seconds(second.polling?.lastPolledAt)).toBeLessThan(30);
      expect(seconds(second.polling?.nextPollAt)).toBeLessThan(0);
      expect((await receiver.waitFor(1))[0]?.json.type).toBe('tracking.order_shipped');
      // It is polled on as before.
      await pollAfter(caller, 2 * MINUTE);
      expect((await shipmentOf(caller, 'WALK-R1')).statusCode).toBe('in_transit');
    } finally {
      await receiver.close();
    }
  });

  test('asks at most once a minute for each shipment, and says when to try again', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const ids = await feedShipments(
      caller,
      connection,
      { trackingNumber: 'R2 IN_TRANSIT' },
      { trackingNumber: 'R3 DELIVERED' },
    );
    const results = await Promise.all(ids.flatMap(id => [1, 2, 3].map(() => caller.graphql(REFRESH, { id }))));
    const codes = results.map(answer => failureOf(answer)?.code ?? 'refreshed');
    expect(codes.toSorted()).toEqual([...Array(4).fill('rate_limited'), 'refreshed', 'refreshed']);
    for (const id of ids) {
      await passTime(world.pool, 10_000, caller.companyId);
      const { retryAfter, message, status } = (await rejection(caller, id)) as Record<string, unknown>;
      expect(status).toBe(429);
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(50);
      expect(message).toBe(
        `The carrier is asked about a shipment at most once a minute. Send the request again in ${retryAfter} s.`,
      );
    }
    await passTime(world.pool, MINUTE, caller.companyId);
    for (const id of ids) expect(await refresh(caller, id)).toMatchObject({ polling: { outcome: 'answered' } });
  });

  test('asks the carrier no sooner because the shipment has ended in the meantime', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = 'R8 IN_TRANSIT';
    const id = await feedOne(caller, connection, trackingNumber);
    await refresh(caller, id);
    await feedEvents(caller, { trackingNumber, occurredAt: new Date().toISOString(), statusCode: 'delivered' });
    expect(await rejection(caller, id)).toMatchObject({ code: 'rate_limited' });
    await passTime(world.pool, MINUTE, caller.companyId);
    expect(await refresh(caller, id)).toMatchObject({ statusCode: 'delivered', polling: { nextPollAt: null } });
  });

  test('returns the outcome if the carrier does not respond', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    for (const [number, outcome, consecutiveFailures] of [
      ['R4 OFFLINE', 'unavailable', 1],
      ['R4 HTML', 'unreadable', 1],
      ['R4 NOTFOUND', 'not_found', 0],
    ] as const) {
      const id = await feedOne(caller, connection, number);
      const { polling, statusCode } = await refresh(caller, id);
      expect([statusCode, polling]).toEqual(['created', expect.objectContaining({ outcome, consecutiveFailures })]);
    }
    const locked = await connectSandbox(caller, 'GLS', {
      credentials: { depot: 'XX', clientCode: 'x', contractCode: 'x', password: 'x' },
    });
    expect(await refresh(caller, await feedOne(caller, locked, 'R5 HELD'))).toMatchObject({
      polling: { outcome: 'refused', consecutiveFailures: 1 },
    });
  });

  test('asks about a shipment that has ended, which is polled again only if it continues', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const [ended, back] = (await feedShipments(
      caller,
      connection,
      { trackingNumber: 'R6 DELIVERED' },
      { trackingNumber: 'R7 IN_TRANSIT' },
    )) as [number, number];
    await pollAfter(caller, 2 * MINUTE);
    const since = new Date(Date.now() - 3 * DAY).toISOString();
    await feedEvents(caller, { trackingNumber: 'R7 IN_TRANSIT', occurredAt: since, statusCode: 'created' });
    const later = new Date(Date.now() - MINUTE).toISOString();
    await feedEvents(caller, { trackingNumber: 'R7 IN_TRANSIT', occurredAt: later, statusCode: 'delivered' });
    for (const id of [ended, back]) {
      const { polling } = await refresh(caller, id);
      expect(polling).toMatchObject({ outcome: 'answered', nextPollAt: null });
    }
    await feedEvents(caller, {
      trackingNumber: 'R7 IN_TRANSIT',
      occurredAt: new Date().toISOString(),
      statusCode: 'returning',
    });
    expect((await shipmentOf(caller, 'R7 IN_TRANSIT')).polling?.nextPollAt).toEqual(expect.any(String));
    expect((await shipmentOf(caller, 'R6 DELIVERED')).polling?.nextPollAt).toBeNull();
  });

  test('ends the polling of a shipment that it finds delivered, and returns the outcome', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const id = await feedOne(caller, connection, 'R8 DELIVERED');
    expect(await refresh(caller, id)).toMatchObject({
      statusCode: 'delivered',
      polling: { outcome: 'answered', nextPollAt: null },
    });
    expect(await rejection(caller, id)).toMatchObject({ code: 'rate_limited' });
    await pollAfter(caller, DAY);
    expect(seconds((await shipmentOf(caller, 'R8 DELIVERED')).polling?.lastPolledAt)).toBeGreaterThan(DAY / 1000);
  });

  test.each([
    ['has no credentials', 'GLS', { credentials: null }],
    ['is not active', 'GLS', { isActive: false }],
    ['is of a carrier without an interface', 'TNT', { credentials: null }],
  ])('is rejected with a conflict if the connection %s', async (_, carrierCode, overrides) => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, carrierCode, overrides);
    const id = await feedOne(caller, connection, 'R9 IN_TRANSIT');
    expect(await rejection(caller, id)).toMatchObject({ code: 'carrier_not_asked' });
  });

  test('finds no shipment of another company, and rejects keys that cannot read tracking', async () => {
    const [caller, other] = [await world.sandbox(), await world.sandbox()];
    const id = await feedOne(caller, await connectSandbox(caller, 'GLS'), 'R10 IN_TRANSIT');
    for (const wrong of [id, 2_147_483_647, 0]) {
      expect(await rejection(other, wrong)).toMatchObject({ code: 'shipment_not_found', pointer: '/shipmentId' });
    }
    const apiKey = await ask<string>(
      caller,
      'mutation { createApiKey(input: { label: "w", scopes: [TRACKING_WRITE] }) { apiKey userErrors { code pointer message } } }',
    );
    const response = await fetch(`${world.app.url}/graphql`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query: REFRESH, variables: { id } }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: object }[] };
    expect(errors[0]?.extensions).toMatchObject({
      code: 'insufficient_scope',
      requiredScope: 'shipments:tracking',
    });
    expect(response.headers.get('ratelimit')).toMatch(/^"quotes";/);
  });
});

describe('The Last-Modified header of a tracking record', () => {
  const read = async (caller: Caller, number: string, headers = {}) =>
    caller.rest('GET', `/shipments/tracking/by-tracking-number/${encodeURIComponent(number)}`, undefined, headers);
  const modified = async (caller: Caller, number: string) =>
    seconds((await read(caller, number)).headers.get('last-modified'));
  const setBack = (caller: Caller) =>
    world.pool.query(`update shipment set updated_at = updated_at - interval '1 day' where company_id = $1`, [
      caller.companyId,
    ]);

  test("is the time of the carrier's last response, with news or without", async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    for (const number of ['L IN_TRANSIT', 'L NOTFOUND', 'L OFFLINE']) await feedOne(caller, connection, number);
    await setBack(caller);
    expect(await modified(caller, 'L IN_TRANSIT')).toBeGreaterThan(DAY / 1000 - 5);
    for (let poll = 0; poll < 2; poll++) {
      await pollAfter(caller, HOUR);
      await setBack(caller);
      expect(await modified(caller, 'L IN_TRANSIT')).toBeLessThan(60);
      expect(await modified(caller, 'L NOTFOUND')).toBeLessThan(60);
      expect(await modified(caller, 'L OFFLINE')).toBeGreaterThan(DAY / 1000 - 5);
    }
  });

  test('is the time of the last change if the carrier is not asked, or if the change is later', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'SDA', { credentials: null });
    await feedOne(caller, connection, 'L1');
    await setBack(caller);
    const occurredAt = '2026-11-20T10:00:00Z';
    await feedEvents(caller, { trackingNumber: 'L1', occurredAt, statusCode: 'shipped' });
    expect(await modified(caller, 'L1')).toBeLessThan(60);
  });

  test('is sent with 200 and 304 for each kind of number, is not a condition, and is absent from lists', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    await feedShipments(caller, connection, { trackingNumber: 'L2', labels: ['L2-LABEL'] });
    const first = await read(caller, 'L2-LABEL');
    const date = first.headers.get('last-modified') ?? '';
    expect(new Date(date).toUTCString()).toBe(date);
    expect((await read(caller, 'L2', { 'if-modified-since': date })).status).toBe(200);
    const known = await read(caller, 'L2', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([known.status, known.headers.get('last-modified')]).toEqual([304, date]);
    const missing = await read(caller, 'NEVER');
    expect([missing.status, missing.headers.get('last-modified')]).toEqual([404, null]);
    const list = await caller.rest('GET', '/warehouses');
    expect(list.headers.get('last-modified')).toBeNull();
  });
});
