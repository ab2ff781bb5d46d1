import { expect, test } from 'vitest';
import { amazonTokens } from '../../src/sandbox/amazon-stand-in.ts';
import { record } from '../graphql/step-calls.ts';
import { askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { ask, askNodes, feedShipments, type Item } from '../support/platform-side.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { MINUTE } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook, runSchedule } from './webhooks.ts';

// Carriers that are asked about shipments alone, at the stand-ins of the sandbox: InPost without an account, and Amazon.

const sandbox = useSandbox();
const world = useWorld(Object.assign(askedAt(sandbox), REACHABLE));
const { pollAfter } = usePolls(world);

interface Call {
  readonly startedAt: string;
  readonly isTokenRequest: boolean;
  readonly url: string;
  readonly outcome: string;
}

const TEST = `mutation ($id: ID!) { testCarrierConnection(input: { id: $id }) { outcome tracking addressCheck userErrors { message } } }`;
const CONNECTION = `{ carrierConnections { nodes { hasCredentials capabilities } } }`;
const CALLS = `{ carrierCalls(first: 50) { nodes { startedAt isTokenRequest method url outcome requestHeaders responseBody } } }`;

async function statusOf(caller: Caller, number: string): Promise<string> {
  const query = `query ($n: String!) { trackingByNumber(trackingNumber: $n) { statusCode } }`;
  return (await ask<{ statusCode: string }>(caller, query, { n: number })).statusCode;
}

/** The calls to carriers, oldest first, which are recorded a little later. */
async function calls(caller: Caller, count: number): Promise<Call[]> {
  await expect.poll(async () => (await askNodes(caller, CALLS)).length, { timeout: 10_000 }).toBe(count);
  return (await askNodes<Call>(caller, CALLS)).toReversed();
}

/** Polls a shipment that walks, until it is delivered, and returns the statuses that it had. */
async function walk(caller: Caller, number: string): Promise<string[]> {
  const seen: string[] = [];
  while (seen.at(-1) !== 'delivered' && seen.length < 8) {
    await pollAfter(caller, 2 * MINUTE);
    seen.push(await statusOf(caller, number));
  }
  return seen;
}

const ON_THE_WAY = ['created', 'shipped', 'in_transit'];
const AT_THE_DOOR = ['out_for_delivery', 'delivered'];
const TOLD = ['order_shipped', 'in_transit', 'out_for_delivery', 'delivered'];

test.each([
  // A depot is a facility like all others to Amazon.
  ['INPOST', [...ON_THE_WAY, 'at_depot', ...AT_THE_DOOR], [...TOLD, 'in_transit']],
  ['AMAZON', [...ON_THE_WAY, 'in_transit', ...AT_THE_DOOR], TOLD],
])(
  'A shipment of %s moves from created to delivered, and subscribers are notified',
  async (carrier, statuses, webhooks) => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      await feedShipments(caller, await connectSandbox(caller, carrier), { trackingNumber: 'WALK1' });
      expect(await walk(caller, 'WALK1')).toEqual(statuses);
      const types = (await receiver.waitFor(webhooks.length)).map(({ json }) => json.type);
      expect(types.toSorted()).toEqual(webhooks.map(type => `tracking.${type}`).toSorted());
      await pollAfter(caller, 2 * MINUTE);
      expect((await record(caller, 'WALK1')).timeline).toHaveLength(6);
    } finally {
      await receiver.close();
    }
  },
);

test('InPost is tested and polled on a connection without credentials, but not while the connection is inactive', async () => {
  const caller = await world.sandbox();
  const id = await connectSandbox(caller, 'INPOST');
  expect(await askNodes(caller, CONNECTION)).toEqual([
    { hasCredentials: false, capabilities: ['quote', 'tracking', 'insurance'] },
  ]);
  const { data } = await caller.graphql<{ testCarrierConnection: Item }>(TEST, { id });
  expect(data.testCarrierConnection).toMatchObject({ outcome: 'accepted', tracking: 'accepted', addressCheck: null });
  expect(await calls(caller, 1)).toMatchObject([
    {
      isTokenRequest: false,
      method: 'GET',
      url: expect.stringMatching(/\/inpost\/v1\/tracking\/000000000000$/),
      responseBody: expect.stringContaining('resource_not_found'),
    },
  ]);

  await feedShipments(caller, id, { trackingNumber: 'DELIVERED1' }, { trackingNumber: 'PICKUP_POINT1' });
  const setActive = `mutation ($id: ID!, $on: Boolean!) { updateCarrierConnection(input: { id: $id, isActive: $on }) { userErrors { message } } }`;
  await ask(caller, setActive, { id, on: false });
  const inactive = await caller.graphql<{ testCarrierConnection: Item }>(TEST, { id });
  expect(inactive.data.testCarrierConnection.outcome).toBe('inactive');
  await pollAfter(caller, 10 * MINUTE);
  expect(await statusOf(caller, 'DELIVERED1')).toBe('created');
  await ask(caller, setActive, { id, on: true });
  await pollAfter(caller, 10 * MINUTE);
  expect(await statusOf(caller, 'DELIVERED1')).toBe('delivered');
  const { timeline } = await record(caller, 'PICKUP_POINT1');
  expect(timeline.at(-1)).toMatchObject({
    statusCode: 'pickup_point',
    location: 'PMO01A, Via Libertà 12, 90139 Palermo',
    note: 'Presso la stazione di servizio · 24/7',
  });
});

test('Shipments of an older InPost connection, which were never polled, are polled from the next minute', async () => {
  const caller = await world.sandbox();
  await feedShipments(caller, await connectSandbox(caller, 'INPOST'), { trackingNumber: 'DELIVERED2' });
  // As versions without this interface left it.
  await world.pool.query('delete from tracking_poll where company_id = $1', [caller.companyId]);
  await world.pool.query('update carrier_connection set questions = null where company_id = $1', [caller.companyId]);
  await runSchedule(world, 'tracking.claim');
  await pollAfter(caller, 10 * MINUTE);
  expect(await statusOf(caller, 'DELIVERED2')).toBe('delivered');
  // Once for each.
  await world.pool.query('delete from tracking_poll where company_id = $1', [caller.companyId]);
  await runSchedule(world, 'tracking.claim');
  const { rows } = await world.pool.query('select from tracking_poll where company_id = $1', [caller.companyId]);
  expect(rows).toHaveLength(0);
});

test("Amazon's access token is requested with the refresh token, and again once it expires, and a rejection names the capability", async () => {
  const caller = await world.sandbox();
  const { AMAZON } = CREDENTIALS;
  const wrong = await connectSandbox(caller, 'AMAZON', { credentials: { ...AMAZON, refreshToken: 'other' } });
  const right = await connectSandbox(caller, 'AMAZON', { credentials: { ...AMAZON, region: 'ES' } });
  const outcomes = [];
  for (const id of [wrong, right, right]) {
    const { data } = await caller.graphql<{ testCarrierConnection: Item }>(TEST, { id });
    outcomes.push(data.testCarrierConnection);
    // Amazon says "forbidden" of a token that has ended.
    amazonTokens.revokeAll();
  }
  const accepted = { outcome: 'accepted', tracking: 'accepted', addressCheck: null };
  expect(outcomes).toMatchObject([{ outcome: 'refused', tracking: 'refused', addressCheck: null }, accepted, accepted]);
  const made = await calls(caller, 6);
  // A call is recorded after the token that it asked for, and is listed so where both began in one millisecond.
  const [refusal, token] = made.slice(3);
  if (refusal && token?.startedAt === refusal.startedAt && refusal.isTokenRequest) made.splice(3, 2, token, refusal);
  expect(made.map(({ url, isTokenRequest, outcome }) => [new URL(url).search, isTokenRequest, outcome])).toEqual([
    ['', true, 'refused'],
    ['', true, 'answered'],
    ['?trackingId=000000000000&carrierId=AMZN_ES', false, 'answered'],
    ['?trackingId=000000000000&carrierId=AMZN_ES', false, 'refused'],
    ['', true, 'answered'],
    ['?trackingId=000000000000&carrierId=AMZN_ES', false, 'answered'],
  ]);
});
