import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { SECRETS } from '../../src/service-settings.ts';
import { useWatchedLog } from '../support/log-watch.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, useProcesses } from './processes.ts';
import { expectSecretsInUse, settingsWithSecretFiles } from './secret-file-starts.ts';

const processes = useProcesses();
const log = useWatchedLog();
const SECRETS_KEY = newSecretsKey();
let folder: string;
let databaseUrl: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secret-files-'));
  databaseUrl = await processes.database('migrated');
});
afterAll(() => rm(folder, { recursive: true }));

/** Writes a file, and returns its path. */
async function file(content: string): Promise<string> {
  const path = join(folder, `${Math.random()}`);
  await writeFile(path, content);
  return path;
}

async function refused(env: Env): Promise<string> {
  const ended = await inProcess(['company', 'list'], env);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expectSentence(ended.stderr);
  return ended.stderr;
}

test('The service starts with its secrets in files, and each secret is in use', async () => {
  const { settings } = await settingsWithSecretFiles(databaseUrl, file);
  const config = readConfig({ ...settings, PORT: '0' });
  const app = await createApp({ ...config, databaseUrl: config.databaseUrl ?? '' }, log);
  try {
    await expectSecretsInUse(app.url);
  } finally {
    await app.stop();
  }
});

describe('The command line', () => {
  test('reads its secrets from files', async () => {
    const env = { DATABASE_URL_FILE: await file(databaseUrl), SECRETS_KEY_FILE: await file(SECRETS_KEY) };
    expect(answerOf(await inProcess(['company', 'list', '--json'], env))).toEqual([]);
  });

  test.each(SECRETS)('stops if %s is given as a value and as a file', async name => {
    const said = await refused({ [name]: 'a-value-of-some-length', [`${name}_FILE`]: await file('x') });
    expect(said).toContain(`${name} and ${name}_FILE are both set: set one of them`);
    expect(said).not.toContain('a-value-of-some-length');
  });

  test.each(SECRETS)('stops if the file of %s cannot be read', async name => {
    const path = join(folder, 'absent');
    expect(await refused({ [`${name}_FILE`]: path })).toBe(
      `${name}_FILE is "${path}", which cannot be read (ENOENT).\n`,
    );
  });

  test('names every wrong file at once, and no content', async () => {
    const directory = await mkdtemp(join(folder, 'directory-'));
    await chmod(directory, 0o755);
    const env = {
      NODE_ENV: 'production',
      DATABASE_URL_FILE: await file('mysql://me:pass-word@host/x'),
      SECRETS_KEY_FILE: directory,
      OPS_USERS_FILE: await file('\n'),
    };
    expect(await refused(env)).toBe(
      `SECRETS_KEY_FILE is "${directory}", which cannot be read (EISDIR); OPS_USERS_FILE is "${env.OPS_USERS_FILE}", which is empty; DATABASE_URL_FILE names a file whose content must be a postgres:// URL with the name of a database.\n`,
    );
  });

  test('treats an empty variable as one that is not set', async () => {
    const env = {
      DATABASE_URL: databaseUrl,
      DATABASE_URL_FILE: '',
      SECRETS_KEY: '',
      SECRETS_KEY_FILE: await file(SECRETS_KEY),
    };
    expect(answerOf(await inProcess(['company', 'list', '--json'], env))).toEqual([]);
  });

  test('does not read other settings from files', async () => {
    const env = { DATABASE_URL: databaseUrl, SECRETS_KEY, PORT_FILE: await file('not a port') };
    expect(answerOf(await inProcess(['company', 'list', '--json'], env))).toEqual([]);
  });
});
