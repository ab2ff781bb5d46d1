import { expect, test, vi } from 'vitest';
import { useProcesses, waiting } from './processes.ts';
import { rename, SOON, STOP_MS } from './service-calls.ts';

const processes = useProcesses();

test('a request that never ends does not hold SIGTERM up for ten seconds', async () => {
  const databaseUrl = await processes.database('migrated');
  const service = await processes.service({ DATA_DIR: await processes.dataDir(), DATABASE_URL: databaseUrl });
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
