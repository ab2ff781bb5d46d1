import { beforeAll, describe, expect, test } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { REACHABLE } from '../support/receiver.ts';
import { refusal } from '../support/refusal.ts';
import { type Caller, useSharedWorld, useWorld } from '../support/world.ts';
import { create, endpoint, WEBHOOK, without } from './webhook-calls.ts';

/** As it is installed: https to public addresses only. Nothing is fed in it, so nothing is sent. */
const world = useSharedWorld();
const local = useWorld(REACHABLE);
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});
const EVENTS = [
  'tracking.order_shipped',
  'tracking.in_transit',
  'tracking.out_for_delivery',
  'tracking.delay',
  'tracking.pickup_point',
  'tracking.delivery_failed',
  'tracking.delivered',
  'tracking.*',
];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('create', () => {
  test('returns 201 with exactly the fields of an endpoint, and its secret', async () => {
    const before = Date.now();
    const { status, body } = await create(caller);
    expect(status).toBe(201);
    expect(body).toEqual({
      ...WEBHOOK,
      id: expect.stringMatching(UUID),
      secretLast4: body.secret.slice(-4),
      isActive: true,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: body.createdAt,
      disabledAt: null,
      lastDelivery: null,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect(Buffer.from(body.secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(Date.parse(body.createdAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(body.createdAt)).toBeLessThanOrEqual(Date.now());
  });

  test('gives every endpoint a secret of its own, even at the same URL', async () => {
    const own = await world.company();
    const made = await Promise.all(Array.from({ length: 5 }, () => endpoint(own)));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(5);
    expect(new Set(made.map(({ id }) => id)).size).toBe(5);
  });

  test.each(EVENTS.map(event => [event]))('takes %s alone', async event => {
    expect((await endpoint(await world.company(), { events: [event] })).events).toEqual([event]);
  });

  test('takes all events, and folds what is sent twice', async () => {
    const own = await world.company();
    const { events } = await endpoint(own, { events: [...EVENTS, ...EVENTS] });
    expect(events.toSorted()).toEqual(EVENTS.toSorted());
    expect((await endpoint(own, { events: ['tracking.delay', 'tracking.delay'] })).events).toEqual(['tracking.delay']);
  });

  test.each([
    ['trimmed', ' \tGestionale\n ', 'Gestionale'],
    ['one character', 'x', 'x'],
    ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['200 characters of two units each', '📦'.repeat(200), '📦'.repeat(200)],
    ['as it was sent', `L'Àncora "Più" <b>&amp;</b> 東京`, `L'Àncora "Più" <b>&amp;</b> 東京`],
  ])('label: %s', async (_what, label, stored) => {
    expect((await endpoint(await world.company(), { label })).label).toBe(stored);
  });

  test.each([
    ['a public IPv4 address', 'https://93.184.215.14'],
    ['a public IPv6 address', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook'],
    ['a port and a query', 'https://93.184.215.14:8443/a/b?c=d&e=%20'],
    ['the scheme in upper case', 'HTTPS://93.184.215.14/hook'],
    ['an @ and escapes in its path', 'https://93.184.215.14/@me/%23/%E2%9C%93'],
    ['2,048 characters', `https://93.184.215.14/${'x'.repeat(2048 - 22)}`],
    ...['11.0.0.1', '172.15.0.1', '172.32.0.1', '192.167.0.1', '100.128.0.1', '169.253.0.1'].map(address => [
      `${address}, just beside a private range`,
      `https://${address}/`,
    ]),
  ])('takes a URL with %s, as it was sent', async (_what, url) => {
    expect((await endpoint(await world.company(), { url })).url).toBe(url);
  });

  test.each([
    ['https://example.com/ü', 'https://example.com/%C3%BC'],
    ['https://bücher.example/caffè?gusto=più|meno', 'https://xn--bcher-kva.example/caff%C3%A8?gusto=pi%C3%B9%7Cmeno'],
    ['HTTPS://BÜCHER.example:8443', 'HTTPS://xn--bcher-kva.example:8443'],
    [
      'https://example.com/{id}/[1]/50%/%zz/%2F/📦',
      'https://example.com/%7Bid%7D/%5B1%5D/50%25/%25zz/%2F/%F0%9F%93%A6',
    ],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/ü', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/%C3%BC'],
  ])('shows %s as a URI that leads to the same place', async (sent, shown) => {
    const own = await world.company();
    const { id, url } = await endpoint(own, { url: sent });
    expect([url, new URL(url).host]).toEqual([shown, new URL(sent).host]);
    // As it is sent is as version 0.1 stored it.
    await world.pool.query('update webhook_endpoint set url = $2 where id = $1', [id, sent]);
    expect((await own.rest('GET', '/webhooks')).body).toMatchObject([{ id, url: shown }]);
  });

  test('counts the characters of the URI', async () => {
    const answer = await create(caller, { url: `https://example.com/${'ü'.repeat(2048 / 6)}` });
    expect(refusal(answer)).toEqual([['/url', 'too_long']]);
  });

  test('takes a host that does not resolve: it may tomorrow, and deliveries tell', async () => {
    const { url, isActive } = await endpoint(caller, { url: 'https://hooks.nowhere.invalid/' });
    expect([url, isActive]).toEqual(['https://hooks.nowhere.invalid/', true]);
  });
});

type Wrong = [what: string, change: Record<string, unknown>, wrong: [pointer: string, code: string][]];

const LABELS: Wrong[] = (
  [
    [' \t\n', 'required'],
    ['x'.repeat(201), 'too_long'],
    ['a\u0000b', 'invalid_text'],
    [7, 'wrong_type'],
  ] as const
).map(([label, code]) => [`label ${JSON.stringify(label).slice(0, 20)}`, { label }, [['/label', code]]]);

const WRONG_EVENTS: Wrong[] = (
  [
    [null, [['/events', 'required']]],
    [[], [['/events', 'required']]],
    ['tracking.delivered', [['/events', 'wrong_type']]],
    [['tracking.returned'], [['/events/0', 'not_allowed']]],
    [['Tracking.Delivered'], [['/events/0', 'not_allowed']]],
    [[' tracking.delivered'], [['/events/0', 'not_allowed']]],
    [['*'], [['/events/0', 'not_allowed']]],
    [[7], [['/events/0', 'wrong_type']]],
    [[null], [['/events/0', 'required']]],
    [['tracking.delay', 7], [['/events/1', 'wrong_type']]],
    [
      ['x', 'tracking.delay', 'y'],
      [
        ['/events/0', 'not_allowed'],
        ['/events/2', 'not_allowed'],
      ],
    ],
  ] as [unknown, [string, string][]][]
).map(([events, wrong]) => [`events ${JSON.stringify(events)}`, { events }, wrong]);

const URLS: Record<string, readonly string[]> = {
  https_required: [
    'http://example.com/hook',
    'HTTP://example.com/hook',
    'http://93.184.215.14/',
    'http://127.0.0.1/',
    'ftp://example.com/hook',
    'ws://example.com/hook',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'mailto:a@example.com',
  ],
  invalid_url: [
    '',
    'hook',
    'example.com/hook',
    '/hook',
    '//example.com/hook',
    'https:',
    'https://',
    'https:///example.com',
    'https:example.com',
    'https:/example.com',
    'https://?x',
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com/a b',
    'https://exa mple.com/',
    'https://example.com/\t',
    'https://exam\tple.com/',
    'https://example.com/\nx',
    'https://example.com/\u0000',
    'https://example.com/\u00a0',
    'https:\\\\example.com\\hook',
    'https://example.com\\@127.0.0.1/',
    'https://example.com/a\\b',
    'https://example.com:65536/',
    'https://example.com:x/',
    'https://example..com/',
    'https://.example.com/',
    'https://-example.com/',
    'https://exam%00ple.com/',
    'https://exam*ple.com/',
    `https://${'x'.repeat(64)}.com/`,
    `https://${'x.'.repeat(130)}com/`,
    'https://256.1.1.1/',
    'https://1.2.3.4.5/',
    'https://[::1/',
    'https://[1.2.3.4]/',
    'https://[fe80::1%25eth0]/',
  ],
  user_info: [
    'https://user@example.com/',
    'https://user:password@example.com/',
    'https://:password@example.com/',
    'https://@example.com/',
    'https://:@example.com/',
    'https://example.com@127.0.0.1/',
    'https://a%40b@example.com/',
  ],
  fragment: ['https://example.com/#x', 'https://example.com/hook#', 'https://example.com#'],
  too_long: [`https://example.com/${'x'.repeat(2048 - 19)}`, `https://${'x'.repeat(100_000)}`],
  invalid_port: ['https://example.com:0/', 'https://example.com:00/', 'https://93.184.215.14:0/'],
  blocked_address: [
    // The machine, in all its ways to be written.
    ...['127.0.0.1', '127.1', '127.255.255.254', '2130706433', '0x7f.1', '0x7f000001', '0177.0.0.1', '017700000001'],
    ...[
      '127.0.0.1.',
      '127.0.0.1:8443',
      '%31%32%37.0.0.1',
      '１２７.０.０.１',
      '127。0。0。1',
      '0',
      '0.0.0.0',
      '0.1.2.3',
    ],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[::ffff:0:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]'],
    // Its network.
    ...['10.0.0.0', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
    ...['169.254.0.1', '169.254.169.254', '0xa9fea9fe', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ...['[fc00::1]', '[fd12:3456::1]', '[fd00:ec2::254]', '[fe80::1]', '[febf::1]', '[fec0::1]'],
    // What a cloud keeps for itself.
    '168.63.129.16',
    // What wraps another address.
    ...['[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b::93.184.215.14]', '[64:ff9b:1::7f00:1]'],
    ...['[2002:7f00:1::]', '[2002:5db8:d70e::1]', '[2001::1]'],
    // One to many, for documents, for tests, for nothing yet.
    ...['224.0.0.1', '239.255.255.255', '[ff02::1]', '[ff0e::1]', '240.0.0.1', '255.255.255.255'],
    ...['192.0.0.8', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255', '192.88.99.1'],
    ...['[2001:db8::1]', '[100::1]', '[4000::1]'],
    // Names of the machine and its network.
    ...['localhost', 'localhost.', 'LOCALHOST', 'localhost:3000', 'foo.localhost', 'foo.localhost.'],
    ...['printer.local', 'metadata.google.internal', 'metadata.google.internal.', 'intranet', 'postgres'],
  ].map(host => `https://${host}/hook`),
};

const WRONG_URLS: Wrong[] = [
  ...Object.entries(URLS).flatMap(([code, urls]) =>
    urls.map((url): Wrong => [`url ${JSON.stringify(url).slice(0, 60)}: ${code}`, { url }, [['/url', code]]]),
  ),
  ['url null', { url: null }, [['/url', 'required']]],
  ['url 7', { url: 7 }, [['/url', 'wrong_type']]],
];

const UNKNOWN: Wrong[] = ['secret', 'Url', 'a/b'].map(field => [
  `unknown field ${field}`,
  { [field]: 'x' },
  [[`/${field.replace('/', '~1')}`, 'unknown_field']],
]);

describe('create rejects', () => {
  test.each(['label', 'url', 'events'] as const)('a body without %s', async field => {
    const answer = await caller.rest('POST', '/webhooks', without(WEBHOOK, field));
    expect(refusal(answer)).toEqual([[`/${field}`, 'required']]);
  });

  test.each([[{}], [undefined]])('the body %j, naming all three fields', async body => {
    expect(refusal(await caller.rest('POST', '/webhooks', body))).toEqual([
      ['/events', 'required'],
      ['/label', 'required'],
      ['/url', 'required'],
    ]);
  });

  test.each([
    ...LABELS,
    ...WRONG_EVENTS,
    ...WRONG_URLS,
    ...UNKNOWN,
    [
      'everything at once, each told',
      { label: ' ', url: 'http://example.com', events: ['x'] },
      [
        ['/events/0', 'not_allowed'],
        ['/label', 'required'],
        ['/url', 'https_required'],
      ],
    ] as Wrong,
  ])('%s', async (_what, change, wrong) => {
    const before = (await caller.rest('GET', '/webhooks')).text;
    expect(refusal(await create(caller, change))).toEqual(wrong.toSorted());
    expect((await caller.rest('GET', '/webhooks')).text).toBe(before);
  });

  test.each([
    ['http', 'http://127.0.0.1/', undefined],
    ['an allowed range', 'https://127.9.9.9/', undefined],
    ['a local name', 'http://localhost/', undefined],
    ['another private range', 'https://10.0.0.1/', 'blocked_address'],
    ['the machine by IPv6', 'https://[::1]/', 'blocked_address'],
    ['another scheme', 'ftp://127.0.0.1/', 'https_required'],
    ['a user', 'http://user@127.0.0.1/', 'user_info'],
  ])('no more than it must where some of it is allowed: %s', async (_what, url, code) => {
    const answer = await create(await local.company(), { url });
    if (code === undefined) expect(answer.status).toBe(201);
    else expect(refusal(answer)).toEqual([['/url', code]]);
  });
});
