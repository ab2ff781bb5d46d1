import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Program } from './processes.ts';

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

test('A command whose output has no room on the disk fails, and prints the reason in one line', async () => {
  const program = new Program(
    ['-c', '"$NODE" "$CLI" secrets key > /dev/full'],
    { NODE: process.execPath, CLI },
    {
      file: 'bash',
    },
  );
  expect(await program.ended()).toMatchObject({ code: 1, stderr: "The output can't be written (ENOSPC).\n" });
});
