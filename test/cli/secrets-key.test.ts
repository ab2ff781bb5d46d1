import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { startProcess } from '../support/second-process.ts';
import { type Caller, useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, useProcesses } from './processes.ts';

const [OLD, NEW, STRAY] = [newSecretsKey(), newSecretsKey(), newSecretsKey()];

const world = useWorld({ ROLE: 'api', SECRETS_KEY: OLD });
const processes = useProcesses();
let settings: Env;
let caller: Caller;
beforeAll(async () => {
  const DATA_DIR = await processes.dataDir();
  settings = { DATA_DIR, DATABASE_URL: world.databaseUrl, DEMO: 'false', ROLE: 'worker', PORT: '0' };
  caller = await world.company();
  await caller.graphql(`mutation {
    createWebhookEndpoint(input: { label: "x", url: "https://93.184.215.14", events: [TRACKING_ALL] }) { webhookEndpoint { id } userErrors { code } }
  }`);
});

const command = (SECRETS_KEY: string, ...args: string[]) => inProcess(args, { ...settings, SECRETS_KEY });

/** Starts a process, and stops it. @throws StartupError */
async function starts(SECRETS_KEY: string): Promise<void> {
  const app = await startProcess(world, { SECRETS_KEY, ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  await app.stop();
}

async function refused(SECRETS_KEY: string): Promise<string> {
  const error: unknown = await starts(SECRETS_KEY).catch(thrown => thrown);
  if (error instanceof StartupError) return error.message;
  throw error ?? new Error('The process has started');
}

/** The finding of doctor about the registered keys. */
async function examined(SECRETS_KEY: string) {
  const { stdout } = await command(SECRETS_KEY, 'doctor', '--json');
  const findings: { status: string; found: string; advice: string | null }[] = JSON.parse(stdout);
  return findings.find(({ found }) => /registered/.test(found));
}

/** The database as the version before this check left it. */
const forgetKeys = () => world.pool.query('delete from secrets_key');

beforeEach(async () => {
  await forgetKeys();
});

describe('A process', () => {
  test('does not start with another SECRETS_KEY than those that run', async () => {
    await starts(OLD);
    const message = await refused(STRAY);
    expect(message).toMatch(/SECRETS_KEY .*other processes.*secrets rotate --leave-unreadable/);
    for (const key of [OLD, STRAY]) expect(message).not.toContain(key);
    await starts(OLD);
  });

  test('is the only one to start among several with different keys that start together on a new database', async () => {
    const fresh = { ...world, databaseUrl: await processes.database('migrated') };
    const starting = [OLD, NEW, STRAY, newSecretsKey()].map(key =>
      startProcess(fresh, { SECRETS_KEY: key, ROLE: 'api', DATABASE_POOL_SIZE: '2', MIGRATE_ON_START: 'false' }),
    );
    const ended = await Promise.allSettled(starting);
    for (const one of ended) if (one.status === 'fulfilled') await one.value.stop();
    const reasons = ended.flatMap(one => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(reasons).toEqual(Array(3).fill(expect.stringMatching(/SECRETS_KEY is not the key of the secrets/)));
  });

  test('starts at each step of a change of the key, but not with a key that is no longer in use', async () => {
    await starts(OLD);
    await starts(`${OLD},${NEW}`);
    // One that is restarted before its turn.
    await starts(OLD);
    await starts(`${NEW},${OLD}`);
    await refused(OLD);
    await refused(NEW);
    expect(answerOf(await command(`${NEW},${OLD}`, 'secrets', 'rotate', '--json'))).toEqual({
      secrets: 1,
      resealed: 1,
      unreadable: 0,
    });
    await starts(`${NEW},${OLD}`);
    await starts(NEW);
    await refused(OLD);
    expect(answerOf(await command(`${OLD},${NEW}`, 'secrets', 'rotate', '--json'))).toMatchObject({ resealed: 1 });
  });

  test('starts after an upgrade with the key that decrypts the stored secrets, and with no other', async () => {
    expect(await refused(STRAY)).toMatch(/decrypts nothing/);
    await starts(OLD);
    await refused(STRAY);
  });
});

test('A command that encrypts is rejected if its key differs', async () => {
  await starts(OLD);
  const label = ['--carrier', 'BRT', '--label', 'x'];
  const ended = await command(STRAY, 'carrier', 'connect', '--company', caller.companyId, ...label);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expectSentence(ended.stderr);
  expect(ended.stderr).toContain('SECRETS_KEY');
});

test('A lost key can be replaced once the operator confirms it', async () => {
  await starts(OLD);
  const plain = await command(NEW, 'secrets', 'rotate');
  expect(plain).toMatchObject({ code: 1, stdout: '' });
  expect(plain.stderr).toMatch(/--leave-unreadable if it is lost/);
  expect((await command(NEW, 'secrets', 'rotate', '--leave-unreadable')).code).not.toBe(0);
  await refused(NEW);

  const ended = await command(NEW, 'secrets', 'rotate', '--leave-unreadable', '--yes', '--json');
  expect(answerOf(ended)).toEqual({ secrets: 1, resealed: 0, unreadable: 1 });
  await starts(NEW);
  await refused(OLD);
});

test('The doctor shows the registered keys, and those that SECRETS_KEY lacks', async () => {
  expect(await examined(OLD)).toMatchObject({ status: 'ok', found: 'no process has registered a key yet' });
  await starts(`${OLD},${NEW}`);
  const right = await examined(OLD);
  expect(right).toMatchObject({ status: 'ok', found: expect.stringMatching(/has the registered key [0-9a-f]{8}$/) });
  const wrong = await examined(STRAY);
  expect(wrong).toMatchObject({
    status: 'fail',
    found: expect.stringMatching(/lacks the registered key [0-9a-f]{8},/),
  });
  expect(wrong?.advice).toContain('secrets rotate --leave-unreadable');
});
