import { describe, expect, test } from 'vitest';
import { connectCarrier, feedEvents, feedShipments, times } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { createWebhook, deliveries, runSchedule, scheduledWork, useEndpoints } from './webhooks.ts';

/** Delays that no carrier says: the service finds them by the clock. */

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();

const look = () => runSchedule(world, 'webhooks.delays');

interface Body {
  readonly type: string;
  readonly sequence: number;
  readonly change: number | null;
  readonly data: {
    readonly trackingNumber: string;
    readonly statusCode: string;
    readonly previousStatusCode: string;
    readonly expectedDeliveryDate: string | null;
  };
}

async function bodiesOf(caller: Caller, endpointId: string): Promise<Body[]> {
  return (await deliveries(caller, endpointId)).map(({ body }) => JSON.parse(body));
}

/** How many delays of each number were announced. */
async function delaysOf(caller: Caller, endpointId: string): Promise<Record<string, number>> {
  const delays = (await bodiesOf(caller, endpointId)).filter(({ type }) => type === 'tracking.delay');
  return Object.fromEntries(
    [...Map.groupBy(delays, ({ data }) => data.trackingNumber)].map(([number, own]) => [number, own.length]),
  );
}

/** As polling does, since only a carrier has estimates; so many days from now. */
async function estimate({ companyId }: Caller, trackingNumber: string, days: number): Promise<void> {
  await world.pool.query(
    `update shipment set carrier_expected_at = now() + $3 * interval '1 day'
      where company_id = $1 and tracking_number = $2`,
    [companyId, trackingNumber, days],
  );
}

describe.concurrent('A late shipment', () => {
  test("is late by its carrier's date, or else by the platform's; a later estimate postpones the delay, and it is announced once", async () => {
    const { caller, endpointId, pass } = await open();
    const brt = await connectCarrier(caller);
    const numbers: [number: string, platforms: number | null, carriers: number | null][] = [
      ['platform', -1, null],
      ['carrier', null, -1],
      ['carrier-earlier', 9, -1],
      ['carrier-later', -1, 9],
      ['revised', -1, 1],
      ['neither', null, null],
    ];
    await feedShipments(caller, brt, ...numbers.map(([trackingNumber]) => ({ trackingNumber })));
    for (const [number, , days] of numbers) if (days !== null) await estimate(caller, number, days);
    // The platform's dates last, since other tests have late shipments of all companies looked for meanwhile.
    await feedShipments(
      caller,
      brt,
      ...numbers.map(([trackingNumber, days]) => ({
        trackingNumber,
        expectedDeliveryAt: days === null ? null : ago(-days),
      })),
    );
    await look();
    const first = { platform: 1, carrier: 1, 'carrier-earlier': 1 };
    expect(await delaysOf(caller, endpointId)).toEqual(first);
    await estimate(caller, 'revised', 3);
    await pass(2 * DAY);
    await look();
    expect(await delaysOf(caller, endpointId)).toEqual(first);
    await pass(2 * DAY);
    await look();
    await estimate(caller, 'revised', 1);
    await pass(2 * DAY);
    await look();
    expect(await delaysOf(caller, endpointId)).toEqual({ ...first, revised: 1 });
    const [earlier] = (await bodiesOf(caller, endpointId)).filter(
      ({ data }) => data.trackingNumber === 'carrier-earlier',
    );
    // The carrier's date, which is past, and not the platform's.
    expect(Date.parse(earlier?.data.expectedDeliveryDate ?? '')).toBeLessThan(Date.now());
  });
});

interface Silent {
  readonly number: string;
  readonly statusCode: string | null;
  /** When it happened, and when the shipment became known; days ago. */
  readonly heard: number;
  readonly known?: number;
  readonly delays: number;
}

// biome-ignore format: a table reads as rows
const SILENT: readonly Silent[] = [
  { number: 'never', statusCode: null, heard: 0, known: 15, delays: 1 },
  { number: 'never, but not for long', statusCode: null, heard: 0, known: 4, delays: 0 },
  { number: 'out for delivery', statusCode: 'out_for_delivery', heard: 7, delays: 1 },
  { number: 'out for delivery today', statusCode: 'out_for_delivery', heard: 0.1, delays: 0 },
  { number: 'in transit', statusCode: 'in_transit', heard: 10, delays: 1 },
  { number: 'in transit since yesterday', statusCode: 'in_transit', heard: 1, delays: 0 },
  { number: 'to be collected', statusCode: 'pickup_point', heard: 22, delays: 1 },
  { number: 'to be collected these nine days', statusCode: 'pickup_point', heard: 9, delays: 0 },
  { number: 'held', statusCode: 'held', heard: 15, delays: 1 },
  { number: 'unread', statusCode: 'unknown', heard: 10, delays: 1 },
  { number: 'delivered', statusCode: 'delivered', heard: 20, delays: 0 },
  { number: 'returned', statusCode: 'returned', heard: 20, delays: 0 },
  { number: 'lost', statusCode: 'lost', heard: 20, delays: 0 },
  { number: 'stalled for weeks', statusCode: 'in_transit', heard: 30, delays: 0 },
  { number: 'told of today', statusCode: 'in_transit', heard: 10, known: 0, delays: 0 },
];

describe.concurrent('A stalled shipment', () => {
  const known = async ({ companyId }: Caller, number: string, days: number) => {
    await world.pool.query(
      `update shipment set created_at = now() - $3 * interval '1 day' where company_id = $1 and tracking_number = $2`,
      [companyId, number, days],
    );
  };

  test('is announced once, after a silence longer than is normal for its status', async () => {
    const { caller, endpointId } = await open();
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, ...SILENT.map(({ number }) => ({ trackingNumber: number })));
    for (const { number, statusCode, heard } of SILENT) {
      if (statusCode) await feedEvents(caller, { trackingNumber: number, statusCode, occurredAt: ago(heard) });
    }
    for (const { number, heard, known: since = heard + 1 } of SILENT) await known(caller, number, since);
    await look();
    await look();
    const delays = await delaysOf(caller, endpointId);
    expect(SILENT.map(({ number }) => [number, delays[number] ?? 0])).toEqual(
      SILENT.map(({ number, delays }) => [number, delays]),
    );
    const bodies = await bodiesOf(caller, endpointId);
    const [delay] = bodies.filter(
      ({ type, data }) => type === 'tracking.delay' && data.trackingNumber === 'out for delivery',
    );
    expect(delay).toMatchObject({
      sequence: 2,
      data: { statusCode: 'out_for_delivery', previousStatusCode: 'out_for_delivery' },
    });
  });

  test('is not announced if an event with an unknown code arrived recently', async () => {
    const { caller, endpointId } = await open();
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, { trackingNumber: 'S1' }, { trackingNumber: 'S2' });
    for (const trackingNumber of ['S1', 'S2']) {
      await feedEvents(caller, { trackingNumber, statusCode: 'in_transit', occurredAt: ago(10) });
    }
    await feedEvents(caller, { trackingNumber: 'S1', statusCode: 'unknown', occurredAt: ago(1) });
    // Last, since other tests have stalled shipments of all companies looked for meanwhile.
    for (const trackingNumber of ['S1', 'S2']) await known(caller, trackingNumber, 11);
    await look();
    expect(await delaysOf(caller, endpointId)).toEqual({ S2: 1 });
  });

  test('is announced again if it is also late, or reported as delayed by its carrier', async () => {
    const { caller, endpointId } = await open();
    const brt = await connectCarrier(caller);
    const numbers = ['late', 'late and silent', 'delayed, late and silent'];
    await feedShipments(caller, brt, ...numbers.map(trackingNumber => ({ trackingNumber })));
    await feedEvents(
      caller,
      { trackingNumber: 'late', statusCode: 'in_transit', occurredAt: ago(0.1) },
      { trackingNumber: 'late and silent', statusCode: 'in_transit', occurredAt: ago(10) },
      { trackingNumber: 'delayed, late and silent', statusCode: 'delayed', occurredAt: ago(10) },
    );
    for (const number of numbers) await known(caller, number, 11);
    // Last, since other tests have late shipments of all companies looked for meanwhile.
    await feedShipments(
      caller,
      brt,
      ...numbers.map(trackingNumber => ({ trackingNumber, expectedDeliveryAt: ago(2) })),
    );
    await look();
    const delays = { late: 1, 'late and silent': 2, 'delayed, late and silent': 2 };
    expect(await delaysOf(caller, endpointId)).toEqual(delays);
    // Once each, wherever it goes from here.
    await feedEvents(caller, { trackingNumber: 'late and silent', statusCode: 'at_depot', occurredAt: ago(9) });
    await look();
    expect(await delaysOf(caller, endpointId)).toEqual(delays);
  });
});

interface Delayed {
  readonly number: number;
  readonly reason: string;
  readonly since: string;
  readonly shipment: { readonly trackingNumber: string };
}

const DELAYED = `query ($after: String) {
  changes(after: $after, first: 1000, filter: { kinds: [DELAYED] }) {
    nodes { number shipment { trackingNumber } ... on ShipmentDelayed { reason since } }
  }
  changeLog { latest cursor }
}`;

/** The delays in the change log, and where it ends. */
async function logged(caller: Caller, after: string | null = null) {
  const { data } = await caller.graphql(DELAYED, { after });
  const { changes, changeLog } = data as {
    changes: { nodes: readonly Delayed[] };
    changeLog: { latest: number; cursor: string };
  };
  return { ...changeLog, delays: changes.nodes };
}

const found = ({ delays }: { delays: readonly Delayed[] }) =>
  delays.map(({ reason, shipment }) => `${reason} ${shipment.trackingNumber}`);

describe.concurrent('A delay that the service finds', () => {
  const known = (caller: Caller, number: string, days: number) =>
    world.pool.query(
      `update shipment set created_at = now() - $3 * interval '1 day' where company_id = $1 and tracking_number = $2`,
      [caller.companyId, number, days],
    );

  test('is a change, whose number is in its webhook', async () => {
    const { caller, endpointId } = await open();
    const brt = await connectCarrier(caller);
    const expected = ago(1);
    await feedShipments(caller, brt, { trackingNumber: 'LATE' }, { trackingNumber: 'SILENT' });
    await feedEvents(caller, { trackingNumber: 'SILENT', statusCode: 'in_transit', occurredAt: ago(10) });
    const { cursor, latest } = await logged(caller);
    await known(caller, 'SILENT', 11);
    await feedShipments(caller, brt, { trackingNumber: 'LATE', expectedDeliveryAt: expected });
    await look();
    await look();
    const log = await logged(caller, cursor);
    expect(found(log).toSorted()).toEqual(['late LATE', 'silent SILENT']);
    expect(log.delays.find(({ reason }) => reason === 'late')?.since).toBe(expected);
    // The update of the date, and the two delays: no number is missing.
    expect(log.latest).toBe(latest + 3);
    const bodies = (await bodiesOf(caller, endpointId)).filter(({ type }) => type === 'tracking.delay');
    expect(Object.fromEntries(bodies.map(({ change, data }) => [data.trackingNumber, change]))).toEqual(
      Object.fromEntries(log.delays.map(({ number, shipment }) => [shipment.trackingNumber, number])),
    );
  });

  test('is also a change for companies without an endpoint, and no event for an endpoint that is created later', async () => {
    const caller = await world.company();
    await feedShipments(caller, await connectCarrier(caller), { trackingNumber: 'W1', expectedDeliveryAt: ago(1) });
    await feedEvents(caller, { trackingNumber: 'W1', statusCode: 'in_transit', occurredAt: ago(10) });
    await known(caller, 'W1', 11);
    await look();
    expect(found(await logged(caller)).toSorted()).toEqual(['late W1', 'silent W1']);
    const { id } = await createWebhook(caller, 'http://127.0.0.1:9/');
    await look();
    expect(await delaysOf(caller, id)).toEqual({});
    expect((await logged(caller)).delays).toHaveLength(2);
  });

  test('is found once by workers that look for delays at the same time', async () => {
    const { caller, endpointId } = await open();
    const numbers = times(30, i => `N${i}`);
    await feedShipments(
      caller,
      await connectCarrier(caller),
      ...numbers.map(trackingNumber => ({ trackingNumber, expectedDeliveryAt: ago(1) })),
    );
    await Promise.all(times(3, () => scheduledWork(world, 'webhooks.delays')));
    const { delays } = await logged(caller);
    expect(delays.map(({ shipment }) => shipment.trackingNumber).toSorted()).toEqual(numbers.toSorted());
    expect(await delaysOf(caller, endpointId)).toEqual(Object.fromEntries(numbers.map(number => [number, 1])));
  });

  test('is another change once a later date has passed, without a second webhook', async () => {
    const { caller, endpointId, pass } = await open();
    await feedShipments(caller, await connectCarrier(caller), { trackingNumber: 'R1', expectedDeliveryAt: ago(1) });
    await feedEvents(caller, { trackingNumber: 'R1', statusCode: 'in_transit', occurredAt: ago(0.1) });
    await look();
    await estimate(caller, 'R1', 1);
    await look();
    expect(found(await logged(caller))).toEqual(['late R1']);
    await pass(2 * DAY);
    await look();
    await look();
    expect(found(await logged(caller))).toEqual(['late R1', 'late R1']);
    expect(await delaysOf(caller, endpointId)).toEqual({ R1: 1 });
  });

  test('is another change after news, and after a delay that the carrier reported to subscribers', async () => {
    const { caller, endpointId } = await open();
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, { trackingNumber: 'S1' }, { trackingNumber: 'C1' });
    await feedEvents(caller, { trackingNumber: 'S1', statusCode: 'out_for_delivery', occurredAt: ago(8) });
    await known(caller, 'S1', 9);
    await look();
    await feedEvents(
      caller,
      { trackingNumber: 'S1', statusCode: 'out_for_delivery', occurredAt: ago(0.01) },
      { trackingNumber: 'C1', statusCode: 'delayed', occurredAt: ago(0.01) },
    );
    await feedShipments(caller, brt, { trackingNumber: 'C1', expectedDeliveryAt: ago(1) });
    await look();
    expect(found(await logged(caller))).toEqual(['silent S1', 'late C1']);
    await world.pool.query(
      `with passed as (update tracking_event set occurred_at = occurred_at - interval '6 days' where company_id = $1)
        update shipment set status_at = status_at - interval '6 days', created_at = created_at - interval '6 days',
          stall_told_at = stall_told_at - interval '6 days' where company_id = $1`,
      [caller.companyId],
    );
    await look();
    expect(found(await logged(caller)).filter(delay => delay === 'silent S1')).toHaveLength(2);
    const { S1, C1 } = await delaysOf(caller, endpointId);
    expect({ S1, C1 }).toEqual({ S1: 1, C1: 2 });
  });
});
