import cluster, { type Worker } from 'node:cluster';
import { StartupError } from '../../platform/startup-error.ts';
import type { ProcessMetrics } from '../../platform/telemetry/gathered-metrics.ts';
import type { Ready } from '../service.ts';
import type { FromChild, FromPrimary } from './messages.ts';

export interface End {
  readonly pid?: number | undefined;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** The reason why it could not start, or be started. */
  readonly reason?: string | undefined;
  readonly ranMs: number;
}

/** How long a busy process may take to report. */
const REPORT_MS = 2_000;

/** A process that this one has forked. */
export class Child {
  /** Rejects with a StartupError if the process ends before. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<End>;
  readonly #worker: Worker;
  #isReady = false;
  #reporting = Promise.withResolvers<ProcessMetrics | undefined>();

  /**
   * @param env variables in addition to the environment of this process
   * @param scrape returns the metrics of all processes
   * @throws Error if the system cannot start another process
   */
  constructor(env: Readonly<Record<string, string>>, scrape: () => Promise<string>) {
    const startedAtMs = performance.now();
    const ready = Promise.withResolvers<Ready>();
    const ended = Promise.withResolvers<End>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    // A caller that stops it while it starts does not await it.
    this.ready.catch(() => undefined);
    const worker = cluster.fork(env);
    this.#worker = worker;
    let failure: string | undefined;
    worker.on('message', (message: FromChild) => {
      if (message.type === 'ready') {
        this.#isReady = true;
        ready.resolve(message.ready);
      } else if (message.type === 'failed') failure = message.failure;
      else if (message.type === 'values') this.#reported(message.values);
      else void this.#answer(scrape);
    });
    const end = (how: Omit<End, 'pid' | 'ranMs'>) => {
      this.#isReady = false;
      this.#reported(undefined);
      const reason = how.reason ?? `A process ended before it was ready (${how.signal ?? `exit code ${how.code}`}).`;
      ready.reject(new StartupError(reason));
      ended.resolve({ pid: this.pid, ...how, ranMs: Math.round(performance.now() - startedAtMs) });
    };
    // The process and its channel have ended, so all of its messages have been read.
    worker.process.once('close', (code: number | null, signal: string | null) => {
      // If a connection was on its way to it, Node keeps a process among the listeners.
      worker.disconnect();
      end({ code, signal, reason: failure });
    });
    // A process that the system did not start has no number, and no `close` event.
    worker.on('error', ({ message }) => {
      if (this.pid === undefined) end({ reason: `A process could not be started: ${message}.` });
    });
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  kill(signal: NodeJS.Signals): void {
    this.#worker.process.kill(signal);
  }

  /** Returns its metrics; undefined if it is not ready, has ended or takes too long. */
  async report(): Promise<ProcessMetrics | undefined> {
    if (!this.#isReady) return undefined;
    this.#tell({ type: 'report' });
    const overdue = setTimeout(() => this.#reported(undefined), REPORT_MS);
    const values = await this.#reporting.promise;
    clearTimeout(overdue);
    return values;
  }

  #reported(values: ProcessMetrics | undefined): void {
    this.#reporting.resolve(values);
    this.#reporting = Promise.withResolvers();
  }

  async #answer(scrape: () => Promise<string>): Promise<void> {
    this.#tell({ type: 'metrics', text: await scrape().catch(() => undefined) });
  }

  #tell(message: FromPrimary): void {
    // With a callback, the end of the process is not an error.
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => undefined);
  }
}
