import { databaseOptions } from '../../mikro-orm.config.ts';
import { type Config, readConfig } from '../config.ts';
import { connectDomains } from '../connect-domains.ts';
import type { Announcer } from '../domain/tracking/tracking.announcements.ts';
import { migrate } from '../migrate.ts';
import { openDatabase } from '../open-database.ts';
import { Database } from '../platform/database/database.ts';
import { Jobs } from '../platform/jobs/jobs.ts';
import { createLog } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';

const POOL_SIZE = 3;

export interface Session {
  readonly config: Config;
  /** Of the same database, past a pooler if there is one. */
  readonly databaseUrl: string;
  readonly database: Database;
  /** Migrations that were run to open it. */
  readonly migrations: readonly string[];
}

/**
 * Opens the database of the settings for one command, brings it up to date, and closes it again: the server that the
 * service runs, if it runs, or else one started for the command.
 */
export function withDatabase<Result>(work: (session: Session) => Promise<Result>): Promise<Result> {
  return withDatabaseAsItIs(readConfig(), async session =>
    work({ ...session, migrations: await migrate(session.database) }),
  );
}

/** The same for a command that changes nothing. */
export async function withDatabaseAsItIs<Result>(
  config: Config,
  work: (session: Omit<Session, 'migrations'>) => Promise<Result>,
): Promise<Result> {
  connectDomains();
  const opened = await openDatabase(config, 'tool');
  try {
    const database = await Database.connect(
      databaseOptions(opened.url, POOL_SIZE),
      createMetrics(),
      createLog('silent'),
      { direct: config.databaseDirectUrl },
    );
    try {
      return await work({ config, databaseUrl: config.databaseDirectUrl ?? opened.url, database });
    } finally {
      await database.close();
    }
  } finally {
    await opened.close();
  }
}

/** The same for a command that may tell subscribers of what it does; workers carry it out. */
export function withJobs<Result>(
  work: (session: Session & { readonly announcer: Announcer }) => Promise<Result>,
): Promise<Result> {
  return withDatabase(async session => {
    const jobs = await Jobs.start(session.database.pool, createLog('silent'), { worker: false });
    const publicUrl = session.config.publicUrl ?? `http://localhost:${session.config.port}`;
    try {
      return await work({ ...session, announcer: { jobs, publicUrl } });
    } finally {
      await jobs.stop(0);
    }
  });
}
