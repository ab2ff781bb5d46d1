import { expect, test } from 'vitest';
import { ask, connectCarrier, feedEvents, feedShipments, type Item, refusal } from '../support/platform-side.ts';
import { type Caller, useWorld } from '../support/world.ts';

/** The scorecard of carriers: how many deliveries came by their expected date, by connection. */

const world = useWorld({ ROLE: 'api' });

interface Score {
  readonly carrierConnectionId: string;
  readonly deliveries: number;
  readonly dated: number;
  readonly inTime: number;
  readonly late: number;
  readonly inTimeShare: number | null;
  readonly medianDaysLate: number | null;
}

const SCORES = `query ($from: Date!, $to: Date!, $against: DeliveryEstimateSource) {
  carrierScorecard(deliveredIn: { from: $from, to: $to }, against: $against) {
    carrierConnectionId deliveries dated inTime late inTimeShare medianDaysLate } }`;
const OCTOBER = { from: '2026-10-01', to: '2026-10-31' };

const scores = (caller: Caller, variables: Item = {}) => ask<Score[]>(caller, SCORES, { ...OCTOBER, ...variables });

/** [dated, in time, late, the median of days late] of each connection, in the order in which they were connected. */
const outcome = async (caller: Caller, variables: Item = {}) =>
  (await scores(caller, variables)).map(({ dated, inTime, late, medianDaysLate }) => [
    dated,
    inTime,
    late,
    medianDaysLate,
  ]);

interface Parcel {
  readonly number: string;
  readonly on: 'brt' | 'gls';
  /** Days of October; the carrier's and the platform's date, and the delivery, at noon. */
  readonly carrier?: number;
  readonly platform?: number;
  readonly delivered: number;
}

// biome-ignore format: a table reads as rows
const PARCELS: readonly Parcel[] = [
  { number: 'A', on: 'brt', carrier: 10, platform: 5, delivered: 10 },
  { number: 'B', on: 'brt', carrier: 10, platform: 12, delivered: 11 },
  { number: 'C', on: 'brt', carrier: 10, delivered: 13 },
  { number: 'D', on: 'brt', platform: 10, delivered: 9 },
  { number: 'E', on: 'brt', delivered: 9 },
  { number: 'F', on: 'gls', platform: 10, delivered: 20 },
  // After the period.
  { number: 'G', on: 'gls', platform: 10, delivered: 33 },
];

const noon = (day: number) => new Date(Date.UTC(2026, 9, day, 10)).toISOString();

async function furnished(): Promise<{ caller: Caller; brt: number; gls: number }> {
  const caller = await world.company();
  const [brt, gls] = [await connectCarrier(caller), await connectCarrier(caller, 'GLS')];
  for (const on of ['brt', 'gls'] as const) {
    const own = PARCELS.filter(parcel => parcel.on === on);
    await feedShipments(
      caller,
      on === 'brt' ? brt : gls,
      ...own.map(({ number, platform }) => ({
        trackingNumber: number,
        expectedDeliveryAt: platform === undefined ? null : noon(platform),
      })),
    );
  }
  for (const { number, delivered } of PARCELS) {
    await feedEvents(caller, { trackingNumber: number, statusCode: 'delivered', occurredAt: noon(delivered) });
  }
  // Only a carrier has estimates, and only the nightly run states the service's own.
  for (const { number, carrier } of PARCELS) {
    if (carrier === undefined) continue;
    await world.pool.query(
      'update shipment set carrier_expected_at = $3 where company_id = $1 and tracking_number = $2',
      [caller.companyId, number, noon(carrier)],
    );
  }
  await world.pool.query(
    `insert into shipment_promise (company_id, shipment_id, carrier_connection_id, scanned, expected, took)
      select company_id, id, carrier_connection_id, 0, 2880, case tracking_number when 'A' then 2880 else 5760 end
        from shipment where company_id = $1 and tracking_number in ('A', 'B')`,
    [caller.companyId],
  );
  return { caller, brt, gls };
}

test('The share of shipments delivered in time is counted by connection, against each date', async () => {
  const { caller } = await furnished();
  const [first, second] = await scores(caller);
  expect(first).toMatchObject({ deliveries: 5, dated: 4, inTime: 2, late: 2, inTimeShare: 0.5, medianDaysLate: 2 });
  expect(second).toMatchObject({ deliveries: 1, dated: 1, inTime: 0, late: 1, inTimeShare: 0, medianDaysLate: 10 });
  expect(await outcome(caller, { against: 'CARRIER' })).toEqual([
    [3, 1, 2, 2],
    [0, 0, 0, null],
  ]);
  expect(await outcome(caller, { against: 'PLATFORM' })).toEqual([
    [3, 2, 1, 5],
    [1, 0, 1, 10],
  ]);
  expect(await outcome(caller, { against: 'SERVICE' })).toEqual([
    [2, 1, 1, 2],
    [0, 0, 0, null],
  ]);
  expect(await scores(await world.company())).toEqual([]);
});

test('The days of the period are whole days in Italy', async () => {
  const { caller } = await furnished();
  const of = async (from: string, to: string) =>
    (await scores(caller, { from, to })).reduce((sum, { deliveries }) => sum + deliveries, 0);
  expect(await of('2026-10-09', '2026-10-09')).toBe(2);
  expect(await of('2026-10-12', '2026-10-12')).toBe(0);
  // Delivered at 23:30 in Italy on the 12th.
  await world.pool.query(
    "update shipment set delivered_at = '2026-10-12T21:30:00Z' where company_id = $1 and tracking_number = 'C'",
    [caller.companyId],
  );
  expect(await of('2026-10-12', '2026-10-12')).toBe(1);
});

test('A list of shipments has the late deliveries that the scorecard counts', async () => {
  const { caller, brt } = await furnished();
  const LATE = `query ($wasLate: Boolean!, $against: DeliveryEstimateSource, $brt: ID!) {
    shipments(filter: { wasLate: $wasLate, wasLateAgainst: $against, carrierConnectionId: $brt }) { nodes { trackingNumber wasLate } } }`;
  const numbers = async (wasLate: boolean, against?: string) => {
    const { nodes } = await ask<{ nodes: { trackingNumber: string; wasLate: boolean | null }[] }>(caller, LATE, {
      ...{ wasLate, against, brt },
    });
    if (against === undefined) for (const node of nodes) expect(node.wasLate).toBe(wasLate);
    return nodes.map(({ trackingNumber }) => trackingNumber);
  };
  expect(await numbers(true)).toEqual(['C', 'B']);
  expect((await numbers(false)).toSorted()).toEqual(['A', 'D']);
  expect(await numbers(true, 'PLATFORM')).toEqual(['A']);
  expect(await numbers(true, 'SERVICE')).toEqual(['B']);
  expect(await numbers(false, 'SERVICE')).toEqual(['A']);
});

test('A period that ends before it begins, or is longer than a quarter, is rejected', async () => {
  const caller = await world.company();
  const refused = (from: string, to: string) => refusal(caller, SCORES, { from, to });
  expect(await refused('2026-10-02', '2026-10-01')).toMatch(/\/to empty_range$/);
  expect(await refused('2026-07-01', '2026-10-01')).toMatch(/\/to out_of_range$/);
  expect(await refused('2026-07-02', '2026-10-01')).toBeUndefined();
  const alone = '{ shipments(filter: { wasLateAgainst: CARRIER }) { nodes { id } } }';
  expect(await refusal(caller, alone)).toMatch(/\/wasLateAgainst not_allowed$/);
});
