import { expect, test } from 'vitest';
import { createWebhook } from '../jobs/webhooks.ts';
import { importTariff, TARIFF } from '../rest/feed.ts';
import { connectCarrier, NOTHING, refusal } from '../support/platform-side.ts';
import { REACHABLE } from '../support/receiver.ts';
import { type Caller, useWorld } from '../support/world.ts';

const world = useWorld({ ROLE: 'api', ...REACHABLE });

interface Entry {
  readonly databaseId: string;
  readonly action: string;
  readonly actor: { readonly kind: string; readonly apiKeyId: string | null; readonly requestId: string | null };
  readonly subject: { readonly type: string; readonly key: string; readonly id: string | null };
  readonly detail: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

const LOG = `query ($actions: [AuditAction!]) { auditLog(actions: $actions) { totalCount nodes {
  databaseId recordedAt action actor { kind apiKeyId apiKeyLabel requestId } subject { type key id } detail hash } } }`;

async function entries(caller: Caller, actions?: readonly string[]): Promise<readonly Entry[]> {
  const { data } = await caller.graphql<{ auditLog: { nodes: Entry[] } }>(LOG, { actions });
  return data.auditLog.nodes;
}

test('Every action on keys, carriers, tariffs and endpoints is recorded with its key and its request', async () => {
  const caller = await world.company();
  const run = async (field: string, input: object) => {
    const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
    const { data } = await caller.graphql<Record<string, { userErrors: unknown[] }>>(
      `mutation ($input: ${type}!) { ${field}(input: $input) { userErrors { code pointer message } } }`,
      { input },
    );
    expect([field, data[field]?.userErrors]).toEqual([field, []]);
  };
  const idOf = async (list: string) => {
    const { data } = await caller.graphql<Record<string, { nodes: { id: string }[] }>>(`{ ${list} { nodes { id } } }`);
    return data[list]?.nodes.at(-1)?.id;
  };
  const connection = await connectCarrier(caller, 'GLS', 'Conto GLS');
  await importTariff(caller, connection, TARIFF);
  const id = await idOf('carrierConnections');
  await run('updateCarrierConnection', { id, label: 'Conto nuovo' });
  await run('disconnectCarrier', { id });
  await run('importFuelIndex', { carrierCode: 'BRT', name: 'gasolio', rates: [{ from: '2026-01', percent: 8 }] });
  await run('createWebhookEndpoint', {
    label: 'Negozio',
    url: 'http://127.0.0.1:9/hook?token=verysecret',
    events: ['TRACKING_ALL'],
  });
  const endpoint = await idOf('webhookEndpoints');
  await run('rotateWebhookSecret', { id: endpoint });
  await run('pauseWebhookEndpoint', { id: endpoint });
  await run('resumeWebhookEndpoint', { id: endpoint });
  await run('deleteWebhookEndpoint', { id: endpoint });
  await run('createApiKey', { label: 'Magazzino', scopes: ['SHIPMENTS_QUOTE'] });
  const key = await idOf('apiKeys');
  await run('updateApiKey', { id: key, label: 'Magazzino 2' });
  await run('rotateApiKey', { id: key });
  await run('revokeApiKey', { id: key });
  await run('revokeApiKey', { id: key });

  const found = await entries(caller);
  expect(found.map(({ action }) => action).toReversed()).toEqual([
    'company_created',
    'key_issued',
    'carrier_connected',
    'tariff_imported',
    'carrier_updated',
    'carrier_disconnected',
    'fuel_index_imported',
    'webhook_created',
    'webhook_secret_rotated',
    'webhook_paused',
    'webhook_resumed',
    'webhook_deleted',
    'key_issued',
    'key_updated',
    'key_rotated',
    'key_revoked',
  ]);
  expect(found.map(({ databaseId }) => Number(databaseId))).toEqual(found.map((_, i) => found.length - i));
  const [newest] = found;
  expect(newest).toMatchObject({
    actor: { kind: 'key', apiKeyId: caller.apiKeyId, requestId: expect.stringMatching(/^[\da-f-]{36}$/) },
    subject: { type: 'CompanyApiKey', id: key },
    detail: { label: 'Magazzino 2' },
  });
  expect(found.at(-1)).toMatchObject({
    actor: { kind: 'operator', apiKeyId: null, requestId: null },
    subject: { type: 'Company', key: caller.companyId, id: null },
  });
  expect(JSON.stringify(found)).not.toContain('verysecret');
  expect((await entries(caller, ['key_revoked'])).map(({ databaseId }) => databaseId)).toEqual([newest?.databaseId]);
});

test('The entry for a change of an endpoint names the changed fields, without their values', async () => {
  const caller = await world.company();
  const url = 'http://127.0.0.1:9/hook?token=verysecret';
  const { id } = await createWebhook(caller, url);
  const update = (fields: object) =>
    caller.graphql(
      'mutation ($input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(input: $input) { userErrors { code } } }',
      { input: { id, ...fields } },
    );
  await update({
    label: 'Negozio',
    url: 'http://127.0.0.1:9/other?token=verysecret',
    filter: { statusCodes: ['DELIVERED'] },
  });
  await update({ events: ['TRACKING_DELAY'], label: 'Negozio' });
  const details = (await entries(caller, ['webhook_updated'])).map(({ detail }) => detail);
  const known = { label: 'Negozio', host: '127.0.0.1:9' };
  expect(details).toEqual([
    { ...known, changed: ['events'] },
    { ...known, changed: ['label', 'url', 'filter'] },
  ]);
  expect(JSON.stringify(details)).not.toContain('verysecret');
});

test('The entries for a fuel index and a list of places state how much was imported', async () => {
  const caller = await world.company();
  const rates = ['2026-01', '2026-02'].map(month => ({ from: month, percent: 8 }));
  await caller.graphql(
    'mutation ($input: ImportFuelIndexInput!) { importFuelIndex(input: $input) { userErrors { code } } }',
    {
      input: { carrierCode: 'BRT', name: 'gasolio', rates },
    },
  );
  await caller.graphql(
    'mutation ($input: ReplacePlaceListInput!) { replacePlaceList(input: $input) { userErrors { code } } }',
    {
      input: { carrierCode: 'BRT', name: 'isole', places: { postalCodes: ['07024', '07020', '98050'] } },
    },
  );
  expect((await entries(caller)).slice(0, 2)).toMatchObject([
    { action: 'place_list_replaced', detail: { carrierCode: 'BRT', name: 'isole', places: 3 } },
    { action: 'fuel_index_imported', detail: { carrierCode: 'BRT', name: 'gasolio', rates: 2 } },
  ]);
});

test('An action that fails or changes nothing leaves no entry', async () => {
  const caller = await world.company();
  const before = await entries(caller);
  await caller.graphql(
    'mutation { importTariff(input: { carrierConnectionId: 1, tariff: {} }) { userErrors { code } } }',
  );
  await caller.graphql('mutation { createApiKey(input: { label: "", scopes: [] }) { userErrors { code } } }');
  expect(await entries(caller)).toEqual(before);
});

test('Concurrent actions are numbered without a gap, and each hash follows from the one before', async () => {
  const caller = await world.company();
  await Promise.all(Array.from({ length: 20 }, (_, i) => connectCarrier(caller, 'GLS', `Conto ${i}`)));
  const found = await entries(caller);
  expect(found.map(({ databaseId }) => Number(databaseId))).toEqual(Array.from({ length: 22 }, (_, i) => 22 - i));
  const { rows } = await world.pool.query(
    `select every(hash = sha256(previous || convert_to(content::text, 'UTF8'))) as "isRight" from (
      select hash, content, lag(hash, 1, '') over (order by number) as previous from audit_entry where company_id = $1) c`,
    [caller.companyId],
  );
  expect(rows).toEqual([{ isRight: true }]);
});

test('Another company, and a key without the scope, cannot read the audit log', async () => {
  const [one, other] = [await world.company(), await world.company()];
  await connectCarrier(one, 'GLS', 'Nur hier');
  const { data } = await one.graphql<{ auditLog: { nodes: { id: string }[] } }>('{ auditLog { nodes { id } } }');
  const seen = await entries(other);
  expect(JSON.stringify(seen)).not.toContain('Nur hier');
  // Its own numbers begin at 1 too: the id names the entry of the company that asks.
  const id = data.auditLog.nodes[0]?.id;
  expect(await refusal(other, 'query ($id: ID!) { node(id: $id) { id } }', { id })).toBe(NOTHING);
  const reader = await world.key(one.companyId, ['health:read']);
  const refused = await reader.graphql('{ auditLog { nodes { id } } }');
  expect(refused.errors?.[0]?.extensions?.code).toBe('insufficient_scope');
});

test('Entries of the audit log can be neither changed nor deleted', async () => {
  const caller = await world.company();
  for (const statement of [
    "update audit_entry set content = '{}' where company_id = $1",
    'delete from audit_entry where company_id = $1',
  ]) {
    await expect(world.pool.query(statement, [caller.companyId])).rejects.toThrow(/not changed/);
  }
  await expect(world.pool.query('truncate audit_entry')).rejects.toThrow(/not changed/);
  expect(await entries(caller)).toHaveLength(2);
});
