import { expect, test, vi } from 'vitest';
import { type Env, embeddedServer, expectStopped, isAlive, type Program, useProcesses } from './processes.ts';
import { SOON } from './service-calls.ts';

const processes = useProcesses();

/** A service with an embedded database, once it is ready, and the process that it is. */
async function ready(dataDir: string, start: (env: Env) => Program) {
  const program = start({ DATA_DIR: dataDir, METRICS_TOKEN: 'scrape-token-of-sixteen' });
  const [, url = ''] = await program.said(/listening on (\S+)/);
  const response = await fetch(`${url}/metrics`, { headers: { authorization: 'Bearer scrape-token-of-sixteen' } });
  expect(response.status).toBe(200);
  return { program, url, server: await embeddedServer(dataDir) };
}

test('SIGTERM to npm alone, as a supervisor sends it, stops the service and its database, and npm exits with 0', async () => {
  const dataDir = await processes.dataDir();
  const { program, url, server } = await ready(dataDir, env => processes.startBy('npm', () => ['start'], env));
  program.killAlone('SIGTERM');
  expect(await program.ended()).toMatchObject({ code: 0, signal: null });
  await expect(fetch(`${url}/livez`)).rejects.toThrow();
  await expectStopped(server, dataDir);
});

test('Closing its terminal stops the processes of a service and its database', async () => {
  const dataDir = await processes.dataDir();
  const { program, url, server } = await ready(dataDir, env =>
    processes.startBy('script', start => ['-qefc', `exec ${start.join(' ')}`, '/dev/null'], { ...env, PROCESSES: '2' }),
  );
  // Its end closes the terminal.
  program.killAlone('SIGKILL');
  await vi.waitFor(() => expect(fetch(`${url}/livez`)).rejects.toThrow(), SOON);
  await vi.waitUntil(() => !isAlive(server?.pid ?? 0), SOON);
  await expectStopped(server, dataDir);
});
