/** The texts of a release: its number in the package files, its section of the changelog, its notes and its tag. */

const SECTION = /^## /m;
const VERSION = /^\d+\.\d+\.\d+$/;

/** The problems of a release of this version, one sentence for each. */
export function problemsOf(version: string, changelog: string, upgrades: string): string[] {
  if (!VERSION.test(version)) return [`"${version}" is no version: give three numbers, such as 1.0.0.`];
  const [latest] = releasedVersions(changelog);
  return [
    latest !== undefined && !isNewer(version, latest) && `${version} is not newer than ${latest}, the latest release.`,
    unreleased(changelog) === '' && 'CHANGELOG.md has nothing under Unreleased.',
    !upgrades.includes(`| ${version} |`) && `src/docs/upgrades.md does not say which versions run beside ${version}.`,
  ].filter(problem => problem !== false);
}

/** The text under Unreleased. */
export function unreleased(changelog: string): string {
  const [, ...sections] = changelog.split(SECTION);
  const section = sections.find(text => text.startsWith('Unreleased\n')) ?? '';
  return section.replace('Unreleased\n', '').trim();
}

/** The changelog with what is unreleased as the section of the version, below an empty Unreleased. */
export function datedChangelog(changelog: string, version: string, day: string): string {
  return changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${day}\n`);
}

/** A package file with another version of the package itself, which its first lines have; others stay as they are. */
export function withVersion(file: string, from: string, to: string): string {
  const head = file.slice(0, file.indexOf('"dependencies"'));
  return head.replaceAll(`"version": "${from}"`, `"version": "${to}"`) + file.slice(head.length);
}

const SHOWN = /(shipping-integrations-api:|VERSION=|"version":"|Shipping-Integrations-API\/)\d+\.\d+\.\d+/g;

/** A manifest or a guide that shows the version: as tag of the image, in JSON, or in the `User-Agent` of webhooks. */
export function withShownVersion(file: string, version: string): string {
  return file.replaceAll(SHOWN, (_, before: string) => `${before}${version}`);
}

/** The message of the tag: the points of the notes that somebody must act on, by who that is, without tables. */
export function tagText(version: string, notes: string): string {
  const [, todo = ''] = /^### What you have to do\n+([\s\S]*?)(?=^### |(?![\s\S]))/m.exec(notes) ?? [];
  const lines = todo.split('\n').filter(line => !line.startsWith(' '));
  const points =
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim() || '- Nothing but the steps of src/docs/upgrades.md.';
  const more = 'CHANGELOG.md has the tables of names and the other changes.';
  return `Shipping Integrations API ${version}\n\nWhat you have to do:\n\n${points}\n\n${more}\n`;
}

function releasedVersions(changelog: string): string[] {
  return Array.from(changelog.matchAll(/^## (\d+\.\d+\.\d+)/gm), ([, version = '']) => version);
}

function isNewer(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) > 0;
}
