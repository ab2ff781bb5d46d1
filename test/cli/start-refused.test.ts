import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { StartupError } from '../../src/platform/startup-error.ts';
import { freePort } from '../support/ports.ts';
import { oldPostgres } from './old-postgres.ts';
import { type Env, expectSentence, useProcesses } from './processes.ts';
import { refusedStart, startError } from './service-calls.ts';

const processes = useProcesses();

describe.concurrent('An unusable database is named in one sentence, without its password,', () => {
  const cases: { name: string; url: () => Promise<string>; says: RegExp }[] = [
    {
      name: 'nothing listens',
      url: async () => `postgres://me:pass-word@127.0.0.1:${await freePort()}/x`,
      says: /listens/,
    },
    { name: 'the host is unknown', url: async () => 'postgres://me:pass-word@nowhere.invalid/x', says: /host/ },
    {
      name: 'the database is missing',
      url: async () => processes.missingDatabase(),
      says: /does not exist/,
    },
    {
      name: 'the server is too old',
      url: async () => `postgres://me:pass-word@127.0.0.1:${await processes.listen(oldPostgres())}/x`,
      says: /PostgreSQL 14\b.*\b15 or newer/,
    },
  ];
  test.each(cases)('if $name', async ({ url, says }) => {
    const databaseUrl = await url();
    const message = await startError({ DATABASE_URL: databaseUrl });
    expect(message).toMatch(says);
    expect(message).not.toContain(new URL(databaseUrl).password || 'pass-word');
  });

  test('that `npm start` prints before it ends', async () => {
    const DATABASE_URL = processes.missingDatabase();
    const said = await refusedStart(processes, { DATA_DIR: await processes.dataDir(), DATABASE_URL });
    expect(said).toBe(`${await startError({ DATABASE_URL })}\n`);
  });

  test('and is not created if it is missing', async () => {
    const databaseUrl = processes.missingDatabase();
    await startError({ DATABASE_URL: databaseUrl });
    const database = await processes.connect(inject('serverUrl'));
    const names = (await database.query('select datname from pg_database')).rows.map(({ datname }) => datname);
    expect(names).not.toContain(new URL(databaseUrl).pathname.slice(1));
  });

  test('that names `migrate` if the service must not migrate it', async () => {
    const DATABASE_URL = await processes.database('empty');
    expect(await startError({ DATABASE_URL, MIGRATE_ON_START: 'false' })).toContain('migrate');
  });
});

describe.concurrent('Among wrong settings', () => {
  const cases: { name: string; value: string; allowed: RegExp }[] = [
    { name: 'PORT', value: 'abc', allowed: /0 .*to 65535/ },
    { name: 'PORT', value: '70000', allowed: /0 .*to 65535/ },
    { name: 'ROLE', value: 'x', allowed: /all, api or worker/ },
    { name: 'PROCESSES', value: 'many', allowed: /1 to 64, or auto/ },
    { name: 'PROCESSES', value: '0', allowed: /1 to 64, or auto/ },
    { name: 'DATABASE_POOL_SIZE', value: '1', allowed: /2 to 500/ },
    { name: 'LOG_LEVEL', value: 'loud', allowed: /info/ },
    { name: 'DATABASE_URL', value: 'http://me:pass-word@127.0.0.1/x', allowed: /postgres:\/\// },
    { name: 'DEMO', value: 'maybe', allowed: /true or false/ },
    { name: 'METRICS_PORT', value: '0', allowed: /1 to 65535/ },
    { name: 'NODE_ENV', value: 'staging', allowed: /development, test or production/ },
  ];
  const thrown = (env: Env) => {
    try {
      readConfig(env);
    } catch (error) {
      if (error instanceof StartupError) return error.message;
      throw error;
    }
    throw new Error('the settings were taken');
  };

  // They are read by one function; `start.slow.test.ts` starts a program with several of them.
  test.each(cases)(
    '$name=$value is rejected, and the message states the allowed values',
    ({ name, value, allowed }) => {
      const said = thrown({ [name]: value });
      expectSentence(`${said}\n`);
      expect(said).toContain(name);
      expect(said).toMatch(allowed);
      if (name === 'DATABASE_URL') expect(said).not.toContain('pass-word');
      else expect(said).toContain(value);
    },
  );

  test('all are named at once', () => {
    const all: Env = Object.fromEntries(cases.map(({ name, value }) => [name, value]));
    const said = thrown(all);
    for (const name of Object.keys(all)) expect(said).toContain(name);
    expectSentence(`${said}\n`);
    expect(said).not.toContain('pass-word');
  });

  test('a HOST that is not an address of this machine is named', async () => {
    const DATABASE_URL = await processes.database('migrated');
    expect(await startError({ HOST: '192.0.2.1', DATABASE_URL })).toContain('192.0.2.1');
  });

  test('a METRICS_PORT that is in use is named', async () => {
    const port = await processes.listen();
    const DATABASE_URL = await processes.database('migrated');
    expect(await startError({ METRICS_PORT: String(port), DATABASE_URL })).toContain(String(port));
  });
});
