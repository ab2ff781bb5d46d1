import { expect, test, vi } from 'vitest';
import { freePort } from '../support/ports.ts';
import { SECRETS_KEY, useWorld } from '../support/world.ts';
import { useProcesses, waiting } from './processes.ts';
import { API, rename, SOON, STOP_MS, WITHOUT_CACHE } from './service-calls.ts';

const processes = useProcesses();
const world = useWorld({ ROLE: 'api' });

test('A request that never ends does not delay SIGTERM by ten seconds', async () => {
  const databaseUrl = await processes.database('migrated');
  const env = { DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl };
  const service = await processes.service({ ...env, ...WITHOUT_CACHE });
  const [row, table] = [await processes.connect(databaseUrl), await processes.connect(databaseUrl)];
  await row.query('begin');
  const { rows } = await row.query('select id from warehouse order by id limit 1 for update');
  const stuck = rename(service, rows[0]?.id).catch((error: unknown) => error);
  await vi.waitUntil(async () => (await waiting(row)) === 1, SOON);
  await table.query('begin');
  await table.query('lock table warehouse in share mode');

  const stoppingAt = performance.now();
  service.program.kill('SIGTERM');
  await stuck;
  // Its next statement has to wait as well.
  await row.query('rollback');
  expect(await service.program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
  expect(performance.now() - stoppingAt).toBeLessThan(STOP_MS);
});

test('A worker reports that it is live and ready, has no API, and works jobs', async () => {
  const api = await world.company();
  expect((await api.rest('GET', '/health')).status).toBe(200);
  const env = { DATABASE_URL: world.databaseUrl, SECRETS_KEY, DATA_DIR: await processes.dataDir() };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = processes.start({ ...env, ROLE: 'worker', PORT: String(port) });
  await vi.waitFor(() => fetch(url), SOON);
  for (const probe of ['/livez', '/readyz']) expect((await fetch(url + probe)).status).toBe(200);
  for (const path of [`${API}/health`, `${API}/warehouses`, '/graphql', '/openapi.json', '/docs', '/']) {
    const response = await fetch(url + path, { headers: { 'x-api-key': api.apiKey } });
    expect(response.status).toBe(404);
    // It has none of the pages to which the text of other processes points.
    expect(((await response.json()) as { detail: string }).detail).not.toMatch(/docs|openapi/);
  }
  await vi.waitFor(async () => {
    const { rowCount } = await world.pool.query('select from api_key where last_used_at is not null');
    expect(rowCount).toBe(1);
  }, SOON);
  program.kill('SIGTERM');
  const { code, stdout, stderr } = await program.ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('"msg":"ready"');
});
