import packageJson from '../../package.json' with { type: 'json' };

/** The version of the service, as `package.json` has it. */
export const SERVICE_VERSION: string = packageJson.version;

/**
 * The oldest version that runs on a database that this version has migrated. Raise it with each migration that changes
 * or drops what an older version uses, and bring the table in src/docs/upgrades.md up to date.
 */
export const OLDEST_BESIDE = '1.0.0';

/** The version whose shape the first migration makes. An older database is upgraded to this version first. */
export const BASELINE_VERSION = '1.0.0';

/**
 * Compares two versions by their three numbers: negative if the first is older. A suffix does not
 * count, because 1.0.0-dev has the migrations of 1.0.0.
 */
export function compareVersions(one: string, other: string): number {
  const [first, second] = [numbersOf(one), numbersOf(other)];
  const index = first.findIndex((number, i) => number !== second[i]);
  return index === -1 ? 0 : (first[index] ?? 0) - (second[index] ?? 0);
}

function numbersOf(version: string): number[] {
  return version
    .replace(/[-+].*/, '')
    .split('.')
    .map(Number);
}
