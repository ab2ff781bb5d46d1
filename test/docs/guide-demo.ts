import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, inject } from 'vitest';
import { type App, createApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { prepareDemo } from '../../src/demo/company.ts';
import { openSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { createLog } from '../../src/platform/telemetry/log.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/stand-ins.ts';
import { createDatabase, dropDatabase, urlOf } from '../support/databases.ts';
import { REACHABLE } from '../support/receiver.ts';
import { SECRETS_KEY, UNLIMITED } from '../support/world.ts';

/** A demo that nobody has used yet. */
export interface Demo {
  readonly url: string;
  readonly apiKey: string;
  /** For the command line. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

/** Makes the demo company once for the file, and answers what opens copies of it. */
export function useDemos(): () => Promise<Demo> {
  const serverUrl = inject('serverUrl');
  const log = createLog('silent');
  let sandbox: Sandbox;
  let folder: string;
  let template = '';
  let apiKey = '';

  async function open(name: string): Promise<{ app: App; config: ReturnType<typeof settingsOf>; env: Demo['env'] }> {
    const env = {
      DATABASE_URL: urlOf(inject('serviceUrl'), name),
      SECRETS_KEY,
      CARRIER_SANDBOX_URL: sandbox.url,
      DATA_DIR: folder,
      PORT: '0',
      DATABASE_POOL_SIZE: '6',
      ...REACHABLE,
      ...UNLIMITED,
    };
    const config = settingsOf(env);
    return { app: await createApp(config, log), config, env };
  }

  beforeAll(async () => {
    sandbox = await startSandbox();
    folder = await mkdtemp(join(tmpdir(), 'guides-'));
    template = await createDatabase(serverUrl, inject('template'));
    const { app, config } = await open(template);
    const { jobs, promises, metrics } = app;
    const announcer = { jobs, publicUrl: app.url, promises, log, metrics };
    const tools = { database: app.database, announcer, box: await openSecretBox(config), caps: config.caps };
    ({ apiKey } = await prepareDemo(tools, folder));
    await app.stop();
  });
  afterAll(async () => {
    await dropDatabase(serverUrl, template);
    await sandbox.close();
    await rm(folder, { recursive: true });
  });
  return async () => {
    const name = await createDatabase(serverUrl, template);
    const { app, env } = await open(name);
    return {
      url: app.url,
      apiKey,
      env,
      async close() {
        await app.stop();
        await dropDatabase(serverUrl, name);
      },
    };
  };
}

function settingsOf(env: Record<string, string>) {
  return { ...readConfig(env), databaseUrl: env.DATABASE_URL ?? '' };
}
