import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { datedChangelog, problemsOf, tagText, unreleased, withShownVersion, withVersion } from './release-texts.ts';
import { softwareBill } from './sbom.ts';

/**
 * `npm run release -- 1.0.0`: makes the tree a release, if it is clean and `.ci/run` passes. It changes the version and
 * the changelog, writes notes, tag and SBOM into `.release/`, and prints the commands that commit and tag. It commits,
 * tags and publishes nothing itself.
 */

const ROOT = join(import.meta.dirname, '..');
const PACKAGE_FILES = ['package.json', 'package-lock.json'];

/** Files that can show the version. */
const SHOWING_FILES = ['schema/ops/kubernetes/*.yml', 'src/docs/*.md'];

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const write = (file: string, text: string) => writeFileSync(join(ROOT, file), text);

function changedFiles(): string {
  return execFileSync('git', ['status', '--porcelain'], { cwd: ROOT, encoding: 'utf8' }).trimEnd();
}

function stop(problems: readonly string[]): never {
  process.stderr.write(`${problems.join('\n')}\n`);
  process.exit(1);
}

function requireCleanTree(when: string): void {
  const changed = changedFiles();
  if (changed !== '') stop([`The tree is not clean ${when}; commit or remove:`, changed]);
}

function requireGreen(): void {
  try {
    execFileSync(join(ROOT, '.ci/run'), { cwd: ROOT, stdio: 'inherit' });
  } catch {
    stop(['.ci/run failed, so nothing was changed.']);
  }
}

const [version = ''] = process.argv.slice(2);
const problems = problemsOf(version, read('CHANGELOG.md'), read('src/docs/upgrades.md'));
if (problems.length > 0) stop(problems);
requireCleanTree('before the checks');
requireGreen();
requireCleanTree('after the checks, which must not change it');

const notes = `# Shipping Integrations API ${version}\n\n${unreleased(read('CHANGELOG.md'))}\n`;
const { version: former } = JSON.parse(read('package.json')) as { version: string };
for (const file of PACKAGE_FILES) write(file, withVersion(read(file), former, version));
for (const file of globSync(SHOWING_FILES, { cwd: ROOT })) write(file, withShownVersion(read(file), version));
// The next changes of GraphQL are compared with this release.
write('schema/released.graphql', read('schema/schema.graphql'));
write('CHANGELOG.md', datedChangelog(read('CHANGELOG.md'), version, new Date().toISOString().slice(0, 10)));

const folder = `.release/${version}`;
mkdirSync(join(ROOT, folder), { recursive: true });
write(`${folder}/notes.md`, notes);
write(`${folder}/tag.txt`, tagText(version, notes));
write(`${folder}/sbom.cdx.json`, softwareBill(ROOT));

const [major = 0, minor = 0] = version.split('.').map(Number);
process.stdout.write(`${folder} has the notes, the text of the tag and the SBOM. Read the changes, then:

  git commit --all --message 'Release ${version}'
  git tag --annotate --cleanup=verbatim --file ${folder}/tag.txt v${version}
  docker build --build-arg VERSION=${version} --build-arg REVISION=$(git rev-parse HEAD) --tag shipping-integrations-api:${version} .
  npm version ${major}.${minor + 1}.0-dev --no-git-tag-version
  git commit --all --message 'Begin ${major}.${minor + 1}.0'
`);
