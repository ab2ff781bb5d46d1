import { describe, expect, test } from 'vitest';
import { globalId, keyOf } from '../support/global-id.ts';
import { failureOf } from '../support/graphql-client.ts';
import { note } from '../support/log-watch.ts';
import { ask, createWarehouse, feedOrders, feedShipments, WAREHOUSE } from '../support/platform-side.ts';
import { type Caller, useWorld } from '../support/world.ts';

// A sandbox is a company of its own that belongs to its company.

const world = useWorld({ ROLE: 'api', CARRIER_SANDBOX_URL: 'http://127.0.0.1:9', MAX_WAREHOUSES: '2' });

/** A company, and the same with a key of its sandbox. */
async function pair(): Promise<{ live: Caller; sandbox: Caller }> {
  const live = await world.company();
  return { live, sandbox: await world.key(live.companyId, ['all'], undefined, 'sandbox') };
}

const CREATE = `mutation ($input: CreateApiKeyInput!) {
  createApiKey(input: $input) { apiKey key { id uuid: id environment } userErrors { code pointer message } }
}`;
const ROTATE = `mutation ($id: ID!) {
  rotateApiKey(input: { id: $id }) { apiKey key { uuid: id environment } oldKey { uuid: id } userErrors { code pointer message } }
}`;
const REVOKE = `mutation ($id: ID!) {
  revokeApiKey(input: { id: $id }) { key { uuid: id revokedAt } userErrors { code pointer message } }
}`;
const KEYS =
  'query ($environment: ApiKeyEnvironment) { apiKeys(environment: $environment) { totalCount nodes { uuid: id environment } } }';

interface Created {
  readonly apiKey: string;
  readonly key: { readonly id: string; readonly uuid: string; readonly environment: string };
}

const create = (by: Caller, input: object = {}) =>
  ask<Created>(by, CREATE, { input: { label: 'Prova', scopes: ['all'], ...input } });
const keysOf = async (by: Caller, environment?: string) => {
  const { data } = await by.graphql<{ apiKeys: { totalCount: number; nodes: { uuid: string }[] } }>(KEYS, {
    environment,
  });
  return data.apiKeys.nodes.map(({ uuid }) => uuid);
};

describe('A sandbox key', () => {
  test('begins with sk_test_ and opens a separate company, which the health response names', async () => {
    const { live, sandbox } = await pair();
    expect([live.apiKey.slice(0, 8), sandbox.apiKey.slice(0, 8)]).toEqual(['sk_live_', 'sk_test_']);
    const { body } = await sandbox.rest('GET', '/health');
    expect(body.companyId).toBe(sandbox.companyId);
    expect(body.companyId).not.toBe(live.companyId);
    const own = await sandbox.graphql<{ apiKey: object }>('{ apiKey { environment } }');
    expect(own.data.apiKey).toEqual({ environment: 'sandbox' });
  });

  test('is rejected once its company is live', async () => {
    const { sandbox } = await pair();
    await world.pool.query('update company set sandbox_of = null where id = $1', [sandbox.companyId]);
    await world.pool.query(`select pg_notify('api_key_changed', $1)`, [sandbox.apiKeyId]);
    await expect.poll(async () => (await sandbox.rest('GET', '/health')).status).toBe(401);
  });

  test('can neither read nor change orders, warehouses and shipments of the live company, and vice versa', async () => {
    const { live, sandbox } = await pair();
    for (const [own, other] of [
      [live, sandbox],
      [sandbox, live],
    ] as const) {
      const warehouseId = await createWarehouse(own);
      await feedOrders(own, { orderNumber: `ORDINE ${own.apiKeyId}` });
      const { connectCarrier } = await own
        .graphql<{ connectCarrier: { carrierConnection: { databaseId: number } } }>(
          'mutation { connectCarrier(input: { carrierCode: BRT, label: "Conto" }) { carrierConnection { databaseId } } }',
        )
        .then(({ data }) => data);
      const trackingNumber = `N${own.apiKeyId.slice(0, 8)}`;
      await feedShipments(own, connectCarrier.carrierConnection.databaseId, { trackingNumber });

      expect((await other.rest('GET', `/warehouses/${warehouseId}`)).status).toBe(404);
      expect((await other.rest('DELETE', `/warehouses/${warehouseId}`)).status).toBe(404);
      expect((await other.rest('GET', `/shipments/tracking/by-tracking-number/${trackingNumber}`)).status).toBe(404);
      const order = await other.graphql('query ($n: String!) { order(by: { orderNumber: $n }) { id } }', {
        n: `ORDINE ${own.apiKeyId}`,
      });
      expect(order).toMatchObject({ data: { order: null } });
      expect(order.errors).toBeUndefined();
      expect((await own.rest('GET', `/warehouses/${warehouseId}`)).status).toBe(200);
    }
  });

  test('has its own caps', async () => {
    const { live, sandbox } = await pair();
    for (const own of [live, sandbox]) {
      await createWarehouse(own);
      await createWarehouse(own);
      expect((await own.rest('POST', '/warehouses', WAREHOUSE)).body.code).toBe('warehouse_limit_reached');
    }
  });

  test('creates, lists and revokes only keys of the sandbox', async () => {
    const { live, sandbox } = await pair();
    const own = await create(sandbox);
    expect([own.apiKey.slice(0, 8), own.key.environment]).toEqual(['sk_test_', 'sandbox']);
    const wanted = await sandbox.graphql(CREATE, { input: { label: 'x', scopes: ['all'], environment: 'live' } });
    expect(failureOf(wanted)).toMatchObject({ errors: [{ pointer: '/environment', code: 'not_allowed' }] });
    expect(await keysOf(sandbox)).toEqual([sandbox.apiKeyId, own.key.uuid]);
    expect(failureOf(await sandbox.graphql(KEYS, { environment: 'LIVE' }))).toMatchObject({
      code: 'validation_failed',
    });
    for (const mutation of [REVOKE, ROTATE]) {
      expect(failureOf(await sandbox.graphql(mutation, { id: live.apiKeyId }))).toMatchObject({
        code: 'api_key_not_found',
      });
    }
  });
});

describe('A live key that manages keys', () => {
  test('creates the sandbox with its first key, and lists, rotates and revokes the keys of the sandbox', async () => {
    const live = await world.company();
    expect(await keysOf(live, 'SANDBOX')).toEqual([]);
    const first = await create(live, { environment: 'sandbox' });
    expect([first.apiKey.slice(0, 8), first.key.environment]).toEqual(['sk_test_', 'sandbox']);
    expect(await keysOf(live)).toEqual([live.apiKeyId]);
    expect(await keysOf(live, 'SANDBOX')).toEqual([first.key.uuid]);
    const rotated = await ask<Created>(live, ROTATE, { id: first.key.id });
    expect([rotated.apiKey.slice(0, 8), rotated.key.environment]).toEqual(['sk_test_', 'sandbox']);
    const { uuid } = await ask<{ uuid: string }>(live, REVOKE, { id: rotated.key.uuid });
    expect(uuid).toBe(rotated.key.uuid);
    expect(await keysOf(live, 'SANDBOX')).toEqual([first.key.uuid, rotated.key.uuid]);
    const found = await live.graphql<{ node: object }>('query ($id: ID!) { node(id: $id) { __typename } }', {
      id: globalId('CompanyApiKey', first.key.uuid),
    });
    expect(found.data.node).toEqual({ __typename: 'CompanyApiKey' });
  });

  test('creates one sandbox, even if several requests create its first key at once', async () => {
    const live = await world.company();
    const created = await Promise.all(
      Array.from({ length: 6 }, () => create(live, { environment: 'sandbox' }).then(({ key }) => key.uuid)),
    );
    const { rows } = await world.pool.query(
      `select count(distinct company_id)::integer as companies, count(*)::integer as keys from api_key where id = any($1::uuid[])`,
      [created],
    );
    expect(rows).toEqual([{ companies: 1, keys: 6 }]);
  });

  test('leaves its changes to keys of the sandbox in the audit trail of the company', async () => {
    const live = await world.company();
    const { key } = await create(live, { environment: 'sandbox' });
    const LOG = '{ auditLog { nodes { action actor { apiKeyId } subject { key } } } }';
    const manager = await world.key(live.companyId, ['all'], undefined, 'sandbox');
    const logged = async (by: Caller) =>
      (await by.graphql<{ auditLog: { nodes: object[] } }>(LOG)).data.auditLog.nodes.slice(0, 2);
    expect(JSON.stringify(await logged(live))).toContain(key.uuid);
    expect(JSON.stringify(await logged(manager))).not.toContain(live.apiKeyId);
  });

  test('creates a key of the sandbox once for each Idempotency-Key, however often the request is sent', async () => {
    const live = await world.company();
    const input = { label: 'Prova', scopes: ['HEALTH_READ'], environment: 'SANDBOX' };
    const send = async () => {
      const response = await fetch(`${world.app.url}/graphql`, {
        method: 'POST',
        headers: { 'x-api-key': live.apiKey, 'content-type': 'application/json', 'idempotency-key': 'una' },
        body: JSON.stringify({ query: CREATE, variables: { input } }),
      });
      const { data } = (await response.json()) as { data: { createApiKey: Created } };
      note('issued', data.createApiKey.apiKey);
      return data.createApiKey;
    };
    const first = await send();
    expect(await send()).toEqual(first);
    expect(await keysOf(live, 'SANDBOX')).toEqual([keyOf(first.key.uuid)]);
  });

  test('gives a key of the sandbox only scopes that it has', async () => {
    const live = await world.company();
    const few = await world.key(live.companyId, ['keys:manage', 'warehouses:read']);
    const input = { label: 'x', scopes: ['shipments:quote'], environment: 'sandbox' };
    expect(failureOf(await few.graphql(CREATE, { input }))).toMatchObject({ errors: [{ pointer: '/scopes' }] });
    const all = await create(live, { environment: 'sandbox' });
    expect(failureOf(await few.graphql(ROTATE, { id: all.key.id }))).toMatchObject({ code: 'validation_failed' });
  });
});
