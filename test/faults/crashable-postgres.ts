import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';

/** A PostgreSQL of our own that can be stopped as a loss of power would. */
export interface CrashablePostgres {
  readonly url: string;
  /** Kills the server with `kill -9`, and returns once it has been started again, which recovers from its log. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 50;

export async function startCrashablePostgres(): Promise<CrashablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-faults-'));
  // As the service has it: it starts the server again when that has ended.
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service' });
  return {
    url: server.url,
    crash: async () => {
      const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGKILL');
      while (!(await answers(server.url))) await setTimeout(LOOK_EVERY_MS);
    },
    close: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
