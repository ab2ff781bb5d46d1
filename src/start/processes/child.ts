import cluster, { type Worker } from 'node:cluster';
import { StartupError } from '../../platform/startup-error.ts';
import type { Figures } from '../../platform/telemetry/gathered-metrics.ts';
import type { Ready } from '../service.ts';
import type { FromChild, FromPrimary } from './messages.ts';

/** How a process came to its end. */
export interface End {
  readonly pid?: number | undefined;
  readonly code?: number | null;
  readonly signal?: string | null;
  /** Why it could not start, or be started. */
  readonly reason?: string | undefined;
  readonly ranMs: number;
}

/** How long a busy process may take to report. */
const REPORT_MS = 2_000;

/** A process that this one has forked, as seen from here. */
export class Child {
  /** Rejects with a StartupError where the process ends before. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<End>;
  readonly #worker: Worker;
  #isReady = false;
  #reporting = Promise.withResolvers<Figures | undefined>();

  /**
   * @param env variables that it gets in addition to those of this process
   * @param scrape the metrics of all processes
   * @throws Error where the system has no room for another process
   */
  constructor(env: Readonly<Record<string, string>>, scrape: () => Promise<string>) {
    const startedAtMs = performance.now();
    const ready = Promise.withResolvers<Ready>();
    const ended = Promise.withResolvers<End>();
    this.ready = ready.promise;
    this.ended = ended.promise;
    // Whoever stops it while it starts is not interested.
    this.ready.catch(() => undefined);
    const worker = cluster.fork(env);
    this.#worker = worker;
    let failure: string | undefined;
    worker.on('message', (message: FromChild) => {
      if (message.type === 'ready') {
        this.#isReady = true;
        ready.resolve(message.ready);
      } else if (message.type === 'failed') failure = message.failure;
      else if (message.type === 'figures') this.#reported(message.figures);
      else void this.#answer(scrape);
    });
    const end = (how: Omit<End, 'pid' | 'ranMs'>) => {
      this.#isReady = false;
      this.#reported(undefined);
      const reason = how.reason ?? `A process ended before it was ready (${how.signal ?? `exit code ${how.code}`}).`;
      ready.reject(new StartupError(reason));
      ended.resolve({ pid: this.pid, ...how, ranMs: Math.round(performance.now() - startedAtMs) });
    };
    // The end of the process and of the channel to it: all that it sent has been read by then.
    worker.process.once('close', (code: number | null, signal: string | null) => {
      // Node leaves a process among those that listen if a connection was on its way to it.
      worker.disconnect();
      end({ code, signal, reason: failure });
    });
    // One that the system did not start has no number, and no end of its own.
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

  /** Its metrics; undefined where it is not ready, has ended or takes too long. */
  async report(): Promise<Figures | undefined> {
    if (!this.#isReady) return undefined;
    this.#tell({ type: 'report' });
    const overdue = setTimeout(() => this.#reported(undefined), REPORT_MS);
    const figures = await this.#reporting.promise;
    clearTimeout(overdue);
    return figures;
  }

  #reported(figures: Figures | undefined): void {
    this.#reporting.resolve(figures);
    this.#reporting = Promise.withResolvers();
  }

  async #answer(scrape: () => Promise<string>): Promise<void> {
    this.#tell({ type: 'metrics', text: await scrape().catch(() => undefined) });
  }

  #tell(message: FromPrimary): void {
    // With a callback it is no error that a process ends just now.
    if (this.#worker.isConnected()) this.#worker.send(message, undefined, () => undefined);
  }
}
