import { describe, expect, test } from 'vitest';
import {
  ask,
  connectCarrier,
  type Item,
  listed,
  outcomes,
  RECORD_EVENTS,
  recordEvents,
  shipment,
  times,
  unseen,
  upsertShipments,
} from '../support/platform-side.ts';
import { runs } from '../support/property-runs.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

interface Event {
  readonly id: string;
  readonly occurredAt: string;
  readonly statusCode: string;
  readonly statusLabel: string;
  readonly carrierStatusCode: string | null;
  readonly description: string | null;
  readonly location: string | null;
  readonly note: string | null;
}

interface Tracked {
  readonly statusCode: string;
  readonly statusLabel: string;
  readonly statusAt: string | null;
  readonly deliveredAt: string | null;
  readonly updatedAt: string;
  readonly timeline: readonly Event[];
}

const track = (caller: Caller, number = 'n') =>
  ask(
    caller,
    `query ($number: String!) { trackingByNumber(trackingNumber: $number) {
      statusCode statusLabel statusAt deliveredAt updatedAt
      timeline(last: 10000) { nodes { id occurredAt statusCode statusLabel carrierStatusCode description location note } } } }`,
    { number },
  ).then(listed<Tracked>);

/** A company with a shipment `n` at a carrier. */
async function shipped(carrierCode = 'BRT', number = 'n'): Promise<{ caller: Caller; connection: number }> {
  const caller = await world.company();
  const connection = await connectCarrier(caller, carrierCode);
  await upsertShipments(caller, [shipment(connection, number)]);
  return { caller, connection };
}

/** Minute `minute` of an hour. */
const at = (minute: number) => new Date(Date.UTC(2026, 10, 21, 9, minute)).toISOString();

const event = (minute: number, fields: Item = { statusCode: 'in_transit' }): Item => ({
  trackingNumber: 'n',
  occurredAt: at(minute),
  ...fields,
});

describe('The status of an event', () => {
  test.each<[string, Item, string]>([
    ['BRT', { carrierStatusCode: '704', description: 'IN CONSEGNA' }, 'delivered'],
    ['BRT', { carrierStatusCode: '999', description: 'parole nuove' }, 'unknown'],
    ['GLS', { carrierStatusCode: '0905' }, 'out_for_delivery'],
    ['POSTE', { carrierStatusCode: '003', description: 'In lavorazione' }, 'held'],
    ['SDA', { carrierStatusCode: 'OK', description: "La spedizione e' stata consegnata" }, 'delivered'],
    ['INPOST', { carrierStatusCode: 'ready_to_pickup_from_pok' }, 'pickup_point'],
    ['AMAZON', { carrierStatusCode: 'DeliveryAttempted' }, 'delivery_failed'],
    ['FERCAM', { carrierStatusCode: 'OK', description: 'Consegnata' }, 'unknown'],
  ])('of %s with %j is %s', async (carrierCode, said, statusCode) => {
    const { caller } = await shipped(carrierCode);
    expect(outcomes(await recordEvents(caller, [event(1, said)]))).toEqual(['created']);
    const tracked = await track(caller);
    expect(tracked).toMatchObject({ statusCode, statusAt: at(1) });
    // The carrier's text is kept, understood or not.
    expect(tracked.timeline).toMatchObject([{ carrierStatusCode: null, description: null, ...said, statusCode }]);
    expect(tracked.statusLabel).toBe(tracked.timeline[0]?.statusLabel);
  });

  test('whose code has no row comes from its status group', async () => {
    const { caller } = await shipped('FEDEX');
    await recordEvents(caller, [event(1, { carrierStatusCode: 'Q7', carrierStatusGroup: 'OD' })]);
    const tracked = await track(caller);
    expect(tracked).toMatchObject({ statusCode: 'out_for_delivery', timeline: [{ carrierStatusCode: 'Q7' }] });
  });

  test("is the status that was sent, whatever the carrier's code says", async () => {
    const { caller } = await shipped('GLS');
    await recordEvents(caller, [event(1, { statusCode: 'held', carrierStatusCode: '906', description: 'CONSEGNATA' })]);
    expect(await track(caller)).toMatchObject({ statusCode: 'held', statusLabel: 'In giacenza', deliveredAt: null });
  });

  test('depends on the carrier of the shipment', async () => {
    const caller = await world.company();
    const [dhl, fedex] = [await connectCarrier(caller, 'DHL'), await connectCarrier(caller, 'FEDEX')];
    await upsertShipments(caller, [shipment(dhl, 'd'), shipment(fedex, 'f')]);
    await recordEvents(
      caller,
      ['d', 'f'].map(trackingNumber => event(1, { trackingNumber, carrierStatusCode: 'AR' })),
    );
    expect(await track(caller, 'd')).toMatchObject({ statusCode: 'at_depot' });
    expect(await track(caller, 'f')).toMatchObject({ statusCode: 'in_transit' });
  });

  test('is kept with everything that was sent with it', async () => {
    const { caller } = await shipped();
    const told = { statusCode: 'held', carrierStatusCode: 'C1', description: 'Testo', location: 'Bari', note: 'Nota' };
    const { results } = await recordEvents(caller, [event(1, told)]);
    const { timeline } = await track(caller);
    expect(timeline).toEqual([{ ...told, id: results[0]?.id, occurredAt: at(1), statusLabel: 'In giacenza' }]);
  });
});

describe('The current status', () => {
  test('comes from the newest event by its time, not by its arrival', async () => {
    const { caller } = await shipped();
    expect(await track(caller)).toMatchObject({ statusCode: 'created', statusAt: null, timeline: [] });
    await recordEvents(caller, [
      event(30, { statusCode: 'out_for_delivery' }),
      event(10, { statusCode: 'shipped' }),
      event(20, { statusCode: 'at_depot' }),
    ]);
    const tracked = await track(caller);
    expect(tracked).toMatchObject({ statusCode: 'out_for_delivery', statusLabel: 'In consegna', statusAt: at(30) });
    expect(tracked.timeline.map(({ statusCode }) => statusCode)).toEqual(['shipped', 'at_depot', 'out_for_delivery']);
  });

  test('is not changed by a late event, which still enters the timeline', async () => {
    const { caller } = await shipped();
    await recordEvents(caller, [event(30, { statusCode: 'delivered' })]);
    expect(outcomes(await recordEvents(caller, [event(20, { statusCode: 'out_for_delivery' })]))).toEqual(['created']);
    const after = await track(caller);
    expect(after).toMatchObject({ statusCode: 'delivered', statusAt: at(30), deliveredAt: at(30) });
    expect(after.timeline.map(({ occurredAt }) => occurredAt)).toEqual([at(20), at(30)]);
  });

  test('comes from the last event to arrive among equal times, and the timeline keeps the order of arrival', async () => {
    const { caller } = await shipped();
    await recordEvents(caller, [event(5, { statusCode: 'shipped' }), event(5, { statusCode: 'at_depot' })]);
    expect(await track(caller)).toMatchObject({ statusCode: 'at_depot' });
    await recordEvents(caller, [event(5, { statusCode: 'customs' })]);
    await recordEvents(caller, [event(5, { statusCode: 'held' }), event(5, { statusCode: 'delayed' })]);
    const tracked = await track(caller);
    expect(tracked).toMatchObject({ statusCode: 'delayed', statusAt: at(5) });
    expect(tracked.timeline.map(({ statusCode }) => statusCode)).toEqual([
      'shipped',
      'at_depot',
      'customs',
      'held',
      'delayed',
    ]);
  });

  test('of a delivery sets the date of delivery', async () => {
    const { caller } = await shipped('GLS');
    await recordEvents(caller, [event(10, { carrierStatusCode: '905' })]);
    expect(await track(caller)).toMatchObject({ deliveredAt: null });
    await recordEvents(caller, [event(20, { carrierStatusCode: '906' })]);
    expect(await track(caller)).toMatchObject({ statusCode: 'delivered', deliveredAt: at(20) });
    const { body } = await caller.rest('GET', '/shipments/tracking/by-tracking-number/n');
    expect(body.deliveredDate).toBe(at(20));
    await recordEvents(caller, [event(30, { statusCode: 'returning' })]);
    expect(await track(caller)).toMatchObject({ statusCode: 'returning', deliveredAt: null });
  });

  test('stays when the shipment is sent again', async () => {
    const { caller, connection } = await shipped();
    await recordEvents(caller, [event(20, { statusCode: 'delivered' })]);
    await upsertShipments(caller, [shipment(connection, 'n', { weight: 3, labels: ['l'] })]);
    expect(await track(caller)).toMatchObject({ statusCode: 'delivered', deliveredAt: at(20), timeline: [{}] });
  });
});

describe('A repeated event', () => {
  const told = { carrierStatusCode: 'C1', location: 'Bari', description: 'Testo' };

  test('sent twice in one batch is stored once', async () => {
    const { caller } = await shipped();
    const { results, ...counts } = await recordEvents(caller, [event(1, told), event(1, told), event(2, told)]);
    expect(counts).toEqual({ created: 2, unchanged: 1, rejected: 0 });
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'unchanged', 'created']);
    expect(results[1]).toMatchObject({ id: null, code: null, errors: [] });
    const { timeline } = await track(caller);
    expect(timeline.map(({ id }) => id)).toEqual([results[0]?.id, results[2]?.id]);
  });

  test('sent in two batches is stored once, as it was first sent', async () => {
    const { caller } = await shipped();
    expect(await recordEvents(caller, [event(1, told)])).toMatchObject({ created: 1, unchanged: 0 });
    const before = await track(caller);
    for (let round = 0; round < 4; round++) {
      const again = await recordEvents(caller, [event(1, { ...told, note: `round ${round}` })]);
      expect(again).toMatchObject({ created: 0, unchanged: 1, rejected: 0 });
    }
    expect(await track(caller)).toEqual(before);
  });

  test('sent twenty times at once is stored once', async () => {
    const { caller } = await shipped();
    const batch = times(10, minute => event(minute, told));
    const results = await Promise.all(times(20, () => recordEvents(caller, batch)));
    expect(results.reduce((sum, { created }) => sum + created, 0)).toBe(10);
    expect(results.reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(190);
    expect((await track(caller)).timeline.map(({ occurredAt }) => occurredAt)).toEqual(times(10, at));
  });

  test.each([
    ['another offset', { occurredAt: '2026-11-21T10:01:00+01:00' }],
    ['digits beyond milliseconds', { occurredAt: '2026-11-21T09:01:00.0009999Z' }],
    ['another spelling of the number', { trackingNumber: 'MUL N.' }],
    ['the number of a secondary label', { trackingNumber: 'label' }],
    ['another text', { description: 'Altro testo' }],
    ['spaces around the place', { location: ' Bari ' }],
  ])('is recognized despite %s', async (_what, fields) => {
    const { caller, connection } = await shipped();
    await upsertShipments(caller, [shipment(connection, 'n', { labels: ['LABEL'] })]);
    await recordEvents(caller, [event(1, told)]);
    expect(outcomes(await recordEvents(caller, [event(1, { ...told, ...fields })]))).toEqual(['unchanged']);
    expect((await track(caller)).timeline).toHaveLength(1);
  });

  test.each([
    ['another code', { carrierStatusCode: 'C2' }],
    ['another place', { location: 'Lecce' }],
    ['no place', { location: null }],
    ['a millisecond more', { occurredAt: '2026-11-21T09:01:00.001Z' }],
  ])('is a different event with %s', async (_what, fields) => {
    const { caller } = await shipped();
    await recordEvents(caller, [event(1, told)]);
    expect(outcomes(await recordEvents(caller, [event(1, { ...told, ...fields })]))).toEqual(['created']);
    expect((await track(caller)).timeline).toHaveLength(2);
  });

  test('without a code or a place is recognized by its status', async () => {
    const { caller } = await shipped();
    const results = await recordEvents(caller, [
      event(1, { statusCode: 'held' }),
      event(1, { statusCode: 'held' }),
      event(1, { description: 'GIACENZA' }),
      event(1, { statusCode: 'refused' }),
    ]);
    expect(outcomes(results)).toEqual(['created', 'unchanged', 'unchanged', 'created']);
  });

  test('of two shipments is stored for each', async () => {
    const { caller, connection } = await shipped();
    await upsertShipments(caller, [shipment(connection, 'm')]);
    const result = await recordEvents(caller, [event(1, told), event(1, { ...told, trackingNumber: 'm' })]);
    expect(outcomes(result)).toEqual(['created', 'created']);
  });
});

test('A text that has a meaning in PostgreSQL or JSON is kept as it was sent', async () => {
  const texts = ['null', 'NULL', '{a,b}', 'C:\\n "x" \\', "l'ora, 💶", '\\u0041', '\\"', '', '}'];
  const { caller } = await shipped();
  const events = texts.map((description, i) => event(i, { statusCode: 'in_transit', description, note: description }));
  expect(outcomes(await recordEvents(caller, events))).toEqual(texts.map(() => 'created'));
  const { timeline } = await track(caller);
  expect(timeline.map(({ note }) => note)).toEqual(texts.map(text => text || null));
});

test('The time of an event is shown in UTC with milliseconds', async () => {
  const { caller } = await shipped();
  const shown = '2026-10-25T01:30:00.123Z';
  await recordEvents(caller, [event(1, { statusCode: 'held', occurredAt: '2026-10-25T02:30:00.1234567+01:00' })]);
  expect(await track(caller)).toMatchObject({ statusAt: shown, timeline: [{ occurredAt: shown }] });
});

describe('The shipment of an event', () => {
  test.each(['N1.2', 'mul n12', ' n 1 2 '])('is found by %j', async trackingNumber => {
    const { caller } = await shipped('BRT', 'MUL N12');
    expect(outcomes(await recordEvents(caller, [event(1, { trackingNumber, statusCode: 'held' })]))).toEqual([
      'created',
    ]);
  });

  test('is found by the number of a secondary label, even if the label was sent twice', async () => {
    const { caller, connection } = await shipped();
    await upsertShipments(caller, [shipment(connection, 'n', { labels: ['once', 'twice', 'MUL twice'] })]);
    const results = await recordEvents(caller, [
      event(1, { trackingNumber: 'ONCE', statusCode: 'held' }),
      event(2, { trackingNumber: 'TWICE', statusCode: 'refused' }),
    ]);
    expect(outcomes(results)).toEqual(['created', 'created']);
    expect((await track(caller)).timeline).toHaveLength(2);
  });

  test('is the shipment that has the number as its main number, before one that has it as a label', async () => {
    const { caller, connection } = await shipped();
    await upsertShipments(caller, [shipment(connection, 'other', { labels: ['n'] })]);
    await recordEvents(caller, [event(1)]);
    expect((await track(caller, 'n')).timeline).toHaveLength(1);
    expect((await track(caller, 'other')).timeline).toHaveLength(0);
  });

  test('is not guessed if two connections have one', async () => {
    const { caller, connection: brt } = await shipped('BRT');
    const gls = await connectCarrier(caller, 'GLS');
    await upsertShipments(caller, [shipment(gls, 'N')]);
    const told = { carrierStatusCode: '906' };
    const { results } = await recordEvents(caller, [
      event(1, told),
      event(1, { ...told, carrierConnectionId: gls }),
      event(1, { ...told, carrierConnectionId: brt }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['rejected', 'created', 'created']);
    expect(results[0]).toMatchObject({ code: 'ambiguous_tracking_number', pointer: '/events/0/carrierConnectionId' });
    const { edges } = await ask<{ edges: { node: { statusCode: string } }[] }>(
      caller,
      '{ shipments { edges { node { statusCode timeline { nodes { id } } } } } }',
    );
    expect(edges.map(({ node }) => node)).toMatchObject([
      { statusCode: 'delivered', timeline: { nodes: [{}] } },
      { statusCode: 'unknown', timeline: { nodes: [{}] } },
    ]);
  });
});

describe('An invalid event', () => {
  const bad: [what: string, fields: Item, pointer: string, code: string][] = [
    ['an unknown shipment', { trackingNumber: 'nowhere' }, '/trackingNumber', 'shipment_not_found'],
    ['a blank number', { trackingNumber: ' ' }, '/trackingNumber', 'required'],
    ['a number of 101 characters', { trackingNumber: '1'.repeat(101) }, '/trackingNumber', 'too_long'],
    [
      'a connection that never existed',
      { carrierConnectionId: 2_000_000_000 },
      '/trackingNumber',
      'shipment_not_found',
    ],
    ['31 February', { occurredAt: '2026-02-31T09:00:00Z' }, '/occurredAt', 'invalid_date_time'],
    ['a time without offset', { occurredAt: '2026-02-28T09:00:00' }, '/occurredAt', 'invalid_date_time'],
    ['nothing to tell the status by', { statusCode: null, note: 'hm' }, '/statusCode', 'required'],
    ['a code of 101 characters', { carrierStatusCode: 'x'.repeat(101) }, '/carrierStatusCode', 'too_long'],
    ['a text of 1,001 characters', { description: 'x'.repeat(1001) }, '/description', 'too_long'],
    ['a NUL in its text', { description: 'a\u0000b' }, '/description', 'invalid_text'],
  ];

  test.each(bad)('with %s is reported, and the others are stored', async (_what, fields, pointer, code) => {
    const { caller } = await shipped();
    const { results, ...counts } = await recordEvents(caller, [
      event(1, { statusCode: 'shipped' }),
      event(2, { statusCode: 'delivered', ...fields }),
      event(3, { statusCode: 'held' }),
    ]);
    expect(counts).toEqual({ created: 2, unchanged: 0, rejected: 1 });
    expect(results[1]).toMatchObject({ index: 1, outcome: 'rejected', id: null, code, pointer: `/events/1${pointer}` });
    expect((await track(caller)).timeline.map(({ statusCode }) => statusCode)).toEqual(['shipped', 'held']);
  });

  test('with an unknown status is rejected with its batch, since the graph has no name for it', async () => {
    const { caller } = await shipped();
    const events = [event(1, { statusCode: 'shipped' }), event(2, { statusCode: 'teleported' })];
    const { errors } = await caller.graphql(RECORD_EVENTS, { input: events });
    expect(errors?.[0]?.extensions.errors).toMatchObject([{ pointer: '/events/1/statusCode', code: 'not_allowed' }]);
    expect(errors?.[0]?.message).toMatch(/must be one of AT_DEPOT, CANCELLED, .*Nothing was stored\.$/);
    expect((await track(caller)).timeline).toEqual([]);
  });
});

/** In `npm run test:slow` the largest there may be. */
const LARGE = runs(1_000, 10);

describe('A batch of events', () => {
  test(`is accepted with ${LARGE} events, and changes nothing if it is sent again`, async () => {
    const { caller } = await shipped();
    const batch = times(LARGE, i => event(i, { carrierStatusCode: `c${i}` }));
    expect(await recordEvents(caller, batch)).toMatchObject({ created: LARGE, unchanged: 0, rejected: 0 });
    expect(await recordEvents(caller, batch.toReversed())).toMatchObject({ created: 0, unchanged: LARGE });
    expect((await track(caller)).timeline.map(({ carrierStatusCode }) => carrierStatusCode)).toEqual(
      times(LARGE, i => `c${i}`),
    );
  });

  test.each([
    ['a number for a time', { occurredAt: 1_700_000_000 }, '/events/0/occurredAt', 'wrong_type'],
    ['no time', { occurredAt: undefined }, '/events/0/occurredAt', 'required'],
    ['a number for a number', { trackingNumber: 12 }, '/events/0/trackingNumber', 'wrong_type'],
    ['a misspelt field', { status: 'held' }, '/events/0/status', 'unknown_field'],
  ])('with %s is rejected as a whole', async (_what, fields, pointer, code) => {
    const { caller } = await shipped();
    const { errors } = await caller.graphql(unseen(RECORD_EVENTS), { input: [event(1, fields), event(2)] });
    expect(errors?.[0]?.extensions.errors).toContainEqual(expect.objectContaining({ pointer, code }));
    expect(errors?.[0]?.message).toMatch(/Nothing was stored\.$/);
    expect((await track(caller)).timeline).toEqual([]);
  });

  test('waits for no other batch, even if batches and shipments are sent at once in opposite orders', async () => {
    const { caller, connection } = await shipped();
    const count = runs(500, 5);
    const numbers = times(count, i => `s${i}`);
    const shipments = numbers.map(number => shipment(connection, number));
    await upsertShipments(caller, shipments);
    for (let round = 0; round < 3; round++) {
      const batch = (place: string) =>
        numbers.map(trackingNumber => event(round, { trackingNumber, statusCode: 'held', location: place }));
      const [one, other, sent] = await Promise.all([
        recordEvents(caller, batch('one')),
        recordEvents(caller, batch('other').toReversed()),
        upsertShipments(
          caller,
          shipments.toReversed().map(item => ({ ...item, weight: round + 1 })),
        ),
      ]);
      expect([one, other, sent]).toMatchObject([{ created: count }, { created: count }, { updated: count }]);
    }
    for (const number of ['s0', `s${count / 2}`, `s${count - 1}`]) {
      const { timeline, statusAt } = await track(caller, number);
      expect([timeline.length, statusAt]).toEqual([6, at(2)]);
    }
  }, 60_000);
});
