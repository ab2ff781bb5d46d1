import type { Config } from '../config.ts';
import { type EmbeddedPostgresOptions, openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';

interface OpenDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the database of the settings: the server at `DATABASE_URL`, or the embedded one in `DATA_DIR`. A signal ends the opening. */
export async function openDatabase(
  config: Config,
  as: 'service' | 'tool',
  { log, signal }: Pick<EmbeddedPostgresOptions, 'log' | 'signal'> = {},
): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  return openEmbeddedPostgres({ dataDir, as, connections: connectionsOf(config), log, signal });
}

/** The connections that one start of the service may open: the pool of each process, and one that listens. */
export function connectionsOf({ processes, databasePoolSize }: Config): number {
  return processes * (databasePoolSize + 1);
}
