import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { ensureDemoCompany } from './demo/company.ts';
import { demoKey } from './demo/key.ts';
import { plainPage, welcomePage } from './demo/welcome.ts';
import { openDatabase } from './open-database.ts';
import { StartupError } from './platform/startup-error.ts';

/** `npm start`: settings → database → app → demo company → signals. */
async function main(): Promise<void> {
  const config = readConfig();
  const opened = await openDatabase(config, 'service');
  const app = await createApp({ ...config, databaseUrl: opened.url }).catch(async error => {
    await opened.close();
    throw error;
  });

  let stopping = false;
  const stop = async (signal: string) => {
    if (stopping) return;
    stopping = true;
    app.log.info({ signal }, 'stopping');
    await app.stop();
    await opened.close();
    app.log.flush(() => process.exit(0));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);

  if (config.role !== 'worker') {
    const page = config.demo ? welcomePage(app.url, await prepareDemo()) : plainPage(app.url);
    process.stdout.write(page);
  }
  app.log.info({ role: config.role, url: app.url }, 'ready');

  async function prepareDemo(): Promise<string> {
    await ensureDemoCompany(app.database);
    return demoKey(app.database, config.dataDir);
  }
}

main().catch((error: unknown) => {
  if (error instanceof StartupError) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`The service could not start: ${(error as Error)?.stack ?? error}\n`);
  process.exit(1);
});
