import { expect, test, vi } from 'vitest';
import { restClient } from '../support/rest-client.ts';
import { useOutages } from './outages.ts';

const { given, terminate, survives, url } = useOutages();

survives('refuses connections');
survives('lets nobody in');

test('Connections that PostgreSQL ends are made again', async () => {
  const rest = restClient(url(), { 'x-api-key': given.caller.apiKey });
  await Promise.all(Array.from({ length: 8 }, () => rest('GET', '/warehouses')));
  await terminate();
  await vi.waitFor(async () => expect((await rest('GET', '/warehouses')).status).toBe(200), { timeout: 5000 });
});
