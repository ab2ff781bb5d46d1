import { describe, expect, test } from 'vitest';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { withClient } from '../support/databases.ts';
import { ask, connectCarrier, times, WAREHOUSE } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import {
  compute,
  ESTIMATE,
  type Estimate,
  laneMinutes,
  MILANO,
  minutesAfter,
  minutesBetween,
  travel,
} from './promises.ts';
import { deliveries, eventually, runSchedule, useEndpoints } from './webhooks.ts';

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

/** 39 deliveries, of which the n-th took n hours: the ranks of 5, 80 and 95 % are 2, 32 and 38, of 40. */
const HOURS = times(39, i => 60 * (i + 1));
const PALERMO = { ...MILANO, postalCode: '90139', city: 'Palermo', province: 'PA' };
const to = (postalCode: string) => ({ destination: { postalCode } });

async function company() {
  const caller = await world.company();
  return { caller, carrierConnectionId: await connectCarrier(caller) };
}

describe.concurrent('The promise for a lane', () => {
  test('is the time of rank ⌈(n + 1) · share⌉ among n deliveries, to the minute', async () => {
    const { caller, carrierConnectionId } = await company();
    await travel(caller, carrierConnectionId, HOURS);
    await compute(world, caller);
    const of39 = { earliest: 2 * 60, date: 32 * 60, latest: 38 * 60, sampleSize: 39 };
    expect(await laneMinutes(caller, { carrierConnectionId })).toEqual(of39);
    // 41 · 0.8 is 32.8, and 41 · 0.95 is 38.95.
    await travel(caller, carrierConnectionId, [40 * 60]);
    await compute(world, caller);
    const of40 = { earliest: 2 * 60, date: 33 * 60, latest: 39 * 60, sampleSize: 40 };
    expect(await laneMinutes(caller, { carrierConnectionId })).toEqual(of40);
  });

  test('is null below 30 deliveries, on another connection, and before the first nightly run', async () => {
    const { caller, carrierConnectionId } = await company();
    await travel(caller, carrierConnectionId, HOURS.slice(0, 29));
    expect(await laneMinutes(caller, { carrierConnectionId })).toBeNull();
    await compute(world, caller);
    expect(await laneMinutes(caller, { carrierConnectionId })).toBeNull();
    await travel(caller, carrierConnectionId, [600]);
    await compute(world, caller);
    expect(await laneMinutes(caller, { carrierConnectionId })).toMatchObject({ sampleSize: 30 });
    expect(await laneMinutes(caller, { carrierConnectionId: carrierConnectionId + 1 })).toBeNull();
  });

  test('falls back from the postal code to the province, the region and the country', async () => {
    const { caller, carrierConnectionId } = await company();
    const send = (count: number, minutes: number, postalCode: string) =>
      travel(
        caller,
        carrierConnectionId,
        times(count, () => minutes),
        { recipient: { ...MILANO, postalCode, province: null } },
      );
    // Milano has its own; Lecco is of Lombardia, as Milano and Bergamo are; Roma has nothing of its own.
    await send(30, 600, '20121');
    await send(30, 1_200, '24121');
    await send(1, 3_000, '20122');
    await compute(world, caller);
    const found = async (postalCode: string) =>
      (await laneMinutes(caller, { carrierConnectionId, ...to(postalCode) }))?.sampleSize;
    expect([await found('20121'), await found('20129'), await found('23900'), await found('00184')]).toEqual([
      30, 31, 61, 61,
    ]);
  });

  test('comes from parcels of similar weight, or else from all parcels to the same place', async () => {
    const { caller, carrierConnectionId } = await company();
    await travel(
      caller,
      carrierConnectionId,
      times(30, () => 600),
      { weight: '2' },
    );
    await travel(
      caller,
      carrierConnectionId,
      times(30, () => 3_000),
      { weight: '60' },
    );
    await compute(world, caller);
    const lane = (weight?: string) => laneMinutes(caller, { carrierConnectionId, ...(weight && { weight }) });
    expect(await lane('3')).toMatchObject({ date: 600, sampleSize: 30 });
    expect(await lane('31')).toMatchObject({ date: 3_000, sampleSize: 30 });
    for (const weight of ['5', undefined]) expect(await lane(weight)).toMatchObject({ date: 3_000, sampleSize: 60 });
    await travel(
      caller,
      carrierConnectionId,
      times(30, () => 1_200),
    );
    await compute(world, caller);
    expect(await lane()).toMatchObject({ date: 1_200, sampleSize: 30 });
  });

  test('counts parcels that are still under way as later, and ignores parcels that will not arrive', async () => {
    const { caller, carrierConnectionId } = await company();
    const scannedAt = minutesAfter(new Date(), -2 * 1440);
    // Half of sixty came within ten hours. The others are only known not to have come within two days.
    await travel(
      caller,
      carrierConnectionId,
      times(60, i => (i < 30 ? 600 : null)),
      { scannedAt },
    );
    await travel(
      caller,
      carrierConnectionId,
      times(10, () => 3 * 1440),
    );
    await travel(
      caller,
      carrierConnectionId,
      times(20, () => null),
      { scannedAt, events: [[700, 'refused']] },
    );
    await compute(world, caller);
    expect(await laneMinutes(caller, { carrierConnectionId })).toMatchObject({
      earliest: 600,
      date: 3 * 1440,
      sampleSize: 40,
    });
  });

  test('ignores the deliveries of another company', async () => {
    const [one, other] = [await company(), await company()];
    await travel(one.caller, one.carrierConnectionId, HOURS);
    await travel(
      other.caller,
      other.carrierConnectionId,
      times(40, () => 9 * 1440),
    );
    await compute(world, one.caller);
    await compute(world, other.caller);
    expect(await laneMinutes(one.caller, { carrierConnectionId: one.carrierConnectionId })).toMatchObject({
      date: 32 * 60,
      sampleSize: 39,
    });
    expect(await laneMinutes(one.caller, { carrierConnectionId: other.carrierConnectionId })).toBeNull();
    const { rows } = await world.pool.query(
      `select count(*)::integer as count from promise_cell where company_id = $1 and (carrier_connection_id <> $2 or deliveries > 39)`,
      [one.caller.companyId, one.carrierConnectionId],
    );
    expect(rows).toEqual([{ count: 0 }]);
  });
});

interface Shown {
  readonly expectedDeliveryAt: string | null;
  readonly deliveryEstimate: Estimate | null;
}

const shown = (caller: Caller, trackingNumber: string) =>
  ask<Shown>(
    caller,
    `query ($n: String!) { trackingByNumber(trackingNumber: $n) { expectedDeliveryAt ${ESTIMATE} } }`,
    {
      n: trackingNumber,
    },
  );

describe.concurrent('A shipment', () => {
  test('shows the promise in REST, GraphQL and webhooks if neither carrier nor platform gives a date', async () => {
    const { caller, endpointId } = await open();
    const carrierConnectionId = await connectCarrier(caller);
    await travel(caller, carrierConnectionId, HOURS);
    await compute(world, caller);
    const scannedAt = minutesAfter(new Date(), -60);
    const [number = ''] = await travel(caller, carrierConnectionId, [null], { scannedAt });
    const date = minutesAfter(scannedAt, 32 * 60).toISOString();
    const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
    expect(body.expectedDeliveryDate).toBe(date);
    expect(await shown(caller, number)).toEqual({
      expectedDeliveryAt: date,
      deliveryEstimate: {
        expectedAt: date,
        source: 'SERVICE',
        confidence: 0.8,
        sampleSize: 39,
        earliestAt: minutesAfter(scannedAt, 2 * 60).toISOString(),
        latestAt: minutesAfter(scannedAt, 38 * 60).toISOString(),
        updatedAt: expect.any(String),
      },
    });
    const told = async () => {
      const all = await deliveries(caller, endpointId);
      const bodies = all.map(one => JSON.parse(one.body ?? '{}'));
      return bodies.find(({ data }) => data.trackingNumber === number)?.data ?? {};
    };
    await eventually(told, { expectedDeliveryDate: date });
  });

  test("shows the carrier's date first, or else the platform's date, or else the promise", async () => {
    const { caller, carrierConnectionId } = await company();
    await travel(caller, carrierConnectionId, HOURS);
    await compute(world, caller);
    const [number = ''] = await travel(caller, carrierConnectionId, [null], {
      scannedAt: minutesAfter(new Date(), -60),
    });
    const source = async () => (await shown(caller, number)).deliveryEstimate;
    expect(await source()).toMatchObject({ source: 'SERVICE' });
    const sets = (column: string, value: string) =>
      world.pool.query(`update shipment set ${column} = $3 where company_id = $1 and tracking_number = $2`, [
        caller.companyId,
        number,
        value,
      ]);
    await sets('expected_delivery_date', '2030-01-02T00:00:00Z');
    const none = { earliestAt: null, latestAt: null, confidence: null, sampleSize: null };
    expect(await source()).toEqual({
      ...none,
      source: 'PLATFORM',
      expectedAt: '2030-01-02T00:00:00.000Z',
      updatedAt: null,
    });
    await sets('carrier_expected_at', '2030-01-03T00:00:00Z');
    await world.pool.query(
      `insert into shipment_estimate (company_id, shipment_id, told_at, expected_at)
        select company_id, id, '2029-01-01T00:00:00Z', carrier_expected_at from shipment where company_id = $1 and tracking_number = $2`,
      [caller.companyId, number],
    );
    const told = '2029-01-01T00:00:00.000Z';
    expect(await source()).toEqual({
      ...none,
      source: 'CARRIER',
      expectedAt: '2030-01-03T00:00:00.000Z',
      updatedAt: told,
    });
  });

  test('has no promise before its first scan, after its delivery, or on its way back', async () => {
    const { caller, carrierConnectionId } = await company();
    await travel(caller, carrierConnectionId, HOURS);
    await compute(world, caller);
    const [delivered = ''] = await travel(caller, carrierConnectionId, [600]);
    const [returning = ''] = await travel(caller, carrierConnectionId, [null], { events: [[600, 'returning']] });
    const [scanned = ''] = await travel(caller, carrierConnectionId, [null]);
    await world.pool.query('update shipment set first_scan_at = null where company_id = $1 and tracking_number = $2', [
      caller.companyId,
      scanned,
    ]);
    for (const number of [delivered, returning, scanned]) {
      expect(await shown(caller, number)).toEqual({ expectedDeliveryAt: null, deliveryEstimate: null });
    }
  });

  test('has a promise from the remaining time after a significant event, or after an event that missed its promise', async () => {
    const { caller, carrierConnectionId } = await company();
    // Thirty of fifty take two days, and four hours from their out-for-delivery scan. The others are delivered on the
    // fifth day.
    const sent = async (count: number, brought: number) => {
      const events = [[600, 'in_transit'] as const, [brought, 'out_for_delivery'] as const];
      await travel(
        caller,
        carrierConnectionId,
        times(count, () => brought + 240),
        { scannedAt: minutesAfter(new Date(), -10 * 1440), events },
      );
    };
    await sent(30, 2_640);
    await sent(20, 6_960);
    await compute(world, caller);
    const shownAfter = async (ago: number, steps: readonly (readonly [number, string])[]) => {
      const recently = minutesAfter(new Date(), -ago);
      const [number = ''] = await travel(caller, carrierConnectionId, [null], { scannedAt: recently, events: steps });
      const { expectedDeliveryAt } = await shown(caller, number);
      return Math.round(minutesBetween(recently, expectedDeliveryAt ?? ''));
    };
    expect(await shownAfter(1_000, [])).toBe(7_200);
    expect(await shownAfter(1_000, [[900, 'in_transit']])).toBe(7_200);
    expect(await shownAfter(1_250, [[1_200, 'out_for_delivery']])).toBe(1_200 + 240);
    // Later than four of five: as long from there as from any such event.
    expect(await shownAfter(7_350, [[7_300, 'in_transit']])).toBe(7_300 + 6_600);
  });
});

test('A quote whose tariff states no days has the days of the promise, and each item has its estimate', async () => {
  const { caller, carrierConnectionId } = await company();
  await importTariff(caller, carrierConnectionId, TARIFF);
  const { body: warehouse } = await caller.rest('POST', '/warehouses', WAREHOUSE);
  const input = {
    warehouseId: warehouse.id,
    totalWeight: 2,
    totalVolume: 1_000,
    destination: { postalCode: PALERMO.postalCode, city: PALERMO.city },
  };
  const quoted = async () => (await caller.rest('POST', '/shipments/quote', input)).body[0].estimatedDeliveryDays;
  expect(await quoted()).toBeNull();
  // The 80 % one takes 32 hours of working days: it arrives at the latest on the second day after the day of the scan.
  await travel(caller, carrierConnectionId, HOURS, { recipient: PALERMO, weight: '2' });
  await compute(world, caller);
  expect(await quoted()).toBe(2);
  const query = `query ($input: QuoteInput!) { quoteShipment(input: $input) { ... on QuoteList { items { ${ESTIMATE} } } } }`;
  const { items } = await ask<{ items: { deliveryEstimate: Estimate }[] }>(caller, query, { input });
  expect(items).toMatchObject([{ deliveryEstimate: { source: 'SERVICE', sampleSize: 39, confidence: 0.8 } }]);
  expect(Math.round(minutesBetween(new Date(), items[0]?.deliveryEstimate.expectedAt ?? '') / 60)).toBe(32);
});

const accuracy = (caller: Caller) =>
  ask<{ stated: number; measured: number }[]>(
    caller,
    '{ deliveryAccuracy { carrierConnectionId level stated measured sampleSize } }',
  );

test('Measured promises were made in advance, by a table that did not include the outcome', async () => {
  const { caller, carrierConnectionId } = await company();
  const now = new Date();
  const nights = [-15, -10].map(days => minutesAfter(now, days * 1440));
  await travel(
    caller,
    carrierConnectionId,
    times(40, () => 600),
    { scannedAt: minutesAfter(now, -20 * 1440) },
  );
  await compute(world, caller, nights[0]);
  expect(await accuracy(caller)).toEqual([]);
  // Suddenly they take twice as long: no promise is kept, although the next table has the new times.
  await travel(
    caller,
    carrierConnectionId,
    times(60, () => 1_200),
    { scannedAt: minutesAfter(now, -12 * 1440) },
  );
  expect(await compute(world, caller, nights[1])).toMatchObject({ noted: 60 });
  const row = { carrierConnectionId, level: 'POSTAL_CODE', measured: 0, sampleSize: 60 };
  expect(await accuracy(caller)).toEqual([0.05, 0.8, 0.95].map(stated => ({ ...row, stated })));
  expect(await laneMinutes(caller, { carrierConnectionId })).toMatchObject({ date: 1_200 });
});

test('A nightly run that is killed leaves the previous table, and the next run replaces it', async () => {
  const { caller, carrierConnectionId } = await company();
  await travel(caller, carrierConnectionId, HOURS);
  await compute(world, caller);
  await travel(
    caller,
    carrierConnectionId,
    times(100, () => 4_000),
  );
  await withClient(world.ownerUrl, async blocker => {
    await blocker.query('begin');
    // The last thing that a run writes.
    await blocker.query('select from promise where company_id = $1 for update', [caller.companyId]);
    const run = compute(world, caller).catch((error: unknown) => error);
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'insert into promise (%'`;
    const { pid } = await eventually(async () => (await world.pool.query(waiting)).rows[0] ?? {}, {
      pid: expect.any(Number),
    });
    await world.pool.query('select pg_terminate_backend($1)', [pid]);
    expect(await run).toBeInstanceOf(Error);
    await blocker.query('rollback');
  });
  // As it is stored, and not as this process may still remember it.
  const stored = 'select max(deliveries)::integer as deliveries from promise_cell where company_id = $1';
  expect((await world.pool.query(stored, [caller.companyId])).rows).toEqual([{ deliveries: 39 }]);
  expect(await laneMinutes(caller, { carrierConnectionId })).toMatchObject({ sampleSize: 39 });
  await compute(world, caller);
  expect(await laneMinutes(caller, { carrierConnectionId })).toMatchObject({ sampleSize: 139, date: 4_000 });
});

test('Every night the table of every company is calculated', async () => {
  const { caller, carrierConnectionId } = await company();
  await travel(caller, carrierConnectionId, HOURS);
  expect(await laneMinutes(caller, { carrierConnectionId })).toBeNull();
  await runSchedule(world, 'promise.nightly');
  await eventually(async () => (await laneMinutes(caller, { carrierConnectionId })) ?? {}, { sampleSize: 39 });
});
