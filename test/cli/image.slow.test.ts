import { readFileSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CONTRACTS, SOURCES } from '../../src/http/docs/navigation.ts';
import { FAULTS } from '../../src/platform/fault.ts';
import { useProcesses } from './processes.ts';

// What the image copies is enough for the service, and for every public page of it.

const ROOT = new URL('../../', import.meta.url).pathname;
const processes = useProcesses();
let image: string;
let url: string;

/** What the image copies, and how it starts, as its Dockerfile says. */
function readDockerfile() {
  const { services } = parse(readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'), { merge: true });
  const dockerfile: string = services.api.build.dockerfile_inline;
  const copied = [...dockerfile.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, sources = '']) => sources.split(' '));
  const [, entry = '[]'] = /^ENTRYPOINT (.+)$/m.exec(dockerfile) ?? [];
  const [, command = '[]'] = /^CMD (.+)$/m.exec(dockerfile) ?? [];
  return { copied, args: [...JSON.parse(entry), ...JSON.parse(command)].slice(1) as string[] };
}

beforeAll(async () => {
  image = await mkdtemp(join(tmpdir(), 'shipping-image-'));
  const { copied, args } = readDockerfile();
  for (const source of copied) await cp(join(ROOT, source), join(image, source), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(image, 'node_modules'));
  const env = { PORT: '0', NODE_ENV: 'production', DATABASE_URL: await processes.database('migrated') };
  const secret = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'), PUBLIC_URL: 'https://api.example.com' };
  const program = processes.startFile(args, { ...env, ...secret }, { cwd: image });
  const [, listening = ''] = await program.said(/"url":"([^"]+)"/);
  url = listening;
});
afterAll(() => rm(image, { recursive: true, force: true }));

const guides = Object.keys(SOURCES).map(name => `/docs/${name}`);
const problems = Object.keys(FAULTS).map(code => `/problems/${code}`);
const others = ['/openapi.json', '/docs', '/docs/reference', '/llms.txt', '/llms-full.txt', '/livez', '/readyz'];

test.each([...others, ...Object.keys(CONTRACTS), ...guides, ...problems])('%s is there', async path => {
  const response = await fetch(url + path, { headers: { accept: 'text/html, application/json;q=0.9, */*;q=0.8' } });
  expect([path, response.status]).toEqual([path, 200]);
});

test('GraphiQL is there', async () => {
  expect((await fetch(`${url}/graphql`, { headers: { accept: 'text/html' } })).status).toBe(200);
});

test('an installation that lacks a guide has the contracts and its other pages', async () => {
  await rm(join(image, 'CHANGELOG.md'));
  const { args } = readDockerfile();
  const env = { PORT: '0', NODE_ENV: 'production', DATABASE_URL: await processes.database('migrated') };
  const secret = { SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') };
  const program = processes.startFile(args, { ...env, ...secret }, { cwd: image });
  const [, listening = ''] = await program.said(/"url":"([^"]+)"/);
  const statuses = [
    '/docs/changelog',
    '/docs',
    '/docs/install',
    '/openapi.json',
    '/schema.graphql',
    '/problems/rate_limited',
  ];
  const found = await Promise.all(statuses.map(async path => (await fetch(listening + path)).status));
  expect(found).toEqual([404, 200, 200, 200, 200, 200]);
});
