import cluster, { type Worker } from 'node:cluster';
import { readConfig } from '../../config.ts';
import { startFailure } from '../../platform/startup-error.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { createMetrics } from '../../platform/telemetry/metrics.ts';
import { oneProcess } from '../one-process.ts';
import { openDatabase } from '../open-database.ts';
import { stopSignal } from '../stop-signal.ts';
import type { FromChild, FromPrimary } from './messages.ts';

/** One of the processes that `many-processes.ts` starts and configures through its environment. */
async function main(): Promise<void> {
  const { stopped } = stopSignal();
  stopWithoutPrimary();
  const config = readConfig();
  const log = await openLog(config.logLevel, 'shared');
  const { url: databaseUrl } = await openDatabase(config, 'service', { log });
  const metrics = createMetrics(scrapeAll);
  const service = oneProcess({ ...config, databaseUrl }, log, stopped, metrics);
  listen('report', async () => {
    const values = await metrics.registry.getMetricsAsJSON().catch(() => undefined);
    if (values) await tell({ type: 'values', values });
  });
  try {
    const ready = await service.ready;
    if (ready) await tell({ type: 'ready', ready });
    await stopped;
  } finally {
    await service.stop();
  }
  log.flush(() => process.exit(0));
}

/** Without this, Node would end the process in the middle of its requests. */
function stopWithoutPrimary(): void {
  cluster.worker?.once('disconnect', function (this: Worker) {
    this.exitedAfterDisconnect = true;
    process.kill(process.pid, 'SIGTERM');
  });
}

let scraping: Promise<string> | undefined;

/** The metrics of all processes, from the primary, which also asks this process. */
function scrapeAll(): Promise<string> {
  scraping ??= new Promise<string>((resolve, reject) => {
    const stopListening = listen('metrics', ({ text }) => {
      stopListening();
      scraping = undefined;
      if (text === undefined) reject(new Error('the metrics of all processes cannot be had'));
      else resolve(text);
    });
    tell({ type: 'scrape' });
  });
  return scraping;
}

/** Returns a function that removes the listener. */
function listen<Type extends FromPrimary['type']>(
  type: Type,
  heard: (message: Extract<FromPrimary, { type: Type }>) => unknown,
): () => void {
  const listener = (message: FromPrimary) => {
    if (message.type === type) heard(message as Extract<FromPrimary, { type: Type }>);
  };
  process.on('message', listener);
  return () => process.off('message', listener);
}

/** Resolves once the message is sent. A primary that has ended receives nothing. */
async function tell(message: FromChild): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (process.send && process.connected) process.send(message, undefined, undefined, () => resolve());
  else resolve();
  return promise;
}

main().catch(async (error: unknown) => {
  await tell({ type: 'failed', failure: startFailure(error) });
  process.exit(1);
});
