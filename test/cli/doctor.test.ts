import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newSecretsKey } from '../../src/platform/secrets/secret-box.ts';
import { freePort } from '../support/ports.ts';
import { said, useDoctor } from './doctor-findings.ts';
import { inProcess } from './in-process.ts';
import type { Env } from './processes.ts';

const doctor = useDoctor();
const { processes, examine } = doctor;

const HEALTHY = {
  settings: 'ok',
  database: 'ok',
  encryption: 'ok',
  clock: 'ok',
  privileges: 'ok',
  sessions: 'ok',
  isolation: 'ok',
  locale: 'ok',
  connections: 'ok',
  version: 'ok',
  migrations: 'ok',
  shape: 'ok',
  'queue tables': 'ok',
  secrets: 'ok',
  queues: 'ok',
  audit: 'ok',
  companies: 'ok',
  webhooks: 'ok',
};

describe.concurrent('The doctor', () => {
  test('finds nothing to fail where all is well, and says that no worker was ever started', async () => {
    const { checks, findings } = await examine();
    expect(checks).toEqual({ ...HEALTHY, workers: 'warn', schedules: 'warn' });
    expect(said(findings, 'schedules')).toContain('ROLE=worker');
  });

  test('prints lines for a person, with what to do below each', async () => {
    const { code, stdout } = await inProcess(['doctor'], doctor.settings);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ok {4}database {6}PostgreSQL \d+/m);
    expect(stdout).toMatch(/^warn {2}schedules .*\n +→ start a worker/m);
  });

  const stopped: { name: string; env: () => Promise<Env>; checks: object; says: [string, RegExp][] }[] = [
    {
      name: 'wrong settings, all of them',
      env: async () => ({ PORT: 'x', DATABASE_POOL_SIZE: '1' }),
      checks: { settings: 'fail' },
      says: [['settings', /DATABASE_POOL_SIZE is "1".*PORT is "x"/]],
    },
    {
      name: 'the name that a required setting was misspelt by',
      env: async () => ({ NODE_ENV: 'production', SECRETS_KEY: '', SECRET_KEY: newSecretsKey() }),
      checks: {},
      says: [
        ['settings', /^fail SECRETS_KEY must be set in production/m],
        ['settings', /^warn SECRET_KEY is not a setting and is ignored: did you mean SECRETS_KEY\?/m],
      ],
    },
    {
      name: 'a server out of reach',
      env: async () => ({ DATABASE_URL: `postgres://me:pass-word@127.0.0.1:${await freePort()}/x` }),
      checks: { settings: 'ok', database: 'fail' },
      says: [['database', /nothing listens.*DATABASE_URL/]],
    },
    {
      name: 'a database that is not migrated',
      env: async () => ({ DATABASE_URL: await processes.database('empty') }),
      checks: { database: 'ok', migrations: 'fail', 'queue tables': 'fail' },
      says: [
        ['migrations', /Migration\d+.*migrate/],
        ['queue tables', /missing.*migrate/],
      ],
    },
    {
      name: 'settings that loosen what is safe',
      env: async () => ({
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOW_PRIVATE: '10.0.0.0/8',
        CARRIER_SANDBOX_URL: 'http://127.0.0.1:9',
        DEMO: 'true',
        HOST: '0.0.0.0',
        SECRETS_KEY: '',
      }),
      checks: { ...HEALTHY, settings: 'warn', schedules: 'warn' },
      says: ['WEBHOOK_ALLOW_HTTP', 'WEBHOOK_ALLOW_PRIVATE', 'CARRIER_SANDBOX_URL', 'DEMO', 'HOST', 'SECRETS_KEY'].map(
        name => ['settings', new RegExp(`^warn.*${name}`, 'm')],
      ),
    },
    {
      name: 'that PUBLIC_URL is missing in production',
      env: async () => ({ NODE_ENV: 'production' }),
      checks: { settings: 'warn' },
      says: [['settings', /^warn PUBLIC_URL is not set in production.*→ set PUBLIC_URL/]],
    },
    {
      name: 'that the service of production runs as the role that owns the tables',
      env: async () => ({
        ...{ NODE_ENV: 'production', PUBLIC_URL: 'https://api.example.com' },
        DATABASE_URL: processes.ownerOf(doctor.settings.DATABASE_URL ?? ''),
      }),
      checks: { privileges: 'warn' },
      says: [['privileges', /^warn \w+ owns the tables, and can change and drop them → .*cli -- migrate --grant/]],
    },
    {
      name: 'variables that are nearly settings, and no others',
      env: async () => ({
        WEBHOOK_RETENTION_DAYZ: '10',
        metrics_port: '1',
        PROCESS: '2',
        HOSTNAME: 'a',
        POSTGRES_PORT: '1',
        SECERTS_KEY: 'x',
        DATABASEURL: 'x',
        OPS_USERS_FIL: 'x',
        PUBLIC_URL_FILE: 'x',
      }),
      checks: { settings: 'warn' },
      says: [
        [
          'settings',
          /^warn WEBHOOK_RETENTION_DAYZ is not a setting and is ignored: did you mean WEBHOOK_RETENTION_DAYS\? → set WEBHOOK_RETENTION_DAYS$/m,
        ],
        [
          'settings',
          /^warn metrics_port is not a setting and is ignored: did you mean METRICS_PORT\? → set METRICS_PORT$/m,
        ],
        ['settings', /^warn SECERTS_KEY .* did you mean SECRETS_KEY\?/m],
        ['settings', /^warn DATABASEURL .* did you mean DATABASE_URL\?/m],
        ['settings', /^warn OPS_USERS_FIL .* did you mean OPS_USERS_FILE\?/m],
        ['settings', /^warn PUBLIC_URL_FILE .* did you mean PUBLIC_URL\?/m],
        ['settings', /^(?!.*(PROCESS|HOSTNAME|POSTGRES_PORT) is not a setting)/s],
      ],
    },
  ];
  test.each(stopped)('finds $name', async ({ env, checks, says }) => {
    const found = await examine(await env());
    expect(found.checks).toMatchObject(checks);
    for (const [check, pattern] of says) expect(said(found.findings, check)).toMatch(pattern);
    expect(JSON.stringify(found.findings)).not.toContain('pass-word');
  });
});

describe('In a database that is not as it should be, the doctor', () => {
  const role = `test_${randomBytes(8).toString('hex')}`;
  let url: string;
  beforeAll(async () => {
    url = await processes.database('migrated');
  });
  afterAll(async () => {
    const database = await processes.connect(url);
    await database.query(`drop owned by ${role}; drop role ${role}`);
  });

  test('finds all errors at once', async () => {
    const database = await processes.connect(url);
    const name = new URL(url).pathname.slice(1);
    const company = '00000000-0000-4000-8000-000000000001';
    await database.query(`
      create schema skewed; grant usage on schema skewed to public;
      create function skewed.clock_timestamp() returns timestamptz language sql as $$ select now() + interval '5 s' $$;
      alter database ${name} set search_path = skewed, pg_catalog, public;
      alter database ${name} set default_transaction_isolation = 'serializable';
      insert into company (id, name) values ('${company}', 'X');
      insert into carrier_connection (company_id, carrier_code, label, is_active, credentials)
        values ('${company}', 'BRT', 'X', true, decode(repeat('01', 60), 'hex'));
      insert into api_key (company_id, id, secret_hash, last4, label, scopes)
        values ('${company}', '${company}', decode(repeat('01', 32), 'hex'), '0000', 'X', '{}');
      insert into idempotent_request (company_id, api_key_id, route, idempotency_key, claim, request, answer, claimed_at)
        select '${company}', '${company}', 'quoteShipment', n, gen_random_uuid(), decode(repeat('01', 60), 'hex'),
          case when n % 2 = 0 then decode(repeat('01', 60), 'hex') end, now() - case when n > 1400 then interval '25 hours' else interval '23 hours' end
        from generate_series(1, 1500) as n;
      insert into pgboss.job (name, start_after) values ('tracking.poll', now() - interval '6 minutes');
      insert into pgboss.job (name, start_after) values ('tracking.claim', now() - interval '4 minutes');
      insert into pgboss.job (name) values ('webhooks.dead');
      insert into pgboss.job (name, state, completed_on) values
        ('webhooks.delays', 'completed', now() - interval '2 minutes'), ('webhooks.delays', 'failed', now() - interval '1 minute');
      insert into pgboss.schedule (name, cron, created_on) values
        ('webhooks.sweep', '* * * * *', now() - interval '2 hours'), ('webhooks.delays', '* * * * *', now());
      update pgboss.version set version = version - 1`);
    const { findings, checks } = await examine({
      DATABASE_URL: url,
      DATABASE_POOL_SIZE: '500',
      SECRETS_KEY: newSecretsKey(),
    });
    expect(checks).toMatchObject({ clock: 'warn', isolation: 'fail', connections: 'fail', 'queue tables': 'fail' });
    expect(said(findings, 'clock')).toMatch(/5\.0 s ahead.*NTP/);
    expect(said(findings, 'isolation')).toMatch(/serializable.*read committed/);
    expect(said(findings, 'connections')).toMatch(/a process needs 501.*DATABASE_POOL_SIZE/);
    expect(said(findings, 'queue tables')).toMatch(/version \d+, and version \d+ is needed.*migrate/);
    expect(said(findings, 'secrets')).toMatch(/^fail 1 of 1 credentials of carriers.*SECRETS_KEY/m);
    // Calls of the last 24 hours, every second one with an answer.
    expect(said(findings, 'secrets')).toMatch(/^warn 2100 of 2100 requests and responses.*SECRETS_KEY/m);
    expect(said(findings, 'queues').split('\n')).toEqual([
      expect.stringMatching(/^warn tracking\.poll has 1 .*worker/),
      expect.stringMatching(/^warn webhooks\.dead has 1 .*queue redrive --queue webhooks\.dead/),
    ]);
    expect(said(findings, 'schedules').split('\n')).toEqual([
      expect.stringMatching(/^warn not run .*: webhooks\.sweep →/),
      expect.stringMatching(/^warn the last run failed: webhooks\.delays →.*`job failed`/),
    ]);
  });

  test.each([
    ["encoding 'UTF8' locale 'C'", /^warn encoding UTF8, with upper and lower case of ASCII letters only.*C\.UTF-8/],
    ["encoding 'SQL_ASCII' locale 'C'", /^warn encoding SQL_ASCII, .*encoding 'UTF8'/],
    ["encoding 'UTF8' locale 'C.UTF-8'", /^ok encoding UTF8/],
  ])('finds that filters may not ignore upper and lower case: %s', async (options, finding) => {
    const database = await processes.connect(url);
    const other = processes.missingDatabase();
    await database.query(`create database ${new URL(other).pathname.slice(1)} ${options} template template0`);
    expect(said((await examine({ DATABASE_URL: other })).findings, 'locale')).toMatch(finding);
  });

  test('finds that the user may read only a part of it', async () => {
    const database = await processes.connect(url);
    await database.query(`create role ${role} login password 'x'; grant usage on schema pgboss, public to ${role};
      grant select on all tables in schema public, pgboss to ${role}; grant all on table company to ${role}`);
    const theirs = new URL(url);
    Object.assign(theirs, { username: role, password: 'x' });
    const { findings } = await examine({ DATABASE_URL: theirs.href });
    expect(said(findings, 'privileges')).toMatch(
      /^fail test_\w+ cannot read and write \d+ tables, such as pgboss\.\w+ → .*grant test_\w+/,
    );
    expect(said(findings, 'sessions')).toMatch(/^warn transactions of other users .* → grant pg_monitor/);
  });
});
