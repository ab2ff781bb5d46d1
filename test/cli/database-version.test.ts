import { beforeAll, describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { StartupError } from '../../src/platform/startup-error.ts';
import { startProcess } from '../support/second-process.ts';
import { useWorld } from '../support/world.ts';
import { inProcess } from './in-process.ts';
import { answerOf, type Env, expectSentence, type Json, useProcesses } from './processes.ts';

// A database keeps which versions of the service migrated it, and the oldest version that runs beside each.

const world = useWorld({ ROLE: 'api' });
const processes = useProcesses();
let settings: Env;
beforeAll(async () => {
  settings = { DATABASE_URL: world.databaseUrl, DATA_DIR: await processes.dataDir(), DEMO: 'false' };
});

/** Acts on a database that another version has migrated, too. */
async function migratedBy<Result>(version: string, oldestBeside: string, work: () => Promise<Result>): Promise<Result> {
  await world.pool.query('insert into migrated_version (version, oldest_beside) values ($1, $2)', [
    version,
    oldestBeside,
  ]);
  try {
    return await work();
  } finally {
    await world.pool.query('delete from migrated_version where version = $1', [version]);
  }
}

/** Starts a process and stops it; returns the reason if it does not start. */
async function startReason(env: Env = {}): Promise<string | undefined> {
  try {
    const app = await startProcess(world, { ROLE: 'api', DATABASE_POOL_SIZE: '2', ...env });
    await app.stop();
    return undefined;
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
}

async function examined() {
  const findings: Json[] = JSON.parse((await inProcess(['doctor', '--json'], settings)).stdout);
  return findings.find(({ check }) => check === 'version');
}

describe('On a database of a version beside which this one does not run', () => {
  const REASON =
    /database is too new .*this is version .*, and 10\.2\.0 .* no version before 10\.0\.0 runs; install 10\.2\.0, or restore/;

  test.each(['true', 'false'])('the service does not start with MIGRATE_ON_START=%s', async MIGRATE_ON_START => {
    expect(await startReason({ MIGRATE_ON_START })).toBeUndefined();
    const reason = await migratedBy('10.2.0', '10.0.0', () => startReason({ MIGRATE_ON_START }));
    expect(reason).toMatch(REASON);
  });

  test.each(['company list', 'migrate'])('the command %s stops', async command => {
    const ended = await migratedBy('10.2.0', '10.0.0', () => inProcess(command.split(' '), settings));
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expectSentence(ended.stderr);
    expect(ended.stderr).toMatch(REASON);
  });

  test('the doctor fails and says what to do', async () => {
    expect(await examined()).toMatchObject({ status: 'ok', found: expect.stringContaining(packageJson.version) });
    expect(await migratedBy('10.2.0', '10.0.0', examined)).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('10.2.0 has migrated the database'),
      advice: expect.stringContaining('install 10.2.0'),
    });
  });
});

test('On a database of a newer version beside which this one runs, the service starts and commands work', async () => {
  await migratedBy('10.2.0', packageJson.version, async () => {
    expect(await startReason()).toBeUndefined();
    answerOf(await inProcess(['company', 'list', '--json'], settings));
    expect(await examined()).toMatchObject({ status: 'ok', found: expect.stringContaining('10.2.0') });
  });
});
