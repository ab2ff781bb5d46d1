import { type Config, readConfig } from './config.ts';
import { startDemoSandbox } from './demo/demo-sandbox.ts';
import { SERVICE_VERSION } from './platform/service-version.ts';
import { startFailure } from './platform/startup-error.ts';
import { type Log, openLog } from './platform/telemetry/log.ts';
import type { Sandbox } from './sandbox/stand-ins.ts';
import { readEnvFile } from './start/env-file.ts';
import type { Service } from './start/one-process.ts';
import { openDatabase } from './start/open-database.ts';
import { readStartWords } from './start/start-words.ts';
import { type Stop, stopSignal } from './start/stop-signal.ts';

const PUBLIC_URL_IS_MISSING =
  'PUBLIC_URL is not set: links in responses and webhooks lead to the listening address. Set it to the address that callers use.';

/** The time for the service to stop; the rest of the ten seconds is for the database. */
const SERVICE_STOP_MS = 8_600;

/** `npm start`: signals → settings → database → the service in one process or several, and back at a signal. */
async function main(): Promise<void> {
  const words = await readStartWords(process.argv.slice(2));
  if (words !== undefined) {
    (words.code === 0 ? process.stdout : process.stderr).write(words.text);
    process.exitCode = words.code;
    return;
  }
  // Signals are caught from the start: one while the database starts would leave it running.
  const stop = stopSignal();
  readEnvFile();
  const config = readConfig();
  const log = await openLog(config.logLevel, config.processes === 1 ? 'own' : 'shared');
  if (config.isProduction && config.publicUrl === undefined) log.warn(PUBLIC_URL_IS_MISSING);
  await run(config, log, stop).catch((error: unknown) => {
    // A start that a signal interrupts fails.
    if (!stop.signal.aborted) throw error;
    log.debug({ err: error }, 'the start was interrupted');
  });
  log.info('stopped');
  log.flush(() => process.exit(0));
}

async function run(config: Config, log: Log, { stopped, signal }: Stop): Promise<void> {
  const opened = await openDatabase(config, 'service', { log, signal });
  let sandbox: Sandbox | undefined;
  let service: Service | undefined;
  try {
    sandbox = await startDemoSandbox(config);
    const carrierSandboxUrl = config.carrierSandboxUrl ?? sandbox?.url;
    const isEmbedded = config.databaseUrl === undefined;
    const settings = { ...config, databaseUrl: opened.url, isEmbedded, carrierSandboxUrl };
    // Loaded on demand: a process that starts others carries out no request itself.
    service =
      config.processes === 1
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
    await within(SERVICE_STOP_MS, service?.stop());
    await sandbox?.close();
    // The database stops last, when nothing needs it any more.
    await opened.close();
  }
}

function within(milliseconds: number, work: Promise<void> | undefined): Promise<void> {
  const { promise: overdue, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  return Promise.race([work, overdue]).finally(() => clearTimeout(timer));
}

/** The links for a person who reads the log. */
function linksOf(url: string) {
  return { docs: `${url}/docs`, graphql: `${url}/graphql`, contract: `${url}/openapi.json` };
}

main().catch((error: unknown) => {
  process.stderr.write(`${startFailure(error)}\n`);
  process.exit(1);
});
