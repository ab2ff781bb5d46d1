import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';
import { type Env, useProcesses } from './processes.ts';
import { refusedStart } from './service-calls.ts';

const [OLD, STRAY] = [newSecretsKey(), newSecretsKey()];

const world = useWorld({ ROLE: 'api', SECRETS_KEY: OLD });
const processes = useProcesses();
let settings: Env;
beforeAll(async () => {
  const DATA_DIR = await processes.dataDir();
  settings = { DATA_DIR, DATABASE_URL: world.databaseUrl, DEMO: 'false', ROLE: 'worker', PORT: '0' };
});

/** Starts a process, and stops it. @throws StartupError */
async function starts(SECRETS_KEY: string): Promise<void> {
  const app = await startProcess(world, { SECRETS_KEY, ROLE: 'api', DATABASE_POOL_SIZE: '2' });
  await app.stop();
}

beforeEach(async () => {
  // The database as the version before this check left it.
  await world.pool.query('delete from secrets_key');
});

describe('A process', () => {
  test.each<[string, Env]>([
    ['alone', {}],
    ['of several', { PROCESSES: '2', ROLE: 'all' }],
  ])('%s does not start with another SECRETS_KEY than those that run', async (_, env) => {
    await starts(OLD);
    const said = await refusedStart(processes, { ...settings, ...env, SECRETS_KEY: STRAY });
    expect(said).toMatch(/SECRETS_KEY .*other processes.*secrets rotate --leave-unreadable/);
    for (const key of [OLD, STRAY]) expect(said).not.toContain(key);
    await starts(OLD);
  });

  test('does not start without the key of the data folder that another process made', async () => {
    await starts(OLD);
    expect(await refusedStart(processes, settings)).toMatch(/SECRETS_KEY is not set, and .*secrets-key/);
  });
});
