import { databaseOptions } from '../../mikro-orm.config.ts';
import { type Config, readConfig } from '../config.ts';
import { uncachedPromises } from '../domain/shipping/promise/promise-book.service.ts';
import type { Announcer } from '../domain/shipping/tracking/tracking.announcements.ts';
import { requireMigrated, setUpIfEmpty } from '../migrate.ts';
import { Database } from '../platform/database/database.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createLog, type Log } from '../platform/telemetry/log.ts';
import { createMetrics, type Metrics } from '../platform/telemetry/metrics.ts';
import { openDatabase } from '../start/open-database.ts';
import { connectFeatures } from '../wiring/connect-features.ts';
import { unlessInterrupted, untilInterrupted } from './interruption.ts';

const POOL_SIZE = 3;

export interface Session {
  readonly config: Config;
  /** The URL of the database, past a pooler if there is one. */
  readonly databaseUrl: string;
  readonly database: Database;
  /** A command prints its own messages, and nobody reads its metrics. */
  readonly log: Log;
  readonly metrics: Metrics;
}

interface Opening {
  /**
   * Whether an empty embedded database is set up, for commands that make the first thing in it. No other command
   * changes the schema, and none does on an operator's server.
   */
  readonly setsUpEmpty?: boolean;
  /** Whether the command ends itself after a signal, at a point where it can be continued. */
  readonly endsItself?: boolean;
}

/**
 * Opens the database of the settings for one command, and closes it afterwards: the server of a running service, or one
 * started for the command.
 *
 * @throws StartupError if the database is not migrated to this version
 */
export function withDatabase<Result>(
  work: (session: Session) => Promise<Result>,
  { setsUpEmpty = false, endsItself = false }: Opening = {},
): Promise<Result> {
  const config = readConfig();
  const prepared = async (session: Session) => {
    if (setsUpEmpty && config.databaseUrl === undefined) await setUpIfEmpty(session.database);
    await requireMigrated(session.database);
    return work(session);
  };
  return withDatabaseAsItIs(config, prepared, { endsItself });
}

/** Like `withDatabase`, for commands that accept a schema of any version. */
export async function withDatabaseAsItIs<Result>(
  config: Config,
  work: (session: Session) => Promise<Result>,
  { endsItself = false }: Pick<Opening, 'endsItself'> = {},
): Promise<Result> {
  connectFeatures();
  const opened = await untilInterrupted(signal => openDatabase(config, 'tool', { signal }));
  try {
    const [metrics, log] = [createMetrics(), createLog('silent')];
    const database = await Database.connect(databaseOptions(opened.url, POOL_SIZE), metrics, log, {
      direct: config.databaseDirectUrl,
    });
    try {
      const session = { config, databaseUrl: config.databaseDirectUrl ?? opened.url, database, log, metrics };
      return await (endsItself ? work(session) : unlessInterrupted(() => work(session)));
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}

/** Like `withDatabase`, with jobs: for commands whose changes subscribers may receive, which workers send. */
export function withJobs<Result>(
  work: (session: Session & { readonly announcer: Announcer }) => Promise<Result>,
  opening?: Opening,
): Promise<Result> {
  return withDatabase(async session => {
    const { database, log, metrics } = session;
    const jobs = await Jobs.start(database, log, { worker: false });
    const publicUrl = session.config.publicUrl ?? `http://localhost:${session.config.port}`;
    try {
      const announcer = { jobs, publicUrl, promises: uncachedPromises, metrics };
      return await work({ ...session, announcer });
    } finally {
      await jobs.stop(0);
    }
  }, opening);
}
