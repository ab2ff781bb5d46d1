import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench-options.ts';
import { medianCpu, type RoundFigures, withCpu } from './contest.ts';
import { measure, median } from './load.ts';
import { postgresCpuMs, type Running, running, startArguments, startProcess } from './processes.ts';
import { pseudoRandom } from './pseudo-random.ts';
import type { RowId } from './rows.ts';
import type { TrackedCompany } from './seed.ts';
import { seedSize } from './sizes-seed.ts';
import { restRequest, sample } from './tracking-load.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const SMALLEST = 10_000;
const SIZES: readonly { readonly shipments: number; readonly row?: RowId }[] = [
  { shipments: SMALLEST },
  { shipments: 1_000_000, row: 'size-1m' },
  { shipments: 10_000_000, row: 'size-10m' },
];

/** As measured, with indexes and what a rebuild of them needs on the way. */
const BYTES_OF_SHIPMENT = 3_000;

/**
 * The memory that holds the smallest size, and a hundredth of the largest. The machine's own cache holds more, so the
 * bench measures PostgreSQL's way through deeper indexes and uncached pages, and not a disk.
 */
const SHARED_BUFFERS = '64MB';
const SETTINGS = { shared_buffers: SHARED_BUFFERS, max_wal_size: '4GB', autovacuum: 'off' };

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;
/** Enough to read the pages of a million shipments from the disk: the files were written long before they are read. */
const WARM_UP_CALLS = 150_000;

interface Sized {
  readonly shipments: number;
  readonly row?: RowId;
  readonly companies: readonly TrackedCompany[];
  readonly server: Running;
  readonly figures: RoundFigures[];
}

/** Tracking by random numbers among more and more shipments, each size in a database of its own, by turns. */
export async function run({ seconds, rounds, quick, results }: BenchOptions): Promise<void> {
  const sizes = SIZES.filter(({ shipments }) => !quick || shipments <= 1_000_000);
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  await requireRoom(folder, sizes.reduce((sum, { shipments }) => sum + shipments, 0) * BYTES_OF_SHIPMENT);
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true, settings: SETTINGS });
  try {
    await running(async keep => {
      const measured: Sized[] = [];
      for (const size of sizes) {
        const { url, companies } = await seeded(server.url, size.shipments);
        // Without a worker, whose scheduled jobs sometimes read all shipments.
        const env = { DATABASE_URL: url, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info', ROLE: 'api' };
        const service = keep(await startProcess(await startArguments(ROOT), env));
        measured.push({ ...size, companies, server: service, figures: [] });
      }
      const random = pseudoRandom(1);
      for (const one of measured) await warmUp(one, folder, random);
      for (let i = 0; i < rounds; i++) {
        for (const one of measured) one.figures.push(await round(one, seconds, folder, random));
      }
      report(measured, results);
    });
  } finally {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const [needed, free] = [bytes, bavail * bsize].map(one => (one / 1024 ** 3).toFixed(0));
  if (bavail * bsize < bytes) throw new Error(`The bench of sizes needs ${needed} GiB of disk, and ${free} are free`);
}

/** A database of its own with so many shipments. */
async function seeded(url: string, shipments: number): Promise<{ url: string; companies: TrackedCompany[] }> {
  const startedAt = performance.now();
  const name = `size_${shipments}`;
  const client = new pg.Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const own = new URL(url);
  own.pathname = `/${name}`;
  const database = await Database.connect(databaseOptions(own.href, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    const companies = await seedSize(database, own.href, shipments);
    const { rows } = await database.pool.query<{ count: number; size: string }>(
      'select count(*)::integer as count, pg_size_pretty(pg_database_size(current_database())) as size from shipment',
    );
    const took = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`${rows[0]?.count} shipments with their events, ${rows[0]?.size}, in ${took} s\n`);
    return { url: own.href, companies };
  } finally {
    await database.close();
  }
}

async function warmUp(one: Sized, folder: string, random: () => number): Promise<void> {
  for (let calls = 0; calls < Math.min(one.shipments, WARM_UP_CALLS); ) {
    calls += (await round(one, WARM_UP_SECONDS, folder, random)).rps * WARM_UP_SECONDS;
  }
}

function round({ server, companies, shipments }: Sized, seconds: number, folder: string, random: () => number) {
  const each = shipments / companies.length;
  const among = (count: number) => Math.floor(random() * count);
  const next = () => restRequest(sample(companies[among(companies.length)] as TrackedCompany, among(each) + 1));
  return withCpu(
    server,
    () => postgresCpuMs(folder),
    () => measure(server.url, next, seconds, CONNECTIONS),
  );
}

function report(measured: readonly Sized[], results: BenchOptions['results']): void {
  const smallest = measured[0]?.figures ?? [];
  const ms = (rounds: readonly RoundFigures[]) => median(rounds.map(({ rps }) => (CONNECTIONS / rps) * 1000));
  for (const { shipments, row, figures } of measured) {
    const [rps, p99] = [median(figures.map(one => one.rps)), median(figures.map(one => one.p99Ms))];
    const { server, postgres } = medianCpu(figures);
    process.stdout.write(
      `${shipments} shipments: ${rps.toFixed(0)} requests/s, p99 ${p99.toFixed(1)} ms, CPU ${server.toFixed(0)} + ${postgres?.toFixed(0)} µs a request\n`,
    );
    if (row === undefined) continue;
    // The time that a request takes is the inverse of the rate, since as many are under way all the time.
    const ratios = figures.map(({ rps: ours }, i) => (smallest[i]?.rps ?? Number.NaN) / ours);
    results.record(row, ratios, {
      cpu: { ours: medianCpu(figures), peer: medianCpu(smallest) },
      note: `${ms(figures).toFixed(2)} ms : ${ms(smallest).toFixed(2)} ms`,
    });
  }
}
