import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { softwareBill } from '../../.ci/sbom.ts';

const ROOT = new URL('../../', import.meta.url).pathname;

const CHANGELOG = `# Changelog

## Unreleased

### What you have to do

**Whoever runs it:**

- Run \`migrate\` first.

**Users of REST:**

- Set \`PUBLIC_URL\`.

  | Before | Now |
  |---|---|
  | \`a\` | \`b\` |

### Added

- A thing.

## 0.2.0

- Another thing.
`;
const PACKAGE = { name: 'shipping', version: '0.3.0-dev', dependencies: { fastify: '0.3.0-dev' } };
const LOCK = {
  name: 'shipping',
  version: '0.3.0-dev',
  lockfileVersion: 3,
  packages: {
    '': PACKAGE,
    'node_modules/fastify': { version: '0.3.0-dev' },
  },
};

const SCALAR = {
  package: '@scalar/api-reference',
  version: '1.2.3',
  sha256: 'ab12',
  license: 'MIT',
};

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'release-'));
  for (const file of ['release.ts', 'release-texts.ts', 'sbom.ts'])
    cpSync(join(ROOT, '.ci', file), join(folder, '.ci', file));
  put('CHANGELOG.md', CHANGELOG);
  put('src/docs/upgrades.md', '| 0.3.0 | no | yes |\n');
  put('package.json', JSON.stringify({ ...PACKAGE, type: 'module' }, null, 2));
  put('package-lock.json', JSON.stringify(LOCK, null, 2));
  put('schema/ops/kubernetes/api.yml', 'image: shipping-integrations-api:0.2.0\n');
  put('src/docs/install.md', 'docker build --build-arg VERSION=0.2.0\n{"version":"0.2.0","msg":"ready"}\n');
  put('src/http/docs/assets/scalar.json', JSON.stringify(SCALAR));
  put('schema/schema.graphql', 'type Query { now: Int }\n');
  put('schema/released.graphql', 'type Query { before: Int }\n');
  put('.gitignore', '.release/\n');
  put('.ci/run', '#!/bin/sh\necho checked\n');
  chmodSync(join(folder, '.ci/run'), 0o755);
  git('init', '--quiet');
  commit();
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}
const text = (file: string) => readFileSync(join(folder, file), 'utf8');

function git(...args: string[]): string {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, encoding: 'utf8' });
  expect([args, status, stderr]).toEqual([args, 0, '']);
  return stdout;
}
function commit(): void {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
}

function release(version: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/release.ts', version], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}

test('A release has its version, a dated section of the changelog, notes, the text of a tag and an SBOM', () => {
  const { code, stdout, stderr } = release('0.3.0');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^checked\n/);
  const day = new Date().toISOString().slice(0, 10);
  expect(text('CHANGELOG.md')).toContain(`## Unreleased\n\n## 0.3.0 - ${day}\n\n### What you have to do\n`);
  expect(JSON.parse(text('package.json'))).toMatchObject({ ...PACKAGE, version: '0.3.0' });
  const locked = { ...LOCK, version: '0.3.0', packages: { ...LOCK.packages, '': { ...PACKAGE, version: '0.3.0' } } };
  expect(JSON.parse(text('package-lock.json'))).toEqual(locked);
  expect(text('schema/ops/kubernetes/api.yml')).toBe('image: shipping-integrations-api:0.3.0\n');
  expect(text('src/docs/install.md')).toBe(
    'docker build --build-arg VERSION=0.3.0\n{"version":"0.3.0","msg":"ready"}\n',
  );
  expect(text('schema/released.graphql')).toBe(text('schema/schema.graphql'));
  expect(text('.release/0.3.0/notes.md')).toMatch(/^# Shipping Integrations API 0\.3\.0\n[\s\S]*- A thing\.\n$/);
  expect(text('.release/0.3.0/notes.md')).not.toContain('Another thing');
  const tag = text('.release/0.3.0/tag.txt');
  const points = '**Whoever runs it:**\n\n- Run `migrate` first.\n\n**Users of REST:**\n\n- Set `PUBLIC_URL`.\n';
  expect(tag).toBe(
    `Shipping Integrations API 0.3.0\n\nWhat you have to do:\n\n${points}\nCHANGELOG.md has the tables of names and the other changes.\n`,
  );
  expect(JSON.parse(text('.release/0.3.0/sbom.cdx.json'))).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'shipping', version: '0.3.0', type: 'application' } },
    components: [
      { name: 'fastify', version: '0.3.0-dev' },
      { name: '@scalar/api-reference', version: '1.2.3', licenses: [{ license: { id: 'MIT' } }] },
    ],
  });

  // The printed commands commit the changes, and tag them.
  expect(stdout).toContain('git tag --annotate --cleanup=verbatim --file .release/0.3.0/tag.txt v0.3.0');
  git('commit', '--quiet', '--all', '--message', 'Release 0.3.0');
  git('tag', '--annotate', '--cleanup=verbatim', '--file', '.release/0.3.0/tag.txt', 'v0.3.0');
  expect(git('tag', '--list', '--format=%(contents)', 'v0.3.0').trim()).toBe(tag.trim());
  expect(git('status', '--porcelain')).toBe('');
});

describe('A release is rejected, and changes nothing,', () => {
  const cases: { name: string; version?: string; first?: () => void; says: RegExp }[] = [
    { name: 'for what is no version', version: '0.3', says: /"0\.3" is no version/ },
    { name: 'for a version that is not newer', version: '0.2.0', says: /0\.2\.0 is not newer than 0\.2\.0/ },
    {
      name: 'without anything unreleased',
      first: () => put('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 0.2.0\n'),
      says: /nothing under Unreleased/,
    },
    {
      name: 'for a version that the guide about upgrades does not have',
      version: '0.4.0',
      says: /upgrades\.md does not say which versions run beside 0\.4\.0/,
    },
    { name: 'while a check fails', first: () => put('.ci/run', '#!/bin/sh\nexit 1\n'), says: /\.ci\/run failed/ },
    {
      name: 'if a check changes files',
      first: () => put('.ci/run', '#!/bin/sh\necho x > left-over\n'),
      says: /not clean after the checks[\s\S]*left-over/,
    },
  ];
  test.each(cases)('$name', ({ version = '0.3.0', first, says }) => {
    first?.();
    commitIfChanged();
    const { code, stderr } = release(version);
    expect([code, stderr]).toEqual([1, expect.stringMatching(says)]);
    expect(git('status', '--porcelain').replace('?? left-over\n', '')).toBe('');
  });

  test('while the tree has changes that are not committed', () => {
    put('src/new.ts', '');
    const { code, stdout, stderr } = release('0.3.0');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/not clean before the checks[\s\S]*src\/new\.ts/);
    expect(text('package.json')).toContain('0.3.0-dev');
  });

  function commitIfChanged(): void {
    if (git('status', '--porcelain') !== '') commit();
  }
});

test('The SBOM has every package of a production installation in its exact version, except unwanted peers, and the bundle that is kept with the code', () => {
  const bill: { components: { name: string; group?: string; version: string }[] } = JSON.parse(softwareBill(ROOT));
  const billed = new Set(
    bill.components.map(({ group, name, version }) => `${group ? `${group}/` : ''}${name}@${version}`),
  );
  interface Locked {
    version: string;
    dev?: boolean;
    link?: boolean;
    peer?: boolean;
    optional?: boolean;
    devOptional?: boolean;
  }
  const lock: { packages: Record<string, Locked> } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(lock.packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  );
  const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');
  const missing = installed.filter(([path, { version }]) => !billed.has(`${nameOf(path)}@${version}`));
  expect(missing.filter(([, { peer, optional, devOptional }]) => !peer && !optional && !devOptional)).toEqual([]);
  const known = new Set(installed.map(([path, { version }]) => `${nameOf(path)}@${version}`));
  const { package: vendored, version } = JSON.parse(
    readFileSync(join(ROOT, 'src/http/docs/assets/scalar.json'), 'utf8'),
  );
  expect([...billed].filter(one => !known.has(one))).toEqual([`${vendored}@${version}`]);
});
