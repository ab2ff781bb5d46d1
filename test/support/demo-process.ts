import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  stop(): Promise<void>;
}

/** A demo of its own in a folder of its own, as `npm start` starts it. */
export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'warn' };
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));
  const service = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const stop = async () => {
    if (service.exitCode === null) {
      service.kill('SIGTERM');
      await once(service, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await addressOf(service)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function addressOf({ stdout }: ChildProcess): Promise<Omit<Demo, 'stop'>> {
  let printed = '';
  for await (const chunk of stdout ?? []) {
    printed += chunk;
    const [, url] = /listening on (\S+)\n/.exec(printed) ?? [];
    const [, apiKey] = /^API key: (\S+)\n/m.exec(printed) ?? [];
    if (url !== undefined && apiKey !== undefined) {
      stdout?.resume();
      return { url, apiKey };
    }
  }
  throw new Error(`The demo did not start:\n${printed}`);
}
