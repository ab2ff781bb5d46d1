import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { PgBoss, type WorkOptions } from 'pg-boss';
import { openEmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.ts';
import { JobLoop } from '../../src/platform/jobs/job-loop.ts';
import { leasesOf } from '../../src/platform/jobs/queues.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import type { BenchOptions } from './bench-options.ts';
import { rate, row } from './contest.ts';
import { until } from './until.ts';

const QUEUE = 'bench';
const GROUPS = 50;
const PER_GROUP = 10;
/** As a request takes that is answered at once, and one to a receiver that hangs. */
const WORK_MS = 2;
const HANGING_MS = 5_000;

interface Data {
  readonly group: number;
}

/** Works the queue until it is stopped; `worked` is called for each job. */
type Contender = (boss: PgBoss, work: (data: Data) => Promise<void>) => Promise<() => Promise<void>>;

const byLoop: Contender = async (boss, work) => {
  const loop = new JobLoop<Data, undefined, undefined>(
    boss,
    {
      queue: QUEUE,
      options: { heartbeatSeconds: 10 },
      concurrency: 1_000,
      perGroup: PER_GROUP,
      pollSeconds: 1,
      prepare: async jobs => jobs.map(() => undefined),
      work: async ({ data }) => {
        await work(data);
        return undefined;
      },
      complete: async done => {
        await boss.complete(QUEUE, leasesOf(done.map(({ job }) => job)));
      },
    },
    createLog('silent'),
  );
  return () => loop.stop(0);
};

const byWork =
  (options: WorkOptions): Contender =>
  async (boss, work) => {
    const shared = { burstWhenBatchFull: true, pollingIntervalSeconds: 0.5, perJobResults: true } as const;
    await boss.work<Data>(QUEUE, { ...shared, ...options }, jobs =>
      Promise.all(
        jobs.map(async ({ id, data }) => {
          await work(data);
          return { id, status: 'completed' as const };
        }),
      ),
    );
    return () => boss.offWork(QUEUE, { wait: false });
  };

const CONTENDERS: Readonly<Record<string, Contender>> = {
  'the job loop': byLoop,
  'work(), 10 workers of batches of 100': byWork({ groupConcurrency: PER_GROUP, localConcurrency: 10, batchSize: 100 }),
  'work(), 100 workers of batches of 10': byWork({ groupConcurrency: PER_GROUP, localConcurrency: 100, batchSize: 10 }),
  // No batch waits for its slowest job. Groups are counted in the process, not in PostgreSQL. A worker of one job fetches
  // the next one at once only while the statistics of the queue, which can be a minute old, show more.
  'work(), 500 workers of 1 job': byWork({
    localConcurrency: GROUPS * PER_GROUP,
    localGroupConcurrency: PER_GROUP,
    batchSize: 1,
    burstWhenReadyExceeds: 1,
    notifyPollingIntervalSeconds: 0.5,
  }),
};

/** The job loop beside pg-boss' own `work()`: all groups alike, and one of them hanging. */
export async function run({ rounds, quick }: BenchOptions): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'jobs-bench-'));
  const server = await openEmbeddedPostgres({ dataDir, as: 'service' });
  const boss = new PgBoss({ connectionString: server.url, max: 8, useListenNotify: true });
  boss.on('error', () => undefined);
  await boss.start();
  await boss.createQueue(QUEUE, { heartbeatSeconds: 10, notify: true, deleteAfterSeconds: 3600 });
  row('', 'asked', 'measured', 'each round');
  for (const [hanging, jobs] of [
    [0, quick ? 5_000 : 20_000],
    [1, 2_000],
  ] as const) {
    const figures = new Map(
      Object.keys(CONTENDERS).map(name => [name, { perSecond: [], cpu: [], most: [] } as Figures]),
    );
    for (let round = 0; round < (quick ? 1 : rounds); round++) {
      for (const [name, contender] of Object.entries(CONTENDERS)) {
        const { perSecond, cpuMs, most } = await measured(boss, contender, jobs, hanging);
        figures.get(name)?.perSecond.push(perSecond);
        figures.get(name)?.cpu.push(cpuMs);
        figures.get(name)?.most.push(most);
      }
    }
    for (const [name, { perSecond, cpu, most }] of figures) {
      rate(`${name}, ${hanging} of ${GROUPS} groups hanging: jobs/s of the others`, '', perSecond);
      rate('  CPU ms for 1,000 jobs', '', cpu);
      rate('  most of one group in hand', `${PER_GROUP}`, most);
    }
  }
  await boss.stop({ graceful: false });
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}

interface Figures {
  readonly perSecond: number[];
  readonly cpu: number[];
  readonly most: number[];
}

async function measured(boss: PgBoss, contender: Contender, jobs: number, hanging: number) {
  await boss.deleteAllJobs(QUEUE);
  const all = Array.from({ length: jobs }, (_, i) => ({
    data: { group: i % GROUPS },
    group: { id: String(i % GROUPS) },
  }));
  await boss.insert(QUEUE, all);
  const wanted = (jobs / GROUPS) * (GROUPS - hanging);
  let worked = 0;
  let most = 0;
  const inHand = new Map<number, number>();
  const [startedAt, cpu] = [performance.now(), process.cpuUsage()];
  const stop = await contender(boss, async ({ group }) => {
    const beside = (inHand.get(group) ?? 0) + 1;
    inHand.set(group, beside);
    most = Math.max(most, beside);
    await setTimeout(group < hanging ? HANGING_MS : WORK_MS);
    inHand.set(group, (inHand.get(group) ?? 0) - 1);
    if (group >= hanging) worked++;
  });
  await until(
    async () => worked,
    count => count >= wanted,
  );
  const { user, system } = process.cpuUsage(cpu);
  const perSecond = wanted / ((performance.now() - startedAt) / 1000);
  await stop();
  await setTimeout(hanging > 0 ? HANGING_MS : 0);
  return { perSecond, cpuMs: (user + system) / jobs, most };
}
