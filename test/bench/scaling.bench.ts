import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseOptions } from '../../mikro-orm.config.ts';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { migrate } from '../../src/migrate.ts';
import { Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { createMetrics } from '../../src/platform/telemetry/metrics.ts';
import type { BenchOptions } from './bench-options.ts';
import { rate, row } from './contest.ts';
import { type LoadRequest, measure } from './load.ts';
import { startPooler } from './pooler.ts';
import { startArguments, startProcess } from './processes.ts';
import { startStandby } from './standby.ts';
import { restRequests, seedTracking } from './tracking-load.ts';

const CONNECTIONS = 16;
const WARM_UP_SECONDS = 3;
const ROOT = new URL('../../', import.meta.url).pathname;

/** A way to run the service: its processes, and what their settings have beside the others'. */
interface Step {
  readonly name: string;
  readonly roles: readonly ('all' | 'api' | 'worker')[];
  readonly env: Record<string, string>;
}

const API_AND_WORKERS = ['api', 'api', 'worker', 'worker'] as const;

/** Tracking by number, answered by one process, and then as the README's steps of growing have it, by turns. */
export async function run({ seconds, rounds }: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipping-bench-'));
  const server = await openEmbeddedPostgres({ dataDir: join(folder, 'primary'), as: 'service' });
  const database = await Database.connect(databaseOptions(server.url, 4), createMetrics(), createLog('silent'));
  const stops: (() => Promise<void>)[] = [];
  try {
    await migrate(database);
    const requests = restRequests(await seedTracking(database));
    const standby = await startStandby({ url: server.url, folder: join(folder, 'primary') }, join(folder, 'standby'));
    stops.push(standby.stop);
    const steps: Step[] = [
      { name: 'one process', roles: ['all'], env: {} },
      { name: 'one start with PROCESSES=2', roles: ['all'], env: { PROCESSES: '2' } },
      { name: 'an api and a worker', roles: ['api', 'worker'], env: {} },
      { name: 'two apis and two workers', roles: API_AND_WORKERS, env: {} },
      { name: '… and reads from a replica', roles: API_AND_WORKERS, env: { READ_DATABASE_URL: standby.url } },
    ];
    const pooler = await startPooler(server.url);
    if (pooler) {
      stops.push(pooler.stop);
      const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: server.url };
      steps.push({ name: '… and PgBouncer in transaction mode', roles: API_AND_WORKERS, env });
    }
    const env = { DATABASE_URL: server.url, DATA_DIR: folder, PORT: '0', DEMO: 'false', LOG_LEVEL: 'info' };
    const figures = steps.map(() => [] as number[]);
    for (let round = 0; round < rounds; round++) {
      for (const [i, step] of steps.entries()) {
        figures[i]?.push(await readsPerSecond({ ...step, env: { ...env, ...step.env } }, requests, seconds));
      }
    }
    row('tracking by number, requests/s', '', 'measured', 'each round');
    for (const [i, { name }] of steps.entries()) rate(name, '', figures[i] ?? []);
    if (!pooler) process.stdout.write('PgBouncer is not installed: left out\n');
  } finally {
    await database.close();
    for (const stop of stops) await stop();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The responses of all api processes together. */
async function readsPerSecond(
  { roles, env }: Step,
  requests: readonly LoadRequest[],
  seconds: number,
): Promise<number> {
  const running = [];
  try {
    for (const role of roles) running.push(await startProcess(await startArguments(ROOT), { ...env, ROLE: role }));
    const answering = running.filter((_, i) => roles[i] !== 'worker');
    const measureAll = (duration: number) =>
      Promise.all(answering.map(({ url }) => measure(url, requests, duration, CONNECTIONS / answering.length)));
    await measureAll(WARM_UP_SECONDS);
    return (await measureAll(seconds)).reduce((sum, { rps }) => sum + rps, 0);
  } finally {
    for (const process of running) await process.stop();
  }
}
