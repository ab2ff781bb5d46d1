import type { EntityManager } from '@mikro-orm/postgresql';
import pg from 'pg';
import { fromKysely, type JobInsert, PgBoss, type SendOptions } from 'pg-boss';
import type { Notifications } from '../database/connections/notifications.ts';
import { notify } from '../database/statements/notify.ts';
import { orderedId } from '../database/statements/ordered-id.ts';
import { type Statement, serviceStatement, statementOfLibrary } from '../database/statements/statements.ts';
import { atEnd, rowsWithin } from '../database/statements/transaction.ts';
import type { CompanyId } from '../database/tenancy/company-id.ts';
import type { Tenant } from '../database/tenancy/tenancy.ts';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import { type Tracing, traced } from '../telemetry/tracing.ts';
import {
  type BatchKind,
  type HeldJob,
  type Housekeeping,
  holds,
  type JobData,
  type JobKind,
  type NewJob,
  type Queue,
  type Schedule,
} from './job-kinds.ts';
import { JobLoop, type ToWork } from './job-loop.ts';
import { countDue, deleteWaiting, type JobTakenOut, markSource, takeOut } from './pgboss-tables.ts';
import type { SuspendedJobs } from './suspended-jobs.ts';

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
  // Of a version before: nobody would work what it makes. Its queue stays, since processes of that version may still run.
  const scheduled = await boss.getSchedules();
  const ours = new Set(queues.map(({ queue }) => queue));
  for (const { name } of scheduled.filter(({ name }) => !ours.has(name))) await boss.unschedule(name);
  await boss.stop({ graceful: false });
}

/** A loop, whatever its jobs are. */
interface Loop {
  readonly inHand: number;
  wake(): void;
  abort(isMeant: (data: object) => boolean): void;
  stop(timeoutMs: number): Promise<void>;
}

const SCHEDULED = { concurrency: 1, pollSeconds: 2 };

// Changes nothing and locks nothing: the table is empty.
const COMMIT_JOINTLY = serviceStatement('commit-jointly', 'delete from commit_point where id = 0');

interface JobsOptions {
  readonly worker: boolean;
  readonly tracing?: Tracing | undefined;
  /** Whether the database is distributed; pg-boss' own tables are on its coordinator all the same. */
  readonly isDistributed?: boolean;
}

/** Sends jobs in every role; supervises the queues and works them in the worker role. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #tracing: Tracing | undefined;
  readonly #isDistributed: boolean;
  readonly #loops = new Map<string, Loop>();
  #suspended: SuspendedJobs | undefined;

  private constructor(boss: PgBoss, log: Log, { tracing, isDistributed }: Omit<JobsOptions, 'worker'>) {
    this.#boss = boss;
    this.#log = log;
    this.#tracing = tracing;
    this.#isDistributed = isDistributed ?? false;
  }

  static async start(pool: pg.Pool, log: Log, { worker, tracing, isDistributed = false }: JobsOptions): Promise<Jobs> {
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
    return new Jobs(boss, log, { tracing, isDistributed });
  }

  async send<Data extends JobData>(kind: JobKind<Data>, data: Data, options: SendOptions = {}): Promise<void> {
    await this.#boss.send(kind.queue, data, options);
  }

  /** Works a kind of job; each is given the tenant of its own company. */
  work<Data extends JobData>(kind: JobKind<Data>, tenantOf: (companyId: CompanyId) => Tenant): void {
    this.workBatches(
      this.#oneByOne<Data>(kind, async ({ id, data }) => {
        await kind.work(tenantOf(data.companyId), data, this);
        this.#log.debug({ queue: kind.queue, jobId: id, companyId: data.companyId }, 'job done');
      }),
    );
  }

  /** Works what is due by the clock. */
  async workSchedule(schedule: Schedule, housekeeping: Omit<Housekeeping, 'jobs'>): Promise<void> {
    await this.#boss.schedule(schedule.queue, schedule.cron);
    const kind = { ...schedule, ...SCHEDULED };
    // They are of no company: the clock gives them no data.
    this.#loop(this.#oneByOne<never>(kind, () => schedule.work({ ...housekeeping, jobs: this })));
  }

  /** Works a kind of job whose reads and writes are done for many at once. */
  workBatches<Data extends object, Prepared, Result>(kind: BatchKind<Data, Prepared, Result>): void {
    const { queue } = kind;
    this.#loop(kind, async held => (await this.#suspended?.rest(this, queue, held)) ?? held);
  }

  #loop<Data extends object, Prepared, Result>(kind: BatchKind<Data, Prepared, Result>, toWork?: ToWork<Data>): void {
    this.#loops.set(kind.queue, new JobLoop(this.#boss, kind, this.#log, toWork));
  }

  /** Has the jobs of suspended companies put aside; to be called before any work. */
  putAsideBy(suspended: SuspendedJobs): void {
    this.#suspended = suspended;
  }

  /** Takes jobs in hand out of their queue; returns those that were still held. */
  async takeOut(
    em: EntityManager,
    { queue }: Pick<Queue<never>, 'queue'>,
    jobs: readonly HeldJob<unknown>[],
  ): Promise<JobTakenOut[]> {
    await this.#commitJointly(em);
    return takeOut(em, queue, jobs);
  }

  #oneByOne<Data extends object>(
    kind: Omit<BatchKind<Data, undefined, void>, 'prepare' | 'work' | 'settle'>,
    work: (job: HeldJob<Data>) => Promise<void>,
  ): BatchKind<Data, undefined, void> {
    const { queue } = kind;
    return {
      ...kind,
      prepare: async jobs => jobs.map(() => undefined),
      work: job => {
        const attributes = { 'job.queue': queue, 'job.id': job.id };
        return traced(this.#tracing, `job ${queue}`, { kind: 'consumer', attributes }, () => work(job));
      },
      settle: async done => {
        await this.#boss.complete(queue, holds(done.map(({ job }) => job)));
      },
    };
  }

  /** Has notifications wake the loops of queues that have a channel; to be called before notifications start. */
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

  /**
   * Writes jobs in a transaction: they are there if it is committed, and never were if it is not. They are written last,
   * in one round trip with the commit; no statement of the transaction finds them. Returns their ids.
   */
  async insert<Data extends JobData>(
    em: EntityManager,
    { queue, channel }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<string[]> {
    if (jobs.length === 0) return [];
    await this.#commitJointly(em);
    const inserts = jobs.map(({ data, group, key, startAfter }): JobInsert & { id: string } => ({
      // Within a group pg-boss goes by the ids, not by age: those that are ordered keep them in order.
      id: orderedId(),
      data,
      startAfter,
      singletonKey: key,
      ...(group && { group: { id: group } }),
    }));
    const { statement, values } = await this.#insertStatement(queue, inserts);
    const isDue = jobs.some(({ startAfter }) => startAfter === undefined);
    if (channel !== undefined && isDue) {
      atEnd(em, () => notify(em, channel));
    }
    atEnd(em, () => rowsWithin(em, statement, values));
    return inserts.map(({ id }) => id);
  }

  /** What pg-boss would insert jobs with: it reads its own tables before it does, and so cannot be asked at the end. */
  async #insertStatement(queue: string, inserts: JobInsert[]): Promise<{ statement: Statement; values: unknown[] }> {
    const statements: { text: string; values: unknown[] }[] = [];
    const executeSql = async (text: string, values: unknown[] = []) => {
      statements.push({ text, values });
      return { rows: [] };
    };
    await this.#boss.insert(queue, inserts, { db: { executeSql } });
    const [statement] = statements;
    if (statement === undefined || statements.length > 1) throw new Error('pg-boss no longer inserts by one statement');
    return { statement: statementOfLibrary(`insert-jobs-${queue}`, statement.text), values: statement.values };
  }

  /** Completes jobs in a transaction; returns the ids of those that were still held, and not held anew by another worker. */
  async complete(
    em: EntityManager,
    { queue }: Queue<never>,
    jobs: readonly HeldJob<unknown>[],
  ): Promise<ReadonlySet<string>> {
    await this.#commitJointly(em);
    const answer: { settled?: string[] } = await this.#boss.complete(queue, holds(jobs), null, {
      db: fromKysely(em.getKysely()),
    });
    // pg-boss returns them, but its types do not declare it.
    if (answer.settled === undefined) throw new Error('pg-boss no longer says which jobs it completed');
    return new Set(answer.settled);
  }

  /** Deletes jobs of a group that no worker holds, `max` at most, except those whose data contain `except`; returns their data. */
  async withdraw<Data extends JobData>(
    em: EntityManager,
    { queue }: Queue<Data>,
    group: string,
    max: number,
    except: Partial<Data>,
  ): Promise<Data[]> {
    await this.#commitJointly(em);
    return deleteWaiting(em, queue, group, max, except);
  }

  /**
   * Has a transaction that changes jobs and rows of a company be committed in two phases where those are on different nodes.
   * Citus does so only for tables that it knows, and pg-boss' it does not: it would commit on the company's node first and
   * here after it, and a crash in between would leave a change without its jobs.
   */
  async #commitJointly(em: EntityManager): Promise<void> {
    if (this.#isDistributed) await rowsWithin(em, COMMIT_JOINTLY, []);
  }

  /** How many jobs of a group are due, counted up to `max`. */
  waiting(em: EntityManager, { queue }: Queue<never>, group: string, max: number): Promise<number> {
    return countDue(em, queue, group, max);
  }

  /** Writes jobs that failed for good to the dead-letter queue, from which pg-boss can redrive them. */
  async bury<Data extends JobData>(
    em: EntityManager,
    { queue, deadLetter }: Queue<Data>,
    jobs: readonly NewJob<Data>[],
  ): Promise<void> {
    if (jobs.length === 0 || !deadLetter) return;
    const ids = await this.insert(em, deadLetter, jobs);
    atEnd(em, () => markSource(em, deadLetter.queue, ids, queue));
  }

  /** Sends the jobs of a dead-letter queue back to where they came from; returns how many. */
  async redrive({ deadLetter }: Queue<never>, max: number): Promise<number> {
    return deadLetter ? this.redriveFrom(deadLetter.queue, max) : 0;
  }

  /** The same by the name of the dead-letter queue. */
  async redriveFrom(queue: string, max: number): Promise<number> {
    return this.#boss.redrive(queue, { limit: max });
  }

  /** Lets the jobs in hand finish, up to the given time; what is left goes to another worker. No job is taken any more. */
  async stopWork(timeoutMs: number): Promise<void> {
    await Promise.all(Array.from(this.#loops.values(), loop => loop.stop(timeoutMs)));
    this.#loops.clear();
  }

  /** Stops the work, and pg-boss. */
  async stop(timeoutMs: number): Promise<void> {
    await this.stopWork(timeoutMs);
    await this.#boss.stop({ graceful: true, timeout: timeoutMs });
  }
}

/** pg-boss on the service's own pool, so that one number bounds the process' connections; with `pg`'s own types, not MikroORM's. */
function adapter(pool: pg.Pool): { executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> } {
  return { executeSql: (text, values = []) => pool.query({ text, values, types: pg.types }) };
}
