import { describe, expect, test } from 'vitest';
import { CREDENTIALS, connectSandbox } from '../support/carriers.ts';
import { failInserts } from '../support/failing-rows.ts';
import { ask, feedEvents, feedShipments } from '../support/platform-side.ts';
import { startReceiver } from '../support/receiver.ts';
import { DAY, HOUR, MINUTE, passTime } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { usePolledCarriers } from './polled-carriers.ts';
import { createWebhook, runSchedule } from './webhooks.ts';

const { world, asked, timesAsked, update, followed, pollAfter } = await usePolledCarriers();

async function statusOf(caller: Caller, trackingNumber: string): Promise<string> {
  const query = 'query ($n: String!) { trackingByNumber(trackingNumber: $n) { statusCode } }';
  return (await ask<{ statusCode: string }>(caller, query, { n: trackingNumber })).statusCode;
}

const numbersFollowed = async (caller: Caller) => (await followed(caller)).map(({ number }) => number);

function expectAbout(waitMs: number | null | undefined, wanted: number): void {
  expect(waitMs).toBeGreaterThanOrEqual(wanted * 0.8);
  expect(waitMs).toBeLessThanOrEqual(wanted * 1.2);
}

describe.concurrent('A shipment', () => {
  test("moves from created to delivered by its carrier's responses, notifies subscribers, and is no longer polled", {
    timeout: 60_000,
  }, async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      const connection = await connectSandbox(caller, 'GLS');
      await feedShipments(caller, connection, { trackingNumber: 'WALK1' });
      const seen: string[] = [];
      while (seen.at(-1) !== 'delivered' && seen.length < 8) {
        await pollAfter(caller, 2 * MINUTE);
        seen.push(await statusOf(caller, 'WALK1'));
      }
      expect(seen).toEqual(['created', 'shipped', 'in_transit', 'at_depot', 'out_for_delivery', 'delivered']);
      expect(await followed(caller)).toEqual([]);
      await pollAfter(caller, 2 * DAY);
      expect(timesAsked('WALK1')).toBe(6);
      const told = (await receiver.waitFor(5)).map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence);
      const types = ['order_shipped', 'in_transit', 'in_transit', 'out_for_delivery', 'delivered'];
      expect(told.map(({ type }) => type)).toEqual(types.map(type => `tracking.${type}`));
    } finally {
      await receiver.close();
    }
  });

  test('moves as well if its number is typed with blanks, dots, in lower case or as on a label', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = [
      'WALK 0840 0700 1',
      'WALK.0840.0700.2',
      'walk084007003',
      'MULWALK084007004',
      'Mul walk. 0840 07 05',
    ];
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    for (const status of ['created', 'shipped']) {
      await pollAfter(caller, 2 * MINUTE);
      for (const number of numbers) expect([number, await statusOf(caller, number)]).toEqual([number, status]);
    }
    expect(numbers.map(timesAsked)).toEqual([2, 2, 2, 2, 2]);
    for (const number of numbers) expect(asked).not.toContain(number);
  });

  test('that is found delivered at the first poll sends an event for each step', async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url, ['tracking.order_shipped', 'tracking.delivered']);
      const connection = await connectSandbox(caller, 'GLS');
      await feedShipments(caller, connection, { trackingNumber: 'TEST-DELIVERED-77' });
      await pollAfter(caller, 2 * MINUTE);
      const told = (await receiver.waitFor(2)).map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence);
      expect(told).toMatchObject([
        {
          type: 'tracking.order_shipped',
          sequence: 1,
          data: { status: 'Spedita', previousStatusCode: 'created', deliveredDate: null, timeline: [{}, {}] },
        },
        {
          type: 'tracking.delivered',
          sequence: 5,
          data: { status: 'Consegnata', previousStatusCode: 'out_for_delivery', timeline: [{}, {}, {}, {}, {}, {}] },
        },
      ]);
    } finally {
      await receiver.close();
    }
  });

  test('that reappears is polled again, and older events do not count', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = 'FOUND1 DELAYED';
    await feedShipments(caller, connection, { trackingNumber });
    const tell = (hour: number, statusCode: string) =>
      feedEvents(caller, { trackingNumber, occurredAt: `2026-11-10T${hour}:00:00Z`, statusCode });
    await tell(12, 'delivered');
    expect(await numbersFollowed(caller)).toEqual([]);
    await tell(11, 'in_transit');
    expect([await statusOf(caller, trackingNumber), await numbersFollowed(caller)]).toEqual(['delivered', []]);
    await tell(13, 'returning');
    expect(await numbersFollowed(caller)).toEqual([trackingNumber]);
    await pollAfter(caller, HOUR);
    expect([await statusOf(caller, trackingNumber), timesAsked(trackingNumber)]).toEqual(['delayed', 1]);
    await tell(14, 'in_transit');
    expect(await numbersFollowed(caller)).toEqual([trackingNumber]);
  });

  test('that was returned is polled for a week more, and one that is lost for the usual time', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = ['LOST1 NOTFOUND', 'BACK1 NOTFOUND', 'BACK9 NOTFOUND'] as const;
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    const [lost, back, longBack] = numbers;
    await feedEvents(
      caller,
      { trackingNumber: lost, occurredAt: ago(1), statusCode: 'lost' },
      { trackingNumber: back, occurredAt: ago(1), statusCode: 'returned' },
      { trackingNumber: longBack, occurredAt: ago(9), statusCode: 'returned' },
    );
    await pollAfter(caller, HOUR);
    expect((await numbersFollowed(caller)).toSorted()).toEqual([back, lost]);
    const asked = timesAsked(back);
    await pollAfter(caller, 12 * HOUR);
    expect(timesAsked(back)).toBe(asked);
  });

  test('that passes through several states at once is polled if the last state is open', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = 'SEVERAL1 DELAYED';
    await feedShipments(caller, connection, { trackingNumber });
    let hour = 0;
    for (const [way, isFollowed] of [
      [['lost', 'returning'], true],
      [['out_for_delivery', 'delivered'], false],
      [['returning', 'returned'], false],
      [['returning', 'delayed'], true],
    ] as const) {
      const occurredAt = () => new Date(Date.UTC(2026, 10, 10, hour++)).toISOString();
      await feedEvents(caller, ...way.map(statusCode => ({ trackingNumber, occurredAt: occurredAt(), statusCode })));
      expect([way, await numbersFollowed(caller)]).toEqual([way, isFollowed ? [trackingNumber] : []]);
    }
  });

  test('that has ended, or is older than sixty days, is no longer polled', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    await feedShipments(
      caller,
      connection,
      { trackingNumber: 'AGE1 IN_TRANSIT', shippedAt: ago(61) },
      { trackingNumber: 'AGE2 IN_TRANSIT', shippedAt: ago(59) },
      { trackingNumber: 'AGE3 IN_TRANSIT', shippedAt: ago(1) },
      { trackingNumber: 'AGE4 IN_TRANSIT', shippedAt: null },
    );
    expect(await numbersFollowed(caller)).toEqual(['AGE2 IN_TRANSIT', 'AGE3 IN_TRANSIT', 'AGE4 IN_TRANSIT']);
    const occurredAt = new Date().toISOString();
    await feedEvents(caller, { trackingNumber: 'AGE3 IN_TRANSIT', occurredAt, statusCode: 'delivered' });
    expect(await numbersFollowed(caller)).toEqual(['AGE2 IN_TRANSIT', 'AGE4 IN_TRANSIT']);
    await feedShipments(caller, connection, { trackingNumber: 'AGE2 IN_TRANSIT', shippedAt: ago(60.01) });
    await pollAfter(caller, HOUR);
    expect(await numbersFollowed(caller)).toEqual(['AGE4 IN_TRANSIT']);
  });

  test('is polled less and less often while its carrier does not respond, and affects no other', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = ['B OFFLINE', 'B HTML', 'B NOTFOUND', 'B IN_TRANSIT', 'B DELIVERED', 'B OUT_FOR_DELIVERY'];
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    for (const [round, wanted] of [5 * MINUTE, 10 * MINUTE, 20 * MINUTE].entries()) {
      await pollAfter(caller, HOUR);
      const polls = new Map((await followed(caller)).map(poll => [poll.number, poll]));
      expect([...polls.keys()].toSorted()).toEqual(numbers.filter(number => number !== 'B DELIVERED').toSorted());
      for (const number of ['B OFFLINE', 'B HTML']) {
        expect(polls.get(number)?.misses).toBe(round + 1);
        expectAbout(polls.get(number)?.waitMs, wanted);
      }
      for (const number of ['B NOTFOUND', 'B IN_TRANSIT', 'B OUT_FOR_DELIVERY']) {
        expect(polls.get(number)).toMatchObject({ misses: 0 });
        expect(polls.get(number)?.waitMs).toBeLessThan(MINUTE);
      }
    }
    expect(await Promise.all(numbers.map(number => statusOf(caller, number)))).toEqual([
      ...['created', 'created', 'created'],
      ...['in_transit', 'delivered', 'out_for_delivery'],
    ]);
  });
});

describe.concurrent('A connection', () => {
  test('is polled only while it has credentials, and only for its open shipments', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS', { credentials: null });
    await feedShipments(caller, connection, { trackingNumber: 'C1 HELD' }, { trackingNumber: 'C2 HELD' });
    await feedEvents(caller, { trackingNumber: 'C2 HELD', occurredAt: '2026-11-20T10:00:00Z', statusCode: 'returned' });
    await pollAfter(caller, HOUR);
    expect([timesAsked('C1 HELD'), await followed(caller)]).toEqual([0, []]);
    await update(caller, connection, { credentials: CREDENTIALS.GLS });
    await pollAfter(caller, HOUR);
    expect([timesAsked('C1 HELD'), timesAsked('C2 HELD')]).toEqual([1, 0]);
    expect(await statusOf(caller, 'C1 HELD')).toBe('held');
    for (const change of [{ isActive: false }, { isActive: true, credentials: null }]) {
      await update(caller, connection, change);
      expect(await followed(caller)).toEqual([]);
    }
    await update(caller, connection, { credentials: CREDENTIALS.GLS });
    expect(await numbersFollowed(caller)).toEqual(['C1 HELD']);
  });

  test('whose credentials the carrier rejects is polled rarely', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS', {
      credentials: { ...CREDENTIALS.GLS, contractCode: 'wrong' },
    });
    await feedShipments(caller, connection, { trackingNumber: 'D1 IN_TRANSIT' });
    for (const wanted of [HOUR, 2 * HOUR]) {
      await pollAfter(caller, DAY);
      const [poll] = await followed(caller);
      expectAbout(poll?.waitMs, wanted);
    }
    expect(await statusOf(caller, 'D1 IN_TRANSIT')).toBe('created');
  });
});

test('Due shipments are polled even if the shipments of another connection cannot be scheduled', async () => {
  const [broken, whole] = [await world.sandbox(), await world.sandbox()];
  const gls = await connectSandbox(broken, 'GLS');
  await feedShipments(broken, gls, { trackingNumber: 'LEFT1' });
  // As in the middle of a connection with very many shipments.
  await world.pool.query('update carrier_connection set follow_after = 0 where company_id = $1', [broken.companyId]);
  await feedShipments(whole, await connectSandbox(whole, 'GLS'), { trackingNumber: 'DUE1' });
  await passTime(world.pool, HOUR, whole.companyId);
  const mend = await failInserts(world.pool, 'tracking_poll', broken.companyId);
  try {
    await expect(runSchedule(world, 'tracking.claim')).rejects.toThrow('out of order');
  } finally {
    await mend();
  }
  await expect.poll(() => timesAsked('DUE1'), { timeout: 10_000 }).toBe(1);
});
