import { copyFileSync, readFileSync } from 'node:fs';
import { buildSchema, DangerousChangeType, findBreakingChanges, findDangerousChanges } from 'graphql';

// Guards GraphQL: a change that breaks documents of the last release must be named in the changelog.
// `node src/contracts/breaking-changes.ts check` lists the others, and `write` takes the schema as released.

const root = new URL('../../', import.meta.url);
const CURRENT = new URL('schema/schema.graphql', root);
const RELEASED = new URL('schema/released.graphql', root);

/** The breaking changes between two schemas that a changelog does not name under Unreleased. */
export function unnamedChanges(released: string, current: string, changelog: string): string[] {
  const [before, after] = [buildSchema(released), buildSchema(current)];
  // Values of enums and optional arguments may be added at any time, as the guide says.
  const dangerous = findDangerousChanges(before, after).filter(
    ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  );
  const [, section = ''] = changelog.split(/^## /m).map(text => text.replaceAll('`', ''));
  const named = section.startsWith('Unreleased') ? section : '';
  return [...findBreakingChanges(before, after), ...dangerous]
    .map(({ description }) => description.replace(/\.$/, ''))
    .filter(change => !named.includes(change));
}

if (import.meta.main) {
  if (process.argv[2] === 'write') copyFileSync(CURRENT, RELEASED);
  else {
    const [released = '', current = '', changelog = ''] = [RELEASED, CURRENT, new URL('CHANGELOG.md', root)].map(file =>
      readFileSync(file, 'utf8'),
    );
    const changes = unnamedChanges(released, current, changelog);
    if (changes.length > 0) {
      const how = 'Name each under Unreleased in CHANGELOG.md, in these words; names may have backticks';
      process.stderr.write(
        `Changes that break GraphQL documents of the last release. ${how}:\n- ${changes.join('\n- ')}\n`,
      );
      process.exitCode = 1;
    }
  }
}
