import type { Notifications } from '../database/connections/notifications.ts';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import type { Tenant } from '../database/tenancy/tenancy.ts';
import type { Log } from '../telemetry/log.ts';
import { type Tracing, traced } from '../telemetry/tracing.ts';
import type { BatchKind, Housekeeping, JobKind, Schedule } from './job-kinds.ts';
import { JobLoop, type ToWork } from './job-loop.ts';
import type { Jobs } from './jobs.ts';
import { type JobData, type LeasedJob, leasesOf, type Queue } from './queues.ts';
import type { SuspendedJobs } from './suspended-jobs.ts';

/** A loop for jobs of any kind. */
interface Loop {
  readonly inHand: number;
  wake(): void;
  abort(isMeant: (data: object) => boolean): void;
  stop(timeoutMs: number): Promise<void>;
}

const SCHEDULED = { concurrency: 1, pollSeconds: 2 };

interface WorkerOptions {
  readonly tracing?: Tracing | undefined;
  /** Puts the jobs of suspended companies aside. */
  readonly suspended?: SuspendedJobs;
}

/** Runs the jobs of queues, each queue in its own loop, and scheduled work. */
export class JobWorker {
  readonly #jobs: Jobs;
  readonly #log: Log;
  readonly #tracing: Tracing | undefined;
  readonly #suspended: SuspendedJobs | undefined;
  readonly #loops = new Map<string, Loop>();

  constructor(jobs: Jobs, log: Log, { tracing, suspended }: WorkerOptions = {}) {
    this.#jobs = jobs;
    this.#log = log;
    this.#tracing = tracing;
    this.#suspended = suspended;
  }

  /** Runs a kind of job; each is given the tenant of its own company. */
  work<Data extends JobData>(kind: JobKind<Data>, tenantOf: (companyId: CompanyId) => Tenant): void {
    this.workBatches(
      this.#oneByOne<Data>(kind, async ({ id, data }) => {
        await kind.work(tenantOf(data.companyId), data, this.#jobs);
        this.#log.debug({ queue: kind.queue, jobId: id, companyId: data.companyId }, 'job done');
      }),
    );
  }

  /** Runs scheduled work. */
  async workSchedule(schedule: Schedule, housekeeping: Omit<Housekeeping, 'jobs'>): Promise<void> {
    await this.#jobs.boss.schedule(schedule.queue, schedule.cron);
    const kind = { ...schedule, ...SCHEDULED };
    // The jobs of a schedule belong to no company, because they carry no data.
    this.#loop(this.#oneByOne<never>(kind, () => schedule.work({ ...housekeeping, jobs: this.#jobs })));
  }

  /** Runs a kind of job whose reads and writes are done for many jobs at once. */
  workBatches<Data extends object, Prepared, Result>(kind: BatchKind<Data, Prepared, Result>): void {
    const { queue } = kind;
    this.#loop(kind, async leased => (await this.#suspended?.withoutSuspended(queue, leased)) ?? leased);
  }

  #loop<Data extends object, Prepared, Result>(kind: BatchKind<Data, Prepared, Result>, toWork?: ToWork<Data>): void {
    this.#loops.set(kind.queue, new JobLoop(this.#jobs.boss, kind, this.#log, toWork));
  }

  #oneByOne<Data extends object>(
    kind: Omit<BatchKind<Data, undefined, void>, 'prepare' | 'work' | 'complete'>,
    work: (job: LeasedJob<Data>) => Promise<void>,
  ): BatchKind<Data, undefined, void> {
    const { queue } = kind;
    return {
      ...kind,
      prepare: async jobs => jobs.map(() => undefined),
      work: job => {
        const attributes = { 'job.queue': queue, 'job.id': job.id };
        return traced(this.#tracing, `job ${queue}`, { kind: 'consumer', attributes }, () => work(job));
      },
      complete: async done => {
        await this.#jobs.boss.complete(queue, leasesOf(done.map(({ job }) => job)));
      },
    };
  }

  /** Lets notifications wake the loops of queues that have a channel; to be called before notifications start. */
  wakeBy(notifications: Notifications, queues: readonly Queue<never>[]): void {
    for (const { queue, channel } of queues) {
      if (channel !== undefined) notifications.on(channel, () => this.#loops.get(queue)?.wake());
    }
  }

  /** Aborts jobs of a queue that this worker has in hand. */
  abort<Data extends object>({ queue }: Queue<Data>, isMeant: (data: Data) => boolean): void {
    this.#loops.get(queue)?.abort(isMeant as (data: object) => boolean);
  }

  /** How many jobs of a queue this worker has in hand. */
  inHand({ queue }: Queue<never>): number {
    return this.#loops.get(queue)?.inHand ?? 0;
  }

  /** Takes no more jobs, and lets the jobs in hand finish within the given time; another worker runs the rest. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(Array.from(this.#loops.values(), loop => loop.stop(timeoutMs)));
    this.#loops.clear();
  }
}
