import type { Database } from '../database/database.ts';
import type { Tenant } from '../database/tenancy/tenancy.ts';
import type { Log } from '../telemetry/log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { Jobs } from './jobs.ts';
import type { HeldJob, JobData, Queue } from './queues.ts';

// What a domain declares of its background work: what a worker does with the jobs of a queue, and with the clock.

/** How a worker takes jobs out of a queue. */
export interface Intake {
  /** Jobs that one worker has in hand at a time. */
  readonly concurrency: number;
  /** Jobs of one group in hand, over all workers. Workers that look at the same moment may exceed it slightly. */
  readonly perGroup?: number;
  /** Seconds between looks at the queue while nothing is due. */
  readonly pollSeconds: number;
}

/** A kind of job, and what a worker does with one. An error fails the job, which pg-boss retries as the queue says. */
export interface JobKind<Data extends JobData> extends Queue<Data>, Intake {
  readonly work: (tenant: Tenant, data: Data, jobs: Jobs) => Promise<void>;
}

/** A kind of job whose reads and writes are done for many jobs at once. */
export interface BatchKind<Data extends object, Prepared, Result> extends Queue<Data>, Intake {
  /** Reads what the jobs just taken need; returns one for each, in their order. An error fails all of them. */
  readonly prepare: (jobs: readonly HeldJob<Data>[]) => Promise<readonly Prepared[]>;
  /** Works one job, beside the others in hand. The signal is aborted when the job is revoked or the process stops. */
  readonly work: (job: HeldJob<Data>, prepared: Prepared, signal: AbortSignal) => Promise<Result>;
  /**
   * Writes results and completes their jobs, in one transaction. Where it fails it is called again with the same results,
   * for as long as they may count.
   */
  readonly settle: (done: readonly Done<Data, Result>[]) => Promise<void>;
  /** Returns which of the jobs in hand are to be aborted; asked with every heartbeat. */
  readonly revoked?: (jobs: readonly HeldJob<Data>[]) => Promise<ReadonlySet<HeldJob<Data>>>;
}

/** A job with the result of its work. */
export interface Done<Data, Result> {
  readonly job: HeldJob<Data>;
  readonly result: Result;
}

/** How many days things are kept; 0 for ever. */
export interface Retention {
  readonly webhookDays: number;
  readonly changeDays: number;
  readonly carrierCallDays: number;
  readonly recipientDays: number;
  readonly timelineDays: number;
}

/** What work for all companies needs. */
export interface Housekeeping {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Where callers reach the service, for links; no slash at its end. */
  readonly publicUrl: string;
  readonly retention: Retention;
}

/** Work that is due by the clock, once over all workers. */
export interface Schedule extends Queue<object> {
  /** Minute, hour, day, month, weekday, in UTC. */
  readonly cron: string;
  readonly work: (housekeeping: Housekeeping) => Promise<void>;
}
