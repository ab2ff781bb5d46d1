import { afterEach, expect, test } from 'vitest';
import { createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { openTransactionPooler } from '../support/transaction-pooler.ts';
import { inProcess } from './in-process.ts';
import { type Env, useProcesses } from './processes.ts';
import { startError } from './service-calls.ts';

const processes = useProcesses();
const SECRETS_KEY = newSecretsKey();
const poolers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const pooler of poolers.splice(0)) await pooler.close();
});

/** A migrated database, and a pooler before it. */
async function pooled(options?: Parameters<typeof openTransactionPooler>[1]) {
  const direct = await processes.database('migrated');
  const pooler = await openTransactionPooler(direct, options);
  poolers.push(pooler);
  return { direct, pooler: pooler.url };
}

/** Starts the service, asks whether it is ready, and stops it. */
async function readiness({ DATABASE_URL: databaseUrl = '', ...env }: Env): Promise<number> {
  const config = readConfig({ PORT: '0', SECRETS_KEY, ...env });
  const app = await createApp({ ...config, databaseUrl }, createLog('silent'));
  try {
    return (await fetch(`${app.url}/readyz`)).status;
  } finally {
    await app.stop();
  }
}

test.each([
  { name: 'that opens connections on demand' },
  { name: 'with connections, of which it takes the one used last', idle: 3 },
  { name: 'with connections, which it takes in turn', idle: 3, next: 'first' as const },
])('The service refuses to start with a pooler in transaction mode $name, and says what to set', async options => {
  const { pooler } = await pooled(options);
  expect(await startError({ DATABASE_URL: pooler })).toMatch(
    /^DATABASE_URL leads through a pooler .*PgBouncer.*: set DATABASE_DIRECT_URL /,
  );
});

test('The doctor and every other command name the pooler too', async () => {
  const { pooler } = await pooled();
  const env = { DATABASE_URL: pooler, SECRETS_KEY };
  const { code, stdout } = await inProcess(['doctor'], env);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^fail {2}database .*DATABASE_URL leads through a pooler/m);
  const listed = await inProcess(['company', 'list'], env);
  expect(listed.stderr).toMatch(/^DATABASE_URL leads through a pooler [^\n]*\n$/);
});

test('The doctor tries DATABASE_DIRECT_URL and READ_DATABASE_URL as well', async () => {
  const { direct, pooler } = await pooled();
  expect(await startError({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: pooler })).toMatch(
    /^DATABASE_DIRECT_URL leads through a pooler .*: set it to the address of the database itself\.$/,
  );
  expect(await startError({ DATABASE_URL: direct, READ_DATABASE_URL: pooler })).toMatch(
    /^READ_DATABASE_URL leads through a pooler .*: set DATABASE_DIRECT_URL/,
  );
});

test('The service starts past the pooler, with a pooler that keeps sessions, and without one', async () => {
  const { direct, pooler } = await pooled();
  const { pooler: perSession } = await pooled({ perSession: true, idle: 3 });
  expect(await readiness({ DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct })).toBe(200);
  expect(await readiness({ DATABASE_URL: direct, READ_DATABASE_URL: pooler, DATABASE_DIRECT_URL: direct })).toBe(200);
  expect(await readiness({ DATABASE_URL: perSession })).toBe(200);
  expect(await readiness({ DATABASE_URL: direct })).toBe(200);
});
