import { beforeAll, describe, expect, test } from 'vitest';
import { ask, type Item, refusal, times } from '../support/platform-side.ts';
import type { Caller } from '../support/world.ts';
import {
  byId,
  DELETE,
  type Delivery,
  deliveries,
  delivery,
  idOf,
  numberOf,
  PAUSE,
  REPLAY,
  RESUME,
  record,
  SOON,
  settled,
  ship,
  TEST,
  told,
  useWebhooks,
  verifies,
} from './webhook-calls.ts';

const { company, endpoint, stillness, still } = useWebhooks();

describe('replayDeliveries', () => {
  const SINCE = '2020-01-01T00:00:00Z';
  const UNTIL = '2099-01-01T00:00:00Z';
  const replay = async (by: Caller, id: string, args: Item = {}) =>
    await ask<number>(by, REPLAY, { id, since: SINCE, until: UNTIL, ...args });

  test('sends an endpoint the events from before its creation, oldest first, with the same ids', async () => {
    const { by, brt } = await company();
    const first = await endpoint(by);
    for (const number of ['a', 'b', 'c']) await ship(by, brt, number);
    await record(by, told('a', 1, 'in_transit'));
    await ask(by, TEST, { id: first.id });
    const ids = (await deliveries(by, first.id)).slice(0, 4).map(({ eventId }) => eventId);
    const told4 = new Map((await first.sent(5)).map(request => [idOf(request), request.body]));

    const late = await endpoint(by);
    expect(await deliveries(by, late.id)).toEqual([]);
    expect(await replay(by, late.id)).toBe(4);
    const requests = await late.sent(4);
    expect(requests.map(idOf).toSorted()).toEqual(ids.toSorted());
    for (const request of requests) {
      expect(request.body).toEqual(told4.get(idOf(request)));
      expect(verifies(request, late.secret)).toBe(true);
    }
    expect((await deliveries(by, late.id)).map(({ eventId }) => eventId)).toEqual(ids);
    await expect.poll(async () => (await byId(by, late.id)).state, SOON).toBe('active');
    expect(first.count()).toBe(5);
  });

  test('sends events that an endpoint received, and events that it did not, in one order of age', async () => {
    const { by, brt } = await company();
    const { id, sent } = await endpoint(by, { events: ['tracking.delivered'] });
    const numbers = times(20, i => `n${i}`);
    await ship(by, brt, ...numbers);
    await record(by, ...numbers.map(number => told(number, 1, 'in_transit')));
    await record(by, ...numbers.map(number => told(number, 2, 'delivered')));
    await sent(20);
    for (const one of await deliveries(by, id)) await settled(by, one.id);
    expect(await replay(by, id, { events: ['tracking.*'] })).toBe(60);
    const replayed = (await sent(80)).slice(20).map(({ json }) => json.type);
    // Ten are under way at a time.
    expect(replayed.indexOf('tracking.delivered')).toBeGreaterThan(40 - 15);
    expect(replayed.lastIndexOf('tracking.order_shipped')).toBeLessThan(20 + 15);
  });

  test('sends delivered events again, and does not affect deliveries in progress', async () => {
    const { by, brt } = await company();
    const { id, sent, count } = await endpoint(by);
    await ship(by, brt, 'a', 'b');
    await sent(2);
    for (const one of await deliveries(by, id)) await settled(by, one.id);
    await ask(by, PAUSE, { id });
    await ship(by, brt, 'c');
    expect(await replay(by, id)).toBe(2);
    expect(await replay(by, id)).toBe(0);
    const waiting = await deliveries(by, id);
    expect(waiting.map(({ status, isHeldBack }) => [status, isHeldBack])).toEqual(times(3, () => ['pending', true]));
    expect(count()).toBe(2);
    await ask(by, RESUME, { id });
    const requests = await sent(5);
    expect(requests.slice(2).map(idOf).toSorted()).toEqual(waiting.map(({ eventId }) => eventId).toSorted());
    for (const [i, one] of waiting.entries()) {
      await expect.poll(async () => (await delivery(by, one.id)).attemptCount, SOON).toBe(i < 2 ? 2 : 1);
    }
  });

  test('sends the events of a range, including `since` and excluding `until`', async () => {
    const { by, brt } = await company();
    const first = await endpoint(by);
    const instants: string[] = [];
    for (const number of ['a', 'b', 'c']) {
      await ship(by, brt, number);
      const made = (await deliveries(by, first.id)).at(-1) as Delivery;
      instants.push(made.createdAt);
      await expect.poll(() => Date.now(), SOON).toBeGreaterThan(Date.parse(made.createdAt));
    }
    const { id } = await endpoint(by);
    await ask(by, PAUSE, { id });
    const [, b, c] = instants;
    expect(await replay(by, id, { since: b, until: c })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf)).toEqual(['b']);
    expect(await replay(by, id, { since: SINCE, until: b })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf).toSorted()).toEqual(['a', 'b']);
    expect(await replay(by, id, { since: b })).toBe(1);
    expect((await deliveries(by, id)).map(numberOf).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await replay(by, id, { since: '2098-01-01T00:00:00Z' })).toBe(0);
  });

  describe('sends events of the requested kinds:', () => {
    let by: Caller;
    beforeAll(async () => {
      const made = await company();
      by = made.by;
      await endpoint(by);
      await ship(by, made.brt, 'n');
      await record(by, told('n', 1, 'delayed'));
      await record(by, told('n', 2, 'delivered'));
    });

    test.each<[string, string[] | null | undefined, string[]]>([
      ['those it subscribes to, unless told', undefined, ['tracking.delay']],
      ['the same where told null', null, ['tracking.delay']],
      ['others, where told', ['tracking.order_shipped'], ['tracking.order_shipped']],
      [
        'several, told twice',
        ['tracking.order_shipped', 'tracking.delay', 'tracking.delay'],
        ['tracking.order_shipped', 'tracking.delay'],
      ],
      ['all', ['tracking.*'], ['tracking.order_shipped', 'tracking.delay', 'tracking.delivered']],
      ['none', ['tracking.pickup_point'], []],
    ])('%s', async (_what, events, types) => {
      const { id } = await endpoint(by, { events: ['tracking.delay'] });
      await ask(by, PAUSE, { id });
      expect(await replay(by, id, events === undefined ? {} : { events })).toBe(types.length);
      expect((await deliveries(by, id)).map(({ eventType }) => eventType)).toEqual(types);
    });
  });

  test('sends nothing that happened while the company had no active endpoint', async () => {
    const { by, brt } = await company();
    await ship(by, brt, 'before');
    const first = await endpoint(by);
    await ship(by, brt, 'meanwhile');
    await ask(by, DELETE, { id: first.id });
    await ship(by, brt, 'after');
    const { id, sent } = await endpoint(by);
    expect(await replay(by, id)).toBe(1);
    expect((await sent(1)).map(({ json }) => json.data.trackingNumber)).toEqual(['meanwhile']);
  });

  test.each<[string, Item, RegExp]>([
    ['until before since', { since: UNTIL, until: SINCE }, /^\/until out_of_range$/],
    ['until at since', { since: SINCE, until: SINCE }, /^\/until out_of_range$/],
    ['a since that is none', { since: 'yesterday' }, /^\/since \w+$/],
    ['both', { since: 'x', until: 'y' }, /^\/since \w+, \/until \w+$/],
    ['a since of null', { since: null }, /^\/since required$/],
    ['no events', { events: [] }, /^\/events required$/],
    [
      'unknown events',
      { events: ['tracking.delay', 'x', 'tracking.returned'] },
      /^\/events\/1 not_allowed, \/events\/2 not_allowed$/,
    ],
  ])('rejects %s', async (_what, args, wrong) => {
    const before = await stillness();
    const refused = await refusal(still.by, REPLAY, { id: still.id, since: SINCE, until: UNTIL, ...args });
    const [code, issues] = refused?.split(': ') ?? [];
    expect(code).toBe('validation_failed');
    expect(issues).toMatch(wrong);
    expect(await stillness()).toEqual(before);
  });
});
