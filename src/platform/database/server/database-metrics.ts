import { statfs } from 'node:fs/promises';
import { sampled } from '../../caches/sampled.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Database } from '../database.ts';
import { replicaLagSeconds } from './replica-state.ts';
import { serverClockMs, serverHealth } from './server-state.ts';
import { standbysOf } from './standbys.ts';

const EVERY_MS = 15_000;

/** Early signs of trouble on a database server. They span all processes, so any of them may report them. */
export function measureDatabase(database: Database, metrics: Metrics): void {
  const gauge = (name: string, help: string, read: () => Promise<number | null | undefined>) =>
    metrics.gauges(name, help, [], async () => {
      const value = await read();
      return value == null ? [] : [{ labels: {}, value }];
    });
  const standbys = sampled(() => standbysOf(database), EVERY_MS);
  gauge('shipping_database_standbys', 'Standbys that follow the primary', async () => {
    const seen = await standbys();
    return seen?.isVisible ? seen.following.length : undefined;
  });
  gauge(
    'shipping_database_standby_behind_bytes',
    'How much of the log the farthest standby has not applied',
    async () => {
      const behind = (await standbys())?.following.map(({ bytesBehind }) => bytesBehind) ?? [];
      return behind.length === 0 ? undefined : Math.max(...behind);
    },
  );
  const health = sampled(() => serverHealth(database), EVERY_MS);
  gauge(
    'shipping_database_oldest_transaction_seconds',
    'Age of the oldest transaction on the database',
    async () => (await health())?.oldestTransactionSeconds,
  );
  gauge('shipping_database_size_bytes', 'Size of the database on disk', async () => (await health())?.bytes);
  gauge(
    'shipping_database_clock_skew_seconds',
    'How far the clock of the database is ahead of the clock of the process',
    sampled(() => clockSkewSeconds(database), EVERY_MS),
  );
  metrics.gauges(
    'shipping_database_dead_rows_ratio',
    'Share of dead rows in tables with more than 10,000 rows',
    ['table'],
    async () => ((await health())?.deadRows ?? []).map(({ table, ratio }) => ({ labels: { table }, value: ratio })),
  );
}

/** The age of data from the replica, for a process that reads from it. */
export function measureReplica(database: Database, metrics: Metrics): void {
  const lag = sampled(() => replicaLagSeconds(database), EVERY_MS);
  const gauge = (name: string, help: string, shown: (seconds: number | null) => number | null) =>
    metrics.gauges(name, help, [], async () => {
      const seconds = await lag();
      const value = seconds === undefined ? null : shown(seconds);
      return value === null ? [] : [{ labels: {}, value }];
    });
  gauge('shipping_database_replica_lag_seconds', 'How old what is read from the replica is', seconds => seconds);
  gauge(
    'shipping_database_replica_follows',
    'Whether the replica responds and follows the primary (1), or not (0)',
    seconds => (seconds === null ? 0 : 1),
  );
}

/** The server reads its clock between the request and the response. */
export async function clockSkewSeconds(database: Database): Promise<number> {
  const before = Date.now();
  const atServer = await serverClockMs(database);
  return (atServer - (before + Date.now()) / 2) / 1_000;
}

/** Measures the free space at the embedded database. There is no value without its folder, as with another server. */
export function measureDisk(folder: string, metrics: Metrics): void {
  const room = sampled(() => statfs(folder), EVERY_MS);
  metrics.gauges('shipping_data_folder_free_bytes', 'Room on the disk of the embedded database', [], async () => {
    const found = await room();
    return found ? [{ labels: {}, value: found.bavail * found.bsize }] : [];
  });
}
