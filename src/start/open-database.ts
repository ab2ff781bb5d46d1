import type { Config } from '../config.ts';
import { openEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts';
import type { Log } from '../platform/telemetry/log.ts';

export interface OpenDatabase {
  readonly url: string;
  close(): Promise<void>;
}

/** Opens the database of the settings: the server at `DATABASE_URL`, or the embedded one in `DATA_DIR`. */
export async function openDatabase(config: Config, as: 'service' | 'tool', log?: Log): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => undefined };
  return openEmbeddedPostgres({ dataDir, as, connections: connectionsOf(config), ...(log && { log }) });
}

/** The connections that one start of the service may open: the pool of each process, and one that listens. */
export function connectionsOf({ processes, databasePoolSize }: Config): number {
  return processes * (databasePoolSize + 1);
}
