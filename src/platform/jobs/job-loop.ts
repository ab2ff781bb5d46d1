import type { PgBoss } from 'pg-boss';
import type { Log } from '../telemetry/log.ts';
import type { HeldJob } from './jobs.ts';

/** Well within the heartbeat that pg-boss expects. */
const TOUCH_MS = 3_000;
const RETRY_MS = 500;

export interface LoopOptions<Data> {
  readonly queue: string;
  /** How many it has in hand at a time. */
  readonly slots: number;
  /** How many of one group may be in hand, over all workers; it may be exceeded slightly. */
  readonly perGroup: number;
  /** How often it looks when nothing has called for it. */
  readonly pollMs: number;
  readonly work: (data: Data, jobId: string) => Promise<void>;
}

/**
 * Works jobs side by side. pg-boss' own `work` has a look of its own for each that is side by side, all at the same
 * moment, and so takes as many of one group; and it rests after every job.
 */
export class JobLoop<Data extends object> {
  readonly #boss: PgBoss;
  readonly #options: LoopOptions<Data>;
  readonly #log: Log;
  readonly #inHand = new Set<HeldJob<Data>>();
  readonly #touching: NodeJS.Timeout;
  readonly #loop: Promise<void>;
  #isStopping = false;
  #isCalled = false;
  #call: () => void = () => undefined;

  constructor(boss: PgBoss, options: LoopOptions<Data>, log: Log) {
    this.#boss = boss;
    this.#options = options;
    this.#log = log;
    this.#touching = setInterval(() => void this.#touch(), TOUCH_MS);
    this.#loop = this.#run();
  }

  /** Takes nothing new, waits for what is in hand, and gives back the rest. */
  async stop(timeoutMs: number): Promise<void> {
    this.#isStopping = true;
    this.#wake();
    await this.#loop;
    const deadline = Date.now() + timeoutMs;
    while (this.#inHand.size > 0 && Date.now() < deadline) {
      this.#isCalled = false;
      await this.#called(deadline - Date.now());
    }
    clearInterval(this.#touching);
    await Promise.all(Array.from(this.#inHand, job => this.#fail(job, new Error('shut down'))));
  }

  async #run(): Promise<void> {
    const { queue, slots, perGroup, pollMs } = this.#options;
    let isAway = false;
    while (!this.#isStopping) {
      const batchSize = slots - this.#inHand.size;
      this.#isCalled = false;
      try {
        const options = { batchSize, groupConcurrency: perGroup };
        const taken: HeldJob<Data>[] = batchSize > 0 ? await this.#boss.fetch<Data>(queue, options) : [];
        isAway = false;
        for (const job of taken) void this.#do(job);
        // Not where some were taken: behind what is beyond a group's share, of which they came, others may stand.
        if (taken.length === 0) await this.#called(pollMs);
      } catch (error) {
        if (!isAway) this.#log.warn({ queue, reason: (error as Error).message }, 'queue cannot be read, trying on');
        isAway = true;
        await this.#called(RETRY_MS);
      }
    }
  }

  async #do(job: HeldJob<Data>): Promise<void> {
    const { queue, work } = this.#options;
    this.#inHand.add(job);
    try {
      await work(job.data, job.id);
      await this.#boss.complete(queue, holdOf(job));
    } catch (error) {
      this.#log.warn({ queue, jobId: job.id, reason: (error as Error).message }, 'job failed');
      await this.#fail(job, error as Error);
    }
    this.#inHand.delete(job);
    this.#wake();
  }

  async #fail(job: HeldJob<Data>, error: Error): Promise<void> {
    // Where that is not possible either its hold runs out, and it is taken up again.
    await this.#boss.fail(this.#options.queue, holdOf(job), error).catch(() => undefined);
  }

  async #touch(): Promise<void> {
    if (this.#inHand.size === 0) return;
    const { queue } = this.#options;
    await this.#boss.touch(queue, Array.from(this.#inHand, holdOf)).catch(error => {
      this.#log.warn({ queue, reason: error.message }, 'jobs in hand could not be confirmed');
    });
  }

  #wake(): void {
    this.#isCalled = true;
    this.#call();
  }

  async #called(ms: number): Promise<void> {
    if (this.#isCalled) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, ms);
    this.#call = resolve;
    await promise;
    clearTimeout(timer);
  }
}

function holdOf({ id, retryCount }: HeldJob<unknown>): { id: string; retryCount: number } {
  return { id, retryCount };
}
