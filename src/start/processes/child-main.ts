import cluster, { type Worker } from 'node:cluster';
import { readConfig } from '../../config.ts';
import { startFailure } from '../../platform/startup-error.ts';
import { metricsInCluster } from '../../platform/telemetry/cluster-metrics.ts';
import { openLog } from '../../platform/telemetry/log.ts';
import { oneProcess } from '../one-process.ts';
import { openDatabase } from '../open-database.ts';
import { stopSignal } from '../stop-signal.ts';
import type { FromChild, ToChild } from './many-processes.ts';

/** One of the processes that `many-processes.ts` starts: its argument is its number, and its settings are its environment. */
async function main(): Promise<void> {
  const { stopped } = stopSignal();
  stopWithoutPrimary();
  const config = readConfig();
  const log = await openLog(config.logLevel, 'shared');
  const { url: databaseUrl } = await openDatabase(config, 'service', { log });
  const [, , number = ''] = process.argv;
  const service = oneProcess({ ...config, databaseUrl }, log, stopped, metricsInCluster(number, scrapeAll));
  try {
    const ready = await service.ready;
    if (ready) tell({ type: 'ready', ready });
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

/** The metrics of all processes, from the primary, which also asks this process. */
function scrapeAll(): Promise<string> {
  return new Promise((resolve, reject) => {
    const listener = (message: ToChild) => {
      if (message.type !== 'metrics') return;
      process.off('message', listener);
      if (message.text === undefined) reject(new Error('the metrics of all processes cannot be had'));
      else resolve(message.text);
    };
    process.on('message', listener);
    tell({ type: 'scrape' });
  });
}

/** A primary that has ended receives nothing. */
function tell(message: FromChild, sent = () => {}): void {
  if (process.connected) process.send?.(message, undefined, undefined, sent);
  else sent();
}

main().catch((error: unknown) => tell({ type: 'failed', failure: startFailure(error) }, () => process.exit(1)));
