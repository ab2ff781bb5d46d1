import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { importTariff } from '../../src/domain/tariffs/tariff.service.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { Tenant } from '../../src/platform/database/tenancy/tenancy.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench-options.ts';
import { median } from './load.ts';
import { type Running, running, startArguments, startProcess } from './processes.ts';
import { tariffWith } from './quote-load.ts';
import { type TrackedCompany, trackedCompany } from './seed.ts';
import { mixedLoad, SHIPMENTS } from './soak-load.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const COMPANIES = 5;
const RULES = 100;

/** The values in the rows of the results: memory after 20 minutes beside memory after 2. */
const ASKED_MINUTES = 20;
const FIRST_SHARE = 0.1;
/** How long memory is observed before each of the two moments, because it rises and falls with the garbage. */
const WINDOW_SHARE = 0.05;
const SAMPLE_MS = 1_000;

/** Memory of one process of the service under a mixed load, in the end beside an early moment. */
export async function run({ minutes, quick, results }: BenchOptions): Promise<void> {
  const seconds = (quick ? Math.min(minutes, 2) : minutes) * 60;
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: folder, as: 'service', throwaway: true });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  try {
    await migrate(database);
    const companies = await seed(database);
    const env = { DATABASE_URL: server.url, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info' };
    await running(async keep => {
      const service = keep(await startProcess(await startArguments(ROOT), env));
      const [answered, samples] = await Promise.all([
        mixedLoad(service.url, companies, seconds),
        watch(service, seconds),
      ]);
      const before = (share: number) => {
        const from = (share - WINDOW_SHARE) * seconds * 1000;
        return median(samples.filter(({ atMs }) => atMs >= from && atMs <= share * seconds * 1000).map(({ mb }) => mb));
      };
      const [first, last] = [before(FIRST_SHARE), before(1)];
      const peak = await service.peakMemoryMb();
      process.stdout.write(
        `${answered} requests in ${seconds} s; resident ${first} MB at the start, ${last} MB in the end, ${peak} MB at the most\n`,
      );
      if (seconds < ASKED_MINUTES * 60) return;
      results.record('soak-growth', [last / first], { note: `${last} MB : ${first} MB, ${answered} requests` });
      results.record('soak-memory', [last], { note: `${peak} MB at the most` });
    });
  } finally {
    await database.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function seed(database: Database): Promise<TrackedCompany[]> {
  const companies: TrackedCompany[] = [];
  for (let i = 0; i < COMPANIES; i++) {
    const company = await trackedCompany(database, `Company ${i}`, SHIPMENTS);
    const { rows } = await database.pool.query<{ id: number }>(
      'select id from carrier_connection where company_id = $1 order by id',
      [company.companyId],
    );
    const tenant = new Tenant(company.companyId, database);
    for (const [j, { id }] of rows.entries())
      await importTariff(tenant, id, tariffWith(RULES, i * rows.length + j + 1));
    companies.push(company);
  }
  return companies;
}

interface Sample {
  readonly atMs: number;
  readonly mb: number;
}

async function watch(service: Running, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  for (let atMs = 0; atMs < seconds * 1000; atMs = performance.now() - startedAt) {
    samples.push({ atMs, mb: await service.memoryMb() });
    await setTimeout(SAMPLE_MS);
  }
  return samples;
}
