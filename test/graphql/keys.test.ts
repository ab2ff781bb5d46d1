import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf, graphqlClient } from '../support/graphql-client.ts';
import { ask, askNodes } from '../support/platform-side.ts';
import { SEEN_WITHIN_MS } from '../support/time.ts';
import { type Caller, useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();
let caller: Caller;
beforeAll(async () => {
  caller = await world.company();
});

interface Key {
  readonly apiKeyId: string;
  readonly label: string;
  readonly last4: string;
  readonly scopes: readonly string[];
  readonly rates: { readonly reads: number | null; readonly quotes: number | null; readonly writes: number | null };
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

const KEY =
  '{ apiKeyId: id label last4 scopes rates { reads quotes writes } createdAt expiresAt revokedAt lastUsedAt }';
const LIST = `{ apiKeys { nodes ${KEY} } }`;
const CREATE = `mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { apiKey key ${KEY} userErrors { code pointer message } } }`;
const ROTATE = `mutation ($id: ID!, $hours: Int) {
  rotateApiKey(input: { id: $id, overlapHours: $hours }) { apiKey key ${KEY} oldKey ${KEY} userErrors { code pointer message } }
}`;
const UPDATE = `mutation ($input: UpdateApiKeyInput!) {
  updateApiKey(input: $input) { key ${KEY} userErrors { code pointer message } }
}`;
const RENAME = `mutation ($id: ID!) { updateApiKey(input: { id: $id, label: "x" }) { key ${KEY} userErrors { code pointer message } } }`;
const REVOKE = `mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { key ${KEY} userErrors { code pointer message } } }`;
const SERVICE = { reads: null, quotes: null, writes: null };
const HOUR_MS = 3_600_000;

const keys = (of: Caller = caller) => askNodes<Key>(of, LIST);
const create = (input: Record<string, unknown>) => ask<New>(caller, CREATE, { input });
const update = ({ apiKeyId }: Pick<Key, 'apiKeyId'>, input: Record<string, unknown>) =>
  ask<Key>(caller, UPDATE, { input: { id: apiKeyId, ...input } });

/** A key that an operator gave rates of its own. */
async function rated(rates: { reads?: number; quotes?: number; writes?: number }, scopes = ['health:read']) {
  const { companyId } = caller;
  const { apiKeyId, apiKey } = await world.administration.createKey({ companyId, label: 'Rated', scopes, rates });
  return { apiKeyId, graphql: graphqlClient(world.app.url, apiKey) };
}

async function health(apiKey: string): Promise<number> {
  const response = await fetch(`${world.app.url}/api/v1/integrations/health`, { headers: { 'x-api-key': apiKey } });
  await response.body?.cancel();
  return response.status;
}

function hoursAhead(time: string | null): number {
  return Math.round((Date.parse(time ?? '') - Date.now()) / HOUR_MS);
}

describe('A key with keys:manage', () => {
  test('issues a key, which works and is listed without its secret', async () => {
    const { apiKey, key } = await create({ label: ' Shop ', scopes: ['health:read', 'warehouses:read'] });
    expect(key).toMatchObject({
      label: 'Shop',
      scopes: ['health:read', 'warehouses:read'],
      last4: apiKey.slice(-4),
      expiresAt: null,
      revokedAt: null,
      rates: SERVICE,
    });
    expect(await health(apiKey)).toBe(200);
    const listed = await keys();
    expect(listed.at(-1)).toEqual(key);
    expect(listed[0]?.apiKeyId).toBe(caller.apiKeyId);
    expect(JSON.stringify(listed)).not.toContain(apiKey);
  });

  test('rotates a key, and both keys work until the old one expires', async () => {
    const old = await create({ label: 'Old', scopes: ['health:read'] });
    const { apiKey, key, oldKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId });
    expect(key).toMatchObject({ label: 'Old', scopes: ['health:read'], expiresAt: null });
    expect([oldKey.apiKeyId, hoursAhead(oldKey.expiresAt)]).toEqual([old.key.apiKeyId, 24]);
    expect([await health(apiKey), await health(old.apiKey)]).toEqual([200, 200]);
  });

  test('rotates a key at once if no overlap is requested', async () => {
    const old = await create({ label: 'Leaked', scopes: ['health:read'] });
    const { apiKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId, hours: 0 });
    expect([await health(apiKey), await health(old.apiKey)]).toEqual([200, 401]);
    const failure = failureOf(await caller.graphql(ROTATE, { id: old.key.apiKeyId }));
    expect(failure).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/id', code: 'not_current' }],
    });
  });

  test('never extends a key by rotating it, and gives the new key the same expiry', async () => {
    const expiresAt = new Date(Date.now() + 2 * HOUR_MS).toISOString();
    const old = await create({ label: 'Short', scopes: ['health:read'], expiresAt });
    const { key, oldKey } = await ask<Rotated>(caller, ROTATE, { id: old.key.apiKeyId, hours: 100 });
    expect([oldKey.expiresAt, hoursAhead(key.expiresAt)]).toEqual([expiresAt, 2]);
  });

  test('changes the label or the rates of a key, and nothing that is left out', async () => {
    const key = await rated({ reads: 20, quotes: 5 });
    const named = await update(key, { label: ' Till ' });
    expect(named).toMatchObject({ label: 'Till', rates: { reads: 20, quotes: 5, writes: null } });
    const lowered = await update(key, { rates: { reads: 10 } });
    expect(lowered).toEqual({ ...named, rates: { reads: 10, quotes: 5, writes: null } });
    const reset = await update(key, { rates: { quotes: null } });
    expect(reset.rates).toEqual({ reads: 10, quotes: null, writes: null });
    const bare = await update(key, { rates: null });
    expect(bare).toEqual({ ...named, rates: { reads: null, quotes: null, writes: null } });
    expect((await keys()).find(({ apiKeyId }) => apiKeyId === key.apiKeyId)).toEqual(bare);
  });

  test('cannot change a key that is revoked or expired', async () => {
    const revoked = await create({ label: 'Revoked', scopes: ['health:read'] });
    await ask(caller, REVOKE, { id: revoked.key.apiKeyId });
    const expired = await create({ label: 'Expired', scopes: ['health:read'] });
    await ask(caller, ROTATE, { id: expired.key.apiKeyId, hours: 0 });
    for (const { key } of [revoked, expired]) {
      const failure = failureOf(await caller.graphql(UPDATE, { input: { id: key.apiKeyId, label: 'x' } }));
      expect(failure).toMatchObject({
        code: 'validation_failed',
        errors: [{ pointer: '/id', code: 'not_current' }],
      });
    }
  });

  test('revokes a key permanently', async () => {
    const { apiKey, key } = await create({ label: 'Gone', scopes: ['health:read'] });
    expect(await health(apiKey)).toBe(200);
    const { revokedAt } = await ask<Key>(caller, REVOKE, { id: key.apiKeyId });
    await expect.poll(() => health(apiKey), { timeout: SEEN_WITHIN_MS }).toBe(401);
    expect((await ask<Key>(caller, REVOKE, { id: key.apiKeyId })).revokedAt).toBe(revokedAt);
  });
});

describe('A key', () => {
  let manager: Caller;
  beforeAll(async () => {
    manager = await world.key(caller.companyId, ['keys:manage', 'health:read']);
  });

  test('cannot issue a key with more scopes than its own', async () => {
    const input = { label: 'More', scopes: ['health:read', 'orders:write'] };
    const failure = failureOf(await manager.graphql(CREATE, { input }));
    expect(failure).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/scopes', code: 'not_allowed' }],
    });
    expect(failure?.errors?.[0]?.message).toContain('orders:write');
  });

  test('that issues a key with all scopes grants all of its own', async () => {
    const { key } = await ask<New>(manager, CREATE, { input: { label: 'All', scopes: ['all'] } });
    expect(key.scopes).toEqual(['health:read', 'keys:manage']);
  });

  test('cannot rotate a key with more scopes than its own', async () => {
    const failure = failureOf(await manager.graphql(ROTATE, { id: caller.apiKeyId }));
    expect(failure).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/id', code: 'not_allowed' }],
    });
    expect(await health(caller.apiKey)).toBe(200);
  });
});

describe('A rate limit', () => {
  const refused = async (of: Pick<Caller, 'graphql'>, { apiKeyId }: { apiKeyId: string }, rates: object) => {
    const failure = failureOf(await of.graphql(UPDATE, { input: { id: apiKeyId, label: 'More', rates } }));
    return failure?.errors?.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  const ratesOf = async ({ apiKeyId }: { apiKeyId: string }) =>
    (await world.administration.keys(caller.companyId)).find(key => key.apiKeyId === apiKeyId)?.rates;

  test("cannot be raised above the service's rates by a key that manages keys, whatever its own rates", async () => {
    const key = await rated({ reads: 2_000_000 });
    const raised = await rated({ reads: 3_000_000, writes: 3_000_000 }, ['all']);
    const rates = { reads: 2_000_001, quotes: 1_000_001, writes: 1_000_000 };
    const reasons = ['/rates/reads not_allowed', '/rates/quotes not_allowed'];
    expect(await refused(raised, key, rates)).toEqual(reasons);
    expect(await refused(caller, key, rates)).toEqual(['/id not_allowed', ...reasons]);
    expect(await ratesOf(key)).toEqual({ reads: 2_000_000 });
    expect((await create({ label: 'New', scopes: ['health:read'] })).key.rates).toEqual(SERVICE);
  });

  test('can be raised up to the service’s rates by a key that manages keys', async () => {
    const key = await rated({ reads: 20, quotes: 30 });
    await update(key, { rates: { reads: 1_000_000, writes: 10 } });
    expect(await ratesOf(key)).toEqual({ reads: 1_000_000, quotes: 30, writes: 10 });
    await update(key, { rates: { reads: null, quotes: null, writes: null } });
    expect(await ratesOf(key)).toEqual({});
  });

  test('cannot be raised by a lower-rated key, for itself or for a key that it issues', async () => {
    const manager = await rated({ reads: 20 }, ['keys:manage', 'health:read']);
    for (const reads of [21, null]) {
      expect(await refused(manager, manager, { reads })).toEqual(['/rates/reads not_allowed']);
    }
    const { key } = await ask<New>(manager, CREATE, { input: { label: 'New', scopes: ['health:read'] } });
    expect(key.rates).toEqual({ ...SERVICE, reads: 20 });
    const rotated = await manager.graphql(ROTATE, { id: caller.apiKeyId, hours: 1 });
    expect(failureOf(rotated)?.errors).toMatchObject([
      { pointer: '/id', code: 'not_allowed' },
      {
        pointer: '/id',
        code: 'not_allowed',
        message: 'The field id names a key with higher rates than yours: reads.',
      },
    ]);
    await ask(manager, UPDATE, { input: { id: manager.apiKeyId, rates: { reads: 19, writes: null } } });
    expect(await ratesOf(manager)).toEqual({ reads: 19 });
  });

  test('can be raised by an operator', async () => {
    const key = await rated({ reads: 20 });
    await world.administration.updateKey(key.apiKeyId, { rates: { reads: 21, writes: 1_000_000_000 } });
    expect(await ratesOf(key)).toEqual({ reads: 21, writes: 1_000_000_000 });
  });

  test('is not reset by a concurrent change of another one', async () => {
    const key = await rated({ reads: 20, quotes: 20, writes: 20 });
    await Promise.all(['reads', 'quotes', 'writes'].map(name => update(key, { rates: { [name]: 10 } })));
    expect(await ratesOf(key)).toEqual({ reads: 10, quotes: 10, writes: 10 });
  });
});

describe('A key that expires', () => {
  const expiresAt = new Date(Date.now() + 5 * HOUR_MS).toISOString();
  const later = new Date(Date.now() + 6 * HOUR_MS).toISOString();
  let manager: Caller;
  beforeAll(async () => {
    manager = await world.key(caller.companyId, ['keys:manage', 'health:read'], expiresAt);
  });
  const issue = (input: Record<string, unknown>) =>
    manager.graphql<{ createApiKey: New }>(CREATE, { input: { label: 'x', scopes: ['health:read'], ...input } });

  test('issues keys that expire with it, or earlier', async () => {
    expect((await issue({})).data.createApiKey.key.expiresAt).toBe(expiresAt);
    const sooner = new Date(Date.now() + HOUR_MS).toISOString();
    expect((await issue({ expiresAt: sooner })).data.createApiKey.key.expiresAt).toBe(sooner);
  });

  test('cannot issue a key that expires later, and the error names the latest time', async () => {
    const failure = failureOf(await issue({ expiresAt: later }));
    expect(failure?.errors).toMatchObject([
      { pointer: '/expiresAt', code: 'not_allowed', message: expect.stringContaining(expiresAt) },
    ]);
  });

  test('cannot outlive itself by being rotated, nor by rotating a key that it issued', async () => {
    const { data } = await issue({});
    for (const id of [data.createApiKey.key.apiKeyId, manager.apiKeyId]) {
      expect((await ask<Rotated>(manager, ROTATE, { id })).key.expiresAt).toBe(expiresAt);
    }
    const { expiresAt: anew } = await world.administration.rotateKey({ apiKeyId: manager.apiKeyId });
    expect(Number(anew)).toBeGreaterThan(Date.parse(expiresAt));
  });

  test('cannot change keys that expire later', async () => {
    const longer = await world.key(caller.companyId, ['health:read'], later);
    const endless = await world.key(caller.companyId, ['health:read']);
    for (const { apiKeyId, apiKey } of [longer, endless]) {
      for (const query of [ROTATE, RENAME, REVOKE]) {
        const failure = failureOf(await manager.graphql(query, { id: apiKeyId }));
        expect(failure?.errors).toEqual([
          {
            pointer: '/id',
            code: 'not_allowed',
            message: `The field id names a key that expires later than yours, ${expiresAt}.`,
          },
        ]);
      }
      expect(await health(apiKey)).toBe(200);
    }
  });
});

describe('A key that manages keys', () => {
  test.each([
    ['rename', RENAME],
    ['rotate', ROTATE],
    ['revoke', REVOKE],
  ])('cannot %s a key with more rights than its own', async (_what, query) => {
    const manager = await rated({ reads: 20 }, ['keys:manage', 'health:read']);
    const richer = await world.key(caller.companyId, ['health:read', 'orders:write']);
    const failure = failureOf(await manager.graphql(query, { id: richer.apiKeyId }));
    expect(failure?.errors).toEqual([
      {
        pointer: '/id',
        code: 'not_allowed',
        message: 'The field id names a key with scopes that yours lacks: orders:write.',
      },
      {
        pointer: '/id',
        code: 'not_allowed',
        message: 'The field id names a key with higher rates than yours: reads.',
      },
    ]);
    expect(await health(richer.apiKey)).toBe(200);
  });

  test('can revoke itself, and the keys that it issued', async () => {
    const manager = await world.key(caller.companyId, ['keys:manage', 'health:read']);
    const { key } = await ask<New>(manager, CREATE, { input: { label: 'Own', scopes: ['health:read'] } });
    for (const id of [key.apiKeyId, manager.apiKeyId]) {
      expect((await ask<Key>(manager, REVOKE, { id })).revokedAt).not.toBeNull();
    }
  });
});

describe('The rate counters of a key', () => {
  let client: pg.Client;
  beforeAll(async () => {
    client = new pg.Client({ connectionString: world.ownerUrl });
    await client.connect();
  });
  afterAll(() => client.end());
  const countersOf = async ({ apiKeyId }: Pick<Key, 'apiKeyId'>): Promise<string> => {
    const { rows } = await client.query('select coalesce(rate_key_id, id) as id from api_key where id = $1', [
      apiKeyId,
    ]);
    return rows[0].id;
  };
  const issuedBy = async (of: Pick<Caller, 'graphql'>, scopes = ['keys:manage', 'health:read']) => {
    const { apiKey, key } = await ask<New>(of, CREATE, { input: { label: 'Issued', scopes } });
    return { ...key, graphql: graphqlClient(world.app.url, apiKey) };
  };

  test('with rates below the service’s are shared by all keys that it issues or rotates, directly or indirectly', async () => {
    const manager = await rated({ reads: 20 }, ['keys:manage', 'health:read']);
    const child = await issuedBy(manager);
    const grandchild = await issuedBy(child);
    const { key: following } = await ask<Rotated>(child, ROTATE, { id: grandchild.apiKeyId });
    const { key: itself } = await ask<Rotated>(manager, ROTATE, { id: manager.apiKeyId });
    for (const key of [manager, child, grandchild, following, itself]) {
      expect(await countersOf(key)).toBe(manager.apiKeyId);
    }
  });

  test('with its own rates are shared by its successor, whichever key rotates it', async () => {
    const key = await rated({ reads: 20 });
    const { key: following } = await ask<Rotated>(caller, ROTATE, { id: key.apiKeyId });
    const last = await world.administration.rotateKey({ apiKeyId: following.apiKeyId });
    for (const one of [key, following, last]) expect(await countersOf(one)).toBe(key.apiKeyId);
  });

  test('without its own rates are separate from the counters of the key that issued it', async () => {
    const child = await issuedBy(caller);
    expect(await countersOf(child)).toBe(child.apiKeyId);
  });
});

/** Variables of a call about a key: the id is a variable, or in the input. */
function ofKey({ apiKeyId: id }: Pick<Key, 'apiKeyId'>, query: string, variables: Record<string, unknown>) {
  if (query === CREATE) return variables;
  return query === UPDATE ? { input: { id, ...(variables.input as object) } } : { id, ...variables };
}

describe('A request about keys', () => {
  const wrong: [what: string, query: string, variables: Record<string, unknown>, pointer: string][] = [
    ['a key without a label', CREATE, { input: { label: ' ', scopes: ['all'] } }, '/label'],
    ['a key without scopes', CREATE, { input: { label: 'x', scopes: [] } }, '/scopes'],
    ['a scope that does not exist', CREATE, { input: { label: 'x', scopes: ['root'] } }, '/scopes/0'],
    [
      'a time that has passed',
      CREATE,
      { input: { label: 'x', scopes: ['all'], expiresAt: '2026-01-01T00:00:00Z' } },
      '/expiresAt',
    ],
    ['a negative overlap', ROTATE, { hours: -1 }, '/overlapHours'],
    ['an overlap of more than 30 days', ROTATE, { hours: 721 }, '/overlapHours'],
    ['an update of nothing', UPDATE, { input: {} }, ''],
    ['an update of no rate', UPDATE, { input: { rates: {} } }, ''],
    ['an update to no label', UPDATE, { input: { label: null } }, '/label'],
    ['an update to an empty label', UPDATE, { input: { label: ' ' } }, '/label'],
    ['an update to a rate of nothing', UPDATE, { input: { rates: { reads: 0 } } }, '/rates/reads'],
    [
      'an update to a rate beyond all measure',
      UPDATE,
      { input: { rates: { writes: 1_000_000_001 } } },
      '/rates/writes',
    ],
  ];
  test.each(wrong)('is rejected for %s', async (_what, query, variables, pointer) => {
    const failure = failureOf(await caller.graphql(query, ofKey(caller, query, variables)));
    expect(failure).toMatchObject({ code: 'validation_failed', errors: [{ pointer }] });
  });

  test('is rejected for another company’s key, as for one that never existed', async () => {
    const other = await world.company();
    for (const id of [other.apiKeyId, '00000000-0000-4000-8000-000000000000']) {
      for (const query of [ROTATE, RENAME, REVOKE]) {
        const failure = failureOf(await caller.graphql(query, { id }));
        expect(failure).toMatchObject({ code: 'api_key_not_found' });
      }
    }
    expect(await health(other.apiKey)).toBe(200);
    expect((await keys(other)).map(({ apiKeyId }) => apiKeyId)).toEqual([other.apiKeyId]);
  });

  test('is rejected for every key without keys:manage', async () => {
    const reader = await world.key(caller.companyId, ['health:read']);
    const asked: [string, object][] = [
      [LIST, {}],
      [CREATE, { input: { label: 'x', scopes: ['health:read'] } }],
      [ROTATE, { id: reader.apiKeyId }],
      [RENAME, { id: reader.apiKeyId }],
      [REVOKE, { id: reader.apiKeyId }],
    ];
    for (const [query, variables] of asked) {
      const failure = failureOf(await reader.graphql(query, variables as Record<string, unknown>));
      expect(failure).toMatchObject({ code: 'insufficient_scope', requiredScope: 'keys:manage' });
    }
  });
});
