import { BASELINE_VERSION, compareVersions, OLDEST_BESIDE, SERVICE_VERSION } from '../../service-version.ts';
import { StartupError } from '../../startup-error.ts';
import type { Database } from '../database.ts';
import { serviceStatement } from '../statements/statements.ts';

// The database keeps which versions of the service migrated it, each with the oldest version that still runs on it. An
// older process stops when it starts, before it uses tables that have changed.

const TABLE = serviceStatement('migrated-versions-table', `select to_regclass('migrated_version')::text as name`);
const VERSIONS = serviceStatement(
  'migrated-versions',
  'select version, oldest_beside as "oldestBeside" from migrated_version',
);
const RECORD = serviceStatement(
  'record-migrated-version',
  `insert into migrated_version (version, oldest_beside) values ($1, $2)
    on conflict (version) do update set oldest_beside = excluded.oldest_beside`,
);

interface MigratedVersion {
  readonly version: string;
  readonly oldestBeside: string;
}

/** The newest version that migrated the database; undefined if none is recorded. */
export async function newestMigratedVersion(database: Database): Promise<MigratedVersion | undefined> {
  const [table] = await database.rows<{ name: string | null }>(TABLE, []);
  const rows = table?.name ? await database.rows<MigratedVersion>(VERSIONS, []) : [];
  return rows.toSorted((one, other) => compareVersions(one.version, other.version)).at(-1);
}

/** Records that this version has migrated the database. */
export async function recordMigratedVersion(database: Database): Promise<void> {
  await database.rows(RECORD, [SERVICE_VERSION, OLDEST_BESIDE]);
}

interface Unusable {
  readonly isOlder: boolean;
  readonly found: string;
  readonly advice: string;
}

/** Why this version must not use or migrate the database, and what to do; undefined if it can. */
export async function unusable(database: Database): Promise<Unusable | undefined> {
  if (await database.precedesBaseline()) {
    return {
      isOlder: true,
      found: `a version before ${BASELINE_VERSION} has migrated the database, and ${SERVICE_VERSION} can upgrade it from ${BASELINE_VERSION} only`,
      advice: `install ${BASELINE_VERSION} and run its \`migrate\` first`,
    };
  }
  const newest = await newestMigratedVersion(database);
  if (newest === undefined || compareVersions(SERVICE_VERSION, newest.oldestBeside) >= 0) return undefined;
  const { version, oldestBeside } = newest;
  return {
    isOlder: false,
    found: `this is version ${SERVICE_VERSION}, and ${version} has migrated the database, on which no version before ${oldestBeside} runs`,
    advice: `install ${version}, or restore the backup that was made before the upgrade`,
  };
}

/** @throws StartupError if this version is too old or too new for the database */
export async function requireUsable(database: Database): Promise<void> {
  const reason = await unusable(database);
  if (reason === undefined) return;
  const { isOlder, found, advice } = reason;
  throw new StartupError(`The database is too ${isOlder ? 'old' : 'new'} for this service: ${found}; ${advice}.`);
}
