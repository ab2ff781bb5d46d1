import { deepEqual, equal, ok } from 'node:assert/strict';
import { send } from './calls.ts';
import { WAREHOUSE } from './platform.ts';
import { type Chapter, isInstant, isInvalid, isProblem } from './statement.ts';

export const conventions: Chapter = {
  title: 'Requests and errors',
  statements: [
    {
      id: 'R1',
      promise: 'A path that does not exist is 404 `route_not_found`.',
      source: 'decision',
      holds: async ({ call }) => isProblem(await call('GET', '/no-such-path'), 404, 'route_not_found'),
    },
    {
      id: 'R2',
      promise: 'A method that a path does not have is 405 `method_not_allowed`, and `Allow` names those that it has.',
      source: 'decision',
      holds: async ({ call }) => {
        const reply = await call('PUT', '/warehouses', { body: {} });
        isProblem(reply, 405, 'method_not_allowed');
        for (const method of ['GET', 'POST']) ok(reply.headers.get('allow')?.includes(method), `Allow lacks ${method}`);
      },
    },
    {
      id: 'R3',
      promise: '`HEAD` returns the status and the headers of `GET`, without a body.',
      source: 'decision',
      holds: async ({ call }) => {
        const [get, head] = [await call('GET', '/health'), await call('HEAD', '/health')];
        equal(head.status, 200);
        equal(head.text, '');
        equal(head.headers.get('content-type'), get.headers.get('content-type'));
      },
    },
    {
      id: 'R4',
      promise: 'A body that is not `application/json` is 415 `unsupported_media_type`.',
      source: 'decision',
      holds: async ({ call }) => {
        const sent = { body: 'name=Deposito', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
        isProblem(await call('POST', '/warehouses', sent), 415, 'unsupported_media_type');
      },
    },
    {
      id: 'R5',
      promise: 'A body of more than 256 KiB is 413 `body_too_large`.',
      source: 'decision',
      holds: async ({ call }) => {
        const body = { ...WAREHOUSE, name: 'x'.repeat(256 * 1024) };
        isProblem(await call('POST', '/warehouses', { body }), 413, 'body_too_large');
      },
    },
    {
      id: 'R6',
      promise: 'A body that is empty or no JSON is 400 `malformed_json`.',
      source: 'decision',
      holds: async ({ call }) => {
        for (const body of ['', '{"name": ', '{"name": "x",}']) {
          isProblem(await call('POST', '/warehouses', { body }), 400, 'malformed_json');
        }
      },
    },
    {
      id: 'R7',
      promise: 'A field of a body that does not exist is 422, and the error names it.',
      source: 'decision',
      holds: async ({ call }) => {
        isInvalid(await call('POST', '/warehouses', { body: { ...WAREHOUSE, naem: 'x' } }), '/naem');
        isInvalid(await call('POST', '/shipments/quote', { body: { orderId: 1, cod: 5 } }), '/cod');
      },
    },
    {
      id: 'R8',
      promise: 'One response names everything that is wrong: types, unknown fields and domain rules together.',
      source: 'decision',
      holds: async ({ call }) => {
        const body = { ...WAREHOUSE, name: 5, typeId: 9, country: 'XX', naem: 'x' };
        isInvalid(await call('POST', '/warehouses', { body }), '/name', '/typeId', '/country', '/naem');
      },
    },
    {
      id: 'R9',
      promise:
        'An error is a problem of RFC 9457 with `code` and `requestId`, and `detail` contains the first of `errors`.',
      source: 'decision',
      holds: async ({ call }) => {
        const reply = await call('POST', '/warehouses', { body: { ...WAREHOUSE, typeId: 9 } });
        isInvalid(reply, '/typeId');
        ok(reply.body.detail.includes('typeId'), `detail does not name the field: ${reply.body.detail}`);
      },
    },
    {
      id: 'R10',
      promise: 'The `type` of a problem is the address of a page about it.',
      source: 'decision',
      holds: async ({ call }) => {
        const { body } = await call('GET', '/warehouses/0');
        const page = await send(body.type, 'GET');
        equal(page.status, 200);
        ok(page.text.includes('warehouse_not_found'), 'the page does not name the code');
      },
    },
    {
      id: 'R11',
      promise: '`X-Request-Id` of 1 to 200 characters is returned; one that is absent or of another form is replaced.',
      source: 'decision',
      holds: async ({ call }) => {
        const idOf = async (headers?: Record<string, string>) =>
          (await call('GET', '/health', headers && { headers })).headers.get('x-request-id') ?? '';
        equal(await idOf({ 'x-request-id': 'my-request.1' }), 'my-request.1');
        for (const id of [await idOf(), await idOf({ 'x-request-id': 'no spaces' })]) {
          ok(/^[A-Za-z0-9._-]{1,200}$/.test(id) && id !== 'no spaces', `no new id: ${id}`);
        }
      },
    },
    {
      id: 'R12',
      promise: 'Times are in UTC with milliseconds and `Z`.',
      source: 'decision',
      holds: async ({ call }) => {
        const { body } = await call('POST', '/warehouses', { body: WAREHOUSE });
        await call('DELETE', `/warehouses/${body.id}`);
        isInstant(body.createdAt);
        isInstant(body.updatedAt);
      },
    },
    {
      id: 'R13',
      promise:
        'Checks have an order: the route, the key, media type and JSON, the fields, and then whether a thing exists.',
      source: 'decision',
      holds: async ({ call, callAs }) => {
        const broken = { body: '{', headers: { 'content-type': 'text/plain' } };
        isProblem(await callAs(undefined)('POST', '/no-such-path', broken), 404, 'route_not_found');
        isProblem(await callAs(undefined)('POST', '/warehouses', broken), 401, 'missing_credentials');
        isProblem(await call('POST', '/warehouses', broken), 415, 'unsupported_media_type');
        isInvalid(await call('PATCH', '/warehouses/0', { body: { typeId: 9 } }), '/typeId');
        isProblem(await call('PATCH', '/warehouses/0', { body: { typeId: 2 } }), 404, 'warehouse_not_found');
      },
    },
    {
      id: 'R14',
      promise: 'Lists are bare arrays.',
      source: 'specification',
      holds: async ({ call }) => {
        for (const path of ['/warehouses', '/carriers', '/webhooks']) {
          const { status, body } = await call('GET', path);
          deepEqual([path, status, Array.isArray(body)], [path, 200, true]);
        }
      },
    },
    {
      id: 'R15',
      promise: 'Every response to a known key has `RateLimit-Policy` and `RateLimit`.',
      source: 'decision',
      holds: async ({ call }) => {
        for (const path of ['/health', '/warehouses/0']) {
          const { headers } = await call('GET', path);
          ok(headers.has('ratelimit-policy') && headers.has('ratelimit'), `${path} has no rate`);
        }
      },
    },
  ],
};
