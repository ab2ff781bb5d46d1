import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchOptions } from './bench-options.ts';

const ROOT = join(import.meta.dirname, '../..');

/** How long `npm start` takes until it prints what to try: in an empty folder, and on the data of that start. */
export async function run({ rounds, results }: BenchOptions): Promise<void> {
  const first: number[] = [];
  const later: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const folder = await mkdtemp(join(tmpdir(), 'start-bench-'));
    await chmod(folder, 0o755); // for the account that PostgreSQL runs as when we are root
    try {
      first.push(await secondsToStart(folder));
      later.push(await secondsToStart(folder));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  results.record('start-first', first);
  results.record('start-later', later);
}

async function secondsToStart(folder: string): Promise<number> {
  const startedAt = performance.now();
  const service = spawn(process.execPath, ['src/main.ts'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let page = '';
  for await (const part of service.stdout.setEncoding('utf8')) {
    page += part;
    if (page.includes('Ctrl-C')) break;
  }
  const seconds = (performance.now() - startedAt) / 1000;
  service.kill('SIGTERM');
  if (service.exitCode === null) await once(service, 'exit');
  return seconds;
}
