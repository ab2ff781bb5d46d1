import { describe, expect, test } from 'vitest';
import { deadDeliveries } from '../../src/domain/exchange/webhooks/webhooks.queues.ts';
import { REACHABLE } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { expectInOrder, fill, useWebhookProcesses, useWebhookReceivers } from './webhook-receivers.ts';
import { deliveries, eventually, webhook } from './webhooks.ts';

const given = useWebhookReceivers();
const { world, receive, open, timesOf } = given;

test('A replay of more deliveries than the queue takes at a time is sent in order of age, none lost and none twice', async () => {
  const caller = await world.company();
  const receiver = await receive();
  const { id } = await open(caller, receiver.url);
  await world.pool.query(
    `insert into webhook_event (company_id, id, type, sequence, body, created_at)
      select $1, gen_random_uuid(), 'tracking.in_transit', 1, json_build_object('age', n)::text, now() - make_interval(secs => 2000 - n)
        from generate_series(0, 1499) n order by random()`,
    [caller.companyId],
  );
  const [since, until] = [-DAY, DAY].map(ms => new Date(Date.now() + ms).toISOString());
  const { data } = await caller.graphql(
    `mutation ($id: ID!, $since: DateTime!, $until: DateTime!) {
      replayDeliveries(input: { endpointId: $id, since: $since, until: $until }) { count userErrors { code pointer message } }
    }`,
    { id, since, until },
  );
  expect(data).toEqual({ replayDeliveries: { count: 1_500, userErrors: [] } });
  await receiver.waitFor(1_500);
  await eventually(() => webhook(caller, id), { state: 'active' });
  expectInOrder(receiver.requests.map(({ json }) => json.age));
});

describe('An endpoint with many waiting deliveries', () => {
  test.each([0, 50])('that responds after %i ms leaves the deliveries of others under a second', async delay => {
    const caller = await world.company();
    const receiver = await receive({ delay });
    const { id } = await open(caller, receiver.url);
    await fill(world, caller, id, { count: 2_000 });
    await receiver.waitFor(1);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.connections.total).toBeLessThanOrEqual(10);
  });

  test('whose requests all end together does not delay retries of others', async () => {
    const caller = await world.company();
    // All of its ten end together, and there is room for it whenever a worker looks.
    const inStep = () => ({ delay: 100 - (Date.now() % 100) });
    const [slow, receiver] = [await receive(inStep), await receive()];
    const { id: slowId } = await open(caller, slow.url);
    const { id } = await open(caller, receiver.url);
    await fill(world, caller, slowId, { count: 600 });
    await slow.waitFor(20);
    const due = new Map<string, number>();
    for (let i = 1; i <= 10; i++) {
      const startAfter = new Date(Date.now() + i * 100);
      const [eventId = ''] = await fill(world, caller, id, { count: 1, startAfter });
      due.set(eventId, startAfter.getTime());
    }
    const late = (await receiver.waitFor(10)).map(
      ({ at, headers }) => at - (due.get(String(headers['webhook-id'])) ?? Number.NEGATIVE_INFINITY),
    );
    // Workers look at the queue once a second.
    expect(Math.max(...late)).toBeLessThan(2_000);
  });

  test('that were redriven as dead letters leaves the deliveries of others under a second', async () => {
    const caller = await world.company();
    const receiver = await receive();
    receiver.hang();
    const { id } = await open(caller, receiver.url);
    await fill(world, caller, id, { count: 500, status: 'failed' });
    expect(await world.app.jobs.redrive(deadDeliveries, 500)).toBe(500);
    await receiver.waitFor(10);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.requests).toHaveLength(10);
  });
});

describe('Several processes', () => {
  const split = useWorld({ ...REACHABLE, ROLE: 'api' });
  const start = useWebhookProcesses();

  test('share the work of two workers, so that every delivery arrives once', async () => {
    const receiver = await receive({ delay: 20 });
    const workers = [await start(split, 'worker'), await start(split, 'worker')];
    const filled: (readonly [Caller, string])[] = [];
    // One worker takes no more than a hundred at a look, and ten of an endpoint are in hand.
    for (let company = 0; company < 3; company++) {
      const by = await split.company();
      for (let n = 0; n < 10; n++) filled.push([by, (await open(by, receiver.url)).id]);
    }
    await Promise.all(filled.map(([by, id]) => fill(split, by, id, { count: 20 })));
    await receiver.waitFor(600);
    for (const [by, id] of filled) await eventually(() => deliveries(by, id), Array(20).fill({ status: 'success' }));
    expect(receiver.requests).toHaveLength(600);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(600);
    const counts = workers.map(async ({ metrics }) => {
      const figures = await metrics.registry.getSingleMetricAsString('shipping_webhook_attempt_duration_seconds');
      return Number(/_count\{outcome="delivered"\} (\d+)/.exec(figures)?.[1] ?? 0);
    });
    const [mine = 0, theirs = 0] = await Promise.all(counts);
    expect(mine + theirs).toBe(600);
    expect(Math.min(mine, theirs)).toBeGreaterThan(20);
  });
});
