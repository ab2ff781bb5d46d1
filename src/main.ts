import { type App, createApp } from './app.ts';
import { type Config, readConfig } from './config.ts';
import { prepareDemo } from './demo/company.ts';
import { plainPage, welcomePage } from './demo/welcome.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { StartupError } from './platform/startup-error.ts';

/** `npm start`: signals → settings → database → app → demo company, and back once a signal comes. */
async function main(): Promise<void> {
  // Heard from the first moment on: one that came while the database starts would leave it running.
  const stopSignal = nextSignal();
  const config = readConfig();
  const opened = await openDatabase(config, 'service');
  const app = await start(config, opened);
  const signal = await stopSignal;
  app.log.info({ signal }, 'stopping');
  await app.stop();
  await opened.close();
  app.log.flush(() => process.exit(0));
}

async function start(config: Config, opened: OpenDatabase): Promise<App> {
  let app: App | undefined;
  try {
    app = await createApp({ ...config, databaseUrl: opened.url });
    if (config.role !== 'worker') process.stdout.write(await page(app, config));
    app.log.info({ role: config.role, url: app.url }, 'ready');
    return app;
  } catch (error) {
    await app?.stop();
    await opened.close();
    throw error;
  }
}

async function page({ url, database }: App, config: Config): Promise<string> {
  if (!config.demo) return plainPage(url);
  const { apiKey } = await prepareDemo(database, config.dataDir);
  return welcomePage(url, apiKey);
}

function nextSignal(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, resolve);
  return promise;
}

main().catch((error: unknown) => {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The service could not start: ${(error as Error)?.stack ?? error}\n`);
  process.exit(1);
});
