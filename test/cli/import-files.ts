// Files to import, in a folder of their own, and the settings of the commands that read them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { type Caller, SECRETS_KEY, useSharedWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import type { Env } from './processes.ts';

/** The rows of a file in the answer of a command. */
export function rowsOf(read: number, { wrong = 0, leftOut = 0 } = {}) {
  return { rows: { total: read + leftOut + wrong, read, leftOut, wrong } };
}

export function useImportFiles() {
  const world = useSharedWorld();
  let settings: Env;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'import-test-'));
    settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  let files = 0;
  async function fileOf(content: string | Uint8Array, extension = 'csv'): Promise<string> {
    const file = join(folder, `${++files}.${extension}`);
    await writeFile(file, content);
    return file;
  }

  return {
    world,
    get settings() {
      return settings;
    },
    get folder() {
      return folder;
    },
    fileOf,
    run: (what: string, file: string, { companyId }: Caller, ...options: string[]) =>
      inProcess(['--json', 'import', what, file, '--company', companyId, ...options], settings),
  };
}
