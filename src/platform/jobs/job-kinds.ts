import type { Database } from '../database/database.ts';
import type { Tenant } from '../database/tenancy/tenancy.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Jobs } from './jobs.ts';
import type { JobData, LeasedJob, Queue } from './queues.ts';

// The background work that a domain declares: the handling of a queue's jobs, and scheduled work.

/** How a worker takes jobs out of a queue. */
interface Intake {
  /** Jobs that one worker has in hand at a time. */
  readonly concurrency: number;
  /** Jobs of one group in hand, over all workers. Workers that fetch at the same moment may exceed it slightly. */
  readonly perGroup?: number;
  /** Seconds between fetches while nothing is due. */
  readonly pollSeconds: number;
}

/** A kind of job, and how a worker carries it out. An error fails the job, which pg-boss retries as the queue says. */
export interface JobKind<Data extends JobData> extends Queue<Data>, Intake {
  readonly work: (tenant: Tenant, data: Data, jobs: Jobs) => Promise<void>;
}

/** A kind of job whose reads and writes are done for many jobs at once. */
export interface BatchKind<Data extends object, Prepared, Result> extends Queue<Data>, Intake {
  /** Reads what the jobs just taken need; returns one for each, in their order. An error fails all of them. */
  readonly prepare: (jobs: readonly LeasedJob<Data>[]) => Promise<readonly Prepared[]>;
  /** Carries out one job, beside the others in hand. The signal aborts when the job is revoked or the process stops. */
  readonly work: (job: LeasedJob<Data>, prepared: Prepared, signal: AbortSignal) => Promise<Result>;
  /**
   * Writes results and completes their jobs, in one transaction. After an error it is called again with the same
   * results, until the results are too old to count.
   */
  readonly complete: (done: readonly Done<Data, Result>[]) => Promise<void>;
  /** Returns which of the jobs in hand are to be aborted; asked with every heartbeat. */
  readonly revoked?: (jobs: readonly LeasedJob<Data>[]) => Promise<ReadonlySet<LeasedJob<Data>>>;
}

/** A job with the result of its work. */
export interface Done<Data, Result> {
  readonly job: LeasedJob<Data>;
  readonly result: Result;
}

/** How many days things are kept; 0 keeps them indefinitely. */
export interface Retention {
  readonly webhookDays: number;
  readonly changeDays: number;
  readonly carrierCallDays: number;
  readonly recipientDays: number;
  readonly timelineDays: number;
}

/** The tools of work that spans all companies. */
export interface Housekeeping {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where callers reach the service, for links; no slash at its end. */
  readonly publicUrl: string;
  readonly retention: Retention;
}

/** Work that runs by the clock, once over all workers. */
export interface Schedule extends Queue<object> {
  /** Minute, hour, day, month, weekday, in UTC. */
  readonly cron: string;
  readonly work: (housekeeping: Housekeeping) => Promise<void>;
}
