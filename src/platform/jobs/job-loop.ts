import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { BatchKind, Done } from './job-kinds.ts';
import { type LeasedJob, leasesOf } from './queues.ts';

/** Jobs that one fetch takes at most. */
const MAX_FETCH = 100;
/** While fewer slots are free, a short wait lets one fetch take more jobs. */
const FEW_SLOTS = 32;
const GATHER_MS = 3;
/** Results that are written together. */
const MAX_COMPLETE = 500;
/** Results are written again for as long as a lease may last; jobs whose results are lost run again. */
const COMPLETE_TRIES = 100;
const STOPPING_TRIES = 2;
const SPLIT_AFTER = 5;
const RETRY_MS = 500;
/** Shorter than the heartbeat of any queue. */
const TOUCH_MS = 3_000;
/** The time for aborted work to end and for its results to be written. */
const ABORTED_MS = 1_500;

/** Returns the jobs that are to run now. */
export type ToWork<Data> = (jobs: readonly LeasedJob<Data>[]) => Promise<readonly LeasedJob<Data>[]>;

interface Failed<Data> {
  readonly job: LeasedJob<Data>;
  readonly error: Error;
}

/**
 * The loop that works every queue of this service: it takes jobs that are due, as many as it has free slots, prepares
 * the jobs of one look together, works them beside each other, and completes all finished ones together.
 *
 * It uses pg-boss' `fetch`, `complete`, `fail` and `touch`, and not its `work()`, in which a worker takes a batch and looks
 * again when all of it is done: one slow job holds up its batch, and results cannot be written in one transaction with the
 * completion of their jobs, since `transactional` and `perJobResults` exclude each other.
 *
 * `npm run bench -- jobs` compares both at 50 groups of which 10 jobs each may be in hand; pg-boss 12.38.0, `work()` with
 * `perJobResults`, `notify`, `burstWhenBatchFull` and `localGroupConcurrency`, on two cores that did nothing else, the
 * median of three rounds by turns:
 *
 *     jobs/s, CPU ms for 1,000 jobs          all take 2 ms     one group hangs for 5 s: the others
 *     this loop                              6,784    18      16,007    20
 *     work(), 10 workers, batches of 100     9,476    17         193   153
 *     work(), 100 workers, batches of 10     3,507    64         130   217
 *     work(), 500 workers of 1 job           1,000   326       1,054   347
 *
 * Where nothing is slow, ten workers that fetch at once win, and exceed the limit of a group, by up to twice. Webhooks go
 * to receivers that hang. With workers of one job no batch waits, but each job is a fetch and a completion of its own.
 */
export class JobLoop<Data extends object, Prepared, Result> {
  readonly #boss: PgBoss;
  readonly #kind: BatchKind<Data, Prepared, Result>;
  readonly #log: Log;
  readonly #toWork: ToWork<Data>;
  readonly #inHand = new Map<LeasedJob<Data>, AbortController>();
  readonly #touching: NodeJS.Timeout | undefined;
  readonly #loop: Promise<void>;
  #done: (Done<Data, Result> | Failed<Data>)[] = [];
  #completing: Promise<void> | undefined;
  #isStopping = false;
  #isWoken = false;
  #wake: () => void = () => undefined;

  /** @param toWork puts jobs aside that must not run now, and returns the others */
  constructor(
    boss: PgBoss,
    kind: BatchKind<Data, Prepared, Result>,
    log: Log,
    toWork: ToWork<Data> = async jobs => jobs,
  ) {
    this.#toWork = toWork;
    this.#boss = boss;
    this.#kind = kind;
    this.#log = log;
    if (kind.options.heartbeatSeconds !== undefined) this.#touching = setInterval(() => void this.#touch(), TOUCH_MS);
    this.#loop = this.#run();
  }

  /** Jobs that this worker has leased. */
  get inHand(): number {
    return this.#inHand.size;
  }

  /** Looks at the queue at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  abort(isMeant: (data: Data) => boolean): void {
    for (const [job, controller] of this.#inHand) if (isMeant(job.data)) controller.abort();
  }

  /** Stops fetching, waits for the jobs in hand, aborts those that take longer, and returns the rest to the queue. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await this.#loop;
    await this.#emptied(timeoutMs);
    this.abort(() => true);
    await this.#emptied(ABORTED_MS);
    clearInterval(this.#touching);
    const left = [...this.#inHand.keys()];
    if (left.length > 0) await this.#fail(left, new Error('shut down'));
  }

  async #run(): Promise<void> {
    const { queue, concurrency, perGroup, pollSeconds } = this.#kind;
    while (!this.#isStopping) {
      if (this.#inHand.size > 0 && concurrency - this.#inHand.size < FEW_SLOTS) await pause(GATHER_MS);
      const batchSize = Math.min(concurrency - this.#inHand.size, MAX_FETCH);
      this.#isWoken = false;
      try {
        const options = { batchSize, ...(perGroup !== undefined && { groupConcurrency: perGroup }) };
        const taken: LeasedJob<Data>[] = batchSize > 0 ? await this.#boss.fetch<Data>(queue, options) : [];
        for (const job of taken) this.#inHand.set(job, new AbortController());
        // An empty fetch is the only reason to wait: pg-boss looks at the oldest jobs first and skips those above the
        // limit of their group, so others may be due behind them.
        if (taken.length > 0) void this.#take(taken);
        else await this.#woken(pollSeconds * 1000);
      } catch (error) {
        this.#warn('queue cannot be read, will be tried again', error as Error);
        await pause(RETRY_MS);
      }
    }
  }

  async #take(taken: readonly LeasedJob<Data>[]): Promise<void> {
    let jobs = taken;
    try {
      jobs = await this.#toWork(taken);
      if (jobs.length < taken.length) this.#release(taken.filter(job => !jobs.includes(job)));
      if (jobs.length === 0) return;
      const prepared = await this.#kind.prepare(jobs);
      for (const [i, job] of jobs.entries()) void this.#work(job, prepared[i] as Prepared);
    } catch (error) {
      for (const job of jobs) this.#finish({ job, error: error as Error });
    }
  }

  async #work(job: LeasedJob<Data>, prepared: Prepared): Promise<void> {
    try {
      const { signal } = this.#inHand.get(job) as AbortController;
      this.#finish({ job, result: await this.#kind.work(job, prepared, signal) });
    } catch (error) {
      this.#finish({ job, error: error as Error });
    }
  }

  #finish(done: Done<Data, Result> | Failed<Data>): void {
    this.#done.push(done);
    this.#completing ??= this.#completeAll();
  }

  /** Writes results until none is left; the next batch gathers while one is written. */
  async #completeAll(): Promise<void> {
    // Results that arrive during this turn of the event loop join the first batch.
    await nextTurn();
    while (this.#done.length > 0) {
      const batch = this.#done.splice(0, MAX_COMPLETE);
      const failed = batch.filter(one => 'error' in one);
      const byError = Map.groupBy(failed, ({ error }) => error);
      for (const [error, of] of byError) await this.#failed(of, error);
      const done = batch.filter(one => 'result' in one);
      if (done.length > 0) await this.#complete(done);
    }
    this.#completing = undefined;
  }

  /** Writes results; if they cannot be written together, it splits them into ever smaller parts. */
  async #complete(done: readonly Done<Data, Result>[]): Promise<void> {
    for (let tries = 0; tries < SPLIT_AFTER; tries++) {
      if (await this.#written(done, tries)) return;
      await pause(RETRY_MS);
    }
    if (done.length > 1) {
      const half = Math.ceil(done.length / 2);
      await this.#complete(done.slice(0, half));
      return this.#complete(done.slice(half));
    }
    // The others do not wait for a result that cannot be written.
    void this.#completeAlone(done);
  }

  async #completeAlone(done: readonly Done<Data, Result>[]): Promise<void> {
    for (let tries = SPLIT_AFTER; !(await this.#written(done, tries)); tries++) await pause(RETRY_MS);
  }

  /** Returns whether the results were written, or given up after `tries` attempts. */
  async #written(done: readonly Done<Data, Result>[], tries: number): Promise<boolean> {
    try {
      await this.#kind.complete(done);
    } catch (error) {
      this.#warn('results of jobs not written', error as Error, { results: done.length });
      if (tries < (this.#isStopping ? STOPPING_TRIES : COMPLETE_TRIES)) return false;
    }
    this.#release(done.map(({ job }) => job));
    return true;
  }

  /** Wakes the loop, because slots are free and a full group may have room again. */
  #release(jobs: readonly LeasedJob<Data>[]): void {
    for (const job of jobs) this.#inHand.delete(job);
    this.wake();
  }

  async #failed(failed: readonly Failed<Data>[], error: Error): Promise<void> {
    for (const { job } of failed) this.#warn('job failed', error, { jobId: job.id });
    const jobs = failed.map(({ job }) => job);
    await this.#fail(jobs, error);
    this.#release(jobs);
  }

  async #fail(jobs: readonly LeasedJob<Data>[], error: Error): Promise<void> {
    // If that fails too, the lease expires and another worker takes the job.
    await this.#boss.fail(this.#kind.queue, leasesOf(jobs), error).catch(() => undefined);
  }

  /** Renews the leases of the jobs in hand, and aborts the jobs that were revoked. */
  async #touch(): Promise<void> {
    const jobs = [...this.#inHand.keys()];
    if (jobs.length === 0) return;
    const { queue, revoked } = this.#kind;
    try {
      await this.#boss.touch(queue, leasesOf(jobs));
      for (const job of (await revoked?.(jobs)) ?? []) this.#inHand.get(job)?.abort();
    } catch (error) {
      this.#warn('jobs in hand could not be confirmed', error as Error);
    }
  }

  #warn(message: string, { message: reason }: Error, fields: object = {}): void {
    const { queue } = this.#kind;
    logRepeated(this.#log, { level: 'warn', message, fields: { queue, ...fields, reason }, kind: { queue } });
  }

  async #emptied(timeoutMs: number): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    while (this.#inHand.size > 0 && Date.now() < deadline) {
      this.#isWoken = false;
      await this.#woken(deadline - Date.now());
    }
  }

  async #woken(ms: number): Promise<void> {
    if (this.#isWoken) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
