import { describe, expect, test } from 'vitest';
import { withBoss } from '../support/boss.ts';
import { failInserts } from '../support/failing-rows.ts';
import { failureOf } from '../support/graphql-client.ts';
import { connectCarrier, feedEvents, feedShipments } from '../support/platform-side.ts';
import { type Answering, REACHABLE } from '../support/receiver.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../support/time.ts';
import { useWorld } from '../support/world.ts';
import { expectAbout, gaps, jobsOf, ms, SCHEDULE, untilDue, wait } from './webhook-attempts.ts';
import {
  createWebhook,
  deliveries,
  delivery,
  deliveryKey,
  eventually,
  once,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  runSchedule,
  sendTest,
  useEndpoints,
  webhook,
} from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

/** The tolerance for an attempt that was made a moment after it was due. */
const LATE = 2 * SECOND;

describe.concurrent('A delivery', () => {
  test('is tried ten times at the stated times, and becomes a dead letter, which a redrive starts again', async () => {
    // All other deliveries succeed, or the endpoint would be taken for dead.
    const { caller, receiver, endpointId, pass } = await open(({ json }) => ({
      status: json.type === 'tracking.delivered' ? 500 : 200,
    }));
    const { id } = await sendTest(caller, endpointId, 'tracking.delivered');
    for (const [i, stated] of SCHEDULE.entries()) {
      const tried = await once(caller, id, { attemptCount: i + 1, status: 'retrying' });
      expect(tried.attempts.at(-1)).toMatchObject({
        number: i + 1,
        outcome: 'rejected',
        nextAttemptAt: tried.nextAttemptAt,
      });
      expectAbout(stated, wait(tried));
      const [job, ...others] = await jobsOf(world, tried);
      expect(job?.startAfter.getTime()).toBe(ms(tried.nextAttemptAt));
      expect(others).toEqual([]);
      const other = await sendTest(caller, endpointId);
      await once(caller, other.id, { status: 'success', attemptCount: 1 });
      await pass(untilDue(tried));
    }
    const failed = await once(caller, id, { status: 'failed', attemptCount: 10, nextAttemptAt: null });
    expect(failed.attempts.at(-1)?.nextAttemptAt).toBeNull();
    for (const [i, gap] of gaps(failed).entries()) expectAbout(SCHEDULE[i] ?? 0, gap, LATE);
    expect(await jobsOf(world, failed)).toMatchObject([{ name: 'webhooks.dead', state: 'created' }]);

    const redriven = await withBoss(world, boss =>
      boss.redrive('webhooks.dead', { data: { deliveryId: deliveryKey(id) } }),
    );
    expect(redriven).toBe(1);
    const anew = await once(caller, id, { status: 'retrying', attemptCount: 11 });
    expectAbout(5 * SECOND, wait(anew));
    expect(await jobsOf(world, failed)).toMatchObject([{ name: 'webhooks.deliver', state: 'created' }]);
    receiver.answer({});
    await pass(untilDue(anew));
    await once(caller, id, { status: 'success', attemptCount: 12 });
    expect(await jobsOf(world, failed)).toEqual([]);
    expect(
      new Set((await receiver.waitFor(12, ({ json }) => json.id === failed.eventId)).map(({ path }) => path)).size,
    ).toBe(1);
  });

  const FIRST = [4 * SECOND, 6 * SECOND + 300] as const;
  test.for<[string, number, () => string, readonly [number, number]]>([
    ['seconds', 429, () => '120', [120 * SECOND, 121 * SECOND]],
    ['fewer than it waits anyway', 429, () => '1', FIRST],
    ['a date', 503, () => new Date(Date.now() + 600 * SECOND).toUTCString(), [598 * SECOND, 601 * SECOND]],
    ['more than a day', 404, () => '864000', [DAY - SECOND, DAY + SECOND]],
  ])('is postponed by Retry-After: %s', async ([, status, header, [from, to]]) => {
    const { caller, endpointId } = await open(() => ({ status, headers: { 'retry-after': header() } }));
    const { id } = await sendTest(caller, endpointId);
    const tried = await once(caller, id, { attemptCount: 1, status: 'retrying' });
    expect(tried.attempts[0]).toMatchObject({
      outcome: 'rejected',
      responseStatus: status,
      nextAttemptAt: tried.nextAttemptAt,
    });
    expect(wait(tried)).toBeGreaterThanOrEqual(from - 50);
    expect(wait(tried)).toBeLessThanOrEqual(to);
  });
});

describe.concurrent('An endpoint', () => {
  test('that returns 410 is disabled, and receives nothing more', async () => {
    const { caller, receiver, endpointId: id, pass } = await open();
    const { id: otherId } = await createWebhook(caller, `${receiver.url}/other`, ['tracking.delivered']);
    receiver.answer(({ path, json }) => {
      if (path === '/other') return {};
      return { status: json.type === 'tracking.delivered' ? 410 : 500, body: 'no longer here' };
    });
    const waiting = [await sendTest(caller, id), await sendTest(caller, id)];
    for (const one of waiting) await once(caller, one.id, { status: 'retrying' });
    const last = await sendTest(caller, id, 'tracking.delivered');
    const { attempts } = await once(caller, last.id, { status: 'failed', nextAttemptAt: null });
    expect(attempts).toMatchObject([
      { outcome: 'rejected', responseStatus: 410, responseBody: 'no longer here', nextAttemptAt: null },
    ]);
    expect(await webhook(caller, id)).toMatchObject({ state: 'disabled', isActive: false, disabledReason: 'gone' });
    for (const one of waiting) {
      const cancelled = { status: 'cancelled', attemptCount: 1, nextAttemptAt: null };
      expect(await delivery(caller, one.id)).toMatchObject(cancelled);
      expect(await jobsOf(world, one)).toEqual([]);
    }

    const answer = await caller.graphql(
      'mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { id } userErrors { code pointer message } } }',
      { id },
    );
    expect(failureOf(answer)?.errors).toMatchObject([{ code: 'webhook_inactive', pointer: '/endpointId' }]);
    await pass(DAY);
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, { trackingNumber: 'g1' });
    await feedEvents(caller, { trackingNumber: 'g1', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'delivered' });
    // By then everything that was due before would have come, too.
    await receiver.waitFor(1, ({ path }) => path === '/other');
    expect(await deliveries(caller, otherId)).toHaveLength(1);
    expect(await deliveries(caller, id)).toHaveLength(3);
    expect(receiver.requests).toHaveLength(4);

    receiver.answer({});
    expect(await resumeWebhook(caller, id)).toMatchObject({ isActive: true, disabledReason: null, failingSince: null });
    await once(caller, (await sendTest(caller, id)).id, { status: 'success' });
  });

  test('that has only failed for five days is disabled, and its waiting deliveries are cancelled', async () => {
    const { caller, endpointId: id, pass } = await open({ status: 503 });
    const first = await sendTest(caller, id);
    await once(caller, first.id, { attemptCount: 1 });
    await pass(5 * DAY - HOUR);
    const second = await sendTest(caller, id);
    await once(caller, second.id, { attemptCount: 1 });
    await once(caller, first.id, { attemptCount: 2 });
    const { failingSince, ...failing } = await webhook(caller, id);
    expect(failing).toMatchObject({ isActive: true, disabledReason: null });
    expect(Math.abs(Date.now() - ms(failingSince) - (5 * DAY - HOUR))).toBeLessThan(MINUTE);
    await pass(2 * HOUR);
    await eventually(() => webhook(caller, id), { state: 'disabled', disabledReason: 'failing' });
    for (const one of [first, second]) {
      await once(caller, one.id, { status: 'cancelled', nextAttemptAt: null });
      await eventually(() => jobsOf(world, one), []);
    }
  });

  test('that backs off is disabled after five days too', async () => {
    const { caller, endpointId: id, pass } = await open({ status: 503 });
    const sent = await Promise.all(Array.from({ length: 7 }, () => sendTest(caller, id)));
    await eventually(() => webhook(caller, id), { state: 'backing_off' });
    await pass(5 * DAY);
    await eventually(() => webhook(caller, id), { state: 'disabled', disabledReason: 'failing' });
    // A delivery that another transaction holds at that moment is cancelled by the job that clears the rest.
    for (const one of sent) await once(caller, one.id, { status: 'cancelled', isHeldBack: false });
  });

  test('that succeeded once in five days is not disabled', async () => {
    const how: Answering = ({ json }) => ({ status: json.type === 'tracking.delivered' ? 200 : 503 });
    const { caller, endpointId: id, pass } = await open(how);
    const first = await sendTest(caller, id);
    await once(caller, first.id, { attemptCount: 1 });
    await pass(3 * DAY);
    await once(caller, first.id, { attemptCount: 2 });
    await once(caller, (await sendTest(caller, id, 'tracking.delivered')).id, { status: 'success' });
    expect(await webhook(caller, id)).toMatchObject({ failingSince: null });
    await pass(3 * DAY);
    await once(caller, first.id, { attemptCount: 3 });
    const { failingSince, ...others } = await webhook(caller, id);
    expect(others).toMatchObject({ state: 'active', isActive: true, disabledReason: null });
    expect(Date.now() - ms(failingSince)).toBeLessThan(MINUTE);
  });

  test('that backs off is tried again by the sweep if its next probe was lost', async () => {
    const { caller, receiver, endpointId: id, pass } = await open({ status: 500 });
    const sent = await Promise.all(Array.from({ length: 7 }, () => sendTest(caller, id)));
    await eventually(() => webhook(caller, id), { state: 'backing_off' });
    receiver.answer({});
    await world.pool.query(`delete from pgboss.job where name = 'webhooks.probe' and data ->> 'endpointId' = $1`, [id]);
    await pass(HOUR);
    await runSchedule(world, 'webhooks.sweep');
    for (const one of sent) await once(caller, one.id, { status: 'success' });
    await eventually(() => webhook(caller, id), { state: 'active' });
  });
});

const tomorrow = () => new Date(Date.now() + DAY).toISOString();

describe.concurrent('A scheduled job', () => {
  const CASES: readonly [what: string, status: string | null, expected: () => string | null, delays: number][] = [
    ['without news', null, tomorrow, 1],
    ['shipped', 'shipped', tomorrow, 1],
    ['in transit', 'in_transit', tomorrow, 1],
    ['out for delivery', 'out_for_delivery', tomorrow, 1],
    ['held', 'held', tomorrow, 1],
    ['delayed, as its carrier said', 'delayed', tomorrow, 1],
    ['delivered', 'delivered', tomorrow, 0],
    ['returned', 'returned', tomorrow, 0],
    ['lost', 'lost', tomorrow, 0],
    ['cancelled', 'cancelled', tomorrow, 0],
    ['expected later', 'in_transit', () => new Date(Date.now() + 9 * DAY).toISOString(), 0],
    ['expected at no date', 'in_transit', () => null, 0],
  ];

  test('announces once that an open shipment is past its expected date, unless its carrier did', async () => {
    const { caller, endpointId, pass } = await open({}, ['tracking.delay']);
    const brt = await connectCarrier(caller);
    const shipments = CASES.map(([trackingNumber, , expected]) => ({
      trackingNumber,
      expectedDeliveryAt: expected(),
    }));
    await feedShipments(caller, brt, ...shipments);
    const occurredAt = new Date().toISOString();
    const events = CASES.flatMap(([trackingNumber, statusCode]) =>
      statusCode === null ? [] : [{ trackingNumber, statusCode, occurredAt }],
    );
    await feedEvents(caller, ...events);
    await pass(2 * DAY);
    await runSchedule(world, 'webhooks.delays');
    await pass(DAY);
    await runSchedule(world, 'webhooks.delays');
    const bodies = (await deliveries(caller, endpointId)).map(({ body }) => JSON.parse(body));
    const told = (number: string) => bodies.filter(({ data }) => data.trackingNumber === number);
    expect(CASES.map(([what]) => [what, told(what).length])).toEqual(CASES.map(([what, , , delays]) => [what, delays]));
    expect(new Set(bodies.map(({ type }) => type))).toEqual(new Set(['tracking.delay']));
    expect(told('in transit')).toMatchObject([
      { sequence: 2, data: { statusCode: 'in_transit', previousStatusCode: 'in_transit' } },
    ]);
    expect(told('without news')).toMatchObject([{ sequence: 1, data: { statusCode: 'created', event: null } }]);
  });

  test('deletes attempts and events of finished deliveries after thirty days', async () => {
    const { caller, receiver, endpointId, pass } = await open();
    const { id: heldId } = await createWebhook(caller, `${receiver.url}/held`);
    receiver.answer(({ path }) => ({ status: path === '/held' ? 500 : 200 }));
    const old = await sendTest(caller, endpointId);
    await once(caller, old.id, { status: 'success' });
    const tried = await sendTest(caller, heldId);
    await once(caller, tried.id, { attemptCount: 1 });
    await pauseWebhook(caller, heldId);
    const untried = await sendTest(caller, heldId);
    await pass(2 * DAY);
    const young = await sendTest(caller, endpointId);
    await once(caller, young.id, { status: 'success' });
    await pass(29 * DAY);
    await runSchedule(world, 'retention.run');
    expect(await deliveries(caller, endpointId)).toMatchObject([{ id: young.id, attempts: [{ number: 1 }] }]);
    expect(await deliveries(caller, heldId)).toMatchObject([
      { id: tried.id, attemptCount: 1, attempts: [], body: expect.stringContaining(tried.eventId) },
      { id: untried.id, attemptCount: 0, attempts: [], body: expect.stringContaining(untried.eventId) },
    ]);
    receiver.answer({});
    await resumeWebhook(caller, heldId);
    await once(caller, untried.id, { status: 'success', attemptCount: 1 });
    const arrived = await once(caller, tried.id, { status: 'success', attemptCount: 2 });
    expect(arrived.attempts).toMatchObject([{ number: 2, outcome: 'delivered' }]);
  });

  test('deletes secrets a day after their rotation', async () => {
    const { caller, endpointId, pass } = await open();
    const secrets = async () => {
      const statement = 'select count(*)::integer as count from webhook_secret where endpoint_id = $1';
      const { rows } = await world.pool.query<{ count: number }>(statement, [endpointId]);
      return rows[0]?.count;
    };
    await rotateSecret(caller, endpointId);
    await pass(DAY - HOUR);
    await rotateSecret(caller, endpointId);
    expect(await secrets()).toBe(3);
    await pass(2 * HOUR);
    await runSchedule(world, 'webhooks.secrets');
    expect(await secrets()).toBe(2);
    await once(caller, (await sendTest(caller, endpointId)).id, { status: 'success' });
  });
});

test('The delays of a company are announced even if nothing can be recorded for another company', async () => {
  const [one, other] = [await open({}, ['tracking.delay']), await open({}, ['tracking.delay'])];
  const brtOf = new Map([
    [one, await connectCarrier(one.caller)],
    [other, await connectCarrier(other.caller)],
  ]);
  const announced = async ({ caller, endpointId }: typeof one) =>
    (await deliveries(caller, endpointId)).map(({ body }) => JSON.parse(body).data.trackingNumber);
  // In both orders, since either company may come first.
  for (const [broken, whole] of [
    [one, other],
    [other, one],
  ] as const) {
    const trackingNumber = `OF${broken.endpointId.slice(-4).toUpperCase()}`;
    for (const [{ caller, pass }, brt] of brtOf) {
      await feedShipments(caller, brt, { trackingNumber, expectedDeliveryAt: tomorrow() });
      await pass(2 * DAY);
    }
    const mend = await failInserts(world.pool, 'webhook_event', broken.caller.companyId);
    try {
      await expect(runSchedule(world, 'webhooks.delays')).rejects.toThrow('out of order');
      expect(await announced(whole)).toContain(trackingNumber);
      expect(await announced(broken)).not.toContain(trackingNumber);
    } finally {
      await mend();
    }
    await runSchedule(world, 'webhooks.delays');
    expect(await announced(broken)).toContain(trackingNumber);
  }
});
