import type { QueueOptions, QueuePolicy } from 'pg-boss';
import type { CompanyId } from '../database/tenancy/company-id.ts';

// What a domain declares of its queues, and what is written to them and taken out of them.

/** Data of every job: the company it acts for, and what it is about. */
export interface JobData {
  readonly companyId: CompanyId;
  /** Another company whose name or data the job holds. The job is deleted when that company is erased. */
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

/** Of queues whose jobs may be lost: the next job does what the lost one left. */
export const RENEWED: QueueOptions = { retryLimit: 2, retentionSeconds: 3600, deleteAfterSeconds: 3600 };

/** A job that a worker holds. The retry count tells this hold from one that another worker has after it ran out. */
export interface HeldJob<Data> {
  readonly id: string;
  readonly retryCount: number;
  readonly data: Data;
}

/** A job to be written; those of one group share the limit on jobs in hand. */
export interface NewJob<Data> {
  readonly data: Data;
  readonly group?: string;
  /** For a queue whose policy compares keys. */
  readonly key?: string;
  readonly startAfter?: Date | undefined;
}

/** What pg-boss needs to settle or touch jobs only while they are still held by this worker. */
export function holds(jobs: readonly HeldJob<unknown>[]): { id: string; retryCount: number }[] {
  return jobs.map(({ id, retryCount }) => ({ id, retryCount }));
}
