import { once as emitted } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { SELF_SIGNED } from '../support/certificate.ts';
import { type Reply, startReceiver } from '../support/receiver.ts';
import { DAY, HOUR, passTime } from '../support/time.ts';
import { expectNoJobs, useWebhookReceivers } from './webhook-receivers.ts';
import { once, pauseWebhook, resumeWebhook, sendTest } from './webhooks.ts';

const given = useWebhookReceivers();
const { closers, receive, world, open, stopWhileHanging } = given;

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

describe('The outcome of an attempt', () => {
  const START = 'a'.repeat(4096);
  const NONE = { responseStatus: null, responseBody: null };

  test.for<[string, () => Promise<string>, object]>([
    ['204', () => http({ status: 204 }), { outcome: 'delivered', responseStatus: 204, responseBody: '' }],
    ['304', () => http({ status: 304 }), { outcome: 'rejected', responseStatus: 304, responseBody: '' }],
    [
      '500',
      () => http({ status: 500, body: 'è 📦' }),
      { outcome: 'rejected', responseStatus: 500, responseBody: 'è 📦' },
    ],
    [
      'more than is kept',
      () => http({ status: 500, body: `${'a'.repeat(4095)}è and more` }),
      { outcome: 'rejected', responseStatus: 500, responseBody: 'a'.repeat(4095) },
    ],
    [
      'a body with U+0000',
      () => http({ status: 500, body: 'a\0b' }),
      { outcome: 'rejected', responseStatus: 500, responseBody: 'ab' },
    ],
    [
      'a body that is no UTF-8',
      () => http({ status: 500, body: Buffer.of(0x61, 0xff) }),
      { outcome: 'rejected', responseStatus: 500, responseBody: 'a\ufffd' },
    ],
    [
      '50 MB after 200',
      () => http({ body: Buffer.alloc(50_000_000, 'a') }),
      { outcome: 'delivered', responseStatus: 200, responseBody: START },
    ],
    [
      '50 MB after 500',
      () => http({ status: 500, body: Buffer.alloc(50_000_000, 'a') }),
      { outcome: 'rejected', responseStatus: 500, responseBody: START },
    ],
    [
      'a gzip bomb',
      () =>
        http({ status: 500, headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(20_000_000, 'a')) }),
      { outcome: 'rejected', responseStatus: 500, responseBody: START },
    ],
    [
      'a body that drips on and on',
      () => http({ body: chunks(10_000, 512, 2) }),
      { outcome: 'delivered', responseStatus: 200, responseBody: START },
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
      { outcome: 'delivered', responseStatus: 200, responseBody: 'ab' },
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
  ])('is recorded for %s', async ([, start, expected]) => {
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
        nextAttemptAt: isDelivered ? null : expect.any(String),
        ...expected,
      },
    ]);
    expect(tried.deliveredAt === null).toBe(!isDelivered);
    expect(tried.attempts[0]?.durationMs).toBeLessThan(5_000);
  });

  test.each([301, 302, 303, 307, 308])(
    'with status %i is a failure, and the redirect is never followed',
    async status => {
      const caller = await world.company();
      const elsewhere = await receive();
      const receiver = await receive({ status, headers: { location: `${elsewhere.url}/` } });
      const { id } = await open(caller, receiver.url);
      const sent = await sendTest(caller, id);
      const tried = await once(caller, sent.id, { status: 'retrying', attemptCount: 1 });
      expect(tried.attempts).toMatchObject([{ outcome: 'rejected', responseStatus: status }]);
      expect([receiver.requests.length, elsewhere.connections.total]).toEqual([1, 0]);
    },
  );
});

describe('A receiver that hangs', () => {
  test('loses its connection when its endpoint is deleted, and receives nothing more', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, sent } = await stopWhileHanging(caller, caller, receiver, 'delete');
    for (const one of sent) {
      const cancelled = await once(caller, one.id, { status: 'cancelled', attemptCount: 1, nextAttemptAt: null });
      expect(cancelled.attempts).toMatchObject([{ outcome: 'aborted', responseStatus: null, nextAttemptAt: null }]);
    }
    await expectNoJobs(world.pool, id);
    receiver.answer({});
    await passTime(world.pool, 2 * DAY);
    const { id: marker } = await open(caller, `${receiver.url}/marker`);
    await once(caller, (await sendTest(caller, marker)).id, { status: 'success' });
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/', '/', '/marker']);
  });

  test('loses its connection when its endpoint is paused, and receives all deliveries again once it is resumed', async () => {
    const caller = await world.company();
    const receiver = await receive();
    const { id, sent } = await stopWhileHanging(caller, caller, receiver, 'pause');
    const third = await sendTest(caller, id);
    for (const one of [...sent, third]) {
      await once(caller, one.id, { status: 'pending', isHeldBack: true, attemptCount: one === third ? 0 : 1 });
    }
    await expectNoJobs(world.pool, id);
    receiver.answer({});
    await passTime(world.pool, HOUR);
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

  test('has a delivery that it accepted counted, even if its response never ends and its endpoint is paused', async () => {
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
    // The status has arrived by that time.
    await vi.waitUntil(() => dripped >= 5);
    await pauseWebhook(caller, id);
    const stoppedAt = Date.now();
    expect((await request.closed).at - stoppedAt).toBeLessThan(200);
    await once(caller, sent.id, { status: 'success', attemptCount: 1 });
  });
});
