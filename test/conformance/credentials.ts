import { deepEqual, equal, match } from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { type Chapter, given, hasFields, isProblem } from './statement.ts';

/** The requests that each scope allows, as method and path. */
const BY_SCOPE: readonly (readonly [scope: string, method: string, path: string])[] = [
  ['health:read', 'GET', '/health'],
  ['shipments:quote', 'POST', '/shipments/quote'],
  ['shipments:tracking', 'GET', '/shipments/tracking/by-tracking-number/X1'],
  ['shipments:tracking', 'GET', '/shipments/tracking/by-order-number/X1'],
  ['warehouses:read', 'GET', '/warehouses'],
  ['warehouses:read', 'GET', '/warehouses/0'],
  ['warehouses:create', 'POST', '/warehouses'],
  ['warehouses:update', 'PATCH', '/warehouses/0'],
  ['warehouses:delete', 'DELETE', '/warehouses/0'],
  ['carriers:read', 'GET', '/carriers'],
  ['addresses:check', 'POST', '/addresses/check-address'],
  ['webhooks:manage', 'POST', '/webhooks'],
  ['webhooks:manage', 'GET', '/webhooks'],
  ['webhooks:manage', 'DELETE', '/webhooks/00000000-0000-4000-8000-000000000000'],
];

export const credentials: Chapter = {
  title: 'Keys and scopes',
  statements: [
    {
      id: 'K1',
      promise: '`GET /health` returns the company, the key, its label and scopes, and nothing else.',
      source: 'specification',
      holds: async ({ call }) => {
        const { status, body } = await call('GET', '/health');
        equal(status, 200);
        hasFields(body, ['ok', 'companyId', 'apiKeyId', 'label', 'scopes', 'authScheme']);
        equal(body.ok, true);
        for (const id of [body.companyId, body.apiKeyId]) match(id, /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
      },
    },
    {
      id: 'K2',
      promise:
        'A key is sent as `x-api-key` or as a bearer token, and `authScheme` says which. If both have the same key, it is `x-api-key`.',
      source: 'specification',
      holds: async ({ callAs, key }) => {
        const schemeOf = async (headers: Record<string, string>) =>
          (await callAs(undefined)('GET', '/health', { headers })).body.authScheme;
        const bearer = { authorization: `Bearer ${key}` };
        equal(await schemeOf({ 'x-api-key': key }), 'x-api-key');
        equal(await schemeOf(bearer), 'bearer');
        equal(await schemeOf({ 'x-api-key': key, ...bearer }), 'x-api-key');
      },
    },
    {
      id: 'K3',
      promise: 'Two different keys in the two headers are 400 `conflicting_credentials`.',
      source: 'decision',
      holds: async ({ callAs, key }) => {
        const headers = { 'x-api-key': key, authorization: `Bearer ${key}x` };
        isProblem(await callAs(undefined)('GET', '/health', { headers }), 400, 'conflicting_credentials');
      },
    },
    {
      id: 'K4',
      promise: 'A request without a key is 401 `missing_credentials`, with `WWW-Authenticate: Bearer`.',
      source: 'decision',
      holds: async ({ callAs }) => {
        const reply = await callAs(undefined)('GET', '/health');
        isProblem(reply, 401, 'missing_credentials');
        match(reply.headers.get('www-authenticate') ?? '', /^Bearer/);
      },
    },
    {
      id: 'K5',
      promise: 'Keys that are unknown or garbled are 401 `invalid_api_key`, with the same text.',
      source: 'decision',
      holds: async ({ callAs, key }) => {
        const texts = new Set<string>();
        for (const wrong of [`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`, 'sk_live_', 'x'.repeat(500)]) {
          const reply = await callAs(wrong)('GET', '/health');
          isProblem(reply, 401, 'invalid_api_key');
          texts.add(`${reply.body.title}: ${reply.body.detail}`);
        }
        equal(texts.size, 1);
      },
    },
    {
      id: 'K6',
      promise: 'Every operation needs its scope: without it, it is 403 `insufficient_scope` with `requiredScope`.',
      source: 'specification',
      needs: ['platform'],
      holds: async ({ callAs, platform }) => {
        const scopes = [...new Set(BY_SCOPE.map(([scope]) => scope))];
        for (const scope of scopes) {
          const { key, id } = await given(platform).createKey(scopes.filter(other => other !== scope));
          for (const [needed, method, path] of BY_SCOPE) {
            const reply = await callAs(key)(method, path, method === 'POST' || method === 'PATCH' ? { body: {} } : {});
            if (needed === scope) {
              isProblem(reply, 403, 'insufficient_scope');
              equal(reply.body.requiredScope, scope);
            } else deepEqual([method, path, reply.status === 403], [method, path, false]);
          }
          await given(platform).revokeKey(id);
        }
      },
    },
    {
      id: 'K7',
      promise: 'A key that was revoked stops within a second, and is 401 `invalid_api_key`.',
      source: 'decision',
      needs: ['platform'],
      holds: async ({ callAs, platform }) => {
        const { key, id } = await given(platform).createKey(['health:read']);
        equal((await callAs(key)('GET', '/health')).status, 200);
        await given(platform).revokeKey(id);
        await wait(1_000);
        isProblem(await callAs(key)('GET', '/health'), 401, 'invalid_api_key');
      },
    },
  ],
};
