import { describe, expect, test } from 'vitest';
import { ask, type Item, outcomes, recordEvents, shipment, times, upsertShipments } from '../support/platform-side.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { at, company, fired, record, type Shown, stepsOf, told } from './step-calls.ts';

// An event that arrives after later ones has the effect that it would have had in time.

const world = useSharedWorld({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' });

/** Records batches of events of one shipment. */
async function recorded(...batches: (readonly Item[])[]) {
  const { caller } = await company(world);
  for (const batch of batches) await recordEvents(caller, batch);
  const { status, deliveredDate, timeline } = await record(caller);
  const statuses = timeline.map(({ statusCode }: Shown) => statusCode);
  return { caller, status, deliveredDate, statuses, steps: stepsOf(await fired(world, caller)) };
}

test.each([
  ['in two calls, the delivery first', [[told(540, 'delivered')], [told(545, 'out_for_delivery')]]],
  ['in two calls, the van first', [[told(545, 'out_for_delivery')], [told(540, 'delivered')]]],
  ['in one call', [[told(545, 'out_for_delivery'), told(540, 'delivered')]]],
])("A delivery with an earlier time than the van's scan ends the shipment %s", async (_how, batches) => {
  const { status, deliveredDate, statuses, steps } = await recorded(...batches);
  expect([status, deliveredDate, statuses]).toEqual(['Consegnata', at(540), ['delivered', 'out_for_delivery']]);
  expect(steps.at(-1)).toMatch(/> delivered at /);
});

test('A late event states the status that the record showed before', async () => {
  const { steps } = await recorded([told(10, 'out_for_delivery')], [told(5, 'delivered')], [told(7, 'refused')]);
  expect(steps).toEqual([
    `created > out_for_delivery at ${at(10)}`,
    `out_for_delivery > delivered at ${at(5)}`,
    // The van's scan is the status again, and was announced before.
    `delivered > refused at ${at(7)}`,
  ]);
});

test('A late event that does not change the current status only enters the timeline', async () => {
  const { status, statuses, steps } = await recorded(
    [told(10, 'shipped'), told(30, 'out_for_delivery')],
    [told(20, 'at_depot'), told(15, 'held')],
  );
  expect([status, statuses]).toEqual(['In consegna', ['shipped', 'held', 'at_depot', 'out_for_delivery']]);
  expect(steps).toEqual([`created > shipped at ${at(10)}`, `shipped > out_for_delivery at ${at(30)}`]);
});

test('The change log ends with the status of the record, even after late events', async () => {
  const { caller } = await recorded([told(10, 'out_for_delivery')], [told(5, 'delivered')], [told(7, 'returning')]);
  const { nodes } = await ask<{ nodes: { statusCode: string; event: { occurredAt: string } }[] }>(
    caller,
    `{ changes(first: 100, filter: { kinds: [STATUS] }) { nodes {
      ... on ShipmentStatusChanged { statusCode previousStatusCode event { occurredAt } } } } }`,
  );
  expect(nodes.map(({ statusCode, event }) => [statusCode.toLowerCase(), event.occurredAt])).toEqual([
    ['out_for_delivery', at(10)],
    ['delivered', at(5)],
    ['returning', at(7)],
    ['out_for_delivery', at(10)],
  ]);
});

test('Concurrent events of one shipment lead to one status, in any order', async () => {
  const { caller } = await company(world);
  const way = [told(10, 'shipped'), told(20, 'in_transit'), told(30, 'delivered'), told(40, 'at_depot')];
  await Promise.all(times(12, i => recordEvents(caller, [way[(i * 7) % 4] as Item, way[(i * 5 + 1) % 4] as Item])));
  expect(await record(caller)).toMatchObject({
    status: 'Consegnata',
    deliveredDate: at(30),
    timeline: [{}, {}, {}, {}],
  });
  const events = await fired(world, caller);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, i) => i + 1));
  expect(new Set(stepsOf(events).map(step => step.replace(/.*> /, ''))).size).toBe(events.length);
});

describe("A carrier's delivery after a return", () => {
  const codes = (caller: Caller, ...told: (readonly [minute: number, code: string, description?: string])[]) =>
    recordEvents(
      caller,
      told.map(([minute, carrierStatusCode, description]) => ({
        ...{ trackingNumber: 'n', occurredAt: at(minute), carrierStatusCode },
        ...(description && { description }),
      })),
    );

  test.each([
    ['BRT', [10, 'X', 'RESO AL MITTENTE'], [20, '704', 'CONSEGNATA']],
    ['UPS', [10, '035'], [20, '011']],
  ] as const)(
    'by %s is the return to the sender, in any order of the events',
    async (carrierCode, returning, delivered) => {
      for (const batches of [[[returning, delivered]], [[returning], [delivered]], [[delivered], [returning]]]) {
        const { caller } = await company(world, { carrierCode, events: ['tracking.delivered'] });
        for (const batch of batches) await codes(caller, ...batch);
        const { status, deliveredDate, timeline } = await record(caller);
        expect([status, deliveredDate]).toEqual(['Restituita al mittente', null]);
        expect(timeline.map(({ statusCode }: Shown) => statusCode)).toEqual(['returning', 'returned']);
        // Nobody could know of the return when the delivery came first.
        const deliveries = (await fired(world, caller)).filter(({ type }) => type === 'tracking.delivered');
        expect(deliveries).toHaveLength(batches[0]?.[0] === delivered ? 1 : 0);
      }
    },
  );

  test('is a delivery again if the parcel waited for its recipient in between', async () => {
    const { caller } = await company(world, { carrierCode: 'UPS' });
    await codes(caller, [10, '035'], [20, '021'], [40, '011']);
    expect(await record(caller)).toMatchObject({ status: 'Restituita al mittente' });
    await codes(caller, [30, '040']);
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(40) });
    expect(stepsOf(await fired(world, caller)).at(-1)).toBe(`pickup_point > delivered at ${at(40)}`);
  });

  test('is a delivery if the platform sends that status', async () => {
    const { caller } = await company(world, { carrierCode: 'UPS' });
    await codes(caller, [10, '035']);
    await recordEvents(caller, [told(20, 'delivered', { carrierStatusCode: '011' })]);
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(20) });
  });
});

describe('A scan that is sent again', () => {
  const scan = told(1, 'held', { carrierStatusCode: 'C1 à', location: 'Forlì  Cesena' });

  test.each<[string, Item]>([
    ['in another case', { carrierStatusCode: 'c1 À', location: 'FORLÌ CESENA' }],
    ['without accents', { carrierStatusCode: 'C1 a', location: 'Forli Cesena' }],
    ['with other blanks', { location: ' Forlì Cesena' }],
    [
      'in another form of Unicode',
      { carrierStatusCode: 'C1 à'.normalize('NFD'), location: 'Forlì Cesena'.normalize('NFD') },
    ],
  ])('%s is stored once', async (_how, fields) => {
    const { caller } = await company(world);
    const [first, ...others] = outcomes(await recordEvents(caller, [scan, { ...scan, ...fields }]));
    expect([first, others]).toEqual(['created', ['unchanged']]);
    expect(outcomes(await recordEvents(caller, [{ ...scan, ...fields }]))).toEqual(['unchanged']);
  });

  test('with another code, place or time is stored as another one', async () => {
    const { caller } = await company(world);
    const others = [{ carrierStatusCode: 'C2 à' }, { location: 'Forlì' }, { occurredAt: at(2) }];
    expect(outcomes(await recordEvents(caller, [scan, ...others.map(fields => ({ ...scan, ...fields }))]))).toEqual(
      Array(4).fill('created'),
    );
  });
});

describe('A shipment of three parcels', () => {
  const LABELS = { parcelCount: 3, labels: ['n-1', 'n-2', 'n-3'] };
  const of = (label: number | null, minute: number, statusCode: string) =>
    told(minute, statusCode, label === null ? {} : { trackingNumber: `N-${label}` });

  test('is delivered with its last parcel, and announced once', async () => {
    const { caller } = await company(world, { fields: LABELS });
    await recordEvents(caller, [of(null, 1, 'shipped'), of(1, 10, 'delivered'), of(2, 12, 'out_for_delivery')]);
    expect(await record(caller)).toMatchObject({ status: 'In consegna', deliveredDate: null });
    await recordEvents(caller, [of(3, 40, 'delivered')]);
    expect(await record(caller)).toMatchObject({ status: 'In consegna', deliveredDate: null });
    await recordEvents(caller, [of(2, 20, 'delivered')]);
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(40) });
    expect(stepsOf(await fired(world, caller)).slice(1)).toEqual([
      `shipped > out_for_delivery at ${at(12)}`,
      `out_for_delivery > delivered at ${at(40)}`,
    ]);
    const { timeline } = await ask<{ timeline: { nodes: object[] } }>(
      caller,
      '{ trackingByNumber(trackingNumber: "n") { timeline { nodes { label statusCode } } } }',
    );
    expect(timeline.nodes).toEqual([
      { label: null, statusCode: 'shipped' },
      { label: 'n-1', statusCode: 'delivered' },
      { label: 'n-2', statusCode: 'out_for_delivery' },
      { label: 'n-2', statusCode: 'delivered' },
      { label: 'n-3', statusCode: 'delivered' },
    ]);
  });

  test('has the status of the parcel that ended last', async () => {
    const { caller } = await company(world, { fields: LABELS });
    await recordEvents(caller, [of(2, 30, 'lost'), of(1, 10, 'delivered'), of(3, 20, 'delivered')]);
    expect(await record(caller)).toMatchObject({ status: 'Smarrita o danneggiata', deliveredDate: null });
  });

  test('has the same scan of two labels as two events, and ends by its main number', async () => {
    const { caller } = await company(world, { fields: LABELS });
    const scans = [of(1, 5, 'at_depot'), of(2, 5, 'at_depot'), of(1, 5, 'at_depot'), of(null, 5, 'at_depot')];
    expect(outcomes(await recordEvents(caller, scans))).toEqual(['created', 'created', 'unchanged', 'created']);
    await recordEvents(caller, [of(null, 9, 'delivered')]);
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(9) });
  });

  test('whose number of parcels is corrected to fewer ends with the next event', async () => {
    const { caller, connection } = await company(world, { fields: LABELS });
    await recordEvents(caller, [of(1, 5, 'in_transit'), of(1, 9, 'delivered')]);
    await upsertShipments(caller, [shipment(connection, 'n', { parcelCount: 2, labels: ['n-1', 'n-2'] })]);
    await recordEvents(caller, [of(2, 12, 'delivered')]);
    expect(await record(caller)).toMatchObject({ status: 'Consegnata', deliveredDate: at(12) });
  });
});

test('A label of two shipments of a connection belongs to the newest', async () => {
  const { caller, connection } = await company(world, { fields: { labels: ['L'] } });
  await upsertShipments(caller, [shipment(connection, 'm', { labels: ['L'] })]);
  const event = told(1, 'held', { trackingNumber: 'L' });
  const named = { ...event, occurredAt: at(2), carrierConnectionId: connection };
  expect(outcomes(await recordEvents(caller, [event, named]))).toEqual(['created', 'created']);
  expect(await record(caller, 'm')).toMatchObject({ status: 'In giacenza', timeline: [{}, {}] });
  expect(await record(caller)).toMatchObject({ timeline: [] });
});
