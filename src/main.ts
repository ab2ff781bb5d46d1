import { readConfig } from './config.ts';
import { startDemoSandbox } from './demo/demo-sandbox.ts';
import { SERVICE_VERSION } from './platform/service-version.ts';
import { startFailure } from './platform/startup-error.ts';
import { openLog } from './platform/telemetry/log.ts';
import type { Sandbox } from './sandbox/stand-ins.ts';
import { readEnvFile } from './start/env-file.ts';
import { openDatabase } from './start/open-database.ts';
import type { Service } from './start/service.ts';
import { stopSignal } from './start/stop-signal.ts';

const PUBLIC_URL_IS_MISSING =
  'PUBLIC_URL is not set: links in responses and webhooks lead to the listening address. Set it to the address that callers use.';

/** `npm start`: signals → settings → database → the service in one process or several, and back at a signal. */
async function main(): Promise<void> {
  // Signals are caught from the start: one while the database starts would leave it running.
  const stopped = stopSignal();
  readEnvFile();
  const config = readConfig();
  const isOne = config.processes === 1;
  const log = await openLog(config.logLevel, isOne ? 'own' : 'shared');
  if (config.isProduction && config.publicUrl === undefined) log.warn(PUBLIC_URL_IS_MISSING);
  const opened = await openDatabase(config, 'service', log);
  let sandbox: Sandbox | undefined;
  let service: Service | undefined;
  try {
    sandbox = await startDemoSandbox(config);
    const carrierSandboxUrl = config.carrierSandboxUrl ?? sandbox?.url;
    const isEmbedded = config.databaseUrl === undefined;
    const settings = { ...config, databaseUrl: opened.url, isEmbedded, carrierSandboxUrl };
    // Loaded on demand: a process that starts others carries out no request itself.
    service = isOne
      ? (await import('./start/one-process.ts')).oneProcess(settings, log, stopped)
      : (await import('./start/processes/many-processes.ts')).manyProcesses(settings, log, stopped);
    const ready = await service.ready;
    if (ready) {
      if (ready.page !== undefined) process.stdout.write(ready.page);
      const links = config.role === 'worker' ? {} : linksOf(ready.url);
      log.info({ version: SERVICE_VERSION, role: config.role, url: ready.url, ...links }, 'ready');
      log.flush();
    }
    log.info({ signal: await stopped }, 'stopping');
  } finally {
    // The database stops last, when nothing needs it any more.
    await service?.stop();
    await sandbox?.close();
    await opened.close();
  }
  log.info('stopped');
  log.flush(() => process.exit(0));
}

/** The links for a person who reads the log. */
function linksOf(url: string) {
  return { docs: `${url}/docs`, graphql: `${url}/graphql`, contract: `${url}/openapi.json` };
}

main().catch((error: unknown) => {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
});
