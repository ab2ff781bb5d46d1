import { describe, expect, test } from 'vitest';
import { CREDENTIALS, connectSandbox } from '../support/carriers.ts';
import { ask, feedShipments, RECIPIENT, upsertShipments } from '../support/platform-side.ts';
import { startProcess } from '../support/second-process.ts';
import { DAY, HOUR, MINUTE, passTime } from '../support/time.ts';
import type { Caller } from '../support/world.ts';
import { usePolledCarriers } from './polled-carriers.ts';
import { eventually, sendSchedule } from './webhooks.ts';

const { world, env, timesAsked, update, followed, claim, pollAfter } = await usePolledCarriers();

interface TimelineEvent {
  readonly statusCode: string;
  readonly occurredAt: string;
  readonly location: string | null;
  readonly note: string | null;
}

describe.concurrent('A shipment', () => {
  test.each([
    ['GLS', '99/99/99'],
    ['BRT', '99.99.9999'],
  ])('of %s has all its events, including one whose time cannot be read', async (carrierCode, time) => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, carrierCode);
    const trackingNumber = `MALFORMED ${carrierCode} OUT_FOR_DELIVERY`;
    await feedShipments(caller, connection, { trackingNumber });
    await pollAfter(caller, 2 * MINUTE);
    const { timeline, statusCode } = await ask<{ timeline: { nodes: TimelineEvent[] }; statusCode: string }>(
      caller,
      `query ($n: String!) { trackingByNumber(trackingNumber: $n) {
        statusCode timeline { nodes { statusCode occurredAt location note } }
      } }`,
      { n: trackingNumber },
    );
    expect(statusCode).toBe('out_for_delivery');
    // The one whose time can't be read is dated when it was received, and moves nothing.
    const statuses = ['created', 'shipped', 'at_depot', 'out_for_delivery', 'unknown'];
    expect(timeline.nodes.map(event => event.statusCode)).toEqual(statuses);
    const spoilt = timeline.nodes.at(-1);
    expect(spoilt).toMatchObject({ location: 'BOLOGNA' });
    expect(spoilt?.note).toMatch(`Orario non leggibile: ${time}`);
    expect(Math.abs(Date.now() - Date.parse(spoilt?.occurredAt ?? ''))).toBeLessThan(MINUTE);
    // Asked again, the carrier says the same, and it is the same.
    await pollAfter(caller, DAY);
    expect(timesAsked(trackingNumber)).toBe(2);
    const { timeline: again } = await ask<{ timeline: { nodes: unknown[] } }>(
      caller,
      'query ($n: String!) { trackingByNumber(trackingNumber: $n) { timeline { nodes { id } } } }',
      { n: trackingNumber },
    );
    expect(again.nodes).toHaveLength(5);
  });

  test.each([
    ['MALFORMED', 'Orario non leggibile: 99/99/99'],
    ['FUTURE', 'Orario nel futuro: 2098-01-01T'],
  ])(
    'with an event whose time is %s has the event once, however often its carrier adds others, and is delivered',
    async (word, note) => {
      const caller = await world.sandbox();
      const connection = await connectSandbox(caller, 'GLS');
      const trackingNumber = `WALK ${word} 7`;
      await feedShipments(caller, connection, { trackingNumber });
      for (let asked = 0; asked < 6; asked++) await pollAfter(caller, 2 * MINUTE);
      expect(timesAsked(trackingNumber)).toBe(6);
      const tracked = await ask<{
        timeline: { nodes: TimelineEvent[] };
        statusCode: string;
        deliveredAt: string | null;
      }>(
        caller,
        `query ($n: String!) { trackingByNumber(trackingNumber: $n) {
        statusCode deliveredAt timeline { nodes { statusCode occurredAt location note } }
      } }`,
        { n: trackingNumber },
      );
      expect(tracked).toMatchObject({ statusCode: 'delivered', deliveredAt: expect.any(String) });
      expect(tracked.timeline.nodes.map(event => event.statusCode).toSorted()).toEqual(
        ['created', 'shipped', 'unknown', 'at_depot', 'out_for_delivery', 'delivered'].toSorted(),
      );
      const spoilt = tracked.timeline.nodes.find(event => event.statusCode === 'unknown');
      expect(spoilt?.note).toContain(note);
      expect(Math.abs(Date.now() - Date.parse(spoilt?.occurredAt ?? ''))).toBeLessThan(MINUTE);
    },
  );
});

test('Workers share due shipments, and ask about each once', { timeout: 120_000 }, async () => {
  const others = [await startProcess(world, { ...env, ROLE: 'worker' })];
  try {
    const callers = await Promise.all([world.sandbox(), world.sandbox()]);
    const numbers: string[] = [];
    const connections: [Caller, number][] = [];
    for (const [i, caller] of callers.entries()) {
      for (const account of ['a', 'b']) {
        const carrierConnectionId = await connectSandbox(caller, 'GLS', { credentials: null });
        const shipments = Array.from({ length: 300 }, (_, n) => ({
          carrierConnectionId,
          trackingNumber: `SHARED ${i}${account}${n} IN_TRANSIT`,
          recipient: RECIPIENT,
        }));
        await upsertShipments(caller, shipments);
        numbers.push(...shipments.map(({ trackingNumber }) => trackingNumber));
        connections.push([caller, carrierConnectionId]);
      }
    }
    // At once, before a minute of the clock's own falls between.
    await Promise.all(connections.map(([caller, id]) => update(caller, id, { credentials: CREDENTIALS.GLS })));
    await Promise.all(callers.map(({ companyId }) => passTime(world.pool, 2 * MINUTE, companyId)));
    // By whichever worker takes it up.
    await Promise.all([1, 2].map(() => sendSchedule(world, 'tracking.claim')));
    for (const caller of callers) {
      const unasked = async () => (await followed(caller)).filter(({ waitMs }) => waitMs === null || waitMs > HOUR / 2);
      await eventually(unasked, [], 40_000);
    }
    expect(new Set(numbers.map(timesAsked))).toEqual(new Set([1]));
  } finally {
    await Promise.all(others.map(app => app.stop()));
  }
});

test('A connection with very many shipments has all of them polled, in several steps', async () => {
  const caller = await world.sandbox();
  const connection = await connectSandbox(caller, 'GLS', { credentials: null });
  await world.pool.query(
    `insert into shipment (company_id, carrier_connection_id, tracking_number, tracking_key, recipient, parcel_number, status_code)
      select $1, $2, 'MANY' || n, 'MANY' || n, '{}', 1, 'created' from generate_series(1, 5500) n`,
    [caller.companyId, connection],
  );
  await update(caller, connection, { credentials: CREDENTIALS.GLS });
  const postponed = async () => {
    const { rowCount } = await world.pool.query(
      `update tracking_poll set due_at = now() + interval '1 day' where company_id = $1`,
      [caller.companyId],
    );
    return rowCount;
  };
  expect(await postponed()).toBe(5_000);
  await claim();
  expect(await postponed()).toBe(5_500);
});
