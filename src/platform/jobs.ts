import pg from 'pg';
import { PgBoss, type QueueOptions, type SendOptions } from 'pg-boss';
import type { Log } from './log.ts';
import type { CompanyId, Tenant } from './tenancy.ts';

/** Data of every job: the company it acts for, and what it is about. */
export interface JobData {
  readonly companyId: CompanyId;
}

/** A kind of job: its queue, and what a worker does with one. */
export interface JobKind<Data extends JobData> {
  readonly queue: string;
  readonly options: QueueOptions;
  /** How many a worker takes at a look; those of one look are done again together where one of them fails. */
  readonly batchSize: number;
  /** Seconds between a worker's looks at the queue. */
  readonly pollingIntervalSeconds: number;
  readonly work: (tenant: Tenant, data: Data) => Promise<void>;
}

/** Installs or upgrades pg-boss' own tables and makes the queues; part of migrating the database. */
export async function installJobs(pool: pg.Pool, kinds: readonly JobKind<never>[]): Promise<void> {
  const boss = new PgBoss({ db: adapter(pool), supervise: false, schedule: false });
  await boss.start();
  for (const kind of kinds) {
    if ((await boss.getQueue(kind.queue)) === null) await boss.createQueue(kind.queue, kind.options);
    else await boss.updateQueue(kind.queue, kind.options);
  }
  await boss.stop({ graceful: false });
}

/** Sends jobs in every role; supervises the queues and works them in the worker role. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #log: Log;

  private constructor(boss: PgBoss, log: Log) {
    this.#boss = boss;
    this.#log = log;
  }

  static async start(pool: pg.Pool, log: Log, { worker }: { worker: boolean }): Promise<Jobs> {
    const boss = new PgBoss({
      db: adapter(pool),
      migrate: false,
      createSchema: false,
      supervise: worker,
      schedule: worker,
    });
    // pg-boss reports failures of its background work here; without a listener they would end the process.
    boss.on('error', error => log.warn({ reason: error.message }, 'queue maintenance failed, will be tried again'));
    await boss.start();
    return new Jobs(boss, log);
  }

  async send<Data extends JobData>(kind: JobKind<Data>, data: Data, options: SendOptions = {}): Promise<void> {
    await this.#boss.send(kind.queue, data, options);
  }

  /** Works a kind of job; each goes through the door of its own company. */
  async work<Data extends JobData>(kind: JobKind<Data>, tenantOf: (companyId: CompanyId) => Tenant): Promise<void> {
    const { queue, batchSize, pollingIntervalSeconds } = kind;
    await this.#boss.work<Data>(queue, { batchSize, pollingIntervalSeconds }, async jobs => {
      for (const job of jobs) {
        await kind.work(tenantOf(job.data.companyId), job.data);
        this.#log.debug({ queue: kind.queue, jobId: job.id, companyId: job.data.companyId }, 'job done');
      }
    });
  }

  /** Lets jobs under way finish, up to the given time; what is left is taken up by another worker. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: timeoutMs });
  }
}

/** pg-boss on the service's own pool, so that one number bounds the process' connections; with `pg`'s own types, not MikroORM's. */
function adapter(pool: pg.Pool): { executeSql(text: string, values?: unknown[]): Promise<pg.QueryResult> } {
  return { executeSql: (text, values = []) => pool.query({ text, values, types: pg.types }) };
}
