import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import { Pool } from 'undici';
import { percentile } from '../../bench/load.ts';
import { nameOf } from './failure-name.ts';

/** The requests of the harness to this process. */
export type Request = { readonly begin: Target } | { readonly end: true };

export interface Target {
  readonly url: string;
  readonly apiKey: string;
  readonly paths: readonly string[];
}

export interface Experience {
  readonly count: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** How many failed, by status or by the error of the connection. */
  readonly failed: Readonly<Record<string, number>>;
  /** How late this process itself was at most: no time above is more exact than that. */
  readonly ownLagMs: number;
}

const EVERY_MS = 25;
const PATIENCE_MS = 15_000;
const CONNECTIONS = 64;
/** Connections that are open before the attack, like the connections of a running program. */
const OPENED = 16;

/**
 * Another company that asks 40 times a second, in a process of its own so that the attacker's work does not count as
 * the service's. It asks on, whether what it asked before was answered or not.
 */
class Asking {
  readonly #target: Target;
  readonly #pool: Pool;
  readonly #took: number[] = [];
  readonly #failed: Record<string, number> = {};
  readonly #lag = monitorEventLoopDelay({ resolution: 2 });
  #done: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(target: Target) {
    this.#target = target;
    this.#pool = new Pool(target.url, { connections: CONNECTIONS, pipelining: 1 });
    this.#lag.enable();
  }

  async end(): Promise<Experience> {
    this.#isOver = true;
    await this.#done;
    await this.#pool.destroy();
    const at = (share: number) => percentile(this.#took, share);
    const times = { count: this.#took.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: Math.max(0, ...this.#took) };
    return { ...times, failed: this.#failed, ownLagMs: this.#lag.max / 1e6 };
  }

  /** Opens connections, and begins to ask. */
  async open(): Promise<void> {
    await Promise.all(Array.from({ length: OPENED }, (_, i) => this.#ask(i)));
    this.#took.length = 0;
    this.#done = this.#askOn();
  }

  async #askOn(): Promise<void> {
    const startedAt = performance.now();
    const pending: Promise<void>[] = [];
    for (let i = 0; !this.#isOver; i++) {
      await setTimeout(Math.max(0, startedAt + i * EVERY_MS - performance.now()));
      if (!this.#isOver) pending.push(this.#ask(i));
    }
    await Promise.all(pending);
  }

  async #ask(i: number): Promise<void> {
    const { paths, apiKey } = this.#target;
    const startedAt = performance.now();
    const outcome = await this.#pool
      .request({
        method: 'GET',
        path: paths[i % paths.length] ?? '/',
        headers: { 'x-api-key': apiKey },
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      .then(async ({ statusCode, body }) => {
        await body.dump();
        return String(statusCode);
      })
      .catch((error: { code?: string | number; name: string }) => nameOf(error));
    this.#took.push(performance.now() - startedAt);
    if (outcome !== '200') this.#failed[outcome] = (this.#failed[outcome] ?? 0) + 1;
  }
}

let asking: Asking | undefined;
process.on('message', async (request: Request) => {
  if ('begin' in request) {
    asking = new Asking(request.begin);
    await asking.open();
    process.send?.('begun');
  } else process.send?.(await asking?.end());
});
