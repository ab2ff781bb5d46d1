import { expect, test } from 'vitest';
import { restClient } from '../support/rest-client.ts';
import { useSharedWorld } from '../support/world.ts';

const world = useSharedWorld();

test('The health endpoint returns company, key, label, scopes and scheme, and nothing else', async () => {
  const { rest, companyId, apiKeyId } = await world.company(['warehouses:read', 'health:read']);
  const { status, body } = await rest('GET', '/health');
  expect(status).toBe(200);
  expect(body).toEqual({
    ok: true,
    companyId,
    apiKeyId,
    label: 'Test',
    scopes: ['health:read', 'warehouses:read'],
    authScheme: 'x-api-key',
  });
});

test('A bearer token is the same key with another scheme', async () => {
  const { apiKey } = await world.company();
  const rest = restClient(world.app.url, { authorization: `Bearer ${apiKey}` });
  expect((await rest('GET', '/health')).body.authScheme).toBe('bearer');
});
