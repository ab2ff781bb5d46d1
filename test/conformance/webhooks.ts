import { deepEqual, equal, match } from 'node:assert/strict';
import type { Call } from './calls.ts';
import { type Chapter, given, hasFields, isInvalid, isProblem } from './statement.ts';

const ENDPOINT = [
  ...['id', 'label', 'url', 'secretLast4', 'events', 'isActive', 'createdAt', 'updatedAt', 'disabledAt'],
  'lastDelivery',
];
const EVENTS = [
  ...['tracking.order_shipped', 'tracking.in_transit', 'tracking.out_for_delivery', 'tracking.delay'],
  ...['tracking.pickup_point', 'tracking.delivery_failed', 'tracking.delivered', 'tracking.*'],
];
const LIMIT = 10;
const VALID = { label: 'Conformance', url: 'https://example.com/hook', events: ['tracking.*'] };

const create = (call: Call, fields: object = {}) => call('POST', '/webhooks', { body: { ...VALID, ...fields } });

/** Creates an endpoint for `use`, and deletes it afterwards. */
async function withEndpoint(
  call: Call,
  fields: object,
  use: (endpoint: Record<string, unknown>) => Promise<void> | void,
): Promise<void> {
  const { status, body } = await create(call, fields);
  equal(status, 201, JSON.stringify(body));
  try {
    await use(body);
  } finally {
    await call('DELETE', `/webhooks/${body.id}`);
  }
}

export const webhooks: Chapter = {
  title: 'Webhooks',
  statements: [
    {
      id: 'H1',
      promise:
        '`POST /webhooks` is 201 with the endpoint and its secret: `whsec_` and 32 bytes in base64, whose end is `secretLast4`.',
      source: 'specification',
      holds: ({ call }) =>
        withEndpoint(call, {}, endpoint => {
          hasFields(endpoint, [...ENDPOINT, 'secret']);
          match(String(endpoint.secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
          equal(Buffer.from(String(endpoint.secret).slice('whsec_'.length), 'base64').length, 32);
          equal(endpoint.secretLast4, String(endpoint.secret).slice(-4));
          deepEqual([endpoint.isActive, endpoint.disabledAt, endpoint.lastDelivery], [true, null, null]);
        }),
    },
    {
      id: 'H2',
      promise: '`GET /webhooks` lists the endpoints of the company, newest first, inactive ones too, without secrets.',
      source: 'specification',
      holds: ({ call }) =>
        withEndpoint(call, {}, first =>
          withEndpoint(call, {}, async second => {
            await call('DELETE', `/webhooks/${first.id}`);
            const { body, text } = await call('GET', '/webhooks');
            deepEqual([body[0].id, body[1].id, body[1].isActive], [second.id, first.id, false]);
            for (const endpoint of body) hasFields(endpoint, ENDPOINT);
            equal(text.includes('whsec_'), false);
          }),
        ),
    },
    {
      id: 'H3',
      promise:
        '`DELETE /webhooks/{id}` is 200 with the inactive endpoint, without its secret. A second `DELETE` returns the same.',
      source: 'specification',
      holds: ({ call }) =>
        withEndpoint(call, {}, async ({ id }) => {
          const [first, second] = [await call('DELETE', `/webhooks/${id}`), await call('DELETE', `/webhooks/${id}`)];
          equal(first.status, 200);
          hasFields(first.body, ENDPOINT);
          deepEqual([first.body.isActive, second.status, second.body], [false, 200, first.body]);
        }),
    },
    {
      id: 'H4',
      promise: '`events` are one or more of the eight; duplicates are stored once.',
      source: 'specification',
      holds: async ({ call }) => {
        await withEndpoint(call, { events: EVENTS }, endpoint => deepEqual(endpoint.events, EVENTS));
        const events = ['tracking.delay', 'tracking.delay'];
        await withEndpoint(call, { events }, endpoint => deepEqual(endpoint.events, ['tracking.delay']));
        isInvalid(await create(call, { events: [] }), '/events');
        isInvalid(await create(call, { events: ['tracking.delay', 'order.created'] }), '/events/1');
      },
    },
    {
      id: 'H5',
      promise: '`url` is `https`, has at most 2,048 characters, no user and no fragment.',
      source: 'decision',
      holds: async ({ call }) => {
        const long = `https://example.com/${'x'.repeat(2_048)}`;
        for (const url of [
          ...[
            'http://example.com/',
            'ftp://example.com/',
            'https://me:secret@example.com/',
            'https://example.com/#part',
          ],
          ...['example.com', '', long],
        ]) {
          isInvalid(await create(call, { url }), '/url');
        }
      },
    },
    {
      id: 'H6',
      promise: '`url` does not lead to a private network, however the address is written.',
      source: 'decision',
      holds: async ({ call }) => {
        for (const host of [
          ...['127.0.0.1', '10.0.0.1', '192.168.1.1', '169.254.169.254', '[::1]', '[fd00::1]', '[::ffff:10.0.0.1]'],
          ...['2130706433', '0x7f000001', 'localhost'],
        ]) {
          isInvalid(await create(call, { url: `https://${host}/hook` }), '/url');
        }
      },
    },
    {
      id: 'H7',
      promise: '`label` has 1 to 200 characters.',
      source: 'specification',
      holds: async ({ call }) => {
        for (const label of ['', ' ', 'x'.repeat(201), 5]) isInvalid(await create(call, { label }), '/label');
      },
    },
    {
      id: 'H8',
      promise: 'An id that is unknown, malformed or of another company is 404 `webhook_not_found`.',
      source: 'decision',
      needs: ['other company'],
      holds: ({ call, callAs, otherKey }) =>
        withEndpoint(callAs(given(otherKey)), {}, async ({ id }) => {
          for (const one of [id, '00000000-0000-4000-8000-000000000000', 'abc', '1']) {
            isProblem(await call('DELETE', `/webhooks/${one}`), 404, 'webhook_not_found');
          }
        }),
    },
    {
      id: 'H9',
      promise:
        'A company has at most ten active endpoints, however many requests arrive at once. The eleventh is 409 `webhook_limit_reached` with `limit`.',
      source: 'specification',
      holds: async ({ call }) => {
        const before: { isActive: boolean }[] = (await call('GET', '/webhooks')).body;
        const free = LIMIT - before.filter(({ isActive }) => isActive).length;
        const replies = await Promise.all(Array.from({ length: LIMIT + 2 }, () => create(call)));
        const created = replies.filter(({ status }) => status === 201);
        try {
          equal(created.length, free);
          for (const reply of replies.filter(({ status }) => status !== 201)) {
            isProblem(reply, 409, 'webhook_limit_reached');
            equal(reply.body.limit, LIMIT);
          }
        } finally {
          for (const { body } of created) await call('DELETE', `/webhooks/${body.id}`);
        }
      },
    },
  ],
};
