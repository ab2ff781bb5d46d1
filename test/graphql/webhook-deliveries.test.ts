import { describe, expect, test, vi } from 'vitest';
import type { Attempt } from '../jobs/webhooks.ts';
import { INSTANT } from '../support/instants.ts';
import { ask, type Item, refusal, times } from '../support/platform-side.ts';
import type { Received } from '../support/receiver.ts';
import {
  DELIVERIES,
  DELIVERY,
  type Delivery,
  deliveries,
  delivery,
  idOf,
  PAUSE,
  type Page,
  page,
  REDELIVER,
  RESUME,
  SOON,
  settled,
  ship,
  TEST,
  useWebhooks,
  verifies,
} from './webhook-calls.ts';

const { world, endpoint, stillness, still, company, receiver } = useWebhooks();

const TEST_AS_IT_IS = `mutation ($id: ID!) { sendTestEvent(input: { endpointId: $id }) { webhookDelivery { ${DELIVERY} } userErrors { code pointer message } } }`;

describe('sendTestEvent', () => {
  test.each([
    ['tracking.order_shipped'],
    ['tracking.in_transit'],
    ['tracking.out_for_delivery'],
    ['tracking.delay'],
    ['tracking.pickup_point'],
    ['tracking.delivery_failed'],
    ['tracking.delivered'],
  ])('sends an example of %s, subscribed to or not', async type => {
    const by = await world.company();
    const { id, sent, secret } = await endpoint(by, {
      events: [type === 'tracking.delay' ? 'tracking.delivered' : 'tracking.delay'],
    });
    const made = await ask<Delivery>(by, TEST, { id, type });
    expect(made).toMatchObject({ endpoint: { id }, eventType: type, sequence: 0 });
    const [request] = (await sent(1)) as [Received];
    expect(idOf(request)).toBe(made.eventId);
    expect(request.body.toString()).toBe(made.body);
    expect(request.json).toMatchObject({ id: made.eventId, type, sequence: 0 });
    expect(verifies(request, secret)).toBe(true);
    expect(await settled(by, made.id)).toMatchObject({ attemptCount: 1, sequence: 0 });
  });

  test('sends in_transit by default, and for null', async () => {
    const by = await world.company();
    const { id } = await endpoint(by);
    expect((await ask<Delivery>(by, TEST_AS_IT_IS, { id })).eventType).toBe('tracking.in_transit');
    expect((await ask<Delivery>(by, TEST, { id, type: null })).eventType).toBe('tracking.in_transit');
  });

  test.each(['tracking.*', 'toString'])('rejects %j', async type => {
    const before = await stillness();
    expect(await refusal(still.by, TEST, { id: still.id, type })).toBe('validation_failed: /type not_allowed');
    expect(await stillness()).toEqual(before);
  });

  test('holds the delivery back while the endpoint is paused', async () => {
    const by = await world.company();
    const { id, sent, count } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const made = await ask<Delivery>(by, TEST, { id });
    expect(made).toMatchObject({ status: 'pending', isHeldBack: true });
    expect(count()).toBe(0);
    await ask(by, RESUME, { id });
    expect((await sent(1)).map(idOf)).toEqual([made.eventId]);
  });
});

describe('The list of deliveries', () => {
  /** An endpoint with so many deliveries, held back; their ids newest first. */
  async function filled(count: number) {
    const by = await world.company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.unshift((await ask<Delivery>(by, TEST, { id })).id);
    return { by, id, ids };
  }
  const idsOf = ({ edges }: Page) => edges.map(({ node }) => node.id);

  test('has the newest first, page by page, forwards and backwards', async () => {
    const { by, id, ids } = await filled(5);
    expect(idsOf(await page(by, id))).toEqual(ids);
    const seen: string[] = [];
    let after: string | null = null;
    for (const size of [2, 2, 1]) {
      const one: Page = await page(by, id, { first: 2, after });
      expect(one.edges).toHaveLength(size);
      expect(one.pageInfo).toMatchObject({
        hasNextPage: size === 2,
        startCursor: one.edges[0]?.cursor,
        endCursor: one.edges.at(-1)?.cursor,
      });
      seen.push(...idsOf(one));
      after = one.pageInfo.endCursor;
    }
    expect(seen).toEqual(ids);
    expect(await page(by, id, { first: 2, after })).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    expect(idsOf(await page(by, id, { last: 2, before: after }))).toEqual(ids.slice(2, 4));
    expect(idsOf(await page(by, id, { last: 2 }))).toEqual(ids.slice(3));
    // Deliveries that arrive meanwhile shift no page.
    const first = await page(by, id, { first: 2 });
    await ask(by, TEST, { id });
    expect(idsOf(await page(by, id, { first: 2, after: first.pageInfo.endCursor }))).toEqual(ids.slice(2, 4));
  });

  test('has 50 on a page by default', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    await ship(by, brt, ...times(51, i => `n${i}`));
    expect(await page(by, id)).toMatchObject({ edges: { length: 50 }, pageInfo: { hasNextPage: true } });
    expect(await page(by, id, { first: 51 })).toMatchObject({
      edges: { length: 51 },
      pageInfo: { hasNextPage: false },
    });
  });

  test('can be filtered from a time, including that time', async () => {
    const { by, id, ids } = await filled(3);
    const middle = await delivery(by, ids[1] ?? '');
    const since = idsOf(await page(by, id, { since: middle.createdAt }));
    expect(since).toEqual(ids.slice(0, 2));
    expect(idsOf(await page(by, id, { since: '2099-01-01T00:00:00Z' }))).toEqual([]);
    expect(idsOf(await page(by, id, { since: '2020-01-01T01:00:00+02:00' }))).toEqual(ids);
  });

  test('can be filtered by states', async () => {
    const { by } = await company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({
      status: request.path === path && request.json.type === 'tracking.delay' ? 500 : 200,
    }));
    const good = await ask<Delivery>(by, TEST, { id, type: 'tracking.delivered' });
    const bad = await ask<Delivery>(by, TEST, { id, type: 'tracking.delay' });
    await sent(2);
    await settled(by, good.id);
    await settled(by, bad.id, 'retrying');
    await ask(by, PAUSE, { id });
    const waiting = await ask<Delivery>(by, TEST, { id });
    receiver.answer({});
    for (const [status, ids] of [
      [['success'], [good.id]],
      [['retrying'], [bad.id]],
      [['pending'], [waiting.id]],
      [
        ['pending', 'success'],
        [waiting.id, good.id],
      ],
      [['failed', 'cancelled'], []],
      [[], []],
      [null, [waiting.id, bad.id, good.id]],
    ] as const) {
      expect(idsOf(await page(by, id, { status }))).toEqual(ids);
    }
    expect(idsOf(await page(by, id, { status: ['pending', 'success'], first: 1 }))).toEqual([waiting.id]);
  });

  test.each<[string, Item, string]>([
    ['a page of 0', { first: 0 }, '/first out_of_range'],
    ['a page of -1 from the end', { last: -1 }, '/last out_of_range'],
    ['a cursor that is none', { after: 'x' }, '/after invalid_cursor'],
    ['a time that is none', { since: 'yesterday' }, '/since'],
    ['a state that is none', { status: ['lost'] }, '/statuses/0 not_allowed'],
  ])('rejects %s', async (_what, args, wrong) => {
    expect(await refusal(still.by, DELIVERIES, { id: still.id, ...args })).toMatch(`validation_failed: ${wrong}`);
  });

  test('shows every attempt', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => (request.path === path ? { status: 503, body: 'più tardi' } : {}));
    const before = Date.now();
    const made = await ask<Delivery>(by, TEST, { id });
    const [request] = (await sent(1)) as [Received];
    const failed = await settled(by, made.id, 'retrying');
    expect(failed).toEqual({
      ...made,
      status: 'retrying',
      attemptCount: 1,
      nextAttemptAt: failed.attempts[0]?.nextAttemptAt,
      attempts: [
        {
          number: 1,
          startedAt: expect.stringMatching(INSTANT),
          durationMs: expect.any(Number),
          outcome: 'rejected',
          responseStatus: 503,
          responseBody: 'più tardi',
          nextAttemptAt: expect.stringMatching(INSTANT),
        },
      ],
    });
    const [first] = failed.attempts as [Attempt];
    expect(Date.parse(first.startedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(first.startedAt)).toBeLessThanOrEqual(request.at);
    expect(first.durationMs).toBeGreaterThanOrEqual(0);
    // In five seconds, a fifth more or less.
    const wait = Date.parse(first.nextAttemptAt ?? '') - request.at;
    expect(wait).toBeGreaterThan(3_900);
    expect(wait).toBeLessThan(8_000);

    receiver.answer({ status: 202, body: 'ok' });
    await ask(by, REDELIVER, { id: made.id });
    const delivered = await settled(by, made.id);
    expect(delivered).toMatchObject({ nextAttemptAt: null, deliveredAt: expect.stringMatching(INSTANT) });
    expect(delivered.attempts).toEqual([
      first,
      {
        ...first,
        ...delivered.attempts[1],
        number: 2,
        outcome: 'delivered',
        responseStatus: 202,
        responseBody: 'ok',
        nextAttemptAt: null,
      },
    ]);
    expect(Date.parse(delivered.attempts[1]?.startedAt ?? '')).toBeGreaterThan(Date.parse(first.startedAt));
    receiver.answer({});
  });

  test('shows that a host does not resolve, or that its port is closed', async () => {
    const by = await world.company();
    for (const [url, outcome] of [
      ['http://hooks.nowhere.invalid/', 'unresolvable_host'],
      ['http://127.0.0.1:1/', 'connection_failed'],
    ]) {
      const { id } = await endpoint(by, { url });
      const made = await ask<Delivery>(by, TEST, { id });
      const { attempts } = await settled(by, made.id, 'retrying');
      expect(attempts).toMatchObject([{ number: 1, outcome, responseStatus: null, responseBody: null }]);
    }
  });
});

describe('redeliver', () => {
  test('sends a successful delivery again, with the same id and the same bytes', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    await ship(by, brt, 'n');
    const [first] = (await sent(1)) as [Received];
    const [made] = (await deliveries(by, id)) as [Delivery];
    const before = await settled(by, made.id);
    const again = await ask<Delivery>(by, REDELIVER, { id: made.databaseId });
    expect(again).toMatchObject({ id: made.id, eventId: made.eventId });
    const second = (await sent(2))[1] as Received;
    expect(idOf(second)).toBe(idOf(first));
    expect(second.body).toEqual(first.body);
    const after = await vi.waitUntil(async () => {
      const one = await delivery(by, made.id);
      return one.attemptCount === 2 && one;
    }, SOON);
    expect(after.status).toBe('success');
    expect(after.attempts).toMatchObject([
      before.attempts[0],
      { number: 2, outcome: 'delivered', responseStatus: 200 },
    ]);
    expect(await deliveries(by, id)).toHaveLength(1);
  });

  test('holds the delivery back while the endpoint is paused', async () => {
    const by = await world.company();
    const { id, sent, count } = await endpoint(by);
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id);
    await ask(by, PAUSE, { id });
    expect(await ask<Delivery>(by, REDELIVER, { id: made.id })).toMatchObject({ status: 'pending', isHeldBack: true });
    expect(count()).toBe(1);
    await ask(by, RESUME, { id });
    await sent(2);
  });

  test('sends the delivery at least once, and loses nothing, if it is called five times at once', async () => {
    const by = await world.company();
    const { id, sent } = await endpoint(by);
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id);
    await Promise.all(times(5, () => ask(by, REDELIVER, { id: made.id })));
    await sent(2);
    await settled(by, made.id);
    const { attempts, attemptCount } = await vi.waitUntil(async () => {
      const one = await delivery(by, made.id);
      return one.attemptCount >= 2 && one;
    }, SOON);
    expect(attempts.map(({ number }) => number)).toEqual(times(attemptCount, i => i + 1));
  });
});
