import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { brt } from '../../src/sandbox/brt-stand-in.ts';
import { askedAt, CREDENTIALS, connectSandbox, useSandbox } from '../support/carriers.ts';
import { INSTANT } from '../support/instants.ts';
import { connectCarrier } from '../support/platform-side.ts';
import { type Caller, SECRETS_KEY, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

const processes = useProcesses();
const sandbox = useSandbox({ carriers: [brt] });
const world = useWorld(askedAt(sandbox));
let settings: Env;
let folder: string;
let caller: Caller;
beforeAll(async () => {
  const dataDir = await processes.dataDir();
  folder = dirname(dataDir);
  settings = { DATA_DIR: dataDir, DATABASE_URL: world.databaseUrl, SECRETS_KEY, ...askedAt(sandbox) };
});

const run = (...args: string[]) => inProcess(['--json', 'carrier', ...args], settings);
const json = async (...args: string[]): Promise<Json> => answerOf(await run(...args));
const list = () => json('list', '--company', caller.companyId);

describe('carrier test', () => {
  beforeAll(async () => {
    caller = await world.sandbox();
  });

  test('fails unless the carrier accepts the credentials', async () => {
    const [good, bad] = [await connectSandbox(caller, 'BRT'), await connectCarrier(caller, 'BRT')];
    const tested = await run('test', '--connection', `${good}`);
    expect(answerOf(tested)).toEqual({ connectionId: good, outcome: 'accepted' });
    const failed = await run('test', '--connection', `${bad}`);
    expect(failed).toMatchObject({ code: 1, stderr: '' });
    expect(JSON.parse(failed.stdout)).toEqual({ connectionId: bad, outcome: 'no_credentials' });
  });
});

describe('carrier list and update', () => {
  beforeAll(async () => {
    caller = await world.company();
  });

  test('update changes what it names, and list shows the connections of a company', async () => {
    const id = await connectCarrier(caller, 'BRT', 'Prima');
    const theirs = await connectCarrier(await world.company(), 'GLS', 'Loro');
    const find = async (): Promise<Json> => (await list()).find(({ connectionId }: Json) => connectionId === id);
    expect(await find()).toEqual({
      connectionId: id,
      companyId: caller.companyId,
      carrier: 'BRT',
      label: 'Prima',
      environment: 'live',
      isActive: true,
      hasCredentials: false,
      baseUrl: null,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    const all: Json[] = await json('list');
    // The code, which is what commands take.
    expect(all.find(({ connectionId }) => connectionId === theirs)).toMatchObject({ carrier: 'GLS' });
    expect(all.map(({ connectionId }) => connectionId)).toEqual(expect.arrayContaining([id, theirs]));
    expect((await list()).some(({ connectionId }: Json) => connectionId === theirs)).toBe(false);

    const file = join(folder, 'brt.json');
    await writeFile(file, JSON.stringify(CREDENTIALS.BRT));
    const update = (...options: string[]) => json('update', '--connection', `${id}`, ...options);
    const updated = await update(
      '--label',
      'Seconda',
      '--credentials',
      file,
      '--base-url',
      'https://93.184.215.14/brt',
    );
    expect(updated).toMatchObject({ connectionId: id, label: 'Seconda', isActive: true, hasCredentials: true });
    expect(updated.baseUrl).toBe('https://93.184.215.14/brt');
    const bare = await update('--active', 'no', '--base-url', 'none', '--credentials', 'none', '--yes');
    expect(bare).toMatchObject({ label: 'Seconda', isActive: false, hasCredentials: false, baseUrl: null });
    expect(await find()).toMatchObject(bare);
  });

  test('an error is named by its option', async () => {
    const id = await connectCarrier(caller, 'BRT');
    const file = join(folder, 'wrong.json');
    await writeFile(file, '{"userId":"x","depot":"y"}');
    const cases = [
      { options: [], names: ['--label', '--credentials', '--active', '--base-url'] },
      { options: ['--base-url', 'http://127.0.0.1'], names: ['--base-url must'] },
      {
        options: ['--label', '', '--credentials', file],
        names: ['--label must', '--credentials depot must', '--credentials password must'],
      },
    ];
    for (const { options, names } of cases) {
      const ended = await run('update', '--connection', `${id}`, ...options);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expectSentence(ended.stderr);
      for (const name of names) expect(ended.stderr).toContain(name);
    }
  });

  test('a connection that does not exist is named before anybody has to confirm', async () => {
    const ended = await run('disconnect', '--connection', '999999999');
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('connection') });
    expect(ended.stderr).not.toContain('--yes');
  });

  test('a connection that is disconnected is listed no more', async () => {
    const id = await connectCarrier(caller, 'BRT', 'Terza');
    expect(await json('disconnect', '--connection', `${id}`, '--yes')).toEqual({ connectionId: id, label: 'Terza' });
    expect((await list()).map(({ label }: Json) => label)).not.toContain('Terza');
  });
});
