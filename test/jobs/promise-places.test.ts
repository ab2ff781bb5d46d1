import { describe, expect, test } from 'vitest';
import { ask, connectCarrier, times } from '../support/platform-side.ts';
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

// Which deliveries speak for a parcel: those to its own place before all others, and never those to another country.

const world = useWorld(REACHABLE);

const DAY = 1440;
const CAGLIARI = { ...MILANO, postalCode: '09124', city: 'Cagliari', province: 'CA' };
const PARIS = { ...MILANO, countryCode: 'FR', postalCode: '75001', city: 'Paris', province: null };

async function company() {
  const caller = await world.company();
  const carrierConnectionId = await connectCarrier(caller);
  const send = (count: number, minutes: number, recipient: object, weight?: string) =>
    travel(
      caller,
      carrierConnectionId,
      times(count, () => minutes),
      { recipient, ...(weight && { weight }) },
    );
  const lane = (destination: object, weight?: string) =>
    laneMinutes(caller, { carrierConnectionId, destination, ...(weight && { weight }) });
  return { caller, carrierConnectionId, send, lane };
}

/** The promise for a shipment that is scanned now, in minutes of working days from its scan. */
async function shown(caller: Caller, carrierConnectionId: number, recipient: object, weight?: string) {
  const scannedAt = minutesAfter(new Date(), -1);
  const [number = ''] = await travel(caller, carrierConnectionId, [null], {
    scannedAt,
    recipient,
    ...(weight && { weight }),
  });
  const { body } = await caller.rest('GET', `/shipments/tracking/by-tracking-number/${number}`);
  const found = await ask<{ deliveryEstimate: Estimate | null }>(
    caller,
    `query ($n: String!) { trackingByNumber(trackingNumber: $n) { ${ESTIMATE} } }`,
    { n: number },
  );
  expect(found.deliveryEstimate?.expectedAt ?? null).toBe(body.expectedDeliveryDate);
  return body.expectedDeliveryDate && Math.round(minutesBetween(scannedAt, body.expectedDeliveryDate));
}

describe.concurrent('The promise for a parcel', () => {
  test('without a weight, or with another weight, comes from the deliveries to its own place', async () => {
    const { caller, carrierConnectionId, send, lane } = await company();
    await send(40, DAY, MILANO, '4');
    await send(40, 5 * DAY, CAGLIARI, '4');
    await compute(world, caller);
    for (const weight of ['4', '12', undefined]) {
      expect(await lane({ postalCode: '20121' }, weight)).toMatchObject({ date: DAY, sampleSize: 40 });
      expect(await lane({ postalCode: '09124' }, weight)).toMatchObject({ date: 5 * DAY, sampleSize: 40 });
      expect(await shown(caller, carrierConnectionId, MILANO, weight)).toBe(DAY);
      expect(await shown(caller, carrierConnectionId, CAGLIARI, weight)).toBe(5 * DAY);
    }
  });

  test('abroad does not come from deliveries to other countries', async () => {
    const { caller, carrierConnectionId, send, lane } = await company();
    await send(80, DAY, MILANO, '4');
    await send(29, 5 * DAY, PARIS, '4');
    await compute(world, caller);
    expect(await lane({ country: 'FR', postalCode: '75001' }, '4')).toBeNull();
    expect(await lane({ country: 'US', postalCode: '10001' }, '4')).toBeNull();
    expect(await shown(caller, carrierConnectionId, PARIS, '4')).toBeNull();
    await send(1, 5 * DAY, { ...PARIS, postalCode: '75002' }, '4');
    await compute(world, caller);
    expect(await lane({ country: 'FR', postalCode: '69001' }, '12')).toMatchObject({ date: 5 * DAY, sampleSize: 30 });
    expect(await shown(caller, carrierConnectionId, PARIS)).toBe(5 * DAY);
    expect(await lane({ country: 'US', postalCode: '10001' }, '4')).toBeNull();
  });
});
