import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { importTariff } from '../../src/domain/pricing/tariffs/tariff.service.ts';
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

/** The moments of the rows of the results, in minutes. A run of `--minutes 120` reaches the last. */
const [EARLY, LATER, LAST] = [2, 20, 120];
/** How long memory is observed before a moment, because it rises and falls with the garbage. */
const WINDOW_MINUTES = 1;
const SAMPLE_MS = 1_000;

/** Memory of one process of the service under a mixed load, later beside an early moment. */
export async function run({ minutes: asked, quick, results }: BenchOptions): Promise<void> {
  const minutes = quick ? Math.min(asked, 2) : asked;
  const seconds = minutes * 60;
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
      const after = (minute: number) =>
        median(
          samples.filter(({ minutes }) => minutes >= minute - WINDOW_MINUTES && minutes <= minute).map(({ mb }) => mb),
        );
      const peak = await service.peakMemoryMb();
      const moments = [...new Set([EARLY, LATER, 40, 60, 80, 100, LAST, minutes])].filter(minute => minute <= minutes);
      process.stdout.write(
        `${answered} requests in ${seconds} s; resident ${moments.map(minute => `${after(minute)} MB after ${minute} minutes`).join(', ')}, ${peak} MB at the most\n`,
      );
      if (minutes < LATER) return;
      results.record('soak-growth', [after(LATER) / after(EARLY)], { note: `${after(LATER)} MB : ${after(EARLY)} MB` });
      results.record('soak-memory', [after(LATER)], { note: `${peak} MB at the most` });
      if (minutes < LAST) return;
      results.record('soak-long', [after(LAST) / after(LATER)], {
        note: `${after(LAST)} MB : ${after(LATER)} MB, ${answered} requests`,
      });
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
  readonly minutes: number;
  readonly mb: number;
}

async function watch(service: Running, seconds: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAt = performance.now();
  const passed = () => (performance.now() - startedAt) / 1000;
  while (passed() < seconds) {
    samples.push({ minutes: passed() / 60, mb: await service.memoryMb() });
    await setTimeout(SAMPLE_MS);
  }
  return samples;
}
