import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { logRepeated } from '../telemetry/failure-log.ts';
import type { Log } from '../telemetry/log.ts';
import type { BatchKind, Done } from './job-kinds.ts';
import { type HeldJob, holds } from './queues.ts';

/** Taken at one look. */
const MAX_FETCH = 100;
/** While fewer slots are free, a moment's wait fills a look with more jobs. */
const FEW_SLOTS = 32;
const GATHER_MS = 3;
/** Results that are written together. */
const MAX_SETTLE = 500;
/** Results are written again for as long as a job may be held; what is lost of them is worked again. */
const SETTLE_TRIES = 100;
const STOPPING_TRIES = 2;
const SPLIT_AFTER = 5;
const RETRY_MS = 500;
/** Well within the heartbeat of any queue. */
const TOUCH_MS = 3_000;
/** For work that was aborted to end, and its results to be written. */
const ABORTED_MS = 1_500;

/** Returns those of the jobs that are to be worked now. */
export type ToWork<Data> = (jobs: readonly HeldJob<Data>[]) => Promise<readonly HeldJob<Data>[]>;

interface Failed<Data> {
  readonly job: HeldJob<Data>;
  readonly error: Error;
}

/**
 * The loop that works every queue of this service: it takes jobs that are due, as many as it has free slots, prepares those
 * of one look together, works them beside each other, and settles together whatever is done by then.
 *
 * It uses pg-boss' `fetch`, `complete`, `fail` and `touch`, and not its `work()`, in which a worker takes a batch and looks
 * again when all of it is done: one slow job holds up its batch, and results cannot be written in one transaction with the
 * completion of their jobs, since `transactional` and `perJobResults` exclude each other.
 *
 * `npm run bench -- jobs` compares both at 50 groups of which 10 jobs each may be in hand; pg-boss 12.38.0, `work()` with
 * `perJobResults`, `notify` and `burstWhenBatchFull`, on two busy cores, the median of three rounds by turns:
 *
 *     jobs/s, CPU ms for 1,000 jobs          all take 2 ms     one group hangs for 5 s: the others
 *     this loop                              2,046    23       5,516    22
 *     work(), 10 workers, batches of 100     4,238    18         128    92
 *     work(), 100 workers, batches of 10     1,050    66          97   160
 *
 * Where nothing is slow, ten workers that fetch at once win more of a busy database (8,050 and 10,946 jobs/s in the round
 * without other load), and exceed the limit of a group, by up to twice. Webhooks go to receivers that hang.
 */
export class JobLoop<Data extends object, Prepared, Result> {
  readonly #boss: PgBoss;
  readonly #kind: BatchKind<Data, Prepared, Result>;
  readonly #log: Log;
  readonly #toWork: ToWork<Data>;
  readonly #inHand = new Map<HeldJob<Data>, AbortController>();
  readonly #touching: NodeJS.Timeout | undefined;
  readonly #loop: Promise<void>;
  #done: (Done<Data, Result> | Failed<Data>)[] = [];
  #settling: Promise<void> | undefined;
  #isStopping = false;
  #isWoken = false;
  #wake: () => void = () => undefined;

  /** @param toWork puts aside what is not to be worked now, and returns the rest */
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

  /** Jobs that this worker holds. */
  get inHand(): number {
    return this.#inHand.size;
  }

  /** Looks at the queue at once. */
  wake(): void {
    this.#isWoken = true;
    this.#wake();
  }

  /** Aborts the jobs in hand whose data are meant. */
  abort(isMeant: (data: Data) => boolean): void {
    for (const [job, controller] of this.#inHand) if (isMeant(job.data)) controller.abort();
  }

  /** Takes no more jobs, waits for those in hand, aborts what takes longer than that, and returns the rest to the queue. */
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
        const taken: HeldJob<Data>[] = batchSize > 0 ? await this.#boss.fetch<Data>(queue, options) : [];
        for (const job of taken) this.#inHand.set(job, new AbortController());
        // Not where some were taken: pg-boss looks at the oldest first and leaves out of those what is beyond a group's
        // share, so that others may stand behind them.
        if (taken.length > 0) void this.#take(taken);
        else await this.#woken(pollSeconds * 1000);
      } catch (error) {
        this.#warn('queue cannot be read, will be tried again', error as Error);
        await pause(RETRY_MS);
      }
    }
  }

  async #take(taken: readonly HeldJob<Data>[]): Promise<void> {
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

  async #work(job: HeldJob<Data>, prepared: Prepared): Promise<void> {
    try {
      const { signal } = this.#inHand.get(job) as AbortController;
      this.#finish({ job, result: await this.#kind.work(job, prepared, signal) });
    } catch (error) {
      this.#finish({ job, error: error as Error });
    }
  }

  #finish(done: Done<Data, Result> | Failed<Data>): void {
    this.#done.push(done);
    this.#settling ??= this.#settleAll();
  }

  /** Writes results for as long as there are some: while one batch is written the next comes together. */
  async #settleAll(): Promise<void> {
    // What comes in during this turn of the event loop is of the first batch.
    await nextTurn();
    while (this.#done.length > 0) {
      const batch = this.#done.splice(0, MAX_SETTLE);
      const failed = batch.filter(one => 'error' in one);
      const byError = Map.groupBy(failed, ({ error }) => error);
      for (const [error, of] of byError) await this.#failed(of, error);
      const done = batch.filter(one => 'result' in one);
      if (done.length > 0) await this.#settle(done);
    }
    this.#settling = undefined;
  }

  /** Writes results; where they cannot be written together, in ever smaller parts. */
  async #settle(done: readonly Done<Data, Result>[]): Promise<void> {
    for (let tries = 0; tries < SPLIT_AFTER; tries++) {
      if (await this.#written(done, tries)) return;
      await pause(RETRY_MS);
    }
    if (done.length > 1) {
      const half = Math.ceil(done.length / 2);
      await this.#settle(done.slice(0, half));
      return this.#settle(done.slice(half));
    }
    // The others do not wait for one that cannot be written.
    void this.#settleAlone(done);
  }

  async #settleAlone(done: readonly Done<Data, Result>[]): Promise<void> {
    for (let tries = SPLIT_AFTER; !(await this.#written(done, tries)); tries++) await pause(RETRY_MS);
  }

  /** Whether results are written, or given up after that many tries. */
  async #written(done: readonly Done<Data, Result>[], tries: number): Promise<boolean> {
    try {
      await this.#kind.settle(done);
    } catch (error) {
      this.#warn('results of jobs not written', error as Error, { results: done.length });
      if (tries < (this.#isStopping ? STOPPING_TRIES : SETTLE_TRIES)) return false;
    }
    this.#release(done.map(({ job }) => job));
    return true;
  }

  /** Slots are free, and so may be those of a group that had all of its. */
  #release(jobs: readonly HeldJob<Data>[]): void {
    for (const job of jobs) this.#inHand.delete(job);
    this.wake();
  }

  async #failed(failed: readonly Failed<Data>[], error: Error): Promise<void> {
    for (const { job } of failed) this.#warn('job failed', error, { jobId: job.id });
    const jobs = failed.map(({ job }) => job);
    await this.#fail(jobs, error);
    this.#release(jobs);
  }

  async #fail(jobs: readonly HeldJob<Data>[], error: Error): Promise<void> {
    // Where that is not possible either, the hold runs out, and another worker takes the job.
    await this.#boss.fail(this.#kind.queue, holds(jobs), error).catch(() => undefined);
  }

  /** Keeps the holds of the jobs in hand, and aborts those that were revoked. */
  async #touch(): Promise<void> {
    const jobs = [...this.#inHand.keys()];
    if (jobs.length === 0) return;
    const { queue, revoked } = this.#kind;
    try {
      await this.#boss.touch(queue, holds(jobs));
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
