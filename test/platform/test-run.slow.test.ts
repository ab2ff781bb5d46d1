import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs');
const PATIENTLY = { timeout: 60_000, interval: 20 };

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'test-run-'));
  await chmod(home, 0o755);
});
afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 10 }));

/** A run of one file whose temporary files are in `home`. */
function startRun(file: string) {
  const args = [VITEST, 'run', '--config', 'test/vitest.config.ts', '--maxWorkers=1', file];
  const { PATH = '', HOME = '' } = process.env;
  const run = spawn(process.execPath, args, { cwd: ROOT, env: { PATH, HOME, TMPDIR: home }, stdio: 'ignore' });
  return { run, ended: once(run, 'exit') };
}

const found = async (pattern: string) => (await Array.fromAsync(glob(pattern, { cwd: home }))).length > 0;

async function programs(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args=']);
  return stdout.split('\n').filter(line => line.includes(home));
}

const SERVER = 'shipping-test-*/server';
const MOMENTS = [
  {
    moment: 'makes its PostgreSQL',
    sign: `${SERVER}/postgres.new-*/cluster/PG_VERSION`,
    file: 'test/rules/fields.test.ts',
  },
  { moment: 'has started it', sign: `${SERVER}/postgres/postmaster.pid`, file: 'test/rules/fields.test.ts' },
  {
    moment: 'runs a service with a PostgreSQL of its own',
    sign: 'shipping-test-*/cli-test-*/data/postgres/postmaster.pid',
    file: 'test/cli/start.test.ts',
  },
];

test.each(MOMENTS.flatMap(one => (['SIGTERM', 'SIGINT'] as const).map(signal => ({ ...one, signal }))))(
  '$signal to a run of the tests that $moment leaves neither a program nor a file',
  async ({ sign, file, signal }) => {
    const { run, ended } = startRun(file);
    await vi.waitUntil(() => found(sign), PATIENTLY);
    run.kill(signal);
    expect(await ended).not.toEqual([0, null]);
    await vi.waitFor(async () => expect(await programs()).toEqual([]), PATIENTLY);
    expect(await readdir(home)).toEqual([]);
  },
);

test('The next run of the tests removes what a killed run has left', async () => {
  const killed = startRun('test/cli/start.test.ts');
  await vi.waitUntil(() => found('shipping-test-*/cli-test-*/data/postgres/postmaster.pid'), PATIENTLY);
  killed.run.kill('SIGKILL');
  await killed.ended;
  expect(await readdir(home)).not.toEqual([]);
  const next = startRun('test/rules/fields.test.ts');
  expect(await next.ended).toEqual([0, null]);
  expect(await readdir(home)).toEqual([]);
  expect(await programs()).toEqual([]);
});
