import dns from 'node:dns/promises';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import { isPublicUnicast, parseCidrs } from '../../src/platform/outbound/outbound-address.ts';
import {
  type Lookup,
  lookupOf,
  type OutboundPolicy,
  resolvedIssue,
  urlIssue,
} from '../../src/platform/outbound/outbound-url.ts';
import { HOSTS, PRIVATE, UNUSABLE } from '../support/hostile-addresses.ts';
import { LOOPBACK, post, resolver, useOutbound } from './outbound-servers.ts';

const { http, outbound, listen } = useOutbound();

const PUBLIC_ONLY: OutboundPolicy = { allowPrivate: [], allowHttp: false };
const BLOCKED = { outcome: 'blocked_address', durationMs: expect.any(Number) };

describe('The check of an address', () => {
  test.each(PRIVATE)('rejects %s, which is not public', address => {
    expect(isPublicUnicast(address, [])).toBe(false);
  });

  test.each(['1.1.1.1', '8.8.8.8', '168.63.129.17', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'accepts %s, which is public',
    address => expect(isPublicUnicast(address, [])).toBe(true),
  );

  test.each(['', 'x', '1', '127.1', '134744072', '08.8.8.8', '2606:4700::1%eth0', '8.8.8.8/32', '8.8.8.8\0', '[::1]'])(
    'rejects %j, which is not an address',
    text => expect(isPublicUnicast(text, ['0.0.0.0/0', '::/0'])).toBe(false),
  );

  test('accepts added ranges, and nothing by a text that is not a range', () => {
    expect(isPublicUnicast('10.1.2.3', ['fd00::/8', '10.0.0.0/8'])).toBe(true);
    expect(isPublicUnicast('::ffff:10.1.2.3', ['10.0.0.0/8'])).toBe(true);
    expect(isPublicUnicast('fd00::1', ['10.0.0.0/8', 'fd00::/8'])).toBe(true);
    expect(isPublicUnicast('127.0.0.1', ['10.0.0.0/8', 'fd00::/8', 'x', '', '127.0.0.1', '127.0.0.0/99'])).toBe(false);
  });

  test('accepts the ranges of a setting', () => {
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

describe('The check of a URL at its registration', () => {
  test.each(HOSTS)('rejects https://%s', host => {
    expect(urlIssue(`https://${host}/`, PUBLIC_ONLY)?.code).toBe('blocked_address');
    expect(urlIssue(`https://${host}:8443/a`, PUBLIC_ONLY)?.code).toBe('blocked_address');
  });

  test.each(UNUSABLE)('rejects %j', url => {
    expect(urlIssue(url, PUBLIC_ONLY)?.code).toBe('invalid_url');
    expect(urlIssue(url, LOOPBACK)?.code).toBe('invalid_url');
  });

  test.each([
    ['http://example.com/', 'https_required'],
    ['ftp://example.com/', 'https_required'],
    ['javascript:alert(1)', 'https_required'],
    ['HTTP://example.com/hook', 'https_required'],
    ['ws://example.com/hook', 'https_required'],
    ['file:///etc/passwd', 'https_required'],
    ['data:text/plain,x', 'https_required'],
    ['mailto:a@example.com', 'https_required'],
    ['https://:password@example.com/', 'user_info'],
    ['https://example.com@127.0.0.1/', 'user_info'],
    ['https://a%40b@example.com/', 'user_info'],
    ['https://user@example.com/', 'user_info'],
    ['https://user:password@example.com/', 'user_info'],
    ['https://@example.com/', 'user_info'],
    ['https://:@example.com/', 'user_info'],
    ['https://example.com/#a', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com/hook#', 'fragment'],
    ['https://example.com:0/', 'invalid_port'],
    ['https://example.com:00/', 'invalid_port'],
    ['https://93.184.215.14:0/', 'invalid_port'],
  ])('rejects %s: %s', (url, code) => {
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
    ...['11.0.0.1', '172.15.0.1', '172.32.0.1', '192.167.0.1', '100.128.0.1', '169.253.0.1'].map(
      ip => `https://${ip}/`,
    ),
  ])('accepts %s', url => {
    expect(urlIssue(url, PUBLIC_ONLY)).toBeUndefined();
  });

  test('accepts 2048 characters, and no more', () => {
    const url = `https://example.com/${'a'.repeat(2028)}`;
    expect(urlIssue(url, PUBLIC_ONLY)).toBeUndefined();
    expect(urlIssue(`${url}a`, PUBLIC_ONLY)?.code).toBe('too_long');
  });

  test('accepts additional allowed addresses', () => {
    for (const url of ['http://localhost:9000/', 'http://receiver/', 'http://127.1/', 'https://[::1]:8443/'])
      expect(urlIssue(url, LOOPBACK)).toBeUndefined();
    expect(urlIssue('http://10.0.0.1/', LOOPBACK)?.code).toBe('blocked_address');
    expect(urlIssue('ftp://example.com/', LOOPBACK)?.code).toBe('https_required');
  });

  test('rejects a name if any address is not public, and accepts one that has none', async () => {
    const resolved = async (...addresses: string[]) =>
      (await resolvedIssue('receiver.test', PUBLIC_ONLY, resolver(addresses)))?.code;
    expect(await resolved('8.8.8.8', '2606:4700::1111')).toBeUndefined();
    for (const address of PRIVATE) expect(await resolved('8.8.8.8', address)).toBe('blocked_address');
    expect(await resolved()).toBeUndefined();
    const failing: Lookup = (_, _options, callback) => callback(new Error('SERVFAIL at 10.0.0.53'), []);
    expect(await resolvedIssue('receiver.test', PUBLIC_ONLY, failing)).toBeUndefined();
    expect(await resolvedIssue('[::1]', PUBLIC_ONLY)).toMatchObject({ code: 'blocked_address' });
    expect(await resolvedIssue('8.8.8.8', PUBLIC_ONLY)).toBeUndefined();
    expect(await resolvedIssue('localhost', LOOPBACK)).toBeUndefined();
  });
});

describe('The resolver', () => {
  const { prototype } = dns.Resolver;
  const addressesOf = async (v4: Promise<string[]>, v6: Promise<string[]>) => {
    vi.spyOn(prototype, 'resolve4').mockReturnValue(v4);
    vi.spyOn(prototype, 'resolve6').mockReturnValue(v6);
    const found = Promise.withResolvers<string[]>();
    lookupOf(PUBLIC_ONLY)('receiver.test', { all: true }, (_, addresses) =>
      found.resolve(addresses.map(({ family, address }) => `${family} ${address}`)),
    );
    return found.promise.finally(() => vi.restoreAllMocks());
  };
  const dropped = new Promise<string[]>(() => undefined);
  const none = Promise.reject(new Error('ENODATA'));
  none.catch(() => undefined);
  const [v4, v6] = [Promise.resolve(['8.8.8.8']), Promise.resolve(['2606:4700::1111'])];

  test.each([
    ['of both families', v4, v6, ['4 8.8.8.8', '6 2606:4700::1111']],
    ['of one alone, if the name has no others', none, v6, ['6 2606:4700::1111']],
    ['of one alone, if a name server drops the question for the others', v4, dropped, ['4 8.8.8.8']],
    ['which are none if the name does not exist', none, none, []],
  ])('finds the addresses %s', async (_when, four, six, addresses) => {
    expect(await addressesOf(four, six)).toEqual(addresses);
  });
});

describe('An outbound request', () => {
  test('connects to no form of a private address', async () => {
    const receiver = await http((_, response) => response.end());
    const client = outbound({}, { allowPrivate: [], allowHttp: true });
    for (const host of HOSTS) expect(await post(client, `http://${host}:${receiver.port}/`)).toEqual(BLOCKED);
    for (const url of UNUSABLE) expect(await post(client, url)).toEqual(BLOCKED);
    expect(receiver.sockets).toEqual([]);
    expect(client.size).toEqual({ origins: 0, connections: 0 });
  });

  test('connects to no name that leads to a private address, even beside a public one', async () => {
    const receiver = await http((_, response) => response.end());
    const policy = { allowPrivate: [], allowHttp: true };
    const url = `http://receiver.test:${receiver.port}/`;
    for (const address of PRIVATE) {
      expect(await post(outbound({ lookup: resolver([address]) }, policy), url)).toEqual(BLOCKED);
      expect(await post(outbound({ lookup: resolver(['8.8.8.8', address]) }, policy), url)).toEqual(BLOCKED);
    }
    expect(receiver.sockets).toEqual([]);
  });

  test('does not connect to a name that is public when it is checked and private afterwards', async () => {
    const receiver = await http((_, response) => response.end());
    const policy = { allowPrivate: [], allowHttp: true };
    const lookup = resolver(['8.8.8.8'], ['127.0.0.1']);
    expect(await resolvedIssue('receiver.test', policy, lookup)).toBeUndefined();
    expect(await post(outbound({ lookup }, policy), `http://receiver.test:${receiver.port}/`)).toEqual(BLOCKED);
    expect(lookup.asked).toBe(2);
    expect(receiver.sockets).toEqual([]);
  });

  test('asks the resolver once per connection, and connects to the address in its answer', async () => {
    const receiver = await http((_, response) => response.end());
    const lookup = resolver(['127.0.0.1'], ['10.0.0.1']);
    const client = outbound({ lookup });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    expect(lookup.asked).toBe(1);
  });

  test('tries all addresses of a name', async () => {
    const receiver = await http((_, response) => response.end());
    const client = outbound({ lookup: resolver(['::1', '127.0.0.2', '127.0.0.1']) });
    expect(await post(client, `http://receiver.test:${receiver.port}/`)).toMatchObject({ status: 200 });
    const elsewhere = outbound({ lookup: resolver(['::1', '127.0.0.2']) });
    expect(await post(elsewhere, `http://receiver.test:${receiver.port}/`)).toMatchObject({
      outcome: 'connection_failed',
    });
  });

  test('fails for a name without addresses, a resolver that fails or hangs, and a port without a listener', async () => {
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
