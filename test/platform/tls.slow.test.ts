import { execFile } from 'node:child_process';
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { connectionSettings } from '../../src/platform/database/connections/connection-settings.ts';
import { inProcess } from '../cli/in-process.ts';
import { LOCALHOST, SELF_SIGNED } from '../support/certificate.ts';
import { withClient } from '../support/databases.ts';
import { noteSettings, useWatchedLog } from '../support/log-watch.ts';
import { SECRETS_KEY } from '../support/world.ts';

// A server that takes encrypted connections only, and what `sslmode` of the address makes of it.

const log = useWatchedLog();
let home: string;
let server: EmbeddedPostgres;
let own: string;
let other: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'shipping-tls-'));
  const data = join(home, 'data');
  server = await openEmbeddedPostgres({ dataDir: data, as: 'service', throwaway: true });
  [own, other] = [join(home, 'own.pem'), join(home, 'other.pem')];
  await writeFile(own, LOCALHOST.cert);
  await writeFile(other, SELF_SIGNED.cert);
  await withClient(server.url, async client => {
    const { rows } = await client.query<{ folder: string; hba: string }>(
      `select current_setting('data_directory') as folder, current_setting('hba_file') as hba`,
    );
    const { folder = '', hba = '' } = rows[0] ?? {};
    const { uid, gid } = await stat(hba);
    for (const [name, text] of [
      ['server.key', LOCALHOST.key],
      ['server.crt', LOCALHOST.cert],
    ] as const) {
      const file = join(folder, name);
      await writeFile(file, `${text}\n`, { mode: 0o600 });
      await chown(file, uid, gid);
    }
    const rules = await readFile(hba, 'utf8');
    await writeFile(hba, rules.replaceAll(/^host\s/gm, 'hostssl '));
    await client.query('alter system set ssl = on');
    await client.query('select pg_reload_conf()');
  });
});
afterAll(async () => {
  if (server !== undefined) await server.close();
  await rm(home, { recursive: true, force: true });
});

const addressed = (parameters: string, host = 'localhost') => {
  const url = new URL(server.url);
  url.hostname = host;
  return `${url.href}?${parameters}`;
};

async function start(databaseUrl: string, role = 'all'): Promise<App> {
  const settings = { PORT: '0', ROLE: role, DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: '3', SECRETS_KEY };
  noteSettings(settings);
  return createApp({ ...readConfig(settings), databaseUrl }, log);
}

/** Every connection to the database but that which asks, with whether it is encrypted. */
async function connections(app: App): Promise<Map<string, boolean>> {
  const { rows } = await app.database.pool.query<{ name: string; ssl: boolean }>(
    `select split_part(a.application_name, ' ', 1) as name, s.ssl from pg_stat_activity a join pg_stat_ssl s using (pid)
      where a.datname = current_database()`,
  );
  return new Map(rows.map(({ name, ssl }) => [`${name} ${ssl}`, ssl]));
}

describe.each([
  ['verify-full', () => `sslmode=verify-full&sslrootcert=${own}`],
  ['verify-ca', () => `sslmode=verify-ca&sslrootcert=${own}`],
  ['require', () => 'sslmode=require'],
  ['no-verify', () => 'sslmode=no-verify'],
])('With sslmode=%s', (mode, parameters) => {
  test('the service runs, and each of its connections is encrypted', async () => {
    const app = await start(addressed(parameters()));
    try {
      expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
      await vi.waitFor(async () => {
        const found = await connections(app);
        // The pool, and the connection that listens.
        expect([...found.keys()].toSorted()).toEqual(['shipping-integrations-api true', 'shipping-process true']);
      });
    } finally {
      await app.stop();
    }
  });

  test('commands run, and the doctor says that connections are encrypted', async () => {
    const ended = await inProcess(['doctor', '--json'], { DATABASE_URL: addressed(parameters()), SECRETS_KEY });
    const findings = JSON.parse(ended.stdout) as { check: string; found: string }[];
    const encryption = findings.find(({ check }) => check === 'encryption');
    expect(JSON.stringify(encryption)).toMatch(new RegExp(`connection encrypted: ${mode} \\(TLSv1\\.[23]\\)`));
  });
});

test.each<[what: string, address: () => string, reason: RegExp]>([
  ['no sslmode', () => addressed(''), /accepts encrypted connections only: add sslmode=verify-full/],
  ['sslmode=disable', () => addressed('sslmode=disable'), /accepts encrypted connections only/],
  [
    'a certificate that nobody known has signed',
    () => addressed('sslmode=verify-full'),
    /certificate is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\).*sslrootcert/,
  ],
  [
    'the certificate of another authority',
    () => addressed(`sslmode=verify-full&sslrootcert=${other}`),
    /certificate is not trusted/,
  ],
  [
    'a certificate for another host',
    () => addressed(`sslmode=verify-full&sslrootcert=${own}`, '127.0.0.1'),
    /certificate is for another host name than that in DATABASE_URL/,
  ],
  [
    'a mode that does not exist',
    () => addressed('sslmode=verify'),
    /sslmode .* must be one of disable, require, no-verify/,
  ],
  ['a mode that may fall back to clear text', () => addressed('sslmode=prefer'), /sslmode .* must be one of/],
  ['verify-ca without an authority', () => addressed('sslmode=verify-ca'), /verify-ca needs sslrootcert/],
  ['a file that is missing', () => addressed('sslmode=require&sslrootcert=/none.pem'), /sslrootcert .* cannot be read/],
])('The service does not start with %s, and says why', async (_what, address, reason) => {
  await expect(start(address(), 'api')).rejects.toThrow(reason);
});

test('MikroORM’s own commands connect in the same way', async () => {
  const run = promisify(execFile);
  const cli = new URL('../../node_modules/@mikro-orm/cli/cli.js', import.meta.url).pathname;
  const env = { PATH: process.env.PATH, DATABASE_URL: addressed(`sslmode=verify-full&sslrootcert=${own}`) };
  const cwd = new URL('../..', import.meta.url).pathname;
  const { stdout } = await run(process.execPath, [cli, 'debug'], { cwd, env });
  expect(stdout).toMatch(/database connection succesful|database connection successful/);
});

test('An address without sslmode leaves TLS to PGSSLMODE, and never keeps the TLS of another address', () => {
  expect(connectionSettings('postgres://u:p%40@h:1/d')).toEqual({
    host: 'h',
    port: 1,
    user: 'u',
    password: 'p@',
    database: 'd',
    ssl: undefined,
  });
});
