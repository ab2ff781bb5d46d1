import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { expect, test } from 'vitest';
import { RECIPIENT as recipient } from '../support/platform-side.ts';
import { rowsOf, useImportFiles } from './import-files.ts';
import { answerOf, useProcesses } from './processes.ts';

const processes = useProcesses();
const given = useImportFiles();

const all = { created: 0, updated: 0, unchanged: 0, rejected: 0, nextRow: null };

test('A file larger than the memory can be imported', async () => {
  const caller = await given.world.company();
  const file = join(given.folder, 'large.ndjson');
  const stream = createWriteStream(file);
  const line = JSON.stringify({ orderNumber: 'L-1', recipient })
    .padEnd(256 * 1024)
    .concat('\n');
  for (let i = 0; i < 500; i++) stream.write(line);
  stream.end();
  await finished(stream);
  const args = ['--json', 'import', 'orders', file, '--company', caller.companyId, '--from-row', '500'];
  const ended = await processes.cli(args, { ...given.settings, NODE_OPTIONS: '--max-old-space-size=128' });
  expect(answerOf(ended)).toEqual({ ...all, ...rowsOf(1), created: 1 });
});
