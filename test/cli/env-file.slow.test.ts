import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useProcesses } from './processes.ts';

const processes = useProcesses();
let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'env-file-'));
});
afterEach(() => rm(cwd, { recursive: true }));

test('The service reads its settings from .env, and the environment wins', async () => {
  const env = { DATABASE_URL: await processes.database('migrated'), LOG_LEVEL: 'debug' };
  await writeFile(join(cwd, '.env'), '# Settings of a test\nDEMO=false\nROLE=worker\nLOG_LEVEL="nonsense"\n');
  const program = processes.start(env, { cwd });
  const [line] = await program.said(/^.*"msg":"ready"\}$/m);
  const { role, url } = JSON.parse(line);
  expect(role).toBe('worker');
  await fetch(`${url}/livez`);
  program.kill('SIGTERM');
  const { code, stdout } = await program.ended();
  expect(code).toBe(0);
  expect(stdout).toMatch(/"level":"debug",.*"route":"\/livez"/);
});

test('A setting of .env is checked like any other, by the command line too', async () => {
  await writeFile(join(cwd, '.env'), 'ROLE=nonsense\n');
  for (const program of [processes.start({}, { cwd }), processes.startCli(['company', 'list'], {}, { cwd })]) {
    const { code, stderr } = await program.ended();
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'ROLE is "nonsense", but must be all, api or worker.\n' });
  }
});
