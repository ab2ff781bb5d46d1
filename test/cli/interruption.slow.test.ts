import { expect, test, vi } from 'vitest';
import { useProcesses, waiting } from './processes.ts';

const processes = useProcesses();

test.each([
  { signal: 'SIGINT', code: 130 },
  { signal: 'SIGTERM', code: 143 },
] as const)('$signal ends a command with $code, and leaves nothing half done', async ({ signal, code }) => {
  const url = await processes.database('migrated');
  const [holder, observer] = [await processes.connect(url), await processes.connect(url)];
  await holder.query('begin; lock table company in exclusive mode');
  const program = processes.startCli(['company', 'create', '--name', 'A'], { DATABASE_URL: url });
  await vi.waitUntil(async () => (await waiting(observer)) > 0, { timeout: 20_000, interval: 20 });
  program.kill(signal);
  expect(await program.ended()).toEqual({
    code,
    signal: null,
    stdout: '',
    stderr: 'Interrupted. Completed work stays.\n',
  });
  await holder.query('commit');
  await vi.waitUntil(async () => (await waiting(observer)) === 0, { timeout: 20_000, interval: 20 });
  expect((await observer.query('select from company')).rowCount).toBe(0);
});
