import { setTimeout } from 'node:timers/promises';
import { type App, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { prepareDemo } from '../demo/company.ts';
import { beginWalk } from '../demo/walk.ts';
import { welcomePage } from '../demo/welcome.ts';
import { isPublicUnicast } from '../platform/outbound/outbound-address.ts';
import type { OutboundPolicy } from '../platform/outbound/outbound-url.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { closeThreads } from '../platform/threads/threads.ts';

/** How long a stop waits for a start that is under way: it is rolled back with the end of the process. */
const STARTING_MS = 2_000;

/**
 * The service in this process: the app and, if the settings ask for it, the demo company.
 *
 * @param stopped resolves when the service must stop
 */
export function oneProcess(
  config: Config & { databaseUrl: string },
  log: Log,
  stopped: Promise<unknown>,
  metrics = createMetrics(),
): Service {
  const starting = createApp(config, log, metrics);
  const readied = starting.then(async (app): Promise<Ready> => {
    const { url } = app;
    if (config.role === 'worker' || !config.demo) return { url };
    return { url, page: await preparePage(app, config, log) };
  });
  return {
    // A start may take minutes, or wait for another process, but a signal must not wait.
    ready: Promise.race([stopped.then(() => undefined), readied]),
    async stop() {
      const overdue = setTimeout(STARTING_MS, undefined, { ref: false });
      const app = await Promise.race([starting.catch(() => undefined), overdue]);
      await app?.stop();
      await closeThreads();
    },
  };
}

async function preparePage({ url, database, ...app }: App, config: Config, log: Log): Promise<string> {
  const { jobs, promises, metrics } = app;
  const announcer = { jobs, publicUrl: config.publicUrl ?? url, promises, metrics };
  const tools = { database, announcer, box: await openSecretBox(config), caps: config.caps, log };
  const things = await prepareDemo(tools, config.dataDir);
  const walk = await beginWalk(database, new Date());
  return welcomePage(url, { ...things, walk }, reachesLoopback(config.webhookPolicy));
}

/** Whether `webhook listen`, on the same machine, would get webhooks. */
function reachesLoopback({ allowHttp, allowPrivate }: OutboundPolicy): boolean {
  return allowHttp && isPublicUnicast('127.0.0.1', allowPrivate);
}

/** The addresses of a service that is ready. */
export interface Ready {
  /** The listening address: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** The demo's start page. Undefined without a demo, for workers, and for a service that was stopped before. */
  readonly page?: string | undefined;
}

/** A starting service over an open database: in one process, or in several. */
export interface Service {
  /** Undefined if it was stopped before. Rejects with a StartupError, or with any other error of the start. */
  readonly ready: Promise<Ready | undefined>;
  /** Finishes the work in progress and closes the database, at any time; a start in progress is awaited for a moment. */
  stop(): Promise<void>;
}
