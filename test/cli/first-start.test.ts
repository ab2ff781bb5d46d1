import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/config.ts';
import { openDataFolder } from '../../src/platform/data-folder.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { readStartWords } from '../../src/start/start-words.ts';
import { expectSentence, useProcesses } from './processes.ts';
import { startError } from './service-calls.ts';

const processes = useProcesses();

test('`npm start -- --help` prints the settings and the other commands', async () => {
  const { code, text = '' } = (await readStartWords(['--help'])) ?? {};
  expect(code).toBe(0);
  expect(text).toMatch(/^Usage: npm start$/m);
  expect(text).toContain('npm run -s cli -- --help');
  for (const name of VARIABLES.filter(variable => !variable.endsWith('_FILE'))) expect(text).toContain(`\n  ${name}\n`);
});

test('`npm start` with any other word says where settings come from', async () => {
  expect(await readStartWords(['--port', '4000'])).toEqual({
    code: 2,
    text: expect.stringMatching(/^error: .*"--port".*environment.*--help`\.\n$/),
  });
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

  test.runIf(process.platform === 'linux')('also by a service whose database is elsewhere', async () => {
    const DATA_DIR = '/proc/shipping/data';
    const DATABASE_URL = await processes.database('migrated');
    expect(await startError({ DATA_DIR, DATABASE_URL, SECRETS_KEY: '' })).toContain(DATA_DIR);
  });
});
