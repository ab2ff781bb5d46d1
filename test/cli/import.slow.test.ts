import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RECIPIENT as recipient } from '../support/platform-side.ts';
import { SECRETS_KEY, useSharedWorld } from '../support/world.ts';
import { answerOf, type Env, useProcesses } from './processes.ts';

const processes = useProcesses();
const world = useSharedWorld({ ROLE: 'api' });
let settings: Env;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'import-test-'));
  settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: world.databaseUrl, SECRETS_KEY };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const all = { created: 0, updated: 0, unchanged: 0, rejected: 0, nextRow: null };

test('a file larger than the memory there is', async () => {
  const caller = await world.company();
  const file = join(folder, 'large.ndjson');
  const stream = createWriteStream(file);
  const line = JSON.stringify({ orderNumber: 'L-1', recipient })
    .padEnd(256 * 1024)
    .concat('\n');
  for (let i = 0; i < 500; i++) stream.write(line);
  stream.end();
  await finished(stream);
  const args = ['--json', 'import', 'orders', file, '--company', caller.companyId, '--from-row', '500'];
  const ended = await processes.cli(args, { ...settings, NODE_OPTIONS: '--max-old-space-size=128' });
  expect(answerOf(ended)).toEqual({ ...all, created: 1 });
});
