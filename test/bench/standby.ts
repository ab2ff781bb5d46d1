import { cp, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { PostgresCluster } from '../../src/embedded-postgres/postgres-cluster.ts';
import { until } from './until.ts';

/** A read replica of the embedded server. */
export interface Standby {
  readonly url: string;
  readonly cluster: PostgresCluster;
  stop(): Promise<void>;
}

/** Copies the running server's folder, as `pg_basebackup` does, and has the copy follow it. */
export async function startStandby(
  primary: { url: string; folder: string },
  folder: string,
  { throwaway, port }: { throwaway: boolean; port?: number } = { throwaway: true },
): Promise<Standby> {
  const client = new pg.Client(primary.url);
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    await cp(primary.folder, folder, {
      recursive: true,
      filter: path => !['postmaster.pid', 'postmaster.opts'].includes(basename(path)),
    });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
    const cluster = join(folder, 'postgres');
    await writeFile(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    await writeFile(join(cluster, 'standby.signal'), '');
    await writeFile(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${primary.url}'\n`);
    const standby = new PostgresCluster(folder, { throwaway });
    await standby.prepare();
    await standby.start(port);
    const url = new URL(primary.url);
    url.port = String((await standby.postmaster())?.port);
    await caughtUp(client, url.href);
    return { url: url.href, cluster: standby, stop: () => standby.stop() };
  } finally {
    await client.end();
  }
}

async function caughtUp(primary: pg.Client, url: string): Promise<void> {
  const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
  const standby = new pg.Client(url);
  await standby.connect();
  const isThere = async () =>
    (await standby.query('select pg_last_wal_replay_lsn() >= $1::pg_lsn as ok', [rows[0]?.lsn])).rows[0].ok as boolean;
  try {
    await until(isThere, ok => ok);
  } finally {
    await standby.end();
  }
}
