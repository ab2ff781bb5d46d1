import { describe, expect, test } from 'vitest';
import { withBoss } from '../support/boss.ts';
import { ask, connectCarrier, feedEvents, feedShipments } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { useBacklogs } from './webhook-backlogs.ts';
import {
  createWebhook,
  type Delivery,
  deleteWebhook,
  deliveries,
  delivery,
  deliveryKey,
  eventually,
  once,
  pauseWebhook,
  resumeWebhook,
  runSchedule,
  sendTest,
  useEndpoints,
  webhook,
} from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);
const { fill, counts, jobsOf } = useBacklogs(world);

/** How long something may take that is to happen at once: a look or two of a worker that looks twice a second. */
const AT_ONCE = 5_000;

const ms = (time: string | null) => Date.parse(time ?? '');

function redeliver(caller: Caller, id: string): Promise<Delivery> {
  return ask(
    caller,
    'mutation ($id: ID!) { redeliver(input: { deliveryId: $id }) { webhookDelivery { id } userErrors { code pointer message } } }',
    { id },
  );
}

function moveTo(caller: Caller, id: string, url: string): Promise<unknown> {
  const mutation = `mutation ($input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(input: $input) { webhookEndpoint { id } userErrors { code pointer message } }
  }`;
  return ask(caller, mutation, { input: { id, url } });
}

/** Replays all that ever was; answers how many. */
async function replay(caller: Caller, endpointId: string): Promise<number> {
  const [since, until] = [-DAY, DAY].map(from => new Date(Date.now() + from).toISOString());
  const mutation = `mutation ($endpointId: ID!, $since: DateTime!, $until: DateTime!) {
    replayDeliveries(input: { endpointId: $endpointId, since: $since, until: $until }) { count userErrors { code pointer message } }
  }`;
  return ask<number>(caller, mutation, { endpointId, since, until });
}

/** Sends one after the other, so that their age is known. */
async function sendInOrder(caller: Caller, endpointId: string, count: number, type?: string): Promise<Delivery[]> {
  const sent: Delivery[] = [];
  for (let i = 0; i < count; i++) sent.push(await sendTest(caller, endpointId, type));
  return sent;
}

describe.concurrent('A delivery', () => {
  test('with two aborted attempts, because a pause interrupted it and its redelivery, is held back and arrives afterwards', async () => {
    const { caller, receiver, endpointId } = await open();
    receiver.hang();
    // Two of each are as many as an endpoint has under way.
    const sent = await sendInOrder(caller, endpointId, 5);
    await receiver.waitFor(5);
    for (const { id } of sent) await redeliver(caller, id);
    await receiver.waitFor(10);
    await pauseWebhook(caller, endpointId);
    for (const { id } of sent) {
      const held = await once(caller, id, { status: 'pending', isHeldBack: true, attemptCount: 2 });
      expect(held.attempts.map(({ number, outcome }) => [number, outcome])).toEqual([
        [1, 'aborted'],
        [2, 'aborted'],
      ]);
    }
    expect(await jobsOf(endpointId)).toEqual([]);

    receiver.answer({});
    await resumeWebhook(caller, endpointId);
    for (const { id } of sent) {
      const arrived = await once(caller, id, { status: 'success', isHeldBack: false, attemptCount: 3 });
      expect(arrived.attempts.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'delivered']);
    }
    expect(receiver.requests).toHaveLength(15);
  });

  test('that was attempted is not sent early because its endpoint alternates between success and failure, or is paused', async () => {
    const REFUSED = 'tracking.pickup_point';
    const { caller, receiver, endpointId, pass } = await open(({ json }) => ({
      status: json.type === REFUSED ? 500 : 200,
    }));
    const refused = await sendInOrder(caller, endpointId, 4, REFUSED);
    for (const { id } of refused) await once(caller, id, { attemptCount: 1 });
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
    await pass(10 * SECOND);
    for (const { id } of refused) await once(caller, id, { status: 'retrying', attemptCount: 2 });
    /** They wait for their third attempt, which comes five minutes after the second. */
    const expectInTime = async (isHeldBack: boolean) => {
      const startOf = new Map((await jobsOf(endpointId)).map(job => [job.deliveryId, job.startAfter.getTime()]));
      for (const { id } of refused) {
        const waiting = await delivery(caller, id);
        expect(waiting).toMatchObject({ status: 'retrying', attemptCount: 2, isHeldBack });
        const { startedAt = null, durationMs = 0 } = waiting.attempts.at(-1) ?? {};
        const wait = ms(waiting.nextAttemptAt) - ms(startedAt) - durationMs;
        expect(wait).toBeGreaterThanOrEqual(4 * MINUTE - 50);
        expect(wait).toBeLessThanOrEqual(6 * MINUTE + 300);
        if (isHeldBack) expect(startOf.has(deliveryKey(id))).toBe(false);
        else
          expect(
            Math.abs((startOf.get(deliveryKey(id)) ?? Number.NaN) - ms(waiting.nextAttemptAt)),
          ).toBeLessThanOrEqual(1);
      }
    };
    await expectInTime(false);

    const fifth = await sendTest(caller, endpointId, REFUSED);
    await once(caller, fifth.id, { attemptCount: 1, isHeldBack: true });
    expect(await webhook(caller, endpointId)).toMatchObject({ state: 'backing_off' });
    for (const { id } of refused) await once(caller, id, { isHeldBack: true });
    await expectInTime(true);
    const untried = await sendInOrder(caller, endpointId, 25);
    for (const one of untried) expect(one).toMatchObject({ isHeldBack: true, attemptCount: 0 });

    // It is looked at, and the fifth is due again.
    receiver.clear();
    await pass(8 * SECOND);
    const requests = await receiver.waitFor(25, ({ json }) => json.type !== REFUSED);
    const ages = requests.map(({ json }) => untried.findIndex(({ eventId }) => eventId === json.id));
    expect(ages.toSorted((a, b) => a - b)).toEqual(untried.map((_, age) => age));
    // Ten are under way at a time.
    expect(ages.filter((age, place) => Math.abs(age - place) > 15)).toEqual([]);
    await once(caller, fifth.id, { status: 'retrying', attemptCount: 2 });
    await eventually(() => webhook(caller, endpointId), { state: 'active' });
    await expectInTime(false);

    await pauseWebhook(caller, endpointId);
    await expectInTime(true);
    await resumeWebhook(caller, endpointId);
    await eventually(() => webhook(caller, endpointId), { state: 'active' });
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
    await expectInTime(false);
    expect(receiver.requests.filter(({ json }) => json.type === REFUSED)).toHaveLength(1);

    await pass(6 * MINUTE);
    for (const { id } of refused) await once(caller, id, { status: 'retrying', attemptCount: 3 });
  });

  test.for(['before', 'after'])(
    'that is redriven as a dead letter, and whose endpoint is paused %s, is held back',
    async when => {
      const { caller, receiver, endpointId } = await open();
      receiver.hang();
      const given = await fill(caller, endpointId, { count: 30, status: 'failed', tries: 10 });
      if (when === 'before') await pauseWebhook(caller, endpointId);
      expect(await withBoss(world, boss => boss.redrive('webhooks.dead', { data: { endpointId } }))).toBe(30);
      if (when === 'after') {
        await receiver.waitFor(10);
        await pauseWebhook(caller, endpointId);
      }
      await eventually(() => deliveries(caller, endpointId), Array(30).fill({ status: 'pending', isHeldBack: true }));
      await eventually(() => jobsOf(endpointId), []);
      expect(receiver.requests).toHaveLength(when === 'before' ? 0 : 10);

      receiver.clear();
      receiver.answer({});
      await resumeWebhook(caller, endpointId);
      await eventually(() => deliveries(caller, endpointId), Array(30).fill({ status: 'success', isHeldBack: false }));
      expect(receiver.requests.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(
        given.map(({ eventId }) => eventId).toSorted(),
      );
    },
  );
});

describe.concurrent('An endpoint', () => {
  test.for(['a new address', 'a replay'])(
    'with 600 future retries receives at once the deliveries that follow %s',
    async what => {
      const { caller, receiver, endpointId } = await open();
      const retries = { count: 600, status: 'retrying', tries: 4, at: new Date(Date.now() + 2 * HOUR) } as const;
      await fill(caller, endpointId, retries);
      await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
      receiver.clear();
      const startedAt = Date.now();
      if (what === 'a new address') {
        await moveTo(caller, endpointId, `${receiver.url}/new`);
      } else {
        await world.pool.query(
          `insert into webhook_event (company_id, id, type, sequence, body)
          values ($1, gen_random_uuid(), 'tracking.in_transit', 1, '{}')`,
          [caller.companyId],
        );
        expect(await replay(caller, endpointId)).toBe(1);
      }
      const next = await sendTest(caller, endpointId);
      const arrived = await once(caller, next.id, { status: 'success', isHeldBack: false });
      expect(ms(arrived.deliveredAt) - startedAt).toBeLessThan(AT_ONCE);
      expect(receiver.requests.map(({ path }) => path)).toEqual(what === 'a replay' ? ['/', '/'] : ['/new']);
      await eventually(() => webhook(caller, endpointId), { state: 'active' });
      expect(Date.now() - startedAt).toBeLessThan(2 * AT_ONCE);
      expect((await counts(endpointId)).filter(({ status }) => status !== 'success')).toEqual([
        { status: 'retrying', parked: false, attempts: 4, count: 600 },
      ]);
      expect(await jobsOf(endpointId)).toHaveLength(600);
    },
  );

  test('that is disabled and the only one of its company can receive missed events later, but a deleted one cannot', async () => {
    const { caller, receiver, endpointId } = await open({ status: 410 });
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, { trackingNumber: 'm1' }, { trackingNumber: 'm2' });
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'failed' });
    expect(await webhook(caller, endpointId)).toMatchObject({ state: 'disabled', disabledReason: 'gone' });
    const events = async () => {
      const statement = 'select count(*)::integer as count from webhook_event where company_id = $1 and sequence > 0';
      return (await world.pool.query<{ count: number }>(statement, [caller.companyId])).rows[0]?.count;
    };
    const occurredAt = '2026-11-20T10:00:00Z';
    await feedEvents(caller, { trackingNumber: 'm1', occurredAt, statusCode: 'shipped' });
    await feedEvents(
      caller,
      { trackingNumber: 'm1', occurredAt: '2026-11-20T12:00:00Z', statusCode: 'delivered' },
      { trackingNumber: 'm2', occurredAt, statusCode: 'shipped' },
    );
    expect(await events()).toBe(3);
    expect(await deliveries(caller, endpointId)).toHaveLength(1);

    receiver.clear();
    receiver.answer({});
    await resumeWebhook(caller, endpointId);
    expect(await replay(caller, endpointId)).toBe(3);
    const missed = await receiver.waitFor(3);
    expect(
      missed.map(({ json: { type, sequence, data } }) => [data.trackingNumber, sequence, type]).toSorted(),
    ).toEqual([
      ['m1', 1, 'tracking.order_shipped'],
      ['m1', 2, 'tracking.delivered'],
      ['m2', 1, 'tracking.order_shipped'],
    ]);

    await deleteWebhook(caller, endpointId);
    await feedEvents(caller, { trackingNumber: 'm2', occurredAt: '2026-11-20T12:00:00Z', statusCode: 'delivered' });
    expect(await events()).toBe(3);
  });

  test('is not delayed by six other endpoints of its origin that hang', async () => {
    const { caller, receiver, endpointId } = await open();
    const gate = Promise.withResolvers<object>();
    receiver.answer(({ path }) => (path === '/' ? {} : gate.promise));
    for (let i = 0; i < 6; i++) {
      const { id } = await createWebhook(caller, `${receiver.url}/slow`);
      await fill(caller, id, { count: 15, status: 'pending' });
    }
    const inHand = async () => {
      const statement = `select id from pgboss.job where data ->> 'companyId' = $1 and state = 'active'`;
      return (await world.pool.query(statement, [caller.companyId])).rows;
    };
    try {
      // Ten of each.
      await eventually(inHand, Array(60).fill({}));
      for (let i = 0; i < 10; i++) {
        const sentAt = Date.now();
        const arrived = await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
        expect(ms(arrived.deliveredAt) - sentAt).toBeLessThan(SECOND);
      }
      expect(receiver.requests.filter(({ path }) => path === '/slow')).toHaveLength(60);
    } finally {
      gate.resolve({});
    }
  });
});

test('Deliveries that were held back while their endpoint was deleted are cancelled by the sweep', async () => {
  const { caller, endpointId } = await open();
  await deleteWebhook(caller, endpointId);
  const [late] = await fill(caller, endpointId, { count: 1, status: 'pending', isHeldBack: true });
  await runSchedule(world, 'webhooks.sweep');
  await once(caller, late?.id ?? '', { status: 'cancelled', isHeldBack: false, nextAttemptAt: null, attemptCount: 0 });
});
