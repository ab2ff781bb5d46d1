import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { unprivilegedAccount } from '../../src/embedded-postgres/unprivileged.ts';
import { freePort } from '../support/ports.ts';
import { until } from './until.ts';

/** PgBouncer in transaction mode before a server. */
export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** Where this machine has none, there is none. */
export async function startPooler(databaseUrl: string): Promise<Pooler | undefined> {
  if (spawnSync('pgbouncer', ['-V']).error) return undefined;
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const database = pathname.slice(1);
  const url = new URL(databaseUrl);
  url.port = String(await freePort());
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `${database} = host=${hostname} port=${port} dbname=${database} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${url.port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 32',
    'max_client_conn = 500',
    'ignore_startup_parameters = statement_timeout, idle_in_transaction_session_timeout',
  ];
  await writeFile(file, `${settings.join('\n')}\n`);
  // It refuses to run as root.
  const account = process.geteuid?.() === 0 ? await unprivilegedAccount() : undefined;
  if (account) for (const path of [folder, file]) await chown(path, account.uid, account.gid);
  const child = spawn('pgbouncer', ['-q', file], { ...account, stdio: 'ignore' });
  await until(
    () => reaches(url.href),
    ok => ok,
  );
  return {
    url: url.href,
    stop: async () => {
      child.kill('SIGINT');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await rm(folder, { recursive: true });
    },
  };
}

async function reaches(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}
