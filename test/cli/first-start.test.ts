import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/config.ts';
import { openDataFolder } from '../../src/platform/data-folder.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { expectSentence, useProcesses } from './processes.ts';
import { refusedStart, startError } from './service-calls.ts';

const processes = useProcesses();

test('`npm start -- --help` prints the settings and the other commands, and starts nothing', async () => {
  const dataDir = await processes.dataDir();
  const { code, stdout, stderr } = await processes.start({ DATA_DIR: dataDir }, { words: ['--help'] }).ended();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: npm start$/m);
  expect(stdout).toContain('npm run -s cli -- --help');
  for (const name of VARIABLES.filter(variable => !variable.endsWith('_FILE')))
    expect(stdout).toContain(`\n  ${name}\n`);
  await expect(mkdir(dataDir)).resolves.toBeUndefined();
});

test('`npm start` with any other word says where settings come from', async () => {
  const { code, stdout, stderr } = await processes.start({}, { words: ['--port', '4000'] }).ended();
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toMatch(/^error: .*"--port".*environment.*--help`\.\n$/);
});

test('The first start says each step with its time, and names its PostgreSQL', async () => {
  const dataDir = await processes.dataDir();
  const { program } = await processes.service({ DATA_DIR: dataDir });
  const lines = program.stdout.split('\n').flatMap(line => (line.startsWith('{') ? [JSON.parse(line)] : []));
  expect(lines.slice(0, 6)).toEqual([
    expect.objectContaining({ msg: 'creating the embedded database', dataDir }),
    expect.objectContaining({
      msg: 'the embedded PostgreSQL is ready',
      afterMs: expect.any(Number),
      pid: expect.any(Number),
    }),
    expect.objectContaining({ msg: 'migrating the database', pending: expect.any(Number) }),
    expect.objectContaining({
      msg: 'the database is migrated',
      afterMs: expect.any(Number),
      migrations: lines[2]?.pending,
    }),
    expect.objectContaining({ msg: 'creating the demo company' }),
    expect.objectContaining({ msg: 'the demo company is ready', afterMs: expect.any(Number) }),
  ]);
  const [, second] = await Promise.all([
    expect(lines[1].pid).toBeGreaterThan(1),
    refusedStart(processes, { DATA_DIR: dataDir }),
  ]);
  // The service that runs, and not its PostgreSQL, is what must be stopped.
  expect(second).toContain(`in use by process ${program.pid}:`);
});

describe('A data folder that cannot be used is named in one sentence', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'data-folder-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const said = (folder: string) =>
    openDataFolder(folder).then(
      () => 'it was taken',
      (error: unknown) => {
        if (!(error instanceof StartupError)) throw error;
        expectSentence(`${error.message}\n`);
        expect(error.message).toContain(folder);
        expect(error.message).toContain('DATA_DIR');
        return error.message;
      },
    );

  test.runIf(process.platform === 'linux').each(['/proc/shipping', '/proc/shipping/data', '/sys/shipping', '/proc'])(
    'if it is %s, where the system lets nobody make a file',
    async folder => {
      expect(await said(folder)).toMatch(
        /cannot be used, because (no folder can be made there|this user may not write)/,
      );
    },
  );

  test('if it is a file, or below a file', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    expect(await said(file)).toContain('is a file');
    expect(await said(join(file, 'data'))).toContain('is a file');
  });

  test('if it is a folder of another user', async () => {
    const isRoot = process.geteuid?.() === 0;
    // Root may write everywhere, so for a moment this process is nobody.
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await said(isRoot ? home : '/etc')).toMatch(/belongs to another user \(uid 0\)/);
      expect(await said(join(isRoot ? home : '/etc', 'data'))).toMatch(/cannot be used, because .* \(E\w+\)/);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test.runIf(process.platform === 'linux')(
    'that `npm start` prints before it ends, with and without a database',
    async () => {
      const DATA_DIR = '/proc/shipping/data';
      expect(await refusedStart(processes, { DATA_DIR })).toContain(DATA_DIR);
      const DATABASE_URL = await processes.database('migrated');
      expect(await startError({ DATA_DIR, DATABASE_URL, SECRETS_KEY: '' })).toContain(DATA_DIR);
    },
  );
});
