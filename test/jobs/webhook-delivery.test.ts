import { beforeAll, describe, expect, test, vi } from 'vitest';
import { graphqlClient } from '../support/graphql-client.ts';
import { REACHABLE } from '../support/receiver.ts';
import { HOUR, passTime } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { expectInOrder, expectNoJobs, fill, useWebhookProcesses, useWebhookReceivers } from './webhook-receivers.ts';
import { deliveries, eventually, once, sendTest, webhook } from './webhooks.ts';

const given = useWebhookReceivers();
const { world, receive, open, stopWhileHanging, timesOf } = given;

describe('An endpoint that fails five times in a row', () => {
  /** Sends `count` events, one after the other, so that their age is known. */
  async function sendInOrder(caller: Caller, endpointId: string, count: number) {
    const sent = [];
    for (let i = 0; i < count; i++) sent.push(await sendTest(caller, endpointId));
    return sent;
  }

  test('is tried with one delivery at a time, and once it recovers all are sent in order of age, none lost and none twice', async () => {
    const caller = await world.company();
    const receiver = await receive({ status: 500 });
    const { id } = await open(caller, receiver.url);
    const first = [];
    for (let i = 0; i < 5; i++) {
      const sent = await sendTest(caller, id);
      first.push(await once(caller, sent.id, { attemptCount: 1 }));
    }
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off', isActive: true });
    const later = await sendInOrder(caller, id, 20);
    for (const one of later) expect(one).toMatchObject({ status: 'pending', isHeldBack: true, attemptCount: 0 });
    for (const one of first) {
      await once(caller, one.id, { status: 'retrying', isHeldBack: true, attemptCount: 1 });
    }
    await vi.waitFor(() => expectNoJobs(world.pool, id), { timeout: 10_000, interval: 20 });

    // One is tried, still in vain.
    await passTime(world.pool, 60_000);
    await receiver.waitFor(6);
    const attempts = async () => (await deliveries(caller, id)).flatMap(one => one.attempts);
    await eventually(attempts, Array(6).fill({ outcome: 'rejected' }));
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off' });

    receiver.clear();
    receiver.answer({});
    await passTime(world.pool, HOUR);
    await eventually(() => deliveries(caller, id), Array(25).fill({ status: 'success' }));
    await eventually(() => webhook(caller, id), { state: 'active', failingSince: null });
    expect(receiver.requests).toHaveLength(25);
    const order = [...first, ...later].map(({ eventId }) => eventId);
    expectInOrder(receiver.requests.map(({ json }) => order.indexOf(json.id)));

    const [next] = await sendInOrder(caller, id, 1);
    await once(caller, next?.id ?? '', { status: 'success', isHeldBack: false });
  });

  test('is one whose failures have no success between them', async () => {
    const caller = await world.company();
    const receiver = await receive((_, n) => ({ status: n === 5 ? 200 : 500 }));
    const { id } = await open(caller, receiver.url);
    for (let i = 0; i < 9; i++) await once(caller, (await sendTest(caller, id)).id, { attemptCount: 1 });
    expect(await webhook(caller, id)).toMatchObject({ state: 'active' });
    await once(caller, (await sendTest(caller, id)).id, { attemptCount: 1 });
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off' });
  });
});

describe('An endpoint with many waiting deliveries', () => {
  test('that hangs does not delay others, and receives at most ten requests at a time', async () => {
    const caller = await world.company();
    const receiver = await receive();
    receiver.hang();
    const { id } = await open(caller, receiver.url);
    await fill(world, caller, id, { count: 2_000 });
    await receiver.waitFor(10);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.requests).toHaveLength(10);
  });
});

describe('A process', () => {
  const split = useWorld({ ...REACHABLE, ROLE: 'api' });
  const start = useWebhookProcesses();
  let caller: Caller;

  beforeAll(async () => {
    caller = await split.company();
  });
  test('aborts its requests to an endpoint that another process deletes', async () => {
    await start(split, 'worker');
    const { url } = await start(split, 'api');
    const receiver = await receive();
    const other = { ...caller, graphql: graphqlClient(url, caller.apiKey) };
    const { id, sent } = await stopWhileHanging(caller, other, receiver, 'delete');
    for (const one of sent) await once(caller, one.id, { status: 'cancelled', attemptCount: 1 });
    await expectNoJobs(split.pool, id);
  });

  test('aborts its requests to an endpoint that another process pauses', async () => {
    await start(split, 'worker');
    const receiver = await receive();
    const { sent } = await stopWhileHanging(caller, caller, receiver, 'pause');
    for (const one of sent) await once(caller, one.id, { status: 'pending', isHeldBack: true });
  });
});
