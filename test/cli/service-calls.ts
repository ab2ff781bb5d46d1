// Requests to a service that runs as a program.
import { expect, vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { type Env, expectSentence, type Processes, type Service, waiting } from './processes.ts';

export const STOP_MS = 10_000;

/** For processes whose stop is timed: the first ones of a run that end write the code cache, for seconds on a busy machine. */
export const WITHOUT_CACHE = { NODE_DISABLE_COMPILE_CACHE: '1' };

export const SOON = { timeout: 10_000, interval: 20 };
export const API = '/api/v1/integrations';

export function get({ url, apiKey }: Pick<Service, 'url' | 'apiKey'>, path: string): Promise<Response> {
  return fetch(url + API + path, { headers: { 'x-api-key': apiKey } });
}

export function rename({ url, apiKey }: Service, warehouseId: number): Promise<Response> {
  return fetch(`${url}${API}/warehouses/${warehouseId}`, {
    method: 'PATCH',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: '{"name":"Cambiato"}',
  });
}

/** A request to change a warehouse, which waits for a lock on it until that is let go. */
export async function renameUnderWay(
  processes: Processes,
  service: Service,
  databaseUrl: string,
): Promise<{ readonly patched: Promise<Response>; letGo(): Promise<void> }> {
  const lock = await processes.connect(databaseUrl);
  await lock.query('begin');
  const { rows } = await lock.query('select id from warehouse order by id limit 1 for update');
  const patched = rename(service, rows[0]?.id);
  await vi.waitUntil(async () => (await waiting(lock)) === 1, SOON);
  return {
    patched,
    letGo: async () => {
      await lock.query('rollback');
      await lock.end();
    },
  };
}

/** The message of a service that cannot start. */
export async function refusedStart(processes: Processes, env: Env): Promise<string> {
  const program = processes.start(env);
  // One that starts all the same would not end by itself.
  const started = program.said(/listening|"msg":"ready"/).then(() => program.kill('SIGKILL'));
  await Promise.race([program.ended(), started.catch(() => {})]);
  const { code, stdout, stderr } = await program.ended();
  expect(stdout).not.toMatch(/listening|"msg":"ready"/);
  expectSentence(stderr);
  expect(code).toBe(1);
  return stderr;
}

/** The error that is thrown in this process and that `npm start` prints; one sentence. */
export async function startError({ DATABASE_URL: databaseUrl = '', ...env }: Env): Promise<string> {
  const config = readConfig({ PORT: '0', SECRETS_KEY: newSecretsKey(), ...env });
  const starting = createApp({ ...config, databaseUrl }, createLog('silent'));
  const error: unknown = await starting.then(
    app => app.stop(),
    thrown => thrown,
  );
  if (!(error instanceof StartupError)) throw error ?? new Error('the service has started');
  expectSentence(`${error.message}\n`);
  return error.message;
}
