import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expectSentence, useProcesses } from './processes.ts';

const processes = useProcesses();
let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'env-file-'));
});
afterEach(() => rm(cwd, { recursive: true }));

test('A .env that cannot be read stops the start with one sentence', async () => {
  await mkdir(join(cwd, '.env'));
  const { code, stderr } = await processes.start({}, { cwd }).ended();
  expect(code).toBe(1);
  expectSentence(stderr);
  expect(stderr).toMatch(/^The file \.env cannot be read: /);
});
