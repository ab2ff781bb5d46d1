import { describe, expect, test } from 'vitest';
import { WEBHOOK_SCHEDULES } from '../../src/domain/exchange/webhooks/webhooks.jobs.ts';
import { ask, outcomes, recordEvents, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { RETENTION } from '../support/retention.ts';
import { DAY } from '../support/time.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { at, company, type Fired, fired, record, type Shown, told } from './step-calls.ts';

// Each event that changes a shipment's status fires its own webhook event, whatever was recorded with it.

const world = useSharedWorld({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' });

describe('A batch that takes a shipment through several states', () => {
  const way = [told(30, 'out_for_delivery'), told(10, 'shipped'), told(20, 'in_transit')];

  test('notifies endpoints that are subscribed only to the first of them', async () => {
    const { caller, endpointId } = await company(world, { events: ['tracking.order_shipped', 'tracking.delivered'] });
    await recordEvents(caller, way);
    const { deliveries } = await ask<{ deliveries: { edges: { node: { eventType: string; sequence: number } }[] } }>(
      caller,
      'query ($id: ID!) { webhookEndpoint(id: $id) { deliveries(first: 9) { edges { node { eventType sequence } } } } }',
      { id: endpointId },
    );
    expect(deliveries.edges.map(({ node }) => node)).toEqual([{ eventType: 'tracking.order_shipped', sequence: 1 }]);
  });

  test('fires an event for each state, with the record at that step', async () => {
    const { caller } = await company(world);
    await recordEvents(caller, [told(5, 'created')]);
    await recordEvents(caller, [...way, told(40, 'delivered'), told(50, 'refused'), told(60, 'delayed')]);
    const events = await fired(world, caller);
    expect(events.map(({ type, sequence }) => [type, sequence])).toEqual([
      ['tracking.order_shipped', 1],
      ['tracking.in_transit', 2],
      ['tracking.out_for_delivery', 3],
      ['tracking.delivered', 4],
      ['tracking.delivery_failed', 5],
      ['tracking.delay', 6],
    ]);
    expect(events.map(({ data }) => [data.status, data.deliveredDate, data.timeline.length])).toEqual([
      ['Spedita', null, 2],
      ['In transito', null, 3],
      ['In consegna', null, 4],
      ['Consegnata', at(40), 5],
      ['Rifiutata', null, 6],
      ['In ritardo', null, 7],
    ]);
    for (const { data } of events) expect(data.event).toEqual(data.timeline.at(-1));
    const { statusCode, previousStatusCode, event, ...last } = events[5]?.data ?? ({} as Fired['data']);
    expect([statusCode, previousStatusCode, event.timestamp]).toEqual(['delayed', 'refused', at(60)]);
    expect(last).toEqual(await record(caller));
  });

  test('shows the newest 200 entries at each step, even if it has hundreds', async () => {
    const { caller } = await company(world);
    // More entries than are written at once.
    const batch = times(300, i => told(i, i < 190 ? 'created' : i % 2 === 0 ? 'in_transit' : 'at_depot'));
    expect(outcomes(await recordEvents(caller, batch.toReversed()))).not.toContain('rejected');
    const events = await fired(world, caller);
    expect(events.map(({ sequence }) => sequence)).toEqual(times(110, i => i + 1));
    for (const [i, { data }] of events.entries()) {
      const known = 191 + i;
      expect(data.event.timestamp).toBe(at(known - 1));
      expect(data.timeline.map(({ timestamp }) => timestamp)).toEqual(times(known, at).slice(-200));
      expect(data.timelineTruncated).toBe(known > 200 || undefined);
    }
  });
});

describe('An event with an unknown code', () => {
  test('does not revert a delivery, and causes no webhook of a delay', async () => {
    const { caller } = await company(world, {
      fields: { expectedDeliveryAt: new Date(Date.now() - DAY).toISOString() },
    });
    const gls = (minute: number, carrierStatusCode: string) => [
      { trackingNumber: 'n', occurredAt: at(minute), carrierStatusCode },
    ];
    await recordEvents(caller, gls(10, '906'));
    await recordEvents(caller, gls(12, '999'));
    const { status, deliveredDate, timeline } = await record(caller);
    expect([status, deliveredDate]).toEqual(['Consegnata', at(10)]);
    expect(timeline.map(({ statusCode }: Shown) => statusCode)).toEqual(['delivered', 'unknown']);
    const { jobs, log, metrics, url } = world.app;
    const delays = WEBHOOK_SCHEDULES.find(({ queue }) => queue === 'webhooks.delays');
    await delays?.work({
      database: world.app.database,
      jobs,
      log,
      metrics,
      publicUrl: url,
      retention: RETENTION,
    });
    expect((await fired(world, caller)).map(({ type }) => type)).toEqual(['tracking.delivered']);
  });

  test('is the status of a shipment only if it has no other event', async () => {
    const { caller } = await company(world);
    await recordEvents(caller, [told(20, 'unknown'), told(10, 'unknown')]);
    expect((await record(caller)).status).toBe('Stato sconosciuto');
    await recordEvents(caller, [told(15, 'shipped')]);
    expect((await record(caller)).status).toBe('Spedita');
    await recordEvents(caller, [told(30, 'unknown'), told(14, 'created')]);
    expect((await record(caller)).status).toBe('Spedita');
    const [one, ...others] = await fired(world, caller);
    expect(others).toEqual([]);
    expect(one?.data).toMatchObject({ previousStatusCode: 'unknown', event: { timestamp: at(15) } });
    expect(one?.data.timeline.map(({ timestamp }) => timestamp)).toEqual([at(10), at(15), at(20)]);
  });
});

describe('An event with a time', () => {
  const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

  test.each([
    ['in 2098', '2098-05-01T10:00:00Z'],
    ['a minute more than a day ahead', ahead(DAY + 60_000)],
  ])('%s is rejected, and the others of its batch are recorded', async (_what, occurredAt) => {
    const { caller } = await company(world);
    const { results, ...counts } = await recordEvents(caller, [
      told(1, 'shipped'),
      told(2, 'held', { occurredAt }),
      told(3, 'delivered'),
    ]);
    expect(counts).toEqual({ created: 2, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({ outcome: 'rejected', code: 'in_the_future', pointer: '/events/1/occurredAt' });
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(3), timeline: [{}, {}] });
  });

  test('some hours ahead is recorded, since clocks differ', async () => {
    const { caller } = await company(world);
    const occurredAt = ahead(DAY - 60_000);
    expect(outcomes(await recordEvents(caller, [told(2, 'held', { occurredAt })]))).toEqual(['created']);
    expect(await record(caller)).toMatchObject({ status: 'In giacenza', timeline: [{ timestamp: occurredAt }] });
  });
});

describe('The shipment date', () => {
  const dated = async (caller: Caller) => (await record(caller)).shipmentDate;

  test('is the time of the earliest shipped event', async () => {
    const { caller } = await company(world);
    await recordEvents(caller, [told(10, 'in_transit')]);
    expect(await dated(caller)).toBeNull();
    await recordEvents(caller, [told(8, 'shipped'), told(20, 'shipped')]);
    expect(await dated(caller)).toBe(at(8));
    await recordEvents(caller, [told(6, 'shipped')]);
    expect(await dated(caller)).toBe(at(6));
    expect((await fired(world, caller)).map(({ data }) => data.shipmentDate)).toEqual([null, at(8)]);
  });

  test("is the platform's date if it sends one, before or after", async () => {
    const { caller, connection } = await company(world, { fields: { shippedAt: at(1) } });
    await recordEvents(caller, [told(8, 'shipped')]);
    expect(await dated(caller)).toBe(at(1));
    await upsertShipments(caller, [shipment(connection, 'n', { weight: 2 })]);
    expect(await dated(caller)).toBe(at(1));
    await upsertShipments(caller, [shipment(connection, 'n', { shippedAt: at(2) })]);
    expect(await dated(caller)).toBe(at(2));
    await upsertShipments(caller, [shipment(connection, 'n', { shippedAt: null })]);
    expect(await dated(caller)).toBe(at(8));
  });

  test('from a later event is not in the record of an earlier step', async () => {
    const { caller } = await company(world);
    await recordEvents(caller, [told(5, 'in_transit'), told(8, 'shipped'), told(9, 'delivered')]);
    expect((await fired(world, caller)).map(({ data }) => data.shipmentDate)).toEqual([null, at(8), at(8)]);
  });
});

test('The first scan of a shipment is its earliest event after the carrier received it', async () => {
  const { caller } = await company(world);
  const scanned = async () => {
    const { rows } = await world.pool.query('select first_scan_at from shipment where company_id = $1', [
      caller.companyId,
    ]);
    return rows[0]?.first_scan_at?.toISOString() ?? null;
  };
  await recordEvents(caller, [told(1, 'created'), told(2, 'unknown'), told(3, 'cancelled')]);
  expect(await scanned()).toBeNull();
  await recordEvents(caller, [told(9, 'in_transit'), told(7, 'at_depot')]);
  expect(await scanned()).toBe(at(7));
  await recordEvents(caller, [told(5, 'shipped'), told(20, 'delivered')]);
  expect(await scanned()).toBe(at(5));
});
