import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { embeddedServer, expectStopped, type Program, useProcesses } from './processes.ts';
import { refusedStart, SOON } from './service-calls.ts';

const processes = useProcesses();

/** The programs that were started with a folder: initdb, PostgreSQL and its tools. */
async function programsOn(dataDir: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-ww', '-o', 'args=']);
  return stdout.split('\n').filter(line => line.includes(dataDir));
}

const files = (dataDir: string) => readdir(dataDir).catch((): string[] => []);

/** The moments of a first start, each by what shows it. */
const MOMENTS: Readonly<Record<string, (program: Program, dataDir: string) => Promise<unknown>>> = {
  'while the database is created': (_, dataDir) =>
    vi.waitUntil(async () => (await files(dataDir)).some(name => name.startsWith('postgres.new-')), SOON),
  'once it is created': (_, dataDir) => vi.waitUntil(async () => (await files(dataDir)).includes('postgres'), SOON),
  'once PostgreSQL starts': (_, dataDir) => vi.waitUntil(() => embeddedServer(dataDir), SOON),
  'while the database is migrated': program => program.said(/"migrating the database"/),
  'while the demo company is made': program => program.said(/"creating the demo company"/),
  'once it is ready': program => program.said(/"msg":"ready"/),
};

test.each(Object.keys(MOMENTS).flatMap(moment => (['SIGTERM', 'SIGINT'] as const).map(signal => ({ moment, signal }))))(
  '$signal $moment ends the first start and its PostgreSQL, and leaves no half of a database',
  async ({ moment, signal }) => {
    const dataDir = await processes.dataDir();
    const program = processes.start({ DATA_DIR: dataDir });
    await MOMENTS[moment]?.(program, dataDir);
    program.kill(signal);
    expect(await program.ended()).toMatchObject({ code: 0, signal: null, stderr: '' });
    await vi.waitFor(async () => expect(await programsOn(dataDir)).toEqual([]), SOON);
    expect((await files(dataDir)).filter(name => name.includes('new-'))).toEqual([]);
    expect(await embeddedServer(dataDir)).toBeUndefined();
  },
);

test('Ctrl-C of a command that creates the database leaves neither a program nor half a database', async () => {
  const dataDir = await processes.dataDir();
  const program = processes.startCli(['company', 'create', '--name', 'Rossi'], { DATA_DIR: dataDir });
  await MOMENTS['while the database is created']?.(program, dataDir);
  program.kill('SIGINT');
  expect(await program.ended()).toMatchObject({ code: 130, stderr: 'Interrupted. Completed work stays.\n' });
  expect(await programsOn(dataDir)).toEqual([]);
  expect((await files(dataDir)).filter(name => name.startsWith('postgres.new-'))).toEqual([]);
});

test('A start after kill -9 names the PostgreSQL that was left, and a start beside a service names the service', async () => {
  const dataDir = await processes.dataDir();
  const killed = await processes.service({ DATA_DIR: dataDir });
  const left = await embeddedServer(dataDir);
  killed.program.kill('SIGKILL');
  await killed.program.ended();
  const { program } = await processes.service({ DATA_DIR: dataDir });
  expect(program.stdout).toContain(`"pid":${left?.pid},"msg":"an embedded PostgreSQL that runs already is used"`);
  expect(await refusedStart(processes, { DATA_DIR: dataDir })).toContain(
    `${join(dataDir)} is in use by process ${program.pid}:`,
  );
  program.kill('SIGTERM');
  await program.ended();
  await expectStopped(left, dataDir);
});
