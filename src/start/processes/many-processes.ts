import cluster from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../config.ts';
import { keptSecretsKey } from '../../platform/secrets/secret-box.ts';
import { GatheredMetrics } from '../../platform/telemetry/gathered-metrics.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import type { Ready, Service } from '../service.ts';
import { Child, type End } from './child.ts';

/** The pause between the end of a process and the start of its replacement; it doubles after each. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** After running this long, a process did not end for the reason of the one before it. */
const STEADY_MS = 60_000;
/** The time for a process to stop; the rest of the ten seconds is for the database. */
const STOP_MS = 8_500;

/** `isEmbedded`: the database is the embedded one, whose address no setting has. */
type Settings = Config & { databaseUrl: string; isEmbedded: boolean };

/**
 * The service in several processes behind one port, which this process starts, watches and stops; it carries out no
 * request itself. Each has the role of the settings: with `all` each responds to requests and works jobs, so both loads
 * use all cores, and the others take over when one ends.
 */
export function manyProcesses(settings: Settings, log: Log, stopped: Promise<unknown>): Service {
  // Connections are distributed round-robin; the system would give most of them to a few processes. With `listen({
  // reusePort: true })` in each of two processes, one of them had 5 to 11 of 16 connections, and of 1,000 new
  // connections up to 3 were reset when a process stopped, because the system assigns them before the port is closed.
  cluster.schedulingPolicy = cluster.SCHED_RR;
  cluster.setupPrimary({ exec: fileURLToPath(new URL('child-main.ts', import.meta.url)) });
  return new Processes(settings, log, stopped);
}

class Processes implements Service {
  readonly ready: Promise<Ready | undefined>;
  readonly #settings: Settings;
  readonly #log: Log;
  readonly #children = new Set<Child>();
  readonly #stopping = new AbortController();
  readonly #metrics = new GatheredMetrics<Child | 'primary'>();
  readonly #own = createMetrics();
  #scraping: Promise<string> | undefined;
  #port: number;
  #secretsKey = '';

  constructor(settings: Settings, log: Log, stopped: Promise<unknown>) {
    this.#settings = settings;
    this.#log = log;
    this.#port = settings.port;
    // Processes that receive the same signal end before they are ready, which is not a failure.
    this.ready = Promise.race([stopped.then(() => undefined), this.#start()]);
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const kill = (signal: NodeJS.Signals) => {
      for (const child of this.#children) child.kill(signal);
    };
    kill('SIGTERM');
    const overdue = setTimeout(() => kill('SIGKILL'), STOP_MS);
    await Promise.all(Array.from(this.#children, ({ ended }) => ended));
    clearTimeout(overdue);
  }

  /** All at once: processes that migrate wait for each other, and one of them makes the demo company. */
  async #start(): Promise<Ready> {
    const { demo, processes, secretsKey, dataDir } = this.#settings;
    // Starting may take a while, so the operator is informed.
    this.#log.info({ processes }, 'starting processes');
    if (secretsKey === undefined) this.#secretsKey = await keptSecretsKey(dataDir);
    const first = this.#fork(demo);
    const children = [first, ...Array.from({ length: processes - 1 }, () => this.#fork())];
    await Promise.all(children.map(child => child.ready));
    const ready = await first.ready;
    for (const { ended } of children) void this.#replaceAlways(ended, ready);
    return ready;
  }

  /** Replaces every process that ends, for as long as the service runs. */
  async #replaceAlways(ended: Promise<End>, { url }: Ready): Promise<void> {
    let end = await ended;
    for (let pauseMs = FIRST_PAUSE_MS; !this.#stopping.signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      if (end.ranMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      const { pid, ...how } = end;
      this.#log.error({ process: pid, ...how, replacedAfterMs: pauseMs }, 'a process has ended and is replaced');
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      // With no process left to keep the port, port 0 would select another one than callers know.
      if (this.#children.size === 0) this.#port = Number(new URL(url).port);
      end = await this.#replace();
    }
  }

  async #replace(): Promise<End> {
    try {
      const child = this.#fork();
      const about = { process: child.pid };
      child.ready.then(
        () => this.#log.info(about, 'a process is ready in the place of one that has ended'),
        () => undefined,
      );
      return await child.ended;
    } catch (error) {
      return { reason: (error as Error).message, ranMs: 0 };
    }
  }

  #fork(demo = false): Child {
    this.#stopping.signal.throwIfAborted();
    const { databaseUrl, isEmbedded, secretsKey, carrierSandboxUrl = '' } = this.#settings;
    const env = {
      // A process reads the secrets of the settings itself: the content of a file stays out of the environment.
      ...(isEmbedded && { DATABASE_URL: databaseUrl }),
      ...(secretsKey === undefined && { SECRETS_KEY: this.#secretsKey }),
      CARRIER_SANDBOX_URL: carrierSandboxUrl,
      PORT: String(this.#port),
      DEMO: String(demo),
    };
    const child = new Child(env, () => this.#scrape());
    this.#children.add(child);
    void child.ended.then(() => {
      this.#children.delete(child);
      this.#metrics.end(child);
    });
    return child;
  }

  /** One round for all concurrent scrapes. */
  #scrape(): Promise<string> {
    this.#scraping ??= this.#gather().finally(() => {
      this.#scraping = undefined;
    });
    return this.#scraping;
  }

  async #gather(): Promise<string> {
    const own = await this.#own.registry.getMetricsAsJSON();
    // Memory, CPU and files only: delays of this event loop say nothing, as it carries out no request.
    this.#metrics.update(
      'primary',
      own.filter(({ name }) => name.startsWith('process_')),
    );
    const report = async (child: Child) => {
      const values = await child.report();
      if (values && this.#children.has(child)) this.#metrics.update(child, values);
    };
    await Promise.all(Array.from(this.#children, report));
    return this.#metrics.text();
  }
}
