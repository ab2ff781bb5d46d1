import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { createServer as createTlsServer } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { Outbound } from '../../src/platform/outbound/outbound.ts';
import { isPublicUnicast, parseCidrs } from '../../src/platform/outbound/outbound-address.ts';
import type { OutboundOptions } from '../../src/platform/outbound/outbound-client.ts';
import { type Lookup, type OutboundPolicy, resolvedIssue, urlIssue } from '../../src/platform/outbound/outbound-url.ts';
import { SELF_SIGNED } from '../support/certificate.ts';

const PUBLIC_ONLY: OutboundPolicy = { allowPrivate: [], allowHttp: false };
const LOOPBACK: OutboundPolicy = { allowPrivate: ['127.0.0.0/8', '::1/128'], allowHttp: true };
const BLOCKED = { outcome: 'blocked_address', durationMs: expect.any(Number) };

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function outbound(options: OutboundOptions = {}, policy = LOOPBACK): Outbound {
  const made = new Outbound(policy, { totalTimeoutMs: 5_000, ...options });
  closers.push(() => made.close());
  return made;
}

interface Receiver {
  readonly url: string;
  readonly port: number;
  /** Every connection there has been. */
  readonly sockets: Socket[];
}

async function listen(server: Server): Promise<Receiver> {
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook?a=1`, port, sockets };
}

/** A receiver of HTTP. */
function http(listener: RequestListener): Promise<Receiver> {
  return listen(createHttpServer(listener));
}

/** A receiver that does as it likes once a request has begun to arrive. */
function raw(answer: (socket: Socket) => void): Promise<Receiver> {
  return listen(createServer(socket => socket.once('data', () => answer(socket))));
}

/** A resolver that gives one answer after the other, and the last one from then on. */
function resolver(...answers: string[][]): Lookup & { asked: number } {
  const lookup = (_: string, _options: unknown, callback: (error: null, addresses: LookupAddress[]) => void) => {
    const answer = answers[Math.min(lookup.asked, answers.length - 1)] ?? [];
    lookup.asked++;
    setImmediate(() =>
      callback(
        null,
        answer.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  lookup.asked = 0;
  return lookup;
}

const post = (client: Outbound, url: string, signal?: AbortSignal) =>
  client.post(url, { headers: { 'content-type': 'application/json' }, body: '{}', ...(signal && { signal }) });

const ok = 'HTTP/1.1 200 OK\r\n';

/** Addresses no request may go to, as a resolver gives them. */
const PRIVATE = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.255.255.254',
  '168.63.129.16',
  '169.254.169.254',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::808:808',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::a00:1',
  '100::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:db8::1',
  '2001:20::1',
  '2002:7f00:1::',
  '2002:a9fe:a9fe::1',
  '3fff::1',
  '4000::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fec0::1',
  'ff02::1',
];

/** The same places, as people write them in URLs. */
const HOSTS = [
  ...PRIVATE.map(address => (address.includes(':') ? `[${address}]` : address)),
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '0',
  '0x0',
  '127.0.0.1.',
  '0x7F.0.0.1.',
  '127%2E0.0.1',
  '%31%32%37.0.0.1',
  '１２７.０.０.１',
  '127。0。0。1',
  '①②⑦.0.0.1',
  '2852039166',
  '[0:0:0:0:0:0:0:1]',
  '[0000::0001]',
  '[::ffff:7f00:1]',
  '[::FFFF:127.0.0.1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'a.localhost.',
  'ｌocalhost',
  'intranet',
  'intranet.',
  'printer.local',
  'metadata.google.internal',
  'Metadata.Google.Internal.',
];

/** Neither public nor private: no URL that can be used at all. */
const UNUSABLE = [
  '',
  'nonsense',
  '//example.com/',
  'https://',
  'https:example.com',
  'https:///example.com/',
  'https:\\\\example.com\\',
  'https://exam ple.com/',
  ' https://example.com/',
  'https://example.com/a\nb',
  'https://exa\tmple.com/',
  'https://[fe80::1%25eth0]/',
  'https://[fe80::1%eth0]/',
  'https://[::1/',
  'https://[1.2.3.4]/',
  'https://1.2.3.4.5/',
  'https://256.1.1.1/',
  'https://08.1.1.1/',
  'https://a..b/',
  'https://example.com../',
  'https://-a!.example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  'https://example.com:65536/',
  'https://example.com:port/',
];

describe('addresses', () => {
  test.each(PRIVATE)('%s is outside', address => {
    expect(isPublicUnicast(address, [])).toBe(false);
  });

  test.each(['1.1.1.1', '8.8.8.8', '168.63.129.17', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    '%s is public',
    address => expect(isPublicUnicast(address, [])).toBe(true),
  );

  test.each(['', 'x', '1', '127.1', '134744072', '08.8.8.8', '2606:4700::1%eth0', '8.8.8.8/32', '8.8.8.8\0', '[::1]'])(
    '%j is no address',
    text => expect(isPublicUnicast(text, ['0.0.0.0/0', '::/0'])).toBe(false),
  );

  test('ranges that are allowed are added, and what is no range allows nothing', () => {
    expect(isPublicUnicast('10.1.2.3', ['fd00::/8', '10.0.0.0/8'])).toBe(true);
    expect(isPublicUnicast('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
    expect(isPublicUnicast('fd00::1', ['10.0.0.0/8', 'fd00::/8'])).toBe(true);
    expect(isPublicUnicast('127.0.0.1', ['10.0.0.0/8', 'fd00::/8', 'x', '', '127.0.0.1', '127.0.0.0/99'])).toBe(false);
  });

  test('ranges out of a setting', () => {
    expect(parseCidrs('')).toEqual([]);
    expect(parseCidrs(' 10.0.0.0/8, fd00::/8\n127.0.0.1 ::1')).toEqual([
      '10.0.0.0/8',
      'fd00::/8',
      '127.0.0.1/32',
      '::1/128',
    ]);
    for (const bad of ['x', '10.0.0.0/33', '10/8', '10.0.0.0/', '10.0.0.0/8/8', 'fe80::1%eth0', '::/129', '1.1.1.1/-1'])
      expect(parseCidrs(`10.0.0.0/8,${bad}`)).toBeUndefined();
  });
});

describe('at registration', () => {
  test.each(HOSTS)('https://%s is refused', host => {
    expect(urlIssue(`https://${host}/`, PUBLIC_ONLY)?.code).toBe('blocked_address');
    expect(urlIssue(`https://${host}:8443/a`, PUBLIC_ONLY)?.code).toBe('blocked_address');
  });

  test.each(UNUSABLE)('%j is refused', url => {
    expect(urlIssue(url, PUBLIC_ONLY)?.code).toBe('invalid_url');
    expect(urlIssue(url, LOOPBACK)?.code).toBe('invalid_url');
  });

  test.each([
    ['http://example.com/', 'https_required'],
    ['ftp://example.com/', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['https://user@example.com/', 'user_info'],
    ['https://user:password@example.com/', 'user_info'],
    ['https://@example.com/', 'user_info'],
    ['https://:@example.com/', 'user_info'],
    ['https://example.com/#a', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:0/', 'invalid_port'],
  ])('%s is refused: %s', (url, code) => {
    expect(urlIssue(url, PUBLIC_ONLY)).toEqual({ code, message: expect.any(String) });
  });

  test.each([
    'https://example.com',
    'https://EXAMPLE.com:8443/a%20b?c=@d',
    'https://example.com.:65535/',
    'https://münchen.example/',
    'https://a_b.example.com:1/',
    'https://8.8.8.8/',
    'https://[2606:4700::1111]/',
  ])('%s is taken', url => {
    expect(urlIssue(url, PUBLIC_ONLY)).toBeUndefined();
  });

  test('2048 characters are taken, and no more', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    expect(urlIssue(url, PUBLIC_ONLY)).toBeUndefined();
    expect(urlIssue(`${url}a`, PUBLIC_ONLY)?.code).toBe('too_long');
  });

  test('what is allowed besides', () => {
    for (const url of ['http://localhost:9000/', 'http://receiver/', 'http://127.1/', 'https://[::1]:8443/'])
      expect(urlIssue(url, LOOPBACK)).toBeUndefined();
    expect(urlIssue('http://10.0.0.1/', LOOPBACK)?.code).toBe('blocked_address');
    expect(urlIssue('ftp://example.com/', LOOPBACK)?.code).toBe('https_required');
  });

  test('names are refused for any address outside, and for having none', async () => {
    const resolved = async (...addresses: string[]) =>
      (await resolvedIssue('receiver.test', PUBLIC_ONLY, resolver(addresses)))?.code;
    expect(await resolved('8.8.8.8', '2606:4700::1111')).toBeUndefined();
    for (const address of PRIVATE) expect(await resolved('8.8.8.8', address)).toBe('blocked_address');
    expect(await resolved()).toBe('unresolvable_host');
    const failing: Lookup = (_, _options, callback) => callback(new Error('SERVFAIL at 10.0.0.53'), []);
    expect(await resolvedIssue('receiver.test', PUBLIC_ONLY, failing)).toEqual({
      code: 'unresolvable_host',
      message: expect.not.stringContaining('10.0.0.53'),
    });
    expect(await resolvedIssue('[::1]', PUBLIC_ONLY)).toMatchObject({ code: 'blocked_address' });
    expect(await resolvedIssue('8.8.8.8', PUBLIC_ONLY)).toBeUndefined();
    expect(await resolvedIssue('localhost', LOOPBACK)).toBeUndefined();
  });
});

describe('at connecting', () => {
  test('no form of a private address is connected to', async () => {
    const receiver = await http((_, response) => response.end());
    const client = outbound({}, { allowPrivate: [], allowHttp: true });
    for (const host of HOSTS) expect(await post(client, `http://${host}:${receiver.port}/`)).toEqual(BLOCKED);
    for (const url of UNUSABLE) expect(await post(client, url)).toEqual(BLOCKED);
    expect(receiver.sockets).toEqual([]);
    expect(client.size).toEqual({ origins: 0, connections: 0 });
  });

  test('no name that leads to one is, not even beside a public address', async () => {
    const receiver = await http((_, response) => response.end());
    const policy = { allowPrivate: [], allowHttp: true };
    const url = `http://receiver.test:${receiver.port}/`;
    for (const address of PRIVATE) {
      expect(await post(outbound({ lookup: resolver([address]) }, policy), url)).toEqual(BLOCKED);
      expect(await post(outbound({ lookup: resolver(['8.8.8.8', address]) }, policy), url)).toEqual(BLOCKED);
    }
    expect(receiver.sockets).toEqual([]);
  });

  test('a name that is public when asked and private afterwards is never connected to', async () => {
    const receiver = await http((_, response) => response.end());
    const policy = { allowPrivate: [], allowHttp: true };
    const lookup = resolver(['8.8.8.8'], ['127.0.0.1']);
    expect(await resolvedIssue('receiver.test', policy, lookup)).toBeUndefined();
    expect(await post(outbound({ lookup }, policy), `http://receiver.test:${receiver.port}/`)).toEqual(BLOCKED);
    expect(lookup.asked).toBe(2);
    expect(receiver.sockets).toEqual([]);
  });

  test('one connection asks the resolver once, and goes where it said', async () => {
    const receiver = await http((_, response) => response.end());
    const lookup = resolver(['127.0.0.1'], ['10.0.0.1']);
    const client = outbound({ lookup });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(lookup.asked).toBe(1);
  });

  test('all addresses of a name are tried', async () => {
    const receiver = await http((_, response) => response.end());
    const client = outbound({ lookup: resolver(['::1', '127.0.0.2', '127.0.0.1']) });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    const elsewhere = outbound({ lookup: resolver(['::1', '127.0.0.2']) });
    expect(await post(elsewhere, `http://receiver.test:${receiver.port}/`)).toMatchObject({
      outcome: 'connection_failed',
    });
  });

  test('a name without addresses, a resolver that fails, one that hangs, and a port nobody listens at', async () => {
    const unresolvable = { outcome: 'unresolvable_host', durationMs: expect.any(Number) };
    expect(await post(outbound({ lookup: resolver([]) }), 'http://receiver.test/')).toEqual(unresolvable);
    const failing: Lookup = (_, _options, callback) => callback(new Error('no'), []);
    expect(await post(outbound({ lookup: failing }), 'http://receiver.test/')).toEqual(unresolvable);
    const hanging = outbound({ lookup: () => undefined, totalTimeoutMs: 100 });
    expect(await post(hanging, 'http://receiver.test/')).toMatchObject({ outcome: 'timeout' });
    const throwing: Lookup = () => {
      throw new Error('broken');
    };
    expect(await post(outbound({ lookup: throwing }), 'http://receiver.test/')).toMatchObject({
      outcome: 'protocol_error',
    });
    const server = createServer();
    const { url } = await listen(server);
    server.close();
    await once(server, 'close');
    const refused = await post(outbound(), url);
    expect(refused).toEqual({ outcome: 'connection_failed', durationMs: expect.any(Number) });
  });
});

describe('answers', () => {
  test('status, Retry-After and the start of the body', async () => {
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

  test('a body of 4 KiB is kept and a character cut in two is left out', async () => {
    const receiver = await http((_, response) => response.end(`a${'ü'.repeat(4000)}`));
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 200, body: `a${'ü'.repeat(2047)}` });
    expect(receiver.sockets).toHaveLength(1);
  });

  test.each([301, 302, 303, 307, 308])('%i is an answer and not followed', async status => {
    const target = await http((_, response) => response.end());
    const receiver = await http((_, response) => response.writeHead(status, { location: target.url }).end());
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status });
    expect(target.sockets).toEqual([]);
  });

  test('bytes are sent as they are', async () => {
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

  test('interim answers do not count', async () => {
    const receiver = await http((_, response) => {
      response.writeEarlyHints({ link: '</a>; rel=preload' });
      response.writeHead(202).end();
    });
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 202 });
  });

  test('HTTP/1.0 is understood', async () => {
    const receiver = await raw(socket => socket.end('HTTP/1.0 200 OK\r\n\r\nyes'));
    expect(await post(outbound(), receiver.url)).toMatchObject({ status: 200, body: 'yes' });
  });
});

describe('answers that do not end', () => {
  test('50 MB of an accepted request: the status counts, little is read', async () => {
    let sentBytes = 0;
    function* letters() {
      for (; sentBytes < 50_000_000; sentBytes += 50_000) yield Buffer.alloc(50_000, 'a');
    }
    const receiver = await http((_, response) => Readable.from(letters()).pipe(response));
    const result = await post(outbound(), receiver.url);
    expect(result).toMatchObject({ outcome: 'answered', status: 200, body: 'a'.repeat(4096) });
    await vi.waitUntil(() => receiver.sockets[0]?.destroyed);
    // What the buffers of both systems take.
    expect(sentBytes).toBeLessThan(20_000_000);
  });

  test('a gzip bomb is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    const receiver = await http((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const result = await post(outbound(), receiver.url);
    expect(result).toMatchObject({ outcome: 'answered', status: 200, body: expect.stringContaining('\ufffd') });
  });

  test.each([
    ['a dripping body', `${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'],
    ['a silent body', `${ok}content-length: 5\r\n\r\n`, ''],
    ['an endless body', `${ok}\r\n`, 'a'],
  ])('%s is cut off, and answered', async (_, head, drop) => {
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

  test.each([
    ['a body cut short', `${ok}content-length: 5\r\n\r\nab`],
    ['a chunk that is none', `${ok}transfer-encoding: chunked\r\n\r\n2\r\nab\r\nzz\r\n`],
  ])('%s is answered', async (_, answer) => {
    const receiver = await raw(socket => socket.end(answer));
    expect(await post(outbound(), receiver.url)).toMatchObject({ outcome: 'answered', status: 200, body: 'ab' });
  });

  test.each([
    ['dripping headers', 'HTTP/1.1 200 OK\r\n', 'a: b\r\n', 'timeout'],
    ['endless interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'protocol_error'],
    ['silence', '', '', 'timeout'],
  ])('%s', async (_, head, drop, outcome) => {
    const receiver = await raw(socket => {
      socket.write(head);
      const drip = setInterval(() => socket.write(drop), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await post(outbound({ totalTimeoutMs: 150 }), receiver.url);
    expect(result).toEqual({ outcome, durationMs: expect.any(Number) });
    expect(result.durationMs).toBeLessThan(2_000);
    await vi.waitUntil(() => receiver.sockets[0]?.destroyed);
  });
});

describe('what is no answer', () => {
  test.each([
    ['garbage', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/0.9', '<html>'],
    ['a status that is none', 'HTTP/1.1 abc OK\r\n\r\n'],
    ['headers without end', `${ok}a: ${'b'.repeat(40_000)}\r\n\r\n`],
    ['lengths that differ', `${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`],
    ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: a\r\nconnection: upgrade\r\n\r\n'],
    ['a request to go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('%s: protocol_error', async (_, answer) => {
    const receiver = await raw(socket => socket.write(answer));
    const result = await post(outbound(), receiver.url);
    expect(result).toEqual({ outcome: 'protocol_error', durationMs: expect.any(Number) });
  });

  test('a header that cannot be sent', async () => {
    const receiver = await http((_, response) => response.end());
    const result = await outbound().post(receiver.url, { headers: { a: 'b\r\nc: d' }, body: '' });
    expect(result).toEqual({ outcome: 'protocol_error', durationMs: expect.any(Number) });
  });

  test('a reset, and a receiver that says no more', async () => {
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

describe('TLS', () => {
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

  test('a certificate of the name by an authority that is trusted', async () => {
    const { port, names } = await secure();
    const client = outbound(trusted);
    expect(await post(client, `https://receiver.test:${port}/`)).toMatchObject({ status: 200, body: 'yes' });
    expect(await post(client, `https://receiver.test.:${port}/`)).toMatchObject({ status: 200, body: 'yes' });
    expect(names).toEqual(['receiver.test', 'receiver.test']);
  });

  test('by itself, of another name, for an address, or no TLS at all: tls_failed', async () => {
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

  test('the switch of Node that turns verifying off does nothing', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    closers.push(() => vi.unstubAllEnvs());
    const { port } = await secure();
    expect(await post(outbound({ lookup: trusted.lookup }), `https://receiver.test:${port}/`)).toMatchObject({
      outcome: 'tls_failed',
    });
  });

  test('a handshake that hangs ends at the limit for connecting, or with the signal', async () => {
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

describe('abort', () => {
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

  test('sends nothing of a request that waits, or that was aborted before', async () => {
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

  test('closing ends everything', async () => {
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

describe('connections', () => {
  test('are used again, and never more than allowed', async () => {
    const receiver = await http((request, response) => request.resume().on('end', () => response.end('yes')));
    const client = outbound({ connectionsPerOrigin: 3 });
    for (let n = 0; n < 20; n++) expect(await post(client, receiver.url)).toMatchObject({ status: 200 });
    expect(receiver.sockets).toHaveLength(1);
    const many = await Promise.all(Array.from({ length: 200 }, () => post(client, receiver.url)));
    expect(many.every(result => result.outcome === 'answered')).toBe(true);
    expect(receiver.sockets.length).toBeLessThanOrEqual(3);
  });

  test('that the receiver closes after each answer are opened anew', async () => {
    const receiver = await http((_, response) => response.writeHead(200, { connection: 'close' }).end());
    const client = outbound({ connectionsPerOrigin: 2 });
    const results = await Promise.all(Array.from({ length: 20 }, () => post(client, receiver.url)));
    expect(results.map(result => result.outcome)).toEqual(Array(20).fill('answered'));
    await vi.waitUntil(() => client.size.origins === 0);
  });

  test('20 requests that hang at one origin leave another fast', async () => {
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

  test('waiting for one counts, and who waits goes on when others time out', async () => {
    let requests = 0;
    const receiver = await http((_, response) => (++requests <= 2 ? undefined : response.end()));
    const client = outbound({ connectionsPerOrigin: 2, totalTimeoutMs: 200 });
    const stuck = [post(client, receiver.url), post(client, receiver.url)];
    await vi.waitUntil(() => requests === 2);
    const later = post(client, receiver.url);
    for (const result of await Promise.all(stuck)) expect(result.outcome).toBe('timeout');
    expect(await later).toMatchObject({ status: 200 });
  });

  test('of many origins are given up, the oldest first', async () => {
    const receiver = await http((_, response) => response.end());
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

  test('that wait longer than a receiver keeps them are given up', async () => {
    const hint = `${ok}content-length: 0\r\nkeep-alive: timeout=1\r\n\r\n`;
    const receiver = await raw(socket => socket.write(hint));
    const client = outbound();
    expect(await post(client, receiver.url)).toMatchObject({ status: 200 });
    await vi.waitUntil(() => client.size.origins === 0);
  });
});
