import { once as emitted } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { App } from '../../src/app.ts';
import { deliveries as deliveriesQueue } from '../../src/domain/webhooks/webhooks.jobs.ts';
import type { CompanyId } from '../../src/platform/database/tenancy.ts';
import { upsertShipments } from '../graphql/platform-side.ts';
import { connectCarrier, feedEvents, feedShipments, recordTrackingEvents } from '../rest/feed.ts';
import { SELF_SIGNED } from '../support/certificate.ts';
import { graphqlClient } from '../support/graphql-client.ts';
import { REACHABLE, type Received, type Receiver, type Reply, startReceiver } from '../support/receiver.ts';
import { startProcess } from '../support/second-process.ts';
import { passTime } from '../support/time.ts';
import { type Caller, useWorld, type World } from '../support/world.ts';
import {
  createWebhook,
  deleteWebhook,
  deliveries,
  eventually,
  once,
  pauseWebhook,
  resumeWebhook,
  rotateSecret,
  sendTest,
  webhook,
} from './webhooks.ts';

const world = useWorld(REACHABLE);
let database: pg.Pool;

beforeAll(() => {
  database = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
});
afterAll(() => database.end());

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A receiver for one test. */
async function receive(how?: Parameters<Receiver['answer']>[0], tls?: { key: string; cert: string }) {
  const receiver = await startReceiver(tls && { tls });
  closers.push(() => receiver.close());
  if (how) receiver.answer(how);
  return receiver;
}

/** An endpoint for one test. */
async function open(caller: Caller, url: string, events?: readonly string[]) {
  const made = await createWebhook(caller, url, events);
  closers.push(() => deleteWebhook(caller, made.id));
  return made;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const AT = '2026-11-20T10:00:00Z';

/** Throws where the request is not signed with the secret, for a library that is not ours. */
const VERIFIERS = {
  standardwebhooks: (secret: string, { body, headers }: Received) =>
    new StandardWebhook(secret).verify(body, headers as Record<string, string>),
  svix: (secret: string, { body, headers }: Received) =>
    new SvixWebhook(secret).verify(body, headers as Record<string, string>),
};

/** Which of the secrets a request is signed with, as both libraries say. */
function signers(request: Received, ...secrets: string[]): boolean[] {
  const [mine, theirs] = Object.values(VERIFIERS).map(verify =>
    secrets.map(secret => {
      try {
        verify(secret, request);
        return true;
      } catch {
        return false;
      }
    }),
  );
  expect(mine).toEqual(theirs);
  return mine ?? [];
}

describe('A request', () => {
  test('is signed as published libraries verify it: with both secrets after a rotation, a day later with the new one', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, secret: first } = await open(caller, receiver.url);
    const signedBy = async (...secrets: string[]) => {
      const { eventId } = await sendTest(caller, id);
      const [request] = await receiver.waitFor(1, ({ json }) => json.id === eventId);
      return request ? signers(request, ...secrets) : [];
    };
    expect(await signedBy(first)).toEqual([true]);
    const { secret: second } = await rotateSecret(caller, id);
    expect(await signedBy(first, second)).toEqual([true, true]);
    await passTime(database, DAY - HOUR);
    const { secret: third } = await rotateSecret(caller, id);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(await signedBy(first, second, third)).toEqual([true, true, true]);
    await passTime(database, 2 * HOUR);
    expect(await signedBy(first, second, third)).toEqual([false, true, true]);
    await passTime(database, DAY);
    expect(await signedBy(first, second, third)).toEqual([false, false, true]);
  });

  test('is refused by them where a byte of it is another', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, secret } = await open(caller, receiver.url);
    await sendTest(caller, id);
    const request = await receiver.next();
    expect(signers(request, secret)).toEqual([true]);
    const { headers, body } = request;
    const changed: Partial<Received>[] = [
      { body: Buffer.concat([body, Buffer.from(' ')]) },
      { headers: { ...headers, 'webhook-id': `${headers['webhook-id']}0` } },
      { headers: { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) - 1}` } },
    ];
    for (const change of changed) expect(signers({ ...request, ...change }, secret)).toEqual([false]);
  });

  test('has the id of its event on every attempt, and a time and a signature of its own', async () => {
    const caller = await world.company();
    const receiver = await receive((_, n) => ({ status: n < 3 ? 500 : 204 }));
    const { id, secret } = await open(caller, `${receiver.url}/hooks/%C3%A8?key=a%20b&c`);
    const sent = await sendTest(caller, id);
    for (const attemptCount of [1, 2]) {
      await once(caller, sent.id, { attemptCount });
      const second = Math.floor(Date.now() / 1_000);
      await vi.waitUntil(() => Math.floor(Date.now() / 1_000) > second, { timeout: 3_000 });
      await passTime(database, HOUR);
    }
    const { body } = await once(caller, sent.id, { status: 'success', attemptCount: 3 });
    expect(receiver.requests).toHaveLength(3);
    for (const request of receiver.requests) {
      expect(request).toMatchObject({ method: 'POST', path: '/hooks/%C3%A8?key=a%20b&c' });
      expect(request.headers).toMatchObject({
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
        'user-agent': expect.stringMatching(/^Shipping-Integrations-API\//),
        'webhook-id': sent.eventId,
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
      });
      expect(Math.abs(Number(request.headers['webhook-timestamp']) * 1_000 - request.at)).toBeLessThan(2_000);
      expect(signers(request, secret)).toEqual([true]);
      expect(request.body.equals(Buffer.from(body))).toBe(true);
      expect(request.json).toMatchObject({ id: sent.eventId, type: sent.eventType, sequence: 0 });
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(3);
  });

  const TEXTS = [
    'line\u2028and paragraph\u2029separators',
    'emoji 📦🚚 and a family 👨‍👩‍👧',
    'beyond the BMP: 𠮷野家, 𝒜, \u{10ffff}',
    'è composed, e\u0300 not',
    '"quotes" \\ and </script> & \ufeff\ufffd',
    'right \u202e to left',
  ];

  test.each(TEXTS)('is to the byte what is stored and what is signed: %j', async text => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    const receiver = await receive();
    const { id, secret } = await open(caller, receiver.url);
    const recipient = { companyName: text, address: text, postalCode: '20121', city: text };
    await feedShipments(caller, brt, { trackingNumber: 'u1', recipient });
    const event = { description: text, location: text, note: text };
    await feedEvents(caller, { trackingNumber: 'u1', timestamp: AT, statusCode: 'shipped', ...event });
    const request = await receiver.next();
    const [stored] = await deliveries(caller, id);
    const { rows } = await database.query<{ bytes: Buffer }>(
      `select convert_to(body, 'UTF8') as bytes from webhook_event where id = $1`,
      [stored?.eventId],
    );
    expect(request.body.equals(rows[0]?.bytes ?? Buffer.of())).toBe(true);
    expect(request.body.equals(Buffer.from(stored?.body ?? ''))).toBe(true);
    expect(signers(request, secret)).toEqual([true]);
    expect(request.json.data).toMatchObject({ recipient: { companyName: text, city: text }, timeline: [event], event });
  });

  test('cannot have half a character in it, since none is taken', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    await feedShipments(caller, brt, { trackingNumber: 'u2' });
    const item = { trackingNumber: 'u2', timestamp: AT, statusCode: 'shipped' };
    for (const field of ['description', 'location', 'note']) {
      const { results } = await recordTrackingEvents(caller, [{ ...item, [field]: 'a\ud83db' }]);
      expect(results).toMatchObject([{ outcome: 'rejected', code: 'invalid_text', pointer: `/0/${field}` }]);
    }
    const recipient = { companyName: '\udce6', address: 'Via Roma 1', postalCode: '20121', city: 'Milano' };
    const { results } = await upsertShipments(caller, [{ carrierCompanyId: brt, trackingNumber: 'u3', recipient }]);
    expect(results).toMatchObject([{ outcome: 'rejected', code: 'invalid_text' }]);
  });
});

describe('A transaction', () => {
  /** How many events, deliveries and jobs there are for a company. */
  async function traces({ companyId }: Caller) {
    const { rows } = await database.query(
      `select (select count(*)::integer from tracking_event where company_id = $1) as told,
          (select coalesce(sum(event_sequence), 0)::integer from shipment where company_id = $1) as sequences,
          (select count(*)::integer from webhook_event where company_id = $1) as events,
          (select count(*)::integer from webhook_delivery where company_id = $1) as deliveries,
          (select count(*)::integer from pgboss.job where name = 'webhooks.deliver' and data ->> 'companyId' = $1::text) as jobs`,
      [companyId],
    );
    return rows[0];
  }

  test('that fails at its very end leaves no event, delivery or job; one that is committed leaves all', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    const receiver = await receive();
    const { id } = await open(caller, receiver.url);
    await open(caller, `${receiver.url}/other`, ['tracking.order_shipped', 'tracking.order_shipped']);
    await open(caller, `${receiver.url}/none`, ['tracking.delivered']);
    await feedShipments(caller, brt, { trackingNumber: 't1' }, { trackingNumber: 't2' });
    await database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused at commit'; end $$;
      create constraint trigger refuse after insert on webhook_delivery deferrable initially deferred
        for each row execute function refuse()`);
    closers.push(() => database.query('drop function if exists refuse cascade'));
    const shipped = ['t1', 't2'].map(trackingNumber => ({ trackingNumber, timestamp: AT, statusCode: 'shipped' }));
    const record = () =>
      caller.graphql('mutation ($input: [TrackingEventInput!]!) { recordTrackingEvents(input: $input) { created } }', {
        input: shipped,
      });
    expect((await record()).errors?.[0]?.extensions.code).toBe('internal_error');
    expect(await traces(caller)).toEqual({ told: 0, sequences: 0, events: 0, deliveries: 0, jobs: 0 });
    expect(receiver.requests).toEqual([]);

    await database.query('drop function refuse cascade');
    expect((await record()).data).toEqual({ recordTrackingEvents: { created: 2 } });
    expect(await traces(caller)).toEqual({ told: 2, sequences: 2, events: 2, deliveries: 4, jobs: 4 });
    await receiver.waitFor(4);
    expect(
      receiver.requests.map(({ path, json }) => `${path} ${json.data.trackingNumber} ${json.sequence}`).toSorted(),
    ).toEqual(['/ t1 1', '/ t2 1', '/other t1 1', '/other t2 1']);
    expect((await deliveries(caller, id)).map(({ sequence }) => sequence)).toEqual([1, 1]);
  });

  test('with several events of a shipment tells of the state that they leave, and of none on the way', async () => {
    const caller = await world.company();
    const brt = await connectCarrier(caller);
    const receiver = await receive();
    const { id } = await open(caller, receiver.url);
    await feedShipments(caller, brt, ...['b1', 'b2', 'b3', 'b4'].map(trackingNumber => ({ trackingNumber })));
    const event = (trackingNumber: string, hour: number, statusCode: string) => {
      return { trackingNumber, statusCode, timestamp: `2026-11-20T${hour}:00:00Z` };
    };
    await feedEvents(
      caller,
      event('b1', 12, 'out_for_delivery'),
      event('b1', 10, 'shipped'),
      event('b1', 14, 'delivered'),
      event('b1', 11, 'in_transit'),
      // Ends where nobody is told.
      event('b2', 10, 'shipped'),
      event('b2', 11, 'returning'),
      event('b3', 10, 'in_transit'),
    );
    const told = async () =>
      (await deliveries(caller, id)).map(({ body }) => {
        const { type, sequence, data } = JSON.parse(body);
        return [data.trackingNumber, type, sequence, data.previousStatusCode, data.statusCode, data.event.statusCode];
      });
    expect((await told()).toSorted()).toEqual([
      ['b1', 'tracking.delivered', 1, 'created', 'delivered', 'delivered'],
      ['b3', 'tracking.in_transit', 1, 'created', 'in_transit', 'in_transit'],
    ]);
    // News of the past, the same again, and the same state anew change nothing.
    await feedEvents(
      caller,
      event('b1', 13, 'delivery_failed'),
      event('b3', 10, 'in_transit'),
      event('b3', 11, 'in_transit'),
    );
    expect(await told()).toHaveLength(2);
    await feedEvents(caller, event('b3', 12, 'delayed'));
    expect((await told()).slice(2)).toEqual([['b3', 'tracking.delay', 2, 'in_transit', 'delayed', 'delayed']]);
    await receiver.waitFor(3);
  });
});

/** Where a receiver listens that does as it likes with a connection once a request has begun to arrive. */
async function raw(answer: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => undefined));
    socket.once('data', () => answer(socket));
  });
  server.listen(0, '127.0.0.1');
  await emitted(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const http = async (reply: Reply) => (await receive(reply)).url;

async function* chunks(count: number, size: number, everyMs: number): AsyncGenerator<Buffer> {
  for (let i = 0; i < count; i++) {
    await setTimeout(everyMs);
    yield Buffer.alloc(size, 'a');
  }
}

describe('What comes of an attempt', () => {
  const START = 'a'.repeat(4096);
  const NONE = { status: null, answer: null };

  test.for<[string, () => Promise<string>, object]>([
    ['204', () => http({ status: 204 }), { outcome: 'delivered', status: 204, answer: '' }],
    ['299', () => http({ status: 299, body: 'thanks' }), { outcome: 'delivered', status: 299, answer: 'thanks' }],
    ['304', () => http({ status: 304 }), { outcome: 'rejected', status: 304, answer: '' }],
    ['404', () => http({ status: 404, body: 'no' }), { outcome: 'rejected', status: 404, answer: 'no' }],
    ['429', () => http({ status: 429, body: '' }), { outcome: 'rejected', status: 429, answer: '' }],
    ['500', () => http({ status: 500, body: 'è 📦' }), { outcome: 'rejected', status: 500, answer: 'è 📦' }],
    ['599', () => http({ status: 599 }), { outcome: 'rejected', status: 599, answer: '' }],
    [
      'more than is kept',
      () => http({ status: 500, body: `${'a'.repeat(4095)}è and more` }),
      { outcome: 'rejected', status: 500, answer: 'a'.repeat(4095) },
    ],
    [
      'a body with U+0000',
      () => http({ status: 500, body: 'a\0b' }),
      { outcome: 'rejected', status: 500, answer: 'ab' },
    ],
    [
      'a body that is no UTF-8',
      () => http({ status: 500, body: Buffer.of(0x61, 0xff) }),
      { outcome: 'rejected', status: 500, answer: 'a\ufffd' },
    ],
    [
      '50 MB after 200',
      () => http({ body: Buffer.alloc(50_000_000, 'a') }),
      { outcome: 'delivered', status: 200, answer: START },
    ],
    [
      '50 MB after 500',
      () => http({ status: 500, body: Buffer.alloc(50_000_000, 'a') }),
      { outcome: 'rejected', status: 500, answer: START },
    ],
    [
      'a gzip bomb',
      () => http({ status: 500, headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20_000_000)) }),
      { outcome: 'rejected', status: 500, answer: expect.stringContaining('\ufffd') },
    ],
    [
      'a body that drips on and on',
      () => http({ body: chunks(10_000, 512, 2) }),
      { outcome: 'delivered', status: 200, answer: START },
    ],
    ['a reset', () => http({ destroy: true }), { outcome: 'connection_failed', ...NONE }],
    [
      'a connection closed without a word',
      () => raw(socket => socket.end()),
      { outcome: 'connection_failed', ...NONE },
    ],
    [
      'a body cut short',
      () => raw(socket => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nab')),
      { outcome: 'delivered', status: 200, answer: 'ab' },
    ],
    [
      'something else than HTTP',
      () => raw(socket => socket.write('SSH-2.0\r\n')),
      { outcome: 'protocol_error', ...NONE },
    ],
    [
      'a port where nobody listens',
      async () => {
        const { url, close } = await startReceiver();
        await close();
        return url;
      },
      { outcome: 'connection_failed', ...NONE },
    ],
    ['a name that does not resolve', async () => 'http://nowhere.invalid/', { outcome: 'unresolvable_host', ...NONE }],
    [
      'a certificate by nobody known',
      async () => (await receive({}, SELF_SIGNED)).url,
      { outcome: 'tls_failed', ...NONE },
    ],
    [
      'no TLS where it should be',
      async () => (await http({})).replace('http:', 'https:'),
      { outcome: 'tls_failed', ...NONE },
    ],
  ])('%s', async ([, start, expected]) => {
    const caller = await world.company();
    const { id } = await open(caller, await start());
    const sent = await sendTest(caller, id);
    const isDelivered = 'outcome' in expected && expected.outcome === 'delivered';
    const tried = await once(caller, sent.id, { status: isDelivered ? 'success' : 'retrying', attemptCount: 1 });
    expect(tried.attempts).toEqual([
      {
        number: 1,
        startedAt: expect.any(String),
        durationMs: expect.any(Number),
        nextAt: isDelivered ? null : expect.any(String),
        ...expected,
      },
    ]);
    expect(tried.deliveredAt === null).toBe(!isDelivered);
    expect(tried.attempts[0]?.durationMs).toBeLessThan(5_000);
  });

  test.each([301, 302, 303, 307, 308])('%i: a failure, never followed', async status => {
    const caller = await world.company();
    const elsewhere = await receive();
    const receiver = await receive({ status, headers: { location: `${elsewhere.url}/` } });
    const { id } = await open(caller, receiver.url);
    const sent = await sendTest(caller, id);
    const tried = await once(caller, sent.id, { status: 'retrying', attemptCount: 1 });
    expect(tried.attempts).toMatchObject([{ outcome: 'rejected', status }]);
    expect([receiver.requests.length, elsewhere.connections.total]).toEqual([1, 0]);
  });
});

/** No job is left for an endpoint. */
async function expectNoJobs(pool: pg.Pool, endpointId: string): Promise<void> {
  const { rows } = await pool.query(
    `select name, state from pgboss.job where data ->> 'endpointId' = $1 and state < 'completed' and name = 'webhooks.deliver'`,
    [endpointId],
  );
  expect(rows).toEqual([]);
}

/** Stops an endpoint whose receiver hangs, and expects the connections to be closed at once. */
async function stopWhileHanging(caller: Caller, stop: Caller, receiver: Receiver, how: 'delete' | 'pause') {
  const { id } = await open(caller, receiver.url);
  receiver.hang();
  const sent = [await sendTest(caller, id), await sendTest(caller, id)];
  const requests = await receiver.waitFor(2);
  expect(await webhook(caller, id)).toMatchObject({ state: 'active' });
  await (how === 'delete' ? deleteWebhook : pauseWebhook)(stop, id);
  const stoppedAt = Date.now();
  for (const request of requests) {
    const { at, answered } = await request.closed;
    expect(answered).toBe(false);
    expect(at - stoppedAt).toBeLessThan(200);
  }
  return { id, sent };
}

describe('A receiver that hangs', () => {
  test('loses its connection when its endpoint is deleted, and nothing follows', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, sent } = await stopWhileHanging(caller, caller, receiver, 'delete');
    for (const one of sent) {
      const cancelled = await once(caller, one.id, { status: 'cancelled', attemptCount: 1, nextAttemptAt: null });
      expect(cancelled.attempts).toMatchObject([{ outcome: 'aborted', status: null, nextAt: null }]);
    }
    await expectNoJobs(database, id);
    receiver.answer({});
    await passTime(database, 2 * DAY);
    const { id: marker } = await open(caller, `${receiver.url}/marker`);
    await once(caller, (await sendTest(caller, marker)).id, { status: 'success' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/', '/marker']);
  });

  test('loses it when its endpoint is paused, and gets all of it again when that is resumed', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, sent } = await stopWhileHanging(caller, caller, receiver, 'pause');
    const third = await sendTest(caller, id);
    for (const one of [...sent, third]) {
      await once(caller, one.id, { status: 'pending', isHeldBack: true, attemptCount: one === third ? 0 : 1 });
    }
    await expectNoJobs(database, id);
    receiver.answer({});
    await passTime(database, HOUR);
    const { id: marker } = await open(caller, `${receiver.url}/marker`);
    await once(caller, (await sendTest(caller, marker)).id, { status: 'success' });
    expect(receiver.requests).toHaveLength(3);
    await resumeWebhook(caller, id);
    for (const one of sent) {
      const arrived = await once(caller, one.id, { status: 'success', isHeldBack: false, attemptCount: 2 });
      expect(arrived.attempts.map(({ outcome }) => outcome)).toEqual(['aborted', 'delivered']);
    }
    await once(caller, third.id, { status: 'success', attemptCount: 1 });
    expect(receiver.requests).toHaveLength(6);
  });

  test('has what it accepted counted, though it never comes to an end and its endpoint is paused', async () => {
    const caller = await world.company();
    let dripped = 0;
    async function* drip() {
      for await (const drop of chunks(1_000, 1, 20)) {
        dripped++;
        yield drop;
      }
    }
    const receiver = await receive({ body: drip() });
    const { id } = await open(caller, receiver.url);
    const sent = await sendTest(caller, id);
    const request = await receiver.next();
    // The status has arrived by then.
    await vi.waitUntil(() => dripped >= 5);
    await pauseWebhook(caller, id);
    const stoppedAt = Date.now();
    expect((await request.closed).at - stoppedAt).toBeLessThan(200);
    await once(caller, sent.id, { status: 'success', attemptCount: 1 });
  });
});

/** Each came once, the oldest, 0, first; ten are in hand at a time, and may overtake each other. */
function expectInOrder(ages: readonly number[]): void {
  expect(ages.toSorted((a, b) => a - b)).toEqual(ages.map((_, i) => i));
  expect(ages.filter((age, place) => Math.abs(age - place) > 20)).toEqual([]);
}

describe('An endpoint that fails five times in a row', () => {
  /** Sends `count` events, one after the other, so that their age is known. */
  async function sendInOrder(caller: Caller, endpointId: string, count: number) {
    const sent = [];
    for (let i = 0; i < count; i++) sent.push(await sendTest(caller, endpointId));
    return sent;
  }

  test('is tried with one at a time; when it lives again all goes out in order of age, none lost, none twice', async () => {
    const caller = await world.company();
    const receiver = await receive({ status: 500 });
    const { id } = await open(caller, receiver.url);
    const first = [];
    for (let i = 0; i < 5; i++) {
      const sent = await sendTest(caller, id);
      first.push(await once(caller, sent.id, { attemptCount: 1 }));
    }
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off', isActive: true });
    const later = await sendInOrder(caller, id, 60);
    for (const one of later) expect(one).toMatchObject({ status: 'pending', isHeldBack: true, attemptCount: 0 });
    for (const one of first) {
      await once(caller, one.id, { status: 'retrying', isHeldBack: true, attemptCount: 1 });
    }
    await vi.waitFor(() => expectNoJobs(database, id), { timeout: 10_000, interval: 20 });

    // One is tried, still in vain.
    await passTime(database, 60_000);
    await receiver.waitFor(6);
    const attempts = async () => (await deliveries(caller, id)).flatMap(one => one.attempts);
    await eventually(attempts, Array(6).fill({ outcome: 'rejected' }));
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off' });

    receiver.clear();
    receiver.answer({});
    await passTime(database, HOUR);
    await eventually(() => deliveries(caller, id), Array(65).fill({ status: 'success' }));
    await eventually(() => webhook(caller, id), { state: 'active', failingSince: null });
    expect(receiver.requests).toHaveLength(65);
    const order = [...first, ...later].map(({ eventId }) => eventId);
    expectInOrder(receiver.requests.map(({ json }) => order.indexOf(json.id)));

    const [next] = await sendInOrder(caller, id, 1);
    await once(caller, next?.id ?? '', { status: 'success', isHeldBack: false });
  });

  test('in which one success lies between is none', async () => {
    const caller = await world.company();
    const receiver = await receive((_, n) => ({ status: n === 5 ? 200 : 500 }));
    const { id } = await open(caller, receiver.url);
    for (let i = 0; i < 9; i++) await once(caller, (await sendTest(caller, id)).id, { attemptCount: 1 });
    expect(await webhook(caller, id)).toMatchObject({ state: 'active' });
    await once(caller, (await sendTest(caller, id)).id, { attemptCount: 1 });
    expect(await webhook(caller, id)).toMatchObject({ state: 'backing_off' });
  });
});

test('A replay of more than stands in the queue at a time goes out in order of age, none lost, none twice', async () => {
  const caller = await world.company();
  const receiver = await receive();
  const { id } = await open(caller, receiver.url);
  await database.query(
    `insert into webhook_event (company_id, id, type, sequence, body, created_at)
      select $1, gen_random_uuid(), 'tracking.in_transit', 1, json_build_object('age', n)::text, now() - make_interval(secs => 2000 - n)
        from generate_series(0, 1499) n order by random()`,
    [caller.companyId],
  );
  const [since, until] = [-DAY, DAY].map(ms => new Date(Date.now() + ms).toISOString());
  const { data } = await caller.graphql(
    `mutation ($id: ID!, $since: DateTime!, $until: DateTime!) {
      replayDeliveries(endpointId: $id, since: $since, until: $until) { count }
    }`,
    { id, since, until },
  );
  expect(data).toEqual({ replayDeliveries: { count: 1_500 } });
  await receiver.waitFor(1_500);
  await eventually(() => webhook(caller, id), { state: 'active' });
  expectInOrder(receiver.requests.map(({ json }) => json.age));
});

interface Filling {
  readonly count: number;
  readonly status?: 'pending' | 'failed';
  /** When they are due; at once by default. */
  readonly startAfter?: Date;
}

/** As many deliveries to an endpoint, waiting or given up, with their jobs; answers their events' ids. */
async function fill(of: World, pool: pg.Pool, caller: Caller, endpointId: string, filling: Filling) {
  const { count, status = 'pending', startAfter } = filling;
  const companyId = caller.companyId as CompanyId;
  const { rows } = await pool.query<{ id: string; eventId: string }>(
    `with told as (
        insert into webhook_event (company_id, id, type, sequence, body)
          select $1, gen_random_uuid(), 'tracking.in_transit', 0, '{}' from generate_series(1, $3) returning id
      )
      insert into webhook_delivery (company_id, event_id, endpoint_id, status, next_attempt_at)
        select $1, id, $2, $4, case when $4 = 'pending' then now() end from told returning id::text, event_id as "eventId"`,
    [companyId, endpointId, count, status],
  );
  const jobs = rows.map(({ id }) => ({
    data: { companyId, deliveryId: id, endpointId, ticket: 1 },
    group: endpointId,
    startAfter,
  }));
  await of.app.database.transaction(async em => {
    if (status === 'failed') await of.app.jobs.bury(em, deliveriesQueue, jobs);
    else await of.app.jobs.insert(em, deliveriesQueue, jobs);
  });
  return rows.map(({ eventId }) => eventId);
}

describe('An endpoint with much waiting', () => {
  /** Milliseconds that each of some deliveries to another endpoint takes. */
  async function timesOf(caller: Caller): Promise<number[]> {
    const receiver = await receive();
    const { id } = await open(caller, receiver.url);
    const times: number[] = [];
    for (let i = 0; i < 20; i++) {
      const { eventId } = await sendTest(caller, id);
      const sentAt = Date.now();
      const [request] = await receiver.waitFor(1, ({ json }) => json.id === eventId);
      times.push((request?.at ?? Number.POSITIVE_INFINITY) - sentAt);
    }
    return times;
  }

  test.each([0, 50])('that answers after %i ms leaves deliveries of others under a second', async delay => {
    const caller = await world.company();
    const receiver = await receive({ delay });
    const { id } = await open(caller, receiver.url);
    await fill(world, database, caller, id, { count: 2_000 });
    await receiver.waitFor(1);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.connections.total).toBeLessThanOrEqual(10);
  });

  test('that answers in step leaves those of others that fall due by themselves, as retries do', async () => {
    const caller = await world.company();
    // All of its ten are settled together, and there is room for it whenever a worker has a reason to look.
    const inStep = () => ({ delay: 100 - (Date.now() % 100) });
    const [slow, receiver] = [await receive(inStep), await receive()];
    const { id: slowId } = await open(caller, slow.url);
    const { id } = await open(caller, receiver.url);
    await fill(world, database, caller, slowId, { count: 600 });
    await slow.waitFor(20);
    const due = new Map<string, number>();
    for (let i = 1; i <= 10; i++) {
      const startAfter = new Date(Date.now() + i * 100);
      const [eventId = ''] = await fill(world, database, caller, id, { count: 1, startAfter });
      due.set(eventId, startAfter.getTime());
    }
    const late = (await receiver.waitFor(10)).map(
      ({ at, headers }) => at - (due.get(String(headers['webhook-id'])) ?? Number.NEGATIVE_INFINITY),
    );
    // Workers look at the queue once a second.
    expect(Math.max(...late)).toBeLessThan(2_000);
  });

  test('that hangs leaves them so, and is sent no more than ten at a time', async () => {
    const caller = await world.company();
    const receiver = await receive();
    receiver.hang();
    const { id } = await open(caller, receiver.url);
    await fill(world, database, caller, id, { count: 2_000 });
    await receiver.waitFor(10);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.requests).toHaveLength(10);
  });

  test('of what was given up and is redriven: the same', async () => {
    const caller = await world.company();
    const receiver = await receive();
    receiver.hang();
    const { id } = await open(caller, receiver.url);
    await fill(world, database, caller, id, { count: 500, status: 'failed' });
    expect(await world.app.jobs.redrive(deliveriesQueue, 500)).toBe(500);
    await receiver.waitFor(10);
    expect(Math.max(...(await timesOf(caller)))).toBeLessThan(1_000);
    expect(receiver.requests).toHaveLength(10);
  });
});

describe('Several processes', () => {
  const split = useWorld({ ...REACHABLE, ROLE: 'api' });
  let pool: pg.Pool;
  let processes: App[] = [];
  let caller: Caller;

  beforeAll(async () => {
    pool = new pg.Pool({ connectionString: split.databaseUrl, max: 2 });
    caller = await split.company();
  });
  afterAll(() => pool.end());
  afterEach(async () => {
    await Promise.all(processes.splice(0).map(app => app.stop()));
    processes = [];
  });

  async function start(of: World, role: 'api' | 'worker') {
    const app = await startProcess(of, { ROLE: role, ...REACHABLE });
    processes.push(app);
    return app;
  }

  test('one deletes, another breaks off what it sends', async () => {
    await start(split, 'worker');
    const { url } = await start(split, 'api');
    const receiver = await receive();
    const other = { ...caller, graphql: graphqlClient(url, caller.apiKey) };
    const { id, sent } = await stopWhileHanging(caller, other, receiver, 'delete');
    for (const one of sent) await once(caller, one.id, { status: 'cancelled', attemptCount: 1 });
    await expectNoJobs(pool, id);
  });

  test('one pauses, another breaks off what it sends', async () => {
    await start(split, 'worker');
    const receiver = await receive();
    const { sent } = await stopWhileHanging(caller, caller, receiver, 'pause');
    for (const one of sent) await once(caller, one.id, { status: 'pending', isHeldBack: true });
  });

  test('two workers share the work: all arrives, and nothing twice', async () => {
    const receiver = await receive({ delay: 20 });
    const workers = [await start(split, 'worker'), await start(split, 'worker')];
    const filled: (readonly [Caller, string])[] = [];
    // One worker takes no more than a hundred at a look, and ten of an endpoint are in hand.
    for (let company = 0; company < 3; company++) {
      const by = await split.company();
      for (let n = 0; n < 10; n++) filled.push([by, (await open(by, receiver.url)).id]);
    }
    await Promise.all(filled.map(([by, id]) => fill(split, pool, by, id, { count: 20 })));
    await receiver.waitFor(600);
    for (const [by, id] of filled) await eventually(() => deliveries(by, id), Array(20).fill({ status: 'success' }));
    expect(receiver.requests).toHaveLength(600);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(600);
    const counts = workers.map(async ({ metrics }) => {
      const figures = await metrics.registry.getSingleMetricAsString('webhook_attempt_duration_seconds');
      return Number(/_count\{outcome="delivered"\} (\d+)/.exec(figures)?.[1] ?? 0);
    });
    const [mine = 0, theirs = 0] = await Promise.all(counts);
    expect(mine + theirs).toBe(600);
    expect(Math.min(mine, theirs)).toBeGreaterThan(20);
  });
});
