import { beforeAll, describe, expect, test, vi } from 'vitest';
import { INSTANT, untilAfter } from '../support/instants.ts';
import { connectCarrier, feedEvents, feedShipments } from '../support/platform-side.ts';
import { REACHABLE, useReceiver } from '../support/receiver.ts';
import { restClient, wrongFields } from '../support/rest-client.ts';
import { useSecondProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { send, unnamed } from './raw-http.ts';
import { create, type Endpoint, endpoint, without } from './webhook-calls.ts';

/** As it is installed: https to public addresses only. Nothing is fed in it, so nothing is sent. */
const world = useWorld({ ROLE: 'api' });
const second = useSecondProcess(world);
const local = useWorld(REACHABLE);
const receiver = useReceiver();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

/** How long to wait for an event that is due soon. */
const SOON = { timeout: 20_000 };
const remove = (by: Caller, id: string) => by.rest('DELETE', `/webhooks/${id}`);
const list = async (by: Caller) => (await by.rest('GET', '/webhooks')).body as Endpoint[];

describe('The list of webhook endpoints', () => {
  test('is empty for a company without endpoints', async () => {
    const { status, body } = await (await world.company()).rest('GET', '/webhooks');
    expect([status, body]).toEqual([200, []]);
  });

  test('is newest first, inactive ones among them, each as it was created, without its secret', async () => {
    const own = await world.company();
    const made: Endpoint[] = [];
    for (const label of ['A', 'B', 'C']) {
      const one = await endpoint(own, { label });
      made.unshift(without(one, 'secret'));
      untilAfter(one.createdAt);
    }
    const { body: gone } = await remove(own, made[1]?.id ?? '');
    expect(await list(own)).toEqual([made[0], gone, made[2]]);
  });

  test('never shows a secret', async () => {
    const own = await world.company();
    const { id, secret } = await endpoint(own);
    for (const { text } of [await own.rest('GET', '/webhooks'), await remove(own, id)]) {
      expect(text).not.toContain('whsec_');
      expect(text).not.toContain(secret.slice(6, -4));
    }
  });
});

describe('The deletion of a webhook endpoint', () => {
  test('is permanent, and returns the same object each time', async () => {
    const own = await world.company();
    const made = without(await endpoint(own), 'secret');
    untilAfter(made.createdAt);
    const first = await remove(own, made.id);
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      ...made,
      isActive: false,
      disabledAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(first.body.disabledAt)).toBeGreaterThan(Date.parse(made.createdAt));
    untilAfter(first.body.updatedAt);
    const again = await remove(own, made.id);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await list(own)).toEqual([first.body]);
  });

  test('keeps the endpoint in the list until the 101st one takes its place', async () => {
    const own = await world.company();
    const made: string[] = [];
    const add = async () => made.unshift((await endpoint(own)).id);
    const ids = async () => (await list(own)).map(({ id }) => id);
    for (let i = 0; i < 100; i++) {
      await add();
      await remove(own, made[0] ?? '');
    }
    const [first = ''] = made.slice(-1);
    const again = await remove(own, first);
    expect([again.status, again.body.isActive]).toEqual([200, false]);
    expect(await ids()).toEqual(made);
    await add();
    expect(await ids()).toEqual(made.slice(0, 100));
    const gone = await remove(own, first);
    expect([gone.status, gone.body.code]).toEqual([404, 'webhook_not_found']);
  });

  test('is done once, even if it is requested several times at once', async () => {
    const own = await world.company();
    const { id } = await endpoint(own);
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(own, id)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  });

  test('accepts an id in upper case', async () => {
    const own = await world.company();
    const { id } = await endpoint(own);
    const { status, body } = await remove(own, id.toUpperCase());
    expect([status, body.id, body.isActive]).toEqual([200, id, false]);
  });

  test.each([
    'abc',
    '1',
    '00000000-0000-0000-0000-00000000000',
    '00000000000000000000000000000000',
    'g0000000-0000-4000-8000-000000000000',
    '00000000-0000-4000-8000-00000000000%00',
    '9'.repeat(400),
    '%00',
    '%zz',
    "'--",
  ])('responds for %s as for an id that never existed', async id => {
    const options = { method: 'DELETE', headers: { 'x-api-key': caller.apiKey } };
    const path = '/api/v1/integrations/webhooks/';
    const never = await send(world.app.url, { ...options, path: `${path}00000000-0000-4000-8000-000000000000` });
    const malformed = await send(world.app.url, { ...options, path: path + id });
    expect([never.status, never.body.code]).toEqual([404, 'webhook_not_found']);
    expect(unnamed(malformed)).toEqual(unnamed(never));
  });
});

describe('Ten active endpoints', () => {
  const fill = (by: Caller) => Promise.all(Array.from({ length: 10 }, () => endpoint(by)));

  test('are the limit of a company, and deleted ones do not count', async () => {
    const own = await world.company();
    await fill(own);
    const eleventh = await create(own);
    expect(eleventh.status).toBe(409);
    expect(eleventh.body).toMatchObject({ code: 'webhook_limit_reached', limit: 10 });
    expect(await list(own)).toHaveLength(10);
    // Errors of the input itself are reported first.
    expect(wrongFields(await create(own, { label: '' }))).toEqual([['/label', 'required']]);

    for (let round = 0; round < 3; round++) {
      const active = (await list(own)).filter(({ isActive }) => isActive);
      await remove(own, active[0]?.id ?? '');
      expect((await create(own)).status).toBe(201);
      expect((await create(own)).status).toBe(409);
    }
    expect(await list(own)).toHaveLength(13);
  });

  test('are the limit of each company', async () => {
    await fill(await world.company());
    expect((await create(await world.company())).status).toBe(201);
  });

  test('remain after 200 creations at once, in two processes, and every other creation is a 409', async () => {
    const own = await world.company();
    const there = { ...own, rest: restClient(second.url, { 'x-api-key': own.apiKey }) };
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => create(i % 2 ? own : there)));
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect([count(201), count(409)]).toEqual([10, 190]);
    for (const { status, body } of answers) if (status === 409) expect(body.code).toBe('webhook_limit_reached');
    expect((await list(own)).map(({ isActive }) => isActive)).toEqual(Array(10).fill(true));
  });
});

describe('The field lastDelivery', () => {
  let connection: number;
  let own: Caller;
  beforeAll(async () => {
    own = await local.company();
    connection = await connectCarrier(own);
  });

  /** A new shipment that is shipped. */
  async function ship(trackingNumber: string) {
    await feedShipments(own, connection, { trackingNumber });
    await feedEvents(own, { trackingNumber, occurredAt: '2026-11-21T09:00:00Z', statusCode: 'shipped' });
  }
  const lastOf = async (id: string) => (await list(own)).find(one => one.id === id);

  test('is null at first, and then shows the state of the newest delivery', async () => {
    const release = receiver.hang();
    const { id } = await endpoint(own, { url: `${receiver.url}/last`, events: ['tracking.order_shipped'] });
    const before = Date.now();
    await ship('L1');
    await receiver.waitFor(1, ({ path }) => path === '/last');
    const pending = (await lastOf(id))?.lastDelivery;
    expect(pending).toEqual({
      status: 'pending',
      deliveredAt: null,
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(pending?.createdAt ?? '')).toBeGreaterThanOrEqual(before - 1);

    release();
    const success = await vi.waitUntil(async () => {
      const last = (await lastOf(id))?.lastDelivery;
      return last?.status === 'success' ? last : undefined;
    }, SOON);
    expect(success).toEqual({ ...pending, status: 'success', deliveredAt: expect.stringMatching(INSTANT) });
    expect(Date.parse(success.deliveredAt ?? '')).toBeGreaterThanOrEqual(Date.parse(success.createdAt));

    receiver.answer({ status: 503 });
    await ship('L2');
    await expect.poll(async () => (await lastOf(id))?.lastDelivery?.status, SOON).toBe('retrying');
    const { body } = await remove(own, id);
    expect(body.lastDelivery).toEqual({
      status: 'cancelled',
      deliveredAt: null,
      createdAt: expect.stringMatching(INSTANT),
    });
    expect(Date.parse(body.lastDelivery.createdAt)).toBeGreaterThan(Date.parse(success.createdAt));
    // It stays readable.
    expect((await lastOf(id))?.lastDelivery).toEqual(body.lastDelivery);
  });

  test('is cancelled by the first DELETE while it is under way, and the second DELETE returns the same', async () => {
    const release = receiver.hang();
    const { id } = await endpoint(own, { url: `${receiver.url}/flight`, events: ['tracking.order_shipped'] });
    await ship('L4');
    const attempts = async () =>
      (await local.app.database.pool.query('select attempts from webhook_delivery where endpoint_id = $1', [id])).rows;
    await receiver.waitFor(1, ({ path }) => path === '/flight');
    const first = await remove(own, id);
    expect(first.body.lastDelivery).toMatchObject({ status: 'cancelled', deliveredAt: null });
    expect(first.body.disabledAt).toBe(first.body.updatedAt);
    release();
    // The worker has written the result of the attempt.
    await expect.poll(attempts, SOON).toEqual([{ attempts: 1 }]);
    expect((await remove(own, id)).text).toBe(first.text);
    expect(await lastOf(id)).toEqual(first.body);
  });
});
