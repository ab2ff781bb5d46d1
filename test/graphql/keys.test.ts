import { beforeAll, describe, expect, test } from 'vitest';
import { type Caller, useWorld } from '../support/world.ts';
import { ask } from './platform-side.ts';

const world = useWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

interface Key {
  readonly apiKeyId: string;
  readonly label: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}
interface New {
  readonly apiKey: string;
  readonly key: Key;
}
interface Rotated extends New {
  readonly oldKey: Key;
}

const KEY = '{ apiKeyId label last4 scopes createdAt expiresAt revokedAt lastUsedAt }';
const LIST = `{ apiKeys ${KEY} }`;
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey key ${KEY} } }`;
const ROTATE = `mutation ($id: ID!, $hours: Int) {
  rotateApiKey(apiKeyId: $id, overlapHours: $hours) { apiKey key ${KEY} oldKey ${KEY} }
}`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(apiKeyId: $id) ${KEY} }`;
const HOUR_MS = 3_600_000;

const keys = (of: Caller = caller) => ask<Key[]>(of, LIST);
const create = (input: Record<string, unknown>) => ask<New>(caller, CREATE, { input });

async function health(apiKey: string): Promise<number> {
  const response = await fetch(`${world.app.url}/api/v1/integrations/health`, { headers: { 'x-api-key': apiKey } });
  await response.body?.cancel();
  return response.status;
}

function hoursAhead(time: string | null): number {
  return Math.round((Date.parse(time ?? '') - Date.now()) / HOUR_MS);
}

describe('A key with keys:manage', () => {
  test('issues a key, which works and is listed without what it is', async () => {
    const { apiKey, key } = await create({ label: ' Shop ', scopes: ['health:read', 'warehouses:read'] });
    expect(key).toMatchObject({
      label: 'Shop',
      scopes: ['health:read', 'warehouses:read'],
      last4: apiKey.slice(-4),
      expiresAt: null,
      revokedAt: null,
    });
    expect(await health(apiKey)).toBe(200);
    const listed = await keys();
    expect(listed.at(-1)).toEqual(key);
    expect(listed[0]?.apiKeyId).toBe(caller.apiKeyId);
    expect(JSON.stringify(listed)).not.toContain(apiKey);
  });

  test('rotates one: both work until the old one’s time is up', async () => {
    const old = await create({ label: 'Old', scopes: ['health:read'] });
    const { apiKey, key, oldKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId });
    expect(key).toMatchObject({ label: 'Old', scopes: ['health:read'], expiresAt: null });
    expect([oldKey.apiKeyId, hoursAhead(oldKey.expiresAt)]).toEqual([old.key.apiKeyId, 24]);
    expect([await health(apiKey), await health(old.apiKey)]).toEqual([200, 200]);
  });

  test('rotates one at once where no overlap is asked for', async () => {
    const old = await create({ label: 'Leaked', scopes: ['health:read'] });
    const { apiKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId, hours: 0 });
    expect([await health(apiKey), await health(old.apiKey)]).toEqual([200, 401]);
    const { errors } = await caller.graphql(ROTATE, { id: old.key.apiKeyId });
    expect(errors?.[0]?.extensions).toMatchObject({
      status: 422,
      errors: [{ pointer: '/apiKeyId', code: 'not_current' }],
    });
  });

  test('never lengthens a key by rotating it, and gives the new one as long', async () => {
    const expiresAt = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const old = await create({ label: 'Short', scopes: ['health:read'], expiresAt });
    const { key, oldKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId, hours: 100 });
    expect([oldKey.expiresAt, hoursAhead(key.expiresAt)]).toEqual([expiresAt, 2]);
  });

  test('revokes one for good', async () => {
    const { apiKey, key } = await create({ label: 'Gone', scopes: ['health:read'] });
    expect(await health(apiKey)).toBe(200);
    const { revokedAt } = await ask<Key>(caller, REVOKE, { id: key.apiKeyId });
    await expect.poll(() => health(apiKey), { timeout: 1000 }).toBe(401);
    expect((await ask<Key>(caller, REVOKE, { id: key.apiKeyId })).revokedAt).toBe(revokedAt);
  });
});

describe('A key is granted no more than its grantor has', () => {
  let manager: Caller;
  beforeAll(async () => {
    manager = await world.key(caller.companyId, ['keys:manage', 'health:read']);
  });

  test('not by being issued', async () => {
    const input = { label: 'More', scopes: ['health:read', 'orders:write'] };
    const { errors } = await manager.graphql(CREATE, { input });
    expect(errors?.[0]?.extensions).toMatchObject({
      status: 422,
      errors: [{ pointer: '/scopes', code: 'not_allowed' }],
    });
    expect(errors?.[0]?.extensions.errors?.[0]?.message).toContain('orders:write');
  });

  test('nor by all, which is all of its grantor', async () => {
    const { key } = await ask<New>(manager, CREATE, { input: { label: 'All', scopes: ['all'] } });
    expect(key.scopes).toEqual(['health:read', 'keys:manage']);
  });

  test('nor by rotating another', async () => {
    const { errors } = await manager.graphql(ROTATE, { id: caller.apiKeyId });
    expect(errors?.[0]?.extensions).toMatchObject({
      status: 422,
      errors: [{ pointer: '/apiKeyId', code: 'not_allowed' }],
    });
    expect(await health(caller.apiKey)).toBe(200);
  });
});

describe('Refused is', () => {
  const wrong: [what: string, query: string, variables: Record<string, unknown>, pointer: string][] = [
    ['a key without a label', CREATE, { input: { label: ' ', scopes: ['all'] } }, '/label'],
    ['a key without scopes', CREATE, { input: { label: 'x', scopes: [] } }, '/scopes'],
    ['a scope that does not exist', CREATE, { input: { label: 'x', scopes: ['root'] } }, '/scopes'],
    [
      'a time that has passed',
      CREATE,
      { input: { label: 'x', scopes: ['all'], expiresAt: '2026-01-01T00:00:00Z' } },
      '/expiresAt',
    ],
    ['a negative overlap', ROTATE, { hours: -1 }, '/overlapHours'],
    ['an overlap of more than 30 days', ROTATE, { hours: 721 }, '/overlapHours'],
  ];
  test.each(wrong)('%s', async (_what, query, variables, pointer) => {
    const { errors } = await caller.graphql(query, { id: caller.apiKeyId, ...variables });
    expect(errors?.[0]?.extensions).toMatchObject({ status: 422, errors: [{ pointer }] });
  });

  test('another company’s key, as one that never existed', async () => {
    const other = await world.company();
    for (const id of [other.apiKeyId, '00000000-0000-4000-8000-000000000000', 'x']) {
      for (const query of [ROTATE, REVOKE]) {
        const { errors } = await caller.graphql(query, { id });
        expect(errors?.[0]?.extensions).toMatchObject({ code: 'api_key_not_found', status: 404 });
      }
    }
    expect(await health(other.apiKey)).toBe(200);
    expect((await keys(other)).map(({ apiKeyId }) => apiKeyId)).toEqual([other.apiKeyId]);
  });

  test('everybody without keys:manage', async () => {
    const reader = await world.key(caller.companyId, ['health:read']);
    const asked: [string, object][] = [
      [LIST, {}],
      [CREATE, { input: { label: 'x', scopes: ['health:read'] } }],
      [ROTATE, { id: reader.apiKeyId }],
      [REVOKE, { id: reader.apiKeyId }],
    ];
    for (const [query, variables] of asked) {
      const { errors } = await reader.graphql(query, variables as Record<string, unknown>);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'insufficient_scope', requiredScope: 'keys:manage' });
    }
  });
});
