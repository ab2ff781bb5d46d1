import type { QueueOptions, QueuePolicy } from 'pg-boss';
import type { CompanyId } from '../database/tenancy/company-id.ts';

// Queues that a domain declares, and the jobs that are written to them and taken from them.

/** Data of every job: the company it acts for, and what it is about. */
export interface JobData {
  readonly companyId: CompanyId;
  /** Another company whose name or data the job contains. The job is deleted when that company is erased. */
  readonly about?: CompanyId;
}

/** A queue of pg-boss. `Data` is the type of its jobs' data; nothing checks it while the service runs. */
export interface Queue<Data> {
  readonly queue: string;
  readonly options: QueueOptions;
  readonly policy?: QueuePolicy;
  /** The channel that is notified of jobs that are due at once, so that workers look before their next poll. */
  readonly channel?: string;
  /** Receives the jobs that failed for good. */
  readonly deadLetter?: Queue<Data>;
}

/** Options of queues whose jobs may be lost, because the next job does the same work. */
export const RENEWED: QueueOptions = { retryLimit: 2, retentionSeconds: 3600, deleteAfterSeconds: 3600 };

/** A job that a worker has leased. The retry count tells this lease from a later one of another worker. */
export interface LeasedJob<Data> {
  readonly id: string;
  readonly retryCount: number;
  readonly data: Data;
}

/** A job to be written. Jobs of one group share the limit on jobs in hand. */
export interface NewJob<Data> {
  readonly data: Data;
  readonly group?: string;
  /** For a queue whose policy compares keys. */
  readonly key?: string;
  readonly startAfter?: Date | undefined;
}

/** Identifies leases, so that pg-boss completes or renews only jobs that this worker still holds. */
export function leasesOf(jobs: readonly LeasedJob<unknown>[]): { id: string; retryCount: number }[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}
