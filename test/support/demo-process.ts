import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN_CLOCK } from './own-clock.ts';
import { noteProgram } from './run-folder.ts';

/** A demo that runs in a process of its own, as `npm start` starts it. */
export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  /** How it was set, for the command line. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A folder for the data of a demo. The caller removes it. */
export async function demoFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  await chmod(folder, 0o755); // for the account that PostgreSQL runs as when we are root
  return folder;
}

/**
 * Starts a demo. Resolves once it has printed all of what to try.
 *
 * @param folder where it has its data; without one it gets a folder that is removed when it stops
 * @param settings in addition to those that it needs
 */
export async function startDemo(folder?: string, settings: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const home = folder ?? (await demoFolder());
  const env = { PATH: process.env.PATH ?? '', ...OWN_CLOCK, DATA_DIR: join(home, 'data'), PORT: '0', ...settings };
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  // From its own folder: the working folder of the caller may have a `.env`.
  const service = spawn(process.execPath, [main], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] });
  noteProgram(service.pid);
  const stop = async () => {
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    if (folder === undefined) await rm(home, { recursive: true, force: true });
  };
  try {
    return { ...(await printed(service)), env, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Goes on reading afterwards: a service whose log nobody reads would stop at a full pipe. */
function printed(service: ChildProcess): Promise<Pick<Demo, 'url' | 'apiKey'>> {
  const { promise, resolve, reject } = Promise.withResolvers<Pick<Demo, 'url' | 'apiKey'>>();
  let page = '';
  let isComplete = false;
  service.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    if (isComplete) return;
    page += chunk;
    const [, url] = /listening on (\S+)$/m.exec(page) ?? [];
    const [, apiKey] = /^API key: (\S+)$/m.exec(page) ?? [];
    if (url === undefined || apiKey === undefined || !page.includes('Ctrl-C')) return;
    isComplete = true;
    resolve({ url, apiKey });
  });
  service.once('exit', code => reject(new Error(`The demo ended with ${code} before it was ready:\n${page}`)));
  return promise;
}
