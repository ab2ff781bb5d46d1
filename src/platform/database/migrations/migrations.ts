import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Migration } from '@mikro-orm/migrations';
import { type Constructor, MikroORM, type Options } from '@mikro-orm/postgresql';
import { commandName } from '../../command-name.ts';
import { StartupError } from '../../startup-error.ts';
import { createLog } from '../../telemetry/log.ts';
import { connectionReason, isAway, isLockFailure } from '../connections/database-errors.ts';
import { closeLostConnections } from '../connections/lost-connections.ts';

/** Called before each migration. @param done how many have run before it */
export type OnMigration = (done: number, name: string) => void;

/** The longest wait of a migration for a lock, which blocks others; then they have as long a time for themselves. */
const LOCK_WAIT_MS = 1_000;
const MIGRATION_TRIES = 15;
/** The time limit of a statement of a migration: the limit of timers. */
const LONGEST_MS = 2 ** 31 - 1;
/** The name of the work between two migrations. */
const NONE = 'The list of migrations';
/**
 * Settings for the session of a migration. A migration outside of a transaction has no time limit, because nobody waits
 * for it, which test/contract/migrations.slow.test.ts checks. The session of a killed process ends, so that it does not
 * continue an index while the next one builds it; no server on Windows can detect that.
 */
const SETTINGS = `select set_config('statement_timeout', '0', false), set_config('lock_timeout',
    case when not ? then '0' when reset_val = '0' then ? else reset_val end, false),
    set_config('client_connection_check_interval', case when version() ~* 'windows|mingw|visual c' then '0' else '500' end, false)
  from pg_settings where name = 'lock_timeout'`;

/**
 * Runs the pending migrations, each in its own transaction, so that none keeps the locks of another; returns their
 * names. A wait for a lock blocks later transactions: it is given up after `LOCK_WAIT_MS`, or the `lock_timeout` of the
 * role or the database, and repeated.
 *
 * @throws StartupError if the lock is never free
 */
export async function runMigrations(options: Options, onMigration?: OnMigration): Promise<string[]> {
  // One connection, with the settings of the current migration. Building an index has no time limit.
  const orm = new MikroORM({ ...options, pool: { min: 0, max: 1 } });
  const pool = await orm.em.getConnection().getNativeClient();
  // A migration would wait indefinitely for a connection that ended; its loss is in the error of `up`.
  closeLostConnections(pool, LONGEST_MS, createLog('silent'), 'connection of a migration lost');
  const done: string[] = [];
  let underWay = { name: NONE, startedAtMs: performance.now() };
  let tries = 0;
  orm.migrator.on('migrating', async ({ name, path }) => {
    const { prototype } = await migrationClass(String(path));
    await orm.em.getConnection().execute(SETTINGS, [prototype.isTransactional(), String(LOCK_WAIT_MS)]);
    underWay = { name, startedAtMs: performance.now() };
    onMigration?.(done.length, name);
  });
  orm.migrator.on('migrated', ({ name }) => {
    done.push(name);
    tries = 0;
    underWay = { name: NONE, startedAtMs: performance.now() };
  });
  try {
    for (;;) {
      try {
        await orm.migrator.up();
        return done;
      } catch (error) {
        if (!isLockFailure(error)) throw isAway(error) ? cutOff(underWay.name, error) : error;
        if (++tries === MIGRATION_TRIES) throw lockedOut(underWay.name, error);
        await setTimeout(performance.now() - underWay.startedAtMs);
      }
    }
  } finally {
    await orm.close(true);
  }
}

/** The migrations in a folder, in their order. */
export async function migrationNames(folder: string): Promise<string[]> {
  const files = await readdir(folder);
  return files
    .filter(file => file.endsWith('.ts'))
    .map(file => basename(file, '.ts'))
    .sort();
}

/** The class in a migration's file, exported under any name, as MikroORM finds it. */
export async function migrationClass(path: string): Promise<Constructor<Migration>> {
  const exported: Record<string, unknown> = await import(pathToFileURL(path).href);
  const found = Object.values(exported).find(value => typeof value === 'function');
  if (found === undefined) throw new StartupError(`${path} has no migration in it.`);
  return found as Constructor<Migration>;
}

function cutOff(migration: string, cause: unknown): StartupError {
  return new StartupError(
    `${migration} was cut off: ${connectionReason(cause)}. Run \`${commandName()} migrate\` again: it continues where it stopped.`,
    { cause },
  );
}

function lockedOut(migration: string, cause: unknown): StartupError {
  return new StartupError(
    `${migration} could not lock its tables in ${MIGRATION_TRIES} tries, and changed nothing: see what runs long ` +
      '(select pid, xact_start, state, query from pg_stat_activity order by xact_start), wait for its end or end it ' +
      `(select pg_terminate_backend(pid)), and run \`${commandName()} migrate\` again.`,
    { cause },
  );
}
