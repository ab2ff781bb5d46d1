import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import openapi from '../../schema/openapi.json' with { type: 'json' };

const execute = promisify(execFile);
const FILE = fileURLToPath(new URL(`../../${packageJson.bin.shipping}`, import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shipping-test-'));
  // As `npm link` installs it; the Node.js comes from the PATH, and may be older.
  await symlink(FILE, join(folder, 'shipping'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Somewhere else than in the folder of the service. */
async function shipping(...args: string[]) {
  const { PATH = '' } = process.env;
  const options = { cwd: folder, env: { PATH: `${folder}:${PATH}` } };
  const ended = await execute('shipping', args, options).catch(
    error => error as { code: number } & Record<'stdout' | 'stderr', string>,
  );
  return { code: 'code' in ended ? ended.code : 0, stdout: ended.stdout, stderr: ended.stderr };
}

test('the command that npm links works from any folder, and calls itself as it was typed', async () => {
  const [version, misused, help] = await Promise.all([
    shipping('--version'),
    shipping('company', 'create'),
    shipping('key', 'create', '--help'),
  ]);
  const printed = `${packageJson.version} (contract ${openapi.info.version})\n`;
  expect(version).toEqual({ code: 0, stdout: printed, stderr: '' });
  expect(misused).toMatchObject({ code: 2, stdout: '' });
  expect(misused.stderr).toMatch(/^error: .*--name.* See `shipping company create --help`\.\n$/);
  expect(help.stdout).toMatch(/^Usage: shipping key create \[options\]$/m);
  expect(help.stdout).toMatch(/^ {2}shipping key create --company \S+ --label Platform --scopes all$/m);
});

describe('completion', () => {
  test('of commands, options and their values', async () => {
    const completed = async (...words: string[]) => {
      const { stdout } = await shipping('complete', '--', ...words);
      return stdout.split('\n').map(line => line.split('\t')[0]);
    };
    const [commands, options, values] = await Promise.all([
      completed('carrier', ''),
      completed('carrier', 'update', '--'),
      completed('carrier', 'update', '--active', ''),
    ]);
    expect(commands).toEqual(expect.arrayContaining(['connect', 'list', 'update', 'test', 'disconnect']));
    expect(options).toEqual(expect.arrayContaining(['--connection', '--base-url']));
    expect(values).toEqual(expect.arrayContaining(['yes', 'no']));
  });

  test('by a script for each shell, which asks the command', async () => {
    const scripts = await Promise.all(
      ['bash', 'zsh', 'fish', 'powershell'].map(shell => shipping('completion', shell)),
    );
    for (const { code, stdout, stderr } of scripts) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/shipping complete (--|'--')/);
    }
    const [bash] = scripts;
    await expect(execute('bash', ['-n', '-c', bash?.stdout ?? 'exit 1 (']).then(({ stderr }) => stderr)).resolves.toBe(
      '',
    );
  });
});
