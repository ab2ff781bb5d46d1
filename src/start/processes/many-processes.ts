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

/** Between the end of a process and the start of the next in its place; twice as long after each. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
/** A process that ran so long did not end of what ended the one before it. */
const STEADY_MS = 60_000;
/** What a process has to stop in; the rest of the ten seconds is for the database. */
const STOP_MS = 8_500;

type Settings = Config & { databaseUrl: string };

/**
 * The service in several processes behind one port, which this one starts, watches and stops; it carries out no request
 * itself. Each has the role of the settings: with `all` each responds to requests and works jobs, so that the load of
 * either goes to all cores, and none of them is missed when it ends.
 */
export function manyProcesses(settings: Settings, log: Log, stopped: Promise<unknown>): Service {
  // Connections go to the processes in turn; the system would leave most of them to a few. Without a primary that accepts,
  // by `listen({ reusePort: true })` in each of two processes, one of them had 5 to 11 of 16 connections, and of 1,000 new
  // connections up to 3 were reset when a process stopped: the system gives them to it before it closes the port.
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
    // Processes that the same signal has reached end before they are ready, which is no failure then.
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

  /** All at once: those that migrate follow each other, and one of them makes the demo company. */
  async #start(): Promise<Ready> {
    const { demo, processes, secretsKey, dataDir } = this.#settings;
    // They may take a while: an operator sees that something happens.
    this.#log.info({ processes }, 'starting processes');
    this.#secretsKey = secretsKey ?? (await keptSecretsKey(dataDir));
    const first = this.#fork(demo);
    const children = [first, ...Array.from({ length: processes - 1 }, () => this.#fork())];
    await Promise.all(children.map(child => child.ready));
    const ready = await first.ready;
    for (const { ended } of children) void this.#replaceAlways(ended, ready);
    return ready;
  }

  /** Starts another process wherever one has ended, for as long as the service runs. */
  async #replaceAlways(ended: Promise<End>, { url }: Ready): Promise<void> {
    let end = await ended;
    for (let pauseMs = FIRST_PAUSE_MS; !this.#stopping.signal.aborted; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      if (end.ranMs > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      const { pid, ...how } = end;
      this.#log.error({ process: pid, ...how, replacedAfterMs: pauseMs }, 'a process has ended and is replaced');
      await sleep(pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      if (this.#stopping.signal.aborted) return;
      // Port 0 would be another one than callers know, where nobody is left who holds it.
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
    const { databaseUrl, carrierSandboxUrl = '' } = this.#settings;
    const env = {
      DATABASE_URL: databaseUrl,
      SECRETS_KEY: this.#secretsKey,
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

  /** One round for all who ask meanwhile. */
  #scrape(): Promise<string> {
    this.#scraping ??= this.#gather().finally(() => {
      this.#scraping = undefined;
    });
    return this.#scraping;
  }

  async #gather(): Promise<string> {
    const own = await this.#own.registry.getMetricsAsJSON();
    // Memory, processor and files. The rest would say that this process, which carries out no request, is never late.
    this.#metrics.update(
      'primary',
      own.filter(({ name }) => name.startsWith('process_')),
    );
    const report = async (child: Child) => {
      const figures = await child.report();
      if (figures && this.#children.has(child)) this.#metrics.update(child, figures);
    };
    await Promise.all(Array.from(this.#children, report));
    return this.#metrics.text();
  }
}
