import { afterAll, describe, expect, test } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { gls } from '../../src/sandbox/gls-stand-in.ts';
import { startSandbox } from '../../src/sandbox/stand-ins.ts';
import { ask } from '../graphql/platform-side.ts';
import { feedEvents, feedShipments, RECIPIENT, upsertShipments } from '../rest/feed.ts';
import { CREDENTIALS, connectSandbox } from '../support/carriers.ts';
import { REACHABLE, startReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { passTime } from '../support/time.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { usePolls } from './polls.ts';
import { createWebhook, eventually, runSchedule } from './webhooks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Every question that the carriers were asked, by tracking number. */
const asked: string[] = [];

/** Numbers with one of these in them have left a depot at a time that can't be read, or in 2098. */
const SPOILT = { MALFORMED: '99/99/99', FUTURE: '01/01/98' } as const;
const MALFORMED = 'MALFORMED';

/** A carrier's stand-in that is counted, and spoils the date of its third event where it is asked to. */
function counting(carrier: typeof gls, spoil: (body: string, date: string) => string): typeof gls {
  return {
    ...carrier,
    answer(request) {
      const numbers: string[] = [];
      const journey = (number: string) => {
        numbers.push(number);
        return request.journey(number);
      };
      const answer = carrier.answer({ ...request, journey });
      asked.push(...numbers);
      const [, date] = Object.entries(SPOILT).find(([word]) => numbers.some(number => number.includes(word))) ?? [];
      return date === undefined ? answer : { ...answer, body: spoil(answer.body.toString('latin1'), date) };
    },
  };
}

const sandbox = await startSandbox({
  carriers: [
    counting(gls, (body, date) => body.replace(/<Data>[^<]*(?=(?:(?!<Data>).)*BOLOGNA)/s, `<Data>${date}`)),
    counting(brt, body => body.replace(/(?<="id":"701","data":")[^"]*/, '99.99.9999')),
  ],
});
const ENV = { ...REACHABLE, CARRIER_SANDBOX_URL: sandbox.url };
const world = useWorld(ENV);
afterAll(() => sandbox.close());

/** Carriers are asked about the number itself, however it is typed. */
const plain = (number: string) => number.toUpperCase().replace(/[ .]/g, '').replace(/^MUL/, '');

const timesAsked = (number: string) => asked.filter(one => one === plain(number)).length;

function update(caller: Caller, carrierCompanyId: number, input: object): Promise<object> {
  return ask(
    caller,
    `mutation ($input: UpdateCarrierConnectionInput!) {
      updateCarrierConnection(input: $input) { carrierConnection { carrierCompanyId } userErrors { code pointer message } }
    }`,
    { input: { id: carrierCompanyId, ...input } },
  );
}

async function statusOf(caller: Caller, trackingNumber: string): Promise<string> {
  const query = 'query ($n: String!) { trackingByNumber(trackingNumber: $n) { statusCode } }';
  return (await ask<{ statusCode: string }>(caller, query, { n: trackingNumber })).statusCode;
}

interface TimelineEvent {
  readonly statusCode: string;
  readonly timestamp: string;
  readonly location: string | null;
  readonly note: string | null;
}

interface Poll {
  readonly number: string;
  readonly misses: number;
  /** How long after the last poll the next one comes; null before the first. */
  readonly waitMs: number | null;
}

/** What is followed of a company's, by tracking number. */
async function followed({ companyId }: Caller): Promise<Poll[]> {
  const { rows } = await world.pool.query<Poll>(
    `select s.tracking_number as number, p.misses, (extract(epoch from p.due_at - p.polled_at) * 1000)::float8 as "waitMs"
      from tracking_poll p join shipment s on s.company_id = p.company_id and s.id = p.shipment_id
      where p.company_id = $1 order by 1`,
    [companyId],
  );
  return rows;
}

const numbersFollowed = async (caller: Caller) => (await followed(caller)).map(({ number }) => number);

const { claim, pollAfter } = usePolls(world);

function expectAbout(waitMs: number | null | undefined, wanted: number): void {
  expect(waitMs).toBeGreaterThanOrEqual(wanted * 0.8);
  expect(waitMs).toBeLessThanOrEqual(wanted * 1.2);
}

describe.concurrent('A shipment', () => {
  test('walks from created to delivered by what its carrier says, subscribers are notified, and it is asked about no more', {
    timeout: 60_000,
  }, async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url);
      const connection = await connectSandbox(caller, 'GLS');
      await feedShipments(caller, connection, { trackingNumber: 'WALK1' });
      const seen: string[] = [];
      while (seen.at(-1) !== 'delivered' && seen.length < 8) {
        await pollAfter(caller, 2 * MINUTE);
        seen.push(await statusOf(caller, 'WALK1'));
      }
      expect(seen).toEqual(['created', 'shipped', 'in_transit', 'at_depot', 'out_for_delivery', 'delivered']);
      expect(await followed(caller)).toEqual([]);
      await pollAfter(caller, 2 * DAY);
      expect(timesAsked('WALK1')).toBe(6);
      const told = (await receiver.waitFor(5)).map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence);
      const types = ['order_shipped', 'in_transit', 'in_transit', 'out_for_delivery', 'delivered'];
      expect(told.map(({ type }) => type)).toEqual(types.map(type => `tracking.${type}`));
    } finally {
      await receiver.close();
    }
  });

  test('walks as well where its number is typed with blanks, dots, in lower case or as on a label', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = [
      'WALK 0840 0700 1',
      'WALK.0840.0700.2',
      'walk084007003',
      'MULWALK084007004',
      'Mul walk. 0840 07 05',
    ];
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    for (const status of ['created', 'shipped']) {
      await pollAfter(caller, 2 * MINUTE);
      for (const number of numbers) expect([number, await statusOf(caller, number)]).toEqual([number, status]);
    }
    expect(numbers.map(timesAsked)).toEqual([2, 2, 2, 2, 2]);
    for (const number of numbers) expect(asked).not.toContain(number);
  });

  test.each([
    ['GLS', '99/99/99'],
    ['BRT', '99.99.9999'],
  ])('of %s has all its events, also one whose time can not be read', async (carrierCode, time) => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, carrierCode);
    const trackingNumber = `${MALFORMED} ${carrierCode} OUT_FOR_DELIVERY`;
    await feedShipments(caller, connection, { trackingNumber });
    await pollAfter(caller, 2 * MINUTE);
    const { timeline, statusCode } = await ask<{ timeline: TimelineEvent[]; statusCode: string }>(
      caller,
      `query ($n: String!) { trackingByNumber(trackingNumber: $n) {
        statusCode timeline { statusCode timestamp location note }
      } }`,
      { n: trackingNumber },
    );
    expect(statusCode).toBe('out_for_delivery');
    // The one whose time can't be read is dated when it was received, and moves nothing.
    const statuses = ['created', 'shipped', 'at_depot', 'out_for_delivery', 'unknown'];
    expect(timeline.map(event => event.statusCode)).toEqual(statuses);
    const spoilt = timeline.at(-1);
    expect(spoilt).toMatchObject({ location: 'BOLOGNA' });
    expect(spoilt?.note).toMatch(`Orario non leggibile: ${time}`);
    expect(Math.abs(Date.now() - Date.parse(spoilt?.timestamp ?? ''))).toBeLessThan(MINUTE);
    // Asked again, the carrier says the same, and it is the same.
    await pollAfter(caller, DAY);
    expect(timesAsked(trackingNumber)).toBe(2);
    const { timeline: again } = await ask<{ timeline: unknown[] }>(
      caller,
      'query ($n: String!) { trackingByNumber(trackingNumber: $n) { timeline { id } } }',
      { n: trackingNumber },
    );
    expect(again).toHaveLength(5);
  });

  test.each([
    ['MALFORMED', 'Orario non leggibile: 99/99/99'],
    ['FUTURE', 'Orario nel futuro: 2098-01-01T'],
  ])(
    'with an event whose time is %s has it once, however often its carrier says more, and is delivered',
    async (word, note) => {
      const caller = await world.sandbox();
      const connection = await connectSandbox(caller, 'GLS');
      const trackingNumber = `WALK ${word} 7`;
      await feedShipments(caller, connection, { trackingNumber });
      for (let asked = 0; asked < 6; asked++) await pollAfter(caller, 2 * MINUTE);
      expect(timesAsked(trackingNumber)).toBe(6);
      const tracked = await ask<{ timeline: TimelineEvent[]; statusCode: string; deliveredDate: string | null }>(
        caller,
        `query ($n: String!) { trackingByNumber(trackingNumber: $n) {
        statusCode deliveredDate timeline { statusCode timestamp location note }
      } }`,
        { n: trackingNumber },
      );
      expect(tracked).toMatchObject({ statusCode: 'delivered', deliveredDate: expect.any(String) });
      expect(tracked.timeline.map(event => event.statusCode).toSorted()).toEqual(
        ['created', 'shipped', 'unknown', 'at_depot', 'out_for_delivery', 'delivered'].toSorted(),
      );
      const spoilt = tracked.timeline.find(event => event.statusCode === 'unknown');
      expect(spoilt?.note).toContain(note);
      expect(Math.abs(Date.now() - Date.parse(spoilt?.timestamp ?? ''))).toBeLessThan(MINUTE);
    },
  );

  test('that is found delivered at the first poll sends an event for each step', async () => {
    const caller = await world.sandbox();
    const receiver = await startReceiver();
    try {
      await createWebhook(caller, receiver.url, ['tracking.order_shipped', 'tracking.delivered']);
      const connection = await connectSandbox(caller, 'GLS');
      await feedShipments(caller, connection, { trackingNumber: 'TEST-DELIVERED-77' });
      await pollAfter(caller, 2 * MINUTE);
      const told = (await receiver.waitFor(2)).map(({ json }) => json).toSorted((a, b) => a.sequence - b.sequence);
      expect(told).toMatchObject([
        {
          type: 'tracking.order_shipped',
          sequence: 1,
          data: { status: 'Spedita', previousStatusCode: 'created', deliveredDate: null, timeline: [{}, {}] },
        },
        {
          type: 'tracking.delivered',
          sequence: 5,
          data: { status: 'Consegnata', previousStatusCode: 'out_for_delivery', timeline: [{}, {}, {}, {}, {}, {}] },
        },
      ]);
    } finally {
      await receiver.close();
    }
  });

  test('that turns up again is followed again; not by what was before it was lost', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = 'FOUND1 DELAYED';
    await feedShipments(caller, connection, { trackingNumber });
    const tell = (hour: number, statusCode: string) =>
      feedEvents(caller, { trackingNumber, timestamp: `2026-11-10T${hour}:00:00Z`, statusCode });
    await tell(12, 'lost');
    expect(await numbersFollowed(caller)).toEqual([]);
    await tell(11, 'in_transit');
    expect([await statusOf(caller, trackingNumber), await numbersFollowed(caller)]).toEqual(['lost', []]);
    await tell(13, 'returning');
    expect(await numbersFollowed(caller)).toEqual([trackingNumber]);
    await pollAfter(caller, HOUR);
    expect([await statusOf(caller, trackingNumber), timesAsked(trackingNumber)]).toEqual(['delayed', 1]);
    await tell(14, 'in_transit');
    expect(await numbersFollowed(caller)).toEqual([trackingNumber]);
  });

  test('that goes through several states at once is followed where the last of them is open', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const trackingNumber = 'SEVERAL1 DELAYED';
    await feedShipments(caller, connection, { trackingNumber });
    let hour = 0;
    for (const [way, isFollowed] of [
      [['lost', 'returning'], true],
      [['out_for_delivery', 'delivered'], false],
      [['returning', 'returned'], false],
      [['returning', 'delayed'], true],
    ] as const) {
      const timestamp = () => new Date(Date.UTC(2026, 10, 10, hour++)).toISOString();
      await feedEvents(caller, ...way.map(statusCode => ({ trackingNumber, timestamp: timestamp(), statusCode })));
      expect([way, await numbersFollowed(caller)]).toEqual([way, isFollowed ? [trackingNumber] : []]);
    }
  });

  test('that is done is followed no more, nor one that is older than sixty days', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString();
    await feedShipments(
      caller,
      connection,
      { trackingNumber: 'AGE1 IN_TRANSIT', shipmentDate: ago(61) },
      { trackingNumber: 'AGE2 IN_TRANSIT', shipmentDate: ago(59) },
      { trackingNumber: 'AGE3 IN_TRANSIT', shipmentDate: ago(1) },
      { trackingNumber: 'AGE4 IN_TRANSIT', shipmentDate: null },
    );
    expect(await numbersFollowed(caller)).toEqual(['AGE2 IN_TRANSIT', 'AGE3 IN_TRANSIT', 'AGE4 IN_TRANSIT']);
    const timestamp = new Date().toISOString();
    await feedEvents(caller, { trackingNumber: 'AGE3 IN_TRANSIT', timestamp, statusCode: 'delivered' });
    expect(await numbersFollowed(caller)).toEqual(['AGE2 IN_TRANSIT', 'AGE4 IN_TRANSIT']);
    await feedShipments(caller, connection, { trackingNumber: 'AGE2 IN_TRANSIT', shipmentDate: ago(60.01) });
    await pollAfter(caller, HOUR);
    expect(await numbersFollowed(caller)).toEqual(['AGE4 IN_TRANSIT']);
  });

  test('is asked about later and later while its carrier does not answer, and harms no other', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS');
    const numbers = ['B OFFLINE', 'B HTML', 'B NOTFOUND', 'B IN_TRANSIT', 'B DELIVERED', 'B OUT_FOR_DELIVERY'];
    await feedShipments(caller, connection, ...numbers.map(trackingNumber => ({ trackingNumber })));
    for (const [round, wanted] of [5 * MINUTE, 10 * MINUTE, 20 * MINUTE].entries()) {
      await pollAfter(caller, HOUR);
      const polls = new Map((await followed(caller)).map(poll => [poll.number, poll]));
      expect([...polls.keys()].toSorted()).toEqual(numbers.filter(number => number !== 'B DELIVERED').toSorted());
      for (const number of ['B OFFLINE', 'B HTML']) {
        expect(polls.get(number)?.misses).toBe(round + 1);
        expectAbout(polls.get(number)?.waitMs, wanted);
      }
      for (const number of ['B NOTFOUND', 'B IN_TRANSIT', 'B OUT_FOR_DELIVERY']) {
        expect(polls.get(number)).toMatchObject({ misses: 0 });
        expect(polls.get(number)?.waitMs).toBeLessThan(MINUTE);
      }
    }
    expect(await Promise.all(numbers.map(number => statusOf(caller, number)))).toEqual([
      ...['created', 'created', 'created'],
      ...['in_transit', 'delivered', 'out_for_delivery'],
    ]);
  });
});

describe.concurrent('A connection', () => {
  test("without credentials is not asked; with them its open shipments are, and no more once they're gone", async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS', { credentials: null });
    await feedShipments(caller, connection, { trackingNumber: 'C1 HELD' }, { trackingNumber: 'C2 HELD' });
    await feedEvents(caller, { trackingNumber: 'C2 HELD', timestamp: '2026-11-20T10:00:00Z', statusCode: 'returned' });
    await pollAfter(caller, HOUR);
    expect([timesAsked('C1 HELD'), await followed(caller)]).toEqual([0, []]);
    await update(caller, connection, { credentials: CREDENTIALS.GLS });
    await pollAfter(caller, HOUR);
    expect([timesAsked('C1 HELD'), timesAsked('C2 HELD')]).toEqual([1, 0]);
    expect(await statusOf(caller, 'C1 HELD')).toBe('held');
    for (const change of [{ isActive: false }, { isActive: true, credentials: null }]) {
      await update(caller, connection, change);
      expect(await followed(caller)).toEqual([]);
    }
    await update(caller, connection, { credentials: CREDENTIALS.GLS });
    expect(await numbersFollowed(caller)).toEqual(['C1 HELD']);
  });

  test('whose credentials the carrier rejects is asked seldom', async () => {
    const caller = await world.sandbox();
    const connection = await connectSandbox(caller, 'GLS', {
      credentials: { ...CREDENTIALS.GLS, contractCode: 'wrong' },
    });
    await feedShipments(caller, connection, { trackingNumber: 'D1 IN_TRANSIT' });
    for (const wanted of [HOUR, 2 * HOUR]) {
      await pollAfter(caller, DAY);
      const [poll] = await followed(caller);
      expectAbout(poll?.waitMs, wanted);
    }
    expect(await statusOf(caller, 'D1 IN_TRANSIT')).toBe('created');
  });
});

test('A connection with very many shipments has them all followed, the rest by and by', async () => {
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

test('Workers share what is due: each shipment is asked about once', { timeout: 120_000 }, async () => {
  const others = [await startProcess(world, { ...ENV, ROLE: 'worker' })];
  try {
    const callers = await Promise.all([world.sandbox(), world.sandbox()]);
    const numbers: string[] = [];
    const connections: [Caller, number][] = [];
    for (const [i, caller] of callers.entries()) {
      for (const account of ['a', 'b']) {
        const carrierCompanyId = await connectSandbox(caller, 'GLS', { credentials: null });
        const shipments = Array.from({ length: 300 }, (_, n) => ({
          carrierCompanyId,
          trackingNumber: `SHARED ${i}${account}${n} IN_TRANSIT`,
          recipient: RECIPIENT,
        }));
        await upsertShipments(caller, shipments);
        numbers.push(...shipments.map(({ trackingNumber }) => trackingNumber));
        connections.push([caller, carrierCompanyId]);
      }
    }
    // At once, before a minute of the clock's own falls between.
    await Promise.all(connections.map(([caller, id]) => update(caller, id, { credentials: CREDENTIALS.GLS })));
    await Promise.all(callers.map(({ companyId }) => passTime(world.pool, 2 * MINUTE, companyId)));
    // By whichever worker takes it up.
    await Promise.all([1, 2].map(() => runSchedule(world, world.pool, 'tracking.claim')));
    for (const caller of callers) {
      const unasked = async () => (await followed(caller)).filter(({ waitMs }) => waitMs === null || waitMs > HOUR / 2);
      await eventually(unasked, [], 40_000);
    }
    expect(new Set(numbers.map(timesAsked))).toEqual(new Set([1]));
  } finally {
    await Promise.all(others.map(app => app.stop()));
  }
});
