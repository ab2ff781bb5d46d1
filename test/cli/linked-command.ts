import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };

export const execute = promisify(execFile);
const FILE = fileURLToPath(new URL(`../../${packageJson.bin.shipping}`, import.meta.url));

/** The command `shipping` as `npm link` installs it, for all tests of a file. */
export function useLinkedCommand() {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shipping-test-'));
    // The Node.js comes from the PATH, and may be older.
    await symlink(FILE, join(folder, 'shipping'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Runs it somewhere else than in the folder of the service. */
  return async (...args: string[]) => {
    const { PATH = '' } = process.env;
    const options = { cwd: folder, env: { PATH: `${folder}:${PATH}` } };
    const ended = await execute('shipping', args, options).catch(
      error => error as { code: number } & Record<'stdout' | 'stderr', string>,
    );
    return { code: 'code' in ended ? ended.code : 0, stdout: ended.stdout, stderr: ended.stderr };
  };
}
