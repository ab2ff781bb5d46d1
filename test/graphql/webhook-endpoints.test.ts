import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../support/graphql-client.ts';
import { INSTANT } from '../support/instants.ts';
import { ask, askNodes, type Item, refusal, times } from '../support/platform-side.ts';
import type { Received } from '../support/receiver.ts';
import { passTime } from '../support/time.ts';
import {
  byId,
  CREATE,
  DELETE,
  type Delivery,
  deliveries,
  delivery,
  ENDPOINTS,
  type Endpoint,
  idOf,
  PAUSE,
  REDELIVER,
  REPLAY,
  RESUME,
  ROTATE,
  record,
  SOON,
  settled,
  ship,
  TEST,
  told,
  UPDATE,
  useWebhooks,
  verifies,
  type WithSecret,
} from './webhook-calls.ts';

const { world, endpoint, stillness, still, company, receiver } = useWebhooks();

/** After it what failed once is due again, whatever it is jittered by. */
const FIRST_RETRY_MS = 10_000;

describe('createWebhookEndpoint', () => {
  test('returns the whole endpoint and its secret, which no later response has', async () => {
    const by = await world.company();
    const { path: _, sent: __, count: ___, secret, ...made } = await endpoint(by, { label: ' Uno ' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(made).toEqual({
      id: expect.any(String),
      label: 'Uno',
      url: expect.any(String),
      secretLast4: secret.slice(-4),
      events: ['tracking.*'],
      isActive: true,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: made.createdAt,
      disabledAt: null,
      disabledReason: null,
      pausedAt: null,
      failingSince: null,
      state: 'active',
      lastDelivery: null,
    });
    expect(await byId(by, made.id)).toEqual(made);
    expect(await askNodes(by, ENDPOINTS)).toEqual([made]);
    const input = { label: '', url: 'https://10.0.0.1/', events: ['tracking.*'] };
    expect(await refusal(by, CREATE, { input })).toBe('validation_failed: /label required, /url blocked_address');
  });
});

describe('updateWebhookEndpoint', () => {
  test.each<[string, Item, Item]>([
    ['label', { label: ' Nuovo ' }, { label: 'Nuovo' }],
    ['url', { url: 'https://93.184.215.14/new' }, { url: 'https://93.184.215.14/new' }],
    [
      'events',
      { events: ['tracking.delay', 'tracking.delivered', 'tracking.delay'] },
      { events: ['tracking.delay', 'tracking.delivered'] },
    ],
    [
      'all',
      { label: 'N', url: 'https://93.184.215.14/all', events: ['tracking.delay'] },
      { label: 'N', url: 'https://93.184.215.14/all', events: ['tracking.delay'] },
    ],
  ])('changes %s and nothing else', async (_what, input, changed) => {
    const by = await world.company();
    const { id } = await endpoint(by);
    const before = await byId(by, id);
    await expect.poll(() => Date.now(), SOON).toBeGreaterThan(Date.parse(before.updatedAt));
    const after = await ask<Endpoint>(by, UPDATE, { input: { id, ...input } });
    // A new address is tried at once, which takes a moment.
    const state = 'url' in input ? 'catching_up' : 'active';
    expect(after).toEqual({ ...before, ...changed, state, updatedAt: expect.stringMatching(INSTANT) });
    expect(await byId(by, id)).toEqual({ ...after, state: expect.any(String) });
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
  });

  test.each<[string, Item, string]>([
    ['nothing', {}, ' empty'],
    ['label null', { label: null }, '/label required'],
    ['a private url', { url: 'https://192.168.0.1/' }, '/url blocked_address'],
    ['unknown events', { events: ['tracking.delay', 'x'] }, '/events/1 not_allowed'],
    [
      'a good and two bad fields',
      { label: 'N', url: 'ftp://x.com', events: [] },
      '/url https_required, /events required',
    ],
    ['a field there is not', { isActive: false }, '/isActive unknown_field'],
  ])('rejects an update to %s, and changes nothing', async (_what, input, wrong) => {
    const before = await stillness();
    expect(await refusal(still.by, UPDATE, { input: { id: still.id, ...input } })).toBe(`validation_failed: ${wrong}`);
    expect(await stillness()).toEqual(before);
  });

  test('sends later events to the new address, signed with the same secret', async () => {
    const { by, brt } = await company();
    const { id, count, secret } = await endpoint(by);
    await ask(by, UPDATE, { input: { id, url: `${receiver.url}/moved`, events: ['tracking.order_shipped'] } });
    await ship(by, brt, 'n');
    await record(by, told('n', 1, 'in_transit'));
    const [request] = (await receiver.waitFor(1, ({ path }) => path === '/moved')) as [Received];
    expect(request.json.type).toBe('tracking.order_shipped');
    expect(verifies(request, secret)).toBe(true);
    expect(await deliveries(by, id)).toHaveLength(1);
    expect(count()).toBe(0);
  });
});

describe('The pause and the resumption of an endpoint', () => {
  let database: pg.Client;
  beforeAll(async () => {
    database = new pg.Client({ connectionString: world.ownerUrl });
    await database.connect();
  });
  afterAll(() => database?.end());

  test('hold back new events, and send them oldest first', async () => {
    const { by, brt } = await company();
    const held = await endpoint(by);
    const open = await endpoint(by);
    const paused = await ask<Endpoint>(by, PAUSE, { id: held.id });
    expect(paused).toMatchObject({ state: 'paused', isActive: true, pausedAt: expect.stringMatching(INSTANT) });
    // Again, it changes nothing.
    expect(await ask(by, PAUSE, { id: held.id })).toEqual(paused);

    const numbers = times(40, i => `n${i}`);
    for (const some of [numbers.slice(0, 20), numbers.slice(20)]) await ship(by, brt, ...some);
    await open.sent(40);
    const waiting = await deliveries(by, held.id);
    expect(waiting).toHaveLength(40);
    for (const one of waiting) {
      expect(one).toMatchObject({ status: 'pending', isHeldBack: true, attemptCount: 0, attempts: [] });
    }
    expect(held.count()).toBe(0);

    const resumed = await ask<{ state: string }>(by, RESUME, { id: held.id });
    expect(resumed).toMatchObject({ pausedAt: null });
    // A quick worker has caught up before the response is read.
    expect(['catching_up', 'active']).toContain(resumed.state);
    const ages = waiting.map(({ eventId }) => eventId);
    const arrived = (await held.sent(40)).map(request => ages.indexOf(idOf(request) as string));
    expect(new Set(arrived).size).toBe(40);
    // Ten are under way at a time: none comes before more than nine that are older.
    for (const [position, age] of arrived.entries()) expect(age - position, String(arrived)).toBeLessThan(10);
    await expect.poll(async () => (await byId(by, held.id)).state, SOON).toBe('active');
    await expect.poll(() => deliveries(by, held.id, { status: ['success'] }), SOON).toHaveLength(40);
    expect(held.count()).toBe(40);

    // Later events are sent as usual.
    await ship(by, brt, 'then');
    await held.sent(41);
  });

  test('include deliveries that wait for a retry', async () => {
    const by = await world.company();
    const { id, path, sent, count } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 500 : 200 }));
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await sent(1);
    await settled(by, deliveryId, 'retrying');
    await ask(by, PAUSE, { id });
    expect(await delivery(by, deliveryId)).toMatchObject({ status: 'retrying', isHeldBack: true, attemptCount: 1 });
    receiver.answer({});
    expect(count()).toBe(1);
    await ask(by, RESUME, { id });
    await passTime(database, FIRST_RETRY_MS, by.companyId);
    expect(await settled(by, deliveryId)).toMatchObject({ attemptCount: 2, isHeldBack: false });
  });

  test('accept an id in upper case', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 500 : 200 }));
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id: id.toUpperCase() });
    await sent(1);
    await settled(by, deliveryId, 'retrying');
    receiver.answer({});
    expect(await ask(by, PAUSE, { id: id.toUpperCase() })).toMatchObject({ id, state: 'paused' });
    expect(await delivery(by, deliveryId)).toMatchObject({ status: 'retrying', isHeldBack: true });
    expect(await ask(by, RESUME, { id: id.toUpperCase() })).toMatchObject({ id, pausedAt: null });
    await passTime(database, FIRST_RETRY_MS, by.companyId);
    await settled(by, deliveryId);
  });

  test('are not affected by an update, which leaves the endpoint paused', async () => {
    const { by, brt } = await company();
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const moved = await ask<Endpoint>(by, UPDATE, { input: { id, url: `${receiver.url}/later` } });
    expect(moved.state).toBe('paused');
    await ship(by, brt, 'n');
    expect(await deliveries(by, id)).toMatchObject([{ isHeldBack: true }]);
    await ask(by, RESUME, { id });
    await receiver.waitFor(1, ({ path }) => path === '/later');
  });

  test('are harmless for an endpoint that is active', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    expect(await ask<Endpoint>(by, RESUME, { id })).toMatchObject({ isActive: true, pausedAt: null });
    await ship(by, brt, 'n');
    await sent(1);
    await expect.poll(async () => (await byId(by, id)).state, SOON).toBe('active');
  });
});

describe('A deleted endpoint', () => {
  test('receives nothing more, keeps its deliveries, and rejects every operation that would send', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by);
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await sent(1);
    await settled(by, deliveryId);
    await ask(by, PAUSE, { id });
    await ship(by, brt, 'n');
    const gone = await ask<Endpoint>(by, DELETE, { id });
    expect(gone).toMatchObject({
      isActive: false,
      state: 'disabled',
      disabledReason: 'deleted',
      disabledAt: expect.stringMatching(INSTANT),
      lastDelivery: { status: 'cancelled' },
    });
    expect(await ask(by, DELETE, { id })).toEqual(gone);
    expect((await deliveries(by, id)).map(({ status, isHeldBack }) => [status, isHeldBack])).toEqual([
      ['success', false],
      ['cancelled', false],
    ]);

    const inactive = 'validation_failed: /id webhook_inactive';
    for (const query of [PAUSE, RESUME, ROTATE]) expect(await refusal(by, query, { id })).toBe(inactive);
    const range = { since: '2020-01-01T00:00:00Z', until: '2099-01-01T00:00:00Z' };
    for (const query of [TEST, REPLAY]) {
      expect(await refusal(by, query, { id, ...range })).toBe('validation_failed: /endpointId webhook_inactive');
    }
    expect(await refusal(by, UPDATE, { input: { id, label: 'N' } })).toBe(inactive);
    expect(await refusal(by, REDELIVER, { id: deliveryId })).toBe('validation_failed: /deliveryId webhook_inactive');
    expect(await byId(by, id)).toEqual(gone);
    await record(by, told('n', 1, 'in_transit'));
    expect(await deliveries(by, id)).toHaveLength(2);
  });
});

describe('An endpoint that returned 410', () => {
  test('is disabled, and active again once it is resumed, if the cap allows it', async () => {
    const by = await world.company();
    const { id, path, sent } = await endpoint(by);
    receiver.answer(request => ({ status: request.path === path ? 410 : 200 }));
    const made = await ask<Delivery>(by, TEST, { id });
    await settled(by, made.id, 'failed');
    receiver.answer({});
    expect(await byId(by, id)).toMatchObject({ isActive: false, state: 'disabled', disabledReason: 'gone' });
    expect(await refusal(by, PAUSE, { id })).toBe('validation_failed: /id webhook_inactive');

    const others = await Promise.all(times(10, () => endpoint(by)));
    expect(await refusal(by, RESUME, { id })).toBe('webhook_limit_reached');
    expect((await byId(by, id)).isActive).toBe(false);
    await ask(by, DELETE, { id: others[0]?.id });
    expect(await ask(by, RESUME, { id })).toMatchObject({ isActive: true, disabledAt: null, disabledReason: null });
    await ask(by, REDELIVER, { id: made.id });
    await sent(2);
    await settled(by, made.id);
  });
});

describe('rotateWebhookSecret', () => {
  test('lets the old secrets sign beside the new one, five at most', async () => {
    const by = await world.company();
    const { id, secret, sent } = await endpoint(by);
    const secrets = [secret];
    for (let n = 1; n <= 5; n++) {
      await settled(by, (await ask<Delivery>(by, TEST, { id })).id);
      const request = (await sent(n)).at(-1) as Received;
      expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(n);
      expect(secrets.map(one => verifies(request, one))).toEqual(secrets.map(() => true));
      if (n === 5) break;
      const rotated = await ask<WithSecret>(by, ROTATE, { id });
      expect(rotated.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(rotated.webhookEndpoint.secretLast4).toBe(rotated.secret.slice(-4));
      expect((await byId(by, id)).secretLast4).toBe(rotated.webhookEndpoint.secretLast4);
      // Not yet: it was made after the sent events.
      expect(verifies(request, rotated.secret)).toBe(false);
      secrets.push(rotated.secret);
    }
    expect(new Set(secrets).size).toBe(5);
    const before = await byId(by, id);
    expect(await refusal(by, ROTATE, { id })).toBe('validation_failed: /id too_many_secrets');
    expect(await byId(by, id)).toEqual(before);
  });

  test('accepts an id in upper case, while sending continues', async () => {
    const by = await world.company();
    const { id, secret, sent } = await endpoint(by);
    const rotated = await ask<WithSecret>(by, ROTATE, { id: id.toUpperCase() });
    expect(rotated.webhookEndpoint.id).toBe(id);
    const { id: deliveryId } = await ask<Delivery>(by, TEST, { id });
    await vi.waitUntil(async () => (await delivery(by, deliveryId)).status === 'success', { timeout: 5_000 });
    const [request] = (await sent(1)) as [Received];
    expect([verifies(request, secret), verifies(request, rotated.secret)]).toEqual([true, true]);
  });

  test('leaves at most five secrets if it is called many times at once', async () => {
    const by = await world.company();
    const { id, sent, secret } = await endpoint(by);
    const answers = await Promise.all(times(8, () => by.graphql(ROTATE, { id })));
    expect(answers.filter(answer => failureOf(answer) === undefined)).toHaveLength(4);
    await ask(by, TEST, { id });
    const [request] = (await sent(1)) as [Received];
    expect(String(request.headers['webhook-signature']).split(' ')).toHaveLength(5);
    expect(verifies(request, secret)).toBe(true);
  });
});
