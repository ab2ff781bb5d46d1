import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { fromKysely, type JobInsert, PgBoss, type QueueOptions, type QueuePolicy, type SendOptions } from 'pg-boss';
import { type Database, rowsWithin } from '../database/database.ts';
import { orderedId } from '../database/ordered-id.ts';
import type { CompanyId, Tenant } from '../database/tenancy.ts';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import { type Tracing, traced } from '../telemetry/tracing.ts';
import { JobLoop } from './job-loop.ts';

/** Data of every job: the company it acts for, and what it is about. */
export interface JobData {
  readonly companyId: CompanyId;
}

/** A queue of pg-boss'. Its data are what `Data` says, which only types see. */
export interface Queue<Data> {
  readonly queue: string;
  readonly options: QueueOptions;
  readonly policy?: QueuePolicy;
  /** The channel that is notified of jobs that are due at once. */
  readonly channel?: string;
  /** Where jobs go that failed for good. */
  readonly deadLetter?: Queue<Data>;
}

/** Of queues whose jobs may be lost: the next one does what was left. */
export const RENEWED: QueueOptions = { retryLimit: 2, retentionSeconds: 3600, deleteAfterSeconds: 3600 };

/** A kind of job: its queue, and what a worker does with one. */
export interface JobKind<Data extends JobData> extends Queue<Data> {
  /** How many a worker takes at a look; those of one look are done again together where one of them fails. */
  readonly batchSize: number;
  /** Seconds between a worker's looks at the queue. */
  readonly pollingIntervalSeconds: number;
  /** Where a worker does several side by side: how many, and how many of one group may be in hand, over all workers. */
  readonly sideBySide?: { readonly jobs: number; readonly perGroup: number };
  readonly work: (tenant: Tenant, data: Data, jobs: Jobs) => Promise<void>;
}

/** What work for all companies is done with. */
export interface Housekeeping {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly log: Log;
  /** Where callers reach the service, for links; no slash at its end. */
  readonly publicUrl: string;
  readonly retentionDays: number;
}

/** Work that comes round by the clock, once over all workers. */
export interface Schedule extends Queue<object> {
  /** Minute, hour, day, month, weekday, in UTC. */
  readonly cron: string;
  readonly work: (housekeeping: Housekeeping) => Promise<void>;
}

/** A job that a worker holds. The retry count tells its hold from one that another has after it ran out. */
export interface HeldJob<Data> {
  readonly id: string;
  readonly retryCount: number;
  readonly data: Data;
}

/** A job to be written; those of one group share what a worker may have in hand of it. */
export interface NewJob<Data> {
  readonly data: Data;
  readonly group?: string;
  /** In a queue whose policy looks at it. */
  readonly key?: string;
  readonly startAfter?: Date | undefined;
}

/** How soon a job is taken up again whose worker has died: when it is found, after its heartbeat is missed. */
const SUPERVISE_SECONDS = 2;
const MAINTENANCE_SECONDS = 60;

/** Installs or upgrades pg-boss' own tables and makes the queues; part of migrating the database. */
export async function installJobs(pool: pg.Pool, queues: readonly Queue<never>[]): Promise<void> {
  const boss = new PgBoss({ db: adapter(pool), supervise: false, schedule: false });
  await boss.start();
  const known = new Map((await boss.getQueues()).map(one => [one.name, one as object as Record<string, unknown>]));
  for (const { queue, options, policy, deadLetter } of queues) {
    const wanted = { ...options, ...(deadLetter && { deadLetter: deadLetter.queue }) };
    const present = known.get(queue);
    if (present === undefined) await boss.createQueue(queue, { ...wanted, ...(policy && { policy }) });
    else if (Object.entries(wanted).some(([name, value]) => present[name] !== value))
      await boss.updateQueue(queue, wanted);
  }
  await boss.stop({ graceful: false });
}

/** Sends jobs in every role; supervises the queues and works them in the worker role. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #tracing: Tracing | undefined;
  readonly #loops: { stop(timeoutMs: number): Promise<void> }[] = [];

  private constructor(boss: PgBoss, log: Log, tracing: Tracing | undefined) {
    this.#boss = boss;
    this.#log = log;
    this.#tracing = tracing;
  }

  static async start(
    pool: pg.Pool,
    log: Log,
    { worker, tracing }: { worker: boolean; tracing?: Tracing | undefined },
  ): Promise<Jobs> {
    const boss = new PgBoss({
      db: adapter(pool),
      migrate: false,
      createSchema: false,
      supervise: worker,
      schedule: worker,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    });
    // pg-boss reports failures of its background work here; without a listener they would end the process.
    boss.on('error', error => {
      const fields = { reason: error.message };
      logRepeated(log, { level: 'warn', message: 'queue maintenance failed, will be tried again', fields });
    });
    await boss.start();
    return new Jobs(boss, log, tracing);
  }

  async send<Data extends JobData>(kind: JobKind<Data>, data: Data, options: SendOptions = {}): Promise<void> {
    await this.#boss.send(kind.queue, data, options);
  }

  /** Works a kind of job; each goes through the door of its own company. */
  async work<Data extends JobData>(kind: JobKind<Data>, tenantOf: (companyId: CompanyId) => Tenant): Promise<void> {
    const { queue, batchSize, pollingIntervalSeconds, sideBySide } = kind;
    const work = async (data: Data, jobId: string) => {
      const attributes = { 'job.queue': queue, 'job.id': jobId };
      await traced(this.#tracing, `job ${queue}`, { kind: 'consumer', attributes }, () =>
        kind.work(tenantOf(data.companyId), data, this),
      );
      this.#log.debug({ queue, jobId, companyId: data.companyId }, 'job done');
    };
    if (sideBySide) {
      const options = { queue, slots: sideBySide.jobs, perGroup: sideBySide.perGroup };
      const loop = new JobLoop<Data>(
        this.#boss,
        { ...options, pollMs: pollingIntervalSeconds * 1000, work },
        this.#log,
      );
      this.#loops.push(loop);
      return;
    }
    await this.#boss.work<Data>(queue, { batchSize, pollingIntervalSeconds }, async jobs => {
      for (const { id, data } of jobs) await work(data, id);
    });
  }

  /** Works what comes round by the clock. */
  async keep({ queue, cron, work }: Schedule, housekeeping: Omit<Housekeeping, 'jobs'>): Promise<void> {
    await this.#boss.schedule(queue, cron);
    const options = { kind: 'consumer', attributes: { 'job.queue': queue } } as const;
    await this.#boss.work(queue, { pollingIntervalSeconds: 2 }, () =>
      traced(this.#tracing, `job ${queue}`, options, () => work({ ...housekeeping, jobs: this })),
    );
  }

  /** Writes jobs in a transaction: they are there if it is committed, and never were if it is not. Answers their ids. */
  async insert<Data extends JobData>(
    em: EntityManager,
    { queue, channel }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<string[]> {
    if (jobs.length === 0) return [];
    const isDue = jobs.some(({ startAfter }) => startAfter === undefined);
    if (channel !== undefined && isDue) await rowsWithin(em, `select pg_notify($1, '')`, [channel]);
    const inserts = jobs.map(({ data, group, key, startAfter }): JobInsert & { id: string } => ({
      // Within a group pg-boss goes by the ids, not by age: those that are ordered keep them in order.
      id: orderedId(),
      data,
      startAfter,
      singletonKey: key,
      ...(group && { group: { id: group } }),
    }));
    await this.#boss.insert(queue, inserts, { db: fromKysely(em.getKysely()) });
    return inserts.map(({ id }) => id);
  }

  /**
   * Takes jobs that are due, in order of age, for a loop of its own. They must be touched or completed within the queue's
   * heartbeat.
   *
   * @param perGroup how many of one group may be in hand, over all workers
   */
  async fetch<Data extends JobData>(
    { queue }: Queue<Data>,
    options: { max: number; perGroup: number },
  ): Promise<HeldJob<Data>[]> {
    return this.#boss.fetch<Data>(queue, { batchSize: options.max, groupConcurrency: options.perGroup });
  }

  /** Goes on holding jobs. */
  async touch({ queue }: Queue<never>, jobs: readonly HeldJob<unknown>[]): Promise<void> {
    if (jobs.length > 0) await this.#boss.touch(queue, holds(jobs));
  }

  /** Completes jobs in a transaction; answers the ids of those that were still held, and not held anew by another. */
  async complete(
    em: EntityManager,
    { queue }: Queue<never>,
    jobs: readonly HeldJob<unknown>[],
  ): Promise<ReadonlySet<string>> {
    const answer: { settled?: string[] } = await this.#boss.complete(queue, holds(jobs), null, {
      db: fromKysely(em.getKysely()),
    });
    // pg-boss answers them, but does not declare it.
    if (answer.settled === undefined) throw new Error('pg-boss no longer says which jobs it completed');
    return new Set(answer.settled);
  }

  /**
   * Takes back jobs of a group that no worker holds, `max` at most, save those whose data have something; answers their
   * data. pg-boss has no call for it.
   */
  async withdraw<Data extends JobData>(
    em: EntityManager,
    { queue }: Queue<Data>,
    group: string,
    max: number,
    save: Partial<Data>,
  ): Promise<Data[]> {
    const rows = await rowsWithin<{ data: Data }>(
      em,
      `delete from pgboss.job where name = $1 and id in (
          select id from pgboss.job where name = $1 and group_id = $2 and state < 'active' and not data @> $4::jsonb
            limit $3 for update skip locked
        ) returning data`,
      [queue, group, max, JSON.stringify(save)],
    );
    return rows.map(({ data }) => data);
  }

  /** How many jobs of a group are due, counted up to `max`. */
  async waiting(em: EntityManager, { queue }: Queue<never>, group: string, max: number): Promise<number> {
    const [row] = await rowsWithin<{ count: number }>(
      em,
      `select count(*)::integer as count from (
          select 1 from pgboss.job where name = $1 and group_id = $2 and state < 'active' and start_after <= pgboss.job_now()
            limit $3
        ) waiting`,
      [queue, group, max],
    );
    return row?.count ?? 0;
  }

  /** Puts into the dead-letter queue what failed for good, with where it came from, so that pg-boss can redrive it. */
  async bury<Data extends JobData>(
    em: EntityManager,
    { queue, deadLetter }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<void> {
    if (jobs.length === 0 || !deadLetter) return;
    const ids = await this.insert(em, deadLetter, jobs);
    await rowsWithin(
      em,
      'update pgboss.job set source_name = $3, source_created_on = created_on where name = $1 and id = any($2::uuid[])',
      [deadLetter.queue, ids, queue],
    );
  }

  /** Sends what lies in a dead-letter queue back to where it came from; answers how many. */
  async redrive({ deadLetter }: Queue<never>, max: number): Promise<number> {
    return deadLetter ? this.redriveFrom(deadLetter.queue, max) : 0;
  }

  /** The same by the name of the dead-letter queue. */
  async redriveFrom(queue: string, max: number): Promise<number> {
    return this.#boss.redrive(queue, { limit: max });
  }

  /** Lets jobs under way finish, up to the given time; what is left is taken up by another worker. */
  async stop(timeoutMs: number): Promise<void> {
    const loops = this.#loops.map(loop => loop.stop(timeoutMs));
    await Promise.all([...loops, this.#boss.stop({ graceful: true, timeout: timeoutMs })]);
  }
}

function holds(jobs: readonly HeldJob<unknown>[]): { id: string; retryCount: number }[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}

/** pg-boss on the service's own pool, so that one number bounds the process' connections; with `pg`'s own types, not MikroORM's. */
function adapter(pool: pg.Pool): { executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> } {
  return { executeSql: (text, values = []) => pool.query({ text, values, types: pg.types }) };
}
