import { type App, createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { prepareDemo } from './demo/company.ts';
import { startDemoSandbox } from './demo/demo-sandbox.ts';
import { plainPage, welcomePage } from './demo/welcome.ts';
import { openDatabase } from './open-database.ts';
import { openSecretBox } from './platform/secrets/secret-box.ts';
import { StartupError } from './platform/startup-error.ts';
import { createLog } from './platform/telemetry/log.ts';
import type { Sandbox } from './sandbox/stand-ins.ts';

/** Whatever still hangs then is left: the operator was promised an end within ten seconds. */
const STOP_WITHIN_MS = 9_500;

/** `npm start`: signals → settings → database → app → demo company, and back once a signal comes. */
async function main(): Promise<void> {
  // Heard from the first moment on: one that came while the database starts would leave it running.
  const stopSignal = nextSignal();
  const config = readConfig();
  const log = createLog(config.logLevel);
  const opened = await openDatabase(config, 'service', log);
  let sandbox: Sandbox | undefined;
  let app: App | undefined;
  try {
    sandbox = await startDemoSandbox(config);
    const carrierSandboxUrl = config.carrierSandboxUrl ?? sandbox?.url;
    app = await createApp({ ...config, databaseUrl: opened.url, carrierSandboxUrl }, log);
    // The demo may have to wait for another process that makes it; a signal does not wait for that.
    if (config.role !== 'worker') await Promise.race([welcome(app, config), stopSignal]);
    app.log.info({ role: config.role, url: app.url }, 'ready');
    app.log.info({ signal: await stopSignal }, 'stopping');
  } finally {
    await app?.stop();
    await sandbox?.close();
    await opened.close();
  }
  app.log.flush(() => process.exit(0));
}

async function welcome({ url, database, jobs }: App, config: Config): Promise<void> {
  const announcer = { jobs, publicUrl: config.publicUrl ?? url };
  const { caps } = config;
  const prepared =
    config.demo && (await prepareDemo({ database, announcer, box: await openSecretBox(config), caps }, config.dataDir));
  process.stdout.write(prepared ? welcomePage(url, prepared) : plainPage(url));
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
      resolve(signal);
    });
  }
  return promise;
}

main().catch((error: unknown) => {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The service could not start: ${(error as Error)?.stack ?? error}\n`);
  process.exit(1);
});
