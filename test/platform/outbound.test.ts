import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { Outbound } from '../../src/platform/outbound/outbound.ts';
import { SELF_SIGNED } from '../support/certificate.ts';
import { LOOPBACK, post, type Receiver, resolver, useOutbound } from './outbound-servers.ts';

const { listen, http, outbound, closers } = useOutbound();

/** A receiver that does as it likes once a request has begun to arrive. */
function raw(answer: (socket: Socket) => void): Promise<Receiver> {
  return listen(createServer(socket => socket.once('data', () => answer(socket))));
}

const ok = 'HTTP/1.1 200 OK\r\n';

describe('A request to a receiver', () => {
  test('returns status, Retry-After and the start of the body', async () => {
    const seconds = await http((_, response) => response.writeHead(429, { 'retry-after': '120' }).end('slow\0 down'));
    const client = outbound();
    expect(await post(client, seconds.url)).toEqual({
      outcome: 'answered',
      status: 429,
      retryAfter: '120',
      body: 'slow down',
      durationMs: expect.any(Number),
    });
    const date = 'Wed, 21 Oct 2099 07:28:00 GMT';
    const dated = await http((_, response) => response.writeHead(503, { 'Retry-After': date }).end());
    expect(await post(client, dated.url)).toMatchObject({ status: 503, retryAfter: date, body: '' });
    const gone = await http((_, response) => response.writeHead(410).end(Buffer.from([0x61, 0xff, 0x62])));
    expect(await post(client, gone.url)).toMatchObject({ status: 410, retryAfter: null, body: 'a\ufffdb' });
  });

  test('keeps 4 KiB of a body, and omits a character that is cut in two', async () => {
    const receiver = await http((_, response) => response.end(`a${'ü'.repeat(4000)}`));
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 200, body: `a${'ü'.repeat(2047)}` });
    expect(receiver.sockets).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])('returns %i as an answer and does not follow it', async status => {
    const target = await http((_, response) => response.end());
    const receiver = await http((_, response) => response.writeHead(status, { location: target.url }).end());
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status });
    expect(target.sockets).toEqual([]);
  });

  test('sends bytes as they are', async () => {
    const received: Buffer[] = [];
    const receiver = await http(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push(Buffer.concat(chunks));
      response.end(`${request.method} ${request.url} ${request.headers['content-length']}`);
    });
    const text = JSON.stringify({ a: '\u2028\u2029', b: '😀', c: '\ud800', d: '\u0000é' });
    const bytes = Buffer.from([...Buffer.from(text), 0xed, 0xa0, 0x80]);
    const client = outbound();
    await client.post(receiver.url, { headers: {}, body: bytes });
    const { length } = Buffer.from(text);
    expect(await client.post(receiver.url, { headers: {}, body: text })).toMatchObject({
      body: `POST /hook?a=1 ${length}`,
    });
    expect(received).toEqual([bytes, Buffer.from(text)]);
  });

  test('skips interim responses', async () => {
    const receiver = await http((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(202).end();
    });
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 202 });
  });

  test('accepts HTTP/1.0', async () => {
    const receiver = await raw(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nyes'));
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 200, body: 'yes' });
  });
});

describe('A slow, long or encoded response', () => {
  test('counts by its status, and only a little of 50 MB is read', async () => {
    let sentBytes = 0;
    function* letters() {
      for (; sentBytes < 50_000_000; sentBytes += 50_000) yield Buffer.alloc(50_000, 'a');
    }
    const receiver = await http((_, response) => Readable.from(letters()).pipe(response));
    const result = await post(outbound(), receiver.url);
    expect(result).toMatchObject({ outcome: 'answered', status: 200, body: 'a'.repeat(4096) });
    await vi.waitUntil(() => receiver.sockets[0]?.destroyed);
    // The size of the buffers of both systems.
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  const respondCompressed = (coding: string, body: Buffer, status = 200) =>
    http((_, response) => response.writeHead(status, { 'content-encoding': coding }).end(body));

  test('in gzip is decoded no further than the limit, even if it is a bomb', async () => {
    const receiver = await respondCompressed('gzip', gzipSync(Buffer.alloc(20_000_000, 'a')));
    const result = await post(outbound({ maxResponseBytes: 32_768 }), receiver.url);
    expect(result).toMatchObject({ outcome: 'answered', status: 200, body: 'a'.repeat(4096) });
  });

  test.each([
    ['gzip', gzipSync('Città')],
    ['X-GZIP', gzipSync('Città')],
    ['deflate', deflateSync('Città')],
    ['deflate', deflateRawSync('Città')],
    ['br', brotliCompressSync('Città')],
    ['gzip, br', brotliCompressSync(gzipSync('Città'))],
    ['identity', Buffer.from('Città')],
  ])('in %s is decoded, in errors too', async (coding, body) => {
    const receiver = await respondCompressed(coding, body, 422);
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status: 422, body: 'Città' });
  });

  test('whose compressed body is cut off is decoded as far as possible', async () => {
    const receiver = await respondCompressed('gzip', gzipSync('a'.repeat(2_000)).subarray(0, -8));
    expect(await post(outbound(), receiver.url)).toMatchObject({ body: 'a'.repeat(2_000) });
  });

  test.each([
    ['gzip', 'plain text'],
    ['zstd', 'plain text'],
    ['gzip, gzip, gzip', 'plain text'],
  ])('that is not really in %s keeps its body as it was sent', async (coding, body) => {
    const receiver = await respondCompressed(coding, Buffer.from(body));
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status: 200, body });
  });

  test.each([
    ['a dripping body', `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
    ['a silent body', `${ok}content-length: 5\r\n\r\n`, ''],
    ['an endless body', `${ok}\r\n`, 'a'],
  ])('counts as an answer, although it is cut off: %s', async (_, head, drop) => {
    const receiver = await raw(socket => {
      socket.write(head);
      const drip = setInterval(() => socket.write(drop), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await post(outbound({ totalTimeoutMs: 150 }), receiver.url);
    expect(result).toMatchObject({ outcome: 'answered', status: 200, body: expect.stringMatching(/^a*$/) });
    expect(result.durationMs).toBeLessThan(2_000);
    await vi.waitUntil(() => receiver.sockets[0]?.destroyed);
  });

  test('must come within 15 seconds', async () => {
    const receiver = await raw(() => undefined);
    const client = new Outbound(LOOPBACK);
    closers.push(() => client.close());
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    closers.push(() => vi.useRealTimers());
    const ended = vi.fn();
    const posted = post(client, receiver.url).then(ended);
    vi.advanceTimersByTime(14_999);
    await new Promise(setImmediate);
    expect(ended).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await posted;
    expect(ended).toHaveBeenCalledWith(expect.objectContaining({ outcome: 'timeout' }));
  });

  test.each([
    ['a body cut short', `${ok}content-length: 5\r\n\r\nab`],
    ['a chunk that is none', `${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n`],
  ])('counts as an answer, although its body is broken: %s', async (_, answer) => {
    const receiver = await raw(socket => socket.end(answer));
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status: 200, body: 'ab' });
  });

  test.each([
    ['dripping headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', 'timeout', 150],
    // The first of them ends it; how soon that is depends on the machine.
    ['endless interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'protocol_error', 1_900],
    ['silence', '', '', 'timeout', 150],
  ])('does not count as an answer: %s', async (_, head, drop, outcome, totalTimeoutMs) => {
    const receiver = await raw(socket => {
      socket.write(head);
      const drip = setInterval(() => socket.write(drop), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await post(outbound({ totalTimeoutMs }), receiver.url);
    expect(result).toEqual({ outcome, durationMs: expect.any(Number) });
    expect(result.durationMs).toBeLessThan(2_000);
    await vi.waitUntil(() => receiver.sockets[0]?.destroyed);
  });
});

describe('A request that fails', () => {
  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', '<html>'],
    ['a status that is none', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['headers without end', `${ok}a: ${'b'.repeat(40_000)}\r\n\r\n`],
    ['lengths that differ', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n'],
    ['a request to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('because of an invalid response is a protocol_error: %s', async (_, answer) => {
    const receiver = await raw(socket => socket.write(answer));
    const result = await post(outbound(), receiver.url);
    expect(result).toEqual({ outcome: 'protocol_error', durationMs: expect.any(Number) });
  });

  test('because a header cannot be sent is a protocol_error', async () => {
    const receiver = await http((_, response) => response.end());
    const result = await outbound().post(receiver.url, { headers: { a: 'b\r\nc: d' }, body: '' });
    expect(result).toEqual({ outcome: 'protocol_error', durationMs: expect.any(Number) });
  });

  test('because the receiver resets or ends the connection is a connection_failed', async () => {
    const client = outbound();
    const failed = { outcome: 'connection_failed', durationMs: expect.any(Number) };
    expect(await post(client, (await raw(socket => socket.resetAndDestroy())).url)).toEqual(failed);
    expect(await post(client, (await raw(socket => socket.end())).url)).toEqual(failed);
    expect(await post(client, (await listen(createServer(socket => socket.resetAndDestroy()))).url)).toEqual(failed);
    const halfClosed = createServer({ allowHalfOpen: true }, socket => socket.resume().end('HTTP/1.1 20'));
    expect(await post(client, (await listen(halfClosed)).url)).toMatchObject({
      outcome: expect.stringMatching(/^(connection_failed|protocol_error)$/),
    });
    await vi.waitUntil(() => client.size.connections === 0);
  });
});

describe('A TLS connection', () => {
  const trusted = { lookup: resolver(['127.0.0.1']), ca: SELF_SIGNED.cert };
  const secure = () => {
    const names: unknown[] = [];
    const server = createTlsServer(SELF_SIGNED, socket => {
      names.push((socket as { servername?: string | false }).servername);
      socket.once('data', () => socket.end(`${ok}connection: close\r\n\r\nyes`));
      socket.on('error', () => undefined);
    });
    server.on('tlsClientError', () => undefined);
    return listen(server).then(receiver => ({ ...receiver, names }));
  };

  test('accepts a certificate for the name by a trusted authority', async () => {
    const { port, names } = await secure();
    const client = outbound(trusted);
    expect(await post(client, `https://receiver.test:${port}/`)).toMatchObject({ status: 200, body: 'yes' });
    expect(await post(client, `https://receiver.test.:${port}/`)).toMatchObject({ status: 200, body: 'yes' });
    expect(names).toEqual(['receiver.test', 'receiver.test']);
  });

  test('fails with a self-signed certificate, for another name or an address, and without TLS: tls_failed', async () => {
    const { port, names } = await secure();
    const failed = { outcome: 'tls_failed', durationMs: expect.any(Number) };
    const { lookup } = trusted;
    expect(await post(outbound({ lookup }), `https://receiver.test:${port}/`)).toEqual(failed);
    expect(await post(outbound(trusted), `https://other.test:${port}/`)).toEqual(failed);
    expect(await post(outbound(trusted), `https://127.0.0.1:${port}/`)).toEqual(failed);
    const plain = await raw(socket => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await post(outbound(trusted), `https://receiver.test:${plain.port}/`)).toEqual(failed);
    expect(names).not.toContain('127.0.0.1');
  });

  test('verifies certificates even if the switch of Node turns this off', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    closers.push(() => vi.unstubAllEnvs());
    const { port } = await secure();
    expect(await post(outbound({ lookup: trusted.lookup }), `https://receiver.test:${port}/`)).toMatchObject({
      outcome: 'tls_failed',
    });
  });

  test('ends a handshake that hangs at the limit for connecting, or with the signal', async () => {
    const receiver = await listen(createServer());
    const url = `https://receiver.test:${receiver.port}/`;
    const result = await post(outbound({ ...trusted, connectTimeoutMs: 100 }), url);
    expect(result).toEqual({ outcome: 'timeout', durationMs: expect.any(Number) });
    expect(result.durationMs).toBeLessThan(3_000);
    const abort = new AbortController();
    const aborted = post(outbound(trusted), url, abort.signal);
    await vi.waitUntil(() => receiver.sockets.length === 2);
    await expectClosedAfter(() => abort.abort(), receiver.sockets[1]);
    expect(await aborted).toMatchObject({ outcome: 'aborted' });
  });
});

/** The other end of a connection sees it end within 200 ms of `act`. */
async function expectClosedAfter(act: () => void, socket: Socket | undefined): Promise<void> {
  if (!socket) throw new Error('no connection');
  socket.resume();
  const closed = once(socket, 'close');
  const startedAt = performance.now();
  act();
  await closed;
  expect(performance.now() - startedAt).toBeLessThan(200);
}

describe('An abort', () => {
  test('ends the connection at once, and the next request has one of its own', async () => {
    let requests = 0;
    const receiver = await http((_, response) => (++requests === 1 ? undefined : response.end()));
    const client = outbound();
    const abort = new AbortController();
    const result = post(client, receiver.url, abort.signal);
    await vi.waitUntil(() => requests === 1);
    await expectClosedAfter(() => abort.abort(new Error('inner reason')), receiver.sockets[0]);
    expect(await result).toEqual({ outcome: 'aborted', durationMs: expect.any(Number) });
    expect(await post(client, receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.sockets).toHaveLength(2);
  });

  test('prevents a waiting request from being sent, and one that was aborted before', async () => {
    let requests = 0;
    const receiver = await http(() => requests++);
    const client = outbound({ connectionsPerOrigin: 1 });
    const first = new AbortController();
    const second = new AbortController();
    const results = [post(client, receiver.url, first.signal), post(client, receiver.url, second.signal)];
    expect(await post(client, receiver.url, AbortSignal.abort())).toMatchObject({ outcome: 'aborted' });
    await vi.waitUntil(() => requests === 1);
    second.abort();
    expect(await results[1]).toMatchObject({ outcome: 'aborted' });
    first.abort();
    expect(await results[0]).toMatchObject({ outcome: 'aborted' });
    await vi.waitUntil(() => receiver.sockets.every(socket => socket.destroyed));
    expect([requests, receiver.sockets.length]).toEqual([1, 1]);
    expect(client.size).toEqual({ origins: 0, connections: 0 });
  });

  test('by closing the client ends all requests and connections', async () => {
    const receiver = await http(() => undefined);
    const client = outbound({ connectionsPerOrigin: 2 });
    const results = Array.from({ length: 5 }, () => post(client, receiver.url));
    await vi.waitUntil(() => receiver.sockets.length === 2);
    await client.close();
    for (const result of await Promise.all(results)) expect(result.outcome).toBe('aborted');
    expect(await post(client, receiver.url)).toMatchObject({ outcome: 'aborted' });
    await vi.waitUntil(() => receiver.sockets.every(socket => socket.destroyed));
    expect(receiver.sockets).toHaveLength(2);
    expect(client.size).toEqual({ origins: 0, connections: 0 });
  });
});

describe('Connections', () => {
  test('are reused, and never more than allowed', async () => {
    const receiver = await http((request, response) => request.resume().on('end', () => response.end('yes')));
    const client = outbound({ connectionsPerOrigin: 3 });
    for (let n = 0; n < 20; n++) expect(await post(client, receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.sockets).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 200 }, () => post(client, receiver.url)));
    expect(many.every(result => result.outcome === 'answered')).toBe(true);
    expect(receiver.sockets.length).toBeLessThanOrEqual(3);
  });

  test('that the receiver closes after each response are opened again', async () => {
    const receiver = await http((_, response) => response.writeHead(200, { connection: 'close' }).end());
    const client = outbound({ connectionsPerOrigin: 2 });
    const results = await Promise.all(Array.from({ length: 20 }, () => post(client, receiver.url)));
    expect(results.map(result => result.outcome)).toEqual(Array(20).fill('answered'));
    await vi.waitUntil(() => client.size.origins === 0);
  });

  test('of one origin, where 20 requests hang, do not slow down another', async () => {
    let hanging = 0;
    const slow = await http(() => hanging++);
    const fast = await http((_, response) => response.end());
    const client = outbound();
    const hung = Array.from({ length: 20 }, () => post(client, slow.url));
    await vi.waitUntil(() => hanging === 10);
    for (let n = 0; n < 20; n++) {
      const result = await post(client, fast.url);
      expect(result).toMatchObject({ status: 200 });
      expect(result.durationMs).toBeLessThan(500);
    }
    await client.close();
    for (const result of await Promise.all(hung)) expect(result.outcome).toBe('aborted');
    expect(slow.sockets).toHaveLength(10);
  });

  test('let requests wait within their time, and waiting requests continue when others time out', async () => {
    let requests = 0;
    const receiver = await http((_, response) => (++requests <= 2 ? undefined : response.end()));
    const client = outbound({ connectionsPerOrigin: 2, totalTimeoutMs: 200 });
    const stuck = [post(client, receiver.url), post(client, receiver.url)];
    await vi.waitUntil(() => requests === 2);
    const later = post(client, receiver.url);
    for (const result of await Promise.all(stuck)) expect(result.outcome).toBe('timeout');
    expect(await later).toMatchObject({ status: 200 });
  });

  test('of many origins are closed, the oldest first', async () => {
    // Kept for as long as connections may be kept at all, so that none is given up for its age.
    const receiver = await http((_, response) => response.setHeader('keep-alive', 'timeout=60').end());
    const client = outbound({ lookup: resolver(['127.0.0.1']) });
    for (let n = 0; n < 1_100; n += 100) {
      const urls = Array.from({ length: 100 }, (_, m) => `http://receiver-${n + m}.test:${receiver.port}/`);
      for (const result of await Promise.all(urls.map(url => post(client, url)))) {
        expect(result.outcome).toBe('answered');
      }
    }
    expect(client.size).toEqual({ origins: 1_000, connections: 1_000 });
    for (const socket of receiver.sockets) socket.destroy();
    await vi.waitUntil(() => client.size.origins === 0);
    expect(client.size).toEqual({ origins: 0, connections: 0 });
  });

  test('that wait longer than a receiver keeps them are closed', async () => {
    const hint = `${ok}content-length: 0\r\nkeep-alive: timeout=1\r\n\r\n`;
    const receiver = await raw(socket => socket.write(hint));
    const client = outbound();
    expect(await post(client, receiver.url)).toMatchObject({ status: 200 });
    await vi.waitUntil(() => client.size.origins === 0);
  });
});
