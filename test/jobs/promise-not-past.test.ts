import { describe, expect, test } from 'vitest';
import { ask, connectCarrier, times } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { compute, ESTIMATE, type Estimate, minutesAfter, minutesBetween, travel } from './promises.ts';
import { deliveries, eventually, useEndpoints } from './webhooks.ts';

// A promise is made when it is asked for, of a parcel that is not delivered by then: of those that took longer.

const world = useWorld(REACHABLE);
const { open } = useEndpoints(world);

const DAY = 1440;

async function shown(caller: Caller, number: string) {
  const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
  const { deliveryEstimate } = await ask<{ deliveryEstimate: Estimate | null }>(
    caller,
    `query ($n: String!) { trackingByNumber(trackingNumber: $n) { ${ESTIMATE} } }`,
    { n: number },
  );
  expect(deliveryEstimate?.expectedAt ?? null).toBe(body.expectedDeliveryDate);
  return deliveryEstimate;
}

/** Sixty of a hundred deliveries took a day, and the others five, six and so on to forty-four days. */
async function company(caller: Caller) {
  const carrierConnectionId = await connectCarrier(caller);
  const minutes = times(100, i => (i < 60 ? DAY : (i - 55) * DAY));
  await travel(caller, carrierConnectionId, minutes, { scannedAt: minutesAfter(new Date(), -50 * DAY) });
  await compute(world, caller);
  const silentFor = async (days: number) => {
    const scannedAt = minutesAfter(new Date(), -days * DAY);
    const [number = ''] = await travel(caller, carrierConnectionId, [null], { scannedAt });
    const estimate = await shown(caller, number);
    return estimate && Math.round(minutesBetween(scannedAt, estimate.expectedAt) / DAY);
  };
  return { carrierConnectionId, silentFor };
}

describe.concurrent('The promise for a silent parcel', () => {
  test('comes from parcels that took longer than it has been under way, and is null beyond the longest', async () => {
    const { silentFor } = await company(await world.company());
    // The 80 % one of all, of the forty that took longer than a day, and of the ten that took longer than 34.
    expect(await silentFor(0.5)).toBe(25);
    expect(await silentFor(2)).toBe(37);
    expect(await silentFor(34.5)).toBe(43);
    expect(await silentFor(45)).toBeNull();
  });

  test('is null once all similar parcels have arrived', async () => {
    const caller = await world.company();
    const carrierConnectionId = await connectCarrier(caller);
    await travel(
      caller,
      carrierConnectionId,
      times(40, () => DAY),
    );
    await compute(world, caller);
    const [number = ''] = await travel(caller, carrierConnectionId, [null], {
      scannedAt: minutesAfter(new Date(), -8 * DAY),
    });
    expect(await shown(caller, number)).toBeNull();
  });

  test('after an event comes from parcels that were silent as long after the same event', async () => {
    const caller = await world.company();
    const carrierConnectionId = await connectCarrier(caller);
    // From the depot they are brought within hours. At a pickup point they wait for three days.
    const sent = (reached: string, wait: number) =>
      travel(
        caller,
        carrierConnectionId,
        times(40, () => 600 + wait),
        { events: [[600, reached]] },
      );
    await sent('at_depot', 240);
    await sent('pickup_point', 3 * DAY);
    await compute(world, caller);
    const waitsFor = async (reached: string, minutes: number) => {
      const scannedAt = minutesAfter(new Date(), -600 - minutes);
      const [number = ''] = await travel(caller, carrierConnectionId, [null], { scannedAt, events: [[600, reached]] });
      const estimate = await shown(caller, number);
      return estimate && Math.round(minutesBetween(scannedAt, estimate.expectedAt)) - 600;
    };
    expect(await waitsFor('at_depot', 60)).toBe(240);
    expect(await waitsFor('at_depot', 2 * DAY)).toBeNull();
    expect(await waitsFor('pickup_point', 2 * DAY)).toBe(3 * DAY);
    expect(await waitsFor('pickup_point', 4 * DAY)).toBeNull();
  });
});

test('A webhook names a future date for a parcel that should have arrived, and none beyond the longest time', async () => {
  const { caller, endpointId } = await open();
  const { carrierConnectionId } = await company(caller);
  const told = async (days: number) => {
    const scannedAt = minutesAfter(new Date(), -days * DAY);
    const [trackingNumber = ''] = await travel(caller, carrierConnectionId, [null], { scannedAt });
    const find = async () => {
      const bodies = (await deliveries(caller, endpointId)).map(({ body }) => JSON.parse(body ?? '{}'));
      return bodies.find(({ data }) => data.trackingNumber === trackingNumber)?.data ?? {};
    };
    const { expectedDeliveryDate } = await eventually(find, { trackingNumber });
    return expectedDeliveryDate && Math.round(minutesBetween(scannedAt, expectedDeliveryDate) / DAY);
  };
  expect(await told(2)).toBe(37);
  expect(await told(45)).toBeNull();
});
