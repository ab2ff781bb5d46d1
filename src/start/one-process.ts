import { type App, createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { prepareDemo } from '../demo/company.ts';
import { welcomePage } from '../demo/welcome.ts';
import { isPublicUnicast } from '../platform/outbound/outbound-address.ts';
import type { OutboundPolicy } from '../platform/outbound/outbound-url.ts';
import { openSecretBox } from '../platform/secrets/secret-box.ts';
import type { Log } from '../platform/telemetry/log.ts';
import { createMetrics } from '../platform/telemetry/metrics.ts';
import { closeThreads } from '../platform/threads/threads.ts';
import type { Ready, Service } from './service.ts';

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
  const ready = starting.then(async (app): Promise<Ready> => {
    const { url } = app;
    if (config.role === 'worker' || !config.demo) return { url };
    // The demo may have to wait for another process that makes it, but a signal must not wait.
    return { url, page: await Promise.race([preparePage(app, config), stopped.then(() => undefined)]) };
  });
  return {
    ready,
    async stop() {
      const app = await starting.catch(() => undefined);
      await app?.stop();
      await closeThreads();
    },
  };
}

async function preparePage({ url, database, ...app }: App, config: Config): Promise<string> {
  const { jobs, promises, metrics } = app;
  const announcer = { jobs, publicUrl: config.publicUrl ?? url, promises, metrics };
  const tools = { database, announcer, box: await openSecretBox(config), caps: config.caps };
  return welcomePage(url, await prepareDemo(tools, config.dataDir), reachesLoopback(config.webhookPolicy));
}

/** Whether `webhook listen`, on the same machine, would get webhooks. */
function reachesLoopback({ allowHttp, allowPrivate }: OutboundPolicy): boolean {
  return allowHttp && isPublicUnicast('127.0.0.1', allowPrivate);
}
