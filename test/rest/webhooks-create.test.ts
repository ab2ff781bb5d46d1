import { beforeAll, describe, expect, test } from 'vitest';
import { INSTANT } from '../support/instants.ts';
import { REACHABLE } from '../support/receiver.ts';
import { wrongFields } from '../support/rest-client.ts';
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

describe('The creation of a webhook endpoint', () => {
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

  test('gives every endpoint a secret of its own, even for the same URL', async () => {
    const own = await world.company();
    const made = await Promise.all(Array.from({ length: 5 }, () => endpoint(own)));
    expect(new Set(made.map(({ secret }) => secret)).size).toBe(5);
    expect(new Set(made.map(({ id }) => id)).size).toBe(5);
  });

  test('accepts all events, and removes duplicates', async () => {
    const own = await world.company();
    const { events } = await endpoint(own, { events: [...EVENTS, ...EVENTS] });
    expect(events.toSorted()).toEqual(EVENTS.toSorted());
    expect((await endpoint(own, { events: ['tracking.delay', 'tracking.delay'] })).events).toEqual(['tracking.delay']);
  });

  test.each([
    ['trimmed', ' \tGestionale\n ', 'Gestionale'],
    ['200 characters of two units each', '📦'.repeat(200), '📦'.repeat(200)],
    ['as it was sent', `L'Àncora "Più" <b>&amp;</b> 東京`, `L'Àncora "Più" <b>&amp;</b> 東京`],
  ])('accepts a label: %s', async (_what, label, stored) => {
    expect((await endpoint(await world.company(), { label })).label).toBe(stored);
  });

  test.each([
    ['a public IPv6 address', 'https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/hook'],
    ['a port and a query', 'https://93.184.215.14:8443/a/b?c=d&e=%20'],
    ['an @ and escapes in its path', 'https://93.184.215.14/@me/%23/%E2%9C%93'],
    ['2,048 characters', `https://93.184.215.14/${'x'.repeat(2048 - 22)}`],
  ])('accepts a URL with %s, as it was sent', async (_what, url) => {
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
    expect((await own.rest('GET', '/webhooks')).body).toMatchObject([{ id, url: shown }]);
  });

  test('counts the characters of the URI', async () => {
    const answer = await create(caller, { url: `https://example.com/${'ü'.repeat(2048 / 6)}` });
    expect(wrongFields(answer)).toEqual([['/url', 'too_long']]);
  });

  test('accepts a host that does not resolve yet, since deliveries report that', async () => {
    const { url, isActive } = await endpoint(caller, { url: 'https://hooks.nowhere.invalid/' });
    expect([url, isActive]).toEqual(['https://hooks.nowhere.invalid/', true]);
  });
});

type Wrong = [what: string, change: Record<string, unknown>, wrong: [pointer: string, code: string][]];

const LABELS: Wrong[] = (
  [
    [' \t\n', 'required'],
    ['x'.repeat(201), 'too_long'],
    [7, 'wrong_type'],
  ] as const
).map(([label, code]) => [`label ${JSON.stringify(label).slice(0, 20)}`, { label }, [['/label', code]]]);

const WRONG_EVENTS: Wrong[] = (
  [
    [null, [['/events', 'required']]],
    [[], [['/events', 'required']]],
    ['tracking.delivered', [['/events', 'wrong_type']]],
    [['tracking.returned'], [['/events/0', 'not_allowed']]],
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

/** One URL of each kind. Which URLs are wrong, in all forms of an address, is tested in `platform/outbound-addresses.test.ts`. */
const WRONG_URLS: Wrong[] = (
  [
    ['http://example.com/hook', 'https_required'],
    ['https:///example.com', 'invalid_url'],
    ['https://user:password@example.com/', 'user_info'],
    ['https://example.com/#x', 'fragment'],
    [`https://example.com/${'x'.repeat(2048 - 19)}`, 'too_long'],
    ['https://example.com:0/', 'invalid_port'],
    ['https://0x7f.1/hook', 'blocked_address'],
    ['https://[::ffff:10.0.0.1]/hook', 'blocked_address'],
    ['https://metadata.google.internal/hook', 'blocked_address'],
    [null, 'required'],
    [7, 'wrong_type'],
  ] as const
).map(([url, code]) => [`url ${JSON.stringify(url).slice(0, 60)}: ${code}`, { url }, [['/url', code]]]);

const UNKNOWN: Wrong[] = ['secret', 'Url', 'a/b'].map(field => [
  `unknown field ${field}`,
  { [field]: 'x' },
  [[`/${field.replace('/', '~1')}`, 'unknown_field']],
]);

describe('The creation of a webhook endpoint rejects', () => {
  test.each(['label', 'url', 'events'] as const)('a body without %s', async field => {
    const answer = await caller.rest('POST', '/webhooks', without(WEBHOOK, field));
    expect(wrongFields(answer)).toEqual([[`/${field}`, 'required']]);
  });

  test('the body {}, and names all three fields', async () => {
    expect(wrongFields(await caller.rest('POST', '/webhooks', {}))).toEqual([
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
    expect(wrongFields(await create(caller, change))).toEqual(wrong.toSorted());
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
  ])('no more than necessary if private addresses are allowed: %s', async (_what, url, code) => {
    const answer = await create(await local.company(), { url });
    if (code === undefined) expect(answer.status).toBe(201);
    else expect(wrongFields(answer)).toEqual([['/url', code]]);
  });
});
