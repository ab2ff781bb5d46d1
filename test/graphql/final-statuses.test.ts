import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ask, type Item, recordEvents, shipment, upsertShipments } from '../support/platform-side.ts';
import { few, runs } from '../support/property-runs.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';
import { arrivals, byOrder, expectedOf, FINAL, MOVES, REOPENS, stepText } from './status-model.ts';
import { at, company, fired, record, type Shown, stepsOf, told } from './step-calls.ts';

// Which status a shipment has after events in any order and in any batches; a final one stays.

const world = useSharedWorld({ WEBHOOK_ALLOW_PRIVATE: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' });

interface Change {
  readonly __typename: string;
  readonly statusCode?: string;
  readonly previousStatusCode?: string;
  readonly event: { readonly occurredAt: string };
}

const CHANGES = `query ($after: String) {
  changes(after: $after, first: 1000, filter: { kinds: [STATUS, EVENT] }) {
    nodes {
      __typename
      ... on ShipmentStatusChanged { statusCode previousStatusCode event { occurredAt } }
      ... on TrackingEventRecorded { event { occurredAt } }
    }
    pageInfo { endCursor }
  }
}`;

/** The events in the change feed after a cursor: `null` for one that did not move the shipment. */
async function feed(caller: Caller, after: string | null = null) {
  const variables = after === null ? {} : { after };
  const page = await ask<{ nodes: Change[]; pageInfo: { endCursor: string } }>(caller, CHANGES, variables);
  const steps = page.nodes.map(({ statusCode, previousStatusCode, event: { occurredAt } }) =>
    statusCode ? `${previousStatusCode} > ${statusCode}`.toLowerCase().concat(` at ${occurredAt}`) : null,
  );
  return { steps, cursor: page.pageInfo.endCursor };
}

/** Records batches of events, and returns the record and the steps in webhooks. */
async function recorded(...batches: (readonly Item[])[]) {
  const { caller } = await company(world);
  for (const batch of batches) await recordEvents(caller, batch);
  const { status, deliveredDate, timeline } = await record(caller);
  return { caller, status, deliveredDate, timeline, steps: stepsOf(await fired(world, caller)) };
}

describe('A shipment with the status', () => {
  const scans = ['created', 'delayed', ...MOVES];

  test.each(['delivered', 'returned'])(
    '%s is not changed by later scans, which enter the timeline',
    async statusCode => {
      const before = await recorded([told(10, 'shipped'), told(20, statusCode)]);
      const { status, deliveredDate, timeline, steps } = await recorded(
        [told(10, 'shipped'), told(20, statusCode), told(25, 'in_transit')],
        scans.map((scan, i) => told(30 + i, scan)),
      );
      expect([status, deliveredDate, steps]).toEqual([before.status, before.deliveredDate, before.steps]);
      expect(timeline).toHaveLength(3 + scans.length);
    },
  );

  test.each(['cancelled', 'lost'])('%s is changed by a scan of the parcel, and by nothing else', async statusCode => {
    for (const to of scans) {
      const { caller } = await recorded(
        [told(10, statusCode)],
        [told(20, 'created'), told(25, 'delayed'), told(30, to)],
      );
      const { steps } = await feed(caller);
      expect(steps).toEqual([
        `created > ${statusCode} at ${at(10)}`,
        ...[null, null],
        MOVES.has(to) ? `${statusCode} > ${to} at ${at(30)}` : null,
      ]);
    }
  });

  test.each(
    few(
      [...FINAL].flatMap(from => [...FINAL, ...REOPENS].map(to => [from, to] as const)),
      4,
    ),
  )('%s is changed by a later %s', async (from, to) => {
    const { caller } = await recorded([told(10, from)], [told(20, 'created'), told(30, to)]);
    const { steps } = await feed(caller);
    expect(steps).toEqual([
      `created > ${from} at ${at(10)}`,
      null,
      to === from ? null : `${from} > ${to} at ${at(30)}`,
    ]);
  });

  test('refused is changed by scans again, even after a delivery', async () => {
    const { status, steps } = await recorded([told(10, 'delivered'), told(20, 'refused'), told(30, 'at_depot')]);
    expect(status).toBe('Arrivata in filiale');
    expect(steps).toEqual([
      `created > delivered at ${at(10)}`,
      `delivered > refused at ${at(20)}`,
      `refused > at_depot at ${at(30)}`,
    ]);
  });

  const same = [told(10, 'delivered'), told(10, 'out_for_delivery')];
  test.each([
    ['in one batch, newest first', [same]],
    ['in one batch, oldest first', [same.toReversed()]],
    ['in two batches, newest first', same.map(event => [event])],
    ['in two batches, oldest first', same.toReversed().map(event => [event])],
  ])('delivered keeps it among events of the same time, %s', async (_how, batches) => {
    const { status, deliveredDate, timeline, steps } = await recorded(...batches);
    expect([status, deliveredDate]).toEqual(['Consegnata', at(10)]);
    expect(timeline.map(({ statusCode }: Shown) => statusCode)).toEqual(
      batches.flat().map(({ statusCode }) => statusCode),
    );
    expect(steps.at(-1)).toMatch(/ > delivered at /);
  });

  test.each([
    ['906, then 905 of the same minute', ['906', 10], ['905', 10], 'Consegnata'],
    ['906, then 908', ['906', 10], ['908', 20], 'Consegnata'],
    ['908, then 906', ['908', 10], ['906', 20], 'Consegnata'],
  ] as const)('delivered keeps it after the GLS codes %s', async (_what, one, other, status) => {
    const events = [one, other].map(([carrierStatusCode, minute]) => ({
      trackingNumber: 'n',
      occurredAt: at(minute),
      carrierStatusCode,
    }));
    expect((await recorded(events)).status).toBe(status);
    expect((await recorded(events.toReversed())).status).toBe(status);
  });
});

describe('The delivered date', () => {
  test('comes from the first delivered event, and a later scan changes nothing', async () => {
    const { caller, deliveredDate } = await recorded(
      [told(10, 'delivered'), told(20, 'delivered', { location: 'Torino' })],
      [told(30, 'delivered', { location: 'Milano' })],
    );
    expect(deliveredDate).toBe(at(10));
    const [event, ...others] = await fired(world, caller);
    expect([event?.data.deliveredDate, others]).toEqual([at(10), []]);
  });

  test.each([...REOPENS])('comes from the new delivery after %s', async between => {
    const { caller, deliveredDate } = await recorded(
      [told(10, 'delivered')],
      [told(20, between)],
      [told(30, 'delivered'), told(40, 'delivered')],
    );
    expect(deliveredDate).toBe(at(30));
    expect((await fired(world, caller)).at(-1)?.data.deliveredDate).toBe(at(30));
  });

  test.each(['returned', 'lost'])('is null once the shipment is %s', async statusCode => {
    expect((await recorded([told(10, 'delivered')], [told(20, statusCode)])).deliveredDate).toBeNull();
  });
});

describe('The previous status', () => {
  test('is unknown if the record showed that, and the change to it is in the feed', async () => {
    const { caller, steps } = await recorded([told(10, 'unknown'), told(12, 'unknown')], [told(14, 'shipped')]);
    expect(steps).toEqual([`unknown > shipped at ${at(14)}`]);
    expect((await feed(caller)).steps).toEqual([
      `created > unknown at ${at(10)}`,
      null,
      `unknown > shipped at ${at(14)}`,
    ]);
  });

  test('is created if an event with an unknown code came together with others', async () => {
    const { steps } = await recorded([told(10, 'unknown'), told(14, 'shipped')]);
    expect(steps).toEqual([`created > shipped at ${at(14)}`]);
  });
});

describe('Random histories', () => {
  test('lead to the same status, date, change log and webhooks, in whatever order and batches they arrive', async () => {
    const { caller, connection } = await company(world);
    let shipments = 0;
    let cursor = (await feed(caller)).cursor;
    await fc.assert(
      fc.asyncProperty(arrivals, async batches => {
        const trackingNumber = `S${++shipments}`;
        await upsertShipments(caller, [shipment(connection, trackingNumber)]);
        for (const [i, batch] of batches.entries()) {
          // Earlier events are sent again with it, and change nothing.
          const again = batches[i - 1]?.slice(0, 1) ?? [];
          const items = [...again, ...batch].map(({ minute, statusCode }) =>
            told(minute, statusCode, { trackingNumber }),
          );
          await recordEvents(caller, items);
        }
        const expected = expectedOf(batches);
        const { status, deliveredDate, timeline } = await record(caller, trackingNumber);
        const labels = new Map(timeline.map(({ statusCode, label }: Item) => [statusCode, label]));
        expect([status, deliveredDate]).toEqual([labels.get(expected.status), expected.deliveredDate]);
        const whole = expectedOf([batches.flat()]);
        expect([expected.status, expected.deliveredDate]).toEqual([whole.status, whole.deliveredDate]);

        // Each event is in the feed once, and again when a late one makes it a step.
        const changes = await feed(caller, cursor);
        cursor = changes.cursor;
        expect(changes.steps.filter(step => step !== null)).toEqual(expected.steps.map(stepText));
        const isOrdered = batches.every((batch, i) =>
          batches.slice(0, i).every(before => before.every(one => batch.every(other => byOrder(one, other) <= 0))),
        );
        if (isOrdered) expect(changes.steps).toHaveLength(batches.flat().length);

        const { fires } = expected;
        const found = await fired(world, caller, trackingNumber);
        expect(stepsOf(found)).toEqual(fires.map(stepText));
        expect(found.map(({ sequence }) => sequence)).toEqual(fires.map((_, i) => i + 1));
        const steps = found.map(({ data }) => `${data.statusCode} ${data.event.timestamp}`);
        expect(new Set(steps).size).toBe(steps.length);
        for (const [i, { data }] of found.entries()) {
          expect(data.timeline.map(entry => [entry.timestamp, entry.statusCode])).toEqual(
            fires[i]?.timeline.map(({ minute, statusCode }) => [at(minute), statusCode]),
          );
          expect(data.deliveredDate).toBe(data.statusCode === 'delivered' ? data.event.timestamp : null);
        }
      }),
      { numRuns: runs(90, 12), endOnFailure: true },
    );
  });
});
